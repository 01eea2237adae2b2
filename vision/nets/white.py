"""How white looks in a picture: on the marker cards, or guessed from the whole picture where there is none."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Image, View
from vision.ranks import ranked

WHITE_LEVEL = 0.85
"""What white becomes in the networks' input."""
_LEAST, _MOST = 40.0, 255.0
_CARD_PX = 40
_NORM = 8.0
_GUESS_GAIN = 1.29
"""The norm of a usual picture is this much darker than its white (fitted on rendered scenes)."""


def white_of_cards(image: Image, view: View, corners_mm: Iterable[Floats]) -> NDArray[np.float32] | None:
    """The mean colour of white on the cards that lie in the picture.

    Args:
        image: uint8 (H, W, 3) BGR.
        view: the camera over the table.
        corners_mm: for each card the corners (4, 2) of its black square on the table.

    Returns:
        BGR (3,), 0 to 255, or None where no card lies in the picture.
    """
    rows, columns = image.shape[:2]
    whites: list[Floats] = []
    last = _CARD_PX - 1.0
    square = np.array([[0.0, 0.0], [last, 0.0], [last, last], [0.0, last]], dtype=np.float32)
    for corners in corners_mm:
        px = view.project(corners, 0.0).astype(np.float32)
        if not (np.isfinite(px).all() and (px >= 0).all() and (px < (columns, rows)).all()):
            continue
        to_px = cv2.getPerspectiveTransform(square, px)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        card = np.asarray(cv2.warpPerspective(image, to_px, (_CARD_PX, _CARD_PX), flags=flags)).reshape(-1, 3)
        light = card.astype(np.uint16) @ np.ones(3, np.uint16)
        # Black and white cells in halves, roughly: the brighter fifth is white, blurred cell borders left out.
        whites.append(np.median(card[light >= ranked(light, 80.0)], axis=0))
    if not whites:
        return None
    return np.asarray(np.clip(np.mean(whites, axis=0), _LEAST, _MOST), dtype=np.float32)


def guessed_white(image: Image) -> NDArray[np.float32]:
    """White guessed from the picture's own bright colours (a Minkowski norm of each channel), BGR (3,), 0 to 255."""
    step = max(1, max(image.shape[:2]) // 200)
    small = image[::step, ::step].reshape(-1, 3).astype(np.float64)
    norm = np.mean(small**_NORM, axis=0) ** (1.0 / _NORM)
    return np.asarray(np.clip(norm * _GUESS_GAIN, _LEAST, _MOST), dtype=np.float32)
