"""The camera file: the lens, the marker cards and the sizes of the pieces in the box at hand (formats, section 5)."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.errors import BadInputError

MAX_SIDE_PX = 20_000
"""No camera of the project gives a larger picture: a larger figure in a file is a mistake."""
_DICTIONARIES = frozenset(
    {f"DICT_{n}X{n}_{count}" for n in (4, 5, 6, 7) for count in (50, 100, 250, 1000)}
    | {f"DICT_APRILTAG_{name}" for name in ("16h5", "25h9", "36h10", "36h11")}
    | {"DICT_ARUCO_ORIGINAL", "DICT_ARUCO_MIP_36h12"}
)


@dataclass(frozen=True, slots=True)
class Markers:
    """The marker cards: their dictionary, the side of the black square, and which ids belong to the kit."""

    dictionary: str = "DICT_APRILTAG_36h11"
    size_mm: float = 40.0
    ids: tuple[int, ...] = (0, 1, 2, 3)


@dataclass(frozen=True, slots=True)
class Pieces:
    """Sizes of the pieces in the box at hand, millimetres."""

    tile_across_flats_mm: float = 70.0
    tile_thickness_mm: float = 2.0
    section_height_mm: float = 18.0
    section_diameter_mm: float = 12.0
    """The waist of a bamboo section."""
    section_foot_mm: float | None = None
    """The foot's diameter; None: as the waist."""
    channel_mm: tuple[float, float, float] = (38.0, 6.0, 6.0)
    """Length, width, height."""
    chip_mm: float = 18.0
    gardener_mm: float = 40.0
    """Height of the gardener."""
    panda_mm: float = 32.0
    """Height of the panda."""


@dataclass(frozen=True, slots=True)
class CameraModel:
    """OpenCV's camera model of one camera at one picture size, with what lies on its table."""

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    dist: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)
    """k1 k2 p1 p2 k3"""
    markers: Markers = field(default_factory=Markers)
    pieces: Pieces = field(default_factory=Pieces)
    art: str | None = None


def load_camera_file(path: Path) -> CameraModel:
    """Read and check a camera file.

    Raises:
        BadInputError: naming the file, the key and the remedy.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadInputError(f"{path}: no such camera file; make one with `companion calibrate`") from None
    except (OSError, ValueError) as error:
        raise BadInputError(f"{path}: cannot be read as a camera file: {error}") from None
    try:
        return camera_from_json(data)
    except BadInputError as error:
        raise BadInputError(f"{path}: {error}") from None


def camera_from_json(data: Any) -> CameraModel:
    """A camera model from the parsed JSON of a camera file.

    Raises:
        BadInputError: naming the key and what it should be.
    """
    top = _mapping(data, "the file")
    dist = top.get("dist", [0.0] * 5)
    if not isinstance(dist, list) or len(dist) not in (0, 4, 5):
        raise BadInputError("dist: expected five numbers k1 k2 p1 p2 k3")
    coefficients = [_number({"dist": value}, "dist", -100.0, 100.0) for value in dist] + [0.0] * (5 - len(dist))
    art = top.get("art")
    return CameraModel(
        width=int(_number(top, "width", 16, MAX_SIDE_PX)),
        height=int(_number(top, "height", 16, MAX_SIDE_PX)),
        fx=_number(top, "fx", 10.0, 1e6),
        fy=_number(top, "fy", 10.0, 1e6),
        cx=_number(top, "cx", -MAX_SIDE_PX, 2 * MAX_SIDE_PX),
        cy=_number(top, "cy", -MAX_SIDE_PX, 2 * MAX_SIDE_PX),
        dist=(coefficients[0], coefficients[1], coefficients[2], coefficients[3], coefficients[4]),
        markers=_markers(top.get("markers")),
        pieces=_pieces(top.get("pieces")),
        art=art if isinstance(art, str) else None,
    )


def _markers(data: Any) -> Markers:
    if data is None:
        return Markers()
    part = _mapping(data, "markers")
    name = part.get("dictionary", Markers().dictionary)
    if name not in _DICTIONARIES:
        raise BadInputError(f"markers.dictionary: {name!r} is none of OpenCV's, such as DICT_APRILTAG_36h11")
    ids = part.get("ids", [0, 1, 2, 3])
    if not isinstance(ids, list) or not all(isinstance(i, int) and not isinstance(i, bool) and i >= 0 for i in ids):
        raise BadInputError("markers.ids: expected a list of whole numbers")
    return Markers(name, _number(part, "size_mm", 1.0, 1000.0, 40.0), tuple(ids))


def _pieces(data: Any) -> Pieces:
    if data is None:
        return Pieces()
    part = _mapping(data, "pieces")
    usual = Pieces()
    channel = part.get("channel_mm", list(usual.channel_mm))
    if not isinstance(channel, list) or len(channel) != 3:
        raise BadInputError("pieces.channel_mm: expected three numbers: length, width, height")
    sizes = [_number({"pieces.channel_mm": value}, "pieces.channel_mm", 0.5, 500.0) for value in channel]
    return Pieces(
        tile_across_flats_mm=_number(part, "tile_across_flats_mm", 10.0, 500.0, usual.tile_across_flats_mm),
        tile_thickness_mm=_number(part, "tile_thickness_mm", 0.0, 50.0, usual.tile_thickness_mm),
        section_height_mm=_number(part, "section_height_mm", 1.0, 200.0, usual.section_height_mm),
        section_diameter_mm=_number(part, "section_diameter_mm", 1.0, 200.0, usual.section_diameter_mm),
        section_foot_mm=_number(part, "section_foot_mm", 1.0, 200.0) if part.get("section_foot_mm") else None,
        channel_mm=(sizes[0], sizes[1], sizes[2]),
        chip_mm=_number(part, "chip_mm", 1.0, 200.0, usual.chip_mm),
        gardener_mm=_number(part, "gardener_mm", 1.0, 300.0, usual.gardener_mm),
        panda_mm=_number(part, "panda_mm", 1.0, 300.0, usual.panda_mm),
    )


def _mapping(data: Any, name: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise BadInputError(f"{name}: expected an object with keys")
    return data


def _number(part: dict[str, Any], key: str, low: float, high: float, default: float | None = None) -> float:
    value = part.get(key, default)
    if value is None:
        raise BadInputError(f"{key}: missing; make the file anew with `companion calibrate`")
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise BadInputError(f"{key}: expected a number, found {str(value)[:40]!r}")
    if not low <= value <= high:
        raise BadInputError(f"{key}: {value} is not between {low:g} and {high:g}")
    return float(value)
