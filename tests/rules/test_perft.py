"""The real rules against the slow and obvious ones: the same lists, the same outcomes, the same counts."""

from __future__ import annotations

from dataclasses import asdict

import obvious
import pytest
from hypothesis import HealthCheck, given, settings
from strategies import game_plans, random_game

from companion.games.takenoko.legality import legal_moves
from companion.games.takenoko.notation import format_move, parse_move
from companion.games.takenoko.position import position_from_json, position_to_json
from companion.games.takenoko.rules import rules_for
from companion.games.takenoko.transition import apply, apply_legal

WATERED = {"1,0": "green 2", "1,-1": "pink 1", "2,-1": "yellow 1", "2,0": "green+enclosure 0", "0,1": "yellow 0"}
NAMED = {
    "the start": ("classic", {}, {}),
    "a first plot": ("classic", {}, {"plots": {"1,0": "green 1"}}),
    "sun over five plots": (
        "classic",
        {},
        {
            "plots": WATERED,
            "channels": ["1,0|1,-1", "2,-1|1,0"],
            "gardener": "1,0",
            "seats": [{"channels": 1, "hand": ["panda-green", "plot-green-line"], "bamboo": {"green": 3}}, {}],
            "turn": {"number": 2, "weather": "sun", "actions": ["plot"]},
        },
    ),
    "a choice of weather": ("bga", {}, {"plots": WATERED, "channels": ["1,0|1,-1", "2,-1|1,0"], "panda": "2,0",
                            "turn": {"number": 3, "weather": "choice", "weather_pending": True}}),
    "chips while laying": ("bga", {}, {"plots": {"1,0": "green 0", "0,1": "pink 2"},
                           "seats": [{"chips": {"watershed": 1, "fertilizer": 1}, "hidden": {"plot": 5}}, {}],
                           "turn": {"number": 2, "weather": "wind", "actions": ["gardener"]}}),
    "nothing may be stored": ("classic", {"store_channels": False, "store_chips": False, "may_pass_actions": False},
                              {"plots": WATERED, "channels": ["1,0|1,-1", "2,-1|1,0"], "turn": {"number": 2}}),
    "clouds without chips": ("classic", {"storm_stay": True}, {"plots": {"1,0": "green 1"}, "panda": "1,0",
                             "seats": [{"chips": {"watershed": 3, "enclosure": 3, "fertilizer": 3}}, {}],
                             "turn": {"number": 2, "weather": "clouds", "weather_pending": True}}),
    "one claim from the end": ("classic", {}, {"seats": [
        {"claimed": ["panda-green"] * 5 + ["panda-yellow"] * 3, "hand": ["panda-pink"], "bamboo": {"pink": 2}}, {}]}),
}  # fmt: skip
"""By name: ruleset, options, position."""


def both(name):
    ruleset, options, facts = NAMED[name]
    rules = rules_for(ruleset, options)
    state = position_from_json(facts, rules, ["Aki", "Oksana"])
    return state, obvious.Table(position_to_json(state), asdict(rules.options))


def count(state, depth):
    if depth == 0:
        return 1
    legal = legal_moves(state)
    return len(legal) if depth == 1 else sum(count(apply_legal(state, move), depth - 1) for move in legal)


@pytest.mark.parametrize("name", NAMED)
def test_one_move_deep_every_text_and_outcome_is_the_same(name):
    state, table = both(name)
    texts = [format_move(move) for move in legal_moves(state)]
    assert len(texts) == len(set(texts))
    assert set(texts) == table.moves()
    for text in texts:
        assert position_to_json(apply(state, parse_move(text))) == table.play(text).facts(), text


@pytest.mark.parametrize(
    ("name", "depth"),
    [("the start", 2), ("a first plot", 2), ("clouds without chips", 3), ("one claim from the end", 2),
     ("a choice of weather", 2), ("nothing may be stored", 2), ("sun over five plots", 1), ("chips while laying", 1)],
)  # fmt: skip
def test_counts_of_sequences_are_the_obvious_ones(name, depth):
    state, table = both(name)
    assert count(state, depth) == obvious.count(table, depth)


COUNTS = {"the start": (78, 956), "a first plot": (68, 1088)}
"""Sequences of one and two moves, as both ways of counting gave them once: a change of rules shows here."""


@pytest.mark.parametrize("name", COUNTS)
def test_counts_stay_as_they_were(name):
    state, _ = both(name)
    assert COUNTS[name] == (count(state, 1), count(state, 2))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(game_plans)
def test_wherever_a_game_stands_the_obvious_rules_list_the_same_moves(plan):
    game = random_game(*plan)
    for state in (game.states[len(game.states) // 2], game.state):
        table = obvious.Table(position_to_json(state), asdict(state.rules.options))
        assert {format_move(move) for move in legal_moves(state)} == table.moves()


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(game_plans)
def test_wherever_a_game_stands_the_obvious_rules_play_the_same(plan):
    """Every twentieth move of the game, the last one included."""
    game = random_game(*plan)
    for index in range(len(game.lines) - 1, -1, -20):
        before, after = game.states[index], game.states[index + 1]
        table = obvious.Table(position_to_json(before), asdict(before.rules.options))
        played = table.play(format_move(game.lines[index].move))
        assert played.facts() == position_to_json(after)
