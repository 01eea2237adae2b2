"""Lattices that may be the garden's: folded from the edges of a rectified picture, judged by the outlines of tiles."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.hexgrid import Hex
from vision.edges import EdgeField
from vision.folding import folds, likely_turns, turned_to, voters_of
from vision.geometry import Floats, Patch
from vision.lattice import USUAL_GAP_MM, Lattice, cells_within, connected_to
from vision.outlines import glance_at_tiles


@dataclass(frozen=True, slots=True, eq=False)
class Honeycomb:
    """A lattice that may be the garden's."""

    lattice: Lattice
    cells: NDArray[np.intp]
    """(N, 2): q and r of each cell in sight."""
    outlines: Floats
    """(N,): how strong its outline is, at a glance."""
    strength: float
    """How much better than the usual place of this table its tiles' outlines show, summed over the best cells."""


def find_honeycombs(edges: EdgeField, across_flats_mm: float, z_mm: float) -> list[Honeycomb]:
    """Lattices whose tile outlines gather many edges, best first.

    The origin is any one cell: which is the pond is for others to say.
    """
    voters = voters_of(edges)
    if voters is None:
        return []
    flats, usual = across_flats_mm, across_flats_mm + USUAL_GAP_MM
    angles = likely_turns(voters.normals, voters.weights)
    coarse = folds([(turned_to(voters, angle), flats, usual) for angle in angles])
    best = sorted(zip(coarse, angles, strict=True), key=lambda one: -one[0].score)[:_JUDGED]
    best = [one for one in best if one[0].score >= _RIVAL * best[0][0].score]
    turns = [angle + turn for _, angle in best for turn in _FOLD_TURNS]
    fans = [turned_to(voters, angle) for angle in turns]
    turned = folds([(fan, flats, usual) for fan in fans])
    fine: list[Lattice] = []
    for i in range(0, len(fans), len(_FOLD_TURNS)):
        top = max(range(i, i + len(_FOLD_TURNS)), key=lambda k: turned[k].score)
        gaps = folds([(fans[top], flats, flats + gap) for gap in _GAPS_MM])
        gap, fold = max(zip(_GAPS_MM, gaps, strict=True), key=lambda one: one[1].score)
        fine.append(Lattice(fold.origin_mm, turns[top], flats + gap, flats, z_mm))
    return sorted((_judged(edges, one) for one in fine), key=lambda one: -one.strength)


def find_spacing(edges: EdgeField, turn: float | None = None) -> tuple[float, float] | None:
    """The size of a tile across its flats, where nothing but its shape is known, and how strong its outlines are.

    The size is in the field's own millimetres.

    Args:
        edges: of the rectified picture.
        turn: the honeycomb's, radians, where it is known.
    """
    voters = voters_of(edges, _SPACING_VOTERS)
    if voters is None:
        return None
    rows, columns = edges.patch.shape
    smallest, largest = 18.0 * edges.patch.mm_per_px, 0.35 * min(rows, columns) * edges.patch.mm_per_px
    sizes = np.exp(np.arange(math.log(smallest), math.log(max(largest, smallest * 1.1)), 0.05))
    trials = []
    for angle in likely_turns(voters.normals, voters.weights)[:2] if turn is None else [turn]:
        fan = turned_to(voters, angle)
        for size, fold in zip(
            sizes, folds([(fan, size, size * _USUAL_PITCH) for size in sizes], _SPACING_BINS), strict=True
        ):
            trials.append((fold.score, Lattice(fold.origin_mm, angle, size * _USUAL_PITCH, size, 0.0)))
    trials.sort(key=lambda trial: -trial[0])
    # Half and double the spacing fold well too; outlines tell them apart.
    best = max((_judged(edges, lattice) for _, lattice in trials[:_SPACINGS]), key=lambda one: one.strength)
    return (best.lattice.across_flats_mm, best.strength) if best.strength > 0 else None


_SPACING_VOTERS = 4_000
_SPACING_BINS = 24
_SPACINGS = 6
"""So many of the folded sizes are judged tile by tile."""
_USUAL_PITCH = 1.02
"""Of hand-laid tiles, as against the tile itself."""
_GAPS_MM = (0.5, USUAL_GAP_MM, 2.5)
_FOLD_TURNS = np.radians([-1.8, 0.0, 1.8])
_MOST_TILES = 28
_RIVAL = 0.5
"""A turn that gathers less than this share of the best one's edges is no rival to it."""
_JUDGED = 3
"""So many of the folded hypotheses are judged tile by tile."""


def _judged(edges: EdgeField, lattice: Lattice) -> Honeycomb:
    """A lattice with how much better than the usual place of this table its tiles' outlines show."""
    cells = cells_within(lattice, outline_of(edges.patch))
    outlines = glance_at_tiles(edges, lattice, cells)
    floor = 1.5 * float(np.median(outlines)) if len(cells) else 0.0
    rows = outlines > floor + 0.05
    clear = {
        Hex(*cell): (strength - floor) ** 2
        for cell, strength in zip(cells[rows].tolist(), outlines[rows].tolist(), strict=True)
    }
    best = 0.0
    while clear:
        # A garden hangs together: what lies apart from it (noise in a dark corner, a player's board) does not count.
        joined = connected_to(next(iter(clear)), clear)
        best = max(best, sum(sorted((clear.pop(cell) for cell in joined), reverse=True)[:_MOST_TILES]))
    return Honeycomb(lattice, cells, outlines, best)


def outline_of(patch: Patch) -> Floats:
    """The corners (4, 2) of a patch on the table."""
    rows, columns = patch.shape
    return patch.to_mm(np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], dtype=float))
