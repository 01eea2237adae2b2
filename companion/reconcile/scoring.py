"""How well a position, with slips lying on it, explains one look.

Most positions that are compared differ in a few places from the one before, so a look is scored once for that one and
then by differences. What a look adds about a place that did not change since the look before is `Evidence.unchanged`.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter

from companion.games.takenoko.hexgrid import Edge, Hex
from companion.games.takenoko.pieces import Figure
from companion.games.takenoko.state import Plot, State
from companion.reconcile.changes import Plots, changed_cells
from companion.reconcile.evidence import Evidence
from companion.reconcile.nodes import Node, Variant
from companion.reconcile.parts import OVER
from companion.reconcile.slips import Place, Slip, Slips, has_physical_channel, physical_cell, physical_figure

_WEIGHT = itemgetter(1)
_RANKED_VARIANTS = 3
"""While moves are tried, a node is ranked by its likeliest slips alone."""

_Likely = tuple[Mapping[Variant, float], list[tuple[Slips, float]], frozenset[Place]]
"""Variants, what lies there in the likeliest of them with their weights, and the places of those slips."""


class Scorer:
    """One look, asked about many positions."""

    def __init__(self, evidence: Evidence) -> None:
        """Take a look; totals are kept for the positions that were compared against."""
        self.evidence = evidence
        self._totals: dict[int, tuple[State, float]] = {}
        self._plots: dict[tuple[Hex, Plot | None, Plot | None], float] = {}
        self._edges: dict[tuple[Edge, bool], float] = {}
        self._figures: dict[tuple[Figure, Hex, Hex], float] = {}
        self._gardens: dict[tuple[int, int], tuple[Plots, Plots, float]] = {}
        """By the ids of two gardens' plots, which are kept, so that their ids stay their own."""
        self._likely: dict[int, _Likely] = {}
        """By the id of a node's variants, which are kept as well."""
        self._stalks: dict[tuple[Hex, int, bool, bool, Plot | None, Plot | None], float] = {}

    def total(self, state: State) -> float:
        """The log likelihood of the look if nothing changed since the look before."""
        known = self._totals.get(id(state))
        if known is not None:
            return known[1]
        evidence = self.evidence
        total = 0.0
        for at in {*evidence.cells(), *state.plots}:
            plot = state.plots.get(at)
            total += self._cell(at, plot, plot, *_heights(plot, plot))
        for edge in {*evidence.edges(), *state.channels}:
            lies = edge in state.channels
            total += self._edge(edge, lies, lies)
        total += self._figure(Figure.GARDENER, state.gardener, state.gardener)
        total += self._figure(Figure.PANDA, state.panda, state.panda)
        self._totals[id(state)] = (state, total)
        return total

    def score(self, state: State, before: State) -> float:
        """The log likelihood of the look in `state`, when the look before was taken in `before`."""
        total = self.total(before)
        if state.plots is not before.plots:
            total += self._changed(state.plots, before.plots)
        if state.channels is not before.channels:
            for edge in state.channels ^ before.channels:
                total += self.edge_gain(edge, was_there=edge in before.channels)
        if state.gardener != before.gardener:
            total += self.figure_gain(Figure.GARDENER, state.gardener, before.gardener)
        if state.panda != before.panda:
            total += self.figure_gain(Figure.PANDA, state.panda, before.panda)
        return total

    def rank(self, node: Node) -> float:
        """The best log weight that a node would have after the look, if it were taken now."""
        state = node.state
        seen = node.seen if node.seen is not None else state
        score = node.score + self.score(state, seen)
        likely = self._likely_slips(node.variants)[1]
        return score + max([weight + self.slips(state, seen, lying) for lying, weight in likely])

    def slip_places(self, variants: Mapping[Variant, float]) -> frozenset[Place]:
        """The places of the slips by which nodes with these variants are ranked."""
        return self._likely_slips(variants)[2]

    def _likely_slips(self, variants: Mapping[Variant, float]) -> _Likely:
        known = self._likely.get(id(variants))
        if known is None:
            best = sorted(variants.items(), key=_WEIGHT, reverse=True)[:_RANKED_VARIANTS]
            places = frozenset(place for variant, _ in best for slip in variant.lying for place in slip.places())
            known = self._likely[id(variants)] = (
                variants,
                [(variant.lying, weight) for variant, weight in best],
                places,
            )
        return known

    def slips(self, state: State, before: State, lying: Slips) -> float:
        """What slips add to `score` that lie there now and lay there at the look before.

        No two slips lie at one place, so that each counts by itself.
        """
        added = 0.0
        for slip in lying:
            added += self.slip(state, before, slip, lies=True, lay=True)
        return added

    def slip(self, state: State, before: State, slip: Slip, *, lies: bool, lay: bool) -> float:
        """What one slip adds to `score`.

        Args:
            state: the position.
            before: the position at the look before.
            slip: the slip.
            lies: whether it lies there now.
            lay: whether it lay there at the look before.
        """
        if slip.seen is not None or not isinstance(slip.at, Hex):
            return self._moved(state, before, (slip,) if lies else (), (slip,) if lay else ())
        # Stalks: by far the most, and alike in most positions.
        at = slip.at
        plot, was = state.plots.get(at), before.plots.get(at)
        key = (at, slip.delta, lies, lay, plot, was)
        known = self._stalks.get(key)
        if known is None:
            height, stood = _heights(plot, was)
            known = self._cell(
                at, plot, was,
                min(max(height + slip.delta * lies, 0), OVER) if plot is not None else 0,
                min(max(stood + slip.delta * lay, 0), OVER) if was is not None else 0,
            ) - self._cell(at, plot, was, height, stood)  # fmt: skip
            self._stalks[key] = known
        return known

    def _moved(self, state: State, before: State, now: Slips, then: Slips) -> float:
        added = 0.0
        for place in {place for slip in (*now, *then) for place in slip.places()}:
            if isinstance(place, Figure):
                lies, lay = physical_figure(now, state, place), physical_figure(then, before, place)
                plain, plainly = physical_figure((), state, place), physical_figure((), before, place)
                added += self._figure(place, lies, lay) - self._figure(place, plain, plainly)
            elif isinstance(place, Edge):
                added += self._edge(
                    place, has_physical_channel(now, state, place), has_physical_channel(then, before, place)
                ) - self._edge(place, place in state.channels, place in before.channels)
            else:
                (plot, height), (was, stood) = physical_cell(now, state, place), physical_cell(then, before, place)
                added += self._cell(place, plot, was, height, stood)
                plot, was = state.plots.get(place), before.plots.get(place)
                added -= self._cell(place, plot, was, *_heights(plot, was))
        return added

    def _changed(self, now: Plots, then: Plots) -> float:
        """What the plots that changed add to the score of those that were there."""
        key = (id(now), id(then))
        known = self._gardens.get(key)
        if known is None:
            gain = 0.0
            for at in changed_cells(now, then):
                gain += self.plot_gain(at, now[at], then.get(at))
            for at in then.keys() - now.keys() if len(now) < len(then) else ():
                gain += self.plot_gain(at, None, then[at])
            known = self._gardens[key] = (now, then, gain)
        return known[2]

    def plot_gain(self, at: Hex, plot: Plot | None, was: Plot | None) -> float:
        """What it adds to `score` that a plot lies on a cell where another one lay at the look before."""
        key = (at, plot, was)
        gain = self._plots.get(key)
        if gain is None:
            gain = self._cell(at, plot, was, *_heights(plot, was)) - self._cell(at, was, was, *_heights(was, was))
            self._plots[key] = gain
        return gain

    def edge_gain(self, edge: Edge, *, was_there: bool) -> float:
        """What it adds that a channel came to an edge, or went from it, since the look before."""
        key = (edge, was_there)
        gain = self._edges.get(key)
        if gain is None:
            gain = self._edge(edge, not was_there, was_there) - self._edge(edge, was_there, was_there)
            self._edges[key] = gain
        return gain

    def figure_gain(self, figure: Figure, stands: Hex, stood: Hex) -> float:
        """What it adds that a figure stands elsewhere than at the look before."""
        key = (figure, stands, stood)
        gain = self._figures.get(key)
        if gain is None:
            gain = self._figures[key] = self._figure(figure, stands, stood) - self._figure(figure, stood, stood)
        return gain

    def _cell(self, at: Hex, plot: Plot | None, was: Plot | None, height: int, stood: int) -> float:
        evidence = self.evidence
        cell = evidence.cell(at)
        if plot is None:
            return (evidence.unchanged((at, 0)) if was is None else cell.plot).of(None)
        new = was is None or was.colour is not plot.colour
        total = (cell.plot if new else evidence.unchanged((at, 0))).of(plot.colour)
        if was is None or new:
            return total + cell.marking.of((plot.improvement, plot.chip)) + cell.bamboo.of(height)
        same = plot.improvement is was.improvement and plot.chip is was.chip
        total += (evidence.unchanged((at, 1)) if same else cell.marking).of((plot.improvement, plot.chip))
        return total + (evidence.unchanged((at, 2)) if height == stood else cell.bamboo).of(height)

    def _edge(self, edge: Edge, lies: bool, lay: bool) -> float:
        evidence = self.evidence
        return (evidence.unchanged((edge, 0)) if lies is lay else evidence.edge(edge)).of(lies)

    def _figure(self, figure: Figure, stands: Hex, stood: Hex) -> float:
        evidence = self.evidence
        return (evidence.unchanged((figure, 0)) if stands == stood else evidence.figures[figure]).of(stands)


def _heights(plot: Plot | None, was: Plot | None) -> tuple[int, int]:
    return (plot.bamboo if plot is not None else 0), (was.bamboo if was is not None else 0)
