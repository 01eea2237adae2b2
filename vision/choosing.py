"""Which of several honeycombs is the garden's, by what the cells look like in them.

Under a wrong honeycomb the pieces of tiles and table that fall into a cell look like nothing in particular, and the
outlines do not fit. Only a small garden is worth the question: a larger one has edges enough to be found at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.games.takenoko.hexgrid import Hex
from vision.geometry import Floats
from vision.lattice import Lattice

_FEW = 4
"""Tiles, the pond among them."""
_POND_P = 0.9
_DOUBT = 1.2
_DOUBT_A_TILE = 0.3
"""Doubt (nats) that a well-fitted honeycomb leaves, at the most: in all, and for each tile."""
_FAINT = 0.25
"""An outline that is fainter fits no tile."""
_COST = 0.3
"""Of a nat of doubt, as against the strength of a tile's outline."""
BETTER = 0.1
"""A rival must be plausible by so much more."""


def _held(kind_p: Floats) -> Floats:
    return np.asarray(kind_p[:, 1:].sum(axis=1) > 0.5)


def _doubt(kind_p: Floats) -> float:
    return float(-(kind_p * np.log(np.maximum(kind_p, 1e-9))).sum())


def is_doubtful(lattice: Lattice, cells: Sequence[Hex], kind_p: Floats) -> bool:
    """Whether a small garden looks as if its honeycomb may be wrong.

    Args:
        lattice: with its measured tiles.
        cells: those that were read.
        kind_p: (N, 5) of each cell, in that order: nothing, the three colours, the pond.
    """
    outlines = _outlines(lattice, cells, kind_p)
    if len(outlines) > _FEW:
        return False
    if float(kind_p[:, 4].max(initial=0.0)) < _POND_P or min(outlines, default=0.0) < _FAINT:
        return True
    return _doubt(kind_p) > _DOUBT + _DOUBT_A_TILE * len(outlines)


def plausibility(lattice: Lattice, cells: Sequence[Hex], kind_p: Floats, figures_p: Floats) -> float:
    """How well a honeycomb suits: the outlines of its tiles, its pond and the figures on tiles, less its doubts.

    Args:
        lattice: with its measured tiles.
        cells: those that were read.
        kind_p: (N, 5) as above, in the order of `cells`.
        figures_p: (N, 2) that the gardener stands on each, and the panda.
    """
    pond = float(kind_p[:, 4].max(initial=0.0))
    # They stand on tiles, whatever the tile looks like: a lamp may turn the pond into something never seen.
    stand = float((figures_p * np.array(_strengths(lattice, cells))[:, None]).max(axis=0, initial=0.0).sum())
    return sum(_outlines(lattice, cells, kind_p)) + pond + stand - _COST * _doubt(kind_p)


def held_cells(cells: Sequence[Hex], kind_p: Floats) -> list[Hex]:
    """The cells that look more like a tile than like none."""
    return [cell for cell, held in zip(cells, _held(kind_p), strict=True) if held]


def _outlines(lattice: Lattice, cells: Sequence[Hex], kind_p: Floats) -> list[float]:
    """How strong the outline of each tile is."""
    return _strengths(lattice, held_cells(cells, kind_p))


def _strengths(lattice: Lattice, cells: Sequence[Hex]) -> list[float]:
    """How strong the outline about each cell is; 0 where none was measured."""
    return [lattice.tiles[cell].strength if cell in lattice.tiles else 0.0 for cell in cells]
