from __future__ import annotations

import contextlib
import sys
import types
from typing import ClassVar

import numpy as np
import pytest

from companion.errors import CameraError
from vision.cameras import picamera
from vision.cameras.picamera import PiCamera, choose_camera

CSI = {"Model": "imx708", "Id": "/base/axi/pcie@1000120000/rp1/i2c@88000/imx708@1a", "Num": 0}
USB = {"Model": "HD Webcam", "Id": "/base/scb/pcie@7d500000/usb@0,0-1.2:1.0-046d:0825", "Num": 1}


class FakeRequest:
    def __init__(self, camera):
        self.camera = camera

    def make_buffer(self, name):
        stream = self.camera.configuration[name]
        return np.full(stream["stride"] * stream["size"][1] * 3 // 2, 128, np.uint8)

    def get_metadata(self):
        return self.camera.metadata


class FakePicamera2:
    """As much of picamera2 as is used, with its habits: it changes sizes, and says so only when asked."""

    cameras: ClassVar = [CSI]
    made: ClassVar[list[FakePicamera2]] = []
    busy = False
    has_lores = True
    camera_controls: ClassVar = {"AeEnable": (0, 1, 1), "ExposureTime": (1, 9, 3), "AnalogueGain": (1, 8, 1),
                       "AwbEnable": (0, 1, 1), "ColourGains": (0, 32, 1), "FrameDurationLimits": (1, 2, 1)}  # fmt: skip
    metadata: ClassVar = {
        "AeState": 2,
        "ExposureTime": 20000,
        "AnalogueGain": 1.5,
        "ColourGains": (1.8, 1.4),
        "LensPosition": 2.0,
    }

    @classmethod
    def global_camera_info(cls):
        return cls.cameras

    def __init__(self, _number):
        if self.busy:
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        self.calls = []
        self.held = 0
        self.frames = True
        FakePicamera2.made.append(self)

    def create_video_configuration(self, main, lores=None, **_):
        if lores and not self.has_lores:
            raise RuntimeError("lores not supported")
        return {"main": main, "lores": lores}

    def configure(self, wanted):
        def real(stream):
            width, height = stream["size"]
            return {"format": "NV12", "size": (width // 32 * 32, height), "stride": width + 64}

        self.configuration = {name: real(stream) for name, stream in wanted.items() if stream}

    def camera_configuration(self):
        return self.configuration

    @contextlib.contextmanager
    def captured_request(self, wait):
        assert wait is not None, "a frame is never waited for without end"
        if not self.frames:
            raise TimeoutError
        self.held += 1
        yield FakeRequest(self)
        self.held -= 1

    def set_controls(self, controls):
        unknown = set(controls) - set(self.camera_controls)
        if unknown:
            raise RuntimeError(f"Control {unknown} is not advertised by libcamera")
        self.calls.append(controls)

    def start(self):
        self.calls.append("start")

    def cancel_all_and_flush(self):
        self.calls.append("cancel")

    def stop(self):
        self.calls.append("stop")

    def close(self):
        self.calls.append("close")


@pytest.fixture
def library(monkeypatch):
    fake = type("Picamera2", (FakePicamera2,), {})
    FakePicamera2.made = []
    monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=fake))
    return fake


def opened():
    return PiCamera("", (1650, 1232), lambda: 7.0)


@pytest.mark.usefixtures("library")
def test_a_still_has_the_size_that_the_camera_really_gives():
    frame = opened().grab()
    assert (frame.width, frame.height, frame.source, frame.t) == (1632, 1232, "imx708", 7.0)


def test_luma_comes_from_the_small_stream_and_without_one_from_the_large(library):
    assert opened().luma().shape == (358, 480)
    library.has_lores = False
    assert opened().luma().shape == (362, 480)


@pytest.mark.usefixtures("library")
def test_every_request_is_released():
    camera = opened()
    camera.grab()
    camera.luma()
    assert FakePicamera2.made[-1].held == 0


@pytest.mark.usefixtures("library")
def test_exposure_and_white_balance_are_held_after_warm_up_and_only_what_the_camera_has_is_set():
    opened()
    assert FakePicamera2.made[-1].calls[-1] == {
        "AeEnable": False, "ExposureTime": 20000, "AnalogueGain": 1.5, "AwbEnable": False, "ColourGains": (1.8, 1.4),
    }  # fmt: skip


def test_focus_is_sought_and_held_where_the_lens_moves(library):
    library.camera_controls = {
        **FakePicamera2.camera_controls,
        "AfMode": (0, 2, 0),
        "AfTrigger": (0, 1, 0),
        "LensPosition": (0, 32, 1),
    }
    opened()
    calls = [call for call in FakePicamera2.made[-1].calls if isinstance(call, dict)]
    assert calls[0] == {"AfMode": 1, "AfTrigger": 0}
    assert calls[-1]["AfMode"] == 0
    assert calls[-1]["LensPosition"] == 2.0


def test_a_camera_without_any_control_is_used_as_it_is(library):
    library.camera_controls = {}
    library.metadata = {}
    assert opened().grab().height == 1232


def test_a_camera_in_use_is_named_with_the_remedy(library):
    library.busy = True
    with pytest.raises(CameraError, match=r"imx708 is in use.*close other camera programs"):
        opened()


def test_no_camera_is_said_with_the_remedy(library):
    library.cameras = []
    with pytest.raises(CameraError, match="ribbon"):
        opened()


@pytest.mark.usefixtures("library")
def test_a_frame_that_never_comes_is_an_error_and_close_clears_the_queue_first():
    camera = opened()
    device = FakePicamera2.made[-1]
    device.frames = False
    with pytest.raises(CameraError, match="gives no picture"):
        camera.luma()
    camera.close()
    assert device.calls[-3:] == ["cancel", "stop", "close"]


def test_a_camera_that_will_not_start_is_let_go(library):
    library.start = lambda _self: (_ for _ in ()).throw(RuntimeError("Camera frontend has timed out"))
    with pytest.raises(CameraError, match="timed out"):
        opened()
    assert FakePicamera2.made[-1].calls[-1] == "close"


def test_without_picamera2_the_package_to_install_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match="apt install python3-picamera2"):
        opened()


def test_a_camera_is_chosen_by_model_or_id_never_by_number():
    assert choose_camera([USB, CSI], "imx708") is CSI
    assert choose_camera([USB, CSI], "046d:0825") is USB
    assert choose_camera([USB, CSI], "") is CSI
    assert choose_camera([USB], "") is USB
    with pytest.raises(CameraError, match=r"no camera called '1': there is HD Webcam"):
        choose_camera([USB | {"Id": "u"}, CSI | {"Id": "c"}], "1")
    with pytest.raises(CameraError, match="several"):
        choose_camera([CSI, CSI | {"Id": "other"}], "imx708")


def test_only_this_module_names_picamera2():
    from pathlib import Path

    package = Path(picamera.__file__).parent.parent
    naming = {path.name for path in package.rglob("*.py") if 'import_module("picamera2")' in path.read_text()}
    assert naming == {"picamera.py"}
