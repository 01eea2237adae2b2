"""A camera that comes back: opened when it is there, given up when it fails, tried again ever more rarely."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from companion.errors import CameraError
from vision.cameras.port import Camera, Clock
from vision.frame import Frame

logger = logging.getLogger(__name__)

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 15.0
"""A camera that was plugged in again is found within this time."""

T = TypeVar("T")


class ReconnectingCamera:
    """Wraps how to open a camera; nothing needs to be there at first. Never sleeps: a call between tries raises.

    Args:
        name: what a person would call it.
        open_camera: opens it or raises CameraError.
        clock: monotonic seconds.
    """

    def __init__(self, name: str, open_camera: Callable[[], Camera], clock: Clock) -> None:
        self.name = name
        self._open_camera = open_camera
        self._clock = clock
        self._camera: Camera | None = None
        self._wait_s = FIRST_WAIT_S
        self._next_try = clock()
        self._trouble: CameraError | None = None

    @property
    def trouble(self) -> str | None:
        """Why there is no picture at present, for a person; None when all is well."""
        return None if self._trouble is None else str(self._trouble)

    def luma(self) -> NDArray[np.uint8]:
        """The newest small grey picture, from a camera opened for it if need be."""
        return self._use(lambda camera: camera.luma())

    def grab(self) -> Frame:
        """One full still, from a camera opened for it if need be."""
        return self._use(lambda camera: camera.grab())

    def close(self) -> None:
        """Let the camera go; the next call opens it again."""
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.close()

    def _use(self, ask: Callable[[Camera], T]) -> T:
        if self._camera is None and self._trouble is not None and self._clock() < self._next_try:
            raise CameraError(str(self._trouble)) from self._trouble
        try:
            if self._camera is None:
                self._camera = self._open_camera()
            answer = ask(self._camera)
        except CameraError as error:
            if self.trouble != str(error):
                logger.warning("no picture: %s", error)
            self._trouble = error
            self.close()
            self._next_try = self._clock() + self._wait_s
            self._wait_s = min(self._wait_s * 2, LONGEST_WAIT_S)
            raise
        if self._trouble is not None:
            logger.warning("camera %s gives pictures again", self._camera.name)
        self._trouble, self._wait_s = None, FIRST_WAIT_S
        return answer
