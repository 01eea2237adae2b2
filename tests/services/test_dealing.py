"""Cards dealt by the companion: nobody gets what another has, and every card comes up as often as it lies there."""

import random
from collections import Counter

import pytest

from companion.errors import IllegalMoveError
from companion.games.takenoko.pieces import DECKS, Deck
from companion.games.takenoko.position import position_from_json
from companion.games.takenoko.rules import rules_for
from companion.games.takenoko.setup import new_game
from companion.services.dealing import deal_hands, drawn_card

RULES = rules_for()
NAMES = ("Aki", "Oksana", "Ren", "Lev")


@pytest.mark.parametrize("seed", range(20))
def test_dealt_hands_can_begin_a_game(seed):
    hands = deal_hands(RULES, 4, random.Random(seed).choice)
    state = new_game(NAMES, hands=hands)
    assert [seat.hand for seat in state.seats] == list(hands)
    for hand in hands:
        assert [RULES.edition.cards[card].deck for card in hand] == list(DECKS)


def test_a_card_comes_up_as_often_as_its_copies_lie_in_the_deck():
    """Five green, four yellow, three pink, three mixed: the draw follows the copies."""
    rng = random.Random(3)
    state = new_game(NAMES)
    drawn = Counter(drawn_card(state, Deck.PANDA, rng.choice) for _ in range(6000))
    for card, copies in {"panda-green": 5, "panda-yellow": 4, "panda-pink": 3, "panda-mixed": 3}.items():
        assert drawn[card] / 6000 == pytest.approx(copies / 15, abs=0.03)


def test_what_somebody_holds_or_fulfilled_never_comes_up():
    seats = [{"hand": ["panda-pink", "panda-pink"]}, {"claimed": ["panda-pink"]}, {}, {}]
    state = position_from_json({"seats": seats}, RULES, NAMES)
    rng = random.Random(1)
    assert "panda-pink" not in {drawn_card(state, Deck.PANDA, rng.choice) for _ in range(500)}
    told = ["panda-mixed"] * 3
    assert "panda-mixed" not in {drawn_card(state, Deck.PANDA, rng.choice, told=told) for _ in range(500)}


def test_a_card_under_the_deck_comes_up_last():
    only = [card for card in RULES.edition.cards if card.startswith("plot-")]
    state = new_game(NAMES)
    rng = random.Random(2)
    assert {drawn_card(state, Deck.PLOT, rng.choice, under=only[1:]) for _ in range(50)} == {only[0]}
    assert drawn_card(state, Deck.PLOT, rng.choice, under=only) in only


def test_nothing_is_drawn_from_an_empty_deck():
    plots = [card for card in RULES.edition.cards if card.startswith("plot-")]
    with pytest.raises(IllegalMoveError) as refused:
        drawn_card(new_game(NAMES), Deck.PLOT, random.Random(0).choice, told=plots)
    assert refused.value.rule == "T-DRAW-3"
