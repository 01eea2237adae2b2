"""The table's pose where no marker card can be seen: from the tiles themselves.

All sides of all tiles run in three directions of the table, 60 degrees apart, so their pictures meet in three
vanishing points on the table's horizon. The tilt under which the most line segments fit such a triple gives the
plane; the spacing of the honeycomb on it, against the size of a tile, gives the distance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera_file import CameraModel
from vision.cards import CardImage
from vision.edges import edge_field
from vision.geometry import Floats, Image, Patch, View
from vision.honeycomb import WEAK, Garden, find_garden, likely_tiles, look_again
from vision.hypotheses import find_spacing
from vision.lattice import Lattice, fitted
from vision.pose import Anchors, TablePose, refine_with_anchors

_SEGMENT_SIDE_PX = 820
"""Segments are sought in a picture shrunk to about this width."""
_MOST_SEGMENTS = 600
_DISTANCE_MM = 1000.0
"""Of the trial plane; the spacing found on it gives the true one."""
_TILTS = np.radians(np.arange(0.0, 63.0, 4.0))
_TURNS = np.radians(np.arange(0.0, 60.0, 5.0))
_FIRST_SEGMENTS = 300
"""So many of the longest segments judge the tilts of the first round."""
_CLIMBERS = 12
_APART = math.cos(math.radians(4.0))
"""Planes whose normals are nearer than this are one."""
_TRIED = 3
_CHOSEN = 4
_WORSE = 0.4
"""A trial whose outlines are so much weaker than the best one's is not tried."""
_ROUNDS = 4
_SETTLED = 0.003
"""Rotation matrices nearer than this (Frobenius norm; an eighth of a degree) are the same pose."""
_CONVINCING = 0.25
"""Outlines so strong on a trial plane cannot be chance."""


def pose_from_tiles(image: Image, camera: CameraModel) -> tuple[TablePose, Garden] | None:
    """The pose and the garden where no card helps; None where no honeycomb is found.

    Args:
        image: uint8 (H, W, 3) BGR.
        camera: its intrinsics and the size of a tile.
    """
    trials = _scaled_all(image, camera, _by_vanishing_points(image, camera), math.pi / 6)
    if not trials or trials[0][0] < _CONVINCING:
        # Grain and checks outvote the tiles' sides: try every way a camera may look at a table instead.
        trials = sorted(trials + _scaled_all(image, camera, _by_grid()), key=lambda trial: -trial[0])
    found: list[tuple[TablePose, Garden]] = []
    for strength, view in trials[:_TRIED]:
        if strength < _WORSE * trials[0][0]:
            break
        pose = TablePose(camera, view.rvec, view.tvec, 0.0, (), (), "tiles")
        garden = find_garden(pose, image)
        if garden is not None and garden.strength >= WEAK:
            found.append((pose, garden))
    return _refined(image, *max(found, key=lambda one: one[1].strength)) if found else None


def _refined(image: Image, pose: TablePose, garden: Garden) -> tuple[TablePose, Garden]:
    """Pose and garden corrected by each other in turns; as they were where that finds a weaker garden."""
    corrected, lattice = with_tiles(pose, garden)
    seen = garden
    for _ in range(_ROUNDS):
        seen = look_again(corrected, image, seen, lattice)
        before = corrected
        corrected, lattice = with_tiles(before, seen)
        if float(np.linalg.norm(corrected.rotation - before.rotation)) < _SETTLED:
            break
    again = find_garden(corrected, image)
    return (pose, garden) if again is None or again.strength < 0.9 * garden.strength else (corrected, again)


def _scaled_all(
    image: Image, camera: CameraModel, tilts: Sequence[tuple[Floats, Floats]], turn: float | None = None
) -> list[tuple[float, View]]:
    """Each tilt with its distance, the one whose tiles have the clearest outlines first."""
    scaled = [_scaled(image, camera, _view_of(camera, normal, along), turn) for normal, along in tilts]
    return sorted((one for one in scaled if one is not None), key=lambda one: -one[0])


def _by_grid() -> list[tuple[Floats, Floats]]:
    """Tilts of a camera that stands upright, or nearly so, before a table."""
    return [
        _frame(math.radians(tilt), math.radians(azimuth), 0.0)
        for tilt in (3.0, 10.0, 18.0, 25.0, 32.0, 39.0, 46.0, 53.0)
        for azimuth in ((270.0,) if tilt < 5 else (262.0, 278.0) if tilt < 30 else (258.0, 270.0, 282.0))
    ]


def _by_vanishing_points(image: Image, camera: CameraModel) -> list[tuple[Floats, Floats]]:
    planes, middles, weights = _segments(image, camera)
    return _tilts(planes, middles, weights) if len(weights) >= 12 else []


def with_tiles(pose: TablePose, garden: Garden, cards: Sequence[CardImage] = ()) -> tuple[TablePose, Lattice]:
    """The pose refined so that the tiles, as they appear, lie on a regular honeycomb, and the cards stay square.

    Returns:
        The pose, and the honeycomb on its plane.
    """
    lattice = garden.lattice
    weights = likely_tiles(lattice.tiles)
    cells = [cell for cell, weight in weights.items() if weight > 0.5]
    if len(cells) < 5:
        return pose, lattice
    centres = {cell: lattice.centre_mm(cell) for cell in cells}
    regular = fitted(lattice, centres, weights)
    points = np.column_stack([regular.nominals_mm(cells), np.full(len(cells), lattice.z_mm)])
    px = pose.project(np.array([centres[cell] for cell in cells]), lattice.z_mm)
    # A hand-laid tile is a millimetre or so off its place: so many pixels, against half a pixel of a card's corner.
    scale = pose.px_per_mm(points.mean(axis=0))
    anchors = Anchors(points, px, np.full(len(cells), min(1.0, (0.5 / scale) ** 2)))
    return refine_with_anchors(pose, cards, anchors), regular


def _segments(image: Image, camera: CameraModel) -> tuple[Floats, Floats, Floats]:
    """Line segments as planes through the camera's centre: normals (N, 3), middle rays (N, 3), weights (N,)."""
    shrink = min(1.0, _SEGMENT_SIDE_PX / image.shape[1])
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(small)[0]
    if found is None:
        return np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0)
    ends = (np.asarray(found, dtype=np.float64).reshape(-1, 2, 2) + 0.5) / shrink - 0.5
    lengths = np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)
    keep = np.argsort(-lengths)[:_MOST_SEGMENTS]
    keep = keep[lengths[keep] > 10.0]
    k = np.array([[camera.fx, 0.0, camera.cx], [0.0, camera.fy, camera.cy], [0.0, 0.0, 1.0]])
    flat = cv2.undistortPoints(ends[keep].reshape(-1, 1, 2), k, np.asarray(camera.dist)).reshape(-1, 2, 2)
    rays = np.concatenate([flat, np.ones((len(keep), 2, 1))], axis=2)
    normals = np.cross(rays[:, 0], rays[:, 1])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    middles = rays.mean(axis=1)
    middles /= np.linalg.norm(middles, axis=1, keepdims=True)
    # Long lines (a table's edge, a sheet of paper, grain) are no tile's side: length counts only so far.
    return normals, middles, np.minimum(lengths[keep], 90.0)


def _tilts(planes: Floats, middles: Floats, weights: Floats) -> list[tuple[Floats, Floats]]:
    """Plane normals (towards the camera) with a direction of the honeycomb on each, the likeliest first."""
    some, most = (
        _Segments(*(part[:count].astype(np.float32) for part in (planes, middles, weights)))
        for count in (_FIRST_SEGMENTS, _MOST_SEGMENTS)
    )
    grid = _grid()
    order = np.argsort(-_agreements(some, grid, 3.0))[: 20 * _CLIMBERS]
    climbers = grid[_distinct(grid[order], _CLIMBERS, order)]
    scores = np.zeros(len(climbers))
    for step, width in ((3.0, 2.5), (1.5, 1.5), (0.7, 1.0), (0.3, 1.0)):
        climbers, scores = _climb(most, climbers, math.radians(step), width)
    climbers = climbers[np.argsort(-scores)]
    kept = _distinct(climbers, _CHOSEN, np.arange(len(climbers)))
    normals, along = _frames(climbers[kept])
    return list(zip(normals, along, strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class _Segments:
    """Line segments, the longest first."""

    planes: NDArray[np.float32]
    """(N, 3) normals of the planes through the camera's centre."""
    middles: NDArray[np.float32]
    """(N, 3) unit vectors."""
    weights: NDArray[np.float32]


@cache
def _grid() -> Floats:
    """Tilt, azimuth and turn (N, 3) of the first round."""
    found = []
    for tilt in _TILTS:
        # The smaller the tilt, the less the azimuth moves the normal.
        azimuths = int(np.clip(math.ceil(36.0 * math.sin(tilt)), 1 if tilt == 0 else 4, 24))
        found += [(tilt, 2.0 * math.pi * k / azimuths, turn) for k in range(azimuths) for turn in _TURNS]
    return np.array(found)


def _distinct(at: Floats, most: int, names: NDArray[np.intp]) -> list[int]:
    """Names of the first of each group of planes (N, 3) that are nearly one, at the most so many."""
    normals, _ = _frames(at)
    chosen: list[int] = []
    for i, normal in enumerate(normals):
        if all(float(normal @ normals[other]) < _APART for other in chosen):
            chosen.append(i)
        if len(chosen) == most:
            break
    return [int(names[i]) for i in chosen]


def _climb(segments: _Segments, at: Floats, step: float, width: float) -> tuple[Floats, Floats]:
    """Each of N planes (N, 3) moved by steps to where the segments agree best near it, and how well they do (N,)."""
    best, scores = at, _agreements(segments, at, width)
    for _ in range(6):
        steps = np.full(best.shape, step)
        # Turning the azimuth moves the normal less the smaller the tilt is.
        steps[:, 1] /= np.maximum(0.2, np.sin(best[:, 0]))
        trials = best[:, None] + np.concatenate([np.eye(3), -np.eye(3)]) * steps[:, None]
        tried = _agreements(segments, trials.reshape(-1, 3), width).reshape(-1, 6)
        rows, top = np.arange(len(best)), tried.argmax(axis=1)
        better = tried[rows, top] > scores
        if not better.any():
            break
        best = np.where(better[:, None], trials[rows, top], best)
        scores = np.where(better, tried[rows, top], scores)
    return best, scores


_SIXTHS = np.array([[math.cos(k * math.pi / 3), math.sin(k * math.pi / 3)] for k in range(3)])
"""The honeycomb's three directions, by the first of them and the one across it."""
_AT_ONCE = 256
"""Planes that are judged in one pass: more would only cost memory."""


def _frame(tilt: float, azimuth: float, turn: float) -> tuple[Floats, Floats]:
    """The plane's normal (towards the camera) and a direction of the honeycomb on it, in the camera's axes."""
    normals, along = _frames(np.array([[tilt, azimuth, turn]]))
    return normals[0], along[0]


def _frames(at: Floats) -> tuple[Floats, Floats]:
    """As `_frame`, of tilts, azimuths and turns (N, 3): (N, 3) each."""
    tilt, azimuth, turn = at.T
    normals = np.stack([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), -np.cos(tilt)], axis=1)
    # Measure the turn from the picture's own x axis, so that it hardly changes with the azimuth.
    flat = np.array([1.0, 0.0, 0.0]) - normals[:, :1] * normals
    length = np.linalg.norm(flat, axis=1, keepdims=True)
    across = np.stack([-np.sin(azimuth), np.cos(azimuth), np.zeros(len(at))], axis=1)
    flat = np.where(length < 0.1, across, flat / np.maximum(length, 0.1))
    return normals, np.cos(turn)[:, None] * flat + np.sin(turn)[:, None] * np.cross(normals, flat)


def _agreements(segments: _Segments, at: Floats, width_deg: float) -> Floats:
    """For planes (N, 3) how much segment length points to their three vanishing points (N,).

    Each of the three must have its share.
    """
    normals, along = _frames(at)
    axes = np.stack([along, np.cross(normals, along)], axis=1)
    directions = (_SIXTHS @ axes).astype(np.float32)
    sharp = np.float32(-1.0 / math.radians(width_deg) ** 2)
    scores = np.zeros(len(at), dtype=np.float32)
    for start in range(0, len(at), _AT_ONCE):
        rows = slice(start, start + _AT_ONCE)
        fits = []
        for towards in directions[rows].transpose(1, 2, 0):
            # |middle x direction| squared, from the angle between the two unit vectors.
            reach = np.maximum(1.0 - (segments.middles @ towards) ** 2, np.float32(1e-9))
            fits.append(np.exp((segments.planes @ towards) ** 2 / reach * sharp))
        total = fits[0] + fits[1] + fits[2]
        for fit in fits:
            # A segment counts for one direction only: seen from low down, all three nearly fit the same line.
            scores[rows] += np.sqrt(segments.weights @ np.maximum(2.0 * fit - total, 0.0))
    return scores.astype(np.float64)


def _view_of(camera: CameraModel, normal: Floats, along: Floats) -> View:
    """A view of the plane at the trial distance; the direction `along` runs beside the tiles' sides."""
    rotation = np.column_stack([along, np.cross(normal, along), normal])
    origin = np.array([0.0, 0.0, 1.0]) * _DISTANCE_MM
    return View(camera, np.asarray(cv2.Rodrigues(rotation)[0], dtype=np.float64).reshape(3), origin)


def _scaled(image: Image, camera: CameraModel, view: View, turn: float | None) -> tuple[float, View] | None:
    """The view with its distance set so that the honeycomb's spacing is that of the tiles, and its strength."""
    xs, ys = np.linspace(0, camera.width - 1, 9), np.linspace(0, camera.height - 1, 9)
    points = view.to_plane(np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2))
    points = points[np.isfinite(points).all(axis=1)]
    points = points[np.linalg.norm(points - view.eye_mm[:2], axis=1) < 2.2 * _DISTANCE_MM]
    if len(points) < 8:
        return None
    low, high = points.min(axis=0), points.max(axis=0)
    mm_per_px = float(np.max(high - low)) / 560.0
    size = np.maximum(2, (high - low) / mm_per_px).astype(int)
    centre = (low + high) / 2.0
    patch = Patch((float(centre[0]), float(centre[1])), (int(size[0]), int(size[1])), mm_per_px)
    spacing = find_spacing(edge_field(view.rectify(image, patch), patch), turn)
    if spacing is None:
        return None
    flats, strength = spacing
    return strength, replace(view, tvec=view.tvec * (camera.pieces.tile_across_flats_mm / flats))
