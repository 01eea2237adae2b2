"""Setting facts right outside the rules: what a record's `correct` has to say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from typing import Any

from companion.errors import ImpossiblePositionError
from companion.games.takenoko.hexgrid import Edge
from companion.games.takenoko.pieces import MAX_GROWTH, Colour, Figure
from companion.games.takenoko.plot import Plot
from companion.games.takenoko.position import corrected, position_to_json
from companion.games.takenoko.state import State
from companion.observation import MARKINGS
from companion.reconcile.evidence import Cell, Evidence
from companion.reconcile.slips import Place

Changes = dict[str, Any]
"""Facts, keyed as in a record's `correct`."""

SURE_NATS = -4.0
"""A value this much worse than what is seen (natural log) is set right."""


def difference(before: State, after: State) -> Changes:
    """What has to be set right to come from one position to another; empty where nothing has."""
    then, now = position_to_json(before), position_to_json(after)
    changes: Changes = {key: now[key] for key in ("channels", "gardener", "panda", "seats") if now[key] != then[key]}
    plots = {at: now["plots"].get(at) for at in {*then["plots"], *now["plots"]}}
    plots = {at: plot for at, plot in sorted(plots.items()) if plot != then["plots"].get(at)}
    if plots:
        changes["plots"] = plots
    return changes


def seen_instead(state: State, look: Evidence) -> tuple[Changes, State] | None:
    """What is surely seen and does not agree with a position, and the position with that set right.

    The surest facts first, each only where the outcome can be a position: where the box holds no more of what a plot
    looks like, it is taken for the next likeliest kind. None where nothing is sure, or nothing of it can be.
    """
    facts = sorted(strange_facts(state, look), key=lambda fact: fact.against)
    now = state
    left: list[Fact] = []
    # A plot or channel may only be possible beside another one: what does not fit yet is tried again.
    while facts and len(facts) != len(left):
        left = facts
        facts = []
        for fact in left:
            found = fact.set_right(now)
            if found is None:
                facts.append(fact)
            else:
                now = found
    changes = difference(state, now)
    return (changes, now) if changes else None


def possible(state: State, changes: Changes) -> State | None:
    """The position with some facts set right; None where that is no position."""
    try:
        return corrected(state, changes)
    except ImpossiblePositionError:
        return None


class About(Enum):
    """What a fact is about."""

    FIGURE = auto()
    CHANNEL = auto()
    KIND = auto()
    """Which plot lies on a cell, if any, and what is printed or put on it."""
    HEIGHT = auto()


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that looks otherwise than a position has it."""

    about: About
    place: Place
    against: float
    """How much the look speaks against the position: natural log."""
    ways: Callable[[State], Iterable[Changes]]
    """What it may be instead, the likeliest first."""

    def set_right(self, state: State) -> State | None:
        """The position with this set right, in the first way that can be; None where none can."""
        return next((after for changes in self.ways(state) if (after := possible(state, changes)) is not None), None)


def strange_facts(state: State, look: Evidence) -> Iterator[Fact]:
    """Everything that a look surely shows otherwise than a position has it."""
    for figure, stands in ((Figure.GARDENER, state.gardener), (Figure.PANDA, state.panda)):
        part = look.figures[figure]
        if part.of(stands) < SURE_NATS:
            yield Fact(About.FIGURE, figure, part.of(stands), _always({figure.value: str(max(part.logs, key=part.of))}))
    for edge in {*state.channels, *look.edges()}:
        against = look.edge(edge).of(edge in state.channels)
        if against < SURE_NATS:
            yield Fact(About.CHANNEL, edge, against, partial(_toggled, edge))
    for at in {*state.plots, *look.cells()}:
        cell, plot = look.cell(at), state.plots.get(at)
        against = cell.plot.of(None if plot is None else plot.colour)
        if plot is not None and against >= SURE_NATS:
            against = cell.marking.of((plot.improvement, plot.chip))
            if against >= SURE_NATS and cell.bamboo.of(plot.bamboo) < SURE_NATS:
                height = max(range(MAX_GROWTH + 1), key=cell.bamboo.of)
                yield Fact(About.HEIGHT, at, cell.bamboo.of(plot.bamboo), _always({"bamboo": {str(at): height}}))
        if against < SURE_NATS:
            yield Fact(About.KIND, at, against, _always(*({"plots": {str(at): kind}} for kind in _plots_seen(cell))))


def _always(*changes: Changes) -> Callable[[State], Iterable[Changes]]:
    return lambda _: changes


def _toggled(edge: Edge, state: State) -> Iterable[Changes]:
    return ({"channels": [str(other) for other in sorted(state.channels ^ {edge})]},)


def _plots_seen(cell: Cell) -> list[str | None]:
    """What may lie on a cell, the likeliest first: kinds of the colour that is seen, or nothing."""
    colour = max(Colour, key=cell.plot.of)
    if cell.plot.of(None) > cell.plot.of(colour):
        return [None]
    height = max(range(MAX_GROWTH + 1), key=cell.bamboo.of)
    likely = sorted(MARKINGS, key=lambda mark: cell.marking.of((mark.improvement, mark.chip)), reverse=True)
    return [str(Plot(colour, mark.improvement, mark.chip, height)) for mark in likely]
