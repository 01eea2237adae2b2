"""Pictures of table tops, seen from above: wood, cloth, felt, checks, stone."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art.random_look import bgr_from_hsv

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

_COARSE_PX = 6.0
KINDS = ("wood", "wood", "wood", "wood", "cloth", "felt", "checks", "stripes", "paint", "stone", "flowers")


def noise(shape: tuple[int, int], cell: tuple[float, float], rng: np.random.Generator) -> Floats:
    """Smooth noise of about unit strength; `cell` is the size of a bump across and down, pixels."""
    small = (max(2, int(shape[0] / cell[1]) + 2), max(2, int(shape[1] / cell[0]) + 2))
    field = rng.standard_normal(small, dtype=np.float32)
    size = (shape[1], shape[0])
    if min(cell) > _COARSE_PX:
        # Broad bumps lose nothing when the last doubling is linear, and cost a third.
        half = (max(2, size[0] // 2), max(2, size[1] // 2))
        field = np.asarray(cv2.resize(field, half, interpolation=cv2.INTER_CUBIC), np.float32)
        return np.asarray(cv2.resize(field, size, interpolation=cv2.INTER_LINEAR), np.float32)
    return np.asarray(cv2.resize(field, size, interpolation=cv2.INTER_CUBIC), np.float32)


def coloured(base: tuple[int, int, int], light: Floats, tint: float = 0.0) -> Image:
    """The base colour lighter and darker by `light` (natural log); with `tint` the dark parts are redder."""
    span = 1.6
    steps = np.linspace(-span, span, 256)
    shades = np.exp(steps)[:, None] * np.asarray(base) * (1 + tint * steps[:, None] * np.array([0.6, -0.1, -0.5]))
    index = np.clip((light + span) * (255 / (2 * span)), 0, 255).astype(np.uint8)
    table = np.clip(shades, 0, 255).astype(np.uint8)[None]
    return np.asarray(cv2.LUT(cv2.merge([index] * 3), table), np.uint8)


def _wood(size: int, ppm: float, rng: np.random.Generator) -> Image:
    base = bgr_from_hsv(float(rng.uniform(14, 38)), float(rng.uniform(0.25, 0.75)), float(rng.uniform(0.2, 0.85)))
    shape = (size, size)
    strength = float(rng.uniform(0.08, 0.3))
    grain = noise(shape, (float(rng.uniform(60, 200)) * ppm, float(rng.uniform(1.2, 5)) * ppm), rng)
    fine = noise(shape, (25 * ppm, 1.0 * ppm), rng)
    broad = noise(shape, (300 * ppm, 40 * ppm), rng)
    light = strength * (0.6 * grain + 0.35 * fine + 0.4 * broad)
    if rng.uniform() < 0.3:
        light = strength * 2 * np.sin(3 * grain + 2 * broad).astype(np.float32) * 0.5
    if rng.uniform() < 0.7:
        width = float(rng.uniform(70, 180)) * ppm
        ys = np.arange(size, dtype=np.float32)
        plank = (ys / width).astype(int)
        light = light + rng.normal(0, 0.1, plank.max() + 1).astype(np.float32)[plank][:, None]
        seam = np.abs(ys % width) < max(1.0, 0.8 * ppm)
        light[seam] -= rng.uniform(0.2, 1.0)
    return coloured(base, light, float(rng.uniform(0, 0.5)))


def _plain_colour(rng: np.random.Generator) -> tuple[int, int, int]:
    choice = rng.uniform()
    if choice < 0.3:
        return bgr_from_hsv(float(rng.uniform(0, 360)), float(rng.uniform(0, 0.12)), float(rng.uniform(0.08, 0.97)))
    if choice < 0.5:
        return bgr_from_hsv(float(rng.uniform(75, 165)), float(rng.uniform(0.3, 0.95)), float(rng.uniform(0.15, 0.65)))
    if choice < 0.65:
        return bgr_from_hsv(float(rng.uniform(15, 40)), float(rng.uniform(0.3, 0.8)), float(rng.uniform(0.2, 0.6)))
    return bgr_from_hsv(float(rng.uniform(0, 360)), float(rng.uniform(0.2, 0.9)), float(rng.uniform(0.1, 0.9)))


def _cloth(size: int, ppm: float, rng: np.random.Generator, weave: float) -> Image:
    shape = (size, size)
    light = weave * 0.5 * (noise(shape, (6 * ppm, 1.0 * ppm), rng) + noise(shape, (1.0 * ppm, 6 * ppm), rng))
    light += 0.04 * noise(shape, (120 * ppm, 120 * ppm), rng)
    return coloured(_plain_colour(rng), light)


def _checks(size: int, ppm: float, rng: np.random.Generator, both: bool) -> Image:
    period = float(rng.uniform(12, 80)) * ppm
    share = float(rng.uniform(0.3, 0.7))
    line = ((np.arange(size) / period) % 1.0 < share).astype(np.float32)
    mix = 0.5 * (line[None, :] + line[:, None]) if both else np.broadcast_to(line[:, None], (size, size))
    one = np.asarray(_plain_colour(rng), np.float32)
    two = np.asarray(_plain_colour(rng), np.float32) if rng.uniform() < 0.5 else np.array([225, 230, 232], np.float32)
    picture = one + (two - one) * mix[..., None]
    thread = np.exp(0.06 * noise((size, size), (1.2 * ppm, 1.2 * ppm), rng))[..., None]
    return np.asarray(np.clip(picture * thread, 0, 255), np.uint8)


def _stone(size: int, ppm: float, rng: np.random.Generator) -> Image:
    shape = (size, size)
    veins = np.abs(noise(shape, (90 * ppm, 90 * ppm), rng) + 0.5 * noise(shape, (25 * ppm, 25 * ppm), rng))
    light = -0.4 * np.exp(-veins * 8) + 0.08 * noise(shape, (3 * ppm, 3 * ppm), rng)
    base = bgr_from_hsv(float(rng.uniform(0, 360)), float(rng.uniform(0, 0.15)), float(rng.uniform(0.2, 0.9)))
    return coloured(base, np.asarray(light, np.float32))


def _flowers(size: int, ppm: float, rng: np.random.Generator) -> Image:
    picture = _cloth(size, ppm, rng, 0.05)
    for _ in range(int(rng.integers(30, 140))):
        x, y = (int(v) for v in rng.uniform(0, size, 2))
        colour, r = _plain_colour(rng), float(rng.uniform(4, 22)) * ppm
        for k in range(6):
            t = k * np.pi / 3
            cv2.circle(
                picture,
                (round(x + r * np.cos(t)), round(y + r * np.sin(t))),
                max(1, round(r * 0.55)),
                colour,
                -1,
                cv2.LINE_AA,
            )
        cv2.circle(picture, (x, y), max(1, round(r * 0.5)), _plain_colour(rng), -1, cv2.LINE_AA)
    return picture


@lru_cache(maxsize=4)
def table_texture(kind: str, seed: int, size: int, ppm: float) -> Image:
    """A square picture of a table top, (size, size, 3) BGR; its rows run along the grain."""
    rng = np.random.default_rng(seed)
    match kind:
        case "wood":
            return _wood(size, ppm, rng)
        case "cloth":
            return _cloth(size, ppm, rng, float(rng.uniform(0.02, 0.14)))
        case "felt":
            return coloured(
                _plain_colour(rng),
                0.09 * noise((size, size), (1.5 * ppm, 1.5 * ppm), rng)
                + 0.05 * noise((size, size), (40 * ppm, 40 * ppm), rng),
            )
        case "checks":
            return _checks(size, ppm, rng, True)
        case "stripes":
            return _checks(size, ppm, rng, False)
        case "stone":
            return _stone(size, ppm, rng)
        case "flowers":
            return _flowers(size, ppm, rng)
        case _:
            return coloured(_plain_colour(rng), 0.02 * noise((size, size), (60 * ppm, 60 * ppm), rng))
