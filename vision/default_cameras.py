"""Intrinsics of well-known Pi cameras, computed from their datasheets, for tables that nobody calibrated."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from companion.errors import UsageError
from vision.camera_file import CameraModel


@dataclass(frozen=True, slots=True)
class SensorMode:
    """One way to read the sensor."""

    size: tuple[int, int]
    """Pixels that the sensor gives: width, height."""
    crop: tuple[int, int, int, int]
    """Part of the sensor that they show, in pixels of the whole sensor: left, top, width, height."""


@dataclass(frozen=True, slots=True)
class KnownCamera:
    """One camera and its lens."""

    name: str
    title: str
    sensor: str
    """The model's name in libcamera."""
    pixels: tuple[int, int]
    pitch_um: float
    focal_mm: float
    modes: tuple[SensorMode, ...]

    def model(self, size: tuple[int, int]) -> CameraModel:
        """The intrinsics of pictures of `size`, without distortion.

        The picture comes from the smallest sensor mode with enough pixels among those with the widest view, and what
        does not fit the picture's shape is cut off evenly on two sides, as libcamera does.

        Args:
            size: width and height in pixels.
        """
        _, _, crop_width, crop_height = self._mode(size).crop
        width, height = size
        step = min(crop_width / width, crop_height / height)
        """Sensor pixels a picture's pixel."""
        focal_px = self.focal_mm * 1000 / self.pitch_um / step
        # All crops here lie in the middle of the sensor, so the lens's axis meets the middle of the picture.
        return CameraModel(
            width=width, height=height, fx=focal_px, fy=focal_px, cx=(width - 1) / 2, cy=(height - 1) / 2
        )

    def _mode(self, size: tuple[int, int]) -> SensorMode:
        exact = [mode for mode in self.modes if mode.size == size]
        widest = max(mode.crop[2] * mode.crop[3] for mode in self.modes)
        wide = [mode for mode in self.modes if mode.crop[2] * mode.crop[3] == widest]
        enough = [mode for mode in wide if mode.size[0] >= size[0] and mode.size[1] >= size[1]]
        return (exact or enough or wide)[0]


@cache
def known_cameras() -> dict[str, KnownCamera]:
    """All of them, by name."""
    table = tomllib.loads(resources.files("vision").joinpath("default_cameras.toml").read_text("utf-8"))
    return {
        name: KnownCamera(
            name=name,
            title=row["title"],
            sensor=row["sensor"],
            pixels=(row["pixels"][0], row["pixels"][1]),
            pitch_um=row["pitch_um"],
            focal_mm=row["focal_mm"],
            modes=tuple(SensorMode((mode["size"][0], mode["size"][1]), (*mode["crop"],)) for mode in row["modes"]),
        )
        for name, row in table.items()
    }


def default_model(name: str, size: tuple[int, int]) -> CameraModel:
    """The datasheet's intrinsics of a known camera.

    Args:
        name: `module-2`, `module-3`, `module-3-wide` or `hq-6mm`, or the sensor's name in libcamera (`imx708`).
        size: width and height of the pictures.

    Raises:
        UsageError: no such camera.

    Example:
        >>> round(default_model("module-2", (1640, 1232)).fx)
        1357
    """
    for known in known_cameras().values():
        if name in (known.name, known.sensor):
            return known.model(size)
    raise UsageError(f"no camera is called {name!r}: there is {', '.join(known_cameras())}")
