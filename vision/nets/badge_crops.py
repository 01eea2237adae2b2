"""Finer crops for badges: of the crop that tells a tile's colour a badge covers too few pixels for its symbol."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, View
from vision.nets.crops import Pyramid, squares, squares_px
from vision.nets.upright import away_directions

FINE_PX = 160
"""Side of the fine crop from above, pixels: about two a millimetre."""
FINE_REACH = 1.06
"""Half its side, in circumradii of a tile."""
SEARCH_PX = 80
"""Side of the picture in which the badge is searched."""
HEAT = 20
"""Side of the map of where a badge may be."""
PEAKS = 2
"""Places looked at on each tile: the top of a stalk may be as hot as a badge."""
APART = 3
"""Two of them are at least so many cells of the map apart."""
INSET = 0.05
"""A badge's middle lies at least so far inside its tile, in tiles across flats."""
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
    if n == 0:
        return np.zeros((0, FINE_PX, FINE_PX, 3), dtype=np.uint8)
    centres = np.asarray(centres_mm, dtype=np.float64).reshape(n, 2)
    reach = FINE_REACH * view.camera.pieces.tile_across_flats_mm / np.sqrt(3.0)
    return squares(pyramid, squares_px(view, centres, away_directions(view, centres), reach), FINE_PX)


def search_pictures(fine: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Fine crops halved, (N, SEARCH_PX, SEARCH_PX, 3)."""
    half = [cv2.resize(crop, (SEARCH_PX, SEARCH_PX), interpolation=cv2.INTER_AREA) for crop in fine]
    return np.asarray(half, dtype=np.uint8).reshape(len(fine), SEARCH_PX, SEARCH_PX, 3)


def on_tiles(view: View, centres_mm: Floats, angle: float | Floats) -> NDArray[np.bool_]:
    """Which places of the map lie on the tile itself, well enough inside for a badge: (N, HEAT, HEAT).

    The corners of the crop show the neighbours, and their badges.

    Args:
        view: the camera over the table.
        centres_mm: (N, 2) cell centres on the table.
        angle: direction of a side's normal, radians in the table frame; one, or one a cell.
    """
    centres = np.asarray(centres_mm, dtype=np.float64).reshape(-1, 2)
    across = view.camera.pieces.tile_across_flats_mm
    away = away_directions(view, centres)
    right = np.stack([away[:, 1], -away[:, 0]], axis=1)
    steps = ((np.arange(HEAT) + 0.5) / HEAT * 2.0 - 1.0) * (FINE_REACH * across / np.sqrt(3.0))
    at = steps[None, None, :, None] * right[:, None, None] - steps[None, :, None, None] * away[:, None, None]
    turns = np.broadcast_to(np.asarray(angle, dtype=np.float64), (len(centres),))[:, None] + np.arange(3) * np.pi / 3
    normals = np.stack([np.cos(turns), np.sin(turns)], axis=-1)
    off = np.abs(np.einsum("nrck,nsk->nrcs", at, normals)).max(axis=3)
    return np.asarray(off <= across * (0.5 - INSET))


def peaks(heat: NDArray[np.float32], where: NDArray[np.bool_] | None = None) -> Floats:
    """Where in the fine crop each map is hottest: `PEAKS` places, the hottest first, (N, PEAKS, 2) pixels.

    Args:
        heat: (N, HEAT, HEAT).
        where: (N, HEAT, HEAT) places that count; all by default. Where none is left, the middle is given.
    """
    n = len(heat)
    left = heat.copy() if where is None else np.where(where, heat, -np.inf).astype(np.float32)
    at = np.full((n, PEAKS, 2), (HEAT - 1) / 2.0)
    around = np.arange(-1, 2)
    # A frame about the maps, so that the surroundings of a place at the rim can be cut out too.
    framed = np.pad(heat, ((0, 0), (1, 1), (1, 1)), constant_values=-np.inf)
    cells = np.arange(n)
    for rank in range(PEAKS):
        row, column = np.divmod(left.reshape(n, HEAT * HEAT).argmax(axis=1), HEAT)
        found = np.isfinite(left[cells, row, column])
        near = framed[
            cells[:, None, None], row[:, None, None] + 1 + around[:, None], column[:, None, None] + 1 + around
        ]
        near = np.exp(np.clip(near - heat[cells, row, column][:, None, None], -np.inf, 0.0))
        total = near.sum(axis=(1, 2))
        off = np.stack([(near * around).sum(axis=(1, 2)), (near * around[:, None]).sum(axis=(1, 2))], axis=1)
        at[found, rank] = (np.stack([column, row], axis=1) + off / total[:, None])[found]
        rows, columns = (np.abs(np.arange(HEAT) - place[:, None]) <= APART for place in (row, column))
        left[rows[:, :, None] & columns[:, None, :]] = -np.inf
    return np.asarray((at + 0.5) * (FINE_PX / HEAT) - 0.5)


def heat_at(heat: NDArray[np.float32], at_px: Floats) -> NDArray[np.float32]:
    """How hot each map (N, HEAT, HEAT) is at places (N, K, 2) of the fine crop, (N, K)."""
    column, row = np.moveaxis(np.clip(np.rint((at_px + 0.5) * (HEAT / FINE_PX) - 0.5), 0, HEAT - 1), -1, 0).astype(int)
    return np.asarray(heat[np.arange(len(heat))[:, None], row, column], dtype=np.float32)


def badge_pictures(fine: NDArray[np.uint8], at_px: Floats) -> NDArray[np.uint8]:
    """The surroundings of a point in each fine crop: (N, BADGE_PX, BADGE_PX, 3)."""
    out = [
        cv2.getRectSubPix(crop, (BADGE_PX, BADGE_PX), (float(x), float(y)))
        for crop, (x, y) in zip(fine, at_px, strict=True)
    ]
    return np.asarray(out, dtype=np.uint8).reshape(len(fine), BADGE_PX, BADGE_PX, 3)
