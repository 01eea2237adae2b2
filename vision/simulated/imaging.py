"""From light to the bytes of a picture: lens, sensor, processing, JPEG."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulated.scene import Imaging

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]


@lru_cache(maxsize=4)
def _away(size: tuple[int, int]) -> Floats:
    """Squared distance from the middle, 1 in the corners."""
    ys = np.linspace(-1, 1, size[0], dtype=np.float32)[:, None]
    xs = np.linspace(-1, 1, size[1], dtype=np.float32)[None, :]
    return np.ascontiguousarray((xs * xs + ys * ys) / 2)


@lru_cache(maxsize=8)
def _curve(gamma: float) -> Image:
    """From bytes on a square-root scale to bytes with this gamma and a gentle shoulder."""
    light = (np.arange(256) / 255.0) ** 2
    return np.clip(np.round(255 * light ** (1 / gamma)), 0, 255).astype(np.uint8)


def developed(light: Floats, imaging: Imaging) -> Image:
    """The picture (H, W, 3) BGR without noise and without JPEG's traces; `light` is used up."""
    gain = np.asarray(imaging.white_balance, np.float32) * imaging.exposure
    falling = 1 - imaging.vignette * _away((light.shape[0], light.shape[1]))
    light = np.asarray(cv2.multiply(light, cv2.merge([falling * g for g in gain.tolist()])), np.float32)
    np.maximum(light, 0, out=light)
    picture: Image = cv2.LUT(cv2.convertScaleAbs(cv2.sqrt(light), alpha=255.0), _curve(imaging.gamma))  # type: ignore[assignment]
    if imaging.defocus_px > 0.15:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), imaging.defocus_px))
    dx, dy = imaging.motion_px
    length = float(np.hypot(dx, dy))
    if length > 0.7:
        reach = int(np.ceil(length / 2)) + 1
        kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
        ends = np.round((np.array([[-dx, -dy], [dx, dy]]) / 2 + reach) * 16).astype(int)
        cv2.line(kernel, tuple(ends[0].tolist()), tuple(ends[1].tolist()), 1.0, 1, cv2.LINE_AA, 4)
        kernel = np.maximum(kernel, 0)
        picture = np.asarray(cv2.filter2D(picture, -1, kernel / max(float(kernel.sum()), 1e-6)))
    if imaging.sharpen > 0.05:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        picture = np.asarray(cv2.addWeighted(picture, 1 + imaging.sharpen, soft, -imaging.sharpen, 0))
    return picture


_SPARE = 64


def _field(size: tuple[int, int], rng: np.random.Generator) -> Floats:
    """Plain noise of unit strength, somewhat larger than the picture."""
    rows, columns = size[0] + _SPARE, size[1] + _SPARE
    if rows * columns <= 700_000:
        return rng.standard_normal((rows, columns), dtype=np.float32)
    # A large picture repeats a smaller field of noise, shifted by chance: nobody can tell.
    part = rng.standard_normal((613, 811), dtype=np.float32)
    y, x = (int(v) for v in rng.integers(0, (613, 811)))
    tiled = np.tile(part, (-(-rows // 613) + 1, -(-columns // 811) + 1))
    return np.ascontiguousarray(tiled[y : y + rows, x : x + columns])


def _noise(size: tuple[int, int], imaging: Imaging, rng: np.random.Generator) -> Floats:
    """The sensor's noise, (H, W, 3) in bytes."""
    # Blurring lowers the strength: bring it back to what was asked.
    sigma = imaging.noise_blur_px
    field = _field(size, rng)
    if sigma > 0.2:
        field = np.asarray(cv2.GaussianBlur(field, (0, 0), sigma), np.float32) * np.float32(max(1.0, 2.2 * sigma))
    windows = [field[y : y + size[0], x : x + size[1]] for y, x in rng.integers(0, _SPARE, (4, 2)).tolist()]
    grey = windows[0] * np.float32(imaging.noise)
    return np.asarray(
        cv2.merge([cv2.scaleAdd(window, imaging.chroma_noise, grey) for window in windows[1:]]), np.float32
    )


def noisy(picture: Image, imaging: Imaging, rng: np.random.Generator) -> Image:
    """The picture with fresh noise and JPEG's traces."""
    if imaging.noise > 0 or imaging.chroma_noise > 0:
        noise = _noise((picture.shape[0], picture.shape[1]), imaging, rng)
        picture = np.asarray(cv2.add(picture, noise, dtype=cv2.CV_8U), np.uint8)
    if imaging.jpeg is not None:
        _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, imaging.jpeg])
        picture = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return picture


class NoiseStock:
    """Noise made once and laid over each picture at another place: cheap enough for every frame of a stream."""

    def __init__(self, size: tuple[int, int], imaging: Imaging, rng: np.random.Generator) -> None:
        """Make the stock for pictures of `size` (rows, columns)."""
        rows, columns = size[0] + _SPARE, size[1] + _SPARE
        self._field = np.round(_noise((rows, columns), imaging, rng)).astype(np.int16)
        self._rng = rng

    def over(self, picture: Image) -> Image:
        """The picture with noise, a new one."""
        y, x = (int(v) for v in self._rng.integers(0, _SPARE, 2))
        window = self._field[y : y + picture.shape[0], x : x + picture.shape[1]]
        return np.asarray(cv2.add(picture, window, dtype=cv2.CV_8U), np.uint8)
