"""What the networks look at: each cell rectified from above and seen upright, each edge rectified along itself.

All crops are turned so that "up" is away from the camera, which makes a stalk always stand upright, whatever the
turn of the camera about the garden. The upright crop is scaled so that one section of bamboo covers `SECTION_ROWS`
rows wherever the camera sees the stalk from the side; from steeply above, where sections shrink to nothing, the scale
is held by the tile's width instead, and a ruler channel and the view's figures tell the network so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Image, View

TILE_PX = 80
"""Side of the crop from above, pixels."""
TILE_REACH = 1.06
"""Half its side, in circumradii of a tile."""
TALL_ROWS, TALL_COLUMNS = 96, 56
SECTION_ROWS = 12.0
"""Rows of one section in the upright crop, where it is not held by the tile's width."""
FOOT_ROW = 67.0
"""Row of the cell's centre (at the tile's top) in the upright crop."""
TALL_WIDTH = 0.9
"""Width of the upright crop, in tiles across flats."""
LEAST_SECTION = 0.15
"""The upright crop's section unit is never less than this share of the tile's width in the picture."""
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
class CellCrops:
    """The two crops of N cells, colours as in the picture."""

    tile: NDArray[np.uint8]
    """(N, TILE_PX, TILE_PX, 3): BGR from above."""
    tile_mask: NDArray[np.uint8]
    """(N, TILE_PX, TILE_PX): 1 inside the tile's own hexagon."""
    tall: NDArray[np.uint8]
    """(N, TALL_ROWS, TALL_COLUMNS, 3): BGR upright."""
    tall_mask: NDArray[np.uint8]
    """(N, TALL_ROWS, TALL_COLUMNS): 1 inside the tile's own hexagon."""
    view: NDArray[np.float32]
    """(N, VIEW_SIZE): how the camera sees this cell and how large its pieces are."""


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

    def level(self, index: int) -> Image:
        """The picture halved `index` times, uint8 BGR."""
        while len(self._levels) <= index:
            last = self._levels[-1]
            half = (max(1, last.shape[1] // 2), max(1, last.shape[0] // 2))
            self._levels.append(np.asarray(cv2.resize(last, half, interpolation=cv2.INTER_AREA), dtype=np.uint8))
        return self._levels[index]

    def warp(self, to_px: Floats, shape: tuple[int, int], index: int) -> Image:
        """Cut out a crop.

        Args:
            to_px: (3, 3) homography from crop pixels to picture pixels.
            shape: rows, columns of the crop.
            index: level to cut from, so that no picture pixel is skipped (`levels`).
        """
        scale = 0.5**index
        shrink = np.array([[scale, 0.0, 0.5 * scale - 0.5], [0.0, scale, 0.5 * scale - 0.5], [0.0, 0.0, 1.0]])
        return np.asarray(
            cv2.warpPerspective(
                self.level(index), shrink @ to_px, shape[::-1], None, cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            ),
            dtype=np.uint8,
        )


def levels(picture_px: Floats, crop_px: int) -> list[int]:
    """The level of the pyramid for crops with `crop_px` pixels, each over an area (N,) of picture pixels."""
    size = np.sqrt(np.maximum(np.abs(picture_px), 1e-6) / crop_px)
    return [int(level) for level in np.clip(np.ceil(np.log2(size / _FINE)), 0, 4)]


def quad_areas(corners: Floats) -> Floats:
    """Areas (N,) of quadrilaterals (N, 4, 2)."""
    one, two = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    return np.asarray(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]) / 2.0


def away_directions(view: View, centres_mm: Floats) -> Floats:
    """For each centre (N, 2) the unit vector (N, 2) on the table that points away from the camera."""
    away = centres_mm - view.eye_mm[:2]
    length = np.linalg.norm(away, axis=1, keepdims=True)
    # Straight below the camera no direction is away; the picture's own up will do.
    up = -view.rotation[1, :2] / max(1e-9, float(np.linalg.norm(view.rotation[1, :2])))
    return np.where(length > 1.0, away / np.maximum(length, 1e-9), up)


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


def from_above(pyramid: Pyramid, corners_px: Floats, size_px: int, level: int) -> Image:
    """One square (4, 2) of `squares_px` as a crop (size_px, size_px, 3)."""
    last = size_px - 1.0
    square = np.array([[0.0, 0.0], [last, 0.0], [last, last], [0.0, last]], dtype=np.float32)
    to_px = cv2.getPerspectiveTransform(square, corners_px.astype(np.float32))
    return pyramid.warp(np.asarray(to_px, dtype=np.float64), (size_px, size_px), level)


def cell_crops(pyramid: Pyramid, view: View, centres_mm: Floats, angle: float | Floats) -> CellCrops:
    """Cut both crops of every cell.

    Args:
        pyramid: the picture.
        view: the camera over the table; its camera file gives the sizes of the pieces.
        centres_mm: (N, 2) cell centres on the table.
        angle: direction of the lattice's east (a side's normal), radians in the table frame; one, or one a cell.
    """
    pieces = view.camera.pieces
    across, thick = pieces.tile_across_flats_mm, pieces.tile_thickness_mm
    radius = across / np.sqrt(3.0)
    n = len(centres_mm)
    centres = np.asarray(centres_mm, dtype=np.float64).reshape(n, 2)
    angles = np.broadcast_to(np.asarray(angle, dtype=np.float64), (n,))
    away = away_directions(view, centres)
    right = np.stack([away[:, 1], -away[:, 0]], axis=1)
    tile = np.zeros((n, TILE_PX, TILE_PX, 3), dtype=np.uint8)
    tall = np.zeros((n, TALL_ROWS, TALL_COLUMNS, 3), dtype=np.uint8)
    tile_mask, tall_mask = np.zeros(tile.shape[:3], dtype=np.uint8), np.zeros(tall.shape[:3], dtype=np.uint8)
    figures = np.zeros((n, VIEW_SIZE), dtype=np.float32)
    if n == 0:
        return CellCrops(tile, tile_mask, tall, tall_mask, figures)
    reach = TILE_REACH * radius
    corners_px = squares_px(view, centres, away, reach)
    # Axes of the upright crop, in the picture: a millimetre to the right, away, and the rise of a section.
    height = pieces.section_height_mm
    probes = np.stack(
        [
            np.column_stack([centres, np.full(n, thick)]),
            np.column_stack([centres + right, np.full(n, thick)]),
            np.column_stack([centres + away, np.full(n, thick)]),
            np.column_stack([centres, np.full(n, thick + 2.0 * height)]),
            np.column_stack([centres + right, np.full(n, thick + 4.0 * height)]),
            np.column_stack([centres, np.full(n, thick + 4.0 * height)]),
        ],
        axis=1,
    )
    px = view.project(probes)
    foot_px, side_px, back_px = px[:, 0], px[:, 1] - px[:, 0], px[:, 2] - px[:, 0]
    rise_px = (px[:, 3] - px[:, 0]) / 2.0
    mm_px = np.maximum(np.linalg.norm(side_px, axis=1), 1e-6)
    tile_px = mm_px * across
    section_px = np.linalg.norm(rise_px, axis=1)
    unit_px = np.maximum(section_px, LEAST_SECTION * tile_px)
    up_px = np.where(section_px[:, None] > 0.5, rise_px, back_px)
    up_px = up_px / np.maximum(np.linalg.norm(up_px, axis=1, keepdims=True), 1e-9)
    column_px = side_px * (TALL_WIDTH * across / TALL_COLUMNS)
    row_px = -up_px * (unit_px / SECTION_ROWS)[:, None]
    tile_levels = levels(quad_areas(corners_px), TILE_PX**2)
    tall_levels = levels(column_px[:, 0] * row_px[:, 1] - column_px[:, 1] * row_px[:, 0], 1)
    for i in range(n):
        tile[i] = from_above(pyramid, corners_px[i], TILE_PX, tile_levels[i])
        origin = foot_px[i] - column_px[i] * (TALL_COLUMNS - 1) / 2.0 - row_px[i] * FOOT_ROW
        upright = np.eye(3)
        upright[:2, 0], upright[:2, 1], upright[:2, 2] = column_px[i], row_px[i], origin
        tall[i] = pyramid.warp(upright, (TALL_ROWS, TALL_COLUMNS), tall_levels[i])
    corner_turns = angles[:, None] + np.pi / 6 + np.arange(6) * np.pi / 3
    around = radius * np.stack([np.cos(corner_turns), np.sin(corner_turns)], axis=-1)
    _fill(tile_mask, _in_tile(around, right, away, reach))
    _fill(tall_mask, _in_tall(view.project(centres[:, None] + around, thick) - foot_px[:, None], column_px, row_px))
    eye = view.eye_mm
    slope = np.arctan2(eye[2] - thick, np.linalg.norm(centres - eye[:2], axis=1))
    growth = np.linalg.norm(px[:, 4] - px[:, 5], axis=1) / mm_px - 1.0
    figures[:, 0] = np.sin(slope)
    figures[:, 1] = np.cos(slope)
    figures[:, 2] = section_px / unit_px
    figures[:, 3] = section_px / tile_px * 4.0
    figures[:, 4] = growth * 4.0
    figures[:, 5] = np.log2(np.maximum(tile_px, 1.0) / 128.0)
    foot = pieces.section_foot_mm or pieces.section_diameter_mm
    sizes = (height, pieces.section_diameter_mm, foot, pieces.chip_mm, pieces.gardener_mm, pieces.panda_mm)
    figures[:, 6:] = np.asarray(sizes) / across * 2.0
    return CellCrops(tile, tile_mask, tall, tall_mask, figures)


def _in_tile(around: Floats, right: Floats, away: Floats, reach: float) -> Floats:
    """Corners (N, 6, 2) about their cell's centre, mm, as pixels of the crop from above."""
    u = np.einsum("nki,ni->nk", around, right) / reach
    v = -np.einsum("nki,ni->nk", around, away) / reach
    return np.asarray((np.stack([u, v], axis=-1) + 1.0) * (TILE_PX - 1) / 2.0)


def _in_tall(from_foot_px: Floats, column_px: Floats, row_px: Floats) -> Floats:
    """Points (N, 6, 2) of the picture, relative to their cell's centre, as pixels of the upright crop."""
    axes = np.stack([column_px, row_px], axis=2)
    axes[np.abs(np.linalg.det(axes)) < 1e-9] = np.eye(2)
    at = np.einsum("nij,nkj->nki", np.linalg.inv(axes), from_foot_px)
    return np.asarray(at + np.array([(TALL_COLUMNS - 1) / 2.0, FOOT_ROW]))


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
    pixels = np.zeros((m, EDGE_ROWS, EDGE_COLUMNS, 3), dtype=np.uint8)
    figures = np.zeros((m, EDGE_VIEW_SIZE), dtype=np.float32)
    if m == 0:
        return EdgeCrops(pixels, figures)
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
    right, below = EDGE_COLUMNS - 1.0, EDGE_ROWS - 1.0
    edge_levels = levels(quad_areas(corners_px), EDGE_ROWS * EDGE_COLUMNS)
    frame = np.array([[0.0, 0.0], [right, 0.0], [right, below], [0.0, below]], dtype=np.float32)
    for i in range(m):
        to_px = cv2.getPerspectiveTransform(frame, corners_px[i].astype(np.float32))
        pixels[i] = pyramid.warp(np.asarray(to_px, dtype=np.float64), (EDGE_ROWS, EDGE_COLUMNS), edge_levels[i])
    eye = view.eye_mm
    figures[:, 0] = np.sin(np.arctan2(eye[2] - z_mm, np.linalg.norm(middles - eye[:2], axis=1)))
    figures[:, 1] = (normal * away).sum(axis=1)
    figures[:, 2] = (direction * away).sum(axis=1)
    figures[:, 3] = np.log2(np.maximum(np.linalg.norm(corners_px[:, 1] - corners_px[:, 0], axis=1), 1.0) / 64.0)
    figures[:, 4:7] = np.array([length, 2.0 * width, 2.0 * height]) / side
    figures[:, 7] = 2.0 * (pieces.section_foot_mm or pieces.section_diameter_mm) / side
    return EdgeCrops(pixels, figures)
