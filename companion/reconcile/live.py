"""The mind behind a live camera: looks since the record's last move, and what they mean with what was told.

Pure: it is given the position of the record, what waits to be put in its place, and looks as they come.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.games.takenoko.moves import End, Stop
from companion.games.takenoko.state import State
from companion.observation import LookContext, Observation, Status
from companion.reconcile.discrepancy import Discrepancy, of_slip
from companion.reconcile.follow import Correction, Follower, TurnReport
from companion.reconcile.model import DEFAULT_MODEL, Model
from companion.reconcile.nodes import Step, Told
from companion.reconcile.notices import Notice, compare
from companion.reconcile.policy import DEFAULT_POLICY, Decision, Policy, decide
from companion.reconcile.posterior import Garden, garden_of
from companion.reconcile.slips import Slip

MOST_LOOKS = 5
"""Looks kept of what is not in the record yet; the oldest goes first."""
MOST_OF_ONE_STILLNESS = 2
"""A table that lies still says the same again: a third look at it is no further witness."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Something told that is not in the record yet."""

    id: str
    told: Told


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the looks mean now."""

    decision: Decision
    ended: bool
    """The turn has ended: accept or ask."""
    steps: tuple[Step, ...]
    """What would go into the record."""
    corrections: tuple[Correction, ...]
    """What would have to be set right first."""
    discrepancies: tuple[Discrepancy, ...]
    report: TurnReport | None = None


@dataclass(frozen=True, slots=True)
class _Taken:
    """One look, and which told things were known when it was taken."""

    observation: Observation
    known: frozenset[str]


def shows_table(observation: Observation) -> bool:
    """Whether a look says anything of the table; a bare word that a hand is there does not."""
    if observation.status is Status.OCCLUDED:
        return bool(observation.cells or observation.hidden_cells or observation.gardener_p)
    return observation.status is Status.CLEAR


def _came_before(waiting: Sequence[Waiting], index: int, taken: _Taken) -> bool:
    """Whether a told thing belongs before a look.

    A look after `end` shows the table as the turn left it, until something is told of the next turn.
    """
    if waiting[index].id not in taken.known:
        return False
    if not isinstance(waiting[index].told.move, End | Stop):
        return True
    return index + 1 < len(waiting) and waiting[index + 1].id in taken.known


class Mind:
    """What was seen since the record last changed on the table."""

    def __init__(self, model: Model = DEFAULT_MODEL, policy: Policy = DEFAULT_POLICY) -> None:
        """Begin without having seen anything."""
        self._model = model
        self._policy = policy
        self._garden: Garden | None = None
        self._looks: list[_Taken] = []
        self._lying: tuple[tuple[Slip, float], ...] = ()
        self._context: LookContext | None = None
        self._in_stillness = 0

    @property
    def anchor(self) -> LookContext | None:
        """Where the last good look was taken."""
        return self._context

    @property
    def has_looked(self) -> bool:
        """Whether anything was seen that is not in the record."""
        return bool(self._looks)

    def begin(self, state: State) -> None:
        """The record's position: if somebody else changed the garden in it, older looks say nothing any more."""
        garden = garden_of(state)
        if garden != self._garden:
            self._garden = garden
            self._looks.clear()
            self._in_stillness = 0

    def moved(self) -> None:
        """Something moves on the table: the next look is a new witness."""
        self._in_stillness = 0

    def take(self, observation: Observation, waiting: Sequence[Waiting]) -> tuple[Notice, ...]:
        """Take a look; says what happened besides moves."""
        noticed = compare(self._context, observation)
        if not shows_table(observation):
            return noticed
        if observation.context is not None:
            self._context = observation.context
        taken = _Taken(observation, frozenset(thing.id for thing in waiting))
        if self._in_stillness >= MOST_OF_ONE_STILLNESS and self._looks:
            self._looks[-1] = taken
        else:
            self._looks.append(taken)
            self._in_stillness += 1
        del self._looks[:-MOST_LOOKS]
        return noticed

    def judge(self, state: State, waiting: Sequence[Waiting]) -> Judgement:
        """What happened since the position of the record.

        Args:
            state: the position of the record.
            waiting: what was told and waits, in its order.
        """
        follower = Follower(state, self._model, self._policy, self._lying)
        reports: list[TurnReport] = []
        told = 0
        for taken in self._looks:
            while told < len(waiting) and _came_before(waiting, told, taken):
                reports += follower.tell(waiting[told].told.seat, waiting[told].told.move)
                told += 1
            follower.look(taken.observation)
        for thing in waiting[told:]:
            reports += follower.tell(thing.told.seat, thing.told.move)
        if any(isinstance(thing.told.move, End | Stop) for thing in waiting):
            report = (reports or follower.close())[0]
            steps = tuple(line for line in report.lines if not isinstance(line, Correction))
            corrections = tuple(line for line in report.lines if isinstance(line, Correction))
            return Judgement(report.decision, True, steps, corrections, report.discrepancies, report)
        decision = decide(follower.running(), self._policy, may_wait=True)
        shown = tuple(of_slip(slip, p, decision.best.state) for slip, p in decision.slips)
        return Judgement(decision, False, decision.best.steps, (), shown)

    def settle(self, judgement: Judgement, state: State) -> None:
        """What was judged is in the record now; `state` is its position. Slips go on lying there."""
        self._lying = tuple((replace(slip, turn=0), p) for slip, p in judgement.decision.slips)
        self._garden = garden_of(state)
        # The last look shows this very position: it is what the next turn's looks are compared with.
        self._looks.clear()
        self._in_stillness = 0
