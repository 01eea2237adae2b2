from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.errors import CameraError
from companion.observation import LookContext, Observation, Pose, Status
from companion.remarks import Remark
from vision.cameras.port import small_luma
from vision.frame import Frame
from vision.live import LiveSettings, LiveTable, advice, remarks
from vision.stillness import StillnessPolicy, StillnessWatch

TABLE = cv2.cvtColor(
    cv2.resize(np.random.default_rng(2).integers(60, 190, (12, 16), np.uint8), (640, 480)), cv2.COLOR_GRAY2BGR
)
QUIET = 3


class Stage:
    """A camera before which things happen."""

    name = "stage"

    def __init__(self):
        self.scene = TABLE
        self.plugged = True
        self.grabs = 0
        self.closed = False

    def luma(self):
        if not self.plugged:
            raise CameraError("cable out: plug it in")
        return small_luma(self.scene)

    def grab(self):
        self.grabs += 1
        return Frame(self.scene, "stage", 0.0)

    def close(self):
        self.closed = True


@pytest.fixture
def stage():
    return Stage()


@pytest.fixture
def live(stage):
    looks = []

    def observe(image, expected):
        looks.append((image, expected))
        return Observation(Status.CLEAR, ms=len(looks))

    table = LiveTable(
        stage, observe, StillnessWatch(StillnessPolicy(quiet_frames=QUIET)), settings=LiveSettings(burst=3)
    )
    table.looks = looks
    return table


def follow(live, count):
    seen = [live.look() for _ in range(count)]
    return [observation.status.value for observation in seen if observation is not None]


def with_arm(scene):
    out = scene.copy()
    cv2.line(out, (640, 250), (380, 220), (150, 170, 220), 70)
    return out


def with_tile(scene):
    out = scene.copy()
    cv2.circle(out, (320, 240), 30, (30, 160, 40), -1)
    return out


def test_a_still_table_is_looked_at_once(live, stage):
    assert follow(live, 30) == ["clear"]
    assert stage.grabs == 3


def test_a_move_is_told_as_movement_and_then_looked_at(live, stage):
    follow(live, 10)
    stage.scene = with_arm(TABLE)
    assert follow(live, 1) == ["moving"]
    stage.scene = with_tile(TABLE)
    assert follow(live, 30) == ["clear"]
    assert (live.looks[-1][0] == stage.scene).all()


def test_a_resting_hand_is_told_once_and_the_table_is_looked_at_when_it_has_gone(live, stage):
    follow(live, 10)
    stage.scene = with_arm(TABLE)
    assert follow(live, 40) == ["moving", "occluded"]
    stage.scene = TABLE
    assert follow(live, 20) == ["moving", "clear"]


def test_a_look_can_be_had_at_once_with_what_is_expected(live, stage):
    stage.scene = with_arm(TABLE)
    expected = object()
    assert live.look(expected, at_once=True).status is Status.CLEAR
    assert live.looks[-1][1] is expected


def test_a_lost_camera_is_said_and_after_its_return_the_table_is_looked_at_again(live, stage):
    follow(live, 10)
    assert live.status()["open"]
    stage.plugged = False
    with pytest.raises(CameraError, match="plug it in"):
        live.look()
    assert live.status()["error"] == "cable out: plug it in"
    assert not live.status()["open"]
    stage.plugged = True
    assert follow(live, 10) == ["clear"]
    assert live.status()["error"] is None


def test_after_recalibrating_the_same_scene_is_looked_at_again(live):
    follow(live, 10)
    live.recalibrate()
    assert follow(live, 10) == ["clear"]


def test_the_camera_page_gets_a_small_jpeg_with_or_without_the_overlay(stage):
    drawn = []

    def draw(image, seen):
        drawn.append(seen)
        return image

    live = LiveTable(stage, lambda _image, _expected: Observation(Status.CLEAR), draw=draw,
                     settings=LiveSettings(preview_width_px=320))  # fmt: skip
    assert live.picture(overlay=True) is None
    live.look(at_once=True)
    picture = cv2.imdecode(np.frombuffer(live.picture(overlay=False), np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (240, 320, 3)
    assert drawn == []
    live.picture(overlay=True)
    assert len(drawn) == 1
    live.close()
    assert stage.closed


def seen_from(elevation_deg, **context):
    lean = np.radians(90 - elevation_deg)
    rotation = cv2.Rodrigues(np.array([np.pi - lean, 0.0, 0.0]))[0]
    rvec = tuple(float(value) for value in cv2.Rodrigues(rotation)[0].ravel())
    return Observation(Status.CLEAR, pose=Pose(rvec, (0.0, 0.0, 600.0), 0.5), context=LookContext(**context))


CARDS = {1: (10.0, 10.0), 2: (600.0, 400.0)}


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (seen_from(52, cards_px=CARDS, luma=110.0), []),
        (seen_from(80, cards_px=CARDS), ["camera.too_steep"]),
        (seen_from(52, cards_px={1: (1.0, 1.0)}), ["camera.one_card"]),
        (seen_from(52, luma=20.0), ["camera.too_dark", "camera.no_card"]),
        (seen_from(52, cards_px=CARDS, luma=240.0), ["camera.too_bright"]),
        (Observation(Status.NO_TABLE), ["camera.no_table", "camera.no_card"]),
    ],
)
def test_advice_says_what_would_help(seen, expected):
    assert advice(seen) == expected


def test_the_camera_page_hears_why_nothing_is_seen_and_what_makes_the_eye_doubt():
    """All but what `advice` says in other words already."""
    seen = Observation(Status.NO_TABLE, Remark("eye.black"), (Remark("eye.no_card"), Remark("eye.no_look")))
    assert [str(remark) for remark in remarks(seen)] == [
        "the picture is black",
        "the camera file names no art: tiles are read by a look-free profile",
    ]
