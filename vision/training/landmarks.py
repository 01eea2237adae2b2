"""Where in the crops the badge, the stalk's foot and its top lie: shown in training, never needed at run time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.hexgrid import Hex
from vision.geometry import Floats, View
from vision.nets.crops import (
    FOOT_ROW,
    LEAST_SECTION,
    SECTION_ROWS,
    TALL_COLUMNS,
    TALL_WIDTH,
    TILE_PX,
    TILE_REACH,
    away_directions,
)
from vision.simulated.scene import Scene, TilePiece
from vision.simulated.truth import icon_outline

NOWHERE = -100.0
"""Column and row of what is not there."""
Spots = NDArray[np.float32]


def landmarks(
    scene: Scene, view: View, cells: Sequence[Hex], centres: Floats, places: Mapping[Hex, TilePiece]
) -> tuple[Spots, Spots, Spots]:
    """Badge in the crop from above, foot and top of the stalk in the upright crop, (N, 2) columns and rows.

    Args:
        scene: what truly lies there.
        view: the camera as it is believed to stand, with which the crops are cut.
        cells: the N cells.
        centres: (N, 2) where they are believed to lie, mm.
        places: the tiles by cell.
    """
    n = len(cells)
    icon, foot, top = (np.full((n, 2), NOWHERE, np.float32) for _ in range(3))
    if n == 0:
        return icon, foot, top
    pieces = scene.camera.pieces
    thick, reach = pieces.tile_thickness_mm, TILE_REACH * pieces.tile_across_flats_mm / np.sqrt(3.0)
    away = away_directions(view, centres)
    right = np.stack([away[:, 1], -away[:, 0]], axis=1)
    foot_px, to_crop = _upright(view, centres, right, away)
    for i, cell in enumerate(cells):
        tile = places.get(cell)
        if tile is None or tile.colour is None:
            continue
        outline = icon_outline(tile, scene)
        if outline is not None:
            off = outline[0].mean(axis=0) - centres[i]
            icon[i] = (np.array([off @ right[i], -(off @ away[i])]) / reach + 1.0) * (TILE_PX - 1) / 2.0
        if tile.bamboo:
            base = np.asarray(tile.centre_mm) + tile.foot_mm
            lean = np.sum([(0.0, 0.0), *tile.steps_mm[: tile.bamboo - 1]], axis=0)
            ends = [[*base, thick], [*(base + lean), thick + tile.bamboo * pieces.section_height_mm]]
            for spots, px in zip((foot, top), view.project(np.array(ends)), strict=True):
                spots[i] = to_crop[i] @ (px - foot_px[i]) + ((TALL_COLUMNS - 1) / 2.0, FOOT_ROW)
    return icon, foot, top


def _upright(view: View, centres: Floats, right: Floats, away: Floats) -> tuple[Floats, Floats]:
    """The cells' centres in the picture (N, 2), and the matrices (N, 2, 2) from the picture to upright crops."""
    pieces = view.camera.pieces
    thick, n = pieces.tile_thickness_mm, len(centres)

    def px(points: Floats, z_mm: float) -> Floats:
        return view.project(np.column_stack([points, np.full(n, z_mm)]))

    foot = px(centres, thick)
    side, back = px(centres + right, thick) - foot, px(centres + away, thick) - foot
    rise = (px(centres, thick + 2.0 * pieces.section_height_mm) - foot) / 2.0
    section = np.linalg.norm(rise, axis=1)
    unit = np.maximum(section, LEAST_SECTION * np.linalg.norm(side, axis=1) * pieces.tile_across_flats_mm)
    up = np.where(section[:, None] > 0.5, rise, back)
    up = up / np.maximum(np.linalg.norm(up, axis=1, keepdims=True), 1e-9)
    column = side * (TALL_WIDTH * pieces.tile_across_flats_mm / TALL_COLUMNS)
    row = -up * (unit / SECTION_ROWS)[:, None]
    return foot, np.asarray(np.linalg.inv(np.stack([column, row], axis=2)))
