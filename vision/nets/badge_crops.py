"""Finer crops for badges: of the crop that tells a tile's colour a badge covers too few pixels for its symbol."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, View
from vision.nets.crops import Pyramid, away_directions, from_above, levels, quad_areas, squares_px

FINE_PX = 160
"""Side of the fine crop from above, pixels: about two a millimetre."""
FINE_REACH = 1.06
"""Half its side, in circumradii of a tile."""
SEARCH_PX = 80
"""Side of the picture in which the badge is searched."""
HEAT = 20
"""Side of the map of where a badge may be."""
BADGE_PX = 56
"""Side of the crop about a badge, pixels of the fine crop."""


def fine_crops(pyramid: Pyramid, view: View, centres_mm: Floats) -> NDArray[np.uint8]:
    """Tiles from above, "up" away from the camera: (N, FINE_PX, FINE_PX, 3) BGR.

    Args:
        pyramid: the picture.
        view: the camera over the table.
        centres_mm: (N, 2) cell centres on the table.
    """
    n = len(centres_mm)
    crops = np.zeros((n, FINE_PX, FINE_PX, 3), dtype=np.uint8)
    if n == 0:
        return crops
    pieces = view.camera.pieces
    centres = np.asarray(centres_mm, dtype=np.float64).reshape(n, 2)
    reach = FINE_REACH * pieces.tile_across_flats_mm / np.sqrt(3.0)
    corners_px = squares_px(view, centres, away_directions(view, centres), reach)
    for i, level in enumerate(levels(quad_areas(corners_px), FINE_PX**2)):
        crops[i] = from_above(pyramid, corners_px[i], FINE_PX, level)
    return crops


def search_pictures(fine: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Fine crops halved, (N, SEARCH_PX, SEARCH_PX, 3)."""
    half = [cv2.resize(crop, (SEARCH_PX, SEARCH_PX), interpolation=cv2.INTER_AREA) for crop in fine]
    return np.asarray(half, dtype=np.uint8).reshape(len(fine), SEARCH_PX, SEARCH_PX, 3)


def peaks(heat: NDArray[np.float32]) -> NDArray[np.float64]:
    """Where in the fine crop each map (N, HEAT, HEAT) is hottest, (N, 2) pixels, finer than its cells."""
    n = len(heat)
    at = np.zeros((n, 2))
    for i, one in enumerate(heat):
        row, column = np.unravel_index(int(np.argmax(one)), one.shape)
        rows, columns = (slice(max(0, k - 1), k + 2) for k in (int(row), int(column)))
        near = np.exp(np.clip(one[rows, columns] - one[row, column], -30.0, 0.0))
        y, x = np.mgrid[rows, columns][:, : near.shape[0], : near.shape[1]]
        at[i] = np.array([(x * near).sum(), (y * near).sum()]) / near.sum()
    return np.asarray((at + 0.5) * (FINE_PX / HEAT) - 0.5)


def badge_pictures(fine: NDArray[np.uint8], at_px: Floats) -> NDArray[np.uint8]:
    """The surroundings of a point in each fine crop: (N, BADGE_PX, BADGE_PX, 3)."""
    out = [
        cv2.getRectSubPix(crop, (BADGE_PX, BADGE_PX), (float(x), float(y)))
        for crop, (x, y) in zip(fine, at_px, strict=True)
    ]
    return np.asarray(out, dtype=np.uint8).reshape(len(fine), BADGE_PX, BADGE_PX, 3)
