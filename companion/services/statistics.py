"""What an evening came to: the die, the points, the time, and how it was entered. Pure: a record in, numbers out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from companion.games.takenoko.moves import End, Roll
from companion.games.takenoko.pieces import Weather
from companion.games.takenoko.scoring import Score, scores
from companion.record import Correct, Do, Game, UndoTo

LONGEST_TURN = timedelta(hours=2)
"""A longer gap between two events is a break (a game that was resumed another day), not a turn."""


@dataclass(frozen=True, slots=True)
class DieTest:
    """Whether the die was fair, by Pearson's chi-square with five degrees of freedom."""

    faces: Mapping[Weather, int]
    rolls: int
    statistic: float
    p_value: float
    """How often a fair die strays at least so far; meaningless below thirty rolls (five expected a face)."""

    @property
    def enough(self) -> bool:
        """Whether there were enough rolls for the test to mean anything."""
        return self.rolls >= 5 * len(self.faces)


@dataclass(frozen=True, slots=True)
class TurnTimes:
    """How long a seat took, seconds; zeros where the record has no times."""

    turns: int
    total_s: float

    @property
    def mean_s(self) -> float:
        """The average turn."""
        return self.total_s / self.turns if self.turns else 0.0


@dataclass(frozen=True, slots=True)
class Statistics:
    """Everything about one game."""

    die: DieTest
    scores: tuple[Score, ...]
    times: tuple[TurnTimes, ...]
    turns: int
    sources: Mapping[str, int]
    """Events by who told them: camera, phone, button, ..."""
    undone: int
    corrected: int
    questions: int | None
    """How often the companion had to ask; None where nobody counted (a record that came from elsewhere)."""
    points: tuple[tuple[int, ...], ...]
    """Total points of every seat after each turn, from the start of the game."""


def statistics(game: Game, questions: int | None = None) -> Statistics:
    """The numbers of a game, of the events that count in the end.

    Args:
        game: the record.
        questions: how often the companion asked: a record holds answers, not questions.
    """
    standing = [(line, event) for line, event in game.standing() if isinstance(event, Do)]
    moves = [event for _, event in standing]
    ends = [line for line, event in standing if isinstance(event.move, End)]
    points = [tuple(score.total for score in scores(game.line_state(line))) for line in (1, *ends)]
    last = tuple(score.total for score in scores(game.state))
    if points[-1] != last:
        points.append(last)
    return Statistics(
        die_test([event.move.face for event in moves if isinstance(event.move, Roll)]),
        scores(game.state),
        _turn_times(moves, len(game.state.seats)),
        len(ends),
        dict(Counter(event.by or "unknown" for event in moves)),
        sum(isinstance(event, UndoTo) for event in game.events),
        sum(isinstance(event, Correct) for event in game.events),
        questions,
        tuple(points),
    )


def die_test(rolls: Sequence[Weather]) -> DieTest:
    """Test the rolled faces against a fair die."""
    faces = dict.fromkeys(Weather, 0)
    for face in rolls:
        faces[face] += 1
    expected = len(rolls) / len(faces)
    statistic = sum((count - expected) ** 2 for count in faces.values()) / expected if rolls else 0.0
    return DieTest(faces, len(rolls), statistic, chi_square_tail(statistic))


def chi_square_tail(statistic: float) -> float:
    """The chance that a chi-square variable with five degrees of freedom is at least so large.

    Closed form for odd degrees of freedom (Abramowitz and Stegun, 26.4.4).

    >>> round(chi_square_tail(11.0705), 4)
    0.05
    """
    root = math.sqrt(statistic)
    density = math.exp(-statistic / 2) * math.sqrt(2 / math.pi)
    return min(1.0, math.erfc(root / math.sqrt(2)) + density * (root + root**3 / 3))


def _turn_times(moves: Sequence[Do], seats: int) -> tuple[TurnTimes, ...]:
    found: list[list[float]] = [[] for _ in range(seats)]
    begun: datetime | None = None
    for event in moves:
        now = None if event.at is None else datetime.fromisoformat(event.at)
        if begun is None or now is None or (begun.tzinfo is None) != (now.tzinfo is None):
            begun = now
        elif isinstance(event.move, End):
            taken = now - begun
            if timedelta() <= taken <= LONGEST_TURN:
                found[event.seat].append(taken.total_seconds())
            begun = now
    return tuple(TurnTimes(len(each), sum(each)) for each in found)
