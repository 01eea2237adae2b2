"""What no scenario in notation can say: values built by hand, and the corners of lists."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.takenoko import moves, transition
from companion.games.takenoko.available import actions_left
from companion.games.takenoko.hexgrid import POND, Edge, Hex
from companion.games.takenoko.legality import legal_moves, why_illegal
from companion.games.takenoko.moves import Claim, End, Know, Stop
from companion.games.takenoko.notation import parse_move
from companion.games.takenoko.objectives import serving_plots
from companion.games.takenoko.pieces import Action, Colour
from companion.games.takenoko.position import position_from_json, position_to_json
from companion.games.takenoko.possible import problems
from companion.games.takenoko.rules import rules_for
from companion.games.takenoko.setup import new_game
from companion.games.takenoko.state import SeatState
from companion.games.takenoko.transition import apply, apply_legal
from companion.games.takenoko.views import public_view, seat_view
from companion.record import Do, Game, Header

NAMES = ("Aki", "Oksana")


def lying(facts, ruleset="classic", names=NAMES):
    return position_from_json(facts, rules_for(ruleset), names)


def test_a_new_game_is_two_seats_around_a_pond():
    state = new_game(NAMES, ruleset="bga", options={"storm_stay": True}, first=1)
    assert (state.gardener, state.panda, len(state.plots), state.turn.seat) == (POND, POND, 0, 1)
    assert state.rules.options.storm_stay
    assert all(seat == SeatState(name, hidden=(1, 1, 1)) for seat, name in zip(state.seats, NAMES, strict=True))


def test_eaten_sections_are_asked_for_by_colour():
    assert SeatState("Aki", bamboo=(1, 2, 3)).sections(Colour.PINK) == 3


def test_when_the_game_is_over_nothing_is_legal():
    state = apply(new_game(NAMES), Stop())
    assert len(legal_moves(state)) == 0
    assert actions_left(state) == ()
    assert why_illegal(state, End()).rule == "T-END-4"
    # A hidden card may still be named, by whoever holds it.
    assert apply(state, Know("panda-green")).seats[0].hand == ("panda-green",)
    assert apply_legal(state, Know("panda-green"), 1).seats[1].hand == ("panda-green",)


def test_with_all_decks_empty_no_objective_is_drawn():
    cards = rules_for().edition.cards.values()
    claimed = {deck: [card.id for card in cards for _ in range(card.copies) if card.deck == deck]
               for deck in ("plot", "gardener", "panda")}  # fmt: skip
    seats = [
        {"claimed": claimed["plot"], "emperor": True},
        {"claimed": claimed["gardener"]},
        {"claimed": claimed["panda"]},
    ]
    state = lying({"seats": seats}, names=("A", "B", "C"))
    assert Action.OBJECTIVE not in actions_left(state)
    assert not [move for move in legal_moves(state) if isinstance(move, moves.Draw)]


def test_actions_are_left_only_when_nothing_comes_first():
    pending = lying({"turn": {"number": 2, "weather": "rain", "weather_pending": True}})
    assert actions_left(pending) == ()
    assert actions_left(lying({"turn": {"number": 2}})) == ()
    assert actions_left(lying({})) == (Action.PLOT, Action.CHANNEL, Action.OBJECTIVE)


def test_a_card_of_no_box_is_refused():
    state = new_game(NAMES)
    assert why_illegal(state, Claim("plot-blue-line")).rule == "T-OBJ-2"
    assert why_illegal(state, Know("plot-blue-line")).rule == "T-OBJ-2"


def test_a_card_that_is_known_is_not_named_again():
    state = lying({"seats": [{"hand": ["panda-green"]}, {}]})
    assert "already" in why_illegal(state, Know("panda-green"), 0).message


def test_an_unmet_gardener_card_is_refused_by_the_condition():
    state = lying({"plots": {"1,0": "pink 1"}, "seats": [{"hand": ["gardener-pink-group"]}, {}]})
    assert why_illegal(state, Claim("gardener-pink-group")).rule == "T-OBJ-3"


def test_serving_plots_are_those_whose_stalks_count():
    state = lying({"plots": {"1,0": "pink 4", "0,1": "pink/fertilizer 4", "-1,0": "green 4"}})
    card = state.rules.edition.cards["gardener-pink-plain"]
    assert serving_plots(state.garden, card) == (Hex(1, 0),)


def test_less_than_nothing_cannot_occur():
    state = new_game(NAMES)
    poor = replace(state, seats=(SeatState("Aki", bamboo=(-1, 0, 0)), state.seats[1]))
    assert problems(poor) == ("Aki holds less than nothing",)


def test_five_seats_are_refused_whatever_the_position():
    state = new_game(NAMES)
    crowd = replace(state, seats=tuple(SeatState(name) for name in "ABCDE"))
    assert [reason[:7] for reason in problems(crowd)] == ["T-SET-1"]


def drawn_game():
    """A seat has drawn a plot card that the garden meets already."""
    position = {"plots": {"1,0": "green 1", "0,1": "green 0", "1,-1": "green 1"},
                "seats": [{"hand": ["plot-pink-line"]}, {"hand": ["panda-green"]}]}  # fmt: skip
    game = Game.start(Header(NAMES, "bga", position=position))
    return game.append(Do(0, parse_move("draw plot plot-green-curve")))


def test_a_drawn_card_is_read_back():
    state = drawn_game().state
    assert state.turn.drawn == "plot-green-curve"
    assert position_from_json(position_to_json(state), state.rules, NAMES) == state
    assert actions_left(state) == ()


def test_a_drawn_card_is_named_to_its_holder_alone():
    game = drawn_game()
    own, other, public = seat_view(game, 0), seat_view(game, 1), public_view(game)
    assert own["position"]["turn"]["drawn"] == "plot-green-curve"
    assert own["legal"] == ["discard plot-green-curve", "stop"]
    for view in (other, public):
        assert view["position"]["turn"]["drawn"] == "plot"
        assert view["legal"] == ["stop"]
        assert view["history"][0]["do"] == "draw plot"


def test_every_kind_of_move_has_an_effect():
    """The table of effects has a row for every member of the union."""
    kinds = {getattr(moves, name) for name in dir(moves) if name[0].isupper()}
    kinds = {
        kind for kind in kinds if getattr(kind, "__module__", "") == moves.__name__ and kind is not moves.LegalMoves
    }
    assert set(transition._EFFECTS) == {kind for kind in kinds if isinstance(kind, type)}


def test_a_list_of_moves_is_a_sequence():
    legal = legal_moves(lying({"plots": {"1,0": "green 1"}}))
    assert legal[0] in legal
    assert legal[-1] == Stop()
    assert list(legal)[2:5] == list(legal[2:5])
    assert len(legal) == len(list(legal))


def test_an_edge_between_strangers_is_none():
    with pytest.raises(ValueError, match="no neighbours"):
        Edge.of(Hex(1, 0), Hex(3, 0))
