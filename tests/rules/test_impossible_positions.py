"""A position that cannot occur is refused, with every reason at once."""

from __future__ import annotations

import math

import pytest

from companion.errors import ImpossiblePositionError
from companion.games.takenoko.position import corrected, position_from_json
from companion.games.takenoko.rules import rules_for

NAMES = ["Aki", "Oksana"]


def reasons(facts, **options):
    with pytest.raises(ImpossiblePositionError) as caught:
        position_from_json(facts, rules_for("classic", options), NAMES)
    return caught.value.reasons


IMPOSSIBLE = {
    "no object": (5, "expected an object"),
    "unknown key": ({"clock": 3}, "unknown key 'clock'"),
    "plots no object": ({"plots": []}, "plots: expected an object"),
    "a plot that is none": ({"plots": {"1,0": "blue 2"}}, "not a plot"),
    "a plot that is a number": ({"plots": {"1,0": 7}}, "expected a text"),
    "a plot taken away": ({"plots": {"1,0": None}}, "expected a plot"),
    "no hex": ({"plots": {"one": "green 1"}}, "not a hex"),
    "one hex twice": ({"plots": {"1,0": "green 1", "+1,0": "green 1"}}, "1,0 stands twice"),
    "five sections": ({"plots": {"1,0": "green 5"}}, "not a plot"),
    "a plot on the pond": ({"plots": {"0,0": "green 0"}}, "lies on the pond"),
    "a plot out of reach": ({"plots": {"2,0": "green 0"}}, "no order of laying"),
    "too many of a kind": ({"plots": {"1,0": "pink/enclosure 1", "0,1": "pink/enclosure 1"}}, "T-PLOT-3"),
    "bamboo without water": (
        {"plots": {"1,0": "green 1", "1,-1": "green 1", "2,-1": "green 2"}},
        "never had water",
    ),
    "channels no list": ({"channels": {}}, "expected a list"),
    "a channel that is none": ({"channels": ["1,0"]}, "not an edge"),
    "a channel between strangers": ({"channels": ["1,0|3,0"]}, "no neighbours"),
    "more channels than the box has": ({"channels": [f"{q},5|{q},4" for q in range(21)]}, "21 lie"),
    "a channel on the pond": ({"plots": {"1,0": "green 1"}, "channels": ["1,0|0,0"]}, "T-CHAN-3"),
    "a channel over nothing": ({"plots": {"1,0": "green 1"}, "channels": ["1,0|0,1"]}, "T-CHAN-2"),
    "too many channels": ({"seats": [{"channels": 15}, {"channels": 6}]}, "T-CHAN-1: 1 channels more"),
    "too many chips": ({"seats": [{"chips": {"watershed": 4}}, {}]}, "T-WEA-5: 1 watershed chips more"),
    "the gardener nowhere": ({"gardener": "1,0"}, "the gardener stands on 1,0"),
    "the panda nowhere": ({"panda": "0,1"}, "the panda stands on 0,1"),
    "a figure of the wrong type": ({"panda": None}, "expected a text"),
    "one seat of two": ({"seats": [{}]}, "1 entries for 2 seats"),
    "another name": ({"seats": [{"name": "Bo"}, {}]}, "the header says 'Aki'"),
    "less than nothing": ({"seats": [{"channels": -1}, {}]}, "expected a whole number"),
    "a number that is a truth": ({"seats": [{"channels": True}, {}]}, "expected a whole number"),
    "a huge number": ({"seats": [{"channels": 10**30}, {}]}, "expected a whole number"),
    "no number": ({"seats": [{"channels": math.nan}, {}]}, "expected a whole number"),
    "bamboo of a fourth colour": ({"seats": [{"bamboo": {"blue": 1}}, {}]}, "unknown key 'blue'"),
    "a card that is none": ({"seats": [{"hand": ["plot-blue-line"]}, {}]}, "no card 'plot-blue-line'"),
    "two of one card": ({"seats": [{"hand": ["plot-green-line"]}, {"claimed": ["plot-green-line"]}]}, "2 copies"),
    "six cards": ({"seats": [{"hidden": {"plot": 6}}, {}]}, "T-DRAW-2"),
    "more than a deck": ({"seats": [{"claimed": ["panda-green"] * 4, "hidden": {"panda": 5}}, {"claimed": [
        "panda-yellow", "panda-yellow", "panda-pink", "panda-pink"], "hidden": {"panda": 3}}]}, "T-DRAW-3: 1 panda"),
    "an Emperor for nothing": ({"seats": [{"emperor": True}, {}]}, "with 0 of 9"),
    "an Emperor that is a word": ({"seats": [{"emperor": "yes"}, {}]}, "expected true or false"),
    "two Emperors": ({"seats": [{"emperor": True}, {"emperor": True}]}, "there is one Emperor"),
    "no Emperor": ({"seats": [{"claimed": ["panda-green"] * 5 + ["panda-yellow"] * 4}, {}]}, "nobody holds"),
    "a turn of nobody": ({"turn": {"seat": 2}}, "the turn of seat 2"),
    "a turn before the first": ({"turn": {"number": 0}}, "count from 1"),
    "weather in the first turn": ({"turn": {"weather": "sun"}}, "no weather"),
    "a weather that is none": ({"turn": {"number": 2, "weather": "snow"}}, "expected one of sun"),
    "actions before the roll": ({"turn": {"number": 2, "actions": ["plot"]}}, "before the roll"),
    "actions before the effect": (
        {"turn": {"number": 2, "weather": "rain", "weather_pending": True, "actions": ["plot"]}},
        "before the weather's effect",
    ),
    "an open sun": ({"turn": {"number": 2, "weather": "sun", "weather_pending": True}}, "no effect can be open"),
    "three actions": ({"turn": {"actions": ["plot", "panda", "channel"]}}, "3 actions"),
    "twice without wind": ({"turn": {"actions": ["plot", "plot"]}}, "twice without wind"),
    "an action that is none": ({"turn": {"actions": ["sleep"]}}, "expected one of plot"),
    "a drawn card without the option": (
        {"seats": [{"hand": ["plot-green-line"]}, {}], "turn": {"actions": ["objective"], "drawn": "plot-green-line"}},
        "discard_fulfilled_draw is off",
    ),
    "a drawn card that is not met": (
        {"seats": [{"hand": ["plot-green-line"]}, {}], "turn": {"actions": ["objective"], "drawn": "plot-green-line"}},
        "does not meet",
    ),
    "a drawn card that is not held": ({"turn": {"drawn": "panda-green"}}, "was not drawn just now"),
    "a drawn card that is none": ({"turn": {"drawn": 4}}, "there is no card int"),
    "over with a turn": ({"over": True, "turn": {"seat": 0}}, "the game is over: expected null"),
    "no turn and not over": ({"over": False, "turn": None}, "whose turn is it"),
}  # fmt: skip


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_it_is_refused_and_says_why(name):
    facts, why = IMPOSSIBLE[name]
    found = reasons(facts)
    assert any(why in reason for reason in found), found
    assert all("\n" not in reason for reason in found)


def test_every_reason_is_named_at_once():
    found = reasons(
        {
            "plots": {"0,0": "green 0", "3,0": "green 0"},
            "gardener": "5,5",
            "seats": [{"emperor": True, "hidden": {"plot": 6}}, {"channels": 21}],
            "turn": {"number": 0, "actions": ["plot", "plot"]},
        }
    )
    assert len(found) == 8


def test_every_unreadable_thing_is_named_at_once():
    found = reasons({"plots": {"x": "y"}, "gardener": 3, "seats": {}, "turn": [], "over": 1})
    assert len(found) == 7


@pytest.mark.parametrize(
    ("facts", "over"),
    [({}, False), ({"turn": None}, True), ({"over": True}, True), ({"over": True, "turn": None}, True),
     ({"turn": {}}, False)],
)  # fmt: skip
def test_what_is_absent_is_as_at_the_start(facts, over):
    state = position_from_json(facts, rules_for(), NAMES)
    assert state.over is over
    assert not state.plots


def test_a_pond_edge_holds_a_channel_with_the_option():
    facts = {"plots": {"1,0": "green 1"}, "channels": ["1,0|0,0"]}
    state = position_from_json(facts, rules_for("bga"), NAMES)
    assert [str(edge) for edge in state.channels] == ["1,0|0,0"]


CORRECTIONS = {
    "nothing": ({}, "nothing is named"),
    "no object": ([], "expected an object"),
    "unknown key": ({"turn": {}}, "unknown key 'turn'"),
    "no plot to take away": ({"plots": {"0,1": None}}, "no plot lies here"),
    "bamboo on nothing": ({"bamboo": {"0,1": 1}}, "no plot lies here"),
    "five sections": ({"bamboo": {"1,0": 5}}, "T-GROW-4"),
    "half a section": ({"bamboo": {"1,0": 0.5}}, "expected a whole number"),
    "bamboo no object": ({"bamboo": 3}, "expected an object"),
    "a plot under the panda": ({"plots": {"1,0": None}}, "the panda stands on 1,0"),
    "a channel that joins nothing": ({"channels": ["1,0|2,-1"]}, "T-CHAN"),
    "seats of another table": ({"seats": [{}, {}, {}]}, "3 entries for 2 seats"),
}


@pytest.mark.parametrize("name", CORRECTIONS)
def test_an_impossible_correction_is_refused(name):
    changes, why = CORRECTIONS[name]
    state = position_from_json({"plots": {"1,0": "green 1"}, "panda": "1,0"}, rules_for(), NAMES)
    with pytest.raises(ImpossiblePositionError, match=why):
        corrected(state, changes)


def test_a_correction_sets_facts_and_nothing_grows():
    state = position_from_json({"plots": {"1,0": "green 1", "1,-1": "pink 2"}}, rules_for(), NAMES)
    state = corrected(
        state,
        {
            "bamboo": {"1,0": 3, "2,-1": 0},
            "plots": {"2,-1": "yellow 0", "1,-1": "pink+enclosure 0"},
            "channels": ["1,-1|1,0", "2,-1|1,0"],
            "gardener": "1,0",
            "panda": "2,-1",
            "seats": [{"bamboo": {"green": 2}}, {"channels": 1}],
        },
    )
    assert {str(at): str(plot) for at, plot in state.plots.items()} == {
        "1,0": "green 3",
        "1,-1": "pink+enclosure 0",
        "2,-1": "yellow 0",
    }
    assert (str(state.gardener), str(state.panda), len(state.channels)) == ("1,0", "2,-1", 2)
    assert [seat.bamboo for seat in state.seats] == [(2, 0, 0), (0, 0, 0)]
    assert state.seats[1].channels == 1
    state = corrected(state, {"plots": {"2,-1": None}, "channels": [], "panda": "0,0"})
    assert len(state.plots) == 2
