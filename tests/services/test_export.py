"""Exported records: whole after the end, before it without others' cards, and always a record that replays."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import StaleCommandError
from companion.games.takenoko.legality import legal_moves
from companion.games.takenoko.moves import Discard, Draw, Know, Stop
from companion.games.takenoko.notation import parse_move
from companion.games.takenoko.objectives import met
from companion.games.takenoko.rules import rules_for
from companion.record import Correct, Do, Game, Header, UndoTo, read_text
from companion.services.dealing import deal_hands, drawn_card
from companion.services.export import redacted_record, whole_record

SEATS = ("Aki", "Oksana", "Ren")


def evening(seed, steps):
    """A random game under the rules with the most secrets, with known draws, discards, undo and corrections."""
    rng = random.Random(seed)
    rules = rules_for("bga")
    game = Game.start(Header(SEATS, ruleset="bga", hands=deal_hands(rules, 3, rng.choice)))
    for _ in range(steps):
        if game.state.over:
            break
        groups = [group for group in legal_moves(game.state).groups if not isinstance(group[0], Stop)]
        move = rng.choice(rng.choice(groups))
        if isinstance(move, Draw):
            move = Draw(move.deck, drawn_card(game.state, move.deck, rng.choice))
        game = game.append(Do(game.state.turn.seat, move, by="phone"))
        if rng.random() < 0.03:
            game = game.append(UndoTo(rng.randint(1, game.version)))
        elif rng.random() < 0.03:
            hands = [{"hand": list(seat.hand)} for seat in game.state.seats]
            game = game.append(Correct.of({"seats": hands}, "looked again"))
    return game


def public_facts(state):
    hands = [(seat.cards_in_hand(), seat.claimed, seat.bamboo, seat.channels, seat.chips) for seat in state.seats]
    return (dict(state.plots), state.channels, state.gardener, state.panda, hands, met(state))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 120), st.sampled_from([None, 0, 1, 2]))
def test_a_redacted_record_replays_to_the_same_garden(seed, steps, seat):
    game = evening(seed, steps)
    text = redacted_record(game, seat)
    again = read_text(text.encode())
    assert again.fault is None
    assert again.game.version == game.version
    assert public_facts(again.game.state) == public_facts(game.state)
    for other in range(3):
        if other != seat:
            assert again.game.state.seats[other].hand == ()
        else:
            assert again.game.state.seats[other].hand == game.state.seats[other].hand


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(10, 120))
def test_the_public_record_names_no_card_but_claimed_ones(seed, steps):
    game = evening(seed, steps)
    text = redacted_record(game, None)
    claimed = {event.move.card for event in game.events if isinstance(event, Do) and hasattr(event.move, "card")
               and not isinstance(event.move, Draw | Discard | Know)}  # fmt: skip
    for card in game.state.rules.edition.cards:
        if card not in claimed:
            assert f'"{card}"' not in text
            assert f' {card}"' not in text


def test_the_whole_record_waits_for_the_end():
    game = evening(4, 30)
    with pytest.raises(StaleCommandError):
        whole_record(game)
    over = game.append(Do(game.state.turn.seat, parse_move("stop")))
    again = read_text(whole_record(over).encode())
    assert again.game == over


def test_a_named_hidden_card_stays_between_the_seat_and_the_companion():
    game = Game.start(Header(SEATS)).append(Do(2, parse_move("know panda-mixed")))
    assert "panda-mixed" not in redacted_record(game, 0)
    assert "panda-mixed" in redacted_record(game, 2)
    assert read_text(redacted_record(game, 0).encode()).game.version == game.version
