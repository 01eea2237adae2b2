"""Cameras behind one port: a Pi's, a webcam, files, a video, a recorded night."""
