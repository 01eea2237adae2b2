"""The table's pose where no marker card can be seen: from the tiles themselves.

All sides of all tiles run in three directions of the table, 60 degrees apart, so their pictures meet in three
vanishing points on the table's horizon. The tilt under which the most line segments fit such a triple gives the
plane; the spacing of the honeycomb on it, against the size of a tile, gives the distance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.camera_file import CameraModel
from vision.edges import edge_field
from vision.geometry import Floats, Image, Patch, View
from vision.honeycomb import WEAK, Garden, find_garden, find_spacing, likely_tiles
from vision.lattice import fitted
from vision.pose import Anchors, CardImage, TablePose, refine_with_anchors

_SEGMENT_SIDE_PX = 820
"""Segments are sought in a picture shrunk to about this width."""
_MAX_SEGMENTS = 900
_DISTANCE_MM = 1000.0
"""Of the trial plane; the spacing found on it gives the true one."""
_TILTS = np.radians(np.arange(0.0, 63.0, 4.0))
_AZIMUTHS = np.radians(np.arange(0.0, 360.0, 15.0))
_TURNS = np.radians(np.arange(0.0, 60.0, 5.0))
_TRIED = 3
_CHOSEN = 4
_ROUNDS = 4
_CONVINCING = 0.25
"""Outlines so strong on a trial plane cannot be chance."""


def pose_from_tiles(image: Image, camera: CameraModel) -> tuple[TablePose, Garden] | None:
    """The pose and the garden where no card helps; None where no honeycomb is found.

    Args:
        image: uint8 (H, W, 3) BGR.
        camera: its intrinsics and the size of a tile.
    """
    trials = _scaled_all(image, camera, _by_vanishing_points(image, camera))
    if not trials or trials[0][0] < _CONVINCING:
        # Grain and checks outvote the tiles' sides: try every way a camera may look at a table instead.
        trials = sorted(trials + _scaled_all(image, camera, _by_grid()), key=lambda trial: -trial[0])
    best: tuple[float, TablePose, Garden] | None = None
    for _, view in trials[:_TRIED]:
        pose = TablePose(camera, view.rvec, view.tvec, 0.0, (), (), "tiles")
        garden = find_garden(pose, image)
        for _ in range(_ROUNDS):
            if garden is None or garden.strength < WEAK:
                break
            refined = with_tiles(pose, garden)
            again = find_garden(refined, image)
            if again is None or again.strength < 0.9 * garden.strength:
                break
            pose, garden = refined, again
        if garden is not None and garden.strength >= WEAK and (best is None or garden.strength > best[0]):
            best = garden.strength, pose, garden
    return None if best is None else (best[1], best[2])


def _scaled_all(image: Image, camera: CameraModel, tilts: Sequence[tuple[Floats, Floats]]) -> list[tuple[float, View]]:
    """Each tilt with its distance, the one whose tiles have the clearest outlines first."""
    scaled = [_scaled(image, camera, _view_of(camera, normal, along)) for normal, along in tilts]
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


def with_tiles(pose: TablePose, garden: Garden, cards: Sequence[CardImage] = ()) -> TablePose:
    """The pose refined so that the tiles, as they appear, lie on a regular honeycomb, and the cards stay square."""
    lattice = garden.lattice
    weights = likely_tiles(lattice.tiles)
    cells = [cell for cell, weight in weights.items() if weight > 0.5]
    if len(cells) < 5:
        return pose
    centres = {cell: lattice.centre_mm(cell) for cell in cells}
    regular = fitted(lattice, centres, weights)
    flat = np.array([regular.nominal_mm(cell) for cell in cells])
    points = np.column_stack([flat, np.full(len(cells), lattice.z_mm)])
    px = pose.project(np.array([centres[cell] for cell in cells]), lattice.z_mm)
    # A hand-laid tile is a millimetre or so off its place: so many pixels, against half a pixel of a card's corner.
    scale = pose.px_per_mm(points.mean(axis=0))
    anchors = Anchors(points, px, np.full(len(cells), min(1.0, (0.5 / scale) ** 2)))
    return refine_with_anchors(pose, cards, anchors)


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
    keep = np.argsort(-lengths)[:_MAX_SEGMENTS]
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
    scored = []
    for tilt in _TILTS:
        for azimuth in _AZIMUTHS if tilt > 0 else _AZIMUTHS[:1]:
            for turn in _TURNS:
                scored.append((_agreement(planes, middles, weights, tilt, azimuth, turn, 3.0), tilt, azimuth, turn))
    scored.sort(key=lambda item: -item[0])
    chosen: list[tuple[Floats, Floats]] = []
    for _, tilt, azimuth, turn in scored[:60]:
        at = np.array([tilt, azimuth, turn])
        for step, width in ((3.0, 2.5), (1.5, 1.5), (0.7, 1.0), (0.3, 1.0)):
            at = _climb(planes, middles, weights, at, math.radians(step), width)
        normal, along = _frame(at[0], at[1], at[2])
        if all(float(normal @ other) < math.cos(math.radians(4.0)) for other, _ in chosen):
            chosen.append((normal, along))
        if len(chosen) == _CHOSEN:
            break
    return chosen


def _climb(planes: Floats, middles: Floats, weights: Floats, at: Floats, step: float, width: float) -> Floats:
    best, score = at, _agreement(planes, middles, weights, at[0], at[1], at[2], width)
    for _ in range(6):
        start = best
        for axis in range(3):
            # Turning the azimuth moves the normal less the smaller the tilt is.
            size = step / max(0.2, math.sin(best[0])) if axis == 1 else step
            for sign in (-1.0, 1.0):
                trial = best.copy()
                trial[axis] += sign * size
                value = _agreement(planes, middles, weights, trial[0], trial[1], trial[2], width)
                if value > score:
                    best, score = trial, value
        if best is start:
            break
    return best


_SIXTHS = np.array([[math.cos(k * math.pi / 3), math.sin(k * math.pi / 3)] for k in range(3)])
"""The honeycomb's three directions, by the first of them and the one across it."""


def _crossed(a: Floats, b: Floats) -> Floats:
    """The cross product of two vectors (3,); numpy's own spends its time on shapes, and the search asks often."""
    ax, ay, az = a.tolist()
    bx, by, bz = b.tolist()
    return np.array([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])


def _frame(tilt: float, azimuth: float, turn: float) -> tuple[Floats, Floats]:
    """The plane's normal (towards the camera) and a direction of the honeycomb on it, in the camera's axes."""
    leaning = math.sin(tilt)
    normal = np.array([leaning * math.cos(azimuth), leaning * math.sin(azimuth), -math.cos(tilt)])
    # Measure the turn from the picture's own x axis, so that it hardly changes with the azimuth.
    flat = np.array([1.0, 0.0, 0.0]) - normal[0] * normal
    length = math.sqrt(float(flat @ flat))
    if length < 0.1:
        flat, length = np.array([-math.sin(azimuth), math.cos(azimuth), 0.0]), 1.0
    flat = flat / length
    return normal, math.cos(turn) * flat + math.sin(turn) * _crossed(normal, flat)


def _agreement(
    planes: Floats, middles: Floats, weights: Floats, tilt: float, azimuth: float, turn: float, width_deg: float
) -> float:
    """How much segment length points to the three vanishing points; each of the three must have its share."""
    normal, along = _frame(tilt, azimuth, turn)
    directions = _SIXTHS @ np.stack([along, _crossed(normal, along)])
    # |middle x direction| from the angle between the two unit vectors.
    reach = np.sqrt(np.maximum(1e-9, 1.0 - (middles @ directions.T) ** 2))
    miss = np.abs(planes @ directions.T) / reach
    fit = np.exp(-((miss / math.radians(width_deg)) ** 2))
    # A segment counts for one direction only: seen from low down, all three nearly fit the same line.
    alone = np.maximum(2.0 * fit - fit.sum(axis=1, keepdims=True), 0.0)
    return float(np.sqrt(weights @ alone).sum())


def _view_of(camera: CameraModel, normal: Floats, along: Floats) -> View:
    """A view of the plane at the trial distance; the direction `along` runs beside the tiles' sides."""
    rotation = np.column_stack([along, _crossed(normal, along), normal])
    origin = np.array([0.0, 0.0, 1.0]) * _DISTANCE_MM
    return View(camera, np.asarray(cv2.Rodrigues(rotation)[0], dtype=np.float64).reshape(3), origin)


def _scaled(image: Image, camera: CameraModel, view: View) -> tuple[float, View] | None:
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
    spacing = find_spacing(edge_field(view.rectify(image, patch), patch))
    if spacing is None:
        return None
    flats, strength = spacing
    return strength, replace(view, tvec=view.tvec * (camera.pieces.tile_across_flats_mm / flats))
