"""The search over one turn: told lines in their order, unseen moves anywhere between them, looks as they came.

Between looks the ways to go on are found by a `Beam`. After each look the slips that it suggests join as variants of
the nodes, and earlier slips may be found mended.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from math import log

from companion.observation import Status
from companion.reconcile.astray import amended, misread
from companion.reconcile.beam import Beam
from companion.reconcile.ends import carried, ended
from companion.reconcile.evidence import Evidence
from companion.reconcile.lying import LyingSlips
from companion.reconcile.model import Model
from companion.reconcile.nodes import RANK, ROOT, Node, Told, with_each
from companion.reconcile.scoring import Scorer
from companion.reconcile.window import Window


class TurnSearch:
    """One turn, as far as it has come."""

    def __init__(self, roots: Sequence[Node], model: Model, turn: int) -> None:
        """Begin a turn.

        Args:
            roots: the positions it may start from, weighted.
            model: what is believed beforehand.
            turn: its number, all turns counted from 1.
        """
        self.model = model
        self.turn = turn
        self.nodes = list(roots)
        self.looks = 0
        for node in self.nodes:
            node.prior = node.best()
        self._waiting: list[Told] = []
        self._last: Evidence | None = None

    def copy(self) -> TurnSearch:
        """The search as it stands, to be gone on with apart from this one."""
        twin = copy(self)
        twin.nodes = [replace(node) for node in self.nodes]
        twin._waiting = list(self._waiting)
        return twin

    def tell(self, told: Told) -> None:
        """Take a told line; it finds its place at the next look or at the end."""
        self._waiting.append(told)

    def look(self, evidence: Evidence, later: Sequence[Evidence] = (), *, last: bool = False) -> None:
        """Take a look at the table, the unseen moves before it anywhere among the waiting told lines.

        Args:
            evidence: the look.
            later: further looks that are known already: they show what was hidden in this one.
            last: no further look will come before the turn is judged: what a hand hides must be reckoned with now.
        """
        scorer = Scorer(evidence)
        hand = evidence.observation.status is Status.OCCLUDED
        self.nodes = self._ways(Window((evidence, *later), visible_only=hand and not last), scorer)
        if self.looks:
            self._take_back()
        effort = self.model.effort
        top = max(node.rank for node in self.nodes)
        ranked = sorted(self.nodes, key=RANK, reverse=True)
        # Where no slips are looked for, what is not kept in the end need not be weighed.
        self.nodes = [
            node
            for index, node in enumerate(ranked)
            if node.rank >= top - (effort.slips_within if index < effort.slips_in else effort.keep_within)
            or not node.unseen
        ]
        slips = LyingSlips(scorer, self.model, self.turn)
        doubt = evidence.doubt()
        for index, node in enumerate(self.nodes):
            seen = node.seen if node.seen is not None else node.state
            node.score += scorer.score(node.state, seen)
            node.prior += doubt
            slips.weigh(node, seen, suggest=index < effort.slips_in)
            node.seen = node.state
            node.told = 0
        self._waiting.clear()
        self._last = evidence
        self.looks += 1
        self._keep()

    def end(self, later: Sequence[Evidence] = (), *, open_end: bool = False) -> list[Node]:
        """End the turn; `end` is among the waiting told lines.

        Args:
            later: looks of the next turn, if they are known.
            open_end: a hand was in the turn's last look, so something may have been moved after it.

        Returns:
            The positions with the next seat to play, best first, each with its past.
        """
        free = bool(later) and (open_end or not self.looks)
        late = log(self.model.play.after_last_look) if self.looks else 0.0
        scorer = Scorer(later[0]) if free else None
        nodes = self._ways(Window(later if free else (), figures_move_on=True), scorer, late)
        self._waiting.clear()
        ways = ended(nodes)
        right = amended(ways, self.turn, self.model) + misread(ways, self._last, self.model)
        return carried([*ways, *right], scorer, self.model.effort)

    def believe(self) -> list[Node]:
        """The nodes as they stand, the waiting told lines put in their place without any unseen move."""
        return self._ways(Window(()), None) if self._waiting else self.nodes

    def _ways(self, window: Window, scorer: Scorer | None, late: float = 0.0) -> list[Node]:
        """All ways to put the waiting lines in place, with the unseen moves between them that a window shows."""
        return Beam(self.model, tuple(self._waiting), window, scorer, late=late).ways(self.nodes)

    def _take_back(self) -> None:
        """Let the turn go back to what was told alone: what an earlier look showed was taken back on the table."""
        shown = [node.best() for node in self.nodes if node.unseen]
        if not shown:
            return
        chance = max(shown) + log(self.model.play.taken_back)
        for node in self.nodes:
            if not node.unseen and node.best() < chance:
                node.score += chance - node.best()
                node.taken_back = True

    def _keep(self) -> None:
        effort = self.model.effort
        self.nodes.sort(key=Node.best, reverse=True)
        lowest = self.nodes[0].best() - effort.keep_within
        best = {id(node) for node in with_each(self.nodes, effort.keep, ROOT) if node.best() >= lowest}
        # What was told alone is always kept: everything else may be taken back on the table.
        self.nodes = [node for node in self.nodes if not node.unseen or id(node) in best]
