"""Which slips could make one path through a turn fit one look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log

from companion.games.takenoko.hexgrid import POND, Edge, Hex, distance, edge_ends, neighbours
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
)
from companion.games.takenoko.pieces import MAX_GROWTH, Figure, Improvement
from companion.games.takenoko.state import State
from companion.games.takenoko.transition import apply_legal
from companion.reconcile.evidence import Evidence
from companion.reconcile.model import SlipKind, SlipPrior
from companion.reconcile.parts import OVER
from companion.reconcile.slips import Slip

STRANGE_NATS = -1.5
"""What looks this much worse than its best value (natural log) may be a slip; it must pay for its own prior."""
_LIKELY_NATS = -2.0
_WORTH_NATS = -6.0
"""A slip that explains so little that its path would weigh more without it by so much is not followed."""

Scored = tuple[Slip, float]
"""A slip and the natural log of its prior, given the path."""


class Trace:
    """What a path through a turn did, place by place: what hands had to do, and so what they can get wrong."""

    def __init__(self, start: State, path: Sequence[tuple[int, Move]]) -> None:
        """Replay the path from the start of the turn."""
        self.grown: dict[Hex, tuple[int, str]] = {}
        """Sections that grew, with the rule behind the growth."""
        self.bitten: dict[Hex, str] = {}
        """Where the panda ate, with the rule."""
        self.dry: dict[Hex, int] = {}
        """Dry plots of the gardener's colour beside him, with the sections that water would have brought."""
        self.full: dict[Hex, str] = {}
        """Stalks that were four high when they should have grown."""
        self.origins: dict[Figure, Hex] = {}
        """Where a figure that walked stood before its last walk."""
        self.channels: list[Edge] = []
        self.plots: list[Hex] = []
        state = start
        for seat, move in path:
            after = apply_legal(state, move, seat)
            self._note(state, move, after)
            state = after

    def possible_slips(self) -> frozenset[SlipKind]:
        """The kinds of slips that the path leaves room for."""
        kinds = {SlipKind.KNOCKED_OVER, SlipKind.OTHER}
        if self.grown:
            kinds |= {SlipKind.GROWTH_FORGOTTEN, SlipKind.EXTRA_SECTION}
        if self.bitten:
            kinds |= {SlipKind.BITE_FORGOTTEN, SlipKind.BITE_DOUBLED}
        kinds |= {SlipKind.GROWTH_WITHOUT_WATER} if self.dry else set()
        kinds |= {SlipKind.FIVE_SECTIONS} if self.full else set()
        kinds |= {SlipKind.FIGURE_OFF_LINE} if self.origins else set()
        kinds |= {SlipKind.CHANNEL_OFF, SlipKind.CHANNEL_NOT_JOINED} if self.channels else set()
        kinds |= {SlipKind.PLOT_WITH_ONE_NEIGHBOUR} if self.plots else set()
        return frozenset(kinds)

    def _note(self, before: State, move: Move, after: State) -> None:
        match move:
            case MoveGardener(to):
                self.origins[Figure.GARDENER] = before.gardener
                plot = before.plots.get(to)
                if plot is not None:
                    for at in (to, *neighbours(to)):
                        other = before.plots.get(at)
                        if other is not None and other.colour is plot.colour:
                            if at not in before.garden.water.irrigated:
                                self.dry[at] = 2 if other.improvement is Improvement.FERTILIZER else 1
                            elif other.bamboo == MAX_GROWTH:
                                self.full[at] = "T-GROW-4"
            case MovePanda():
                self.origins[Figure.PANDA] = before.panda
            case TakeChannel(edge) | Irrigate(edge):
                if edge is not None:
                    self.channels.append(edge)
            case LayPlot():
                self.plots.append(move.at)
            case _:
                pass
        if after.plots is before.plots:
            return
        for at, plot in after.plots.items():
            was = before.plots.get(at)
            if plot is was:
                continue
            more = plot.bamboo - (was.bamboo if was is not None else 0)
            if more > 0:
                self.grown[at] = (self.grown.get(at, (0, ""))[0] + more, _growth_rule(move))
            elif more < 0:
                self.bitten[at] = "T-WEA-4" if isinstance(move, Storm) else "T-PAND-1"


def _growth_rule(move: Move) -> str:
    match move:
        case MoveGardener():
            return "T-GARD-1"
        case Rain():
            return "T-WEA-2"
        case LayPlot() | TakeChannel() | Irrigate() | Improve():
            return "T-GROW-1"
        case _:
            return "T-GROW-3"


class SlipSearch:
    """The slips that one look suggests."""

    def __init__(self, evidence: Evidence, prior: SlipPrior, turn: int) -> None:
        """Take the look, and the number of the turn in which slips would be new."""
        self._evidence = evidence
        self._prior = prior
        self._turn = turn
        self._made = 0.0
        """The natural log of how likely a slip is, over how likely the kinds are that the path leaves room for."""
        self._heights: dict[tuple[Hex, int], tuple[tuple[int, float], ...]] = {}
        self._strange_edges = [edge for edge in evidence.edges() if evidence.edge(edge).of(True) > STRANGE_NATS]

    def suggest(self, state: State, trace: Trace) -> Iterator[Scored]:
        """Slips that would explain a place that looks wrong, each with its prior."""
        evidence = self._evidence
        possible = trace.possible_slips()
        self._made = log(self._prior.per_turn) - log(sum(self._prior.share[kind] for kind in possible))
        for at, plot in state.plots.items():
            # What was seen badly, or not at all, may be a slip that the next look shows.
            for seen, gain in self._other_heights(at, plot.bamboo):
                for slip, share in self._stalk(state, trace, at, plot.bamboo, seen):
                    if gain + share > _WORTH_NATS:
                        yield slip, share
        for figure, stands in ((Figure.GARDENER, state.gardener), (Figure.PANDA, state.panda)):
            if evidence.figures[figure].of(stands) < STRANGE_NATS:
                yield from self._figure(state, trace, figure, stands)
        yield from self._channels(state, trace)
        yield from self._plots(state, trace)

    def _other_heights(self, at: Hex, height: int) -> tuple[tuple[int, float], ...]:
        """Heights that a stalk may as well have, by what the look says, each with what it would gain (natural log)."""
        found = self._heights.get((at, height))
        if found is None:
            of = self._evidence.cell(at).bamboo.of
            found = self._heights[at, height] = tuple(
                (seen, of(seen) - of(height)) for seen in range(OVER + 1) if seen != height and of(seen) > _LIKELY_NATS
            )
        return found

    def _slip(self, kind: SlipKind, at: Hex | Edge, rule: str | None, ways: float, **fields: object) -> Scored:
        share = log(self._prior.share[kind]) + self._made
        return Slip(kind, at, self._turn, rule, **fields), share - log(max(ways, 1))  # type: ignore[arg-type]

    def _stalk(self, state: State, trace: Trace, at: Hex, height: int, seen: int) -> Iterator[Scored]:
        delta = seen - height
        if delta < 0:
            stalks = sum(1 for plot in state.plots.values() if plot.bamboo) or 1
            grown, rule = trace.grown.get(at, (0, ""))
            if -delta <= grown:
                ways = len(trace.grown) * (1 if grown == 1 else 2)
                yield self._slip(SlipKind.GROWTH_FORGOTTEN, at, rule, ways, delta=delta)
            if delta == -1 and at in trace.bitten:
                yield self._slip(SlipKind.BITE_DOUBLED, at, trace.bitten[at], len(trace.bitten), delta=delta)
            if seen == 0:
                # One section alone falls more seldom than a tower.
                ways = stalks * (1 if height > 1 else 4)
                yield self._slip(SlipKind.KNOCKED_OVER, at, None, ways, delta=delta)
            else:
                yield self._slip(SlipKind.OTHER, at, None, stalks, delta=delta)
            return
        if delta == 1 and at in trace.bitten:
            yield self._slip(SlipKind.BITE_FORGOTTEN, at, trace.bitten[at], len(trace.bitten), delta=delta)
        if delta <= trace.dry.get(at, 0):
            yield self._slip(SlipKind.GROWTH_WITHOUT_WATER, at, "T-GARD-1", len(trace.dry), delta=delta)
        if seen == OVER and height == MAX_GROWTH and at in trace.full:
            yield self._slip(SlipKind.FIVE_SECTIONS, at, "T-GROW-4", len(trace.full), delta=delta)
        elif delta == 1:
            # Hands err where they are at work.
            near = at in trace.grown or at == state.gardener
            ways = len(trace.grown) + 1 if near else 2 * len(state.plots)
            yield self._slip(SlipKind.EXTRA_SECTION, at, "T-GROW-4" if seen == OVER else "T-GARD-1", ways, delta=delta)
        else:
            yield self._slip(SlipKind.OTHER, at, None, len(state.plots), delta=delta)

    def _figure(self, state: State, trace: Trace, figure: Figure, stands: Hex) -> Iterator[Scored]:
        origin = trace.origins.get(figure)
        for seen, share in self._evidence.figures[figure].logs.items():
            if not isinstance(seen, Hex) or share < _LIKELY_NATS or seen == stands:
                continue
            fields = {"figure": figure, "seen": seen}
            if origin is None:
                # A figure that nobody moved: hands hardly ever do that, a walk for nothing is likelier.
                yield self._slip(SlipKind.OTHER, stands, None, 10 * len(state.plots), **fields)
            elif seen not in state.garden.land.reach(origin):
                ways = 6 if distance(seen, stands) == 1 else 40
                yield self._slip(SlipKind.FIGURE_OFF_LINE, stands, "T-MOVE-1", ways, **fields)

    def _channels(self, state: State, trace: Trace) -> Iterator[Scored]:
        evidence = self._evidence
        missing = [edge for edge in trace.channels if evidence.edge(edge).of(True) < STRANGE_NATS]
        sites = state.garden.water.sites()
        for seen in self._strange_edges:
            if seen in state.channels:
                continue
            rule = "T-CHAN-3" if POND in seen else "T-CHAN-4"
            beside = [edge for edge in missing if not set(edge_ends(edge)).isdisjoint(edge_ends(seen))]
            for edge in beside:
                yield self._slip(SlipKind.CHANNEL_OFF, edge, rule, 2, seen=seen)
            if not beside and seen not in sites:
                # What lies at the pond is joined to it: another rule keeps channels from there.
                kind = SlipKind.OTHER if POND in seen else SlipKind.CHANNEL_NOT_JOINED
                yield self._slip(kind, seen, rule, len(state.plots), seen=seen)

    def _plots(self, state: State, trace: Trace) -> Iterator[Scored]:
        evidence = self._evidence
        for at in trace.plots:
            plot = state.plots[at]
            if evidence.cell(at).plot.of(plot.colour) > STRANGE_NATS:
                continue
            for seen in evidence.cells():
                lies = evidence.cell(seen).plot.of(plot.colour) > _LIKELY_NATS
                if lies and seen not in state.plots and distance(seen, at) == 1:
                    yield self._slip(SlipKind.PLOT_WITH_ONE_NEIGHBOUR, at, "T-PLOT-2", 3, seen=seen)
