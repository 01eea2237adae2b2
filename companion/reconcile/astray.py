"""Where the record itself may have gone astray: what looks like a slip that nobody mends is its own mistake.

A stalk or a channel that was followed wrongly, or a slip that never was noticed, does not fit, turn after turn. People
mend what they are shown; so the longer it stays, the likelier it is that the position is wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from math import log

from companion.games.takenoko.hexgrid import Edge, Hex
from companion.games.takenoko.pieces import MAX_GROWTH
from companion.games.takenoko.state import State
from companion.reconcile.correct import About, Changes, Fact, possible, seen_instead, strange_facts
from companion.reconcile.evidence import Evidence
from companion.reconcile.model import Model
from companion.reconcile.nodes import Node, Variant, log_sum
from companion.reconcile.slips import Slip

_MOST_FACTS = 3
_WITHIN = 6.0
"""Only what is not much worse than the best (natural log) is worth a doubt."""


def amended(nodes: Collection[Node], turn: int, model: Model) -> list[Node]:
    """Further positions after a turn: those in which what slips that still lie there left is taken as right.

    Args:
        nodes: the positions after the turn, each with its past.
        turn: the number of the turn that has ended.
        model: what is believed beforehand.
    """
    lowest = max((node.best() for node in nodes), default=0.0) - _WITHIN
    found: list[Node] = []
    for node in nodes:
        groups: dict[tuple[Slip, ...], dict[Variant, list[float]]] = {}
        for variant, weight in node.variants.items():
            wrong = tuple(slip for slip in variant.lying if _may_be_right(slip) and slip.turn < turn)
            if wrong and node.score + weight > lowest:
                left = tuple(slip for slip in variant.lying if slip not in wrong)
                after = variant._replace(lying=left, ended=(left, *variant.ended[1:]))
                cost = len(wrong) * log(model.play.astray)
                groups.setdefault(wrong, {}).setdefault(after, []).append(weight + cost)
        for wrong, variants in groups.items():
            state = _set_right(node.state, wrong)
            if state is not None and node.past is not None:
                right = _set_to(node, state, node.score)
                right.variants = {variant: log_sum(weights) for variant, weights in variants.items()}
                found.append(right)
    return found


def misread(nodes: Collection[Node], look: Evidence | None, model: Model) -> list[Node]:
    """Further positions after a turn: those in which a plot or channel is what its last look shows, not what was read.

    What lies there does not change by itself, so one of two sure looks was wrong. What this look cost where it was
    taken for the wrong one is given back, and what the earlier ones would have cost is charged instead.

    Args:
        nodes: the positions after the turn, each with its past.
        look: the turn's last look, if there was any.
        model: what is believed beforehand.
    """
    if look is None:
        return []
    lowest = max((node.best() for node in nodes), default=0.0) - _WITHIN
    found: list[Node] = []
    for node in nodes:
        if node.best() < lowest or node.past is None:
            continue
        facts = [fact for fact in strange_facts(node.state, look) if _may_be_misread(fact, node.state)]
        for fact in sorted(facts, key=lambda fact: fact.against)[:_MOST_FACTS]:
            cost = look.cost_of(fact.place, node.state)
            state = None if cost is None else fact.set_right(node.state)
            if cost is not None and state is not None:
                found.append(_set_to(node, state, node.score + cost + log(model.play.misread)))
    return found


def _may_be_misread(fact: Fact, state: State) -> bool:
    """Channels, and plots that lie there: one that is seen where none was laid is likelier a ghost."""
    return fact.about is About.CHANNEL or (fact.about is About.KIND and fact.place in state.plots)


def as_seen(nodes: Sequence[Node], look: Evidence, model: Model) -> list[Node]:
    """A further position after a turn that nothing explains: what is surely seen is taken as right.

    It begins a little less likely than the best of the others; only later looks can make it more.

    Args:
        nodes: the positions after the turn, best first, each with its past.
        look: the last look at the turn's table.
        model: what is believed beforehand.
    """
    best = nodes[0]
    found = seen_instead(best.state, look)
    if found is None or best.past is None:
        return []
    state = found[1]
    if any(node.state == state for node in nodes):
        return []
    variant = max(best.variants, key=lambda variant: best.variants[variant])
    plain = variant._replace(lying=(), ended=((), *variant.ended[1:]))
    weight = best.best() + log(model.play.as_seen)
    after = _set_to(best, state, weight)
    after.variants = {plain: 0.0}
    return [after]


def _set_to(node: Node, state: State, score: float) -> Node:
    """A node after a turn, with its position set to another."""
    assert node.past is not None  # a turn has ended
    return replace(node, state=state, start=state, seen=state, score=score, past=replace(node.past, end=state))


def _may_be_right(slip: Slip) -> bool:
    return isinstance(slip.seen, Edge) or (slip.delta != 0 and isinstance(slip.at, Hex))


def _set_right(state: State, slips: tuple[Slip, ...]) -> State | None:
    """The position with stalks and channels as they look; None where that is no position."""
    bamboo: dict[str, int] = {}
    channels = set(state.channels)
    for slip in slips:
        if isinstance(slip.at, Edge) and isinstance(slip.seen, Edge):
            channels.discard(slip.at)
            channels.add(slip.seen)
        else:
            plot = state.plots.get(slip.at) if isinstance(slip.at, Hex) else None
            if plot is None or not 0 <= plot.bamboo + slip.delta <= MAX_GROWTH:
                return None
            bamboo[str(slip.at)] = plot.bamboo + slip.delta
    changes: Changes = {"bamboo": bamboo} if bamboo else {}
    if channels != state.channels:
        changes["channels"] = [str(edge) for edge in sorted(channels)]
    return possible(state, changes)
