"""A question's choices can be told from one another: by their moves, else by what differs on the table."""

from dataclasses import replace

import pytest

from companion.reconcile.apart import told_apart
from companion.reconcile.follow import TurnReport
from companion.reconcile.messages import say
from companion.reconcile.policy import Decision, Verdict
from companion.reconcile.posterior import Explanation, Kind
from companion.reconcile.report import report_in_words, report_to_json
from tests.reconcile.tables import position, told

GARDEN = {"1,0": "green 3", "0,1": "pink 1", "1,-1": "yellow 0"}
WATER = ("1,0|0,1",)


def said(*tables, words=None):
    found = told_apart(tables, words or [("panda 1,0",)] * len(tables))
    return [[say(message) for message in messages] for messages in found]


def garden(changes=(), **more):
    return position({**GARDEN, **dict(changes)}, **more)


@pytest.mark.parametrize(
    ("one", "other", "first", "second"),
    [
        (garden(), garden({"1,0": "green 4"}),
         "3 green section(s) should stand on the place right of the pond.",
         "4 green section(s) should stand on the place right of the pond."),
        (garden(), garden({"0,1": "pink 0"}),
         "1 pink section(s) should stand on the place below and right of the pond.",
         "No bamboo should stand on the place below and right of the pond."),
        (garden(), garden({"1,-1": "yellow/watershed 0"}),
         "The plot on the place above and right of the pond should have neither badge nor chip.",
         "The plot on the place above and right of the pond should have a printed badge: watershed."),
        (garden({"1,-1": "yellow+watershed 0"}), garden({"1,-1": "yellow/watershed 0"}),
         "The plot on the place above and right of the pond should have a chip: watershed.",
         "The plot on the place above and right of the pond should have a printed badge: watershed."),
        (garden(), garden({"1,-1": "pink 0"}),
         "A yellow plot should lie on the place above and right of the pond.",
         "A pink plot should lie on the place above and right of the pond."),
        (garden(), garden({"2,-1": "pink 0"}),
         "No plot should lie on the place at 2,-1.", "A pink plot should lie on the place at 2,-1."),
        (garden(panda="1,0"), garden(panda="0,0"),
         "The panda should stand on the green plot right of the pond.", "The panda should stand on the pond."),
        (garden(gardener="1,0"), garden(gardener="0,0"),
         "The gardener should stand on the green plot right of the pond.", "The gardener should stand on the pond."),
        (garden(), garden(laid=WATER),
         "No channel should lie between the green plot right of the pond and the pink plot below and right of the"
         " pond.",
         "A channel should lie between the green plot right of the pond and the pink plot below and right of the"
         " pond."),
    ],
)  # fmt: skip
def test_where_the_moves_read_alike_the_table_tells_them_apart(one, other, first, second):
    assert said(one, other) == [[first], [second]]


def test_moves_that_read_differently_need_no_more_words():
    assert said(garden(), garden(panda="1,0"), words=[(), ("panda 1,0",)]) == [[], []]


def test_the_same_moves_in_another_order_read_alike():
    orders = [("gardener 1,0", "panda 1,0"), ("panda 1,0", "gardener 1,0")]
    first, second = said(garden(), garden({"1,0": "green 4"}), words=orders)
    assert first != second
    assert first
    assert second


def test_every_choice_of_a_question_reads_unlike_every_other():
    tables = [
        garden({"1,0": f"green {height}", "0,1": f"pink {other}"}, panda=panda)
        for height in (2, 3) for other in (0, 1) for panda in ("1,0", "0,1")
    ]  # fmt: skip
    words = [tuple(texts) for texts in said(*tables)]
    assert len(set(words)) == len(tables)
    assert {len(texts) for texts in words} == {3}


def test_a_report_says_what_tells_its_choices_apart():
    tables = (garden(), garden({"1,0": "green 4"}), garden())
    steps = (("gardener 1,0",), ("gardener 1,0",), ())
    choices = tuple(
        Explanation(Kind.TURN, tuple((0, line.move, False) for line in told(*moves)), table, (), p, table)
        for moves, table, p in zip(steps, tables, (0.6, 0.3, 0.1), strict=True)
    )
    report = TurnReport(7, 0, Decision(Verdict.ASK, choices[0], choices, ()), (), (), (), tables[0])
    assert report_in_words(report, "Aki").splitlines() == [
        "turn 7, Aki: gardener 1,0 (asked, 60%) 3 green section(s) should stand on the place right of the pond.",
        "    or gardener 1,0 (30%) 4 green section(s) should stand on the place right of the pond.",
        "    or nothing (10%)",
    ]
    found = report_to_json(report)
    assert found["apart"] == ["3 green section(s) should stand on the place right of the pond."]
    assert [choice.get("apart") for choice in found["alternatives"]] == [
        ["4 green section(s) should stand on the place right of the pond."], None,
    ]  # fmt: skip
    accepted = replace(report, decision=replace(report.decision, verdict=Verdict.ACCEPT))
    assert report_in_words(accepted, "Aki") == "turn 7, Aki: gardener 1,0 (accepted, 60%)"
