"""The words for the pieces of Takenoko; how many of each a box holds stands in the edition tables."""

from __future__ import annotations

from enum import StrEnum


class Colour(StrEnum):
    """The three sorts of bamboo, and of plots."""

    GREEN = "green"
    YELLOW = "yellow"
    PINK = "pink"


class Improvement(StrEnum):
    """A marker on a plot that changes its rules; at most one, printed or laid as a chip."""

    WATERSHED = "watershed"
    ENCLOSURE = "enclosure"
    FERTILIZER = "fertilizer"


class Weather(StrEnum):
    """The faces of the weather die."""

    SUN = "sun"
    RAIN = "rain"
    WIND = "wind"
    STORM = "storm"
    CLOUDS = "clouds"
    CHOICE = "choice"


class Figure(StrEnum):
    """The two figures; both start on the pond."""

    GARDENER = "gardener"
    PANDA = "panda"


MAX_GROWTH = 4
"""Sections on one plot at the most (T-GROW-4)."""
