"""What the networks look at: each cell rectified from above and seen upright, each edge rectified along itself.

All crops are turned so that "up" is away from the camera. How the upright crop lies in the picture: `upright`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Image, View
from vision.nets.upright import COLUMNS, ROWS, TALLEST, Uprights, away_directions, uprights

TILE_PX = 80
"""Side of the crop from above, pixels."""
TILE_REACH = 1.06
"""Half its side, in circumradii of a tile."""
EDGE_ROWS, EDGE_COLUMNS = 36, 56
EDGE_LENGTH = 1.35
"""Length of the edge crop, in sides of a tile."""
VIEW_SIZE = 12
"""Figures that go with each cell."""
EDGE_VIEW_SIZE = 8
"""Figures that go with each edge."""
_FINE = 1.5
"""A crop pixel may cover this many picture pixels before a halved picture is taken instead."""


@dataclass(frozen=True, slots=True, eq=False)
class TileCrops:
    """N cells from above, colours as in the picture."""

    pixels: NDArray[np.uint8]
    """(N, TILE_PX, TILE_PX, 3) BGR."""
    mask: NDArray[np.uint8]
    """(N, TILE_PX, TILE_PX): 1 inside the tile's own hexagon."""
    view: NDArray[np.float32]
    """(N, VIEW_SIZE): how the camera sees this cell and how large its pieces are."""


@dataclass(frozen=True, slots=True, eq=False)
class TallCrops:
    """N cells seen upright, colours as in the picture."""

    pixels: NDArray[np.uint8]
    """(N, ROWS, COLUMNS, 3) of `upright`: BGR."""
    mask: NDArray[np.uint8]
    """(N, ROWS, COLUMNS): 1 inside the tile's own hexagon."""
    rises: NDArray[np.float32]
    """(N, TALLEST): rows from foot to top of a stalk of 1 to `TALLEST` sections."""
    view: NDArray[np.float32]
    """(N, VIEW_SIZE), as of `TileCrops`."""


@dataclass(frozen=True, slots=True, eq=False)
class EdgeCrops:
    """The crops of M edges, colours as in the picture."""

    pixels: NDArray[np.uint8]
    """(M, EDGE_ROWS, EDGE_COLUMNS, 3) BGR, the edge lies along the middle row."""
    view: NDArray[np.float32]
    """(M, EDGE_VIEW_SIZE)"""


class Pyramid:
    """A picture and its halves, each made when first needed."""

    def __init__(self, image: Image) -> None:
        self._levels = [image]
        self._fours: dict[int, Image] = {}

    def level(self, index: int) -> Image:
        """The picture halved `index` times, uint8 BGR."""
        while len(self._levels) <= index:
            last = self._levels[-1]
            half = (max(1, last.shape[1] // 2), max(1, last.shape[0] // 2))
            self._levels.append(np.asarray(cv2.resize(last, half, interpolation=cv2.INTER_AREA), dtype=np.uint8))
        return self._levels[index]

    def cut(self, to_px: Floats, shape: tuple[int, int], indices: Sequence[int]) -> NDArray[np.uint8]:
        """Cut out crops, (N, rows, columns, 3).

        Args:
            to_px: (N, 3, 3) homographies from crop pixels to picture pixels.
            shape: rows, columns of the crops.
            indices: (N,) level to cut each from, so that no picture pixel is skipped (`levels`).
        """
        crops = np.empty((len(to_px), *shape, 3), dtype=np.uint8)
        scale = 0.5 ** np.asarray(indices, dtype=np.float64)
        shrink = np.zeros((len(to_px), 3, 3))
        shrink[:, 0, 0] = shrink[:, 1, 1] = scale
        shrink[:, :2, 2] = (0.5 * scale - 0.5)[:, None]
        shrink[:, 2, 2] = 1.0
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        for crop, index, to_level in zip(crops, indices, shrink @ to_px, strict=True):
            cut = cv2.warpPerspective(self._of_four(index), to_level, shape[::-1], None, flags)
            cv2.cvtColor(cut, cv2.COLOR_BGRA2BGR, crop)
        return crops

    def _of_four(self, index: int) -> Image:
        """A level with a fourth channel: of four, a pixel is read at once, which takes less than half the time."""
        if index not in self._fours:
            self._fours[index] = np.asarray(cv2.cvtColor(self.level(index), cv2.COLOR_BGR2BGRA), dtype=np.uint8)
        return self._fours[index]


def levels(picture_px: Floats, crop_px: int) -> list[int]:
    """The level of the pyramid for crops with `crop_px` pixels, each over an area (N,) of picture pixels."""
    size = np.sqrt(np.maximum(np.abs(picture_px), 1e-6) / crop_px)
    return [int(level) for level in np.clip(np.ceil(np.log2(size / _FINE)), 0, 4)]


def quad_areas(corners: Floats) -> Floats:
    """Areas (N,) of quadrilaterals (N, 4, 2)."""
    one, two = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    return np.asarray(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]) / 2.0


def homographies(corners: Floats, columns: int, rows: int) -> Floats:
    """From the pixels of crops to quadrilaterals whose corners their corner pixels are, (N, 3, 3).

    Args:
        corners: (N, 4, 2) of the picture, clockwise from the crop's upper left.
        columns: of the crops.
        rows: of the crops.
    """
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = np.moveaxis(corners, 0, -1)
    # Heckbert's closed form for the unit square.
    bend_x, bend_y = x0 - x1 + x2 - x3, y0 - y1 + y2 - y3
    area = (x1 - x2) * (y3 - y2) - (x3 - x2) * (y1 - y2)
    area = np.where(np.abs(area) < 1e-9, 1e-9, area)
    right = (bend_x * (y3 - y2) - (x3 - x2) * bend_y) / area
    down = ((x1 - x2) * bend_y - bend_x * (y1 - y2)) / area
    whole = np.empty((len(corners), 3, 3))
    whole[:, 0] = np.stack([x1 - x0 + right * x1, x3 - x0 + down * x3, x0], axis=1)
    whole[:, 1] = np.stack([y1 - y0 + right * y1, y3 - y0 + down * y3, y0], axis=1)
    whole[:, 2] = np.stack([right, down, np.ones_like(x0)], axis=1)
    return np.asarray(whole / np.array([columns - 1.0, rows - 1.0, 1.0]))


def squares_px(view: View, centres_mm: Floats, away: Floats, reach_mm: float) -> Floats:
    """Where the crops from above lie in the picture: corners (N, 4, 2), far left first, clockwise.

    Args:
        view: the camera over the table; the squares lie at its tiles' top.
        centres_mm: (N, 2) middles of the squares on the table.
        away: (N, 2) unit vectors away from the camera, "up" in the crops.
        reach_mm: half a square's side.
    """
    right = np.stack([away[:, 1], -away[:, 0]], axis=1)
    signs = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
    sides = signs[None, :, :1] * right[:, None] + signs[None, :, 1:] * away[:, None]
    return view.project(centres_mm[:, None] + reach_mm * sides, view.camera.pieces.tile_thickness_mm)


def in_squares(off_mm: Floats, away: Floats, reach_mm: float, size_px: int) -> Floats:
    """Points about the middles of the squares of `squares_px` as columns and rows of their crops, (N, K, 2).

    Args:
        off_mm: (N, K, 2) from each square's middle, on the table.
        away: (N, 2) unit vectors away from the camera.
        reach_mm: half a square's side.
        size_px: a crop's side.
    """
    right = np.stack([away[:, 1], -away[:, 0]], axis=1)
    u, v = np.einsum("nki,ni->nk", off_mm, right), -np.einsum("nki,ni->nk", off_mm, away)
    return np.asarray((np.stack([u, v], axis=-1) / reach_mm + 1.0) * (size_px - 1) / 2.0)


def squares(pyramid: Pyramid, corners_px: Floats, size_px: int) -> NDArray[np.uint8]:
    """The squares (N, 4, 2) of `squares_px` as crops (N, size_px, size_px, 3)."""
    to_px = homographies(corners_px, size_px, size_px)
    return pyramid.cut(to_px, (size_px, size_px), levels(quad_areas(corners_px), size_px**2))


def tile_crops(pyramid: Pyramid, view: View, centres_mm: Floats, angle: float | Floats) -> TileCrops:
    """Cut every cell from above.

    Args:
        pyramid: the picture.
        view: the camera over the table; its camera file gives the sizes of the pieces.
        centres_mm: (N, 2) cell centres on the table.
        angle: direction of the lattice's east (a side's normal), radians in the table frame; one, or one a cell.
    """
    centres = np.asarray(centres_mm, dtype=np.float64).reshape(-1, 2)
    n = len(centres)
    mask = np.zeros((n, TILE_PX, TILE_PX), dtype=np.uint8)
    if n == 0:
        return TileCrops(np.zeros((*mask.shape, 3), np.uint8), mask, np.zeros((0, VIEW_SIZE), dtype=np.float32))
    away = away_directions(view, centres)
    reach = TILE_REACH * view.camera.pieces.tile_across_flats_mm / np.sqrt(3.0)
    corners_px = squares_px(view, centres, away, reach)
    pixels = squares(pyramid, corners_px, TILE_PX)
    _fill(mask, in_squares(_around(view, angle, n), away, reach, TILE_PX))
    return TileCrops(pixels, mask, _figures(view, centres, uprights(view, centres)))


def tall_crops(pyramid: Pyramid, view: View, centres_mm: Floats, angle: float | Floats) -> TallCrops:
    """Cut every cell upright; arguments as of `tile_crops`."""
    centres = np.asarray(centres_mm, dtype=np.float64).reshape(-1, 2)
    n = len(centres)
    mask = np.zeros((n, ROWS, COLUMNS), dtype=np.uint8)
    if n == 0:
        rises = np.zeros((0, TALLEST), dtype=np.float32)
        return TallCrops(np.zeros((*mask.shape, 3), np.uint8), mask, rises, np.zeros((0, VIEW_SIZE), dtype=np.float32))
    stands = uprights(view, centres)
    pixels = pyramid.cut(stands.to_picture(), (ROWS, COLUMNS), levels(stands.areas(), 1))
    corners = centres[:, None] + _around(view, angle, n)
    _fill(mask, stands.in_crops(view.project(corners, view.camera.pieces.tile_thickness_mm)))
    return TallCrops(pixels, mask, stands.rises.astype(np.float32), _figures(view, centres, stands))


def _around(view: View, angle: float | Floats, n: int) -> Floats:
    """Corners (N, 6, 2) of tiles about their centres, on the table."""
    angles = np.broadcast_to(np.asarray(angle, dtype=np.float64), (n,))
    turns = angles[:, None] + np.pi / 6 + np.arange(6) * np.pi / 3
    radius = view.camera.pieces.tile_across_flats_mm / np.sqrt(3.0)
    return np.asarray(radius * np.stack([np.cos(turns), np.sin(turns)], axis=-1))


def _figures(view: View, centres: Floats, stands: Uprights) -> NDArray[np.float32]:
    """How the camera sees each cell and how large its pieces are, (N, VIEW_SIZE)."""
    pieces = view.camera.pieces
    across, thick = pieces.tile_across_flats_mm, pieces.tile_thickness_mm
    away, eye = away_directions(view, centres), view.eye_mm
    right = np.stack([away[:, 1], -away[:, 0]], axis=1)
    slope = np.arctan2(eye[2] - thick, np.linalg.norm(centres - eye[:2], axis=1))
    # By perspective the top of four sections looks larger than their foot.
    wide = view.project(np.stack([centres, centres + right], axis=1), thick + 4.0 * pieces.section_height_mm)
    growth = np.linalg.norm(wide[:, 1] - wide[:, 0], axis=1) * across / stands.tile_px - 1.0
    figures = np.zeros((len(centres), VIEW_SIZE), dtype=np.float32)
    figures[:, 0] = np.sin(slope)
    figures[:, 1] = np.cos(slope)
    figures[:, 2] = stands.share
    figures[:, 3] = stands.section_px / stands.tile_px * 4.0
    figures[:, 4] = growth * 4.0
    figures[:, 5] = np.log2(np.maximum(stands.tile_px, 1.0) / 128.0)
    foot = pieces.section_foot_mm or pieces.section_diameter_mm
    sizes = (
        pieces.section_height_mm,
        pieces.section_diameter_mm,
        foot,
        pieces.chip_mm,
        pieces.gardener_mm,
        pieces.panda_mm,
    )
    figures[:, 6:] = np.asarray(sizes) / across * 2.0
    return figures


def _fill(masks: NDArray[np.uint8], corners: Floats) -> None:
    """Draw each hexagon (N, 6, 2) into its mask."""
    whole = np.rint(np.clip(corners, -500, 500)).astype(np.int32)
    for mask, polygon in zip(masks, whole, strict=True):
        cv2.fillConvexPoly(mask, polygon, 1)


def edge_crops(pyramid: Pyramid, view: View, middles_mm: Floats, along: Sequence[float] | Floats) -> EdgeCrops:
    """Cut the crop of every edge, at half the height of a channel that would lie there.

    Args:
        pyramid: the picture.
        view: the camera over the table.
        middles_mm: (M, 2) middles of the edges on the table.
        along: (M,) direction of each edge, radians in the table frame (either of the two).
    """
    pieces = view.camera.pieces
    m = len(middles_mm)
    figures = np.zeros((m, EDGE_VIEW_SIZE), dtype=np.float32)
    if m == 0:
        return EdgeCrops(np.zeros((0, EDGE_ROWS, EDGE_COLUMNS, 3), dtype=np.uint8), figures)
    middles = np.asarray(middles_mm, dtype=np.float64).reshape(m, 2)
    angles = np.asarray(along, dtype=np.float64).reshape(m)
    side = pieces.tile_across_flats_mm / np.sqrt(3.0)
    length, width, height = pieces.channel_mm
    away = away_directions(view, middles)
    direction = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    normal = np.stack([-direction[:, 1], direction[:, 0]], axis=1)
    # The crop's up is the normal that points away from the camera.
    flip = np.where((normal * away).sum(axis=1) < 0.0, -1.0, 1.0)[:, None]
    direction, normal = direction * flip, normal * flip
    half_length = EDGE_LENGTH * side / 2.0
    half_width = half_length * EDGE_ROWS / EDGE_COLUMNS
    signs = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
    corners = (
        middles[:, None]
        + signs[None, :, :1] * half_length * direction[:, None]
        + signs[None, :, 1:] * half_width * normal[:, None]
    )
    z_mm = pieces.tile_thickness_mm + height / 2.0
    corners_px = view.project(corners, z_mm)
    to_px = homographies(corners_px, EDGE_COLUMNS, EDGE_ROWS)
    shape = (EDGE_ROWS, EDGE_COLUMNS)
    pixels = pyramid.cut(to_px, shape, levels(quad_areas(corners_px), EDGE_ROWS * EDGE_COLUMNS))
    eye = view.eye_mm
    figures[:, 0] = np.sin(np.arctan2(eye[2] - z_mm, np.linalg.norm(middles - eye[:2], axis=1)))
    figures[:, 1] = (normal * away).sum(axis=1)
    figures[:, 2] = (direction * away).sum(axis=1)
    figures[:, 3] = np.log2(np.maximum(np.linalg.norm(corners_px[:, 1] - corners_px[:, 0], axis=1), 1.0) / 64.0)
    figures[:, 4:7] = np.array([length, 2.0 * width, 2.0 * height]) / side
    figures[:, 7] = 2.0 * (pieces.section_foot_mm or pieces.section_diameter_mm) / side
    return EdgeCrops(pixels, figures)
