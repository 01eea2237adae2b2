"""Whole evenings as golden tests: what an eye saw of them, followed from the first turn to the last."""

from functools import lru_cache

import pytest

from companion.reconcile.policy import Verdict
from companion.reconcile.posterior import garden_of
from companion.reconcile.report import report_to_json
from tests.reconcile.recorded import follow, load_night

NIGHTS = ("night-a", "night-b")


@lru_cache(maxsize=4)
def followed(name):
    night = load_night(name)
    return night, follow(night)


@pytest.mark.parametrize("name", NIGHTS)
def test_every_turn_is_reported_once_and_in_order(name):
    night, reports = followed(name)
    assert [report.turn for report in reports] == list(range(1, len(night.truth) + 1))


@pytest.mark.parametrize("name", NIGHTS)
def test_no_accepted_turn_is_wrong_and_no_slip_is_swallowed(name):
    night, reports = followed(name)
    slipped = {slip["turn"] for slip in night.slips}
    for report, truth in zip(reports, night.truth, strict=True):
        if report.decision.verdict is Verdict.ACCEPT:
            assert garden_of(report.state) == garden_of(truth)
            assert report.discrepancies or report.turn not in slipped


@pytest.mark.parametrize(("name", "least"), [("night-a", 21), ("night-b", 21)])
def test_most_turns_need_no_question(name, least):
    night, reports = followed(name)
    right = [
        report.turn
        for report, truth in zip(reports, night.truth, strict=True)
        if report.decision.verdict is Verdict.ACCEPT and garden_of(report.state) == garden_of(truth)
    ]
    assert len(right) >= least


@pytest.mark.parametrize("name", NIGHTS)
def test_the_garden_written_is_right_or_among_the_choices(name):
    night, reports = followed(name)
    for report, truth in zip(reports, night.truth, strict=True):
        offered = {garden_of(choice.state) for choice in report.decision.choices}
        assert garden_of(truth) in offered | {garden_of(report.state)}


@pytest.mark.parametrize("name", NIGHTS)
def test_no_two_choices_of_a_question_read_alike(name):
    _, reports = followed(name)
    for report in reports:
        facts = report_to_json(report)
        read = [(sorted(choice["events"]), choice.get("apart")) for choice in (facts, *facts["alternatives"])]
        assert all(one not in read[:index] for index, one in enumerate(read))


def test_slips_are_found_with_kind_and_place():
    night, reports = followed("night-b")
    found = {(d.kind.value, str(d.at), report.turn) for report in reports for d in report.discrepancies}
    hits = [slip for slip in night.slips if (slip["kind"], slip["at"], slip["turn"]) in found]
    assert len(hits) == 4


def test_a_garden_that_was_lost_in_the_first_turn_is_found_again():
    """The eye overlooked the first plot outright; what came later shows it, and no wrong garden lives on."""
    night, reports = followed("simulated-505")
    right = [garden_of(report.state) == garden_of(truth) for report, truth in zip(reports, night.truth, strict=True)]
    assert not right[0]
    assert all(right[2:])
    assert any(report.decision.verdict is Verdict.UNEXPLAINED for report in reports[:3])
