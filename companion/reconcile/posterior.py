"""What the search believes, as values: explanations with their probabilities, and the slips that may lie there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import exp, log
from types import MappingProxyType

from companion.games.takenoko.hexgrid import Edge, Hex
from companion.games.takenoko.legality import Refusal
from companion.games.takenoko.moves import Move
from companion.games.takenoko.state import Plot, State
from companion.reconcile.model import Model
from companion.reconcile.nodes import Node, Step, Told, Variant, log_sum, steps_of
from companion.reconcile.slips import Place, Slip, Slips


class Kind(StrEnum):
    """What an explanation says."""

    NOTHING = "nothing"
    """No piece was moved."""
    MID_TURN = "mid_turn"
    """Legal moves so far; the turn has not ended."""
    TURN = "turn"
    """A whole legal turn."""
    SLIP = "slip"
    """Legal moves and one new human slip."""
    MENDED = "mended"
    """Legal moves, and an earlier slip was mended."""
    TAKEN_BACK = "taken_back"
    """What was moved in the turn was taken back on the table."""
    UNEXPLAINED = "unexplained"
    """No legal turn explains what is seen."""


Garden = tuple[frozenset[tuple[Hex, Plot]], frozenset[Edge], Hex, Hex]
"""What a camera can see of a position."""


def garden_of(state: State) -> Garden:
    """Everything in a position that a camera can see."""
    return frozenset(state.plots.items()), state.channels, state.gardener, state.panda


@dataclass(frozen=True, slots=True)
class Explanation:
    """One garden that the turn may have led to, with the likeliest way there."""

    kind: Kind
    steps: tuple[Step, ...]
    state: State
    slips: Slips
    """What most likely lies there besides, in this explanation."""
    p: float
    """Of the garden, over all ways there and all slips."""
    start: State
    """The position at the start of the turn."""
    refused: tuple[tuple[Told, Refusal], ...] = ()

    @property
    def unseen(self) -> tuple[Move, ...]:
        """The moves that nobody told."""
        return tuple(move for _, move, told in self.steps if not told)


@dataclass(frozen=True, slots=True)
class Posterior:
    """The belief over all explanations; the probabilities of the explanations sum to one."""

    explanations: tuple[Explanation, ...]
    """The likeliest first."""
    slip_p: Mapping[Slip, float] = field(default_factory=lambda: MappingProxyType({}))
    """That a slip lies on the table, over all explanations."""

    @property
    def best(self) -> Explanation:
        """The likeliest explanation."""
        return self.explanations[0]

    def place_p(self) -> Mapping[tuple[Place, ...], float]:
        """That some slip lies at a place, whatever its kind."""
        places: dict[tuple[Place, ...], float] = {}
        for slip, p in self.slip_p.items():
            places[slip.places()] = places.get(slip.places(), 0.0) + p
        return places


_WRITTEN_FIRST = 20.0
"""A way that goes on from the written position is preferred unless another is so many times likelier."""


@dataclass(frozen=True, slots=True)
class _Way:
    """One node with one variant, seen as a way through the turn in question."""

    steps: tuple[Step, ...]
    start: State
    end: State
    slips: Slips
    lay: Slips
    refused: tuple[tuple[Told, Refusal], ...]
    taken_back: bool
    ended: bool
    weight: float


def unexplained(nodes: Iterable[Node], model: Model) -> float:
    """The log weight of a turn that nothing explains, with as many moves as the best explanation has."""
    return max(nodes, key=Node.best).prior - model.play.unexplained_nats


def of_running(nodes: Iterable[Node], unexplained: float, turn: int, written: State | None = None) -> Posterior:
    """The belief about a turn that goes on; `written` is the position that the record has for its start."""
    return _posterior(
        (
            _Way(steps_of(node.path), node.start, node.state, variant.lying, variant.at_end(0), node.refused,
                 node.taken_back, False, node.score + weight)
            for node in nodes
            for variant, weight in node.variants.items()
        ),
        unexplained,
        turn,
        written,
    )  # fmt: skip


def of_ended(
    nodes: Iterable[Node], unexplained: float | None, turn: int, written: State | None = None, back: int = 0
) -> Posterior:
    """The belief about a turn that has ended.

    Args:
        nodes: positions at the start of a later turn, each with its past.
        unexplained: the log weight of what nothing explains, where it is asked for.
        turn: the number of the turn.
        written: the position that the record has for its start.
        back: how many turns have ended since: what came later speaks of it too.
    """
    return _posterior(_ways(nodes, back), unexplained, turn, written)


def _ways(nodes: Iterable[Node], back: int) -> Iterable[_Way]:
    for node in nodes:
        past = None if node.past is None else node.past.back(back)
        if past is None:
            continue
        for variant, weight in node.variants.items():
            yield _Way(
                past.steps, past.start, past.end, variant.at_end(back), variant.at_end(back + 1), past.refused,
                past.taken_back, True, node.score + weight,
            )  # fmt: skip


def _posterior(ways: Iterable[_Way], unexplained: float | None, turn: int, written: State | None) -> Posterior:
    gardens: dict[Garden, list[_Way]] = {}
    for way in ways:
        gardens.setdefault(garden_of(way.end), []).append(way)
    weights = {garden: log_sum([way.weight for way in found]) for garden, found in gardens.items()}
    total = log_sum([*weights.values(), *([] if unexplained is None else [unexplained])])
    explanations = [
        _explanation(found, exp(weights[garden] - total), turn, written) for garden, found in gardens.items()
    ]
    slip_p: dict[Slip, float] = {}
    for found in gardens.values():
        for way in found:
            for slip in way.slips:
                slip_p[slip] = slip_p.get(slip, 0.0) + exp(way.weight - total)
    if unexplained is not None and explanations:
        nearest = max(explanations, key=lambda explanation: explanation.p)
        explanations.append(
            Explanation(
                Kind.UNEXPLAINED, nearest.steps, nearest.state, nearest.slips, exp(unexplained - total), nearest.start
            )
        )
    explanations.sort(key=lambda explanation: explanation.p, reverse=True)
    return Posterior(tuple(explanations), MappingProxyType(slip_p))


def _explanation(found: Sequence[_Way], p: float, turn: int, written: State | None) -> Explanation:
    """The best way to a garden; one that goes on from what was written already is worth some doubt about the way."""
    bonus = log(_WRITTEN_FIRST)
    way = max(found, key=lambda way: way.weight + (bonus if written is not None and way.start == written else 0.0))
    return Explanation(_kind(way, turn), way.steps, way.end, way.slips, p, way.start, way.refused)


def _kind(way: _Way, turn: int) -> Kind:
    if way.taken_back:
        return Kind.TAKEN_BACK
    if any(slip.turn == turn for slip in way.slips):
        return Kind.SLIP
    if not set(way.lay) <= set(way.slips):
        return Kind.MENDED
    if way.ended:
        return Kind.TURN
    return Kind.MID_TURN if any(not told for _, _, told in way.steps) else Kind.NOTHING


__all__ = ["Explanation", "Garden", "Kind", "Posterior", "Variant", "garden_of", "of_ended", "of_running",
           "unexplained"]  # fmt: skip
