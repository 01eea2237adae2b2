"""How much better the next look could be explained after a move, before the move is made.

Most moves that are tried are dropped when their level is full; those that cannot stay need not be made at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from typing import Any

from companion.games.takenoko.hexgrid import Hex
from companion.games.takenoko.moves import (
    Improve,
    Irrigate,
    LayPlot,
    Move,
    MoveGardener,
    MovePanda,
    Rain,
    Storm,
    TakeChannel,
    TakeChip,
)
from companion.games.takenoko.pieces import Figure
from companion.games.takenoko.plot import EATEN, GROWN, IMPROVED, NEW, Plot
from companion.games.takenoko.state import State
from companion.reconcile.nodes import Node
from companion.reconcile.scoring import Scorer


class Promise:
    """The next look, asked about moves that are not made yet."""

    def __init__(self, scorer: Scorer) -> None:
        """Take the look."""
        self.scorer = scorer

    def of(self, node: Node, move: Move) -> float:
        """The most by which a move can raise a node's rank (natural log), its prior apart.

        Infinite where that is not known: of moves that are seldom made, and where a slip may lie.
        """
        gain = _GAINS.get(type(move))
        return inf if gain is None or node.seen is None else gain(self, node, node.seen, move)

    def _plots(self, node: Node, seen: State, plots: Iterable[tuple[Hex, Plot]]) -> float:
        """What these plots add where they take the place of what lies there."""
        scorer, then, now = self.scorer, seen.plots, node.state.plots
        places = scorer.slip_places(node.variants)
        gain = 0.0
        for at, plot in plots:
            if at in places:
                return inf
            was, is_now = then.get(at), now.get(at)
            gain += 0.0 if plot is was else scorer.plot_gain(at, plot, was)
            gain -= 0.0 if is_now is was else scorer.plot_gain(at, is_now, was)
        return gain

    def _fresh(self, node: Node, seen: State, at: Hex, plot: Plot) -> float:
        """What a plot adds that may grow as soon as it lies there."""
        return max(self._plots(node, seen, [(at, plot)]), self._plots(node, seen, [(at, GROWN[plot])]))

    def _figure(self, node: Node, figure: Figure, to: Hex, now: Hex, stood: Hex) -> float:
        """What a figure adds that goes from `now` to another cell; at the look before it stood on a third."""
        scorer = self.scorer
        if figure in scorer.slip_places(node.variants):
            return inf
        gain = 0.0 if to == stood else scorer.figure_gain(figure, to, stood)
        return gain if now == stood else gain - scorer.figure_gain(figure, now, stood)

    def _lay(self, node: Node, seen: State, move: LayPlot) -> float:
        plot = NEW[move.colour, move.improvement] if move.chip is None else IMPROVED[move.colour, move.chip]
        return self._fresh(node, seen, move.at, plot)

    def _chip(self, node: Node, seen: State, move: TakeChip | Improve) -> float:
        at = move.at
        return (
            inf if at is None else self._fresh(node, seen, at, IMPROVED[node.state.plots[at].colour, move.improvement])
        )

    def _channel(self, node: Node, seen: State, move: TakeChannel | Irrigate) -> float:
        edge = move.edge
        if edge is None or edge in seen.channels or edge in self.scorer.slip_places(node.variants):
            return inf
        plots, wet = node.state.plots, node.state.garden.water.irrigated
        dry = [(at, GROWN[plots[at]]) for at in edge if at in plots and at not in wet]
        return self.scorer.edge_gain(edge, was_there=False) + self._plots(node, seen, dry)

    def _gardener(self, node: Node, seen: State, move: MoveGardener) -> float:
        state = node.state
        grown = [(at, GROWN[state.plots[at]]) for at in state.garden.water.growing(move.to)]
        gain = self._figure(node, Figure.GARDENER, move.to, state.gardener, seen.gardener)
        return gain + self._plots(node, seen, grown)

    def _panda(self, node: Node, seen: State, move: MovePanda | Storm) -> float:
        at = move.to if isinstance(move, MovePanda) else move.at
        gain = self._figure(node, Figure.PANDA, at, node.state.panda, seen.panda)
        plot = node.state.plots.get(at)
        left = None if plot is None else EATEN.get(plot)
        return gain if left is None else gain + self._plots(node, seen, [(at, left)])

    def _rain(self, node: Node, seen: State, move: Rain) -> float:
        return self._plots(node, seen, [(move.at, GROWN[node.state.plots[move.at]])])


_GAINS: dict[type, Callable[[Promise, Node, State, Any], float]] = {
    LayPlot: Promise._lay,
    TakeChannel: Promise._channel,
    Irrigate: Promise._channel,
    MoveGardener: Promise._gardener,
    MovePanda: Promise._panda,
    Storm: Promise._panda,
    Rain: Promise._rain,
    TakeChip: Promise._chip,
    Improve: Promise._chip,
}
