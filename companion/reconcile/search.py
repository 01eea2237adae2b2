"""The search over one turn: told lines in their order, unseen moves anywhere between them, looks as they came.

A beam over levels of unseen moves. Turns that differ only in the order of their moves meet in one node; legality comes
from the rules; what is tried comes from `candidates`. After each look the slips that it suggests join as variants of
the nodes, and earlier slips may be found mended.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from math import log
from operator import attrgetter, itemgetter

from companion.errors import BadInputError
from companion.games.takenoko.legality import why_illegal
from companion.games.takenoko.moves import Draw, End, Move, Skip, Stop
from companion.games.takenoko.state import State
from companion.games.takenoko.transition import apply_legal
from companion.observation import Status
from companion.reconcile.amend import with_channel, with_eaten
from companion.reconcile.astray import amended, misread
from companion.reconcile.candidates import Window, candidates
from companion.reconcile.evidence import Evidence
from companion.reconcile.model import Model
from companion.reconcile.nodes import PLAIN, Node, Past, Step, Told, Variant, log_sum, steps_of
from companion.reconcile.scoring import Scorer
from companion.reconcile.slip_search import SlipSearch, Trace
from companion.reconcile.slips import Slips

_RANK = attrgetter("rank")
_WEIGHT = itemgetter(1)
_MOST_LYING = 3
"""So many slips at once lie on no table; where they seem to, the record has gone astray."""
_RANKED_VARIANTS = 3
"""While moves are tried, a node is ranked by its likeliest slips alone."""


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
        self.nodes = self._close(Window((evidence, *later), visible_only=hand and not last), scorer, free=True)
        if self.looks:
            self._take_back()
        effort = self.model.effort
        top = max(node.rank for node in self.nodes)
        ranked = sorted(self.nodes, key=_RANK, reverse=True)
        # Where no slips are looked for, what is not kept in the end need not be weighed.
        self.nodes = [
            node
            for index, node in enumerate(ranked)
            if node.rank >= top - (effort.slips_within if index < effort.slips_in else effort.keep_within)
            or not node.unseen
        ]
        slips = SlipSearch(evidence, self.model.slip, self.turn)
        doubt = evidence.doubt()
        for index, node in enumerate(self.nodes):
            seen = node.seen if node.seen is not None else node.state
            node.score += scorer.score(node.state, seen)
            node.prior += doubt
            self._vary(node, seen, scorer, slips, suggest=index < effort.slips_in)
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
        nodes = self._close(Window(later, figures_move_on=True), scorer, free=free, late=late)
        self._waiting.clear()
        merged: dict[Hashable, Node] = {}
        for node in nodes:
            past = Past(node.start, steps_of(node.path), node.state, node.refused, node.taken_back, node.past)
            variants: dict[Variant, float] = {}
            for variant, weight in node.variants.items():
                ended = Variant(lying=variant.lying, ended=(variant.lying, *variant.ended))
                known = variants.get(ended)
                variants[ended] = weight if known is None else log_sum([known, weight])
            after = Node(node.state, node.state, node.seen, node.score, node.prior, variants, past=past)
            key = (node.state, None if node.past is None else node.past.ends())
            other = merged.get(key)
            merged[key] = after if other is None else _merge(other, after)
        ways = merged.values()
        right = amended(ways, self.turn, self.model) + misread(ways, self._last, self.model)
        return self._carry([*ways, *right], scorer)

    def believe(self) -> list[Node]:
        """The nodes as they stand, the waiting told lines put in their place without any unseen move."""
        return self._close(Window(()), None, free=False) if self._waiting else self.nodes

    # The beam.

    def _close(self, window: Window, scorer: Scorer | None, *, free: bool, late: float = 0.0) -> list[Node]:
        """All ways to put the waiting lines in place, with unseen moves between them if `free`.

        A told line that the rules refuse in every way is left out and noted on the nodes.
        """
        told = tuple(self._waiting)
        nodes = self.nodes
        while True:
            complete, deepest = self._grow(nodes, told, window, scorer, free=free, late=late)
            if complete:
                return complete
            nodes = [_without(node, told[node.told]) for node in deepest]

    def _grow(
        self,
        nodes: Iterable[Node],
        told: Sequence[Told],
        window: Window,
        scorer: Scorer | None,
        *,
        free: bool,
        late: float,
    ) -> tuple[list[Node], list[Node]]:
        """The complete nodes, and those that came furthest among the told lines."""
        complete: dict[Hashable, Node] = {}
        deepest: list[Node] = []
        levels: dict[int, dict[Hashable, Node]] = {}
        for node in nodes:
            _joins(levels.setdefault(node.unseen, {}), node)
        while levels:
            # Nodes compete with those that have made as many moves: fewer leave more of the look unexplained yet.
            count = min(levels)
            level = levels.pop(count)
            queue = list(level.values())
            for node in queue:  # grows while it is walked
                if node.told < len(told):
                    line = told[node.told]
                    child = self._tell(node, line)
                    if child is None:
                        continue
                    if why_illegal(node.state, line.move, line.seat) is None and _can_be_early(node.state, line):
                        # Every turn that has it later is the same turn in another order.
                        level.pop(_key(node), None)
                    if _joins(level, child):
                        queue.append(child)
            ranked = self._best_of(level.values(), scorer)
            furthest = max(node.told for node in ranked)
            if not deepest or furthest > deepest[0].told:
                deepest = [node for node in ranked if node.told == furthest]
            for node in ranked:
                if node.told == len(told):
                    _joins(complete, node)
            if free:
                for node in ranked:
                    self._spread(node, window, levels.setdefault(count + 1, {}), late)
                if not levels[count + 1]:
                    del levels[count + 1]
        return list(complete.values()), deepest

    def _spread(self, node: Node, window: Window, level: dict[Hashable, Node], late: float) -> None:
        """Add every unseen move worth trying; the first one after the turn's last look costs `late`."""
        turn = node.state.turn
        seat = 0 if turn is None else turn.seat
        for state, move, prior in self._tries(node.state, window):
            child = _child(node, apply_legal(state, move), (seat, move, False), node.told)
            child.score += prior
            child.prior += prior
            child.unseen += 1
            child.amended += state is not node.state
            if late and not node.late:
                child.score += late
                child.late = True
            _joins(level, child)

    def _tries(self, state: State, window: Window) -> Iterator[tuple[State, Move, float]]:
        """The unseen moves worth trying, each with the position that it is made in and its prior."""
        for move, prior in candidates(state, window, self.model.play):
            yield state, move, prior
        amended = with_channel(state)
        if amended is not None:
            for move, prior in window.surely_placed(amended, self.model.play):
                yield amended, move, prior - self.model.play.store_unknown_nats

    def _tell(self, node: Node, told: Told) -> Node | None:
        """The told line put in its place here, or None where the rules refuse it.

        An open weather effect of which nothing was seen is declined first.
        """
        state, cost = node.state, 0.0
        refusal = why_illegal(state, told.move, told.seat)
        if refusal is not None and state.turn is not None and state.turn.weather_pending:
            declined = _child(node, apply_legal(state, Skip()), (state.turn.seat, Skip(), False), node.told)
            declined.score += log(self.model.play.skip)
            declined.prior += log(self.model.play.skip)
            return self._tell(declined, told)
        if refusal is not None:
            amended = with_eaten(state, told) if refusal.rule == "T-OBJ-6" else None
            if amended is None:
                return None
            state, cost = amended, self.model.play.store_unknown_nats
        child = _child(node, apply_legal(state, told.move, told.seat), (told.seat, told.move, True), node.told + 1)
        child.score -= cost
        child.amended += cost > 0
        if isinstance(told.move, End):
            ending = self._ending(node.state)
            child.score += ending
            child.prior += ending
        return child

    def _ending(self, state: State) -> float:
        """The prior of a turn that ends with so many actions taken."""
        turn = state.turn
        early = self.model.play.early_end
        missing = 0 if turn is None else turn.action_limit() - len(turn.actions)
        return missing * log(early)

    def _best_of(self, nodes: Iterable[Node], scorer: Scorer | None) -> list[Node]:
        """The nodes of one level that are kept, best first."""
        effort = self.model.effort
        for node in nodes:
            node.rank = node.best() if scorer is None else self._rank(node, scorer)
        ranked = sorted(nodes, key=_RANK, reverse=True)
        lowest = ranked[0].rank - effort.within
        return [node for node in _with_each(ranked, effort.width, _root) if node.rank >= lowest]

    def _rank(self, node: Node, scorer: Scorer) -> float:
        """The best log weight that the node would have after the look, if it were taken now."""
        seen = node.seen if node.seen is not None else node.state
        score = node.score + scorer.score(node.state, seen)
        if len(node.variants) == 1 and PLAIN in node.variants:
            return score
        likely = sorted(node.variants.items(), key=_WEIGHT, reverse=True)[:_RANKED_VARIANTS]
        return score + max(
            weight + scorer.slips(node.state, seen, variant.lying, variant.lying) for variant, weight in likely
        )

    # A look.

    def _vary(self, node: Node, seen: State, scorer: Scorer, slips: SlipSearch, *, suggest: bool) -> None:
        """Weigh the slips that lay there, those that were mended, and new ones that this look suggests."""
        varied: dict[Variant, list[float]] = {}

        def add(variant: Variant, weight: float, lay: Slips) -> None:
            weight += scorer.slips(node.state, seen, variant.lying, lay)
            varied.setdefault(variant, []).append(weight)

        trace: Trace | None = None
        for variant, weight in node.variants.items():
            for lying, kept in self._mended(variant.lying):
                after = variant._replace(lying=lying)
                add(after, weight + kept, variant.lying)
                if variant.fresh or not suggest or len(lying) >= _MOST_LYING:
                    continue
                if trace is None:
                    trace = Trace(node.start, [(seat, move) for seat, move, _ in steps_of(node.path)])
                for slip, share in slips.suggest(node.state, trace, variant.lying):
                    varied_to = after._replace(lying=(*lying, slip), fresh=True)
                    add(varied_to, weight + kept + share, variant.lying)
        totals = {variant: log_sum(weights) for variant, weights in varied.items()}
        lowest = max(totals.values()) - self.model.effort.keep_within
        best = sorted(totals.items(), key=lambda item: item[1], reverse=True)[: self.model.effort.variants]
        node.variants = {variant: weight for variant, weight in best if weight >= lowest}

    def _mended(self, lying: Slips) -> list[tuple[Slips, float]]:
        """What may still lie there of the slips, with the log of its prior."""
        prior = self.model.slip
        ways: list[tuple[Slips, float]] = [((), 0.0)]
        for slip in lying:
            chance = prior.mended_later if slip.turn < self.turn else prior.mended_soon
            ways = [
                way
                for left, weight in ways
                for way in (((*left, slip), weight + log(1 - chance)), (left, weight + log(chance)))
            ]
        return ways

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
        best = {id(node) for node in _with_each(self.nodes, effort.keep, _root) if node.best() >= lowest}
        # What was told alone is always kept: everything else may be taken back on the table.
        self.nodes = [node for node in self.nodes if not node.unseen or id(node) in best]

    def _carry(self, nodes: Collection[Node], scorer: Scorer | None) -> list[Node]:
        """The positions that go on: the likeliest, and those that fit best what the next look shows."""
        effort = self.model.effort
        kept = self._best_ends(nodes, Node.best, effort.ends if scorer is None else effort.open_ends)
        if scorer is not None:
            for node in nodes:
                node.rank = self._rank(node, scorer)
            kept += [node for node in self._best_ends(nodes, _RANK, effort.ends) if node not in kept]
        for root, node in enumerate(kept):
            node.root = root
        return kept

    def _best_ends(self, nodes: Iterable[Node], by: Callable[[Node], float], most: int) -> list[Node]:
        ranked = sorted(nodes, key=by, reverse=True)
        lowest = by(ranked[0]) - self.model.effort.ends_within
        return [node for node in _with_each(ranked, most, _history) if by(node) >= lowest]


def _with_each(ranked: Sequence[Node], most: int, kind: Callable[[Node], Hashable]) -> list[Node]:
    """The first so many nodes and the first of every kind: what a turn leaves open must not crowd out older doubts."""
    kept = list(ranked[:most])
    seen = {kind(node) for node in kept}
    for node in ranked[most:]:
        of = kind(node)
        if of not in seen:
            seen.add(of)
            kept.append(node)
    return kept


def _root(node: Node) -> Hashable:
    return node.root


def _history(node: Node) -> Hashable:
    before = None if node.past is None else node.past.before
    return None if before is None else before.ends()


def _can_be_early(state: State, told: Told) -> bool:
    """Whether a told line that is legal now may as well come now: no unseen move is lost by it or changed."""
    if isinstance(told.move, End | Stop):
        return False
    return not (isinstance(told.move, Draw) and state.rules.options.discard_fulfilled_draw)


def _child(node: Node, state: State, step: Step, told: int) -> Node:
    return Node(
        state=state,
        start=node.start,
        seen=node.seen,
        score=node.score,
        prior=node.prior,
        variants=node.variants,
        told=told,
        unseen=node.unseen,
        path=(node.path, step),
        past=node.past,
        root=node.root,
        taken_back=node.taken_back,
        late=node.late,
        amended=node.amended,
        refused=node.refused,
    )


def _without(node: Node, told: Told) -> Node:
    """The node with a told line left out that the rules refuse."""
    refusal = why_illegal(node.state, told.move, told.seat)
    if isinstance(told.move, End) or refusal is None:
        raise BadInputError(f"the turn of seat {told.seat} cannot end here: {refusal.message if refusal else ''}")
    child = replace(node, told=node.told + 1)
    child.refused = (*node.refused, (told, refusal))
    return child


def _joins(nodes: dict[Hashable, Node], node: Node) -> bool:
    """Add a node unless a better way to the same position is there already."""
    key = _key(node)
    other = nodes.get(key)
    if other is not None and other.score >= node.score:
        return False
    nodes[key] = node
    return True


def _key(node: Node) -> Hashable:
    """What two nodes that may be one agree on: where they came from, what is told, and the position."""
    state, start = node.state, node.start
    plots: Hashable = None
    if state.plots is not start.plots:
        then = start.plots
        plots = frozenset([(at, plot) for at, plot in state.plots.items() if then.get(at) is not plot])
    turn = state.turn
    if turn is None:
        return (node.root, node.told, plots, state.channels, state.gardener, state.panda)
    seat = state.seats[turn.seat]
    return (
        node.root,
        node.told,
        plots,
        state.channels,
        state.gardener,
        state.panda,
        seat.bamboo,
        seat.channels,
        seat.chips,
        turn.seat,
        turn.weather,
        turn.weather_pending,
        tuple(sorted(turn.actions)),
    )


def forgotten(nodes: Sequence[Node], *, turns: int) -> list[Node]:
    """The nodes with the history before their last turns forgotten (it has been reported), best first.

    Args:
        nodes: positions at the start of a turn.
        turns: how many ended turns are remembered.
    """
    merged: dict[Hashable, Node] = {}
    for node in nodes:
        variants: dict[Variant, list[float]] = {}
        for variant, weight in node.variants.items():
            variants.setdefault(variant._replace(ended=variant.ended[: turns + 1]), []).append(weight)
        past = None if node.past is None else node.past.no_longer_than(turns)
        totals = {variant: log_sum(weights) for variant, weights in variants.items()}
        plain = replace(node, past=past, variants=totals)
        key = (node.state, None if past is None else past.ends())
        other = merged.get(key)
        merged[key] = plain if other is None else _merge(other, plain)
    ranked = sorted(merged.values(), key=Node.best, reverse=True)
    top = ranked[0].best()
    for root, node in enumerate(ranked):
        node.score -= top
        node.prior -= top
        node.root = root
    return ranked


def _merge(one: Node, other: Node) -> Node:
    """Two ways to the same end: the better one's history, both weights."""
    better, worse = (one, other) if one.best() >= other.best() else (other, one)
    shift = worse.score - better.score
    variants = dict(better.variants)
    for variant, weight in worse.variants.items():
        known = variants.get(variant)
        variants[variant] = weight + shift if known is None else log_sum([known, weight + shift])
    better.variants = variants
    return better
