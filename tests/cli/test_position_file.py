"""`companion observe --position`: what is no position is one clear line, whatever was in the file."""

import json
import re

import pytest

from companion.cli.eye import read_look
from companion.errors import BadInputError


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[]", "expected a JSON object"),
        ("3", "expected a JSON object"),
        ("[" * 100_000, "nested too deeply"),
        ('{"plots":{"1,0":"blue 2"}}', "blue"),
        ('{"plots":{"1,0":"green 5"}}', "plots.1,0: not a plot"),
        ('{"plots":{"1,0":"green 1","+1,0":"green 1"}}', "1,0 stands twice"),
        ('{"plots":[["1,0","green 1"]]}', "plots: expected an object"),
        (
            '{"plots":{"1,0":"green/watershed 0","0,1":"green/watershed 0","1,-1":"green/watershed 0"}}',
            "T-PLOT-3: 3 plots green/watershed lie, but the box has 2",
        ),
        ('{"plots":{"1,0":"green 0","3,0":"pink 0"}}', "T-PLOT-2: no order of laying gets plots to 3,0"),
        ('{"plots":{"0,0":"green 0"}}', "T-PLOT-2: a plot lies on the pond"),
        ('{"plots":{"1,0":"green 0"},"channels":["1,0|0,1"]}', "the channel on 1,0|0,1 does not lie between two plots"),
        ('{"plots":{"1,0":"green 0"},"panda":"0,1"}', "the panda stands on 0,1, where no plot lies"),
        ('{"gardener":"2,0"}', "the gardener stands on 2,0, where no plot lies"),
        (
            '{"plots":{"1,0":"green+watershed 0","0,1":"green+watershed 0","-1,1":"green+watershed 0",'
            '"-1,0":"green+watershed 0"}}',
            "T-WEA-5: 1 watershed chips more than the box has",
        ),
    ],
)
def test_what_is_no_position_is_said_with_its_place(tmp_path, text, why):
    path = tmp_path / "position.json"
    path.write_text(text)
    with pytest.raises(BadInputError, match=re.escape(why)) as error:
        read_look(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_every_reason_is_named_at_once(tmp_path):
    path = tmp_path / "position.json"
    path.write_text('{"plots":{"1,0":"green 0","3,0":"pink 0"},"panda":"0,1"}')
    with pytest.raises(BadInputError, match=r"gets plots to 3,0; .*the panda stands on 0,1"):
        read_look(path)


@pytest.mark.parametrize(
    "garden",
    [
        # Some boxes have two plots of this kind, and some tables lay channels at the pond.
        {"plots": {"1,0": "green/fertilizer 2", "0,1": "green/fertilizer 2"}},
        {"plots": {"1,0": "green 1"}, "channels": ["1,0|0,0"]},
        {"plots": {}, "channels": None, "gardener": None},
        # Whose turn it is, and who holds what, no camera sees.
        {"plots": {"1,0": "green 1"}, "panda": "1,0", "seats": [{"name": "Aki"}], "turn": None, "over": True},
    ],
)
def test_what_some_box_and_some_rules_allow_is_taken(tmp_path, garden):
    path = tmp_path / "position.json"
    path.write_text(json.dumps(garden))
    look = read_look(path)
    assert len(look.plots) == len(garden["plots"])
    assert len(look.channels) == len(garden["channels"] or ()) if "channels" in garden else not look.channels
    assert (look.panda is None) == ("panda" not in garden)
    assert look.gardener is None
