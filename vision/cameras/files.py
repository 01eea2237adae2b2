"""Pictures from disk, shown at the pace of a clock: a folder of stills, or a video."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import CameraError
from vision.cameras.port import Clock, small_luma
from vision.frame import Frame
from vision.images import MAX_PIXELS, read_image

PICTURE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".bmp"})
SECONDS_A_PICTURE = 5.0


def pictures_in(folder: Path) -> tuple[Path, ...]:
    """The pictures of a folder in name order.

    Raises:
        CameraError: there are none, or it is no folder.
    """
    if not folder.is_dir():
        raise CameraError(f"{folder}: no such folder of pictures")
    found = tuple(sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES))
    if not found:
        raise CameraError(f"{folder}: holds no picture (PNG, JPEG, WebP or BMP)")
    return found


class StillsCamera:
    """Stills, each from its own second on; the last one stays.

    Args:
        name: what a person would call it.
        stills: time in seconds and file of each still, in order of time.
        clock: monotonic seconds; the show begins when the camera is made.
        repeat_after_s: begin again after so many seconds; None: the last one stays.
    """

    def __init__(
        self, name: str, stills: tuple[tuple[float, Path], ...], clock: Clock, repeat_after_s: float | None = None
    ) -> None:
        self.name = name
        self._stills = stills
        self._clock = clock
        self._start = clock()
        self._repeat_after_s = repeat_after_s
        self._shown: tuple[Path, NDArray[np.uint8], NDArray[np.uint8]] | None = None

    @classmethod
    def of_folder(cls, folder: Path, clock: Clock, seconds: float = SECONDS_A_PICTURE) -> StillsCamera:
        """A folder's pictures in name order, `seconds` each, over and over."""
        files = pictures_in(folder)
        stills = tuple((index * seconds, path) for index, path in enumerate(files))
        return cls(f"files:{folder}", stills, clock, repeat_after_s=len(files) * seconds)

    def elapsed(self) -> float:
        """Seconds of the show so far."""
        passed = self._clock() - self._start
        return passed if self._repeat_after_s is None else passed % self._repeat_after_s

    def luma(self) -> NDArray[np.uint8]:
        """The small grey picture of the still that is on."""
        return self._current()[1]

    def grab(self) -> Frame:
        """The still that is on."""
        return Frame(self._current()[0], self.name, self._clock())

    def close(self) -> None:
        """Forget the picture."""
        self._shown = None

    def _current(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        now = self.elapsed()
        path = next((path for due, path in reversed(self._stills) if due <= now), self._stills[0][1])
        if self._shown is None or self._shown[0] != path:
            try:
                image = read_image(path)
            except ValueError as error:
                raise CameraError(str(error)) from error
            self._shown = path, image, small_luma(image)
        return self._shown[1], self._shown[2]


class VideoCamera:
    """A video file at its own pace; its last picture stays.

    Args:
        path: the file.
        clock: monotonic seconds.

    Raises:
        CameraError: it is no video that OpenCV can read.
    """

    def __init__(self, path: Path, clock: Clock) -> None:
        self.name = f"video:{path}"
        self._clock = clock
        if not path.is_file():
            raise CameraError(f"{path}: no such video")
        self._video = cv2.VideoCapture(str(path))
        rate = self._video.get(cv2.CAP_PROP_FPS)
        pixels = self._video.get(cv2.CAP_PROP_FRAME_WIDTH) * self._video.get(cv2.CAP_PROP_FRAME_HEIGHT)
        self._rate = rate if math.isfinite(rate) and 0 < rate <= 1000 else 25.0
        self._shown = 0
        if not self._video.isOpened() or not 0 < pixels <= MAX_PIXELS:
            raise CameraError(f"{path}: not a video that can be read here")
        came, image = self._video.read()
        if not came:
            raise CameraError(f"{path}: the video holds no picture")
        self._image = np.asarray(image, np.uint8)
        self._start = clock()

    def luma(self) -> NDArray[np.uint8]:
        """The small grey picture of what is on."""
        return small_luma(self._advance())

    def grab(self) -> Frame:
        """The picture that is on."""
        return Frame(self._advance(), self.name, self._clock())

    def close(self) -> None:
        """Close the file."""
        self._video.release()

    def _advance(self) -> NDArray[np.uint8]:
        due = int((self._clock() - self._start) * self._rate)
        while self._shown < due:
            came, image = self._video.read()
            if not came:
                break
            self._shown, self._image = self._shown + 1, np.asarray(image, np.uint8)
        return self._image
