"""A USB camera through OpenCV."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import CameraError
from vision.cameras.port import Clock, small_luma
from vision.frame import Frame

WARM_UP_FRAMES = 30
STALE_FRAMES = 4
"""A webcam's driver keeps a few old frames; they are skipped before a still."""
_MANUAL_EXPOSURE = 1.0  # V4L2_EXPOSURE_MANUAL
_LOCKS: tuple[tuple[int, float], ...] = (
    (cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL_EXPOSURE),
    (cv2.CAP_PROP_AUTO_WB, 0.0),
    (cv2.CAP_PROP_AUTOFOCUS, 0.0),
)


def _open_device(number: int) -> cv2.VideoCapture:
    return cv2.VideoCapture(number, cv2.CAP_V4L2)


class Webcam:
    """Webcam `number` (`/dev/videoN`), locked in exposure, white balance and focus once it has settled.

    Args:
        number: N of `/dev/videoN`.
        size: wanted width and height; the camera takes the nearest it has.
        clock: monotonic seconds.
        open_device: gives an object like `cv2.VideoCapture`.

    Raises:
        CameraError: it is absent, in use, or gives no picture.
    """

    def __init__(
        self,
        number: int,
        size: tuple[int, int],
        clock: Clock,
        open_device: Callable[[int], cv2.VideoCapture] = _open_device,
    ) -> None:
        self.name = f"webcam:{number}"
        self._silent = f"{self.name} gives no picture: check its cable"
        self._clock = clock
        self._device = open_device(number)
        if not self._device.isOpened():
            self._device.release()
            raise CameraError(
                f"{self.name} is absent or in use: plug it in, close other camera programs, "
                f"or choose another (ls /dev/video*)"
            )
        # Compressed pictures: raw ones of this size come at a few a second through USB 2.
        self._device.set(cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG")))
        self._device.set(cv2.CAP_PROP_FRAME_WIDTH, float(size[0]))
        self._device.set(cv2.CAP_PROP_FRAME_HEIGHT, float(size[1]))
        try:
            for _ in range(WARM_UP_FRAMES):
                self._read()
        except CameraError:
            self.close()
            raise
        for key, value in _LOCKS:  # what a camera does not have, it ignores
            self._device.set(key, value)

    def luma(self) -> NDArray[np.uint8]:
        """The newest small grey picture."""
        return small_luma(self._read())

    def grab(self) -> Frame:
        """One full still, newer than the call."""
        # The first that does not come says it: OpenCV waits ten seconds for each, and the watchdog not so long.
        if not all(self._device.grab() for _ in range(STALE_FRAMES)):
            raise CameraError(self._silent)
        return Frame(self._read(), self.name, self._clock())

    def close(self) -> None:
        """Let the camera go."""
        self._device.release()

    def _read(self) -> NDArray[np.uint8]:
        came, image = self._device.read()
        if not came or image is None:
            raise CameraError(self._silent)
        return np.asarray(image, np.uint8)
