"""Hints for a seat's own cards: met exactly when it can be claimed, else something true about what is missing."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.takenoko.hints import channels_needed, hand_hints, hint
from companion.games.takenoko.legality import legal_moves
from companion.games.takenoko.moves import Irrigate, Stop
from companion.games.takenoko.objectives import can_claim
from companion.games.takenoko.position import position_from_json
from companion.games.takenoko.rules import rules_for
from companion.games.takenoko.setup import new_game
from companion.games.takenoko.transition import apply_legal

NAMES = ("Aki", "Oksana")


def position(plots, *, channels=(), seats=({}, {}), gardener="0,0", panda="0,0", options=None):
    facts = {"plots": plots, "channels": list(channels), "seats": list(seats), "gardener": gardener, "panda": panda}
    return position_from_json(facts, rules_for("classic", options), NAMES)


def needs(state, card, seat=0):
    found = hint(state, seat, state.rules.edition.cards[card])
    return [(need.id.removeprefix("hint."), dict(need.params)) for need in found.needs]


def test_a_panda_card_names_the_sections_that_are_missing():
    state = position({"1,0": "pink 0"}, seats=({"bamboo": {"green": 1, "pink": 1}}, {}))
    assert needs(state, "panda-mixed") == [("eat", {"colour": "yellow", "num": 1})]
    assert needs(state, "panda-pink") == [("eat", {"colour": "pink", "num": 1})]


def test_one_channel_would_water_the_last_plot_of_a_pattern():
    """Two yellow plots have water; the third is reached by the edge east of the pond."""
    plots = {"1,0": "yellow 1", "0,1": "yellow 1", "1,1": "yellow 0"}
    _, (kind, dry) = needs(position(plots, channels=["1,0|0,1"]), "plot-yellow-triangle")
    assert kind == "water_edge"
    assert dry["edge"] in {"1,1|1,0", "1,1|0,1"}


def test_where_one_channel_is_not_enough_the_first_is_named():
    plots = {"1,0": "yellow 1", "0,1": "yellow 1", "1,1": "yellow 0"}
    assert needs(position(plots), "plot-yellow-triangle") == [
        ("pattern", {"have": 2, "num": 3}),
        ("water_channels", {"at": "1,1", "num": 2, "edge": "1,0|0,1"}),
    ]


def test_a_missing_plot_is_asked_for_where_it_can_be_laid_now():
    state = position({"1,0": "green 1", "0,1": "green 1"})
    assert needs(state, "plot-green-triangle") == [
        ("pattern", {"have": 2, "num": 3}),
        ("plot_here", {"plot_colour": "green", "at": "1,1"}),
    ]


def test_a_pattern_that_the_box_cannot_complete_is_given_up():
    """All seven pink plots lie, two by two apart: no line of three can come about."""
    pink = {"1,0": "pink 1", "0,-1": "pink 1", "-1,1": "pink 1", "2,-2": "pink 0", "-2,0": "pink/watershed 1"}
    others = {
        "1,-1": "green 1", "-1,0": "green 1", "0,1": "green 1", "2,-1": "green 0", "1,-2": "green 0",
        "-1,-1": "green 0", "-2,1": "yellow 0", "0,-2": "yellow 0", "1,1": "yellow 0",
    }  # fmt: skip
    apart = {"2,0": "yellow 0", "-2,2": "yellow 0", "-1,2": "yellow 0"}
    full = pink | others | apart | {"3,-1": "pink/fertilizer 0", "-3,1": "pink/enclosure 0"}
    state = position(full)
    assert needs(state, "plot-pink-line") == [("pattern_impossible", {})]


def test_a_stalk_is_followed_section_by_section():
    state = position({"1,0": "green/fertilizer 2", "0,1": "pink 1"})
    assert needs(state, "gardener-green-fertilizer") == [("grow", {"at": "1,0", "num": 2})]
    assert needs(state, "gardener-pink-plain") == [("grow", {"at": "0,1", "num": 3})]
    assert needs(state, "gardener-yellow-plain") == [("no_plot_without", {"plot_colour": "yellow"})]
    assert needs(state, "gardener-pink-enclosure") == [
        ("no_plot_with", {"plot_colour": "pink", "improvement": "enclosure"})
    ]


def test_a_bare_plot_could_take_the_chip_that_a_card_wants():
    state = position({"1,0": "pink 0"})
    assert needs(state, "gardener-pink-enclosure") == [("chip", {"at": "1,0", "improvement": "enclosure"})]


def test_a_group_counts_exact_heights_and_calls_for_the_panda():
    state = position({"1,0": "pink 3", "0,1": "pink 4"})
    assert needs(state, "gardener-pink-group") == [
        ("stalks", {"have": 1, "num": 2, "height": 3}),
        ("too_tall", {"at": "0,1", "num": 1}),
    ]


def test_the_gardener_has_to_come_where_his_presence_is_asked_for():
    plots = {"1,0": "pink 4", "0,1": "green 1"}
    away = position(plots, gardener="0,1", options={"gardener_presence": True})
    assert needs(away, "gardener-pink-plain") == [("gardener_away", {"at": "1,0"})]
    there = position(plots, gardener="1,0", options={"gardener_presence": True})
    assert needs(there, "gardener-pink-plain") == []


def test_a_hand_is_told_card_by_card():
    hands = (("plot-green-line", "gardener-pink-plain", "panda-green"), None)
    told = hand_hints(new_game(NAMES, hands=hands), 0)
    assert [each.card for each in told] == list(hands[0])
    assert not any(each.met for each in told)
    assert hand_hints(new_game(NAMES, hands=hands), 1) == ()


def walk(seed, steps):
    rng = random.Random(seed)
    state = new_game(NAMES, ruleset=rng.choice(("classic", "bga")))
    for _ in range(steps):
        groups = [group for group in legal_moves(state).groups if not isinstance(group[0], Stop)]
        state = apply_legal(state, rng.choice(rng.choice(groups)))
    return state


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 90))
def test_a_card_is_met_exactly_when_it_can_be_claimed_and_else_something_is_missing(seed, steps):
    state = walk(seed, steps)
    for seat, player in enumerate(state.seats):
        for card in state.rules.edition.cards.values():
            told = hint(state, seat, card)
            assert told.met == can_claim(state, player, card)
            assert told.met == (not told.needs)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(20, 90))
def test_the_named_channel_brings_the_water_one_channel_nearer(seed, steps):
    state = walk(seed, steps)
    for at in state.plots:
        if at in state.garden.water.irrigated:
            continue
        count, edge = channels_needed(state, at)
        if edge is None:
            continue
        assert Irrigate(edge) in state.garden.water.irrigate_moves()
        after = state.garden.with_channel(edge)
        if count == 1:
            assert at in after.water.irrigated
        else:
            assert at not in after.water.irrigated
            assert channels_needed(replace(state, garden=after), at)[0] == count - 1


def test_an_unknown_card_is_an_error_of_the_caller():
    with pytest.raises(KeyError):
        needs(new_game(NAMES), "no-such-card")
