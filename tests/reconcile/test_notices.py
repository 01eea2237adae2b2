"""What happens to a table without being a move is recognised as what it is."""

from dataclasses import replace

import pytest

from companion.observation import LookContext, Observation, Status
from companion.reconcile.notices import Notice, compare

CARDS_PX = {0: (100.0, 100.0), 1: (900.0, 120.0), 2: (880.0, 700.0)}
CARDS_MM = {0: (-200.0, -150.0), 1: (200.0, -150.0), 2: (190.0, 150.0)}
CALM = LookContext(
    cards_px=CARDS_PX, cards_mm=CARDS_MM, pond_px=(500.0, 400.0), east_px=(560.0, 400.0), luma=120.0, chroma=(1.0, 0.9)
)


def shifted(points, by, only=None):
    return {card: (x + by[0], y + by[1]) if only is None or card in only else (x, y) for card, (x, y) in points.items()}


def noticed(context, status=Status.CLEAR):
    return compare(CALM, Observation(status, context=context))


def test_a_quiet_table_says_nothing():
    jitter = replace(CALM, cards_px=shifted(CARDS_PX, (0.4, -0.3)), cards_mm=shifted(CARDS_MM, (1.5, 0.5)), luma=126.0)
    assert noticed(jitter) == ()


def test_a_bumped_camera_moves_everything_in_the_picture_and_nothing_on_the_table():
    bumped = replace(CALM, cards_px=shifted(CARDS_PX, (30, 8)), pond_px=(531.0, 407.0))
    assert noticed(bumped) == (Notice.CAMERA_MOVED,)


def test_a_pushed_garden_leaves_the_cards_where_they_are():
    pushed = replace(CALM, pond_px=(545.0, 405.0), cards_mm=shifted(CARDS_MM, (-20, -3)))
    assert noticed(pushed) == (Notice.GARDEN_MOVED,)


def test_a_moved_card_moves_alone():
    moved = replace(CALM, cards_px=shifted(CARDS_PX, (60, 0), {1}), cards_mm=shifted(CARDS_MM, (30, 0), {1}))
    assert noticed(moved) == (Notice.CARD_MOVED,)


def test_a_covered_card_is_no_moved_card():
    covered = replace(CALM, cards_px={0: CARDS_PX[0]}, cards_mm={0: CARDS_MM[0]})
    assert noticed(covered) == ()


@pytest.mark.parametrize("lamp", [replace(CALM, luma=70.0), replace(CALM, chroma=(1.2, 0.6))])
def test_a_switched_lamp_is_light(lamp):
    assert noticed(lamp) == (Notice.LIGHT,)


def test_a_mug_is_an_object_once():
    mug = replace(CALM, objects=((80.0, 10.0, 40.0),))
    assert noticed(mug) == (Notice.OBJECT,)
    assert compare(mug, Observation(Status.CLEAR, context=mug)) == ()


def test_a_hand_is_a_hand_also_where_the_eye_says_nothing_else():
    assert compare(None, Observation(Status.OCCLUDED)) == (Notice.HAND,)
    assert noticed(replace(CALM, hand_share=0.2)) == (Notice.HAND,)


def test_without_cards_nothing_is_guessed():
    bare = replace(CALM, cards_px={}, cards_mm={}, pond_px=(545.0, 405.0))
    assert noticed(bare) == ()
