from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from companion.errors import CameraError, UsageError
from vision.cameras.choice import open_camera
from vision.cameras.files import StillsCamera, VideoCamera
from vision.cameras.night import NightCamera
from vision.cameras.port import small_luma
from vision.cameras.reconnecting import LONGEST_WAIT_S, ReconnectingCamera
from vision.cameras.webcam import Webcam
from vision.frame import Frame


class HandClock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return HandClock()


def grey(level, size=(80, 60)):
    return np.full((size[1], size[0], 3), level, np.uint8)


def shown(camera):
    return int(camera.grab().image.mean() + 0.5)


@pytest.fixture
def folder(tmp_path):
    for index, level in enumerate((10, 20, 30)):
        cv2.imwrite(str(tmp_path / f"{index}.png"), grey(level))
    (tmp_path / "notes.txt").write_text("not a picture")
    return tmp_path


def test_a_folder_is_shown_in_name_order_at_the_pace_of_the_clock(folder, clock):
    camera = StillsCamera.of_folder(folder, clock, seconds=2.0)
    seen = []
    for _ in range(8):
        seen.append(shown(camera))
        clock.now += 1.0
    assert seen == [10, 10, 20, 20, 30, 30, 10, 10]
    assert camera.luma().shape == (360, 480)


@pytest.mark.parametrize(
    "spec", ["files:{}/absent", "files:{}/empty", "video:{}/absent.mp4", "video:{}/empty/x", "night:{}"]
)
def test_a_source_that_is_not_there_is_named(spec, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(CameraError, match=tmp_path.name):
        open_camera(spec.format(tmp_path)).luma()


def test_a_broken_picture_in_a_folder_is_a_camera_error(folder, clock):
    (folder / "0.png").write_bytes(b"\x89PNG\r\n\x1a\n torn")
    with pytest.raises(CameraError, match=r"0\.png"):
        StillsCamera.of_folder(folder, clock).grab()


def test_a_video_runs_at_its_own_pace_and_its_last_picture_stays(tmp_path, clock):
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (80, 60))
    for level in range(0, 200, 10):
        writer.write(grey(level))
    writer.release()
    camera = VideoCamera(path, clock)
    assert abs(shown(camera) - 0) < 4
    clock.now += 1.0
    assert abs(shown(camera) - 100) < 4
    clock.now += 60.0
    assert abs(shown(camera) - 190) < 4
    camera.close()


def test_a_file_that_is_no_video_is_refused(tmp_path, clock):
    path = tmp_path / "table.mp4"
    path.write_bytes(b"\0\0\0\x18ftypisom" + bytes(500))
    with pytest.raises(CameraError, match="not a video"):
        VideoCamera(path, clock)


@pytest.fixture
def night(folder):
    lines = [{"frame": "0.png", "t": 5.0}, {"seat": 0, "do": "roll rain"}, {"frame": "1.png", "t": 8.0},
             {"seat": 0, "do": "end"}, {"seat": 1, "do": "roll sun"}, {"frame": "2.png", "t": 20.0}]  # fmt: skip
    (folder / "timeline.jsonl").write_text("\n".join(json.dumps(line) for line in lines) + "\n")
    return folder


def test_a_night_shows_its_stills_and_tells_what_was_told_at_their_times(night, clock):
    camera = NightCamera(night, clock)
    assert (shown(camera), camera.due()) == (10, ({"seat": 0, "do": "roll rain"},))
    assert camera.due() == ()
    clock.now += 3.0
    assert (shown(camera), [line["do"] for line in camera.due()]) == (20, ["end", "roll sun"])
    clock.now += 100.0
    assert (shown(camera), camera.due()) == (30, ())


@pytest.mark.parametrize(
    "line",
    ['{"frame":"../../secret.png","t":1}', '{"frame":"0.png"}', "{torn", "[]", "7", '{"seat":"x","do":"end"}', "{}"],
)
def test_a_timeline_line_that_cannot_be_used_is_named(night, clock, line):
    path = night / "timeline.jsonl"
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(CameraError, match="line 7"):
        NightCamera(night, clock)


class FakeDevice:
    def __init__(self, *, opened=True, frames=1000):
        self.opened, self.left, self.locks, self.released = opened, frames, {}, False

    def isOpened(self):
        return self.opened

    def set(self, key, value):
        self.locks[key] = value

    def grab(self):
        self.left -= 1
        return self.left > 0

    def read(self):
        return (True, grey(self.left % 250)) if self.grab() else (False, None)

    def release(self):
        self.released = True


def test_a_webcam_is_locked_after_warm_up_and_skips_old_frames(clock):
    device = FakeDevice()
    camera = Webcam(2, (640, 480), clock, lambda _number: device)
    assert device.locks[cv2.CAP_PROP_AUTO_WB] == 0.0
    before = device.left
    assert camera.grab().t == 100.0
    assert before - device.left == 5


def test_a_webcam_that_falls_silent_is_waited_for_once(clock):
    """Each frame that does not come takes ten seconds, and the watchdog's patience is twenty."""
    device = FakeDevice()
    camera = Webcam(2, (640, 480), clock, lambda _number: device)
    device.left = 1
    with pytest.raises(CameraError, match="webcam:2 gives no picture"):
        camera.grab()
    assert device.left == 0


@pytest.mark.parametrize("device", [FakeDevice(opened=False), FakeDevice(frames=3)], ids=["absent", "silent"])
def test_a_webcam_that_is_absent_or_silent_is_let_go(device, clock):
    with pytest.raises(CameraError, match="webcam:0"):
        Webcam(0, (640, 480), clock, lambda _number: device)
    assert device.released


class Flaky:
    """A camera whose cable can be pulled."""

    name = "flaky"

    def __init__(self):
        self.plugged = False
        self.tries = 0
        self.closed = 0

    def open(self):
        self.tries += 1
        self.luma()
        return self

    def luma(self):
        if not self.plugged:
            raise CameraError("cable out")
        return np.zeros((2, 2), np.uint8)

    def grab(self):
        return Frame(grey(int(self.luma()[0, 0])), "flaky", 0.0)

    def close(self):
        self.closed += 1


def test_a_camera_absent_at_boot_is_found_later_and_tried_ever_more_rarely(clock):
    flaky = Flaky()
    camera = ReconnectingCamera("flaky", flaky.open, clock)
    for _ in range(1200):  # two minutes of asking ten times a second
        with pytest.raises(CameraError, match="cable out"):
            camera.luma()
        clock.now += 0.1
    assert 9 <= flaky.tries <= 14
    assert camera.trouble == "cable out"
    flaky.plugged = True
    clock.now += LONGEST_WAIT_S
    assert camera.luma().shape == (2, 2)
    assert camera.trouble is None


def test_a_camera_unplugged_and_back_is_closed_and_opened_again(clock):
    flaky = Flaky()
    flaky.plugged = True
    camera = ReconnectingCamera("flaky", flaky.open, clock)
    camera.grab()
    flaky.plugged = False
    with pytest.raises(CameraError):
        camera.grab()
    assert flaky.closed == 1
    flaky.plugged = True
    with pytest.raises(CameraError):  # not yet: the next try is due in half a second
        camera.grab()
    clock.now += 0.5
    assert camera.grab().height == 60
    assert flaky.tries == 2


@pytest.mark.parametrize("spec", ["", "dslr", "webcam:x", "webcam:-1", "files:", "video", "night:"])
def test_a_camera_that_does_not_exist_is_wrong_usage(spec):
    with pytest.raises(UsageError, match="picamera2:MODEL"):
        open_camera(spec)


def test_further_kinds_can_be_added(clock):
    flaky = Flaky()
    flaky.plugged = True
    assert open_camera("simulated:7", clock=clock, more_kinds={"simulated": lambda _rest: flaky}).luma().shape == (2, 2)


def test_the_small_picture_keeps_the_shape_of_the_large():
    assert small_luma(np.zeros((1232, 1640, 3), np.uint8)).shape == (361, 480)
    assert small_luma(np.zeros((90, 160), np.uint8)).shape == (270, 480)
