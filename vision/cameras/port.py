"""The port that every camera obeys, and what they share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame

Clock = Callable[[], float]
"""Monotonic seconds."""

LUMA_WIDTH_PX = 480
"""Width of the small grey picture in which stillness is watched: a frame costs about a millisecond there."""


class Camera(Protocol):
    """A source of pictures of the table. Not for two threads at once."""

    @property
    def name(self) -> str:
        """What a person would call it."""
        ...

    def luma(self) -> NDArray[np.uint8]:
        """The newest small grey picture: uint8 (h, w), w near `LUMA_WIDTH_PX`; waits for it at most two seconds.

        Raises:
            CameraError: no picture comes; the text names the remedy.
        """
        ...

    def grab(self) -> Frame:
        """One full still, newer than the call.

        Raises:
            CameraError: no picture comes; the text names the remedy.
        """
        ...

    def close(self) -> None:
        """Let the camera go; may be called twice."""
        ...


def small_luma(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A small grey picture of a full one.

    Args:
        image: uint8, grey (H, W) or BGR (H, W, 3).

    Returns:
        uint8 (h, w), w = `LUMA_WIDTH_PX`, of the same shape of rectangle.
    """
    height, width = image.shape[:2]
    size = (LUMA_WIDTH_PX, max(1, round(LUMA_WIDTH_PX * height / width)))
    # Whole pixels are skipped first: averaging over all of them costs ten times as much and shows no more.
    step = max(1, width // LUMA_WIDTH_PX)
    small = cv2.resize(np.ascontiguousarray(image[::step, ::step]), size, interpolation=cv2.INTER_AREA)
    grey = small if small.ndim == 2 else cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    return np.asarray(grey, np.uint8)
