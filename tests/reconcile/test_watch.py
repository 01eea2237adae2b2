"""`companion watch` on recorded nights: what it prints, what it records, and what bad nights are told."""

import json

import pytest

from companion.cli.main import run
from companion.record import read_record

HEADER = '{"record":1,"game":"takenoko","ruleset":"classic","seats":["Aki","Oksana"],"first":0}'
CAMERA = {
    "width": 1640, "height": 1232, "fx": 1350.0, "fy": 1350.0, "cx": 820.0, "cy": 616.0, "dist": [0, 0, 0, 0, 0],
    "markers": {"dictionary": "DICT_APRILTAG_36h11", "size_mm": 40.0, "ids": [0, 1, 2, 3]},
    "pieces": {"tile_across_flats_mm": 70.0, "tile_thickness_mm": 2.0, "section_height_mm": 18.0,
               "section_diameter_mm": 12.0, "channel_mm": [38.0, 6.0, 6.0]},
    "art": "painted",
}  # fmt: skip


@pytest.fixture
def night(tmp_path):
    folder = tmp_path / "night"
    folder.mkdir()
    (folder / "header.json").write_text(HEADER)
    (folder / "camera.json").write_text(json.dumps(CAMERA))
    (folder / "torn.jpg").write_bytes(b"\xff\xd8\xff\xe0 torn")
    return folder


def write(night, *lines):
    (night / "timeline.jsonl").write_text("\n".join(lines) + "\n")


def test_pictures_that_cannot_be_read_are_no_looks_and_the_night_goes_on(night, tmp_path, capsys):
    write(
        night, '{"frame":"torn.jpg","t":0}', '{"seat":0,"do":"draw panda"}', '{"frame":"missing.jpg","t":9}',
        '{"seat":0,"do":"end"}', '{"seat":1,"do":"draw plot"}', '{"seat":1,"do":"end"}',
    )  # fmt: skip
    out = tmp_path / "out.jsonl"
    assert run(["watch", str(night), "--record", str(out), "--json"]) == 0
    turns = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(turn["turn"], turn["seat"]) for turn in turns] == [(1, 0), (2, 1)]
    assert {turn["status"] for turn in turns} == {"asked"}
    result = read_record(out)
    assert result.fault is None
    assert result.game.state.turn.seat == 0


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"seat":0,"do":"panda 1,0"}', "line 2"),
        ('{"seat":0}', "line 2"),
        ('{"seat":1,"do":"end"}', "line 2"),
    ],
)
def test_a_bad_timeline_is_one_line_that_names_the_place(night, capsys, line, why):
    write(night, '{"frame":"torn.jpg","t":0}', line, '{"seat":0,"do":"end"}')
    assert run(["watch", str(night)]) == 1
    [picture, fault] = capsys.readouterr().err.strip().splitlines()
    assert picture.startswith("torn.jpg: ")
    assert why in fault


@pytest.mark.parametrize("name", ["header.json", "camera.json", "timeline.jsonl"])
def test_a_night_without_one_of_its_files_is_refused(night, capsys, name):
    write(night, '{"seat":0,"do":"end"}')
    (night / name).unlink()
    assert run(["watch", str(night)]) == 1
    assert name in capsys.readouterr().err


def test_a_timeline_in_another_encoding_is_one_line(night, capsys):
    (night / "timeline.jsonl").write_bytes('{"seat":0,"do":"end"}\n'.encode("utf-16"))
    assert run(["watch", str(night)]) == 1
    assert "timeline.jsonl: not UTF-8 text" in capsys.readouterr().err


@pytest.mark.parametrize("line", ["not JSON", '{"seat":1,"do":"fly 1,0"}', '{"seat":1,"do":"gardener 1,0"}',
                                  '{"seat":0,"do":"end"}'])  # fmt: skip
def test_a_fault_in_the_timeline_loses_nothing_that_was_known_before_it(night, tmp_path, capsys, line):
    """Turns that have ended wait for what comes later: where nothing comes they are reported before the fault is."""
    turns = ['{"seat":0,"do":"draw panda"}', '{"seat":0,"do":"end"}', '{"seat":1,"do":"draw plot"}',
             '{"seat":1,"do":"end"}', '{"seat":0,"do":"roll sun"}', '{"seat":0,"do":"draw plot"}',
             '{"seat":0,"do":"end"}']  # fmt: skip
    out, good = tmp_path / "out.jsonl", tmp_path / "good.jsonl"
    write(night, *turns)
    assert run(["watch", str(night), "--record", str(good), "--json"]) == 0
    whole = capsys.readouterr().out
    write(night, *turns, '{"seat":1,"do":"roll sun"}', line, '{"seat":1,"do":"end"}')
    assert run(["watch", str(night), "--record", str(out), "--json"]) == 1
    said = capsys.readouterr()
    assert said.out == whole
    assert "timeline.jsonl, line 9: " in said.err
    assert out.read_text() == good.read_text()
    assert read_record(out).game.state.turn.seat == 1


def test_a_torn_last_line_is_said_and_the_rest_is_followed(night, capsys):
    write(night, '{"seat":0,"do":"draw panda"}', '{"seat":0,"do":"end"}')
    with (night / "timeline.jsonl").open("a") as timeline:
        timeline.write('{"seat":1,"do":"dra')
    assert run(["watch", str(night), "--json"]) == 0
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 1
    assert "timeline.jsonl, line 3: the last line is torn" in said.err
    assert len(said.err.splitlines()) == 1


def test_why_nothing_is_seen_and_what_is_left_out_is_said_beside_the_turns(night, capsys):
    write(night, '{"frame":"torn.jpg","t":0}', '{"seat":0,"do":"end"}', '{"seat":1,"do":"draw plot"}')
    assert run(["watch", str(night), "--json"]) == 0
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 1
    assert "torn.jpg: no look was possible" in said.err
    assert "the last turn has no `end`" in said.err
