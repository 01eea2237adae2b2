"""A camera on a Pi's ribbon, through picamera2. The only module that imports it."""

from __future__ import annotations

import contextlib
import importlib
import logging
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.errors import CameraError
from vision.cameras.pixels import to_bgr, to_luma
from vision.cameras.port import LUMA_WIDTH_PX, Clock, small_luma
from vision.frame import Frame

logger = logging.getLogger(__name__)

FRAME_TIMEOUT_S = 2.0
"""A frame that takes longer will not come: the ribbon is out, or the driver hangs."""
WARM_UP_FRAMES = 45
"""Exposure and white balance settle within a second; those that do not are locked where they are."""
LEAST_WARM_UP_FRAMES = 10
FRAMES_PER_SECOND = 15.0
"""Enough to see a hand; a Pi has better things to do than to shuffle more."""
_AE_CONVERGED = 2


class PiCamera:
    """A libcamera camera with a small stream for stillness and a large one for stills.

    Args:
        choice: the camera's model (`imx708`) or id, or a part of either; empty: the first on a ribbon, else the first.
        size: wanted width and height of a still; the camera may choose another.
        clock: monotonic seconds, for the frames' times.

    Raises:
        CameraError: no such camera, in use by another program, or not able to start.
    """

    def __init__(self, choice: str, size: tuple[int, int], clock: Clock) -> None:
        self._clock = clock
        try:
            library = importlib.import_module("picamera2").Picamera2
        except ImportError as error:
            raise CameraError(
                "picamera2 is not installed: sudo apt install python3-picamera2, "
                "and use an environment made with --system-site-packages"
            ) from error
        info = choose_camera(library.global_camera_info(), choice)
        self.name = str(info["Model"])
        try:
            self._camera = library(info["Num"])
        except (RuntimeError, IndexError, OSError) as error:
            raise CameraError(
                f"camera {self.name} is in use or not answering: close other camera programs "
                f"(rpicam-hello, motion), check the ribbon cable ({error})"
            ) from error
        try:
            with _as_camera_error(self.name):
                self._streams = _configure(self._camera, size)
                self._camera.start()
                self._settle()
        except BaseException:
            self.close()
            raise

    def luma(self) -> NDArray[np.uint8]:
        """The newest small grey picture."""
        stream = "lores" if "lores" in self._streams else "main"
        grey = to_luma(self._buffer(stream), *_shape(self._streams[stream]))
        return grey if stream == "lores" else small_luma(grey)

    def grab(self) -> Frame:
        """One full still, newer than the call."""
        # The first may have waited in the queue. (`flush=True` needs metadata that not every camera gives.)
        self._buffer("main")
        buffer = self._buffer("main")
        return Frame(to_bgr(buffer, *_shape(self._streams["main"])), self.name, self._clock())

    def close(self) -> None:
        """Stop and let the camera go."""
        # A frame that never came leaves its job in the queue, and everything queued behind it would wait for ever.
        for step in (self._camera.cancel_all_and_flush, self._camera.stop, self._camera.close):
            try:
                step()
            except Exception:
                # Whatever a vanished camera raises, the other steps still have to run.
                logger.debug("closing camera %s", self.name, exc_info=True)

    def _buffer(self, stream: str) -> NDArray[np.uint8]:
        # The request holds a buffer that the camera needs back, so it is released before anything is computed.
        with _as_camera_error(self.name), self._camera.captured_request(wait=FRAME_TIMEOUT_S) as request:
            return np.asarray(request.make_buffer(stream), np.uint8)

    def _settle(self) -> None:
        """Let exposure, white balance and focus find their values, then hold them: colours must not drift."""
        available = self._camera.camera_controls
        if "AfMode" in available:
            self._camera.set_controls({"AfMode": 1, "AfTrigger": 0})
        metadata: Mapping[str, Any] = {}
        for count in range(WARM_UP_FRAMES):
            with self._camera.captured_request(wait=FRAME_TIMEOUT_S) as request:
                metadata = request.get_metadata()
            if count >= LEAST_WARM_UP_FRAMES and _has_settled(metadata):
                break
        locks = {name: value for name, value in _locks(metadata).items() if name in available}
        if locks:
            self._camera.set_controls(locks)
        logger.info("camera %s holds %s", self.name, locks)


def choose_camera(cameras: list[dict[str, Any]], choice: str) -> dict[str, Any]:
    """The camera that is meant, by model or id, since numbers change with what is plugged in.

    Args:
        cameras: `Picamera2.global_camera_info()`.
        choice: a model or id or a part of one; empty: the first on a ribbon, else the first of all.

    Raises:
        CameraError: there is none, or none or several fit.
    """
    if not cameras:
        raise CameraError("no camera found: check that the ribbon sits straight at both ends, then restart the Pi")
    if not choice:
        return next((camera for camera in cameras if "usb" not in str(camera["Id"])), cameras[0])
    wanted = choice.lower()
    exact = [camera for camera in cameras if wanted in (str(camera["Model"]).lower(), str(camera["Id"]).lower())]
    fitting = exact or [
        camera for camera in cameras if wanted in str(camera["Model"]).lower() or wanted in str(camera["Id"]).lower()
    ]
    if len(fitting) == 1:
        return fitting[0]
    known = ", ".join(f"{camera['Model']} ({camera['Id']})" for camera in cameras)
    raise CameraError(f"{'several cameras' if fitting else 'no camera'} called {choice!r}: there is {known}")


def _configure(  # picamera2 has no types
    camera: Any,  # noqa: ANN401
    size: tuple[int, int],
) -> dict[str, dict[str, Any]]:
    """Configure a large and, where the camera has it, a small stream; tell what each really became."""
    lores = (LUMA_WIDTH_PX, round(LUMA_WIDTH_PX * size[1] / size[0] / 2) * 2)
    main = {"size": size, "format": "YUV420"}
    limits = camera.camera_controls
    controls = {"FrameRate": FRAMES_PER_SECOND} if "FrameDurationLimits" in limits else {}
    try:
        camera.configure(
            camera.create_video_configuration(
                main=main, lores={"size": lores, "format": "YUV420"}, raw=None, controls=controls, buffer_count=3
            )
        )
    except (RuntimeError, ValueError):
        # No second stream in this camera: the large one serves both.
        camera.configure(camera.create_video_configuration(main=main, raw=None, controls=controls, buffer_count=3))
    configured = camera.camera_configuration()
    return {name: dict(configured[name]) for name in ("main", "lores") if configured.get(name)}


def _shape(stream: Mapping[str, Any]) -> tuple[str, tuple[int, int], int]:
    width, height = stream["size"]
    return str(stream["format"]), (int(width), int(height)), int(stream["stride"])


def _has_settled(metadata: Mapping[str, Any]) -> bool:
    exposure = bool(metadata.get("AeLocked")) or metadata.get("AeState") == _AE_CONVERGED
    focus = metadata.get("AfState", 2) in (2, 3)  # focused, or given up
    return exposure and focus


def _locks(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Controls that hold the values found."""
    locks: dict[str, Any] = {}
    if "ExposureTime" in metadata and "AnalogueGain" in metadata:
        locks |= {"AeEnable": False}
        locks |= {name: metadata[name] for name in ("ExposureTime", "AnalogueGain")}
    if "ColourGains" in metadata:
        locks |= {"AwbEnable": False, "ColourGains": metadata["ColourGains"]}
    if "LensPosition" in metadata:
        locks |= {"AfMode": 0, "LensPosition": metadata["LensPosition"]}
    return locks


@contextlib.contextmanager
def _as_camera_error(name: str) -> Iterator[None]:
    """picamera2 raises RuntimeError for nearly all causes, and TimeoutError when no frame comes."""
    try:
        yield
    except TimeoutError as error:
        raise CameraError(f"camera {name} gives no picture: check the ribbon cable") from error
    except (RuntimeError, ValueError, KeyError, OSError) as error:
        if isinstance(error, CameraError):
            raise
        raise CameraError(f"camera {name} failed: {error}") from error
