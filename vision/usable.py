"""Whether a picture can show a table at all, and whether a camera file speaks of it."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.remarks import Remark
from vision.camera_file import CameraModel
from vision.geometry import Image
from vision.ranks import ranked

_BLACK, _WHITE = 14.0, 245.0
_COLOURLESS = 6
"""Channels of a grey picture differ by less than this, even after JPEG."""
_FLAT = 4.0
"""A picture whose brightness hardly differs anywhere shows nothing (standard deviation, grey levels)."""
_NOISE = 0.4
"""How much of its contrast a picture keeps as its blocks are averaged in fours of fours: noise keeps a quarter.

Noise with a grain up to a hundredth of the picture's width keeps 0.32 at most; tables keep 0.75 and more, and a picture
of one eighth of their light with noise of ten grey levels 0.57.
"""
_ALIKE = 0.3
"""How alike (correlation) blocks a few steps apart are in some direction on anything that is drawn, stripes included;
in noise 0.1 at most."""
_STEPS = tuple((row, column) for row in range(4) for column in range(-3, 4) if 2.5 < math.hypot(row, column) < 3.7)
"""To blocks about three steps away, half the way round."""
_BLOCK_PX = 4
_ASPECT = 0.01
_SMALL_SIDE_PX = 410
"""Blur is measured in a picture shrunk to about this size, where the sensor's noise is gone."""
_FIRST, _SECOND = 0.7, 2.0
"""Blurs (standard deviations, pixels of the shrunk picture) that are added and then added again."""
_EDGES = 99.5
"""The strength of edges that blur is told by, as a percentile: a table shows some sharp edges at least."""
BLURRED = 0.0055
"""A picture blurred by so much of its longest side is out of focus; rendered and photographed ones reach 0.0032."""
NOTHING_READ = 0.10
DOUBTFUL = 0.055
"""Blur as a share of a tile's width: from the one on nothing can be read, from the other on marks and stalks hardly.

Measured by blurring rendered tables more and more; sharp ones stay under 0.05.
"""


NOISE = Remark("eye.noise")


def why_useless(image: Image) -> Remark | None:
    """Why a picture shows nothing; None if it may show something.

    Args:
        image: uint8 (H, W, 3) BGR, or (H, W) grey.
    """
    step = max(1, max(image.shape[:2]) // 320)
    luma = grey_of(np.ascontiguousarray(image[::step, ::step]))
    low, high = ranked(luma, 2), ranked(luma, 98)
    if high < _BLACK:
        return Remark("eye.black")
    if low > _WHITE:
        return Remark("eye.white")
    if float(cv2.meanStdDev(luma)[1].item()) < _FLAT:
        return Remark("eye.flat")
    return NOISE if _is_noise(luma) else None


def _is_noise(luma: Image) -> bool:
    """Whether neighbouring places have nothing to do with each other: averaging takes their contrast away.

    Averaging takes that of fine stripes too, but along them they are alike.
    """
    rows, columns = (side // _BLOCK_PX**2 for side in luma.shape)
    if min(rows, columns) < _BLOCK_PX:
        return False  # too small a picture to tell
    whole = luma[: rows * _BLOCK_PX**2, : columns * _BLOCK_PX**2].astype(np.float32)
    size = columns * _BLOCK_PX, rows * _BLOCK_PX
    blocks = np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), dtype=np.float32)
    coarse = cv2.resize(blocks, (columns, rows), interpolation=cv2.INTER_AREA)
    return float(coarse.std()) < _NOISE * float(blocks.std()) and _alike_a_few_steps_apart(blocks) < _ALIKE


def _alike_a_few_steps_apart(blocks: NDArray[np.float32]) -> float:
    """How alike places (H, W) are to those a few steps away, in the direction in which they are most alike."""
    rows, columns = blocks.shape
    even = blocks - blocks.mean()
    best = 0.0
    for down, right in _STEPS:
        one = even[down:, max(right, 0) : columns + min(right, 0)]
        other = even[: rows - down, max(-right, 0) : columns - max(right, 0)]
        spread = float(np.sqrt((one**2).mean() * (other**2).mean()))
        best = max(best, float((one * other).mean()) / max(spread, 1e-6))
    return best


def is_colourless(image: Image) -> bool:
    """Whether a picture (uint8, (H, W, 3) BGR) is grey all over: no plot can be told from another then."""
    step = max(1, max(image.shape[:2]) // 320)
    size = (max(1, image.shape[1] // step), max(1, image.shape[0] // step))
    blue, green, red = cv2.split(cv2.resize(image, size, interpolation=cv2.INTER_NEAREST))
    spread = cv2.max(cv2.max(blue, green), red) - cv2.min(cv2.min(blue, green), red)
    return ranked(np.asarray(spread), 99.5) < _COLOURLESS


def grey_of(image: Image) -> Image:
    """The brightness of a picture, uint8 (H, W), from (H, W, 3) BGR or from what is grey already."""
    return image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def blur_px(image: Image) -> float:
    """How far a picture is blurred: the standard deviation of a bell that would do the same, in its own pixels.

    A sharp edge loses more by further blur than a blurred one, whatever it is the edge of. Under two pixels or so at
    1640 columns the figure tells nothing.

    Args:
        image: uint8 (H, W, 3) BGR, or (H, W) grey.
    """
    shrink = max(1, round(max(image.shape[:2]) / _SMALL_SIDE_PX))
    size = (max(1, image.shape[1] // shrink), max(1, image.shape[0] // shrink))
    # Halved twice a picture takes a tenth of the time that it takes quartered.
    steps = [(2 * size[0], 2 * size[1]), size] if shrink == 4 else [size]
    small = grey_of(image)
    for step in steps:
        small = np.asarray(cv2.resize(small, step, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    first = np.asarray(cv2.GaussianBlur(small.astype(np.float32), (0, 0), _FIRST), dtype=np.float32)
    second = np.asarray(cv2.GaussianBlur(first, (0, 0), _SECOND), dtype=np.float32)
    loss = _steepest(first) / max(_steepest(second), 1e-6)
    variance = _SECOND**2 / max(loss**2 - 1.0, 1e-3) - _FIRST**2
    return float(shrink * math.sqrt(max(variance, 0.0)))


def _steepest(grey: NDArray[np.float32]) -> float:
    dx, dy = (cv2.Sobel(grey, cv2.CV_32F, right, down) for right, down in ((1, 0), (0, 1)))
    return ranked(cv2.magnitude(dx, dy), _EDGES)


def camera_for(camera: CameraModel, width: int, height: int) -> tuple[CameraModel | None, Remark | None]:
    """The camera model for a picture of this size.

    Returns:
        The model, scaled where the picture is the same view at another size (with a warning); or None and the reason.
    """
    if (width, height) == (camera.width, camera.height):
        return camera, None
    sizes = {"width": width, "height": height, "file_width": camera.width, "file_height": camera.height}
    across, down = width / camera.width, height / camera.height
    if abs(across / down - 1.0) > _ASPECT:
        return None, Remark("eye.wrong_size", sizes)
    return camera.scaled(width, height), Remark("eye.scaled", sizes)
