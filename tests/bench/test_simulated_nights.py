"""Simulated nights: written in the public format, with truth that agrees with itself."""

import json
from pathlib import Path

import cv2
import pytest

from companion.bench.evenings import Habits, simulate_evening
from companion.bench.nights import NightPlan, look_of, write_night
from companion.bench.tables import write_table
from companion.cli.main import run
from companion.games.takenoko.hexgrid import Hex
from companion.games.takenoko.pieces import Figure
from companion.games.takenoko.setup import new_game
from companion.reconcile.model import SlipKind
from companion.reconcile.slips import Slip
from companion.record import read_record
from vision.camera_file import load_camera_file

PLAN = NightPlan(seed=21, turns=6, slip=0.9, disturbance=0.4, hand=0.3, width=320, height=240)


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def night(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("night")
    write_night(folder, PLAN)
    return folder


def test_the_true_record_is_a_legal_game(night):
    result = read_record(night / "truth.jsonl")
    assert result.fault is None
    assert result.game is not None
    ends = [e for e in lines(night / "truth.jsonl") if e.get("do") == "end"]
    assert len(ends) == PLAN.turns


def test_every_turn_has_its_position_and_its_last_picture(night):
    timeline, turns = lines(night / "timeline.jsonl"), lines(night / "truth_positions.jsonl")
    record = lines(night / "truth.jsonl")
    assert [t["turn"] for t in turns] == list(range(1, PLAN.turns + 1))
    for turn in turns:
        assert timeline[turn["timeline"] - 1]["frame"] == turn["frame"]
        assert timeline[turn["timeline"]]["do"] == "end"
        assert record[turn["record_line"] - 1]["do"] == "end"


def test_pictures_can_be_read_and_their_truth_is_told(night):
    timeline, seen = lines(night / "timeline.jsonl"), lines(night / "truth_frames.jsonl")
    frames = [line["frame"] for line in timeline if "frame" in line]
    assert [truth["frame"] for truth in seen] == frames
    assert [line["t"] for line in timeline if "t" in line] == sorted(line["t"] for line in timeline if "t" in line)
    for name in frames:
        assert cv2.imread(str(night / name)).shape == (240, 320, 3)
    assert load_camera_file(night / "camera.json").width == 320


def test_a_slip_shows_in_its_pictures_and_nowhere_else(night):
    slips = lines(night / "truth_slips.jsonl")
    assert slips
    turns = {t["frame"]: t["position"] for t in lines(night / "truth_positions.jsonl")}
    seen = {truth["frame"]: truth for truth in lines(night / "truth_frames.jsonl")}
    wrong = {frame for slip in slips for frame in slip["wrong_frames"]}
    for frame, position in turns.items():
        heights = {at: text.rsplit(" ", 1)[1] for at, text in position["plots"].items()}
        shown = {at: str(plot["bamboo"]) for at, plot in seen[frame]["plots"].items()}
        edges = {frozenset(edge.split("|")) for edge in position["channels"]}
        laid = {frozenset(channel["edge"].split("|")) for channel in seen[frame]["channels"]}
        stand = [position["gardener"], position["panda"]]
        stood = [seen[frame][figure]["at"] for figure in ("gardener", "panda")]
        same = (heights, edges, stand) == (shown, laid, stood)
        assert same == (frame not in wrong)


def test_a_slip_is_told_as_in_recorded_nights(night):
    for slip in lines(night / "truth_slips.jsonl"):
        assert slip["kind"] in set(SlipKind)
        assert slip["expected"] != slip["observed"]
        assert slip["explanation"].endswith(".")


def test_people_make_every_kind_of_slip():
    made = {
        turn.new.kind
        for seed in range(24)
        for turn in simulate_evening(seed, Habits(slip=1.0, mid_look=0.0, hand=0.0), turns=25).turns
        if turn.new is not None
    }
    assert made == set(SlipKind) - {SlipKind.OTHER}


def test_what_is_told_is_never_what_the_camera_sees(night):
    told = [line["do"].split()[0] for line in lines(night / "timeline.jsonl") if "do" in line]
    assert not {"gardener", "panda", "rain", "storm", "irrigate", "improve", "skip", "plot"} & set(told)


def test_notices_name_pictures_of_the_night(night):
    notices = lines(night / "truth_notices.jsonl")
    frames = {truth["frame"]: truth for truth in lines(night / "truth_frames.jsonl")}
    assert notices
    assert all(notice["frame"] in frames for notice in notices)
    hands = {notice["frame"] for notice in notices if notice["kind"] == "hand"}
    assert hands == {name for name, truth in frames.items() if truth["hand"]}


def test_a_figure_that_stands_wrong_is_looked_for_where_it_stands():
    state = new_game(("Aki", "Oksana"))
    slip = Slip(SlipKind.FIGURE_OFF_LINE, state.panda, 1, figure=Figure.PANDA, seen=Hex(1, 0))
    assert look_of(state, (slip,)).panda == Hex(1, 0)
    assert look_of(state, ()).panda == state.panda


def test_a_table_is_written_as_evaluate_reads_it(tmp_path):
    name = write_table(tmp_path, "medium", 3, width=320, height=240)
    truth = json.loads((tmp_path / name.replace(".jpg", ".truth.json")).read_text())
    assert truth["image"] == name
    assert 45 < truth["elevation_deg"] < 65
    assert load_camera_file(tmp_path / name.replace(".jpg", ".camera.json")).height == 240


def test_the_command_writes_the_same_night_again(tmp_path, capsys):
    for name in ("one", "two"):
        arguments = ["--seed", "4", "--turns", "2", "--size", "320x240", "--out", str(tmp_path / name)]
        assert run(["simulate-night", *arguments]) == 0
    for path in sorted((tmp_path / "one").rglob("*.*")):
        assert path.read_bytes() == (tmp_path / "two" / path.relative_to(tmp_path / "one")).read_bytes()
    assert "pictures" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--size", "huge"], ["--size", "9x9"], ["--turns", "0"]])
def test_wrong_usage_is_one_clear_line(tmp_path, capsys, arguments):
    assert run(["simulate-night", "--seed", "1", "--out", str(tmp_path), *arguments]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
