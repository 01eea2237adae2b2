"""What the eye remarks is an id with parameters: plain English for the command line, any language for the pages."""

import re
from pathlib import Path

import pytest

from companion.observation import Observation, Status
from companion.remarks import REMARKS, Remark
from vision.observation_json import observation_to_json

SOURCES = [file for folder in ("companion", "vision") for file in sorted(Path(folder).rglob("*.py"))]


def test_the_json_of_an_observation_is_plain_english():
    sizes = {"width": 640, "height": 480, "file_width": 1640, "file_height": 1232}
    seen = Observation(Status.NO_TABLE, Remark("eye.wrong_size", sizes), (Remark("eye.no_card"),))
    told = observation_to_json(seen, "a.jpg")
    assert told["reason"] == (
        "the picture has 640 x 480 pixels, the camera file speaks of 1640 x 1232: "
        "use the camera file of this camera and mode"
    )
    assert told["warnings"] == ["no marker card is seen: the table is found by the tiles alone"]


def test_a_look_that_shows_all_gives_no_reason():
    assert observation_to_json(Observation(Status.CLEAR), "a.jpg")["reason"] is None


@pytest.mark.parametrize(("name", "params"), [("eye.unheard_of", {}), ("eye.cards_left_out", {"card": 1})])
def test_an_unknown_id_or_parameter_shows_where_it_is_written(name, params):
    with pytest.raises(KeyError):
        Remark(name, params)


def test_every_remark_is_made_somewhere():
    made = set(re.findall(r'"(eye\.\w+)"', "".join(file.read_text() for file in SOURCES if file.stem != "remarks")))
    assert made == set(REMARKS)
