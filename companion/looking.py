"""From the config to what looks at the table: a camera, its file, and the eye behind it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.config import Config
from companion.observation import ExpectedLook, Observation
from vision.camera_file import CameraModel, load_camera_file
from vision.cameras.choice import open_camera
from vision.cameras.port import Camera
from vision.default_cameras import default_model
from vision.live import Image, LiveTable

if TYPE_CHECKING:
    from vision.pipeline import Eye, Sighting

USUAL_CAMERA = "module-2"
"""Whose datasheet stands in where nobody calibrated."""
USUAL_SIZE = (1640, 1232)


def camera_model(config: Config) -> CameraModel:
    """The camera file: the config's, else the one in the folder of pictures, else a datasheet's values.

    Raises:
        BadInputError: the file cannot be used.
    """
    if config.camera.file is not None:
        return load_camera_file(config.camera.file)
    kind, _, folder = config.camera.source.partition(":")
    if kind in ("files", "night"):
        beside = Path(folder) / "camera.json"
        if beside.is_file():
            return load_camera_file(beside)
    return default_model(USUAL_CAMERA, USUAL_SIZE)


class _LateEye:
    """The eye, made at its first look: its networks need not be loaded before the first page is shown."""

    def __init__(self, model: CameraModel) -> None:
        self._model = model
        self._eye: Eye | None = None
        self._last: Sighting | None = None

    def observe(self, image: Image, expected: ExpectedLook | None) -> Observation:
        """Look once."""
        if self._eye is None:
            from vision.pipeline import Eye

            self._eye = Eye(self._model)
        self._last = self._eye.sight(image, expected)
        return self._last.observation

    def draw(self, image: Image, seen: Observation) -> Image:
        """What was read, drawn into a copy of the picture; the picture itself where it was read from another."""
        from vision.overlay import overlay

        last = self._last
        return overlay(image, last) if last is not None and last.observation is seen else image


def _before(camera: Camera, model: CameraModel) -> LiveTable:
    eye = _LateEye(model)
    return LiveTable(camera, eye.observe, draw=eye.draw, card_ids=model.markers.ids)


def real_table(config: Config) -> LiveTable:
    """The table before the configured camera; the camera itself is opened at the first look.

    Raises:
        UsageError: no such camera.
        BadInputError: the camera file cannot be used.
    """
    model = camera_model(config)
    return _before(open_camera(config.camera.source, size=(model.width, model.height)), model)


def simulated_table(camera: Camera, model: CameraModel) -> LiveTable:
    """The demo's table before its camera."""
    return _before(camera, model)
