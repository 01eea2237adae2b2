"""Which way east is: by convention, by the garden that should lie there, or by the last good look."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from companion.games.takenoko.hexgrid import POND, Hex
from companion.games.takenoko.pieces import Colour
from companion.observation import ExpectedLook, LookContext
from vision.geometry import Floats, View
from vision.lattice import Lattice
from vision.plots import GardenBelief

_FLOOR = 0.02
"""Weight of one cell's disagreement with what is expected: plots are laid, and read wrongly, now and then."""
_TIED = 2.0
"""Orientations whose evidence differs by less (natural logarithm) are not told apart by the garden."""


@dataclass(frozen=True, slots=True)
class Orientation:
    """The pond and the turn of a garden."""

    pond: Hex
    """In the fitted lattice's names."""
    sixths: int
    """How often the fitted lattice's east is turned counter-clockwise to get the garden's east."""
    is_tied: bool = False
    """Whether the expected garden fits in more than one way."""


Details = Callable[[Hex, Hex], float]
"""Of a lattice's cell and the expected cell it would be: how well all but the colour fits, as a natural logarithm."""


def orientation(
    view: View, lattice: Lattice, belief: GardenBelief, expected: ExpectedLook | None, details: Details | None = None
) -> Orientation:
    """The pond and the turn.

    Args:
        view: the camera over the table.
        lattice: as fitted.
        belief: what lies on its cells.
        expected: the garden that should lie there; it orients, it does not change what is believed of any cell.
        details: marks, stalks and figures, which break ties among colours.
    """
    ponds = belief.ponds()
    if not ponds:
        return Orientation(POND, 0)
    best_pond = ponds[0][1]
    anchor = expected.anchor if expected is not None else None
    if expected is None or not expected.plots:
        return Orientation(best_pond, _by_direction(view, lattice, best_pond, anchor, range(6)))
    trials: list[tuple[float, Hex, int]] = []
    # A covered pond is found by the garden about it.
    for score, pond in [item for item in ponds if item[0] > ponds[0][0] - 12.0][:12]:
        p_plot, colour_p = belief.plot_p(), belief.colour_p(pond)
        plots = dict(zip(belief.cells, p_plot, strict=True))
        for sixths in range(6):
            turned = lattice.with_tiles({}).rebased(pond, sixths)
            trials.append((score + _fit(lattice, turned, expected, plots, colour_p, details), pond, sixths))
    trials.sort(key=lambda trial: -trial[0])
    top, pond, sixths = trials[0]
    tied = [trial for trial in trials if trial[0] > top - _TIED and trial[1] == pond]
    if len(tied) > 1:
        return Orientation(pond, _by_direction(view, lattice, pond, anchor, [trial[2] for trial in tied]), True)
    return Orientation(pond, sixths)


def _fit(
    lattice: Lattice,
    turned: Lattice,
    expected: ExpectedLook,
    plot_p: Mapping[Hex, float],
    colour_p: Mapping[Hex, Mapping[Colour, float]],
    details: Details | None,
) -> float:
    total = 0.0
    there = set()
    for at, plot in expected.plots.items():
        cell = lattice.cell_at(turned.nominal_mm(at))
        there.add(cell)
        total += math.log(_FLOOR + (1 - _FLOOR) * colour_p.get(cell, {}).get(plot.colour, 0.0))
        total += details(cell, at) if details is not None else 0.0
    for cell, p in plot_p.items():
        if cell not in there and cell in colour_p:
            total += math.log(_FLOOR + (1 - _FLOOR) * (1.0 - sum(colour_p[cell].values()))) if p > 0.05 else 0.0
    return total


def _by_direction(
    view: View, lattice: Lattice, pond: Hex, anchor: LookContext | None, allowed: range | list[int]
) -> int:
    """The turn whose east runs nearest to a direction in the picture: the anchor's, else the picture's right."""
    wanted = np.array([1.0, 0.0])
    if anchor is not None and anchor.pond_px is not None and anchor.east_px is not None:
        wanted = np.subtract(anchor.east_px, anchor.pond_px)
    ways = {sixths: _east_px(view, lattice, pond, sixths) for sixths in allowed}
    return max(ways, key=lambda sixths: _cosine(ways[sixths], wanted))


def _east_px(view: View, lattice: Lattice, pond: Hex, sixths: int) -> Floats:
    """The picture's vector from the pond to the cell that would be `+1,0`."""
    turned = lattice.with_tiles({}).rebased(pond, sixths)
    px = view.project(np.array([turned.nominal_mm(POND), turned.nominal_mm(Hex(1, 0))]), lattice.z_mm)
    return np.asarray(px[1] - px[0])


def _cosine(one: Floats, other: Floats) -> float:
    return float(one @ other / max(float(np.linalg.norm(one) * np.linalg.norm(other)), 1e-9))
