"""What tells the choices of a question from one another where their moves read alike: what differs on the table."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations

from companion.games.takenoko.hexgrid import DIRECTIONS, POND, Edge, Hex, distance
from companion.games.takenoko.plot import Plot
from companion.games.takenoko.state import State
from companion.reconcile.discrepancy import where, where_edge
from companion.reconcile.messages import Message

_Fact = tuple[str, Hex | Edge | None]
"""What is asked of a garden, and of which place."""


def told_apart(tables: Sequence[State], words: Sequence[Sequence[str]]) -> tuple[tuple[Message, ...], ...]:
    """For each choice what else must be said of it: nothing where its moves alone tell it from every other.

    The same moves in another order read alike: few people remember an order. As little is said as tells the choices
    apart, what is easiest to see first.

    Args:
        tables: the position that each choice leads to.
        words: the moves of each choice, as they are read.
    """
    groups: dict[tuple[str, ...], list[int]] = {}
    for index, moves in enumerate(words):
        groups.setdefault(tuple(sorted(moves)), []).append(index)
    said: list[tuple[Message, ...]] = [()] * len(tables)
    for group in groups.values():
        facts = _telling([tables[index] for index in group])
        for index in group:
            said[index] = tuple(_say(fact, tables[index]) for fact in facts)
    return tuple(said)


def _telling(tables: Sequence[State]) -> list[_Fact]:
    """The facts to name: each the one that tells most of those apart that still look alike."""
    facts = [fact for fact in _facts(tables) if len({_value(fact, state) for state in tables}) > 1]
    alike = list(combinations(tables, 2))
    named: list[_Fact] = []
    while True:
        told = {fact: sum(_value(fact, one) != _value(fact, other) for one, other in alike) for fact in facts}
        best = max(facts, key=lambda fact: told[fact], default=None)
        if best is None or not told[best]:
            return named
        named.append(best)
        alike = [(one, other) for one, other in alike if _value(best, one) == _value(best, other)]


def _facts(tables: Sequence[State]) -> Iterator[_Fact]:
    """Everything that may differ, what is easiest to see first."""
    yield from (("gardener", None), ("panda", None))
    cells = sorted({at for state in tables for at in state.plots})
    yield from ((aspect, at) for aspect in ("plot", "improvement", "bamboo") for at in cells)
    yield from (("channel", edge) for edge in sorted({edge for state in tables for edge in state.channels}))


def _value(fact: _Fact, state: State) -> Hashable:
    aspect, at = fact
    if at is None:
        return _stands(aspect, state)
    if isinstance(at, Edge):
        return at in state.channels
    return _of_plot(aspect, state.plots.get(at))


def _stands(figure: str, state: State) -> Hex:
    return state.gardener if figure == "gardener" else state.panda


def _of_plot(aspect: str, plot: Plot | None) -> Hashable:
    if plot is None:
        return 0 if aspect == "bamboo" else None
    return {"plot": plot.colour, "improvement": (plot.improvement, plot.chip), "bamboo": plot.bamboo}[aspect]


def _say(fact: _Fact, state: State) -> Message:
    aspect, at = fact
    if at is None:
        place = where(state, _stands(aspect, state))
        return Message("apart.figure", {"figure": Message(f"figure.{aspect}"), "where": place})
    if isinstance(at, Edge):
        return Message(
            "apart.channel" if at in state.channels else "apart.no_channel", {"where": where_edge(state, at)}
        )
    return _say_of_plot(aspect, _place(at), state.plots.get(at))


def _say_of_plot(aspect: str, place: Message, plot: Plot | None) -> Message:
    if plot is None:
        return Message("apart.no_plot", {"place": place})
    params: dict[str, str | int | Message] = {"place": place, "colour": Message(f"colour.{plot.colour.value}")}
    if aspect == "plot":
        return Message("apart.plot", params)
    if aspect == "bamboo":
        return Message("apart.bamboo" if plot.bamboo else "apart.no_bamboo", {**params, "count": plot.bamboo})
    if plot.improvement is None:
        return Message("apart.no_improvement", params)
    improvement = Message(f"improvement.{plot.improvement.value}")
    return Message("apart.chip" if plot.chip else "apart.badge", {**params, "improvement": improvement})


def _place(at: Hex) -> Message:
    """A place in words that do not depend on what lies there: the choices may differ in that."""
    if distance(at, POND) == 1:
        return Message("place.ring", {"side": Message(f"side.{DIRECTIONS.index(at)}")})
    return Message("place.beyond", {"at": str(at)})
