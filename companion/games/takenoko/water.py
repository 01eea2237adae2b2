"""What follows from where water is: which plots are irrigated, where a channel may lie, which patterns are complete.

A cache, not a fact: it is rebuilt from the plots and channels of a position, and carried along while neither changes
(but for bamboo).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from weakref import WeakValueDictionary

from companion.games.takenoko.edition import PlotCard
from companion.games.takenoko.hexgrid import NEAR_POND, POND, POND_CORNERS, Edge, Hex, edge_ends, neighbours, turned
from companion.games.takenoko.land import Land
from companion.games.takenoko.moves import Irrigate, TakeChannel
from companion.games.takenoko.pieces import Colour, Improvement
from companion.games.takenoko.plot import Plot

_WATERSHED = Improvement.WATERSHED

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


@cache
def anchored_shapes(card: PlotCard, mirrored: bool) -> dict[Colour, tuple[Shape, ...]]:
    """By the colour of one cell: the other cells of every shape that this cell can be part of, as steps from it."""
    found: dict[Colour, dict[Shape, None]] = {}
    for shape in orientations(card, mirrored):
        for q0, r0, colour in shape:
            others = tuple((q - q0, r - r0, other) for q, r, other in shape if (q, r) != (q0, r0))
            found.setdefault(colour, {})[others] = None
    return {colour: tuple(shapes) for colour, shapes in found.items()}


FOUND = 1_000_000
"""Stands for a number of searched plots where the pattern was found."""


class Water:
    """The water of a garden. Immutable; what is asked for seldom is computed when first asked for."""

    __slots__ = ("__weakref__", "_after", "_growing", "_irrigates", "_patterns", "_plots", "_sites", "_takes", "_wet",
                 "channels", "irrigated", "land")  # fmt: skip

    def __init__(
        self, land: Land, plots: Mapping[Hex, Plot], channels: frozenset[Edge], before: Water | None = None
    ) -> None:
        """The water on these plots.

        Args:
            land: the same plots' land.
            plots: may lag behind in bamboo: only colours and improvements are read.
            channels: all of them.
            before: the water of the same garden before one more piece was laid: what it knows of patterns still holds,
                since irrigation is never lost.
        """
        self.land = land
        self.channels = channels
        irrigated = {cell for cell, plot in plots.items() if cell in NEAR_POND or plot[1] is _WATERSHED}
        for edge in channels:
            irrigated.update(edge)
        irrigated.discard(POND)
        self.irrigated = irrigated
        """Plots that have water (T-WATER-1)."""
        self._plots = plots
        self._sites: tuple[Edge, ...] | None = None
        self._takes: tuple[TakeChannel, ...] | None = None
        self._irrigates: tuple[Irrigate, ...] | None = None
        self._growing: dict[Hex, tuple[Hex, ...]] = {}
        self._after: WeakValueDictionary[tuple[Hex, Plot] | Edge, Water] | None = None
        self._wet: tuple[Hex, ...]
        self._patterns: dict[str, int]
        # `_wet` holds the irrigated plots in the order in which they got water, `_patterns` for a card either how many
        # of them were searched in vain, or FOUND: a later search looks only at shapes that hold a newer one.
        if before is None:
            self._wet, self._patterns = tuple(irrigated), {}
        else:
            fresh = irrigated.difference(before.irrigated)
            self._wet = (*before._wet, *fresh) if fresh else before._wet
            self._patterns = before._patterns.copy()

    def with_channel(self, edge: Edge, plots: Mapping[Hex, Plot]) -> Water:
        """The water after one more channel."""
        water = None if self._after is None else self._after.get(edge)
        if water is None:
            water = Water(self.land, plots, self.channels | {edge}, self)
            if self._after is not None:
                self._after[edge] = water
        return water

    def with_plot(self, at: Hex, plots: Mapping[Hex, Plot], land: Land) -> Water:
        """The water after one more plot, or after a chip on one."""
        key = (at, plots[at])
        water = None if self._after is None else self._after.get(key)
        if water is None:
            water = Water(land, plots, self.channels, self)
            if self._after is not None:
                self._after[key] = water
        return water

    def share(self) -> None:
        """From now on the same piece laid twice gives the same water, as long as anybody has it."""
        if self._after is None:
            self._after = WeakValueDictionary()

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
        searched = self._patterns.get(card.id, 0)
        if searched < len(self._wet):  # FOUND is more than any garden has
            found = self._find(card, self._wet[searched:])
            searched = self._patterns[card.id] = FOUND if found else len(self._wet)
        return searched == FOUND

    def _find(self, card: PlotCard, fresh: tuple[Hex, ...]) -> bool:
        """Whether a shape that holds at least one of these cells is complete."""
        plots, wet = self._plots, self.irrigated
        anchored = anchored_shapes(card, self.land.rules.options.mirror_patterns)
        for q, r in fresh:
            for others in anchored.get(plots[q, r][0], ()):  # type: ignore[index]  # a Hex equals its pair
                for dq, dr, colour in others:
                    cell = (q + dq, r + dr)
                    if cell not in wet or plots[cell][0] is not colour:
                        break
                else:
                    return True
        return False
