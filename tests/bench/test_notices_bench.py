"""The bench of notices: nights with a chosen disturbance, followed and compared with what truly happened."""

from __future__ import annotations

import argparse
import json

import pytest

from companion.bench import notices
from companion.bench.nights import NightPlan, can_show


def chosen(*words):
    parser = argparse.ArgumentParser()
    notices.add_arguments(parser)
    return parser.parse_args(words)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("nights")


@pytest.fixture(scope="module")
def figures(folder):
    """One night of two turns, small pictures."""
    words = "--nights 1 --turns 2 --width 800 --kind camera_moved --seed 9106 --folder"
    return notices.run(chosen(*words.split(), str(folder)))


def test_a_knocked_camera_is_noticed_and_the_turns_are_counted(figures, folder):
    (night,) = folder.iterdir()
    truth = [json.loads(line) for line in (night / "truth_notices.jsonl").read_text().splitlines()]
    happened = sum(line["kind"] == "camera_moved" for line in truth)
    assert happened >= 1
    assert figures["camera_moved_noticed"] == f"{happened} of {happened}"
    assert figures["turns"] == 2
    assert figures["silent_wrong"] == 0


def test_nothing_else_is_noticed(figures):
    assert figures["false"] == []
    assert figures["missed"] == []


def test_cards_that_are_printed_on_a_mat_cannot_be_moved_alone():
    plans = [NightPlan(seed, turns=1, kinds=("card_moved",), width=320, height=240) for seed in range(9100, 9106)]
    assert {can_show(plan) for plan in plans} == {True, False}
