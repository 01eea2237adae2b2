"""What hypothesis makes up for the tests: moves, positions of real games, and the rules they are played by."""

from __future__ import annotations

from functools import lru_cache
from random import Random

from hypothesis import strategies as st

from companion.games.takenoko import moves
from companion.games.takenoko.edition import load_edition
from companion.games.takenoko.hexgrid import Edge, Hex, neighbours
from companion.games.takenoko.pieces import COLOURS, IMPROVEMENTS, Weather
from companion.games.takenoko.rules import OPTION_NAMES, rules_for
from companion.games.takenoko.setup import start
from companion.record import Do, Game, Header
from companion.simulate.dealer import Dealer
from companion.simulate.players import RandomPlayer
from companion.simulate.table import NAMES, moves_of_a_game

hexes = st.builds(Hex, st.integers(-9, 9), st.integers(-9, 9))
edges = st.builds(lambda at, way: Edge.of(at, neighbours(at)[way]), hexes, st.integers(0, 5))
colours = st.sampled_from(COLOURS)
improvements = st.sampled_from(IMPROVEMENTS)
cards = st.sampled_from(sorted(load_edition("base").cards))
weathers = st.sampled_from(Weather)

all_moves = st.one_of(
    st.builds(moves.Roll, weathers),
    st.builds(moves.ChooseWeather, weathers),
    st.builds(moves.Rain, hexes),
    st.builds(moves.Storm, hexes),
    st.just(moves.Skip()),
    st.builds(moves.TakeChip, improvements, st.none() | hexes),
    st.builds(moves.LayPlot, colours, st.none() | improvements, hexes, st.none() | improvements),
    st.builds(moves.TakeChannel, st.none() | edges),
    st.builds(moves.MoveGardener, hexes),
    st.builds(moves.MovePanda, hexes),
    cards.map(lambda card: moves.Draw(load_edition("base").cards[card].deck, card)),
    st.sampled_from(sorted({card.deck for card in load_edition("base").cards.values()})).map(moves.Draw),
    st.builds(moves.Discard, cards),
    st.builds(moves.Irrigate, edges),
    st.builds(moves.Improve, hexes, improvements),
    st.builds(moves.Claim, cards),
    st.builds(moves.Know, cards),
    st.just(moves.End()),
    st.just(moves.Stop()),
)
"""Every kind of move, most of them nonsense in most positions."""

near_hexes = st.builds(Hex, st.integers(-3, 3), st.integers(-3, 3))

option_sets = st.fixed_dictionaries({}, optional={name: st.booleans() for name in OPTION_NAMES})
rulesets = st.sampled_from(["classic", "bga"])


@lru_cache(maxsize=256)
def random_game(seed, steps, seats=2, ruleset="classic", options=(), known=True):
    """The first moves of a random game, and the rest of it if `steps` is None.

    Args:
        seed: of chance and of the players.
        steps: how many moves at the most.
        seats: how many play.
        ruleset: classic or bga.
        options: pairs of names and values.
        known: whether the record knows the cards.
    """
    rules = rules_for(ruleset, dict(options))
    rng = Random(seed)
    dealer = Dealer(rng, rules)
    hands = dealer.deal(seats)
    header = Header(NAMES[:seats], ruleset, dict(options), hands=hands if known else None)
    states = [start(rules, NAMES[:seats], 0, header.hands)]
    events = []
    players = [RandomPlayer(rng)] * seats
    for seat, move, state in moves_of_a_game(states[0], dealer, players):
        if not known and isinstance(move, moves.Draw):
            raise AssertionError("a game of unknown cards is played without a dealer")
        events.append(Do(seat, move))
        states.append(state)
        if len(events) == steps:
            break
    return Game(header, tuple(events), tuple(states))


game_plans = st.tuples(
    st.integers(0, 40),
    st.sampled_from([1, 5, 30, 90, 200, 400]),
    st.integers(2, 4),
    rulesets,
    option_sets.map(lambda options: tuple(sorted(options.items()))),
)
"""What to give `random_game`: games that were broken off somewhere, under any rules."""
