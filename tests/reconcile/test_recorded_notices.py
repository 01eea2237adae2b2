"""What an eye saw on rendered nights, a few looks for each kind of disturbance: noticed as what it is, in its frame.

The looks were recorded from `companion bench notices --seed 9100`; `truth` is what the night's own truth says.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.observation import LookContext, Observation, Status
from companion.reconcile.notices import Attention, Notice

RECORDED = json.loads((Path(__file__).parent / "recorded" / "looks.json").read_text(encoding="utf-8"))


def context(facts):
    """A recorded context: JSON knows no numbers as keys and no tuples."""
    cards = {name: {int(card): tuple(at) for card, at in facts[name].items()} for name in ("cards_px", "cards_mm")}
    return LookContext(**{**facts, **cards, "objects": tuple(map(tuple, facts["objects"]))})


def noticed(looks):
    attention = Attention()
    return [attention.take(Observation(Status(look["status"]), context=context(look["context"]))) for look in looks]


@pytest.mark.parametrize("kind", [notice.value for notice in Notice])
def test_a_recorded_disturbance_is_noticed_once_in_its_frame_and_nothing_else(kind):
    """The first look has none before it: of what it shows only a hand can be known."""
    looks = RECORDED[kind]
    told = [[notice.value for notice in notices] for notices in noticed(looks)]
    assert told[1:] == [look["truth"] for look in looks[1:]]
    assert any(kind in notices for notices in told[1:])


def test_the_same_looks_in_another_order_notice_what_differs_then():
    """A table that is seen before and after is still: the notice comes from the change, not from the picture."""
    before, after = RECORDED["camera_moved"][0], RECORDED["camera_moved"][1]
    assert noticed([before, before]) == [(), ()]
    assert noticed([after, before])[-1] == (Notice.CAMERA_MOVED,)
