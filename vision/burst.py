"""Several stills of one still table made into one with less noise; what flew through one of them is dropped."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

OUTLIER_STEP = 24
"""Grey levels of 255: a channel this far from the middle still is not noise."""


def average_burst(stills: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """The mean of each pixel over the stills, outliers left out.

    The middle of the first, the middlemost and the last still is the reference; a channel of a pixel counts while it
    is within `OUTLIER_STEP` of it. So a sleeve that crosses one still, or two neighbours of many, leaves
    no ghost.

    Args:
        stills: uint8 (H, W, 3), BGR, all of one size; at most 255 of them; with fewer than three
            the last one is the answer.

    Returns:
        uint8 (H, W, 3), BGR, its own memory.

    Raises:
        ValueError: no still, or of different sizes.
    """
    if not stills:
        raise ValueError("a burst needs at least one still")
    shapes = {still.shape for still in stills}
    if len(shapes) != 1:
        raise ValueError(f"the stills of a burst have different sizes: {sorted(shapes)}")
    if len(stills) < 3:
        return stills[-1].copy()
    # Rows of single channels: OpenCV's masks have one channel, and each channel is judged for itself.
    flat = [still.reshape(still.shape[0], -1) for still in stills]
    first, middle, last = flat[0], flat[len(flat) // 2], flat[-1]
    reference = cv2.max(cv2.min(first, middle), cv2.min(cv2.max(first, middle), last))
    total = np.zeros(reference.shape, np.uint16)
    count = np.zeros(reference.shape, np.uint8)
    for still in flat:
        near = cv2.threshold(cv2.absdiff(still, reference), OUTLIER_STEP, 1, cv2.THRESH_BINARY_INV)[1]
        cv2.add(total, cv2.multiply(still, near), total, dtype=cv2.CV_16U)
        cv2.add(count, near, count)
    # The reference is one of the three in each channel, so no count is zero.
    return np.asarray(cv2.divide(total, count, dtype=cv2.CV_8U), np.uint8).reshape(stills[0].shape)
