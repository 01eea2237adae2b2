"""Whether a picture can show a table at all, and whether a camera file speaks of it."""

from __future__ import annotations

import cv2
import numpy as np

from vision.camera_file import CameraModel
from vision.geometry import Image

_BLACK, _WHITE = 14.0, 245.0
_FLAT = 4.0
"""A picture whose brightness hardly differs anywhere shows nothing (standard deviation, grey levels)."""
_ASPECT = 0.01


def why_useless(image: Image) -> str | None:
    """Why a picture shows nothing, in a few words; None if it may show something.

    Args:
        image: uint8 (H, W, 3) BGR.
    """
    step = max(1, max(image.shape[:2]) // 320)
    luma = cv2.cvtColor(np.ascontiguousarray(image[::step, ::step]), cv2.COLOR_BGR2GRAY)
    low, high = np.percentile(luma, [2, 98])
    if high < _BLACK:
        return "the picture is black"
    if low > _WHITE:
        return "the picture is white"
    if float(luma.std()) < _FLAT:
        return "the picture is empty: one even tone"
    return None


def camera_for(camera: CameraModel, width: int, height: int) -> tuple[CameraModel | None, str | None]:
    """The camera model for a picture of this size.

    Returns:
        The model, scaled where the picture is the same view at another size (with a warning); or None and the reason.
    """
    if (width, height) == (camera.width, camera.height):
        return camera, None
    across, down = width / camera.width, height / camera.height
    if abs(across / down - 1.0) > _ASPECT:
        return None, (
            f"the picture has {width} x {height} pixels, the camera file speaks of {camera.width} x {camera.height}: "
            "use the camera file of this camera and mode"
        )
    warning = f"the camera file speaks of {camera.width} x {camera.height} pixels: scaled to {width} x {height}"
    return camera.scaled(width, height), warning
