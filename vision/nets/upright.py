"""The upright crop: a cell as the camera sees it, cut so that a section of bamboo always covers as many rows.

"Up" is away from the camera along the picture of a vertical line, so a stalk always stands upright, whatever the turn
of the camera about the garden. One section covers `SECTION_ROWS` rows wherever the camera sees the stalk from the
side. From steeply above, where sections shrink to nothing, the scale is held by the tile's width instead; `rises` says
how many rows each height has, perspective included.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, View

ROWS, COLUMNS = 128, 64
SECTION_ROWS = 16.0
"""Rows of one section, where the crop is not held by the tile's width."""
FOOT_ROW = 90.0
"""Row of the cell's centre (at the tile's top)."""
WIDTH = 0.75
"""Width of the crop, in tiles across flats."""
LEAST_SECTION = 0.10
"""The crop's section unit is never less than this share of the tile's width in the picture."""
TALLEST = 4
LEAST_P = 1e-4
"""No height is thought less likely than this by its foot and top alone."""
SURE = 0.95
"""A height that is less likely than this is looked at again in the mirror."""
Floats32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Uprights:
    """How the upright crops of N cells lie in the picture."""

    foot_px: Floats
    """(N, 2): the cells' centres, at the tile's top."""
    column_px: Floats
    """(N, 2): one column to the right."""
    row_px: Floats
    """(N, 2): one row down."""
    tile_px: Floats
    """(N,): a tile's width across flats."""
    section_px: Floats
    """(N,): the length of a section, mean of the first two."""
    share: Floats
    """(N,): rows of a section over `SECTION_ROWS`: 1 but from steeply above."""
    rises: Floats
    """(N, TALLEST): rows from a stalk's foot to its top, for 1 to `TALLEST` sections."""

    def to_picture(self) -> Floats:
        """(N, 3, 3) from pixels of the crops to pixels of the picture."""
        matrices = np.zeros((len(self.foot_px), 3, 3))
        matrices[:, :2, 0], matrices[:, :2, 1] = self.column_px, self.row_px
        matrices[:, :2, 2] = self.foot_px - self.column_px * (COLUMNS - 1) / 2.0 - self.row_px * FOOT_ROW
        matrices[:, 2, 2] = 1.0
        return matrices

    def areas(self) -> Floats:
        """(N,) picture pixels that one crop pixel covers."""
        return np.asarray(self.column_px[:, 0] * self.row_px[:, 1] - self.column_px[:, 1] * self.row_px[:, 0])

    def in_crops(self, picture_px: Floats) -> Floats:
        """Points (N, K, 2) of the picture as columns and rows of their cell's crop."""
        axes = np.stack([self.column_px, self.row_px], axis=2)
        axes[np.abs(np.linalg.det(axes)) < 1e-9] = np.eye(2)
        at = np.einsum("nij,nkj->nki", np.linalg.inv(axes), picture_px - self.foot_px[:, None])
        return np.asarray(at + np.array([(COLUMNS - 1) / 2.0, FOOT_ROW]))


def away_directions(view: View, centres_mm: Floats) -> Floats:
    """For each centre (N, 2) the unit vector (N, 2) on the table that points away from the camera."""
    away = centres_mm - view.eye_mm[:2]
    length = np.linalg.norm(away, axis=1, keepdims=True)
    # Straight below the camera no direction is away; the picture's own up will do.
    up = -view.rotation[1, :2] / max(1e-9, float(np.linalg.norm(view.rotation[1, :2])))
    return np.where(length > 1.0, away / np.maximum(length, 1e-9), up)


def uprights(view: View, centres_mm: Floats) -> Uprights:
    """The upright crops of the cells with these centres (N, 2), millimetres on the table."""
    pieces = view.camera.pieces
    centres = np.asarray(centres_mm, dtype=np.float64).reshape(-1, 2)
    n, across, thick = len(centres), pieces.tile_across_flats_mm, pieces.tile_thickness_mm
    away = away_directions(view, centres)
    right = np.stack([away[:, 1], -away[:, 0]], axis=1)

    def px(points: Floats, sections: float = 0.0) -> Floats:
        return view.project(np.column_stack([points, np.full(n, thick + sections * pieces.section_height_mm)]))

    foot = px(centres)
    side, back = px(centres + right) - foot, px(centres + away) - foot
    tops = np.stack([px(centres, float(height)) - foot for height in range(1, TALLEST + 1)], axis=1)
    rise = tops[:, 1] / 2.0
    section = np.linalg.norm(rise, axis=1)
    tile = np.maximum(np.linalg.norm(side, axis=1), 1e-6) * across
    unit = np.maximum(section, LEAST_SECTION * tile)
    up = np.where(section[:, None] > 0.5, rise, back)
    up = up / np.maximum(np.linalg.norm(up, axis=1, keepdims=True), 1e-9)
    return Uprights(
        foot_px=foot,
        column_px=side * (WIDTH * across / COLUMNS),
        row_px=-up * (unit / SECTION_ROWS)[:, None],
        tile_px=tile,
        section_px=section,
        share=section / unit,
        rises=np.einsum("nhk,nk->nh", tops, up) * (SECTION_ROWS / unit)[:, None],
    )


def apart(pairs: Floats32, rises: Floats32) -> Floats32:
    """Log of how likely a stalk's foot and top lie as far apart as each height would have them, (N, TALLEST).

    Args:
        pairs: (N, ROWS / 2, ROWS / 2) how likely each pair of rows, at half the crop's size, is foot and top.
        rises: (N, TALLEST) rows of the crop from foot to top.
    """
    rows = np.arange(ROWS // 2, dtype=np.float32)
    at = rows - rises[:, :, None] / np.float32(2.0)
    low = np.floor(at)
    total = np.zeros(at.shape, dtype=np.float32)
    cell = np.arange(len(pairs))[:, None, None]
    for place, weight in ((low, 1.0 - (at - low)), (low + 1.0, at - low)):
        inside = (place >= 0) & (place < ROWS // 2)
        chosen = pairs[cell, rows.astype(np.intp), np.clip(place, 0, ROWS // 2 - 1).astype(np.intp)]
        total += chosen * weight * inside
    return np.asarray(np.log(total.sum(axis=2) + LEAST_P), dtype=np.float32)
