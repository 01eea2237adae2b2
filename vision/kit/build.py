"""The pages of the kit. Everything has its true size when printed at 100 %."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

import numpy as np

from companion.games.takenoko.card_art import (
    CARD_HEIGHT,
    CARD_WIDTH,
    back_shapes,
    emperor_shapes,
    face_shapes,
)
from companion.games.takenoko.drawing import Shape
from companion.games.takenoko.edition import Edition
from companion.games.takenoko.pieces import COLOURS, Improvement
from vision.art.look import KIT
from vision.art.tiles import badge, plot_tile, pond_tile
from vision.calibration import BOARD_SQUARES, MARKER_MM, SQUARE_MM
from vision.camera_file import Markers, Pieces
from vision.kit.markers import board_boxes, marker_boxes
from vision.kit.sheet import Sheets

CARD_MM = (CARD_WIDTH / 10, CARD_HEIGHT / 10)
MARKER_CARD_MM = 60.0
"""Side of a marker card: 10 mm of white around the black square, which the finder needs to see its corners."""
_PIXELS_A_MM = 8.0
_CUT = "#999999"
T = TypeVar("T")
Tile = tuple[str, np.ndarray[tuple[int, ...], np.dtype[np.uint8]]]


def build_kit(edition: Edition, paper: str = "a4", *, backs: bool = True) -> bytes:
    """The whole kit as one PDF.

    Args:
        edition: how many plots, chips and cards there are.
        paper: `a4` or `letter`.
        backs: a page of card backs behind each page of faces, for printing on both sides (flipped along the long edge).
    """
    sheets = Sheets(paper, "Game night companion: the table kit")
    _how_to(sheets)
    _marker_cards(sheets, Markers())
    _board(sheets)
    _plots(sheets, edition, Pieces())
    _chips(sheets, edition, Pieces())
    _cards(sheets, edition, backs=backs)
    return sheets.pdf()


_HOW_TO = (
    "Print every page at 100 % (no 'fit to page'). The bar at the left of each page must measure 100 mm;",
    "if it does not, the camera file must say what a marker card's black square really measures.",
    "",
    "Marker cards: print on card, cut along the thin lines, lay them flat anywhere around the garden, in view",
    "of the camera, turned as they fall. One must always be seen; two or more at different sides are better.",
    "Keep the white border, and choose matt paper: a shining card is a hidden card.",
    "",
    "Calibration board: glue it to something flat, such as glass or a book's cover, then run",
    "'companion calibrate --camera picamera2' (or webcam:0) and show it near, far and tilted to all sides.",
    "Measure one square; if it is not 26 mm, add '--square-mm' with what it measures.",
    "",
    "Plots, chips and cards: for a game of your own making, or in place of lost pieces. Glue the plots to",
    '2 mm board before cutting. Plots are 70 mm from side to side. In the camera file, "art" is then "kit".',
    "Cards: with backs, print on both sides, flipped along the long edge; cut along the marks.",
)


def _how_to(sheets: Sheets) -> None:
    sheets.text(20, 30, "The table kit", 22, bold=True)
    for number, line in enumerate(_HOW_TO):
        sheets.text(20, 44 + 6 * number, line, 10)
    middle, top = sheets.width / 2, 150.0
    corners = ((middle - 58, top), (middle + 58, top), (middle + 80, top + 100), (middle - 80, top + 100))
    sheets.outline(corners, 0.5, "#000000")
    said = "What the camera should see: the whole garden with room around it, cards at the sides"
    sheets.text(middle, top - 4, said, 9, middle=True)
    for x, y, turn in ((-52, 18, 0.2), (50, 14, -0.5), (-66, 84, 0.1), (62, 80, 0.8)):
        sheets.outline(_square((middle + x, top + y), 7, turn), 0.3, "#000000")
        for part in (5.0, 3.8, 2.6, 1.4):
            sheets.outline(_square((middle + x, top + y), part, turn), 0.7, "#000000")
    for q, r in ((0, 0), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 1), (-2, 1), (2, -1)):
        centre = (middle + 19 * (q + r / 2), top + 50 + 15 * r)
        sheets.outline(_hexagon(centre, 10.3, squeeze=0.92), 0.4, "#1d6fa5" if (q, r) == (0, 0) else "#2f6b1e")
    sheets.page("How to print and use the kit")


def _marker_cards(sheets: Sheets, markers: Markers) -> None:
    side, gap = MARKER_CARD_MM, 8.0
    left, top = (sheets.width - 2 * side - gap) / 2, 40.0
    sheets.text(sheets.width / 2, 22, "Marker cards", 16, bold=True, middle=True)
    for place, marker_id in enumerate(markers.ids):
        x, y = left + place % 2 * (side + gap), top + place // 2 * (side + gap)
        margin = (side - markers.size_mm) / 2
        for box in marker_boxes(markers, marker_id):
            sheets.black_box(x + margin + box.left, y + margin + box.top, box.width, box.height)
        sheets.outline(_rectangle(x, y, side, side), 0.1, _CUT)
        said = f"companion - marker {marker_id} - {markers.size_mm:g} mm"
        sheets.text(x + side / 2, y + side - 3, said, 6.5, middle=True)
    below = top + math.ceil(len(markers.ids) / 2) * (side + gap)
    sheets.text(sheets.width / 2, below + 6, "Each black square must measure 40 mm.", 10, middle=True)
    sheets.page("Marker cards: AprilTag 36h11, 40 mm")


def _board(sheets: Sheets) -> None:
    columns, rows = BOARD_SQUARES
    left, top = (sheets.width - columns * SQUARE_MM) / 2, (sheets.height - rows * SQUARE_MM) / 2
    for box in board_boxes():
        sheets.black_box(left + box.left, top + box.top, box.width, box.height)
    sizes = f"squares {SQUARE_MM:g} mm, markers {MARKER_MM:g} mm"
    sheets.page(f"Calibration board: ChArUco {columns} x {rows}, {sizes}, DICT_5X5_50")


def _plots(sheets: Sheets, edition: Edition, pieces: Pieces) -> None:
    """Plots share their sides, so that one cut serves two."""
    across = pieces.tile_across_flats_mm
    radius = across / math.sqrt(3)
    kinds = [kind for colour in COLOURS for kind in edition.plots if kind[0] is colour]
    tiles: list[Tile] = [("pond", pond_tile(KIT, across, _PIXELS_A_MM, np.random.default_rng(0)))]
    for number, (colour, improvement) in enumerate(kinds):
        picture = plot_tile(KIT, colour, improvement, across, _PIXELS_A_MM, np.random.default_rng(number + 1))
        tiles += [(f"plot{number}", picture)] * edition.plots[kinds[number]]
    rows = int((sheets.height - 8 - 0.5 * radius) / (1.5 * radius))
    left = (sheets.width - 2.5 * across) / 2
    top = (sheets.height - (1.5 * rows + 0.5) * radius) / 2
    for page in _batches(tiles, 2 * rows):
        for place, (name, picture) in enumerate(page):
            row, column = divmod(place, 2)
            centre = (left + across * (0.5 + column + row % 2 / 2), top + radius * (1 + 1.5 * row))
            size = picture.shape[1] / _PIXELS_A_MM
            with sheets.clipped(_hexagon(centre, radius)):
                sheets.image(name, picture, centre, (size, size))
            sheets.outline(_hexagon(centre, radius), 0.1, _CUT)
        sheets.page(f"Plots: {across:g} mm from side to side; cut along the outlines")


def _chips(sheets: Sheets, edition: Edition, pieces: Pieces) -> None:
    size, gap = pieces.chip_mm, 8.0
    sheets.text(sheets.width / 2, 22, "Chips", 16, bold=True, middle=True)
    for row, (improvement, count) in enumerate(zip(Improvement, edition.chips, strict=True)):
        token = badge(KIT.chip, improvement, KIT.symbols[improvement], round(size * 2 * _PIXELS_A_MM))
        opaque = token[..., 3:].astype(np.float32) / 255
        picture = np.rint(token[..., :3] * opaque + 255 * (1 - opaque)).astype(np.uint8)
        for column in range(count):
            x = sheets.width / 2 + (column - (count - 1) / 2) * (size + gap)
            y = 45 + row * (size + gap)
            sheets.image(f"chip{row}", picture, (x, y), (size, size))
            sheets.outline(_hexagon((x, y), size / 2), 0.1, _CUT)
    sheets.page(f"Chips: {size:g} mm from corner to corner")


def _cards(sheets: Sheets, edition: Edition, *, backs: bool) -> None:
    faces: list[tuple[tuple[Shape, ...], tuple[Shape, ...] | None]] = []
    for card in edition.cards.values():
        faces += [(face_shapes(card), back_shapes(card.deck))] * card.copies
    faces.append((emperor_shapes(edition.emperor_points), None))
    width, height = CARD_MM
    columns, rows = int((sheets.width - 16) / width), int((sheets.height - 12) / height)
    left, top = (sheets.width - columns * width) / 2, (sheets.height - rows * height) / 2
    for page in _batches(faces, columns * rows):
        for place, (face, _) in enumerate(page):
            sheets.shapes(face, left + place % columns * width, top + place // columns * height)
        _cut_marks(sheets, left, top, columns, rows)
        sheets.page("Objective cards: 63 x 88 mm")
        if not backs or all(back is None for _, back in page):
            continue
        for place, (_, back) in enumerate(page):
            if back is not None:  # mirrored: the sheet is turned over along its long edge
                sheets.shapes(back, left + (columns - 1 - place % columns) * width, top + place // columns * height)
        sheets.page("Backs of the cards on the page before")


def _cut_marks(sheets: Sheets, left: float, top: float, columns: int, rows: int) -> None:
    """Short lines outside the block of cards, where a ruler is laid."""
    width, height = CARD_MM
    right, bottom = left + columns * width, top + rows * height
    for column in range(columns + 1):
        x = left + column * width
        for start, end in ((top - 1, top - 4), (bottom + 1, bottom + 4)):
            sheets.line(((x, start), (x, end)), 0.15)
    for row in range(rows + 1):
        y = top + row * height
        for start, end in ((left - 1, left - 3.5), (right + 1, right + 3.5)):
            sheets.line(((start, y), (end, y)), 0.15)


def _batches(items: Iterable[T], count: int) -> Iterator[Sequence[T]]:
    stream = iter(items)
    while batch := tuple(islice(stream, count)):
        yield batch


def _rectangle(left: float, top: float, width: float, height: float) -> tuple[tuple[float, float], ...]:
    return ((left, top), (left + width, top), (left + width, top + height), (left, top + height))


def _hexagon(centre: tuple[float, float], radius: float, squeeze: float = 1.0) -> tuple[tuple[float, float], ...]:
    """Pointy-top; squeezed in height where it stands for one seen from aside."""
    return tuple(
        (centre[0] + radius * math.sin(k * math.pi / 3), centre[1] - squeeze * radius * math.cos(k * math.pi / 3))
        for k in range(6)
    )


def _square(centre: tuple[float, float], half: float, turn: float) -> tuple[tuple[float, float], ...]:
    return tuple(
        (centre[0] + half * math.sqrt(2) * math.cos(turn + k * math.pi / 2 + math.pi / 4),
         centre[1] + half * math.sqrt(2) * math.sin(turn + k * math.pi / 2 + math.pi / 4))
        for k in range(4)
    )  # fmt: skip
