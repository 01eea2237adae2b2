from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import CameraError
from vision.cameras.pixels import to_bgr, to_luma

WIDTH, HEIGHT = 48, 32
PICTURE = cv2.resize(np.random.default_rng(3).integers(40, 215, (4, 6, 3), np.uint8), (WIDTH, HEIGHT))


def padded(rows: np.ndarray, stride: int) -> np.ndarray:
    return np.pad(rows, ((0, 0), (0, stride - rows.shape[1])), constant_values=99).ravel()


def buffer_of(pixel_format: str, stride: int) -> np.ndarray:
    """What a camera would leave in memory for PICTURE."""
    i420 = cv2.cvtColor(PICTURE, cv2.COLOR_BGR2YUV_I420)
    luma, first, second = i420[:HEIGHT], i420[HEIGHT : HEIGHT * 5 // 4], i420[HEIGHT * 5 // 4 :]
    first, second = (plane.reshape(HEIGHT // 2, WIDTH // 2) for plane in (first, second))
    match pixel_format:
        case "RGB888":  # in memory: blue, green, red
            return padded(PICTURE.reshape(HEIGHT, -1), stride)
        case "BGR888":
            return padded(PICTURE[..., ::-1].reshape(HEIGHT, -1), stride)
        case "XRGB8888":
            return padded(cv2.cvtColor(PICTURE, cv2.COLOR_BGR2BGRA).reshape(HEIGHT, -1), stride)
        case "XBGR8888":
            return padded(cv2.cvtColor(PICTURE, cv2.COLOR_BGR2RGBA).reshape(HEIGHT, -1), stride)
        case "NV12" | "NV21":
            pair = (first, second) if pixel_format == "NV12" else (second, first)
            chroma = np.stack(pair, axis=-1).reshape(HEIGHT // 2, WIDTH)
            return np.concatenate([padded(luma, stride), padded(chroma, stride)])
        case "YUV420" | "YVU420":
            pair = (first, second) if pixel_format == "YUV420" else (second, first)
            return np.concatenate([padded(luma, stride), *(padded(plane, stride // 2) for plane in pair)])
    raise AssertionError(pixel_format)


@pytest.mark.parametrize(
    ("pixel_format", "depth"),
    [("RGB888", 3), ("BGR888", 3), ("XRGB8888", 4), ("XBGR8888", 4),
     ("NV12", 1), ("NV21", 1), ("YUV420", 1), ("YVU420", 1)],
)  # fmt: skip
@pytest.mark.parametrize("padding", [0, 16])
def test_every_format_gives_the_picture_whatever_its_padding(pixel_format, depth, padding):
    stride = WIDTH * depth + padding
    image = to_bgr(buffer_of(pixel_format, stride), pixel_format, (WIDTH, HEIGHT), stride)
    assert image.shape == PICTURE.shape
    subsampled = cv2.cvtColor(cv2.cvtColor(PICTURE, cv2.COLOR_BGR2YUV_I420), cv2.COLOR_YUV2BGR_I420)
    assert (image == (PICTURE if depth > 1 else subsampled)).all()


def test_the_luma_plane_is_the_grey_picture():
    grey = to_luma(buffer_of("NV12", 64), "NV12", (WIDTH, HEIGHT), 64)
    expected = cv2.cvtColor(PICTURE, cv2.COLOR_BGR2YUV_I420)[:HEIGHT]
    assert (grey == expected).all()


def test_motion_jpeg_is_decoded():
    data = cv2.imencode(".jpg", PICTURE)[1].ravel()
    assert to_bgr(data, "MJPEG", (WIDTH, HEIGHT), 0).shape == PICTURE.shape


def test_a_bayer_buffer_is_refused_by_name():
    with pytest.raises(CameraError, match="SRGGB10"):
        to_bgr(np.zeros(10_000, np.uint8), "SRGGB10", (WIDTH, HEIGHT), WIDTH)


@given(st.integers(0, 4000), st.sampled_from(["RGB888", "NV12", "YUV420", "YUYV", "R8", "MJPEG"]), st.integers(0, 200))
@settings(max_examples=200, deadline=None)
def test_a_short_buffer_is_refused_never_read_beyond(length, pixel_format, stride):
    buffer = np.zeros(length, np.uint8)
    try:
        image = to_bgr(buffer, pixel_format, (WIDTH, HEIGHT), stride)
    except CameraError:
        return
    assert image.shape == PICTURE.shape
