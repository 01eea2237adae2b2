"""From a camera's name in the config to a camera."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from companion.errors import UsageError
from vision.cameras.files import StillsCamera, VideoCamera
from vision.cameras.night import NightCamera
from vision.cameras.picamera import PiCamera
from vision.cameras.port import Camera, Clock
from vision.cameras.reconnecting import ReconnectingCamera
from vision.cameras.webcam import Webcam

CAMERA_KINDS = "picamera2, picamera2:MODEL, webcam:N, files:FOLDER, video:FILE, night:FOLDER"


def open_camera(
    spec: str,
    *,
    size: tuple[int, int] = (1640, 1232),
    clock: Clock = time.monotonic,
    more_kinds: dict[str, Callable[[str], Camera]] | None = None,
) -> ReconnectingCamera:
    """The camera that `spec` names. It is opened at its first use, and again whenever it was lost.

    Args:
        spec: `picamera2`, `picamera2:imx708` (model or id), `webcam:0`, `files:DIR`, `video:FILE`, `night:DIR`,
            or a kind of `more_kinds`.
        size: wanted width and height of stills, where a camera lets choose: that of the camera file.
        clock: monotonic seconds.
        more_kinds: further kinds, each with how to open one from the text behind the colon.

    Raises:
        UsageError: no such kind of camera.

    Example:
        >>> open_camera("webcam:0").name
        'webcam:0'
    """
    kind, _, rest = spec.partition(":")
    openers: dict[str, Callable[[str], Camera]] = {
        "picamera2": lambda choice: PiCamera(choice, size, clock),
        "webcam": lambda number: Webcam(int(number), size, clock),
        "files": lambda folder: StillsCamera.of_folder(Path(folder), clock),
        "video": lambda path: VideoCamera(Path(path), clock),
        "night": lambda folder: NightCamera(Path(folder), clock),
        **(more_kinds or {}),
    }
    if kind == "webcam" and not rest:
        rest = "0"
    needs_rest = kind in {"files", "video", "night"}
    if kind not in openers or (needs_rest and not rest) or (kind == "webcam" and not rest.isdecimal()):
        raise UsageError(f"no camera is called {spec!r}: use one of {', '.join([CAMERA_KINDS, *(more_kinds or {})])}")
    return ReconnectingCamera(spec, lambda: openers[kind](rest), clock)
