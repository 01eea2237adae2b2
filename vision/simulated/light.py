"""How much light falls on the level parts of a scene, shadows included."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import View
from vision.simulated.planes import Canvas, plane_map
from vision.simulated.raster import lamp_at
from vision.simulated.scene import Lamp, Lighting
from vision.simulated.solids import Mesh

Floats = NDArray[np.float32]
_REACH_MM = 1500.0
_PPM = 0.8
_SHIFT = 3
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


def _shadow(mesh: Mesh, lamp: Lamp, middle: tuple[float, float], ppm: float, size: int, z: float) -> NDArray[np.uint8]:
    mask = np.zeros((size, size), np.uint8)
    points = mesh.quads.reshape(-1, 3) - np.array([0, 0, z], np.float32)
    ground = on_ground(lamp, points)
    px = np.stack(
        [(ground[:, 0] - middle[0]) * ppm + size / 2 - 0.5, (middle[1] - ground[:, 1]) * ppm + size / 2 - 0.5], axis=1
    )
    fixed = np.round(np.clip(px, -4000, 8000) * (1 << _SHIFT)).astype(np.int32)
    limit = size << _SHIFT
    for start, stop in mesh.hulls:
        part = fixed[start * 4 : stop * 4]
        low, high = part.min(axis=0), part.max(axis=0)
        if high[0] < 0 or high[1] < 0 or low[0] > limit or low[1] > limit:
            continue
        cv2.fillConvexPoly(mask, cv2.convexHull(part), 255, cv2.LINE_8, _SHIFT)
    return mask


def light_canvas(mesh: Mesh | None, lighting: Lighting, middle: tuple[float, float], thick: float) -> Canvas:
    """The light on the plane of the tiles' tops: a float32 picture, linear BGR, seen from above.

    Args:
        mesh: every body that throws a shadow, or None.
        lighting: all light.
        middle: the centre of the picture, table millimetres.
        thick: height of the tiles.
    """
    size = int(_REACH_MM * _PPM)
    coarse = 61
    at = np.linspace(-_REACH_MM / 2, _REACH_MM / 2, coarse, dtype=np.float32)
    nodes = np.stack(
        [*np.meshgrid(at + middle[0], middle[1] - at), np.full((coarse, coarse), thick, np.float32)], axis=-1
    )
    light = np.empty((size, size, 3), np.float32)
    light[:] = np.asarray(lighting.ambient, np.float32)
    if mesh is not None:
        # The sky's light comes from all around: a few directions stand for it.
        half = size // 2
        hidden = np.zeros((half, half), np.float32)
        for k in range(5):
            a, steep = k * 2 * np.pi / 5 + 0.2, 0.9 if k % 2 else 1.6
            far = Lamp((8000 * np.cos(a), 8000 * np.sin(a), 8000 * steep), (0, 0, 0), 0.0)
            hidden += _shadow(mesh, far, middle, _PPM / 2, half, thick) / 255.0
        hidden = cv2.GaussianBlur(hidden, (0, 0), 3.0) / 5
        light *= 1 - 0.85 * cv2.resize(hidden, (size, size))[..., None]
    for lamp in lighting.lamps:
        to_lamp, fall = lamp_at(lamp, nodes)
        down = float(np.asarray(lamp.position_mm)[2] / np.linalg.norm(lamp.position_mm))
        field = np.asarray(
            cv2.resize(fall * to_lamp[..., 2] / max(down, 0.05), (size, size), interpolation=cv2.INTER_CUBIC)
        )
        if lamp.window is not None:
            dense = np.linspace(-_REACH_MM / 2, _REACH_MM / 2, size, dtype=np.float32)
            field = field * window_light(lamp, np.stack(np.meshgrid(dense + middle[0], middle[1] - dense), axis=-1))
        if mesh is not None:
            field = field * (1 - _lamp_shadow(mesh, lamp, middle, size, thick))
        light += field[..., None] * np.asarray(lamp.strength, np.float32)
    left, top = middle[0] - _REACH_MM / 2, middle[1] + _REACH_MM / 2
    return Canvas(light, left, top, _PPM, thick)  # type: ignore[arg-type]


def _lamp_shadow(mesh: Mesh, lamp: Lamp, middle: tuple[float, float], size: int, thick: float) -> Floats:
    """The hidden share of one lamp, (size, size), softened by the lamp's size."""
    position = np.asarray(lamp.position_mm)
    distance = float(np.linalg.norm(position))
    towards = position / distance
    aside = np.cross(towards, [0.0, 0.0, 1.0])
    aside = aside / np.linalg.norm(aside) if np.linalg.norm(aside) > 1e-3 else np.array([1.0, 0.0, 0.0])
    above = np.cross(aside, towards)
    samples = _DISC if lamp.size > 0.012 else _DISC[:1]
    total = np.zeros((size, size), np.float32)
    for u, v in samples:
        moved_to = position + (aside * u + above * v) * lamp.size * distance
        shifted = Lamp((float(moved_to[0]), float(moved_to[1]), float(moved_to[2])), lamp.strength, lamp.size)
        cv2.accumulate(_shadow(mesh, shifted, middle, _PPM, size, thick), total)
    total /= 255.0 * len(samples)
    blur = 0.5 if len(samples) == 1 else 0.8 + lamp.size * 12
    return np.asarray(cv2.GaussianBlur(total, (0, 0), blur))


def light_in_picture(view: View, canvas: Canvas, size: tuple[int, int]) -> Floats:
    """The light on the level parts as the camera sees them, (H, W, 3)."""
    picture = canvas.picture
    at = plane_map(view, canvas, (0, 0, size[1], size[0]), shrink=2)
    half = np.asarray(cv2.remap(picture, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
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
