"""All ways to put told lines in their place, with unseen moves anywhere between them: a beam over levels of moves.

A level holds the nodes that have made as many unseen moves. Turns that differ only in the order of their moves meet in
one node; legality comes from the rules; what is tried comes from `candidates`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from math import inf, log

from companion.errors import BadInputError
from companion.games.takenoko.legality import why_illegal
from companion.games.takenoko.moves import Draw, End, Move, Skip, Stop
from companion.games.takenoko.state import State
from companion.games.takenoko.transition import apply_legal
from companion.reconcile.amend import with_channel, with_eaten
from companion.reconcile.candidates import Candidates
from companion.reconcile.changes import Changes
from companion.reconcile.model import Model
from companion.reconcile.nodes import RANK, ROOT, Node, Step, Told, with_each
from companion.reconcile.promise import Promise
from companion.reconcile.scoring import Scorer
from companion.reconcile.timeline import is_told
from companion.reconcile.window import Window


class _Level:
    """The nodes that have made as many unseen moves, by what they agree on."""

    def __init__(self, enough: int | None) -> None:
        """Begin without nodes; None: there are never enough."""
        self.nodes: dict[Hashable, Node] = {}
        self._enough = enough
        self._best: list[float] = []
        """The best ranks, as a heap."""
        self._best_of_root: dict[int, float] = {}

    def add_rank(self, root: int, rank: float) -> None:
        """Note the rank of one more node."""
        heappush(self._best, rank)
        if self._enough is not None and len(self._best) > self._enough:
            heappop(self._best)
        self._best_of_root[root] = max(self._best_of_root.get(root, -inf), rank)

    def bar(self, root: int) -> float:
        """A node from this root that ranks no higher will not be kept."""
        full = len(self._best) == self._enough
        return min(self._best[0], self._best_of_root.get(root, -inf)) if full else -inf


class Beam:
    """The stretch before one look, or before the end of the turn."""

    def __init__(
        self, model: Model, told: Sequence[Told], window: Window, scorer: Scorer | None, *, late: float = 0.0
    ) -> None:
        """Take what is told and what is coming.

        Args:
            model: what is believed beforehand.
            told: the lines that wait for their place, in order.
            window: what the coming looks leave possible; without any, no unseen move is tried.
            scorer: the next look, by which nodes are ranked; None: by what is known of them already.
            late: what the first unseen move costs (natural log), where it comes after the turn's last look.
        """
        self._model = model
        self._told = told
        self._candidates = Candidates(window, model.play)
        self._scorer = scorer
        self._promise = None if scorer is None else Promise(scorer)
        self._only_falls = all(is_told(line.move) for line in told)
        """Whether no told line can make the look fit better, so that ranks only fall by them."""
        self._late = late
        self._changes = Changes()

    def ways(self, nodes: Iterable[Node]) -> list[Node]:
        """All ways to go on from these nodes that were worth following.

        A told line that the rules refuse in every way is left out and noted on the nodes.
        """
        while True:
            complete, deepest = self._grow(nodes)
            if complete:
                return complete
            nodes = [_without(node, self._told[node.told]) for node in deepest]

    def _grow(self, nodes: Iterable[Node]) -> tuple[list[Node], list[Node]]:
        """The complete nodes, and those that came furthest among the told lines."""
        told = self._told
        complete: dict[Hashable, Node] = {}
        deepest: list[Node] = []
        levels: dict[int, _Level] = {}
        for node in nodes:
            node.rank = -inf
            self._joins(self._level(levels, node.unseen).nodes, node)
        while levels:
            # Nodes compete with those that have made as many moves: fewer leave more of the look unexplained yet.
            count = min(levels)
            level = levels.pop(count).nodes
            queue = list(level.values())
            for node in queue:  # grows while it is walked
                if node.told < len(told):
                    line = told[node.told]
                    child = self._tell(node, line)
                    if child is None:
                        continue
                    if why_illegal(node.state, line.move, line.seat) is None and _can_be_early(node.state, line):
                        # Every turn that has it later is the same turn in another order.
                        level.pop(self._key(node), None)
                    if self._joins(level, child):
                        queue.append(child)
            ranked = self._best_of(level.values())
            furthest = max(node.told for node in ranked)
            if not deepest or furthest > deepest[0].told:
                deepest = [node for node in ranked if node.told == furthest]
            for node in ranked:
                if node.told == len(told):
                    self._joins(complete, node)
            if self._promise is not None:
                self._spread(ranked, self._level(levels, count + 1), self._promise)
                if not levels[count + 1].nodes:
                    del levels[count + 1]
        return list(complete.values()), deepest

    def _level(self, levels: dict[int, _Level], count: int) -> _Level:
        found = levels.get(count)
        if found is None:
            # Where a told line may make the look fit better no node may be dropped before it is told.
            enough = self._model.effort.width if self._only_falls else None
            found = levels[count] = _Level(enough)
        return found

    def _spread(self, nodes: Sequence[Node], level: _Level, promise: Promise) -> None:
        """Add every unseen move worth trying; the first one after the turn's last look costs `late`.

        Those that promise most are made first, so that most of the others need not be made at all.
        """
        tries: list[tuple[Node, State, Move, float, float]] = []
        hopes: list[float] = []
        for node in nodes:
            late = 0.0 if node.late else self._late
            node.state.garden.share()
            for state, move, prior in self._tries(node.state):
                tries.append((node, state, move, prior, late))
                hopes.append(node.rank + prior + late + promise.of(node, move))
        for index in sorted(range(len(tries)), key=hopes.__getitem__, reverse=True):
            node, state, move, prior, late = tries[index]
            if hopes[index] <= level.bar(node.root):
                continue
            turn = node.state.turn
            seat = 0 if turn is None else turn.seat
            child = _child(node, apply_legal(state, move), (seat, move, False), node.told)
            child.score += prior + late
            child.prior += prior
            child.unseen += 1
            child.amended += state is not node.state
            child.late = node.late or late < 0.0
            before = len(level.nodes)
            if self._joins(level.nodes, child):
                child.rank = promise.scorer.rank(child)
                if len(level.nodes) > before:
                    level.add_rank(node.root, child.rank)

    def _tries(self, state: State) -> Iterator[tuple[State, Move, float]]:
        """The unseen moves worth trying, each with the position that it is made in and its prior."""
        for move, prior in self._candidates.of(state):
            yield state, move, prior
        placed = self._candidates.surely_placed(state)
        amended = with_channel(state) if placed else None
        if amended is not None:
            for move, prior in placed:
                yield amended, move, prior - self._model.play.store_unknown_nats

    def _tell(self, node: Node, told: Told) -> Node | None:
        """The told line put in its place here, or None where the rules refuse it.

        An open weather effect of which nothing was seen is declined first.
        """
        play = self._model.play
        state, cost = node.state, 0.0
        refusal = why_illegal(state, told.move, told.seat)
        if refusal is not None and state.turn is not None and state.turn.weather_pending:
            declined = _child(node, apply_legal(state, Skip()), (state.turn.seat, Skip(), False), node.told)
            declined.score += log(play.skip)
            declined.prior += log(play.skip)
            return self._tell(declined, told)
        if refusal is not None:
            amended = with_eaten(state, told) if refusal.rule == "T-OBJ-6" else None
            if amended is None:
                return None
            state, cost = amended, play.store_unknown_nats
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
        play = self._model.play
        missing = 0 if turn is None else turn.action_limit() - len(turn.actions)
        return log(play.early_end) + (missing - 1) * log(play.all_undone) if missing > 0 else 0.0

    def _best_of(self, nodes: Iterable[Node]) -> list[Node]:
        """The nodes of one level that are kept, best first."""
        effort, scorer = self._model.effort, self._scorer
        for node in nodes:
            if node.rank == -inf:
                node.rank = node.best() if scorer is None else scorer.rank(node)
        ranked = sorted(nodes, key=RANK, reverse=True)
        lowest = ranked[0].rank - effort.within
        return [node for node in with_each(ranked, effort.width, ROOT) if node.rank >= lowest]

    def _joins(self, level: dict[Hashable, Node], node: Node) -> bool:
        """Add a node unless a better way to the same position is there already."""
        key = self._key(node)
        other = level.get(key)
        if other is not None and other.score >= node.score:
            return False
        level[key] = node
        return True

    def _key(self, node: Node) -> Hashable:
        """What two nodes that may be one agree on: where they came from, what is told, and the position."""
        state = node.state
        plots = self._changes.of(state.plots, node.start.plots)
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
    return replace(node, told=node.told + 1, refused=(*node.refused, (told, refusal)))
