from __future__ import annotations

import io
import struct
import tracemalloc
import zlib

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from companion.errors import BadInputError
from vision.images import decode_image, read_image

PICTURE = cv2.resize(np.random.default_rng(5).integers(0, 255, (9, 12, 3), np.uint8), (96, 72))


def encoded(kind: str) -> bytes:
    return cv2.imencode(f".{kind}", PICTURE)[1].tobytes()


def saved(image: Image.Image, kind: str, **options) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


FILES = {kind: encoded(kind) for kind in ("png", "jpg", "webp", "bmp")}
FILES["progressive jpg"] = saved(Image.fromarray(PICTURE), "JPEG", progressive=True)


@pytest.mark.parametrize("kind", ["png", "jpg", "webp", "bmp"])
def test_each_kind_is_read_as_bgr(kind):
    image = decode_image(FILES[kind])
    assert image.shape == PICTURE.shape
    assert image.dtype == np.uint8
    assert np.abs(image.astype(int) - PICTURE).mean() < 4


def test_the_content_decides_not_the_name(tmp_path):
    (tmp_path / "table.png").write_bytes(FILES["jpg"])
    assert read_image(tmp_path / "table.png").shape == PICTURE.shape


def test_a_camera_turn_noted_in_exif_is_not_applied():
    exif = Image.Exif()
    exif[0x0112] = 6
    assert decode_image(saved(Image.fromarray(PICTURE), "JPEG", exif=exif)).shape == PICTURE.shape


@pytest.mark.parametrize("mode", ["L", "CMYK", "1"])
def test_grey_and_cmyk_pictures_become_bgr(mode):
    assert decode_image(saved(Image.fromarray(PICTURE).convert(mode), "JPEG")).shape == PICTURE.shape


def test_a_16_bit_picture_becomes_8_bit():
    deep = cv2.imencode(".png", PICTURE.astype(np.uint16) * 257)[1].tobytes()
    assert (decode_image(deep) == PICTURE).all()


@pytest.mark.parametrize("kind", FILES)
def test_a_picture_cut_anywhere_is_refused(kind):
    data = FILES[kind]
    for length in range(len(data) - 1):
        with pytest.raises(BadInputError, match=r"cut short|empty|not a picture|damaged|is a video"):
            decode_image(data[:length])


@given(st.sampled_from(sorted(FILES)), st.data())
@settings(max_examples=300, deadline=None)
def test_a_damaged_picture_is_read_or_refused_never_worse(kind, data):
    damaged = bytearray(FILES[kind])
    for _ in range(data.draw(st.integers(1, 8))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    try:
        image = decode_image(bytes(damaged))
    except BadInputError:
        return
    assert image.ndim == 3


@given(
    st.binary(max_size=200), st.sampled_from([b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF....WEBPVP8X", b"BM"])
)
@settings(max_examples=300, deadline=None)
def test_noise_is_refused(noise, start):
    with pytest.raises(BadInputError):
        decode_image(start + noise)


def png_claiming(width: int, height: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(20_000, 20_000), (20_000, 2_000), (2**31 - 1, 40)])
def test_a_huge_picture_is_refused_before_it_is_decoded(size):
    data = png_claiming(*size)
    tracemalloc.start()
    try:
        with pytest.raises(BadInputError, match="save it smaller"):
            decode_image(data)
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


def test_a_picture_too_small_for_a_table_is_refused():
    with pytest.raises(BadInputError, match="1 x 1 pixels: too small"):
        decode_image(saved(Image.new("RGB", (1, 1)), "PNG"))


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_an_animated_picture_is_refused(kind):
    frames = [Image.fromarray(PICTURE), Image.fromarray(255 - PICTURE)]
    with pytest.raises(BadInputError, match="animated"):
        decode_image(saved(frames[0], kind, save_all=True, append_images=frames[1:]))


@pytest.mark.parametrize(
    ("data", "name"),
    [(saved(Image.fromarray(PICTURE), "GIF"), "GIF"), (saved(Image.fromarray(PICTURE), "TIFF"), "TIFF"),
     (b"\0\0\0\x18ftypheic", "HEIC"), (b"\0\0\0\x18ftypisom", "video"), (b"%PDF-1.7", "PDF")],
)  # fmt: skip
def test_another_kind_of_file_is_named(data, name):
    with pytest.raises(BadInputError, match=name):
        decode_image(data)


def test_what_is_no_file_is_refused_with_its_name(tmp_path):
    (tmp_path / "empty.png").touch()
    for name in ("absent.png", ".", "empty.png", "zero\0byte.png"):
        with pytest.raises(BadInputError, match=tmp_path.name):
            read_image(tmp_path / name)
