"""Which cells hold a plot, and which is the pond: beliefs of single cells brought together by what a garden is.

A garden hangs together and holds one pond. These are facts of every table, not of a position: they lower the chance of
what lies apart (a board, a face-down tile, cards) and raise nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.hexgrid import Hex, neighbours
from companion.games.takenoko.pieces import Colour
from vision.lattice import connected_to

COLOURS: tuple[Colour, ...] = tuple(Colour)
NOTHING, POND_COLUMN = 0, 4
"""Columns of a kind's distribution; the colours stand between, in the order of `Colour`."""
JOINS = 0.25
"""A cell at least so likely to hold a plot joins what lies beyond it to the garden."""
_LEAST = 1e-4
"""No cell is surer than this: the floor of all likelihoods."""


@dataclass(frozen=True, slots=True, eq=False)
class GardenBelief:
    """What lies on every candidate cell, in the names of the fitted lattice (whose 0,0 need not be the pond)."""

    cells: tuple[Hex, ...]
    kind_p: NDArray[np.float64]
    """(N, 5): nothing, green, yellow, pink, pond."""

    def plot_p(self) -> NDArray[np.float64]:
        """(N,): that a plot of any colour lies here, if the pond does not."""
        colours = self.kind_p[:, 1:4].sum(axis=1)
        return np.asarray(colours / np.maximum(colours + self.kind_p[:, NOTHING], _LEAST))

    def ponds(self) -> list[tuple[float, Hex]]:
        """Cells that may be the pond, the likeliest first, with their scores (natural logarithms).

        A pond has plots beside it, or stands alone; what looks like water away from all plots is something else.
        """
        plot_p = dict(zip(self.cells, self.plot_p(), strict=True))
        anywhere = max(plot_p.values(), default=0.0)
        scored = []
        for cell, p in zip(self.cells, self.kind_p[:, POND_COLUMN], strict=True):
            beside = max((plot_p.get(other, 0.0) for other in neighbours(cell)), default=0.0)
            scored.append((math.log(max(float(p), _LEAST)) + math.log(max(beside, 1.0 - anywhere, 0.02)), cell))
        return sorted(scored, key=lambda item: -item[0])

    def colour_p(self, pond: Hex) -> dict[Hex, dict[Colour, float]]:
        """For every cell but the pond the chance of each colour; what hangs together with the pond keeps its own."""
        plot_p = dict(zip(self.cells, self.plot_p(), strict=True))
        joined = connected_to(pond, (cell for cell, p in plot_p.items() if p >= JOINS))
        beside = joined | {other for cell in joined for other in neighbours(cell)}
        out: dict[Hex, dict[Colour, float]] = {}
        for cell, kinds in zip(self.cells, self.kind_p, strict=True):
            if cell == pond:
                continue
            # A second pond there cannot be: its share goes to what else it may be.
            seen = np.maximum(kinds[:4], 0.0)
            seen = seen / max(float(seen.sum()), _LEAST)
            apart = 1.0 if cell in joined or cell in beside else _APART
            out[cell] = {colour: float(seen[1 + i]) * apart for i, colour in enumerate(COLOURS)}
        return out


_APART = 0.02
"""What is left of the chance of a plot that lies apart from the garden."""


_OUTLINE_AT = np.array([0.0, 0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.7, 1.0])
_OUTLINE_SAYS = np.array([-4.5, -3.5, -2.8, -1.3, -0.3, 1.2, 2.5, 4.0, 4.5])
"""How much more often tiles than bare table have an outline so clear (natural logarithm of the ratio), measured on
rendered tables of all looks (30 tables, 473 tiles, 689 bare cells), drawn in at both ends."""
_OUTLINE_TRUST = 0.6
"""Share of it that is new beside the network, which sees the outline too."""
_UNDER_CARD = 4.0
"""How much is taken off (natural logarithm) where a marker card lies on the cell: no tile lies under a card."""


def with_outlines(
    kind_p: NDArray[np.float64], weights: NDArray[np.float64], hidden: NDArray[np.float64], carded: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Beliefs of N cells (N, 5) with what their outlines say of whether a tile lies there.

    Args:
        kind_p: nothing, the colours, pond.
        weights: (N,) how clear the outline is (`likely_tiles`).
        hidden: (N,) share of the cell that cannot be seen: what is covered has no outline to show.
        carded: (N,) whether a marker card lies on the cell.
    """
    ratio = np.interp(weights, _OUTLINE_AT, _OUTLINE_SAYS) * _OUTLINE_TRUST * (1.0 - np.clip(hidden, 0.0, 1.0)) ** 2
    ratio = ratio - _UNDER_CARD * carded
    tile = np.clip(kind_p[:, 1:].sum(axis=1), 1e-6, 1 - 1e-6)
    told = 1.0 / (1.0 + (1.0 - tile) / tile * np.exp(-ratio))
    return np.asarray(np.column_stack([1.0 - told, kind_p[:, 1:] * (told / tile)[:, None]]))


_LOOKS_LIKE_ONE = 0.18
"""An outline from which on a cell is a candidate, and all beside it are."""


def candidate_cells(weights: Mapping[Hex, float], extra: Sequence[Hex] = (), limit: int = 96) -> tuple[Hex, ...]:
    """The cells worth looking at: those that look like tiles by their outline, and all beside them.

    Args:
        weights: how much each cell looks like a tile.
        extra: cells that are looked at in any case.
        limit: never more than so many, the likeliest first.
    """
    clear = [cell for cell, weight in weights.items() if weight >= _LOOKS_LIKE_ONE]
    if not clear:
        clear = sorted(weights, key=lambda cell: -weights[cell])[:7]
    # The largest group that hangs together (one empty cell may lie between): a board at the table's end is left out.
    groups: list[frozenset[Hex]] = []
    left = set(clear)
    while left:
        start = left.pop()
        near = {other for cell in clear for other in neighbours(cell)} | set(clear)
        group = connected_to(start, near)
        groups.append(group)
        left -= group
    main = max(groups, key=lambda group: sum(weights.get(cell, 0.0) for cell in group))
    cells = {cell for cell in clear if cell in main}
    around = {other for cell in cells for other in neighbours(cell)}
    wanted = sorted(cells | around | set(extra), key=lambda cell: -(weights.get(cell, 0.0) + (cell in cells)))
    return tuple(wanted[:limit])
