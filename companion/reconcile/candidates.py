"""Which legal moves are worth trying: those whose footprint touches what looks changed, or what could not be seen.

Legality comes from the rules alone; here their moves are only sifted by what the coming looks leave possible. A move
whose whole effect can be undone within the turn (a stalk that grows and is eaten, a figure that moves twice) passes
wherever the moves that undo it may follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from companion.games.takenoko.pieces import Action, Colour, Figure, Improvement, Weather
from companion.games.takenoko.plot import EATEN, GROWN
from companion.games.takenoko.state import State, Turn
from companion.reconcile.model import PlayPrior
from companion.reconcile.window import Kinds, Window

_ACTION = log(1 / 4)
"""Which of the actions: four can be seen, and people like them about equally."""

Scored = tuple[Move, float]
"""A move and the natural log of its prior."""


class Candidates:
    """The unseen moves worth trying before the coming looks."""

    def __init__(self, window: Window, play: PlayPrior) -> None:
        """Take what the coming looks leave possible, and how people play."""
        self.window = window
        self.play = play
        self.lays: dict[int, tuple[Sequence[LayPlot], tuple[Scored, ...]]] = {}
        """Plots worth laying, by the list of legal ones (which is kept, so that its id stays its own)."""
        self._ends: dict[tuple[Figure, int, Hex], tuple[Land, frozenset[Hex]]] = {}

    def of(self, state: State) -> Iterator[Scored]:
        """Those of one position, each with the natural log of its prior."""
        turn = state.turn
        if turn is None or turn.awaits_roll() or turn.drawn is not None or not self.window.looks:
            return
        sieve = _Sieve(state, turn, self)
        for group in legal_moves(state).groups:
            sift = _SIEVES.get(type(group[0]))
            if sift is not None:
                yield from sift(sieve, group)

    def surely_placed(self, state: State) -> list[Scored]:
        """Channels that are clearly seen where one may be placed, as moves from the store."""
        seen = self.window.seen_channels()
        if not seen:
            return []
        sites = state.garden.water.sites()
        return [(Irrigate(edge), log(self.play.stored) - log(len(sites))) for edge in seen if edge in sites]

    def ends(self, state: State, figure: Figure, now: Hex) -> frozenset[Hex]:
        """Where a figure may come to stand; beside where it is seen too, if no straight line leads there."""
        land = state.garden.land
        key = (figure, id(land), now)
        known = self._ends.get(key)
        if known is None:
            known = self._ends[key] = (land, self._find_ends(land, figure, now))
        return known[1]

    def _find_ends(self, land: Land, figure: Figure, now: Hex) -> frozenset[Hex]:
        ends = self.window.figure_at(figure)
        if self.window.is_anywhere(figure):
            ends |= land.cells | {POND}
        reach = land.reach(now)
        off_line = {
            near
            for look in self.window.looks[:1]
            for at, share in look.figures[figure].logs.items()
            if share == 0.0 and isinstance(at, Hex) and at != now and at not in reach
            for near in neighbours(at)
        }
        return ends | off_line if off_line else ends


class _Sieve:
    """What passes in one position."""

    def __init__(self, state: State, turn: Turn, candidates: Candidates) -> None:
        self.state = state
        self.candidates = candidates
        self.window = candidates.window
        self.play = candidates.play
        left = turn.action_limit() - len(turn.actions)
        wind = turn.weather is Weather.WIND
        self.walks_twice = left > 1 and wind
        self.panda_to_come = left > 0 and turn.weather_pending
        self.gardener_to_come = left > 0 and (wind or Action.GARDENER not in turn.actions)

    def _panda_ends(self) -> frozenset[Hex]:
        return self.candidates.ends(self.state, Figure.PANDA, self.state.panda)

    def lays(self, group: Sequence[LayPlot]) -> Iterable[Scored]:
        # The land and the moves on it are the same object in all positions that differ in other things alone.
        lays = self.candidates.lays
        known = lays.get(id(group))
        if known is None:
            known = lays[id(group)] = (group, tuple(self._lays(group)))
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
        ends = self.candidates.ends(self.state, Figure.GARDENER, self.state.gardener)
        for move in group:
            may_stand = self.walks_twice or move.to in ends
            if not (may_stand or self.window.figures_move_on):
                continue
            grown = [at for at in growing(move.to) if GROWN[plots[at]] is not plots[at]]
            # He may have been where these grew, though no look shows him there.
            if may_stand or all(self.window.may_be_taller(at, plots[at].bamboo) for at in grown):
                yield move, share if grown else share + log(self.play.idle)

    def pandas(self, group: Sequence[MovePanda]) -> Iterator[Scored]:
        share = _ACTION - log(len(group))
        ends = self._panda_ends()
        for move in group:
            if self.walks_twice or move.to in ends or self._may_have_eaten(move.to):
                yield move, share + self._bite(move.to)

    def _may_have_eaten(self, at: Hex) -> bool:
        """Whether the panda may have been on a cell, though no look shows it there."""
        plot = self.state.plots.get(at)
        if plot is None or plot not in EATEN:
            return self.window.figures_move_on
        return self.window.figures_move_on and self.window.may_be_shorter(at, plot.bamboo)

    def storms(self, group: Sequence[Storm]) -> Iterator[Scored]:
        share = -log(len(group))
        state, ends = self.state, self._panda_ends()
        for move in group:
            at = move.at
            if at in ends or (self.panda_to_come and not self._after_storm(at).isdisjoint(state.garden.land.reach(at))):
                plot = state.plots[at]
                regrows = self.gardener_to_come and at in state.garden.water.irrigated
                if at in ends or plot not in EATEN or regrows or self.window.may_be_shorter(at, plot.bamboo):
                    yield move, share + self._bite(at)

    def _after_storm(self, at: Hex) -> frozenset[Hex]:
        """Where the panda may end its walk after the storm has put it on a cell."""
        return self.candidates.ends(self.state, Figure.PANDA, at)

    def _bite(self, at: Hex) -> float:
        return 0.0 if self.state.plots.get(at) in EATEN else log(self.play.idle)

    def rains(self, group: Sequence[Rain]) -> Iterator[Scored]:
        share = -log(len(group))
        plots, ends = self.state.plots, self._panda_ends()
        for move in group:
            if move.at in ends or self.window.may_be_taller(move.at, plots[move.at].bamboo):
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
