"""Following an evening, turn by turn: told lines and looks in, reports out.

A report is made one turn late: what the next turn shows (a slip mended, a claim that proves a bite) speaks of the turn
before it too. A hand in a turn's last look leaves its end open until the next look.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import log

from companion.games.takenoko.legality import why_illegal
from companion.games.takenoko.moves import End, Irrigate, Move, Stop
from companion.games.takenoko.position import corrected
from companion.games.takenoko.state import State
from companion.games.takenoko.transition import apply_legal
from companion.observation import LookContext, Observation, Status
from companion.reconcile.amend import with_channel, with_eaten
from companion.reconcile.correct import difference, seen_instead
from companion.reconcile.discrepancy import Discrepancy, of_refused, of_slip
from companion.reconcile.evidence import Evidence
from companion.reconcile.model import DEFAULT_MODEL, Model
from companion.reconcile.nodes import Node, Step, Told, Variant
from companion.reconcile.notices import Notice, compare
from companion.reconcile.policy import DEFAULT_POLICY, Decision, Policy, Verdict, decide
from companion.reconcile.posterior import Explanation, Posterior, of_ended, of_running, of_the_turn_before, unexplained
from companion.reconcile.search import TurnSearch, forgotten
from companion.reconcile.slips import Slip, Slips

_THERE = 0.2
"""Something less likely absent than this is surely there."""
LOOKS_AHEAD = 2
"""How many later looks help one: they show what was hidden in it."""


@dataclass(frozen=True, slots=True)
class Correction:
    """Facts to set outside the rules, keyed as in a record's `correct`."""

    changes: dict[str, object]
    reason: str


@dataclass(frozen=True, slots=True)
class TurnReport:
    """What is said of one turn."""

    turn: int
    """All turns counted from 1."""
    seat: int
    decision: Decision
    lines: tuple[Step | Correction, ...]
    """What goes into the record, in a legal order."""
    discrepancies: tuple[Discrepancy, ...]
    notices: tuple[tuple[str, Notice], ...]
    """The name of the frame, and what was noticed in it."""
    state: State
    """The position after the turn, as written."""


@dataclass(slots=True)
class _Turn:
    """What was told and seen in one turn, and the positions that it may start from."""

    number: int
    roots: list[Node]
    items: list[Told | Evidence] = field(default_factory=list)
    notices: list[tuple[str, Notice]] = field(default_factory=list)
    after: list[Node] = field(default_factory=list)
    """The positions after its end, as it was judged when it ended."""

    @property
    def seat(self) -> int:
        turn = self.roots[0].state.turn
        return 0 if turn is None else turn.seat

    @property
    def ended(self) -> bool:
        return any(isinstance(item, Told) and isinstance(item.move, End | Stop) for item in self.items)

    def is_open(self) -> bool:
        """Whether later looks may show what this turn's looks left hidden."""
        looks = self.looks()
        return not looks or any(look.has_blind_spots() for look in looks)

    def looks(self) -> list[Evidence]:
        return [item for item in self.items if isinstance(item, Evidence)]


class Follower:
    """One evening. Deterministic: the same items in the same order give the same reports.

    The turn before the running one stays open: it is searched anew with everything that was seen since.
    """

    def __init__(
        self,
        state: State,
        model: Model = DEFAULT_MODEL,
        policy: Policy = DEFAULT_POLICY,
        lying: Sequence[tuple[Slip, float]] = (),
    ) -> None:
        """Begin with a position that is sure.

        Args:
            state: the position.
            model: what is believed beforehand.
            policy: when to accept, when to ask.
            lying: slips of earlier turns that lie on the table, each with its probability.
        """
        self._model = model
        self._policy = policy
        self._before: _Turn | None = None
        self._now = _Turn(1, [Node(state, state, None, variants=_variants(lying))])
        self._written = state
        self._previous: Evidence | None = None
        self._context: LookContext | None = None
        self._search: TurnSearch | None = None

    @property
    def anchor(self) -> LookContext | None:
        """Where the last good look was taken."""
        return self._context

    @property
    def has_looked(self) -> bool:
        """Whether any look showed the table: it fixes where east is."""
        return self._previous is not None

    def expected(self) -> State:
        """The likeliest position now, for the eye to know where to search."""
        return max(self._run().nodes, key=Node.best).state

    def running(self) -> Posterior:
        """The belief about the turn that goes on."""
        search = self._run()
        nodes = search.believe()
        return of_running(nodes, unexplained(nodes, self._model), self._now.number, self._written)

    def tell(self, seat: int, move: Move) -> list[TurnReport]:
        """Take what was told; the end of a turn settles the turn before it."""
        self._search = None
        self._now.items.append(Told(seat, move))
        return self._finish() if isinstance(move, End | Stop) else []

    def look(self, observation: Observation, name: str = "") -> None:
        """Take a look at the table."""
        self._now.notices += [(name, notice) for notice in compare(self._context, observation)]
        if observation.status in (Status.NO_TABLE, Status.MOVING):
            return
        if observation.context is not None and _fixes_east(observation, self._now.roots[0].state):
            self._context = observation.context
        evidence = Evidence(observation, self._model.eye, self._previous)
        self._previous = evidence
        self._search = None
        self._now.items.append(evidence)

    def close(self) -> list[TurnReport]:
        """The evening is over: the report that was still open."""
        before = self._before
        if before is None:
            return []
        nodes = self._reconsidered(before)
        self._before = None
        return [self._report(before, of_ended(nodes, unexplained(nodes, self._model), before.number, self._written))]

    def _run(self) -> TurnSearch:
        """Search the turn that goes on, and the one before it with what was seen since."""
        if self._search is None:
            if self._before is not None:
                self._now.roots = self._reconsidered(self._before)
            self._search = self._searched(self._now, ())
        return self._search

    def _reconsidered(self, turn: _Turn) -> list[Node]:
        """The positions after the turn before the running one, with what was seen since if that can matter."""
        if turn.is_open() and self._now.looks():
            return self._ended(turn, self._now.looks())
        return turn.after

    def _searched(self, turn: _Turn, after: Sequence[Evidence]) -> TurnSearch:
        """The search over a turn's items; each look is helped by the next ones, those after the turn included."""
        search = TurnSearch([replace(node) for node in turn.roots], self._model, turn.number)
        looks = [*turn.looks(), *after]
        seen = 0
        for item in turn.items:
            if isinstance(item, Told):
                search.tell(item)
            else:
                seen += 1
                last = turn.ended and seen == len(looks)
                search.look(item, looks[seen : seen + LOOKS_AHEAD], last=last)
        return search

    def _ended(self, turn: _Turn, after: Sequence[Evidence]) -> list[Node]:
        """The positions after a turn that has ended, best first."""
        search = self._searched(turn, after)
        looks = turn.looks()
        hand = bool(looks) and looks[-1].observation.status is Status.OCCLUDED
        return search.end(after[:LOOKS_AHEAD], open_end=hand)

    def _finish(self) -> list[TurnReport]:
        """The running turn has ended: report the one before it, and keep this one open."""
        reports: list[TurnReport] = []
        now, before = self._now, self._before
        if before is not None:
            now.roots = self._reconsidered(before)
            belief = of_ended(now.roots, unexplained(now.roots, self._model), before.number, self._written)
            if decide(belief, self._policy).verdict is Verdict.UNEXPLAINED:
                # Nothing is worth carrying on but what is written now.
                reports.append(self._report(before, belief))
                now.roots = [Node(self._written, self._written, self._written)]
                now.after = self._ended(now, ())
            else:
                nodes = self._ended(now, ())
                reports.append(self._report(before, of_the_turn_before(nodes, before.number, self._written)))
                now.roots = forgotten(now.roots, turns=0)
                now.after = forgotten(nodes, turns=1)
            for look in before.looks():
                look.forget_previous()
        else:
            now.after = self._ended(now, ())
        self._before = now
        self._now = _Turn(now.number + 1, now.after)
        return reports

    def _report(self, opened: _Turn, posterior: Posterior) -> TurnReport:
        blind = not opened.looks() and not self._now.looks()
        decision = decide(posterior, self._policy, blind=blind)
        best = decision.best
        lines: list[Step | Correction] = []
        if best.start != self._written:
            changes = difference(self._written, best.start)
            if changes:
                lines.append(Correction(changes, "what came later showed another position"))
        lines += _written(best)
        state = best.state
        if decision.verdict is Verdict.UNEXPLAINED and opened.looks():
            state = _corrected(best, lines, opened.looks()[-1])
        self._written = state
        shown = tuple(of_slip(slip, p, best.state) for slip, p in decision.slips)
        refused = tuple(of_refused(told, refusal) for told, refusal in best.refused)
        return TurnReport(
            opened.number, opened.seat, decision, tuple(lines), (*shown, *refused), tuple(opened.notices), state
        )


def _corrected(best: Explanation, lines: list[Step | Correction], look: Evidence) -> State:
    """The position with what is surely seen set right before the turn ends, where the rules allow it at all."""
    steps = [*best.steps]
    ending = [steps.pop()] if steps and isinstance(steps[-1][1], End) else []
    state = best.start
    for line in _written(replace(best, steps=tuple(steps))):
        match line:
            case Correction(changes):
                state = corrected(state, changes)
            case (seat, move, _):
                state = apply_legal(state, move, seat)
    found = seen_instead(state, look)
    if found is None:
        return best.state
    changes, state = found
    correction = Correction(changes, "no legal turn explains what is seen")
    if ending:
        lines.insert(len(lines) - 1, correction)
        return apply_legal(state, End())
    lines.append(correction)
    return state


def _fixes_east(observation: Observation, state: State) -> bool:
    """Whether a look may hold east in place for later ones: a bare pond must be found where the figures stand."""
    if any(belief.p_absent < _THERE for belief in observation.cells.values()):
        return True
    stand = (observation.gardener_p.get(state.gardener, 0.0), observation.panda_p.get(state.panda, 0.0))
    return min(stand) > 1.0 - _THERE


def _written(best: Explanation) -> list[Step | Correction]:
    """The steps of a turn as they go into the record: a store that proved wrong is set right before it is used."""
    lines: list[Step | Correction] = []
    state = best.start
    for seat, move, told in best.steps:
        if why_illegal(state, move, seat) is not None:
            amended = with_channel(state) if isinstance(move, Irrigate) else with_eaten(state, Told(seat, move))
            if amended is not None:
                lines.append(Correction(difference(state, amended), "the store was another than the record had it"))
                state = amended
        lines.append((seat, move, told))
        state = apply_legal(state, move, seat)
    return lines


def _variants(lying: Sequence[tuple[Slip, float]]) -> dict[Variant, float]:
    """Every combination of slips that may lie there, as variants of a node."""
    ways: dict[Slips, float] = {(): 0.0}
    for slip, p in lying:
        share = min(max(p, 0.01), 0.99)
        ways = {
            way: weight + log(chance)
            for kept, weight in ways.items()
            for way, chance in (((*kept, slip), share), (kept, 1 - share))
        }
    return {Variant(lying=slips, earlier=slips): weight for slips, weight in ways.items()}
