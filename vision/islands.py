"""Where one or a few tiles may lie, by their colour against the table.

Two or three tiles have few edges. On a table with a strong grain, the grain outvotes them in the search of the
honeycomb; their colour stands out all the same. What is found here is a guess to be judged by others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Image, Patch

_LEAST_CHROMA = 10.0
"""Colours (CIELAB a and b) no farther from the table's are the table's."""
_SPREAD = 4.0
"""The same in median deviations: a table has colours of its own."""
_SMALLEST, _LARGEST = 0.3, 5.0
"""Islands of so many tiles are looked at."""
_EVEN = 120.0
_DARK = 4.0
"""Added to all channels: black has no colour."""
_LEVELS = (1.0, 1.7, 2.8, 4.5)
"""How far is far, in multiples of the least: stripes of the table that are far join what lies on them, unless that is
farther still."""
_MOST_ISLANDS = 5
_SAME = 0.4
"""Middles no farther apart (tiles) are the same tile's."""
_MOST_FITTED = 8
"""Islands of each level, the largest first, in which a tile is looked for."""
_TURNS = np.radians(np.arange(0.0, 60.0, 10.0))
_RING = 1.25
"""About a tile there is table, or a gap, out to so many times its size."""
_FILLED = 0.25
"""A place whose tile the island fills by less than this (less what lies about it) is no tile's."""


def islands(
    rectified: Image, patch: Patch, covered: Sequence[Floats], across_flats_mm: float
) -> list[tuple[float, float]]:
    """Middles (mm) of tiles on what stands out from the table by its colour, the fullest tile first.

    Args:
        rectified: uint8 (H, W, 3) BGR, the picture of `patch`; black where nothing is seen.
        patch: a stretch of the tiles' plane.
        covered: convex polygons (N, 2) of the table, mm, that are surely not garden.
        across_flats_mm: of a tile.
    """
    known: NDArray[np.uint8] = np.asarray(rectified.any(axis=2), dtype=np.uint8)
    for polygon in covered:
        cv2.fillConvexPoly(known, np.rint(patch.to_px(polygon)).astype(np.int32), 0)
    tile_px = across_flats_mm / patch.mm_per_px
    apart, limit = _standing_out(rectified, known)
    found: list[tuple[float, tuple[float, float]]] = []
    for level in _LEVELS:
        for island in _apart(apart, level * limit, tile_px):
            fill, middle = _best_tile(island, tile_px)
            if fill > _FILLED:
                found.append((fill, middle))
    kept: list[tuple[float, float]] = []
    for _, middle in sorted(found, key=lambda one: -one[0]):
        if all(np.hypot(middle[0] - x, middle[1] - y) > _SAME * tile_px for x, y in kept):
            kept.append(middle)
    return [(float(x), float(y)) for x, y in (patch.to_mm(np.array(middle)) for middle in kept[:_MOST_ISLANDS])]


def _standing_out(rectified: Image, known: NDArray[np.uint8]) -> tuple[NDArray[np.float32], float]:
    """How far each pixel's colour is from the table's (H, W), 0 where nothing is known, and what is far."""
    soft = cv2.GaussianBlur(rectified, (0, 0), 1.5).astype(np.float32) + _DARK
    # As bright as all else: grain and shadow are the same colour, darker.
    even = np.clip(soft * (_EVEN / soft.mean(axis=2, keepdims=True)), 0.0, 255.0).astype(np.uint8)
    chroma = cv2.cvtColor(even, cv2.COLOR_BGR2LAB).astype(np.float32)[..., 1:]
    seen = chroma[known > 0]
    if not len(seen):
        return np.zeros(known.shape, np.float32), 1.0
    usual = np.median(seen, axis=0)
    apart = np.linalg.norm(chroma - usual, axis=2) * known
    return apart.astype(np.float32), max(_LEAST_CHROMA, _SPREAD * float(np.median(apart[known > 0])))


def _apart(apart: NDArray[np.float32], limit: float, tile_px: float) -> Iterator[NDArray[np.float32]]:
    """What hangs together and is as large as one tile or a few, the largest first; each as a mask (H, W) of 0 and 1."""
    size = max(3, round(0.12 * tile_px))
    square = np.ones((size, size), np.uint8)
    mask = (apart > limit).astype(np.uint8)
    whole = cv2.morphologyEx(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, square), cv2.MORPH_OPEN, square)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(whole, dtype=np.uint8))
    tile_area = tile_px**2 * np.sqrt(3.0) / 2.0
    areas = stats[:, cv2.CC_STAT_AREA] / tile_area
    likely = [i for i in range(1, count) if _SMALLEST < areas[i] < _LARGEST]
    for i in sorted(likely, key=lambda i: -areas[i])[:_MOST_FITTED]:
        # Its rim is where the colour is half the table's, half its own.
        own = labels == i
        yield (own & (apart > 0.5 * float(np.median(apart[own])))).astype(np.float32)


def _best_tile(island: NDArray[np.float32], tile_px: float) -> tuple[float, tuple[float, float]]:
    """How well a tile fills the island (1 at best), and its middle (x, y) in pixels."""
    rows, columns = np.nonzero(island)
    reach = int(np.ceil(0.8 * _RING * tile_px))
    top, left = rows.min(), columns.min()
    cut = np.pad(island[top : rows.max() + 1, left : columns.max() + 1], reach)
    best = (0.0, (0.0, 0.0))
    for turn in _TURNS:
        kernel = _kernel(tile_px, float(turn))
        fit = cv2.matchTemplate(cut, kernel, cv2.TM_CCORR)
        _, fill, _, (x, y) = cv2.minMaxLoc(fit)
        if fill > best[0]:
            half = (kernel.shape[0] - 1) / 2.0
            best = (float(fill), (x + half - reach + left, y + half - reach + top))
    return best


def _kernel(tile_px: float, turn: float) -> NDArray[np.float32]:
    """A tile: its area sums to 1, the ring about it to -1."""
    half = int(np.ceil(0.6 * _RING * tile_px)) + 1
    grid = np.arange(-half, half + 1, dtype=np.float32)
    x, y = np.meshgrid(grid, -grid)
    # The sides' normals run along the lattice's directions.
    across = np.max([np.abs(x * np.cos(a) + y * np.sin(a)) for a in turn + np.arange(3) * np.pi / 3], axis=0)
    inside = across <= 0.5 * tile_px
    ring = ~inside & (across <= 0.5 * _RING * tile_px)
    return np.asarray(inside / inside.sum() - ring / ring.sum(), dtype=np.float32)
