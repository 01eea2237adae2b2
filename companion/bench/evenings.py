"""Made-up evenings for measuring the reconciler: whole games as a camera and a few buttons would witness them.

Real games by simulated players, who slip now and then, mend it later, rest a hand on the table, and are photographed in
the middle of turns. What is true is kept beside, to compare.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from companion.games.takenoko.hexgrid import POND, Edge, Hex, edge_ends, neighbours
from companion.games.takenoko.moves import (
    Claim,
    Draw,
    End,
    Improve,
    Irrigate,
    LayPlot,
    LegalMoves,
    Move,
    MoveGardener,
    MovePanda,
    Rain,
    Skip,
    Stop,
    Storm,
    TakeChannel,
)
from companion.games.takenoko.pieces import MAX_GROWTH, Figure, Weather
from companion.games.takenoko.plot import EATEN, GROWN
from companion.games.takenoko.setup import new_game
from companion.games.takenoko.state import State
from companion.games.takenoko.transition import apply_legal
from companion.reconcile.model import SlipKind
from companion.reconcile.nodes import Told
from companion.reconcile.slip_search import Trace
from companion.reconcile.slips import Slip, Slips
from companion.reconcile.timeline import is_told
from companion.simulate.dealer import Dealer
from companion.simulate.table import moves_of_a_game

NAMES = ("Aki", "Oksana", "Jürgen", "Midori")


@dataclass(frozen=True, slots=True)
class Habits:
    """How the simulated people behave."""

    slip: float = 0.03
    """That a turn has a slip."""
    mid_look: float = 0.35
    """That a picture is taken in the middle of a turn."""
    hand: float = 0.05
    """That a hand is in a picture."""
    known_hands: float = 0.5
    """That a seat's cards are known to the record."""


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A moment in which a picture is taken."""

    state: State
    slips: Slips
    hand: Hex | None


@dataclass(frozen=True, slots=True)
class TurnTruth:
    """What was really so in one turn."""

    start: State
    state: State
    """At its end."""
    slips: Slips
    """What lay wrong on the table then."""
    new: Slip | None
    """The slip that was made in this turn, if it lay there at its end."""
    moves: tuple[tuple[int, Move], ...] = ()
    """Every move of the turn with its seat, told or only seen."""


@dataclass(frozen=True, slots=True)
class Evening:
    """Everything that was told and everything that could be seen, in order."""

    start: State
    """As the record knows it: some hands are unknown."""
    items: tuple[Told | Glimpse, ...]
    turns: tuple[TurnTruth, ...]


class HabitPlayer:
    """Plays as people do who mean something by their moves: mostly with an effect, seldom leaving actions undone."""

    def __init__(self, rng: Random) -> None:
        """Take the source of chance."""
        self._rng = rng

    def choose(self, state: State, legal: LegalMoves) -> Move:
        """See `Player`."""
        rng = self._rng
        groups = {type(group[0]): group for group in legal.groups if not isinstance(group[0], Stop)}
        if Claim in groups and rng.random() < 0.6:
            return rng.choice(groups[Claim])
        for kind, chance in ((Irrigate, 0.25), (Improve, 0.25), (Skip, 0.07), (End, 0.03)):
            if kind in groups and rng.random() < chance:
                return rng.choice(groups[kind])
        actions = [kind for kind in groups if kind not in (Claim, Irrigate, Improve, Skip, End)]
        if not actions:
            return groups[End][0] if End in groups else groups[Skip][0]
        group = groups[rng.choice(actions)]
        telling = [move for move in group if _has_effect(state, move)]
        return rng.choice(telling if telling and rng.random() < 0.95 else group)


def _has_effect(state: State, move: Move) -> bool:
    match move:
        case MoveGardener(to):
            return any(GROWN[state.plots[at]] is not state.plots[at] for at in state.garden.water.growing(to))
        case MovePanda(at) | Storm(at):
            return state.plots.get(at) in EATEN
        case _:
            return True


def simulate_evening(
    seed: int, habits: Habits, *, seats: int = 3, ruleset: str = "classic", turns: int = 60
) -> Evening:
    """One evening; the same arguments give the same one."""
    rng = Random(seed)  # a game, no secret
    names = NAMES[:seats]
    first = rng.randrange(seats)
    bare = new_game(names, ruleset=ruleset, first=first)
    dealer = Dealer(rng, bare.rules)
    hands = dealer.deal(seats)
    true = new_game(names, ruleset=ruleset, first=first, hands=hands)
    known = [rng.random() < habits.known_hands for _ in names]
    start = new_game(
        names, ruleset=ruleset, first=first,
        hands=[hand if open_ else None for hand, open_ in zip(hands, known, strict=True)],
    )  # fmt: skip
    items: list[Told | Glimpse] = []
    truths: list[TurnTruth] = []
    lying: Slips = ()
    players = [HabitPlayer(rng) for _ in names]
    for moves, before in _turns(true, dealer, players):
        turn = len(truths) + 1
        if turn > turns:
            break
        wrong, at_step = _slip(rng, before, moves, turn) if rng.random() < habits.slip and not lying else (None, 0)
        mend_at = rng.randrange(len(moves)) if lying else -1
        state = before
        last = max((i for i, (_, move) in enumerate(moves) if not is_told(move)), default=0)
        for index, (seat, move) in enumerate(moves):
            if isinstance(move, End | Stop):
                hand = _hand(rng, state, habits)
                items.append(Glimpse(state, lying, hand))
            state = apply_legal(state, move, seat)
            if index == mend_at:
                lying = ()
            if wrong is not None and index == at_step:
                lying = (*lying, wrong)
            if is_told(move):
                items.append(Told(seat, _as_told(move, known[seat])))
            elif index < last and rng.random() < habits.mid_look / 2:
                items.append(Glimpse(state, lying, _hand(rng, state, habits)))
        truths.append(TurnTruth(before, state, lying, wrong if wrong in lying else None, tuple(moves)))
    return Evening(start, tuple(items), tuple(truths))


def _as_told(move: Move, known: bool) -> Move:
    return replace(move, card=None) if isinstance(move, Draw) and not known else move


def _hand(rng: Random, state: State, habits: Habits) -> Hex | None:
    return rng.choice([POND, *state.plots]) if rng.random() < habits.hand else None


def _turns(
    state: State, dealer: Dealer, players: Sequence[HabitPlayer]
) -> Iterator[tuple[list[tuple[int, Move]], State]]:
    moves: list[tuple[int, Move]] = []
    before = state
    for seat, move, after in moves_of_a_game(state, dealer, players):
        moves.append((seat, move))
        if isinstance(move, End | Stop):
            yield moves, before
            moves, before = [], after


def _slip(rng: Random, before: State, moves: Sequence[tuple[int, Move]], turn: int) -> tuple[Slip | None, int]:
    """A slip that hands could make in this turn, and the index of the move after which it lies there."""
    ways: list[tuple[Slip, int]] = []
    state = before
    for index, (seat, move) in enumerate(moves):
        after = apply_legal(state, move, seat)
        if not is_told(move):
            ways += [(slip, index) for slip in _slips_of(rng, before, state, move, after, seat, turn)]
        state = after
    # What a later move of the turn touches again would not be this slip any more.
    ways = [(slip, index) for slip, index in ways if _stays(slip, moves[index + 1 :], state)]
    if not ways:
        return None, 0
    kind = rng.choice(sorted({slip.kind for slip, _ in ways}))
    return rng.choice([way for way in ways if way[0].kind is kind])


def _stays(slip: Slip, later: Sequence[tuple[int, Move]], end: State) -> bool:
    if slip.figure is not None:
        kinds = (MoveGardener,) if slip.figure is Figure.GARDENER else (MovePanda, Storm)
        return not any(isinstance(move, kinds) for _, move in later)
    if slip.seen is not None and isinstance(slip.seen, Edge):
        return slip.seen not in end.channels
    if slip.seen is not None:
        return slip.seen not in end.plots and end.gardener != slip.at and end.panda != slip.at
    return not any(isinstance(move, MoveGardener | MovePanda | Storm) for _, move in later)


def _slips_of(
    rng: Random, before: State, state: State, move: Move, after: State, seat: int, turn: int
) -> Iterator[Slip]:
    """Slips that leave a trace: one that looks like another legal turn is none for anybody who comes later."""
    trace = Trace(state, [(seat, move)])
    rains = state.turn is not None and state.turn.weather is Weather.RAIN
    for at, (amount, rule) in trace.grown.items():
        if not isinstance(move, Rain):
            # Forgotten rain looks like rain that was declined.
            yield Slip(SlipKind.GROWTH_FORGOTTEN, at, turn, rule, delta=-amount)
        if after.plots[at].bamboo < MAX_GROWTH and not rains:
            # Where it may have rained one more section is no slip.
            yield Slip(SlipKind.EXTRA_SECTION, at, turn, "T-GARD-1", delta=1)
    for at, rule in trace.bitten.items():
        yield Slip(SlipKind.BITE_FORGOTTEN, at, turn, rule, delta=1)
        if after.plots[at].bamboo:
            yield Slip(SlipKind.BITE_DOUBLED, at, turn, rule, delta=-1)
    for at, amount in trace.dry.items():
        if after.plots[at].bamboo + amount <= MAX_GROWTH:
            yield Slip(SlipKind.GROWTH_WITHOUT_WATER, at, turn, "T-GARD-1", delta=amount)
    for at in trace.full:
        yield Slip(SlipKind.FIVE_SECTIONS, at, turn, "T-GROW-4", delta=1)
    # How high a stalk had grown in the turn nobody can tell when it lies there.
    tall = [at for at, plot in after.plots.items() if plot.bamboo > 1 and plot is before.plots.get(at)]
    if tall:
        at = rng.choice(tall)
        yield Slip(SlipKind.KNOCKED_OVER, at, turn, None, delta=-after.plots[at].bamboo)
    if isinstance(move, MoveGardener | MovePanda):
        figure = Figure.GARDENER if isinstance(move, MoveGardener) else Figure.PANDA
        stood = state.gardener if figure is Figure.GARDENER else state.panda
        reach = state.garden.land.reach(stood)
        beside = [near for near in neighbours(move.to) if near in state.plots and near not in reach and near != stood]
        if beside:
            seen = rng.choice(beside)
            yield Slip(SlipKind.FIGURE_OFF_LINE, move.to, turn, "T-MOVE-1", figure=figure, seen=seen)
    edge = move.edge if isinstance(move, TakeChannel | Irrigate) else None
    if edge is not None:
        sites = state.garden.water.sites()
        ends = set(edge_ends(edge))
        around = [
            e for e, a, b in after.garden.land.edges if e not in sites and e != edge and not ends.isdisjoint((a, b))
        ]
        around = [e for e in around if e not in after.channels]
        if around:
            yield Slip(SlipKind.CHANNEL_OFF, edge, turn, "T-CHAN-4", seen=rng.choice(around))
        later = set(after.garden.water.sites())
        apart = [
            e
            for e, a, b in after.garden.land.edges
            if e not in sites and e not in later and ends.isdisjoint((a, b)) and e not in after.channels
        ]
        if apart:
            # Put where no channel that brings water reaches: the rules know of none there.
            alone = rng.choice(apart)
            yield Slip(SlipKind.CHANNEL_NOT_JOINED, alone, turn, "T-CHAN-4", seen=alone)
    if isinstance(move, LayPlot):
        open_cells = set(state.garden.land.frontier)
        lone = [near for near in neighbours(move.at) if near not in after.plots and near != POND]
        lone = [near for near in lone if near not in open_cells and near not in after.garden.land.frontier]
        if lone:
            yield Slip(SlipKind.PLOT_WITH_ONE_NEIGHBOUR, move.at, turn, "T-PLOT-2", seen=rng.choice(lone))
