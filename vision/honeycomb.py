"""Finding the honeycomb in a rectified picture, whatever the tiles look like.

Edges of the picture vote. An edge belongs to the honeycomb if it runs along one of three directions, 60 degrees
apart, and lies where the outline of a tile does; folded into one cell of the lattice the outlines of all tiles come
to lie on each other, while the paintings, the cloth and the shadows spread out. Strength is measured against its own
neighbourhood, so that a dim corner of the table votes as much as a bright one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.hexgrid import Hex
from vision.geometry import Floats, Image, Patch, View
from vision.lattice import MAX_GAP_MM, Lattice, TilePlace, cells_within, fitted

_MM_PER_PX = 1.25
_MAX_REACH_MM = 1500.0
"""The largest stretch of table that is searched; a garden of 27 tiles in a row of real size stays within."""
_FOLD_BINS = 36
_ANGLES = 5
"""So many turns of the honeycomb are tried in full."""
_VOTERS = 40_000
_NEAR = math.radians(8.0)
"""An edge this near to a direction of the honeycomb votes for it."""


@dataclass(frozen=True, slots=True, eq=False)
class EdgeField:
    """The edges of a rectified picture: strength against the neighbourhood and direction of the normal."""

    patch: Patch
    strength: NDArray[np.float32]
    """(rows, columns), 0 to 1; 0 where the picture does not reach."""
    double: NDArray[np.float32]
    """(rows, columns, 2): strength times cosine and sine of twice the normal's angle, in the patch's axes with y up."""

    def along(self, points_mm: Floats, normals: Floats) -> NDArray[np.float32]:
        """Strength (...,) at table points (..., 2) of edges whose normal is near `normals` (...,), radians."""
        px = self.patch.to_px(points_mm).astype(np.float32)
        flat = px.reshape(-1, px.shape[-2], 2)
        both = cv2.remap(self.double, flat, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT).reshape(-1, 2)  # type: ignore[call-overload]
        doubled = 2.0 * (np.broadcast_to(normals, px.shape[:-1]).ravel() - self.patch.angle)
        value = both[:, 0] * np.cos(doubled) + both[:, 1] * np.sin(doubled)
        return np.asarray(np.maximum(value, 0.0), dtype=np.float32).reshape(px.shape[:-1])


def search_patch(view: View, z_mm: float) -> Patch:
    """The stretch of the tiles' plane that the picture shows, bounded where it runs to the horizon."""
    camera = view.camera
    xs, ys = np.linspace(0, camera.width - 1, 9), np.linspace(0, camera.height - 1, 9)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    points = view.to_plane(grid, z_mm)
    points = points[np.isfinite(points).all(axis=1)]
    if len(points) == 0:
        return Patch((0.0, 0.0), (2, 2), _MM_PER_PX, 0.0, z_mm)
    # What is small in the picture is not worth reading: keep to where a millimetre makes half a pixel or more.
    near = float(np.linalg.norm(points - view.eye_mm[:2], axis=1).min())
    reach = max(near, min(_MAX_REACH_MM, camera.fx / 0.5))
    points = points[np.linalg.norm(points - view.eye_mm[:2], axis=1) <= reach]
    low, high = points.min(axis=0), points.max(axis=0)
    size = np.minimum(high - low, _MAX_REACH_MM)
    centre = (low + high) / 2.0
    columns, rows = (max(2, int(side / _MM_PER_PX) + 1) for side in size)
    return Patch((float(centre[0]), float(centre[1])), (columns, rows), _MM_PER_PX, 0.0, z_mm)


def edge_field(rectified: Image, patch: Patch) -> EdgeField:
    """The edges of a rectified picture, in all colours at once and relative to their neighbourhood."""
    table = cv2.LUT(rectified, _LOG_TABLE)
    smooth = cv2.GaussianBlur(table, (0, 0), 1.0)
    dx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3)
    dy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3)
    # The colour gradient as one tensor (Di Zenzo): any channel's edge counts.
    xx = (dx * dx).sum(axis=2)
    yy = (dy * dy).sum(axis=2)
    xy = (dx * dy).sum(axis=2)
    size = np.sqrt((xx - yy) ** 2 + 4.0 * xy * xy)
    strong = np.sqrt(size)
    seen = rectified.max(axis=2) > 0
    around = cv2.boxFilter(strong, -1, (25, 25))
    # The rim of the picture itself is no edge of the table.
    inner = cv2.erode(seen.astype(np.uint8), np.ones((7, 7), np.uint8))
    strength = np.where(inner > 0, strong / (strong + 1.5 * around + _NOISE_FLOOR), 0.0).astype(np.float32)
    scale = strength / np.maximum(size, 1e-9)
    double = np.stack([(xx - yy) * scale, -2.0 * xy * scale], axis=2).astype(np.float32)
    return EdgeField(patch, strength, double)


_LOG_TABLE = (255.0 * np.log((np.arange(256) + 12.0) / 12.0) / math.log(267.0 / 12.0)).astype(np.uint8)
_NOISE_FLOOR = 6.0
"""Gradients well under this (of a logarithmic picture with 255 levels, Sobel 3x3) are noise."""


def find_honeycomb(edges: EdgeField, across_flats_mm: float, z_mm: float) -> tuple[Lattice, float] | None:
    """The lattice whose tile outlines gather most edges, and its score (how many standard deviations above chance).

    The origin is any one cell: which is the pond is for others to say.
    """
    rows, columns = np.nonzero(edges.strength > 0.25)
    if len(rows) < 200:
        return None
    if len(rows) > _VOTERS:
        keep = np.random.default_rng(0).choice(len(rows), _VOTERS, replace=False)
        rows, columns = rows[keep], columns[keep]
    points = edges.patch.to_mm(np.stack([columns, rows], axis=-1))
    double = edges.double[rows, columns]
    normals = np.arctan2(double[:, 1], double[:, 0]) / 2.0 + edges.patch.angle
    weights = edges.strength[rows, columns]
    best: tuple[float, Lattice] | None = None
    for angle in _angle_candidates(normals, weights):
        for gap in (0.5, 1.5, 2.5):
            score, origin = _fold(points, normals, weights, angle, across_flats_mm, across_flats_mm + gap)
            if best is None or score > best[0]:
                best = score, Lattice(origin, angle, across_flats_mm + gap, across_flats_mm, z_mm)
    return None if best is None else (best[1], best[0])


def _angle_candidates(normals: Floats, weights: NDArray[np.float32]) -> list[float]:
    """Turns (radians, within a sixth of a circle) along which many edges run, modulo 60 degrees."""
    sixth = np.pi / 3
    bins = 120
    histogram = np.bincount((np.mod(normals, sixth) / sixth * bins).astype(int) % bins, weights, bins)
    wide = np.convolve(np.concatenate([histogram[-6:], histogram, histogram[:6]]), np.hanning(13), "valid")
    chosen: list[float] = []
    for i in np.argsort(-wide):
        angle = (i + 0.5) / bins * sixth
        if all(abs((angle - other + sixth / 2) % sixth - sixth / 2) > np.radians(3.0) for other in chosen):
            chosen.append(float(angle))
        if len(chosen) == _ANGLES:
            break
    return chosen


def _fold(
    points: Floats, normals: Floats, weights: NDArray[np.float32], angle: float, flats: float, pitch: float
) -> tuple[float, tuple[float, float]]:
    """Fold all edges into one lattice cell and find the shift under which tile outlines gather most of them."""
    u = np.array([np.cos(angle), np.sin(angle)])
    v = np.array([np.cos(angle + np.pi / 3), np.sin(angle + np.pi / 3)])
    inverse = np.linalg.inv(np.column_stack([u, v]) * pitch)
    n = _FOLD_BINS
    spots = np.floor(np.mod(points @ inverse.T, 1.0) * n).astype(int) % n
    total = np.zeros((n, n))
    for k in range(3):
        normal = angle + k * np.pi / 3
        off = np.mod(normals - normal + np.pi / 2, np.pi) - np.pi / 2
        mine = np.abs(off) < _NEAR
        folded = np.bincount(spots[mine, 0] * n + spots[mine, 1], weights[mine], n * n).reshape(n, n)
        folded = np.sqrt(folded)  # one long line across the table must not outvote the rest
        folded -= folded.mean()
        template = _outline(k, angle, flats, inverse)
        match = np.fft.irfft2(np.fft.rfft2(folded) * np.conj(np.fft.rfft2(template)), (n, n))
        total += np.clip(match / max(float(match.std()), 1e-9), -4.0, 4.0) * min(1.0, folded.std())
    peak = np.unravel_index(int(total.argmax()), total.shape)
    at = (np.array(peak)) / n
    origin = (at[0] * u + at[1] * v) * pitch
    return float(total.max()), (float(origin[0]), float(origin[1]))


def _outline(k: int, angle: float, flats: float, inverse: Floats) -> Floats:
    """The two sides of a tile at the origin whose normal is direction k, drawn into the folded cell."""
    n = _FOLD_BINS
    normal = np.array([np.cos(angle + k * np.pi / 3), np.sin(angle + k * np.pi / 3)])
    along = np.array([-normal[1], normal[0]])
    steps = np.linspace(-0.45, 0.45, 60)[:, None] * flats / math.sqrt(3.0) * along
    template = np.zeros((n, n))
    for side in (-1.0, 1.0):
        for off in (-1.0, 0.0, 1.0):
            spots = (side * (flats / 2.0 + off) * normal + steps) @ inverse.T
            cells = np.floor(np.mod(spots, 1.0) * n).astype(int) % n
            np.add.at(template, (cells[:, 0], cells[:, 1]), 1.0 if off == 0.0 else 0.5)
    return template - template.mean()


_SHIFTS = np.arange(-5.0, 5.01, 0.5)
_TURNS = np.radians(np.arange(-3.0, 3.01, 1.0))


def measure_tiles(edges: EdgeField, lattice: Lattice, cells: tuple[Hex, ...]) -> dict[Hex, TilePlace]:
    """Where each cell's tile outline fits best: its shift, turn and strength.

    The six sides are sampled at many distances from where they should lie; a shift and a turn are good when all sides
    find an edge there. Opposite sides hold each other: only the true shift puts both on an edge.
    """
    if not cells:
        return {}
    flats = lattice.across_flats_mm
    across = np.arange(-8.0, 8.01, 0.5)
    stations = np.array([-0.34, -0.2, -0.08, 0.08, 0.2, 0.34]) * flats / math.sqrt(3.0)
    centres = np.array([lattice.centre_mm(cell) for cell in cells])
    directions = lattice.angle + np.arange(6) * np.pi / 3
    normal = np.stack([np.cos(directions), np.sin(directions)], axis=-1)
    along = np.stack([-normal[:, 1], normal[:, 0]], axis=-1)
    # (cells, sides, stations, distances, 2)
    points = (
        centres[:, None, None, None]
        + (flats / 2.0 + across)[None, None, None, :, None] * normal[None, :, None, None]
        + stations[None, None, :, None, None] * along[None, :, None, None]
    )
    profile = edges.along(points, np.broadcast_to(directions[None, :, None, None], points.shape[:-1]))
    profile = cv2.GaussianBlur(profile.reshape(-1, len(across)), (5, 1), 0.9).reshape(profile.shape)
    return _best_places(profile, cells, across, stations, normal)


def _best_places(
    profile: NDArray[np.float32], cells: tuple[Hex, ...], across: Floats, stations: Floats, normal: Floats
) -> dict[Hex, TilePlace]:
    step = across[1] - across[0]
    count = len(cells)
    shifts = np.stack(np.meshgrid(_SHIFTS, _SHIFTS, indexing="ij"), axis=-1).reshape(-1, 2)
    best_score = np.full(count, -1.0)
    best = np.zeros((count, 3))
    strength = np.zeros(count)
    for turn in _TURNS:
        # A turn by t moves the point at station s of a side outwards by -s t.
        total = np.zeros((count, len(shifts)), dtype=np.float32)
        raw = np.zeros((count, len(shifts)), dtype=np.float32)
        for side in range(6):
            for i, station in enumerate(stations):
                distance = shifts @ normal[side] - station * turn
                spot = np.clip(np.rint((distance - across[0]) / step).astype(int), 0, len(across) - 1)
                value = profile[:, side, i, :][:, spot]
                raw += value
                total += np.sqrt(value)
        total -= (0.02 * len(stations) * 6) * ((shifts / 6.0) ** 2).sum(axis=1)[None].astype(np.float32)
        spot_best = total.argmax(axis=1)
        value_best = total[np.arange(count), spot_best]
        better = value_best > best_score
        best_score[better] = value_best[better]
        best[better, :2] = shifts[spot_best[better]]
        best[better, 2] = turn
        strength[better] = raw[np.arange(count), spot_best][better] / (6 * len(stations))
    return {
        cell: TilePlace((float(best[i, 0]), float(best[i, 1])), float(best[i, 2]), float(strength[i]))
        for i, cell in enumerate(cells)
    }


def fit_lattice(edges: EdgeField, across_flats_mm: float, z_mm: float) -> tuple[Lattice, float] | None:
    """Honeycomb, then pitch and turn from the tiles, then every tile's own place.

    Returns:
        The lattice with a TilePlace for every cell in sight whose outline shows, and the honeycomb's score.
    """
    found = find_honeycomb(edges, across_flats_mm, z_mm)
    if found is None:
        return None
    lattice, score = found
    rows, columns = edges.patch.shape
    region = edges.patch.to_mm(np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], dtype=float))
    for _ in range(3):
        places = measure_tiles(edges, lattice, cells_within(lattice, region))
        floor = np.median([place.strength for place in places.values()]) if places else 0.0
        weights = {cell: max(0.0, place.strength - floor) ** 2 for cell, place in places.items()}
        centres = {cell: lattice.nominal_mm(cell) + place.shift_mm for cell, place in places.items()}
        lattice = fitted(lattice, centres, weights)
    places = measure_tiles(edges, lattice, cells_within(lattice, region))
    return lattice.with_tiles({c: p for c, p in places.items()}), score


__all__ = ["MAX_GAP_MM", "EdgeField", "edge_field", "find_honeycomb", "fit_lattice", "measure_tiles", "search_patch"]
