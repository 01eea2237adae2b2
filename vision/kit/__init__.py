"""The printable kit: marker cards, calibration board, plots, chips and objective cards."""
