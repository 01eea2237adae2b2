"""The camera file: the camera's intrinsics, the marker cards, the sizes of the pieces in the box, the tiles' look."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.errors import BadInputError

MAX_SIDE_PX = 20_000
MAX_FILE_BYTES = 1_000_000
DICTIONARIES = (
    "DICT_4X4_50", "DICT_4X4_100", "DICT_4X4_250", "DICT_4X4_1000", "DICT_5X5_50", "DICT_5X5_100", "DICT_5X5_250",
    "DICT_5X5_1000", "DICT_6X6_50", "DICT_6X6_100", "DICT_6X6_250", "DICT_6X6_1000", "DICT_ARUCO_ORIGINAL",
    "DICT_APRILTAG_16h5", "DICT_APRILTAG_25h9", "DICT_APRILTAG_36h10", "DICT_APRILTAG_36h11",
)  # fmt: skip
"""The names that a camera file may give; all are OpenCV's."""


@dataclass(frozen=True, slots=True)
class Markers:
    """The marker cards: only their size and ids are known, not where they lie."""

    dictionary: str = "DICT_APRILTAG_36h11"
    size_mm: float = 40.0
    """The side of the black square."""
    ids: tuple[int, ...] = (0, 1, 2, 3)


@dataclass(frozen=True, slots=True)
class Pieces:
    """The sizes of the pieces in the box at hand, millimetres."""

    tile_across_flats_mm: float = 70.0
    tile_thickness_mm: float = 2.0
    section_height_mm: float = 18.0
    section_diameter_mm: float = 12.0
    """Of the waist, the narrowest part."""
    channel_mm: tuple[float, float, float] = (38.0, 6.0, 6.0)
    """Length, width, height."""
    section_foot_mm: float = 15.0
    """Of the widest part of a section."""
    chip_mm: float = 20.0
    """Across a loose chip."""
    gardener_mm: float = 42.0
    """Height of the gardener."""
    panda_mm: float = 34.0
    """Height of the panda."""


@dataclass(frozen=True, slots=True)
class CameraModel:
    """OpenCV's camera model with what the camera file says of the table.

    Attributes:
        width: columns of the picture, pixels.
        height: rows of the picture, pixels.
        fx: focal length in columns, pixels.
        fy: focal length in rows, pixels.
        cx: principal point, column.
        cy: principal point, row.
        dist: k1, k2, p1, p2, k3.
        markers: the marker cards.
        pieces: the sizes of the pieces.
        art: the name of the tiles' look, or None where the file names none.
    """

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    dist: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)
    markers: Markers = field(default_factory=Markers)
    pieces: Pieces = field(default_factory=Pieces)
    art: str | None = None

    @property
    def matrix(self) -> NDArray[np.float64]:
        """The 3x3 camera matrix."""
        return np.array([[self.fx, 0.0, self.cx], [0.0, self.fy, self.cy], [0.0, 0.0, 1.0]])

    def scaled(self, width: int, height: int) -> CameraModel:
        """The model of the same camera for a picture resized to width x height."""
        sx, sy = width / self.width, height / self.height
        return CameraModel(
            width=width,
            height=height,
            fx=self.fx * sx,
            fy=self.fy * sy,
            cx=(self.cx + 0.5) * sx - 0.5,
            cy=(self.cy + 0.5) * sy - 0.5,
            dist=self.dist,
            markers=self.markers,
            pieces=self.pieces,
            art=self.art,
        )

    def to_json(self) -> dict[str, Any]:
        """The camera file as a JSON object."""
        pieces = self.pieces
        written: dict[str, Any] = {
            "width": self.width,
            "height": self.height,
            "fx": self.fx,
            "fy": self.fy,
            "cx": self.cx,
            "cy": self.cy,
            "dist": list(self.dist),
            "markers": {
                "dictionary": self.markers.dictionary,
                "size_mm": self.markers.size_mm,
                "ids": list(self.markers.ids),
            },
            "pieces": {
                "tile_across_flats_mm": pieces.tile_across_flats_mm,
                "tile_thickness_mm": pieces.tile_thickness_mm,
                "section_height_mm": pieces.section_height_mm,
                "section_diameter_mm": pieces.section_diameter_mm,
                "channel_mm": list(pieces.channel_mm),
                "section_foot_mm": pieces.section_foot_mm,
                "chip_mm": pieces.chip_mm,
                "gardener_mm": pieces.gardener_mm,
                "panda_mm": pieces.panda_mm,
            },
        }
        if self.art is not None:
            written["art"] = self.art
        return written


class _Reader:
    """Takes checked values out of one JSON object and says where a value is wrong."""

    def __init__(self, values: Mapping[str, Any], where: str) -> None:
        self._values = values
        self._where = where

    def fail(self, key: str, remedy: str) -> BadInputError:
        return BadInputError(f"{self._where}: {key}: {remedy}")

    def number(self, key: str, low: float, high: float, default: float | None = None) -> float:
        value = self._values.get(key, default)
        if value is None:
            raise self.fail(key, "is missing")
        return self.checked(key, value, low, high)

    def checked(self, key: str, value: object, low: float, high: float) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.fail(key, f"must be a number, not {str(value)[:40]!r}")
        if not math.isfinite(value) or not low <= value <= high:
            raise self.fail(key, f"must be a number from {low:g} to {high:g}, not {value}")
        return float(value)

    def whole(self, key: str, low: int, high: int) -> int:
        value = self.number(key, low, high)
        if value != int(value):
            raise self.fail(key, f"must be a whole number, not {value}")
        return int(value)

    def numbers(self, key: str, count: int, low: float, high: float, default: tuple[float, ...]) -> tuple[float, ...]:
        value = self._values.get(key)
        if value is None:
            return default
        if not isinstance(value, list) or len(value) != count:
            raise self.fail(key, f"must be a list of {count} numbers")
        return tuple(self.checked(key, item, low, high) for item in value)

    def part(self, key: str) -> _Reader | None:
        value = self._values.get(key)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self.fail(key, "must be an object with named values")
        return _Reader(value, f"{self._where}: {key}")

    def raw(self, key: str) -> object:
        return self._values.get(key)


def _read_markers(reader: _Reader | None) -> Markers:
    if reader is None:
        return Markers()
    standard = Markers()
    dictionary = reader.raw("dictionary")
    if dictionary is None:
        dictionary = standard.dictionary
    if dictionary not in DICTIONARIES:
        name = str(dictionary)[:40]
        raise reader.fail("dictionary", f"unknown marker dictionary {name!r} (one of OpenCV's, such as DICT_4X4_50)")
    ids = reader.raw("ids")
    if ids is None:
        ids = list(standard.ids)
    if not isinstance(ids, list) or not all(isinstance(i, int) and not isinstance(i, bool) and i >= 0 for i in ids):
        raise reader.fail("ids", "must be a list of whole numbers from 0")
    if len(set(ids)) != len(ids):
        raise reader.fail("ids", "names a marker twice")
    return Markers(str(dictionary), reader.number("size_mm", 1.0, 2000.0, standard.size_mm), tuple(ids))


def _read_pieces(reader: _Reader | None) -> Pieces:
    if reader is None:
        return Pieces()
    standard = Pieces()
    waist = reader.number("section_diameter_mm", 1.0, 100.0, standard.section_diameter_mm)
    length, width, height = reader.numbers("channel_mm", 3, 0.1, 300.0, standard.channel_mm)
    return Pieces(
        tile_across_flats_mm=reader.number("tile_across_flats_mm", 10.0, 500.0, standard.tile_across_flats_mm),
        tile_thickness_mm=reader.number("tile_thickness_mm", 0.0, 50.0, standard.tile_thickness_mm),
        section_height_mm=reader.number("section_height_mm", 1.0, 200.0, standard.section_height_mm),
        section_diameter_mm=waist,
        channel_mm=(length, width, height),
        # Boxes whose foot nobody measured: a little wider than the waist, as the turned pieces are.
        section_foot_mm=reader.number("section_foot_mm", 1.0, 150.0, round(waist * 1.25, 2)),
        chip_mm=reader.number("chip_mm", 1.0, 150.0, standard.chip_mm),
        gardener_mm=reader.number("gardener_mm", 1.0, 300.0, standard.gardener_mm),
        panda_mm=reader.number("panda_mm", 1.0, 300.0, standard.panda_mm),
    )


def camera_from_json(values: object, where: str = "camera file") -> CameraModel:
    """Read a camera file's JSON object.

    Args:
        values: the decoded JSON.
        where: the name to give in an error.

    Raises:
        BadInputError: naming the key and what it must be.
    """
    if not isinstance(values, dict):
        raise BadInputError(f"{where}: must hold one JSON object, as `companion calibrate` writes it")
    reader = _Reader(values, where)
    width, height = reader.whole("width", 16, MAX_SIDE_PX), reader.whole("height", 16, MAX_SIDE_PX)
    longest = max(width, height)
    k1, k2, p1, p2, k3 = reader.numbers("dist", 5, -100.0, 100.0, (0.0,) * 5)
    art = reader.raw("art")
    return CameraModel(
        width=width,
        height=height,
        # A view wider than about 168 degrees or narrower than half a degree is a typing error, not a lens.
        fx=reader.number("fx", longest * 0.05, longest * 100.0),
        fy=reader.number("fy", longest * 0.05, longest * 100.0),
        cx=reader.number("cx", -width, 2.0 * width),
        cy=reader.number("cy", -height, 2.0 * height),
        dist=(k1, k2, p1, p2, k3),
        markers=_read_markers(reader.part("markers")),
        pieces=_read_pieces(reader.part("pieces")),
        art=art if isinstance(art, str) else None,
    )


def load_camera_file(path: Path | str) -> CameraModel:
    """Read a camera file from disk.

    Raises:
        BadInputError: if it cannot be read, is no JSON, or a value in it cannot be true.
    """
    path = Path(path)
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise BadInputError(f"{path}: too large for a camera file")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInputError(f"{path}: cannot be read ({error.strerror or error})") from None
    except UnicodeDecodeError:
        raise BadInputError(f"{path}: is no text file (a camera file is JSON in UTF-8)") from None
    try:
        values = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise BadInputError(f"{path}: is no JSON ({error})") from None
    return camera_from_json(values, str(path))
