"""What differs from the last look: hands, mugs, lamps and shadows on one table before one camera."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.changes import MOST_HELD, Changes, changes
from vision.nets.crops import Pyramid
from vision.nets.foreign import ForeignMap, Window

SIZE = (640, 480)
TILE_PX = 80.0
WINDOW = Window.about(np.array([[320.0, 240.0]]), TILE_PX)
TILE = np.array([[280.0, 200.0], [360.0, 200.0], [360.0, 280.0], [280.0, 280.0]])
"""Where the only tile lies, with what may stand on it."""
SKIN, BLUE = (150, 180, 225), (160, 90, 50)


def table() -> np.ndarray:
    """A grainy brown table with a green tile."""
    rng = np.random.default_rng(4)
    grain = cv2.GaussianBlur(rng.normal(0, 60, (SIZE[1], SIZE[0], 1)).astype(np.float32), (0, 0), 6)[..., None]
    picture = np.clip(np.array((70, 105, 140)) + grain, 0, 255).astype(np.uint8)
    cv2.fillConvexPoly(picture, TILE.astype(np.int32), (60, 140, 70))
    return picture


def noisy(picture: np.ndarray, seed: int = 0) -> np.ndarray:
    return np.clip(picture + np.random.default_rng(seed).normal(0, 2, picture.shape), 0, 255).astype(np.uint8)


def with_arm(picture: np.ndarray) -> np.ndarray:
    out = picture.copy()
    cv2.line(out, (639, 240), (330, 240), SKIN, 60)
    return out


def with_mug(picture: np.ndarray, at: tuple[int, int] = (150, 360)) -> np.ndarray:
    out = picture.copy()
    cv2.circle(out, at, 45, BLUE, -1)
    return out


def taken_for(hand: float, thing: float) -> ForeignMap:
    """The network thinks so of every spot."""
    return ForeignMap(WINDOW, np.full((64, 88), hand, np.float32), np.full((64, 88), thing, np.float32))


HAND, MUG = taken_for(0.3, 0.1), taken_for(0.1, 0.6)


def looks(*pictures: np.ndarray, found: ForeignMap = HAND) -> list[Changes]:
    """One look after the other at the same table."""
    seen: list[Changes] = []
    for number, picture in enumerate(pictures):
        before = seen[-1].glimpse if seen else None
        seen.append(changes(Pyramid(noisy(picture, number)), TILE_PX, before, [TILE], lambda: found))
    return seen


def names(look: Changes) -> set[str]:
    return {name for name, mask in (("hand", look.hand), ("thing", look.thing)) if mask.any()}


def test_a_still_table_shows_nothing_new():
    assert [names(look) for look in looks(table(), table(), table())] == [set(), set(), set()]


def test_an_arm_is_a_hand_while_it_is_there_and_nothing_when_it_is_gone():
    assert [names(look) for look in looks(table(), with_arm(table()), table())] == [set(), {"hand"}, set()]


def test_a_mug_is_a_thing_as_long_as_it_stands_there():
    mug = with_mug(table())
    assert [names(look) for look in looks(table(), mug, mug, table())] == [set(), {"thing"}, {"thing"}, set()]


def test_a_mug_at_the_border_is_told_from_a_sleeve_by_the_network():
    mug = with_mug(table(), (150, 470))
    assert names(looks(table(), mug, found=MUG)[-1]) == {"thing"}
    assert names(looks(table(), mug, found=HAND)[-1]) == {"hand"}


def test_what_changes_on_a_tile_is_a_move_and_nothing_foreign():
    moved = table()
    cv2.circle(moved, (320, 240), 25, (20, 20, 20), -1)
    assert names(looks(table(), moved)[-1]) == set()


def test_a_lamp_changes_the_light_and_is_nothing_foreign():
    warmer = np.linspace(1.05, 1.25, SIZE[0])[None, :, None] * np.array((1.0, 1.05, 1.15))
    lit = np.clip(table() * warmer, 0, 255).astype(np.uint8)
    still, switched = looks(table(), table(), lit)[1:]
    assert still.relit == pytest.approx(0.0, abs=0.01)
    assert switched.relit == pytest.approx(np.log(1.15 * 1.15), abs=0.04)
    assert names(switched) == set()


def test_a_shadow_is_nothing_foreign():
    shaded = table()
    shaded[300:420, 60:200] = shaded[300:420, 60:200] // 2
    assert names(looks(table(), shaded)[-1]) == set()


def test_a_die_is_too_small_to_matter():
    rolled = table()
    cv2.rectangle(rolled, (100, 100), (118, 118), (200, 40, 40), -1)
    assert names(looks(table(), rolled)[-1]) == set()


def test_another_view_is_not_compared():
    blocks = np.random.default_rng(1).integers(0, 255, (12, 16, 3)).astype(np.uint8)
    seen = looks(table(), cv2.resize(blocks, SIZE, interpolation=cv2.INTER_NEAREST))[-1]
    assert not seen.compared
    assert names(seen) == set()


def test_what_stays_for_long_belongs_to_the_table():
    mug = with_mug(table())
    told = [names(look) for look in looks(table(), *[mug] * (MOST_HELD + 2))]
    assert told[1] == {"thing"}
    assert told[-1] == set()


def test_the_map_says_where():
    arm = looks(table(), with_arm(table()))[-1].on(WINDOW, lambda: HAND)
    hand, thing = arm.read(np.array([[[500.0, 240.0], [100.0, 100.0]]]))
    assert hand[0] == pytest.approx([1.0, 0.0], abs=0.01)
    assert thing[0] == pytest.approx([0.0, 0.0], abs=0.01)


def test_without_a_last_look_only_what_the_network_is_sure_of_counts():
    first = looks(table())[0]
    assert first.on(WINDOW, lambda: taken_for(0.7, 0.7)).hand_p.max() < 0.5
    assert first.on(WINDOW, lambda: taken_for(0.99, 0.99)).thing_p.min() > 0.5
