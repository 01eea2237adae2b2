"""Where in the crops the badge, the stalk's foot and its top lie: shown in training, never needed at run time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.hexgrid import Hex
from vision.geometry import Floats, View
from vision.nets.crops import TILE_PX, TILE_REACH, in_squares
from vision.nets.upright import COLUMNS, ROWS, away_directions, uprights
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
    stands = uprights(view, centres)
    for i, cell in enumerate(cells):
        tile = places.get(cell)
        if tile is None or tile.colour is None:
            continue
        outline = icon_outline(tile, scene)
        if outline is not None:
            off = outline[0].mean(axis=0) - centres[i]
            icon[i] = in_squares(off[None, None], away[i : i + 1], reach, TILE_PX)[0, 0]
        if tile.bamboo:
            base = np.asarray(tile.centre_mm) + tile.foot_mm
            lean = np.sum([(0.0, 0.0), *tile.steps_mm[: tile.bamboo - 1]], axis=0)
            ends = [[*base, thick], [*(base + lean), thick + tile.bamboo * pieces.section_height_mm]]
            foot[i], top[i] = stands.in_crops(np.repeat(view.project(np.array(ends))[None], n, axis=0))[i]
    return icon, foot, top


def body_masks(ids: NDArray[np.int32], bodies: Sequence[int], view: View, centres: Floats) -> NDArray[np.uint8]:
    """Where each cell's own body shows in the upright crop: (N, ROWS, COLUMNS), 0 or 255.

    Args:
        ids: (H, W) the body seen at each pixel of the picture.
        bodies: the N bodies' numbers; 0 where none stands.
        view: the camera as it is believed to stand, with which the crops are cut.
        centres: (N, 2) where the cells are believed to lie, mm.
    """
    to_picture = uprights(view, centres).to_picture()
    picture = ids.astype(np.uint16)
    masks = np.zeros((len(bodies), ROWS, COLUMNS), np.uint8)
    for i, body in enumerate(bodies):
        if body:
            seen = cv2.warpPerspective(
                picture, to_picture[i], (COLUMNS, ROWS), None, cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
            )
            masks[i] = np.where(seen == body, 255, 0)
    return masks


def halved(masks: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Masks (N, ROWS, COLUMNS) at half their size."""
    half = np.zeros((len(masks), ROWS // 2, COLUMNS // 2), np.uint8)
    for i, mask in enumerate(masks):
        half[i] = cv2.resize(mask, (COLUMNS // 2, ROWS // 2), interpolation=cv2.INTER_AREA)
    return half
