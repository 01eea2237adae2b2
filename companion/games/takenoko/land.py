"""What follows from where plots lie: where another may be laid, what the box still holds, where figures can walk.

A cache, not a fact: it is rebuilt from the plots of a position, and carried along while no plot is laid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from weakref import WeakValueDictionary

from companion.games.takenoko.hexgrid import NEAR_POND, POND, Corner, Edge, Hex, edge_ends, neighbours
from companion.games.takenoko.moves import LayPlot, MoveGardener, MovePanda
from companion.games.takenoko.pieces import Kind
from companion.games.takenoko.plot import NEW
from companion.games.takenoko.rules import Rules

ENOUGH_SIDES = 2
"""Plots that a new plot must touch by sides where it does not touch the pond (T-PLOT-2)."""

_LAYS: dict[Hex, dict[Kind, LayPlot]] = {}
_GARDENER: dict[Hex, MoveGardener] = {}
_PANDA: dict[Hex, MovePanda] = {}


def _lays_on(at: Hex) -> dict[Kind, LayPlot]:
    """The one object for each kind of plot laid here."""
    row = _LAYS.get(at)
    if row is None:
        row = _LAYS[at] = {kind: LayPlot(*kind, at) for kind in NEW}
    return row


class Land:
    """The shape of a garden. Immutable; its moves are computed when first asked for."""

    __slots__ = (
        "__weakref__",
        "_gardener",
        "_laid",
        "_lays",
        "_panda",
        "_reach",
        "_sides",
        "_walkable",
        "cells",
        "edges",
        "frontier",
        "left",
        "rules",
    )

    def __init__(
        self,
        rules: Rules,
        cells: frozenset[Hex],
        left: Mapping[Kind, int],
        sides: dict[Hex, int],
        edges: tuple[tuple[Edge, Corner, Corner], ...],
    ) -> None:
        """Use `land_of` and `laid`."""
        self.rules = rules
        self.cells = cells
        self.left = left
        """Plots left in the box, by kind."""
        self.edges = edges
        """Every edge that a channel may lie on, water apart, with the corners at its ends."""
        self._sides = sides
        self.frontier = tuple(cell for cell, count in sides.items() if count >= ENOUGH_SIDES)
        """Where a plot may be laid (T-PLOT-2)."""
        self._walkable = cells | {POND}
        self._lays: tuple[LayPlot, ...] | None = None
        self._reach: dict[Hex, tuple[Hex, ...]] = {}
        self._gardener: dict[Hex, tuple[MoveGardener, ...]] = {}
        self._panda: dict[Hex, tuple[MovePanda, ...]] = {}
        self._laid: WeakValueDictionary[tuple[Hex, Kind], Land] | None = None

    def laid(self, at: Hex, kind: Kind) -> Land:
        """The land after one more plot."""
        if self._laid is None:
            return self._with(at, kind)
        land = self._laid.get((at, kind))
        if land is None:
            land = self._laid[at, kind] = self._with(at, kind)
        return land

    def share(self) -> None:
        """From now on the same plot laid twice gives the same land, as long as anybody has it."""
        if self._laid is None:
            self._laid = WeakValueDictionary()

    def _with(self, at: Hex, kind: Kind) -> Land:
        sides = self._sides.copy()
        sides.pop(at, None)
        edges = [*self.edges]
        cells = self.cells
        for cell in neighbours(at):
            if cell in cells:
                edges.append(_with_ends(Edge.of(at, cell)))
            elif cell == POND:
                if self.rules.options.channel_on_pond_edge:
                    edges.append(_with_ends(Edge.of(at, cell)))
            else:
                sides[cell] = sides.get(cell, 0) + 1
        left = dict(self.left)
        left[kind] = left.get(kind, 0) - 1
        return Land(self.rules, cells | {at}, left, sides, tuple(edges))

    def lays(self) -> tuple[LayPlot, ...]:
        """Every plot still in the box on every place that is open, without chips."""
        if self._lays is None:
            kinds = [kind for kind, count in self.left.items() if count > 0]
            rows = [_lays_on(at) for at in self.frontier] if kinds else []
            self._lays = tuple([row[kind] for row in rows for kind in kinds])
        return self._lays

    def reach(self, start: Hex) -> tuple[Hex, ...]:
        """Where a figure may walk from here: straight lines without a gap (T-MOVE-1, T-MOVE-2)."""
        found = self._reach.get(start)
        if found is None:
            walkable = self._walkable
            steps: list[Hex] = []
            for way, cell in enumerate(neighbours(start)):
                while cell in walkable:
                    steps.append(cell)
                    cell = neighbours(cell)[way]
            found = self._reach[start] = tuple(steps)
        return found

    def gardener_moves(self, start: Hex) -> tuple[MoveGardener, ...]:
        """The gardener's moves from here."""
        moves = self._gardener.get(start)
        if moves is None:
            moves = tuple([_GARDENER.get(to) or _GARDENER.setdefault(to, MoveGardener(to)) for to in self.reach(start)])
            self._gardener[start] = moves
        return moves

    def panda_moves(self, start: Hex) -> tuple[MovePanda, ...]:
        """The panda's moves from here."""
        moves = self._panda.get(start)
        if moves is None:
            moves = tuple([_PANDA.get(to) or _PANDA.setdefault(to, MovePanda(to)) for to in self.reach(start)])
            self._panda[start] = moves
        return moves


def _with_ends(edge: Edge) -> tuple[Edge, Corner, Corner]:
    return (edge, *edge_ends(edge))


def land_of(rules: Rules, plots: Iterable[tuple[Hex, Kind]]) -> Land:
    """The land of these plots, in whatever order they are named."""
    sides = dict.fromkeys(sorted(NEAR_POND), ENOUGH_SIDES)
    land = Land(rules, frozenset(), rules.plots, sides, ())
    for at, kind in plots:
        land = land.laid(at, kind)
    return land
