from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.burst import average_burst
from vision.stillness import Calm, StillnessPolicy, StillnessWatch

HEIGHT, WIDTH = 270, 480
TABLE = cv2.resize(np.random.default_rng(1).integers(60, 200, (18, 32), np.uint8), (WIDTH, HEIGHT))
QUIET = StillnessPolicy().quiet_frames


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def noisy(picture, rng, sigma=3.0):
    return np.clip(picture + rng.normal(0, sigma, picture.shape), 0, 255).astype(np.uint8)


def with_arm(picture, reach):
    """A forearm from the right edge, `reach` pixels into the picture."""
    out = picture.copy()
    cv2.line(out, (WIDTH, 150), (WIDTH - reach, 130), 215, 46)
    return out


def with_tile(picture):
    out = picture.copy()
    cv2.circle(out, (240, 130), 18, 30, -1)
    return out


def feed(watch, picture, rng, frames, sigma=3.0):
    return [watch.update(noisy(picture, rng, sigma)) for _ in range(frames)]


def settled(rng, picture=TABLE):
    watch = StillnessWatch()
    assert feed(watch, picture, rng, QUIET + 3)[-1].calm is Calm.STILL
    return watch


@pytest.mark.parametrize("sigma", [0.0, 2.0, 6.0, 10.0])
def test_a_table_that_nobody_touches_becomes_still_and_stays_so_whatever_the_noise(rng, sigma):
    watch = StillnessWatch()
    calms = [look.calm for look in feed(watch, TABLE, rng, 60, sigma)]
    assert set(calms[:QUIET]) == {Calm.SETTLING}
    assert set(calms[QUIET + 2 :]) == {Calm.STILL}


def test_a_moving_hand_is_motion_and_the_table_settles_only_after_it_left(rng):
    watch = settled(rng)
    for reach in range(20, 200, 20):
        assert watch.update(noisy(with_arm(TABLE, reach), rng)).calm is Calm.MOVING
    assert feed(watch, TABLE, rng, 1)[0].calm is Calm.MOVING
    calms = [look.calm for look in feed(watch, TABLE, rng, QUIET)]
    assert calms == [Calm.SETTLING] * (QUIET - 1) + [Calm.STILL]


def test_a_hand_that_rests_on_the_table_is_no_still_table(rng):
    watch = settled(rng)
    looks = feed(watch, with_arm(TABLE, 160), rng, 60)
    assert {look.calm for look in looks[QUIET + 1 :]} == {Calm.HAND}
    assert feed(watch, TABLE, rng, QUIET + 2)[-1].calm is Calm.STILL


def test_a_thing_left_at_the_edge_becomes_part_of_the_scene_after_a_while(rng):
    watch = settled(rng)
    calms = [look.calm for look in feed(watch, with_arm(TABLE, 160), rng, 200)]
    assert calms[QUIET + 10] is Calm.HAND
    assert calms[-1] is Calm.STILL


def test_a_piece_laid_in_the_middle_is_change_but_no_hand(rng):
    watch = settled(rng)
    looks = feed(watch, with_tile(TABLE), rng, QUIET + 1)
    assert [look.calm for look in looks] == [Calm.MOVING] + [Calm.SETTLING] * (QUIET - 1) + [Calm.STILL]
    assert looks[-1].changed_share > 0.004
    assert feed(watch, with_tile(TABLE), rng, 1)[0].changed_share < 0.001


@pytest.mark.parametrize("gain", [0.55, 1.25])
def test_a_lamp_that_is_switched_is_no_hand(rng, gain):
    watch = settled(rng)
    dimmed = np.clip(TABLE * np.linspace(gain, gain * 0.9, WIDTH), 0, 255).astype(np.uint8)
    looks = feed(watch, dimmed, rng, QUIET + 2)
    assert Calm.HAND not in {look.calm for look in looks}
    assert looks[-1].calm is Calm.STILL


def test_a_bumped_camera_is_motion_and_then_a_new_scene(rng):
    watch = settled(rng)
    shifted = np.roll(TABLE, (20, 35), (0, 1))
    looks = feed(watch, shifted, rng, QUIET + 2)
    assert looks[0].calm is Calm.MOVING
    watch.forget_scene()
    assert feed(watch, shifted, rng, 1)[0].calm is Calm.STILL


def test_a_stream_that_changes_its_size_begins_anew(rng):
    watch = settled(rng)
    assert watch.update(TABLE[:200]).calm is Calm.SETTLING


def test_a_burst_has_less_noise_than_a_still(rng):
    picture = cv2.cvtColor(TABLE, cv2.COLOR_GRAY2BGR)
    stills = [noisy(picture, rng, 6.0) for _ in range(8)]
    error = np.abs(average_burst(stills).astype(float) - picture).mean()
    assert error < 0.45 * np.abs(stills[0].astype(float) - picture).mean()


@pytest.mark.parametrize("crossed", [[0], [3], [7], [5, 6], [0, 1], [6, 7]])
def test_what_flew_through_a_few_stills_leaves_no_ghost(rng, crossed):
    picture = cv2.cvtColor(TABLE, cv2.COLOR_GRAY2BGR)
    stills = [noisy(cv2.cvtColor(with_arm(TABLE, 200), cv2.COLOR_GRAY2BGR) if index in crossed else picture, rng)
              for index in range(8)]  # fmt: skip
    # Noise on a place as bright as the arm may differ by a grey level or two; a ghost would by many.
    assert np.abs(average_burst(stills).astype(int) - picture).max() <= 15
    assert np.abs(average_burst(stills).astype(float) - picture).mean() < 1.5


def test_a_burst_of_one_or_two_is_its_last_still():
    one, two = np.zeros((4, 5, 3), np.uint8), np.full((4, 5, 3), 9, np.uint8)
    assert (average_burst([one, two]) == two).all()


def test_an_empty_or_uneven_burst_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        average_burst([])
    with pytest.raises(ValueError, match="different sizes"):
        average_burst([np.zeros((4, 5, 3), np.uint8), np.zeros((4, 6, 3), np.uint8)])
