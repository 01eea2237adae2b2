"""Which legal moves are worth trying: those whose footprint touches what looks changed, or what could not be seen.

Legality comes from the rules alone; here their moves are only sifted by what the coming looks leave possible. A move
whose whole effect can be undone within the turn (a stalk that grows and is eaten, a figure that moves twice) passes
wherever the moves that undo it may follow.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from math import log
from typing import Any

from companion.games.takenoko.hexgrid import POND, Edge, Hex, edge_ends, neighbours
from companion.games.takenoko.land import Land
from companion.games.takenoko.legality import legal_moves
from companion.games.takenoko.moves import (
    Improve,
    Irrigate,
    LayPlot,
    Move,
    MoveGardener,
    MovePanda,
    Rain,
    Skip,
    Storm,
    TakeChannel,
    TakeChip,
)
from companion.games.takenoko.pieces import MAX_GROWTH, Action, Colour, Figure, Improvement, Weather
from companion.games.takenoko.plot import EATEN, GROWN
from companion.games.takenoko.state import State, Turn
from companion.reconcile.evidence import Cell, Evidence
from companion.reconcile.model import PlayPrior
from companion.reconcile.parts import Part

POSSIBLE_NATS = -6.0
"""A value this much worse than the best one (natural log) in every coming look is not worth trying."""
_SEEN_NATS = -4.0
_SEEN_P = 0.4
"""A belief whose best value is less likely than this says that the place was not seen."""
_ACTION = log(1 / 4)
"""Which of the actions: four can be seen, and people like them about equally."""

_SURE_P = 0.9
"""From here on a channel is clearly seen."""
_BLIND_NATS = 0.3
"""Badges that differ by less (natural log) have not been seen at all."""

Kinds = dict[tuple[Colour, Improvement | None], bool]
Scored = tuple[Move, float]
"""A move and the natural log of its prior."""


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
        self.lays: dict[int, tuple[Sequence[LayPlot], tuple[Scored, ...]]] = {}
        """Plots worth laying, by the list of legal ones (which is kept, so that its id stays its own)."""
        self.ends: dict[tuple[Figure, int, Hex], tuple[Land, frozenset[Hex]]] = {}
        self._seen: frozenset[Edge] | None = None
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
        sites = state.garden.water.sites()
        for look in self.looks[:1]:
            for edge in look.edges():
                if edge not in state.channels and edge not in sites and look.edge(edge).of(True) == 0.0:
                    yield edge

    def surely_placed(self, state: State, play: PlayPrior) -> Iterator[Scored]:
        """Channels that are clearly seen where one may be placed, as moves from the store."""
        sites = state.garden.water.sites()
        for edge in self._seen_channels():
            if edge in sites:
                yield Irrigate(edge), log(play.stored) - log(len(sites))

    def _seen_channels(self) -> frozenset[Edge]:
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


def candidates(state: State, window: Window, play: PlayPrior) -> Iterator[Scored]:
    """The unseen moves worth trying now, each with the natural log of its prior."""
    turn = state.turn
    if turn is None or turn.awaits_roll() or turn.drawn is not None or not window.looks:
        return
    sieve = _Sieve(state, turn, window, play)
    for group in legal_moves(state).groups:
        sift = _SIEVES.get(type(group[0]))
        if sift is not None:
            yield from sift(sieve, group)


class _Sieve:
    """What passes in one position."""

    def __init__(self, state: State, turn: Turn, window: Window, play: PlayPrior) -> None:
        self.state = state
        self.window = window
        self.play = play
        left = turn.action_limit() - len(turn.actions)
        wind = turn.weather is Weather.WIND
        pending = turn.weather_pending
        self.second_gardener = left > 1 and wind
        self.second_panda = left > 1 and wind
        self.panda_to_come = left > 0 and pending
        self.gardener_to_come = left > 0 and (wind or Action.GARDENER not in turn.actions)
        self.gardener_ends = self._ends(Figure.GARDENER, state.gardener)
        self.panda_ends = self._ends(Figure.PANDA, state.panda)

    def _ends(self, figure: Figure, now: Hex) -> frozenset[Hex]:
        """Where a figure may come to stand; beside where it is seen too, if no straight line leads there."""
        land = self.state.garden.land
        known = self.window.ends.get((figure, id(land), now))
        if known is None:
            known = self.window.ends[figure, id(land), now] = (land, self._find_ends(figure, now))
        return known[1]

    def _find_ends(self, figure: Figure, now: Hex) -> frozenset[Hex]:
        ends = self.window.figure_at(figure)
        if self.window.is_anywhere(figure):
            ends |= self.state.garden.land.cells | {POND}
        reach = self.state.garden.land.reach(now)
        off_line = {
            near
            for look in self.window.looks[:1]
            for at, share in look.figures[figure].logs.items()
            if share == 0.0 and isinstance(at, Hex) and at != now and at not in reach
            for near in neighbours(at)
        }
        return ends | off_line if off_line else ends

    def lays(self, group: Sequence[LayPlot]) -> Iterable[Scored]:
        # The land and the moves on it are the same object in all positions that differ in other things alone.
        known = self.window.lays.get(id(group))
        if known is None:
            known = self.window.lays[id(group)] = (group, tuple(self._lays(group)))
        return known[1]

    def _lays(self, group: Sequence[LayPlot]) -> Iterator[Scored]:
        land, window = self.state.garden.land, self.window
        beside = {near for at in window.strange_plots(self.state) for near in neighbours(at)}
        box = sum(land.left.values())
        by_colour: dict[Colour, int] = {}
        for (colour, _), count in land.left.items():
            by_colour[colour] = by_colour.get(colour, 0) + count
        open_cells = -log(len(land.frontier))
        cells: dict[Hex, Kinds] = {}
        for at in land.frontier:
            kinds = window.kinds_at(at)
            if at in beside:
                for near in neighbours(at):
                    if near not in land.cells and near not in land.frontier:
                        kinds = {**window.kinds_at(near), **kinds}
            if kinds:
                cells[at] = kinds
        for move in group:
            kinds = cells.get(move.at, {})
            stands_for = kinds.get((move.colour, move.improvement))
            if stands_for is None:
                continue
            if move.chip is not None and not window.may_have_chip(move.at, move.chip):
                continue
            count = by_colour[move.colour] if stands_for else land.left[move.colour, move.improvement]
            yield move, _ACTION + open_cells + log(count / box)

    def takes(self, group: Sequence[TakeChannel]) -> Iterator[Scored]:
        edges = self._edges()
        share = _ACTION - log(len(group))
        return ((move, share) for move in group if move.edge in edges)

    def irrigates(self, group: Sequence[Irrigate]) -> Iterator[Scored]:
        edges = self._edges()
        share = log(self.play.stored) - log(len(group))
        return ((move, share) for move in group if move.edge in edges)

    def _edges(self) -> set[Edge]:
        window, state = self.window, self.state
        strange = {end for edge in window.strange_channels(state) for end in edge_ends(edge)}
        return {
            edge
            for edge in state.garden.water.sites()
            if window.may_have_channel(edge) or (strange and not strange.isdisjoint(edge_ends(edge)))
        }

    def gardeners(self, group: Sequence[MoveGardener]) -> Iterator[Scored]:
        share = _ACTION - log(len(group))
        growing, plots = self.state.garden.water.growing, self.state.plots
        for move in group:
            grown = [at for at in growing(move.to) if GROWN[plots[at]] is not plots[at]]
            if self.second_gardener or move.to in self.gardener_ends or self._may_have_grown(grown):
                yield move, share if grown else share + log(self.play.idle)

    def _may_have_grown(self, grown: Sequence[Hex]) -> bool:
        """Whether the gardener may have been where these grew, though no look shows him there."""
        window, plots = self.window, self.state.plots
        return window.figures_move_on and all(window.may_be_taller(at, plots[at].bamboo) for at in grown)

    def pandas(self, group: Sequence[MovePanda]) -> Iterator[Scored]:
        share = _ACTION - log(len(group))
        for move in group:
            if self.second_panda or move.to in self.panda_ends or self._may_have_eaten(move.to):
                yield move, share + self._bite(move.to)

    def _may_have_eaten(self, at: Hex) -> bool:
        """Whether the panda may have been on a cell, though no look shows it there."""
        plot = self.state.plots.get(at)
        if plot is None or plot not in EATEN:
            return self.window.figures_move_on
        return self.window.figures_move_on and self.window.may_be_shorter(at, plot.bamboo)

    def storms(self, group: Sequence[Storm]) -> Iterator[Scored]:
        share = -log(len(group))
        state, ends = self.state, self.panda_ends
        for move in group:
            at = move.at
            if at in ends or (self.panda_to_come and not self._after_storm(at).isdisjoint(state.garden.land.reach(at))):
                plot = state.plots[at]
                regrows = self.gardener_to_come and at in state.garden.water.irrigated
                if at in ends or plot not in EATEN or regrows or self.window.may_be_shorter(at, plot.bamboo):
                    yield move, share + self._bite(at)

    def _after_storm(self, at: Hex) -> frozenset[Hex]:
        """Where the panda may end its walk after the storm has put it on a cell."""
        return self._ends(Figure.PANDA, at)

    def _bite(self, at: Hex) -> float:
        return 0.0 if self.state.plots.get(at) in EATEN else log(self.play.idle)

    def rains(self, group: Sequence[Rain]) -> Iterator[Scored]:
        share = -log(len(group))
        plots = self.state.plots
        for move in group:
            if move.at in self.panda_ends or self.window.may_be_taller(move.at, plots[move.at].bamboo):
                yield move, share

    def chips(self, group: Sequence[Move]) -> Iterator[Scored]:
        share = log(self.play.clouds_placed) - log(len(group))
        for move in group:
            if isinstance(move, TakeChip) and move.at is not None and self._may_be_chip(move.at, move.improvement):
                yield move, share

    def improves(self, group: Sequence[Improve]) -> Iterator[Scored]:
        share = log(self.play.stored) - log(len(group))
        return ((move, share) for move in group if self._may_be_chip(move.at, move.improvement))

    def _may_be_chip(self, at: Hex, improvement: Improvement) -> bool:
        return self.window.may_have_chip(at, improvement)

    def skips(self, group: Sequence[Skip]) -> Iterator[Scored]:
        return ((move, log(self.play.skip)) for move in group)


_SIEVES: Mapping[type, Callable[[_Sieve, Any], Iterable[Scored]]] = {
    LayPlot: _Sieve.lays,
    TakeChannel: _Sieve.takes,
    Irrigate: _Sieve.irrigates,
    MoveGardener: _Sieve.gardeners,
    MovePanda: _Sieve.pandas,
    Storm: _Sieve.storms,
    Rain: _Sieve.rains,
    TakeChip: _Sieve.chips,
    Improve: _Sieve.improves,
    Skip: _Sieve.skips,
}
