"""`replay`, `legal`, `met`, `play` and `bench`, as other programs use them."""

from __future__ import annotations

import json
import os

import pytest

from companion.cli.main import run

HEADER = '{"record":1,"game":"takenoko","ruleset":"classic","seats":["Aki","みどり"]}\n'
PLOT = '{"seat":0,"do":"plot green 1,0"}\n'


@pytest.fixture
def write(tmp_path):
    def to_file(text, name="night.jsonl"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return to_file


def told(capsys):
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_replay_prints_one_object_a_file_even_if_one_is_bad(write, capsys, tmp_path):
    good = write(HEADER + PLOT)
    bad = write(HEADER + PLOT + '{"seat":0,"do":"plot green 5,5"}\n', "bad.jsonl")
    missing = str(tmp_path / "missing.jsonl")
    assert run(["replay", good, bad, missing, str(tmp_path), "nul\0", good, "--json"]) == 1
    reports = told(capsys)
    assert [report["ok"] for report in reports] == [True, False, False, False, False, True]
    assert reports[0]["file"] == good
    assert (reports[1]["line"], reports[1]["rule"]) == (3, "T-TURN-3")
    assert all(report["message"] and "\n" not in report["message"] for report in reports if not report["ok"])


def test_replay_says_all_that_follows_from_a_position(write, capsys):
    path = write(HEADER + PLOT + '{"seat":0,"do":"channel"}\n')
    assert run(["replay", path, "--json"]) == 0
    (report,) = told(capsys)
    assert report["position"]["plots"] == {"1,0": "green 1"}
    assert report["position"]["seats"][1]["name"] == "みどり"
    assert report["scores"] == [
        {"seat": seat, "plot": 0, "gardener": 0, "panda": 0, "emperor": 0, "total": 0} for seat in (0, 1)
    ]
    assert (report["winners"], report["over"], report["irrigated"]) == ([], False, ["1,0"])
    assert report["supply"]["channels"] == 19
    assert report["supply"]["chips"] == {"watershed": 3, "enclosure": 3, "fertilizer": 3}
    assert report["supply"]["plots"]["green"] == 5
    assert len(report["supply"]["plots"]) == 12
    assert "torn" not in report


def test_replay_reports_a_torn_line_and_keeps_the_rest(write, capsys):
    path = write(HEADER + PLOT + '{"seat":0,"do":"pan')
    assert run(["replay", path, "--json"]) == 0
    assert told(capsys)[0]["torn"] is True
    assert run(["replay", path]) == 0
    assert "torn" in capsys.readouterr().out
    assert run(["met", path]) == 0
    assert "torn" in capsys.readouterr().err


def test_replay_for_people(write, capsys):
    ended = write(HEADER + PLOT + '{"seat":1,"do":"stop"}\n')
    assert run(["replay", ended]) == 0
    assert "over, won by Aki and みどり" in capsys.readouterr().out
    assert run(["replay", write(HEADER)]) == 0
    assert "turn 1 of Aki" in capsys.readouterr().out
    assert run(["replay", write("nonsense")]) == 1
    assert "line 1" in capsys.readouterr().out


def test_legal_lists_the_moves_of_the_last_position(write, capsys):
    path = write(HEADER + PLOT)
    assert run(["legal", path, "--json"]) == 0
    moves = told(capsys)[0]["moves"]
    assert {"gardener 1,0", "panda 1,0", "channel", "draw plot", "draw panda", "end", "stop"} <= set(moves)
    assert not [move for move in moves if move.startswith(("plot", "know", "claim", "roll"))]
    assert run(["legal", path]) == 0
    assert capsys.readouterr().out.splitlines() == moves


def test_met_lists_what_the_garden_meets_and_what_seats_can_pay(write, capsys):
    facts = {
        "record": 1,
        "game": "takenoko",
        "seats": ["A", "B"],
        "position": {
            "plots": {"1,0": "pink 4", "0,1": "pink 1", "-1,1": "pink 1"},
            "seats": [{"bamboo": {"green": 2, "pink": 1, "yellow": 1}}, {}],
        },
    }
    path = write(json.dumps(facts) + "\n")
    assert run(["met", path, "--json"]) == 0
    assert told(capsys) == [
        {"met": ["plot-pink-curve", "gardener-pink-plain"], "payable": [["panda-green", "panda-mixed"], []]}
    ]
    assert run(["met", path]) == 0
    assert "A can pay: panda-green, panda-mixed" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["legal", "met"])
def test_a_record_with_a_fault_is_refused_in_one_line(write, capsys, command):
    for path in (write(HEADER + "nonsense\n"), write("[", "b.jsonl"), "nul\0", "/nonexistent/night.jsonl"):
        assert run([command, path, "--json"]) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert len(err.splitlines()) == 1


WRONG = {
    "no file": ["replay"],
    "no record": ["legal"],
    "an unknown flag": ["met", "x", "--loud"],
    "five seats": ["play", "--seats", "5"],
    "one seat": ["play", "--seats", "1"],
    "seats in words": ["play", "--seats", "two"],
    "unknown players": ["play", "--players", "clever"],
    "too few players": ["play", "--seats", "3", "--players", "random,greedy"],
    "an unknown ruleset": ["play", "--ruleset", "blitz"],
    "an unknown edition": ["play", "--edition", "deluxe"],
    "an unknown option": ["play", "--option", "dragons=on"],
    "an option without a value": ["play", "--option", "storm_stay"],
    "an unknown bench": ["bench", "everything"],
    "no bench": ["bench"],
    "an unknown flag of a bench": ["bench", "rules", "--loud"],
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_usage_exits_with_2(name, capsys):
    assert run(WRONG[name]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_play_writes_a_full_record_and_the_same_again(tmp_path, capsys):
    one, two = str(tmp_path / "one.jsonl"), str(tmp_path / "two.jsonl")
    for path in (one, two):
        assert run(["play", "--seats", "2", "--seed", "7", "--players", "greedy,random", "--record", path]) == 0
    with open(one, "rb") as first, open(two, "rb") as second:  # noqa: PTH123
        assert first.read() == second.read()
    capsys.readouterr()
    assert run(["replay", one, "--json"]) == 0
    (report,) = told(capsys)
    assert report["over"]
    assert report["winners"]


def test_play_leaves_a_file_as_it_was(write, capsys):
    path = write("dear diary")
    assert run(["play", "--seats", "2", "--record", path, "--quiet"]) == 1
    assert "exists already" in capsys.readouterr().err
    with open(path, "rb") as file:  # noqa: PTH123
        assert file.read() == b"dear diary"


def test_play_names_a_folder_that_does_not_exist(tmp_path, capsys):
    path = os.path.join(tmp_path, "no", "such.jsonl")  # noqa: PTH118
    assert run(["play", "--seats", "2", "--seed", "1", "--players", "random", "--record", path, "--quiet"]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_bench_rules_prints_its_figures(capsys):
    assert run(["bench", "rules", "--json", "--seconds", "0.01", "--seats", "2"]) == 0
    (figures,) = told(capsys)
    assert {"games_per_second", "steps_per_second", "events_per_game", "replay_200_events_ms"} <= set(figures)
    assert run(["bench", "rules", "--seconds", "0.01", "--seats", "2", "--ruleset", "bga"]) == 0
    assert "games_per_second" in capsys.readouterr().out
