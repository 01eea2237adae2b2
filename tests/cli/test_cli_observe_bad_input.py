"""`companion observe` on files that show no table: a status and a reason for each, the others are still read."""

from __future__ import annotations

import io
import json
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from companion.__main__ import main

CAMERA = {"width": 640, "height": 480, "fx": 520.0, "fy": 520.0, "cx": 320.0, "cy": 240.0, "art": "painted"}


def chessboard() -> np.ndarray:
    """Another game: a board of squares, seen askew."""
    squares = np.kron(np.indices((8, 8)).sum(axis=0) % 2, np.ones((50, 50))) * 160 + 60
    board = np.dstack([squares * share for share in (0.6, 0.8, 1.0)]).astype(np.uint8)
    corners = np.array([[150, 80], [500, 100], [600, 430], [40, 400]], np.float32)
    flat = np.array([[0, 0], [400, 0], [400, 400], [0, 400]], np.float32)
    table = np.full((480, 640, 3), (60, 90, 120), np.uint8)
    seen = cv2.warpPerspective(board, cv2.getPerspectiveTransform(flat, corners), (640, 480))
    return np.where(seen.any(axis=2, keepdims=True), seen, table).astype(np.uint8)


def plain(kind: str, image: np.ndarray) -> bytes:
    return cv2.imencode(f".{kind}", image)[1].tobytes()


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def claiming(width: int, height: int) -> bytes:
    """A PNG whose header claims a size; hardly any pixels follow."""
    body = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", body), (b"IDAT", zlib.compress(bytes(100))), (b"IEND", b"")]
    packed = [struct.pack(">I", len(b)) + k + b + struct.pack(">I", zlib.crc32(k + b)) for k, b in chunks]
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


GREY = np.full((480, 640, 3), 120, np.uint8)
BOARD = chessboard()
NO_TABLE = {
    "truncated.jpg": plain("jpg", BOARD)[:4000],
    "empty.png": b"",
    "huge.png": claiming(20_000, 20_000),
    "deep.png": plain("png", BOARD.astype(np.uint16) * 257),
    "grey.png": plain("png", cv2.cvtColor(BOARD, cv2.COLOR_BGR2GRAY)),
    "cmyk.jpg": saved(Image.fromarray(BOARD).convert("CMYK"), "JPEG"),
    "animated.png": saved(Image.fromarray(GREY), "PNG", save_all=True, append_images=[Image.fromarray(BOARD)]),
    "mislabelled.png": plain("jpg", BOARD),
    "text.jpg": b"no picture at all, but words",
    "chess.png": plain("png", BOARD),
    "noise.png": plain("png", np.random.default_rng(0).normal(128, 80, GREY.shape).clip(0, 255).astype(np.uint8)),
    "black.png": plain("png", np.zeros_like(GREY)),
    "white.png": plain("png", np.full_like(GREY, 255)),
    "small.png": plain("png", BOARD[:200, :200]),
}


def observed(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[list[dict], str]:
    main(["observe", str(folder), "--json"])
    told = capsys.readouterr()
    return [json.loads(line) for line in told.out.splitlines()], told.err


def test_every_kind_of_useless_picture_gets_a_status_and_a_reason(tmp_path, capsys):
    (tmp_path / "camera.json").write_text(json.dumps(CAMERA), encoding="utf-8")
    for name, content in NO_TABLE.items():
        (tmp_path / name).write_bytes(content)
    facts, errors = observed(tmp_path, capsys)
    assert [one["image"] for one in facts] == sorted(NO_TABLE)
    for one in facts:
        assert one["status"] == "no_table", one
        assert one["reason"], one
        assert one["plots"] == [], one
        assert "\n" not in one["reason"]
    assert "Traceback" not in errors


@pytest.mark.parametrize(
    ("camera", "word"),
    [
        ({**CAMERA, "fx": 0.0}, "fx"),
        ({**CAMERA, "width": 320}, "320"),
        ({key: value for key, value in CAMERA.items() if key != "cx"}, "cx"),
        ([], "camera"),
        (None, "camera"),
    ],
)
def test_a_camera_file_that_cannot_be_right_is_named_in_the_reason(camera, word, tmp_path, capsys):
    (tmp_path / "table.png").write_bytes(NO_TABLE["chess.png"])
    if camera is not None:
        (tmp_path / "camera.json").write_text(json.dumps(camera), encoding="utf-8")
    (one,), errors = observed(tmp_path, capsys)
    assert one["status"] == "no_table"
    assert word in one["reason"]
    assert "Traceback" not in errors
