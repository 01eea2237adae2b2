"""What the search carries along: one way in which the turn may have gone, with the slips that may lie on the table."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from math import exp, inf, log
from operator import attrgetter
from typing import NamedTuple

from companion.games.takenoko.legality import Refusal
from companion.games.takenoko.moves import Move
from companion.games.takenoko.state import State
from companion.reconcile.slips import Slips


@dataclass(frozen=True, slots=True)
class Told:
    """What the table was told by button, phone or page."""

    seat: int
    move: Move


class Variant(NamedTuple):
    """Which slips lie on the table under one node."""

    lying: Slips = ()
    fresh: bool = False
    """A slip was made in this turn already: at most one a turn."""
    ended: tuple[Slips, ...] = ()
    """What lay there when the last turns ended, the latest first."""

    def at_end(self, back: int) -> Slips:
        """What lay there when a turn ended, counted back from the latest; nothing where that is forgotten."""
        return self.ended[back] if back < len(self.ended) else ()


PLAIN = Variant()

Step = tuple[int, Move, bool]
"""Seat, move, and whether it was told (else the camera saw it)."""
Path = tuple["Path", Step] | None
"""The steps of a turn, the last one outside: paths share their beginnings."""


def steps_of(path: Path) -> tuple[Step, ...]:
    """The steps in order.

    >>> steps_of(None)
    ()
    """
    steps: list[Step] = []
    while path is not None:
        path, step = path
        steps.append(step)
    return tuple(reversed(steps))


@dataclass(frozen=True, slots=True)
class Past:
    """A turn that has ended in one node's history and is not confirmed yet."""

    start: State
    steps: tuple[Step, ...]
    end: State
    """The position with the next seat to play."""
    refused: tuple[tuple[Told, Refusal], ...] = ()
    """What was told and could not be so."""
    taken_back: bool = False
    """Something that an earlier look of the turn showed was taken back."""
    before: Past | None = None

    def ends(self) -> tuple[State, ...]:
        """The positions after the turns that are not confirmed yet, the latest first."""
        return (self.end,) if self.before is None else (self.end, *self.before.ends())

    def back(self, turns: int) -> Past | None:
        """The turn so many turns earlier."""
        if turns == 0:
            return self
        return None if self.before is None else self.before.back(turns - 1)

    def no_longer_than(self, turns: int) -> Past | None:
        """The same with all but the latest turns forgotten."""
        if turns == 0:
            return None
        if self.before is None:
            return self
        return replace(self, before=self.before.no_longer_than(turns - 1))


@dataclass(slots=True, eq=False)
class Node:
    """One way in which things may have gone; the search makes, scores and drops thousands of them."""

    state: State
    start: State
    """The position at the start of the turn."""
    seen: State | None
    """The position at the last look; None before the first."""
    score: float = 0.0
    """Natural log of prior and likelihood so far, slips apart."""
    prior: float = 0.0
    """What the same moves would weigh if the looks fitted as well as an honest eye can expect; it starts at the root's
    weight."""
    variants: dict[Variant, float] = field(default_factory=lambda: {PLAIN: 0.0})
    """Natural logs, to be added to `score`."""
    told: int = 0
    """How many of the waiting told lines are in their place."""
    unseen: int = 0
    """How many moves of the turn were not told."""
    path: Path = None
    past: Past | None = None
    root: int = 0
    """Which of the positions at the turn's start this one came from."""
    taken_back: bool = False
    late: bool = False
    """Something was moved after the turn's last look."""
    amended: int = 0
    """How often a store was set right on the way."""
    refused: tuple[tuple[Told, Refusal], ...] = ()
    rank: float = -inf
    """What the search sorts by: `score` and how well the next look would be explained now."""

    def best(self) -> float:
        """The log weight with the best slips."""
        return self.score + max(self.variants.values())

    def weight(self) -> float:
        """The log weight over all slips."""
        return self.score + log_sum(list(self.variants.values()))


def log_sum(logs: list[float]) -> float:
    """The log of the sum of what the logs stand for.

    >>> log_sum([0.0])
    0.0
    """
    if len(logs) == 1:
        return logs[0]
    top = max(logs, default=-inf)
    if top == -inf:
        return -inf
    return top + log(sum(exp(value - top) for value in logs))


RANK: Callable[[Node], float] = attrgetter("rank")
ROOT: Callable[[Node], int] = attrgetter("root")
"""What nodes are sorted by, and told apart by: called for each of thousands."""


def with_each(ranked: Sequence[Node], most: int, kind: Callable[[Node], Hashable]) -> list[Node]:
    """The first so many nodes and the first of every kind: what a turn leaves open must not crowd out older doubts."""
    kept = list(ranked[:most])
    if len(ranked) <= most:
        return kept
    seen = {kind(node) for node in kept}
    for node in ranked[most:]:
        of = kind(node)
        if of not in seen:
            seen.add(of)
            kept.append(node)
    return kept
