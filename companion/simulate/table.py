"""A simulated table: players, a dealer and the rules play a whole game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from types import MappingProxyType

from companion.games.takenoko.legality import legal_moves
from companion.games.takenoko.moves import Claim, LayPlot, LegalMoves, Move, Stop
from companion.games.takenoko.state import State
from companion.games.takenoko.transition import apply_legal
from companion.record import Do, Game, Header
from companion.simulate.dealer import DEALT, Dealer
from companion.simulate.greedy import GreedyPlayer
from companion.simulate.players import Player, RandomPlayer

PLAYERS: dict[str, Callable[[Random], Player]] = {"random": RandomPlayer, "greedy": GreedyPlayer}
"""By the word for them on the command line."""

PATIENCE = 2000
"""Moves without a claim after which a simulated table stops: more than three whole random games of four have."""

NAMES = ("Aki", "Oksana", "Jürgen", "みどり")


def moves_of_a_game(state: State, dealer: Dealer, players: Sequence[Player]) -> Iterator[tuple[int, Move, State]]:
    """Play to the end: who made which move, and the position after it.

    Every legal move is listed before every move, the roll of the die included. Hands can be stuck (five cards whose
    patterns a full garden does not hold): after `PATIENCE` moves without a claim the table agrees to stop (T-END-4).
    """
    waited = 0
    while state.turn is not None:
        turn = state.turn
        legal = legal_moves(state)
        move: Move
        if waited >= PATIENCE:
            move = Stop()
        elif turn.awaits_roll():
            move = dealer.roll()
        else:
            player = players[turn.seat]
            move = player.choose(state, legal)
            if isinstance(move, LayPlot):
                move = player.choose(state, _offered(legal, dealer))
        kind = type(move)
        waited = 0 if kind is Claim else waited + 1
        if kind in DEALT:
            move = dealer.complete(move)
            dealer.made(move)
        state = apply_legal(state, move)
        yield turn.seat, move, state


def _offered(legal: LegalMoves, dealer: Dealer) -> LegalMoves:
    """The plots that were drawn, wherever they may be laid."""
    offer = set(dealer.offer())
    for group in legal.groups:
        if type(group[0]) is LayPlot:
            moves = [m for m in group if isinstance(m, LayPlot) and (m.colour, m.improvement) in offer]
            return LegalMoves((tuple(moves),))
    raise AssertionError("a plot was chosen, so plots are legal")


def play_game(
    seats: int | Sequence[str],
    seed: int,
    players: str | Sequence[str] = "random",
    ruleset: str = "classic",
    options: Mapping[str, bool] | None = None,
    edition: str = "base",
) -> Game:
    """One whole game with its record; the same arguments give the same record.

    Args:
        seats: how many, or their names.
        seed: of everything that is random.
        players: the word for all players, or one for each seat: a key of `PLAYERS`.
        ruleset: `classic` or `bga`.
        options: options switched over the ruleset.
        edition: the name of an edition table.
    """
    names = NAMES[:seats] if isinstance(seats, int) else tuple(seats)
    kinds = [players] * len(names) if isinstance(players, str) else list(players)
    rng = Random(seed)
    header = Header(
        names, ruleset, MappingProxyType(dict(options or {})), edition=edition, first=rng.randrange(len(names))
    )
    dealer = Dealer(rng, Game.start(header).state.rules)
    header = Header(names, ruleset, header.options, edition=edition, first=header.first, hands=dealer.deal(len(names)))
    game = Game.start(header)
    table = [PLAYERS[kind](rng) for kind in kinds]
    events: list[Do] = []
    states = [game.state]
    for seat, move, state in moves_of_a_game(game.state, dealer, table):
        events.append(Do(seat, move, by="simulated"))
        states.append(state)
    return Game(header, tuple(events), tuple(states))
