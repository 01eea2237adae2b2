"""Whole games that were once looked through: they are replayed to the same end for ever.

After a change of rules `python tests/records/regenerate.py` (`make records`) writes them anew.
"""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest
import regenerate

from companion.games.takenoko.rules import OPTION_NAMES, Options
from companion.record import Do, read_record

ENDS = json.loads((regenerate.FOLDER / "golden.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ENDS)
def test_it_ends_as_it_did(name):
    path = regenerate.FOLDER / f"{name}.jsonl"
    result = read_record(path)
    assert result.fault is None
    assert regenerate.summary(result.game) == ENDS[name]
    assert regenerate.text_of(result.game) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", regenerate.names())
def test_every_ending_ruleset_number_of_seats_and_option_has_a_record(name):
    seats, what, ending = re.fullmatch(r"(\d)-(\w+?)-(\w+)", name).groups()
    game = read_record(regenerate.FOLDER / f"{name}.jsonl").game
    assert len(game.header.seats) == int(seats)
    if what == "option":
        assert game.header.options == {ending: not getattr(Options(), ending)}
    else:
        assert (game.header.ruleset, ENDS[name]["ending"]) == (what, ending)


def test_no_golden_record_is_left_over():
    assert {path.stem for path in regenerate.FOLDER.glob("*.jsonl")} == set(regenerate.names())
    assert {f"3-option-{name}" for name in OPTION_NAMES} < set(ENDS)


def test_together_they_show_every_kind_of_move_but_those_of_rare_options():
    kinds = Counter()
    for name in ENDS:
        events = read_record(regenerate.FOLDER / f"{name}.jsonl").game.events
        kinds.update(type(event.move).__name__ for event in events if isinstance(event, Do))
    assert {"Roll", "ChooseWeather", "Rain", "Storm", "TakeChip", "LayPlot", "TakeChannel", "MoveGardener",
            "MovePanda", "Draw", "Discard", "Irrigate", "Improve", "Claim", "End", "Stop"} <= set(kinds)  # fmt: skip


@pytest.mark.parametrize("night", ["night-a", "night-b"])
def test_the_recorded_nights_stand_as_their_truth_says(shared, night):
    """Positions after every turn, as someone else's rules have them."""
    folder = shared / "photos" / "nights" / night
    result = read_record(folder / "truth.jsonl")
    assert result.fault is None
    for line in (folder / "truth_positions.jsonl").read_text(encoding="utf-8").splitlines():
        truth = json.loads(line)
        title = result.game.header.title
        assert title.position_to_json(result.game.line_state(truth["record_line"])) == truth["position"]
