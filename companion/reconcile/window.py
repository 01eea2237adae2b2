"""What the coming looks at the table leave possible, place by place."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence

from companion.games.takenoko.hexgrid import Edge, Hex
from companion.games.takenoko.pieces import MAX_GROWTH, Colour, Figure, Improvement
from companion.games.takenoko.state import State
from companion.reconcile.evidence import Cell, Evidence
from companion.reconcile.parts import Part

POSSIBLE_NATS = -6.0
"""A value this much worse than the best one (natural log) in every coming look is not worth trying."""
_SEEN_NATS = -4.5
_SEEN_P = 0.4
"""A belief whose best value is less likely than this says that the place was not seen."""
_SURE_P = 0.9
"""From here on a channel is clearly seen."""
_BLIND_NATS = 0.3
"""Badges that differ by less (natural log) have not been seen at all."""

Kinds = dict[tuple[Colour, Improvement | None], bool]
"""Kinds of plot; True where one stands for all kinds of its colour."""


class Window:
    """The coming looks at the table, together: what they leave possible, place by place."""

    def __init__(self, looks: Sequence[Evidence], *, visible_only: bool = False, figures_move_on: bool = False) -> None:
        """Take the looks.

        Args:
            looks: the next one first; none at all leaves nothing worth trying.
            visible_only: what a look cannot see did not happen before it: with a hand over the table it is as well
                looked for in the next look, and everything that may be under the hand would flood the search.
            figures_move_on: the looks come after another turn has begun: a figure may have left where it went.
        """
        self.looks = tuple(looks)
        self.figures_move_on = figures_move_on
        self._least = _SEEN_P if visible_only else 0.0
        self._figures: dict[Figure, frozenset[Hex]] = {}
        self._kinds: dict[Hex, Kinds] = {}
        self._edges: dict[Edge, bool] = {}
        self._seen: frozenset[Edge] | None = None
        self._likely_edges: tuple[Edge, ...] | None = None
        self._plots_seen: tuple[Hex, ...] | None = None

    def best(self, part: Callable[[Evidence], Part], value: Hashable) -> float:
        """The best log likelihood that any coming look gives to a value."""
        best = -99.0
        for look in self.looks:
            found = part(look)
            if found.surest >= self._least:
                best = max(best, found.of(value))
        return best

    def figure_at(self, figure: Figure) -> frozenset[Hex]:
        """Cells where a figure may be seen."""
        found = self._figures.get(figure)
        if found is None:
            found = self._figures[figure] = frozenset(
                at
                for look in self.looks
                for at, share in look.figures[figure].logs.items()
                if share >= POSSIBLE_NATS and isinstance(at, Hex) and look.figures[figure].surest >= self._least
            )
        return found

    def is_anywhere(self, figure: Figure) -> bool:
        """Whether no coming look says where a figure is."""
        return not self._least and any(look.figures[figure].floor >= POSSIBLE_NATS for look in self.looks)

    def kinds_at(self, at: Hex) -> Kinds:
        """Kinds of plot that may lie on a cell; True where one stands for all kinds of its colour.

        Where the printed badge cannot be told, a plain plot stands for all of its colour: none of them may look sure,
        and all of them would flood the search.
        """
        found = self._kinds.get(at)
        if found is None:
            cells = [cell for cell in (look.cell(at) for look in self.looks) if cell.plot.surest >= self._least]
            # A look in which the badge can be seen says more than one in which it cannot.
            found = {
                kind: False
                for cell in cells
                if not _is_blind(cell)
                for kind in _kinds_seen(cell, [mark for mark in (None, *Improvement) if _may_be_printed(cell, mark)])
            } or {kind: True for cell in cells for kind in _kinds_seen(cell, [None])}
            self._kinds[at] = found
        return found

    def may_have_channel(self, edge: Edge) -> bool:
        """Whether a channel may lie on an edge."""
        found = self._edges.get(edge)
        if found is None:
            found = self._edges[edge] = self.best(lambda look: look.edge(edge), True) >= POSSIBLE_NATS
        return found

    def may_have_chip(self, at: Hex, improvement: Improvement) -> bool:
        """Whether a chip may lie on a plot."""
        return self.best(lambda look: look.cell(at).marking, (improvement, True)) >= POSSIBLE_NATS

    def may_be_taller(self, at: Hex, than: int) -> bool:
        """Whether the stalk on a cell may be higher than so many sections."""
        return any(
            self.best(lambda look: look.cell(at).bamboo, height) >= POSSIBLE_NATS
            for height in range(than + 1, MAX_GROWTH + 1)
        )

    def may_be_shorter(self, at: Hex, than: int) -> bool:
        """Whether the stalk on a cell may be lower than so many sections."""
        return any(self.best(lambda look: look.cell(at).bamboo, height) >= POSSIBLE_NATS for height in range(than))

    def strange_plots(self, state: State) -> Iterator[Hex]:
        """Cells where a plot is seen that no rule lets lie there now."""
        if self._plots_seen is None:
            self._plots_seen = tuple(
                {
                    at
                    for look in self.looks[:1]
                    for at in look.cells()
                    if max(look.cell(at).plot.of(colour) for colour in Colour) > look.cell(at).plot.of(None)
                }
            )
        for at in self._plots_seen:
            if at not in state.plots and at not in state.garden.land.frontier:
                yield at

    def strange_channels(self, state: State) -> Iterator[Edge]:
        """Edges where a channel is seen that no rule lets lie there now."""
        if self._likely_edges is None:
            self._likely_edges = tuple(
                edge for look in self.looks[:1] for edge in look.edges() if look.edge(edge).of(True) == 0.0
            )
        if not state.channels.issuperset(self._likely_edges):
            sites = state.garden.water.sites()
            for edge in self._likely_edges:
                if edge not in state.channels and edge not in sites:
                    yield edge

    def seen_channels(self) -> frozenset[Edge]:
        """Edges where the next look clearly shows a channel."""
        if self._seen is None:
            self._seen = frozenset(
                edge for look in self.looks[:1] for edge in look.edges() if look.edge(edge).p[True] >= _SURE_P
            )
        return self._seen


def _is_blind(cell: Cell) -> bool:
    """Whether no printed badge looks likelier than another."""
    printed = [cell.marking.of((mark, False)) for mark in (None, *Improvement)]
    return max(printed) - min(printed) < _BLIND_NATS


def _may_be_printed(cell: Cell, mark: Improvement | None) -> bool:
    """Whether a badge may be printed here; under a chip there is none."""
    if cell.marking.of((mark, False)) >= _SEEN_NATS:
        return True
    return mark is None and any(cell.marking.of((chip, True)) >= _SEEN_NATS for chip in Improvement)


def _kinds_seen(cell: Cell, marks: Sequence[Improvement | None]) -> Iterator[tuple[Colour, Improvement | None]]:
    for colour in Colour:
        if cell.plot.of(colour) >= POSSIBLE_NATS:
            for mark in marks:
                yield colour, mark
