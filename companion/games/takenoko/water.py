"""What follows from where water is: which plots are irrigated, where a channel may lie, which patterns are complete.

A cache, not a fact: it is rebuilt from the plots and channels of a position, and carried along while neither changes
(but for bamboo).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from companion.games.takenoko.edition import PlotCard
from companion.games.takenoko.hexgrid import NEAR_POND, POND, POND_CORNERS, Edge, Hex, edge_ends, neighbours, turned
from companion.games.takenoko.land import Land
from companion.games.takenoko.moves import Irrigate, TakeChannel
from companion.games.takenoko.pieces import COLOURS, Colour, Improvement
from companion.games.takenoko.plot import Plot

_TAKE: dict[Edge, TakeChannel] = {}
_IRRIGATE: dict[Edge, Irrigate] = {}

Shape = tuple[tuple[int, int, Colour], ...]
"""Cells of a pattern as steps from the first one, each with the colour it must have."""


@cache
def orientations(card: PlotCard, mirrored: bool) -> tuple[Shape, ...]:
    """Every way in which a pattern can lie, each once; with `mirrored` its mirror images too."""
    shapes: dict[Shape, None] = {}
    for flip in (False, True) if mirrored else (False,):
        for sixths in range(6):
            cells = sorted(
                (*turned(Hex(cell.r, cell.q) if flip else cell, sixths), colour) for cell, colour in card.cells
            )
            q0, r0, _ = cells[0]
            shapes[tuple((q - q0, r - r0, colour) for q, r, colour in cells)] = None
    return tuple(shapes)


class Water:
    """The water of a garden. Immutable; what is asked for seldom is computed when first asked for."""

    __slots__ = ("_by_colour", "_growing", "_irrigates", "_patterns", "_plots", "_sites", "_takes", "channels",
                 "irrigated", "land")  # fmt: skip

    def __init__(self, land: Land, plots: Mapping[Hex, Plot], channels: frozenset[Edge]) -> None:
        """`plots` may lag behind in bamboo: only colours and improvements are read."""
        self.land = land
        self.channels = channels
        irrigated = {
            cell for cell, plot in plots.items() if cell in NEAR_POND or plot.improvement is Improvement.WATERSHED
        }
        for a, b in channels:
            irrigated.add(a)
            irrigated.add(b)
        irrigated.discard(POND)
        self.irrigated = irrigated
        """Plots that have water (T-WATER-1)."""
        self._plots = plots
        self._sites: tuple[Edge, ...] | None = None
        self._takes: tuple[TakeChannel, ...] | None = None
        self._irrigates: tuple[Irrigate, ...] | None = None
        self._growing: dict[Hex, tuple[Hex, ...]] = {}
        self._by_colour: dict[Colour, set[Hex]] | None = None
        self._patterns: dict[PlotCard, bool] = {}

    def sites(self) -> tuple[Edge, ...]:
        """Every edge where a channel may be placed now (T-CHAN-2 to T-CHAN-5)."""
        if self._sites is None:
            network = set(POND_CORNERS)
            for channel in self.channels:
                network.update(edge_ends(channel))
            self._sites = tuple(
                [
                    edge
                    for edge, one, other in self.land.edges
                    if (one in network or other in network) and edge not in self.channels
                ]
            )
        return self._sites

    def take_moves(self) -> tuple[TakeChannel, ...]:
        """A channel taken and placed at once, everywhere it may lie."""
        if self._takes is None:
            self._takes = tuple([_TAKE.get(e) or _TAKE.setdefault(e, TakeChannel(e)) for e in self.sites()])
        return self._takes

    def irrigate_moves(self) -> tuple[Irrigate, ...]:
        """A stored channel placed, everywhere it may lie."""
        if self._irrigates is None:
            self._irrigates = tuple([_IRRIGATE.get(e) or _IRRIGATE.setdefault(e, Irrigate(e)) for e in self.sites()])
        return self._irrigates

    def growing(self, at: Hex) -> tuple[Hex, ...]:
        """Where the gardener grows bamboo from here, heights apart (T-GARD-1)."""
        found = self._growing.get(at)
        if found is None:
            plots, plot = self._plots, self._plots.get(at)
            found = ()
            if plot is not None:
                found = tuple(
                    cell
                    for cell in (at, *neighbours(at))
                    if cell in self.irrigated and plots[cell].colour is plot.colour
                )
            self._growing[at] = found
        return found

    def has_pattern(self, card: PlotCard) -> bool:
        """Whether the pattern lies in the garden, every plot of it irrigated."""
        known = self._patterns.get(card)
        if known is None:
            known = self._patterns[card] = self._find(card)
        return known

    def _find(self, card: PlotCard) -> bool:
        if self._by_colour is None:
            self._by_colour = {colour: set() for colour in COLOURS}
            for cell in self.irrigated:
                self._by_colour[self._plots[cell].colour].add(cell)
        wet = self._by_colour
        for shape in orientations(card, self.land.rules.options.mirror_patterns):
            (_, _, colour), *others = shape
            cells = [(dq, dr, wet[other]) for dq, dr, other in others]
            for q, r in wet[colour]:
                if all((q + dq, r + dr) in where for dq, dr, where in cells):
                    return True
        return False
