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
from companion.reconcile.posterior import Explanation, Posterior, of_ended, of_running, of_the_turn_before
from companion.reconcile.search import TurnSearch, forgotten
from companion.reconcile.slips import Slip, Slips

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

    @property
    def seat(self) -> int:
        turn = self.roots[0].state.turn
        return 0 if turn is None else turn.seat

    @property
    def ended(self) -> bool:
        return any(isinstance(item, Told) and isinstance(item.move, End | Stop) for item in self.items)

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
        return of_running(nodes, search.unexplained(nodes), self._now.number, self._written)

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
        if observation.context is not None:
            self._context = observation.context
        evidence = Evidence(observation, self._model.eye, self._previous)
        self._previous = evidence
        self._search = None
        self._now.items.append(evidence)

    def close(self) -> list[TurnReport]:
        """The evening is over: the report that was still open."""
        before, self._before = self._before, None
        if before is None:
            return []
        nodes, search = self._ended(before, self._now.looks())
        posterior = of_ended(nodes, search.unexplained(nodes), before.number, self._written)
        return [self._report(before, posterior)]

    def _run(self) -> TurnSearch:
        """Search the turn that goes on, and the one before it with what was seen since."""
        if self._search is None:
            if self._before is not None:
                self._now.roots, _ = self._ended(self._before, self._now.looks())
            self._search = self._searched(self._now, ())
        return self._search

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

    def _ended(self, turn: _Turn, after: Sequence[Evidence]) -> tuple[list[Node], TurnSearch]:
        """The positions after a turn that has ended, best first."""
        search = self._searched(turn, after)
        looks = turn.looks()
        hand = bool(looks) and looks[-1].observation.status is Status.OCCLUDED
        return search.end(after[:LOOKS_AHEAD], open_end=hand), search

    def _finish(self) -> list[TurnReport]:
        """The running turn has ended: report the one before it, and keep this one open."""
        reports: list[TurnReport] = []
        now, before = self._now, self._before
        nodes: list[Node] | None = None
        if before is not None:
            now.roots, search = self._ended(before, now.looks())
            belief = of_ended(now.roots, search.unexplained(now.roots), before.number, self._written)
            if decide(belief, self._policy).verdict is Verdict.UNEXPLAINED:
                # Nothing is worth carrying on but what is written now.
                reports.append(self._report(before, belief))
                now.roots = [Node(self._written, self._written, self._written)]
            else:
                nodes, _ = self._ended(now, ())
                reports.append(self._report(before, of_the_turn_before(nodes, before.number, self._written)))
                now.roots = forgotten(now.roots, turns=0)
                nodes = forgotten(nodes, turns=1)
        if nodes is None:
            nodes, _ = self._ended(now, ())
        self._before = now
        self._now = _Turn(now.number + 1, nodes)
        return reports

    def _report(self, opened: _Turn, posterior: Posterior) -> TurnReport:
        decision = decide(posterior, self._policy)
        best = decision.best
        lines: list[Step | Correction] = []
        if best.start != self._written:
            changes = difference(self._written, best.start)
            if changes:
                lines.append(Correction(changes, "what came later showed another position"))
        lines += _written(best)
        state = best.state
        if decision.verdict is Verdict.UNEXPLAINED and self._previous is not None:
            state = self._corrected(best, lines)
        self._written = state
        shown = tuple(of_slip(slip, p, best.state) for slip, p in decision.slips)
        refused = tuple(of_refused(told, refusal) for told, refusal in best.refused)
        return TurnReport(
            opened.number, opened.seat, decision, tuple(lines), (*shown, *refused), tuple(opened.notices), state
        )

    def _corrected(self, best: Explanation, lines: list[Step | Correction]) -> State:
        """The position with what is surely seen set right before the turn ends, where the rules allow it at all."""
        assert self._previous is not None  # asked by the caller
        steps = [*best.steps]
        ending = [steps.pop()] if steps and isinstance(steps[-1][1], End) else []
        state = best.start
        for seat, move, _ in steps:
            state = apply_legal(state, move, seat)
        found = seen_instead(state, self._previous)
        if found is None:
            return best.state
        changes, state = found
        if ending:
            lines.insert(len(lines) - 1, Correction(changes, "no legal turn explains what is seen"))
            return apply_legal(state, End())
        lines.append(Correction(changes, "no legal turn explains what is seen"))
        return state


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
