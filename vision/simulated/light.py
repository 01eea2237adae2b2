"""How much light falls on the level parts of a scene, shadows included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import View
from vision.simulated.planes import Canvas, plane_map, remapped
from vision.simulated.raster import lamp_at
from vision.simulated.scene import Lamp, Lighting
from vision.simulated.solids import Mesh

Floats = NDArray[np.float32]
_REACH_MM = 1400.0
_PPM = 0.5
_SHIFT = 3
_SKY = 4
"""Directions from which the room's light is thought to come."""
_DISC = [
    (0.0, 0.0),
    *((0.75 * np.cos(a), 0.75 * np.sin(a)) for a in np.arange(6) * np.pi / 3 + 0.3),
    *((0.35 * np.cos(a), 0.35 * np.sin(a)) for a in np.arange(3) * 2.1),
]


def window_light(lamp: Lamp, ground_mm: Floats) -> Floats:
    """How much of the lamp passes its window's bars at ground points (..., 2)."""
    if lamp.window is None:
        return np.ones(ground_mm.shape[:-1], np.float32)
    period, dark, angle, soft = lamp.window
    c, s = np.cos(angle), np.sin(angle)
    light = np.ones(ground_mm.shape[:-1], np.float32)
    for along in (ground_mm @ np.array([c, s], np.float32), ground_mm @ np.array([-s, c * 0.7], np.float32)):
        away = np.abs((along / period) % 1.0 - 0.5) * period
        light *= np.clip((away - dark * period / 2) / max(soft, 1.0) + 0.5, 0.0, 1.0).astype(np.float32)
    return light


def on_ground(lamp: Lamp, points: Floats) -> Floats:
    """Where the lamp throws the shadow of points (N, 3) on the table, (N, 2)."""
    sx, sy, sz = lamp.position_mm
    reach = sz / np.maximum(sz - points[:, 2], 1.0)
    return np.stack([sx + (points[:, 0] - sx) * reach, sy + (points[:, 1] - sy) * reach], axis=1).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Casters:
    """The points whose outlines throw shadows, part by part."""

    points: Floats
    """(N, 3)."""
    starts: NDArray[np.intp]
    """(M,) where each part begins."""


_FACES_PER_OUTLINE = 160


def casters(mesh: Mesh, parts: Sequence[int]) -> Casters:
    """The casters of a mesh whose convex parts begin at these faces; of large parts some faces stand for all."""
    chosen: list[NDArray[np.intp]] = []
    starts: list[int] = []
    count = 0
    for start, stop in zip(parts, [*parts[1:], len(mesh.quads)], strict=True):
        stride = max(1, (stop - start) // _FACES_PER_OUTLINE)
        # An even stride would meet the same sides of a turned body in every ring.
        faces = np.arange(start, stop, stride + (stride > 1 and stride % 2 == 0))
        chosen.append(faces)
        starts.append(count)
        count += 2 * len(faces)
    points = np.ascontiguousarray(mesh.quads[np.concatenate(chosen)][:, (0, 2)]).reshape(-1, 3)
    return Casters(points, np.asarray(starts, np.intp))


def _shadow(
    things: Casters, lamp: Lamp, middle: tuple[float, float], ppm: float, size: int, z: float
) -> NDArray[np.uint8]:
    mask = np.zeros((size, size), np.uint8)
    ground = on_ground(lamp, things.points - np.array([0, 0, z], np.float32))
    px = (ground - np.asarray(middle, np.float32)) * np.array([ppm, -ppm], np.float32) + np.float32(size / 2 - 0.5)
    fixed = np.round(np.clip(px, -4000, 8000) * (1 << _SHIFT)).astype(np.int32)
    low, high = np.minimum.reduceat(fixed, things.starts), np.maximum.reduceat(fixed, things.starts)
    seen = (high.min(axis=1) > 0) & (low.max(axis=1) < size << _SHIFT)
    stops = np.append(things.starts[1:], len(fixed))
    for start, stop in zip(things.starts[seen].tolist(), stops[seen].tolist(), strict=True):
        cv2.fillConvexPoly(mask, cv2.convexHull(fixed[start:stop]), 255, cv2.LINE_8, _SHIFT)
    return mask


@dataclass(frozen=True, slots=True, eq=False)
class LightCanvas:
    """The light on a level plane, seen from above."""

    light: Floats
    """(N, N, 3) linear BGR."""
    frame: Canvas
    """Where it lies."""


def light_canvas(things: Casters | None, lighting: Lighting, middle: tuple[float, float], thick: float) -> LightCanvas:
    """The light on the plane of the tiles' tops.

    Args:
        things: every body that throws a shadow, or None.
        lighting: all light.
        middle: the centre of the picture, table millimetres.
        thick: height of the tiles.
    """
    size = int(_REACH_MM * _PPM)
    coarse = 61
    at = np.linspace(-_REACH_MM / 2, _REACH_MM / 2, coarse, dtype=np.float32)
    across, along = np.meshgrid(at + np.float32(middle[0]), np.float32(middle[1]) - at)
    nodes = np.stack([across, along, np.full((coarse, coarse), thick, np.float32)], axis=-1)
    light = np.empty((size, size, 3), np.float32)
    light[:] = np.asarray(lighting.ambient, np.float32)
    if things is not None:
        # The sky's light comes from all around: a few directions stand for it.
        half = size // 2
        hidden = np.zeros((half, half), np.float32)
        for k in range(_SKY):
            a, steep = k * 2 * np.pi / _SKY + 0.2, 0.9 if k % 2 else 1.6
            far = Lamp((8000 * np.cos(a), 8000 * np.sin(a), 8000 * steep), (0, 0, 0), 0.0)
            cv2.accumulate(_shadow(things, far, middle, _PPM / 2, half, thick), hidden)
        hidden = np.asarray(cv2.GaussianBlur(hidden, (0, 0), 3.0), np.float32) * np.float32(-0.85 / _SKY / 255) + 1
        light = _times(light, np.asarray(cv2.resize(hidden, (size, size)), np.float32))
    for lamp in lighting.lamps:
        to_lamp, fall = lamp_at(lamp, nodes)
        down = float(np.asarray(lamp.position_mm)[2] / np.linalg.norm(lamp.position_mm))
        falling = fall * to_lamp[..., 2] / np.float32(max(down, 0.05))
        field = np.asarray(cv2.resize(falling, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)
        if lamp.window is not None:
            dense = np.linspace(-_REACH_MM / 2, _REACH_MM / 2, size, dtype=np.float32)
            wide, deep = np.meshgrid(dense + np.float32(middle[0]), np.float32(middle[1]) - dense)
            field *= window_light(lamp, np.stack([wide, deep], axis=-1))
        if things is not None:
            field *= _lamp_light(things, lamp, middle, size, thick)
        cv2.add(light, cv2.merge([field * np.float32(s) for s in lamp.strength]), light)
    left, top = middle[0] - _REACH_MM / 2, middle[1] + _REACH_MM / 2
    return LightCanvas(light, Canvas(np.zeros((size, size, 4), np.uint8), left, top, _PPM, thick))


def _times(picture: Floats, factor: Floats) -> Floats:
    return np.asarray(cv2.multiply(picture, cv2.merge([factor] * 3)), np.float32)


def _lamp_light(things: Casters, lamp: Lamp, middle: tuple[float, float], size: int, thick: float) -> Floats:
    """The share of one lamp that passes the bodies, (size, size), softened by the lamp's size."""
    position = np.asarray(lamp.position_mm)
    distance = float(np.linalg.norm(position))
    towards = position / distance
    aside = np.cross(towards, [0.0, 0.0, 1.0])
    aside = aside / np.linalg.norm(aside) if np.linalg.norm(aside) > 1e-3 else np.array([1.0, 0.0, 0.0])
    above = np.cross(aside, towards)
    samples = _DISC[:1] if lamp.size < 0.012 else _DISC[:5] if lamp.size < 0.04 else _DISC
    total = np.zeros((size, size), np.float32)
    for u, v in samples:
        moved_to = position + (aside * u + above * v) * lamp.size * distance
        shifted = Lamp((float(moved_to[0]), float(moved_to[1]), float(moved_to[2])), lamp.strength, lamp.size)
        cv2.accumulate(_shadow(things, shifted, middle, _PPM, size, thick), total)
    blur = 0.5 if len(samples) == 1 else 0.7 + lamp.size * 12
    soft = np.asarray(cv2.GaussianBlur(total, (0, 0), blur), np.float32)
    return soft * np.float32(-1 / (255.0 * len(samples))) + np.float32(1)


def light_in_picture(view: View, canvas: LightCanvas, size: tuple[int, int]) -> Floats:
    """The light on the level parts as the camera sees them, (H, W, 3)."""
    at = plane_map(view, canvas.frame, (0, 0, size[1], size[0]), shrink=2)
    half = remapped(canvas.light, at, cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(half, (size[1], size[0]), interpolation=cv2.INTER_LINEAR), np.float32)


def shine_in_picture(view: View, lighting: Lighting, exponent: float, size: tuple[int, int]) -> Floats:
    """The highlights of the lamps on a level surface of full gloss, (H, W, 3)."""
    step = 8
    xs, ys = np.arange(0, size[1] + step, step), np.arange(0, size[0] + step, step)
    at = view.to_plane(np.stack(np.meshgrid(xs, ys), axis=-1).astype(np.float64), 0.0)
    points = np.dstack([at, np.zeros(at.shape[:2])])
    to_eye = view.eye_mm - points
    to_eye /= np.linalg.norm(to_eye, axis=-1, keepdims=True)
    shine = np.zeros((*at.shape[:2], 3))
    for lamp in lighting.lamps:
        to_lamp = np.asarray(lamp.position_mm) - points
        to_lamp /= np.linalg.norm(to_lamp, axis=-1, keepdims=True)
        half = to_lamp + to_eye
        half /= np.linalg.norm(half, axis=-1, keepdims=True)
        shine += np.clip(half[..., 2:], 0, 1) ** exponent * np.asarray(lamp.strength) * 2.5
    sky = 0.04 + 0.6 * (1 - np.clip(to_eye[..., 2:], 0, 1)) ** 5
    shine = np.nan_to_num(shine + sky * np.asarray(lighting.ambient), nan=0.0).astype(np.float32)
    return np.asarray(
        cv2.resize(shine, (shine.shape[1] * step, shine.shape[0] * step))[: size[0], : size[1]], np.float32
    )
