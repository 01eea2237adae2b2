"""The mind behind a live camera: looks since the record's last move, and what they mean with what was told.

Pure: it is given the position of the record, what waits to be put in its place, and looks as they come.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.games.takenoko.moves import End, Stop
from companion.games.takenoko.position import corrected
from companion.games.takenoko.state import State
from companion.observation import LookContext, Observation, Status
from companion.reconcile.discrepancy import Discrepancy, of_slip
from companion.reconcile.follow import Correction, Follower, TurnReport
from companion.reconcile.history import Committed, continued
from companion.reconcile.model import DEFAULT_MODEL, Model
from companion.reconcile.nodes import Told
from companion.reconcile.notices import Attention, Notice
from companion.reconcile.policy import DEFAULT_POLICY, Decision, Policy, Verdict, decide
from companion.reconcile.posterior import Garden, garden_of
from companion.reconcile.slips import Slip
from companion.reconcile.written import Lines

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
    lines: Lines
    """What would go into the record, in its order; facts that have to be set right among them."""
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
        self._attention = Attention()
        self._in_stillness = 0
        self._before: Committed | None = None
        """The last turn, if it was taken without a question."""
        self._judged: Committed | None = None
        self._written: State | None = None
        """The record's position after it."""

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
            self._before = None

    def moved(self) -> None:
        """Something moves on the table: the next look is a new witness."""
        self._in_stillness = 0

    def take(self, observation: Observation, waiting: Sequence[Waiting]) -> tuple[Notice, ...]:
        """Take a look; says what happened besides moves."""
        noticed = self._attention.take(observation)
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

        A turn that has ended is judged together with the one before it: what came later may show that the record went
        astray there, and a doubt about that one is a doubt about this one.

        Args:
            state: the position of the record.
            waiting: what was told and waits, in its order.
        """
        items = self._items(waiting)
        if not any(isinstance(thing.told.move, End | Stop) for thing in waiting):
            follower = Follower(state, self._model, self._policy, self._lying)
            _followed(follower, items)
            decision = decide(follower.running(), self._policy, may_wait=True)
            shown = tuple(of_slip(slip, p, decision.best.state) for slip, p in decision.slips)
            return Judgement(decision, False, decision.best.steps, shown)
        if self._before is None or state != self._written:
            # Something may have been written meanwhile that the camera knows nothing of.
            return self._alone(state, items)
        together = self._with_the_turn_before(state, items, self._before)
        if together is not None:
            return together
        alone = self._alone(state, items)
        # A doubt about how it came to be so is asked in terms of the record.
        sure = alone.decision.verdict is Verdict.ACCEPT
        return replace(alone, decision=replace(alone.decision, verdict=Verdict.ASK)) if sure else alone

    def _alone(self, state: State, items: tuple[Told | Observation, ...]) -> Judgement:
        """A turn that has ended, taken to start from the record's position."""
        follower = Follower(state, self._model, self._policy, self._lying)
        report = (_followed(follower, items) or follower.close())[0]
        self._judged = Committed(state, self._lying, items, report.state)
        return _judgement(report, report.lines)

    def _items(self, waiting: Sequence[Waiting]) -> tuple[Told | Observation, ...]:
        """What was told and seen since the record's last move, in its order."""
        items: list[Told | Observation] = []
        told = 0
        for taken in self._looks:
            while told < len(waiting) and _came_before(waiting, told, taken):
                items.append(waiting[told].told)
                told += 1
            items.append(taken.observation)
        return (*items, *(thing.told for thing in waiting[told:]))

    def _with_the_turn_before(
        self, state: State, items: tuple[Told | Observation, ...], before: Committed
    ) -> Judgement | None:
        """The same together with the turn before it; None where that is not sure or does not fit the record."""
        follower = Follower(before.start, self._model, self._policy, before.lying)
        reports = _followed(follower, (*before.items, *items))
        report = [*reports, *follower.close()][-1]
        if report.decision.verdict is not Verdict.ACCEPT:
            return None
        found = continued(state, before, report.decision.best)
        if found is None:
            return None
        self._judged = Committed(_start(state, found[0]), self._lying, items, found[1])
        return _judgement(report, found[0])

    def settle(self, judgement: Judgement, state: State) -> None:
        """What was judged is in the record now; `state` is its position. Slips go on lying there."""
        self._lying = tuple((replace(slip, turn=0), p) for slip, p in judgement.decision.slips)
        self._garden = garden_of(state)
        self._before, self._written = self._judged, state
        # The last look shows this very position: it is what the next turn's looks are compared with.
        self._looks.clear()
        self._in_stillness = 0


def _followed(follower: Follower, items: Sequence[Told | Observation]) -> list[TurnReport]:
    reports: list[TurnReport] = []
    for item in items:
        if isinstance(item, Told):
            reports += follower.tell(item.seat, item.move)
        else:
            follower.look(item)
    return reports


def _judgement(report: TurnReport, lines: Lines) -> Judgement:
    """A turn that has ended, with what goes into the record."""
    return Judgement(report.decision, True, lines, report.discrepancies, report)


def _start(record: State, lines: Lines) -> State:
    """The position that a turn starts from once the record is set right."""
    first = lines[0] if lines else None
    return corrected(record, first.changes) if isinstance(first, Correction) else record
