"""How much of where a badge or chip may be stalks hide: what is not seen there speaks against no badge.

The networks see no badge behind a stalk and call the tile plain. Geometry knows better: a stalk of known height covers
a known part of the tile, and of the tile behind it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, View
from vision.nets.blobs import Blob
from vision.nets.upright import TALLEST

_AT, _SIZE = 0.62, 0.25
"""Where printed badges lie (of the way to a corner or to a side) and how wide they are (tiles across flats): the means
of the known looks; the tile may lie in any of six turns, with its badge at a corner or at a side."""
_PLACES = 12
_PEEKING, _GONE = 0.4, 0.8
"""A badge is half lost from the first share that is hidden on, and surely from the second on."""
_USUAL = 0.3
"""So much of a tile may be hidden by what always stands on one."""
_THERE = 0.02
"""A stalk that is less likely hides nothing."""
_REACH = 2.2
"""Stalks further away than this, in tiles, hide nothing of a tile."""


def hidden_share(view: View, centres_mm: Floats, angle: Floats, height_p: Blob) -> Floats:
    """The share of the places of a badge that stalks hide, (N,) of N cells, 0 to 1; a chip lies about as far out.

    Args:
        view: the camera over the table.
        centres_mm: (N, 2) cell centres on the table.
        angle: (N,) direction of a side's normal, radians in the table frame.
        height_p: (N, 5) how likely each height of each cell's stalk is.
    """
    n = len(centres_mm)
    if n == 0:
        return np.zeros(0)
    pieces = view.camera.pieces
    thick, across = pieces.tile_thickness_mm, pieces.tile_across_flats_mm
    turns = angle[:, None] + np.arange(_PLACES) * np.pi / 6
    radii = _AT * across * np.where(np.arange(_PLACES) % 2, 1 / np.sqrt(3), 0.5)
    places = centres_mm[:, None] + radii[None, :, None] * np.stack([np.cos(turns), np.sin(turns)], axis=-1)
    around = np.arange(6) * np.pi / 3
    disc = 0.3 * _SIZE * across * np.vstack([np.zeros((1, 2)), np.column_stack([np.cos(around), np.sin(around)])])
    points = view.project((places[:, :, None] + disc).reshape(-1, 2), thick).reshape(n, -1, 2)
    levels = thick + np.arange(TALLEST + 1) * pieces.section_height_mm
    axis = np.stack([view.project(centres_mm, float(z)) for z in levels], axis=1)
    side = view.project(centres_mm + np.array([pieces.section_diameter_mm / 2, 0.0]), thick) - axis[:, 0]
    wide = np.linalg.norm(side, axis=1)
    near = np.linalg.norm(centres_mm[:, None] - centres_mm, axis=2) <= _REACH * across
    along = axis[:, 1:] - axis[:, :1]
    square = np.maximum((along**2).sum(axis=2), 1e-9)
    seen = np.ones(points.shape[:2])
    for stalk in np.flatnonzero(1.0 - height_p[:, 0] > _THERE):
        tiles = np.flatnonzero(near[stalk])
        from_foot = points[tiles] - axis[stalk, 0]
        # How far each point lies from the stalk's axis, were it so high: (tiles, points, heights).
        share = np.clip(from_foot @ along[stalk].T / square[stalk], 0.0, 1.0)
        off = np.linalg.norm(from_foot[:, :, None] - share[..., None] * along[stalk], axis=3)
        seen[tiles] *= 1.0 - (off <= wide[stalk]) @ height_p[stalk, 1:]
    hidden = 1.0 - seen.reshape(n, _PLACES, -1).mean(axis=2)
    return np.asarray(np.clip((hidden - _PEEKING) / (_GONE - _PEEKING), 0.0, 1.0).mean(axis=1))


def lost(behind: Floats, hidden: NDArray[np.floating[Any]]) -> Floats:
    """The share of the places of a badge that cannot be seen, (N,), behind stalks or under anything else.

    Args:
        behind: (N,) as `hidden_share` says.
        hidden: (N,) share of each tile that cannot be seen, as its network says.
    """
    # What stands on a tile in every game, a stalk and a figure, hides about so much of it.
    covered = np.maximum(hidden - _USUAL, 0.0) / (1.0 - _USUAL)
    return np.asarray(1.0 - (1.0 - behind) * (1.0 - covered))


def with_hidden(marking_p: Blob, share: Floats) -> Blob:
    """Markings (N, 7), as `MARKINGS`, with what may be printed or laid where nothing can be seen.

    Under a flat prior a badge that cannot be seen is as likely as none.
    """
    out = marking_p.astype(np.float64)
    out[:, 1:] += (marking_p[:, 0] * share)[:, None]
    return np.asarray(out / out.sum(axis=1, keepdims=True), dtype=np.float32)
