"""What happens to a table without being a move is recognised as what it is."""

from dataclasses import replace

import pytest

from companion.observation import LookContext, Observation, Status
from companion.reconcile.notices import Attention, Notice, compare

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
    jitter = replace(CALM, cards_px=shifted(CARDS_PX, (0.4, -0.3)), cards_mm=shifted(CARDS_MM, (1.5, 0.5)), luma=123.0)
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


MUG, BOX = (80.0, 10.0, 40.0), (-300.0, 90.0, 25.0)


def seen(*things, hand=0.0, **changes):
    return Observation(Status.CLEAR, context=replace(CALM, objects=things, hand_share=hand, **changes))


def noticed_of(*looks):
    attention = Attention()
    return [attention.take(look) for look in looks]


def test_a_mug_is_an_object_once():
    assert noticed_of(seen(), seen(MUG), seen(MUG)) == [(), (Notice.OBJECT,), ()]


def test_what_stands_there_from_the_beginning_belongs_to_the_table():
    assert noticed_of(seen(BOX), seen(BOX), seen(BOX, MUG)) == [(), (), (Notice.OBJECT,)]


def test_a_mug_behind_a_hand_is_the_same_mug():
    behind = seen(hand=0.2)
    assert noticed_of(seen(MUG), behind, behind, behind, seen(MUG))[-1] == ()


def test_a_mug_that_one_look_missed_is_the_same_mug_and_one_that_was_taken_away_is_new():
    assert noticed_of(seen(MUG), seen(), seen(MUG))[-1] == ()
    assert noticed_of(seen(MUG), seen(), seen(), seen(MUG))[-1] == (Notice.OBJECT,)


def test_things_move_with_a_pushed_garden_s_frame_and_are_not_new():
    pushed = {"pond_px": (545.0, 405.0), "cards_mm": shifted(CARDS_MM, (-20, -3))}
    assert noticed_of(seen(MUG), seen((60.0, 7.0, 40.0), **pushed))[-1] == (Notice.GARDEN_MOVED,)


def test_a_hand_s_shadow_is_no_lamp_neither_when_it_comes_nor_when_it_goes():
    assert noticed_of(seen(), seen(hand=0.2, luma=80.0), seen()) == [(), (Notice.HAND,), ()]


def test_plots_that_are_not_seen_are_behind_a_hand_or_behind_a_thing_that_is_seen():
    unseen = Observation(Status.OCCLUDED, context=CALM)
    attention = Attention()
    attention.take(seen())
    assert attention.take(seen(), unseen) == (Notice.HAND,)
    assert attention.take(seen(MUG), unseen) == (Notice.OBJECT,)


def test_a_look_that_lost_its_way_says_no_more_than_that_a_hand_is_there():
    attention = Attention()
    attention.take(seen())
    astray = Observation(Status.CLEAR, context=replace(CALM, pond_px=(700.0, 300.0), hand_share=0.1))
    assert attention.take(astray, Observation(Status.OCCLUDED)) == (Notice.HAND,)
    assert attention.take(seen()) == ()


def test_a_hand_is_a_hand_also_where_the_eye_says_nothing_else():
    assert compare(None, Observation(Status.OCCLUDED)) == (Notice.HAND,)
    assert noticed(replace(CALM, hand_share=0.2)) == (Notice.HAND,)


def test_a_card_that_moved_does_not_pass_for_a_pushed_garden_among_two():
    two = replace(CALM, cards_px={c: CARDS_PX[c] for c in (0, 1)}, cards_mm={c: CARDS_MM[c] for c in (0, 1)})
    moved = replace(two, cards_px=shifted(two.cards_px, (60, 0), {1}), cards_mm=shifted(two.cards_mm, (30, 0), {1}))
    assert compare(two, Observation(Status.CLEAR, context=moved)) == (Notice.CARD_MOVED,)


def test_a_garden_that_turned_as_it_was_pushed_is_pushed():
    turn = 0.05
    turned = {c: (x - turn * y + 20, y + turn * x) for c, (x, y) in CARDS_MM.items()}
    pushed = replace(CALM, pond_px=(460.0, 400.0), cards_mm=turned)
    assert noticed(pushed) == (Notice.GARDEN_MOVED,)


def test_a_garden_that_is_found_a_little_turned_is_not_pushed():
    """One plot holds the honeycomb's turn badly: a card far off seems to swing about the pond."""
    turn = 0.06
    swung = {c: (x - turn * y, y + turn * x) for c, (x, y) in CARDS_MM.items()}
    assert noticed(replace(CALM, cards_mm=swung)) == ()


def test_a_knock_that_moves_camera_and_garden_is_both():
    both = replace(
        CALM, cards_px=shifted(CARDS_PX, (30, 8)), pond_px=(585.0, 407.0), cards_mm=shifted(CARDS_MM, (-20, -3))
    )
    assert noticed(both) == (Notice.CAMERA_MOVED, Notice.GARDEN_MOVED)


def test_a_garden_that_is_seen_in_another_place_was_not_pushed_there():
    """An eye that takes another cell for the pond sees all cards a tile aside; a second such look may be right."""
    aside = replace(CALM, pond_px=(565.0, 400.0), cards_mm=shifted(CARDS_MM, (-72, 0)))
    assert noticed_of(seen(), Observation(Status.CLEAR, context=aside), seen()) == [(), (), ()]
    there = Observation(Status.CLEAR, context=aside)
    bumped = replace(aside, pond_px=(595.0, 400.0), cards_px=shifted(CARDS_PX, (30, 0)))
    assert noticed_of(seen(), there, there, Observation(Status.CLEAR, context=bumped))[-1] == (Notice.CAMERA_MOVED,)


def test_a_pond_that_is_not_clear_moves_nothing():
    doubtful = replace(CALM, pond_px=(520.0, 400.0), cards_mm=shifted(CARDS_MM, (-20, 0)), pond_is_clear=False)
    assert noticed_of(seen(), Observation(Status.CLEAR, context=doubtful), seen()) == [(), (), ()]


def test_without_cards_nothing_is_guessed():
    bare = replace(CALM, cards_px={}, cards_mm={}, pond_px=(545.0, 405.0))
    assert noticed(bare) == ()
