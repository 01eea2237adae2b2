"""How blurred a picture is, and what it shows nothing by."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.remarks import Remark
from vision.usable import blur_px, is_colourless, why_useless


def edges(rows: int, columns: int) -> np.ndarray:
    """Discs and lines of many tones, sharp."""
    rng = np.random.default_rng(4)
    image = np.full((rows, columns, 3), 120, np.uint8)
    for _ in range(60):
        at = (int(rng.integers(columns)), int(rng.integers(rows)))
        tone = tuple(int(value) for value in rng.integers(0, 255, 3))
        cv2.circle(image, at, int(rng.integers(columns // 40, columns // 10)), tone, -1)
    return image


@pytest.mark.parametrize("width", [820, 1640])
@pytest.mark.parametrize("share", [0.006, 0.012])
def test_blur_is_measured_whatever_the_size_of_the_picture(width, share):
    sigma = share * width
    image = cv2.GaussianBlur(edges(width * 3 // 4, width), (0, 0), sigma)
    assert blur_px(image) == pytest.approx(sigma, rel=0.25)


def test_a_sharp_picture_has_hardly_any_blur_with_noise_or_without():
    image = edges(1232, 1640)
    noisy = np.clip(image + np.random.default_rng(5).normal(0, 12, image.shape), 0, 255).astype(np.uint8)
    assert blur_px(image) < 5
    assert blur_px(noisy) < 5


def test_noise_does_not_make_a_blurred_picture_sharp():
    soft = cv2.GaussianBlur(edges(1232, 1640), (0, 0), 14)
    noisy = np.clip(soft + np.random.default_rng(5).normal(0, 12, soft.shape), 0, 255).astype(np.uint8)
    assert blur_px(noisy) > 8


def test_an_even_picture_is_measured_without_a_fault():
    assert blur_px(np.full((480, 640, 3), 90, np.uint8)) >= 0


def test_a_grey_picture_is_no_table_and_says_why():
    colours = np.random.default_rng(1).integers(0, 256, (200, 300, 3), dtype=np.uint8)
    grey = np.repeat(colours[..., :1], 3, axis=2)
    assert is_colourless(grey)
    assert not is_colourless(colours)
    assert not is_colourless(np.where(np.arange(300)[None, :, None] < 15, colours, grey).astype(np.uint8))


NOISES = {
    "uniform": lambda rng, shape: rng.integers(0, 256, shape),
    "gaussian": lambda rng, shape: rng.normal(128, 80, shape),
    "faint": lambda rng, shape: rng.normal(90, 10, shape),
    "tinted": lambda rng, shape: rng.normal((60, 140, 90), (20, 40, 60), shape),
    "grey": lambda rng, shape: np.repeat(rng.integers(0, 256, (*shape[:2], 1)), 3, axis=2),
}


@pytest.mark.parametrize("kind", NOISES)
@pytest.mark.parametrize("quality", [None, 90, 60])
@pytest.mark.parametrize("grain", [1, 4, 8])
def test_a_picture_of_nothing_but_noise_says_so(kind, quality, grain):
    noise = NOISES[kind](np.random.default_rng(2), (616 // grain, 820 // grain, 3))
    image = cv2.resize(np.clip(noise, 0, 255).astype(np.uint8), (820, 616), interpolation=cv2.INTER_NEAREST)
    if quality is not None:
        image = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
    assert why_useless(image) == Remark("eye.noise")


@pytest.mark.parametrize("turn", [0.0, 0.3, 0.6, 0.785, 1.2, 1.57])
@pytest.mark.parametrize("period", [16, 34, 60])
def test_a_striped_cloth_is_not_taken_for_noise(turn, period):
    """As seen on a rendered table: broad light stripes, narrow black ones, a weave as rough as noise."""
    y, x = np.mgrid[:616, :820]
    along = x * np.cos(turn) + y * np.sin(turn)
    cloth = np.where(along % period < 0.25 * period, 20.0, 190.0) + np.random.default_rng(3).normal(0, 12, (616, 820))
    assert why_useless(np.clip(cloth, 0, 255).astype(np.uint8)) is None


@pytest.mark.parametrize("light", [1.0, 0.25, 0.12])
def test_a_noisy_picture_of_something_is_not_taken_for_noise(light):
    noise = np.random.default_rng(5).normal(0, 12, (1232, 1640, 3))
    assert why_useless(np.clip(edges(1232, 1640) * light + noise, 0, 255).astype(np.uint8)) is None
