"""Following an evening, turn by turn: told lines and looks in, reports out.

A report is made one turn late: what the next turn shows (a slip mended, a claim that proves a bite) speaks of the turn
before it too. Where that leaves a doubt it waits for some turns more (`Policy.patience`); whatever is reported, the
other ways in which the evening may have gone are followed on, so that later looks can overturn it. A hand in a turn's
last look leaves its end open until the next look.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import log

from companion.games.takenoko.moves import End, Move, Stop
from companion.games.takenoko.state import State
from companion.observation import LookContext, Observation, Status
from companion.reconcile.astray import as_seen
from companion.reconcile.covered import Plots, blank, covered_cells, is_lost, other_plots, with_covered
from companion.reconcile.discrepancy import of_refused, of_slip
from companion.reconcile.ends import forgotten
from companion.reconcile.evidence import Evidence
from companion.reconcile.model import DEFAULT_MODEL, Model
from companion.reconcile.nodes import Node, Told, Variant
from companion.reconcile.notices import Attention, Notice
from companion.reconcile.policy import DEFAULT_POLICY, Policy, Verdict, decide
from companion.reconcile.posterior import Posterior, of_ended, of_running, unexplained
from companion.reconcile.search import TurnSearch
from companion.reconcile.slips import Slip, Slips
from companion.reconcile.stages import LOOKS_AHEAD, Stages
from companion.reconcile.written import Correction, TurnReport, written

__all__ = ["Correction", "Follower", "TurnReport"]

_THERE = 0.2
"""Something less likely absent than this is surely there."""


@dataclass(slots=True)
class _Turn:
    """What was told and seen in one turn, and the positions that it may start from."""

    number: int
    roots: list[Node]
    items: list[Told | Evidence] = field(default_factory=list)
    notices: list[tuple[str, Notice]] = field(default_factory=list)
    stages: Stages = field(default_factory=Stages)
    after: list[Node] = field(default_factory=list)
    """The positions after its end, as it was judged when it ended."""
    lost: bool = False
    """Nothing explained what was seen of it."""
    blind: bool = False
    """Its last picture showed nothing: how the turn left the table was not seen."""

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
        known = self.roots[0].state.plots
        return not looks or self.blind or any(look.has_blind_spots(known) for look in looks)

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
        self._open: list[_Turn] = []
        """Turns that have ended and are not reported yet."""
        self._now = _Turn(1, [Node(state, state, None, variants=_variants(lying))])
        self._written = state
        self._previous: Evidence | None = None
        self._attention = Attention()
        self._context: LookContext | None = None
        self._search: TurnSearch | None = None
        self._shown: Plots = frozenset()
        """The plots that the last look surely showed."""

    @property
    def anchor(self) -> LookContext | None:
        """Where the last good look was taken."""
        return self._context

    @property
    def has_looked(self) -> bool:
        """Whether any look showed the table: it fixes where east is."""
        return self._previous is not None

    @property
    def is_in_a_turn(self) -> bool:
        """Whether anything was told or seen of a turn that has not ended."""
        return any(isinstance(item, Told) for item in self._now.items)

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
        seen, observation = observation, self._uncovered(observation)
        noticed = self._attention.take(seen, observation)
        self._now.notices += [(name, notice) for notice in noticed]
        self._now.blind = observation.status in (Status.NO_TABLE, Status.MOVING)
        if self._now.blind:
            return
        if observation.context is not None and _fixes_east(observation, self._now.roots[0].state):
            self._context = observation.context
        evidence = Evidence(observation, self._model.eye, self._previous)
        self._previous = evidence
        self._search = None
        self._now.items.append(evidence)

    def _uncovered(self, observation: Observation) -> Observation:
        """The look without what it says of places that must be covered: plots lie there that it does not show.

        What may lie on the table is what lay there before the last two turns, whatever happened in them.
        """
        if observation.status in (Status.NO_TABLE, Status.MOVING):
            return observation
        roots = [*self._now.roots, *(self._open[-1].roots if self._open else ())]
        states = [node.state for node in roots]
        if is_lost(observation, states):
            return blank(observation, states)
        lying = {slip for node in roots for variant in node.variants for slip in variant.lying}
        off = {place for slip in lying if slip.is_plot() for place in slip.places()}
        before, self._shown = self._shown, other_plots(observation)
        return with_covered(observation, covered_cells(observation, states, before) - off)

    def close(self) -> list[TurnReport]:
        """The evening is over: the reports that were still open."""
        if not self._open:
            return []
        nodes = self._reconsidered(self._open[-1])
        self._open[-1].lost = self._is_lost(self._open[-1], nodes)
        reports: list[TurnReport] = []
        while self._open:
            reports.append(self._confirm(self._report(self._open[0], nodes, len(self._open) - 1)))
        return reports

    def _run(self) -> TurnSearch:
        """Search the turn that goes on, and the one before it with what was seen since."""
        if self._search is None:
            if self._open:
                self._now.roots = self._reconsidered(self._open[-1])
            self._search = self._searched(self._now, ())
        return self._search

    def _reconsidered(self, turn: _Turn) -> list[Node]:
        """The positions after the turn before the running one, with what was seen since if that can matter."""
        if turn.is_open() and self._now.looks():
            return self._ended(turn, self._now.looks())
        return turn.after

    def _searched(self, turn: _Turn, after: Sequence[Evidence]) -> TurnSearch:
        """The search over a turn's items, helped by the looks after it."""
        return turn.stages.search(turn.roots, turn.items, after, self._model, turn.number, ended=turn.ended)

    def _ended(self, turn: _Turn, after: Sequence[Evidence]) -> list[Node]:
        """The positions after a turn that has ended, best first."""
        search = self._searched(turn, after)
        looks = turn.looks()
        hand = bool(looks) and looks[-1].observation.status is Status.OCCLUDED
        return search.end(after[:LOOKS_AHEAD], open_end=hand or turn.blind)

    def _finish(self) -> list[TurnReport]:
        """The running turn has ended: keep it open, and report those before it that are sure or have waited enough."""
        now = self._now
        if self._open:
            self._look_back()
            now.roots = self._reconsidered(self._open[-1])
            self._open[-1].lost = self._is_lost(self._open[-1], now.roots)
            if self._open[-1].lost and self._open[-1].looks():
                now.roots = [*now.roots, *as_seen(now.roots, self._open[-1].looks()[-1], self._model)]
                for root, node in enumerate(now.roots):
                    node.root = root
        now.after = nodes = self._ended(now, ())
        self._open.append(now)
        reports: list[TurnReport] = []
        while len(self._open) > 1:
            back = len(self._open) - 1
            report = self._report(self._open[0], nodes, back)
            if report.decision.verdict is not Verdict.ACCEPT and back < self._policy.patience:
                break
            reports.append(self._confirm(report))
        if reports:  # else nothing is forgotten, and what was searched from these very roots still holds
            now.roots = forgotten(now.roots, turns=len(self._open) - 1)
        now.after = forgotten(nodes, turns=len(self._open))
        self._now = _Turn(now.number + 1, now.after)
        return reports

    def _look_back(self) -> None:
        """Search the turns that wait in doubt anew with what was seen since: it may show what was hidden then."""
        waiting = [*self._open, self._now]
        if any(turn.lost for turn in waiting):
            return
        for index, (turn, following) in enumerate(pairwise(self._open)):
            after = [look for later in waiting[index + 1 :] for look in later.looks()]
            if turn.is_open() and after:
                following.roots = self._ended(turn, after)
                following.after = self._ended(
                    following, [look for later in waiting[index + 2 :] for look in later.looks()]
                )

    def _is_lost(self, turn: _Turn, nodes: Sequence[Node]) -> bool:
        """Whether no legal turn explains what was seen of a turn, nor slips with it."""
        belief = of_ended(nodes, unexplained(nodes, self._model), turn.number)
        return decide(belief, self._policy).verdict is Verdict.UNEXPLAINED

    def _confirm(self, report: TurnReport) -> TurnReport:
        """The oldest open turn is reported: what is written of it stands."""
        self._written = report.state
        for look in self._open.pop(0).looks():
            look.forget_previous()
        return report

    def _report(self, turn: _Turn, nodes: Sequence[Node], back: int) -> TurnReport:
        """What would be said of the oldest open turn now; `back` turns have ended since."""
        posterior = of_ended(nodes, None, turn.number, self._written, back)
        looked = any(later.looks() for later in (*self._open, self._now))
        decision = decide(posterior, self._policy, blind=not looked, turn=turn.number)
        if turn.lost:
            # What the record could not explain does not become certain by what came later.
            decision = replace(decision, verdict=Verdict.UNEXPLAINED)
        best = decision.best
        shown = tuple(of_slip(slip, p, best.state) for slip, p in decision.slips)
        refused = tuple(of_refused(told, refusal) for told, refusal in best.refused)
        lines, notices = written(best, self._written), tuple(turn.notices)
        return TurnReport(turn.number, turn.seat, decision, lines, (*shown, *refused), notices, best.state)


def _fixes_east(observation: Observation, state: State) -> bool:
    """Whether a look may hold east in place for later ones: a bare pond must be found where the figures stand."""
    if any(belief.p_absent < _THERE for belief in observation.cells.values()):
        return True
    stand = (observation.gardener_p.get(state.gardener, 0.0), observation.panda_p.get(state.panda, 0.0))
    return min(stand) > 1.0 - _THERE


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
    return {Variant(lying=slips, ended=(slips,)): weight for slips, weight in ways.items()}
