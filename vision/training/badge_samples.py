"""Training pictures of badges: tiles drawn flat, cluttered, and seen through a camera, without rendering a table.

A badge is flat, so a drawn tile squeezed to the pixels that a camera would give it looks as a rendered one does, at a
hundredth of the cost. Crops are as `vision.nets.badge_crops` cuts them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.pieces import Colour, Improvement
from companion.observation import MARKINGS, Marking
from vision.art.look import FLAT, KIT, PAINTED, PRINTED, BadgeLook, Bgr, Look, Shape
from vision.art.random_look import jittered, random_look
from vision.art.symbols import pasted
from vision.art.tiles import badge, badge_centre, plot_tile, tile_mask
from vision.nets.badge_crops import FINE_PX, FINE_REACH

Bytes = NDArray[np.uint8]
ACROSS = 70.0
_PPM = 3.0
"""Pixels a millimetre of the drawn tile, before the camera."""
_REACH_MM = FINE_REACH * ACROSS / np.sqrt(3.0)
_SIDE = round(2 * _REACH_MM * _PPM)
VISIBLE = 0.4
"""A badge of which less can be seen teaches nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """One tile as the camera sees it, rectified."""

    crop: Bytes
    """(FINE_PX, FINE_PX, 3) BGR."""
    marking: int
    """In the order of `MARKINGS`."""
    at_px: tuple[float, float]
    """The badge's middle in the crop; meaningless without one."""
    visible: float
    """Share of the badge that can be seen."""


def some_look(rng: np.random.Generator) -> Look:
    """A look of tiles: the known ones, as other printers would print them, and any other."""
    named = (PAINTED, FLAT, PRINTED, KIT)
    pick = int(rng.choice(5, p=[0.26, 0.22, 0.2, 0.08, 0.24]))
    look = jittered(named[pick], rng, float(rng.uniform(0.3, 1.5))) if pick < 4 else random_look(rng)
    symbols = dict(look.symbols)
    if symbols[Improvement.WATERSHED] == "drop" and rng.random() < 0.5:
        symbols[Improvement.WATERSHED] = "plump"
    look = replace(look, symbols=symbols)
    if rng.random() < 0.5:
        return look
    return replace(look, printed=_inked(look.printed, rng), chip=_inked(look.chip, rng))


def _inked(look: BadgeLook, rng: np.random.Generator) -> BadgeLook:
    """The same badges in other inks: symbols in outline or filled, pale or dark, white ones without an outline."""

    def mixed(one: Bgr, other: Bgr, share: float) -> Bgr:
        b, g, r = (round(a + (c - a) * share) for a, c in zip(one, other, strict=True))
        return b, g, r

    fill, line = dict(look.fill), dict(look.line)
    for improvement in Improvement:
        if look.shape is Shape.BARE:
            if rng.random() < 0.6:
                line[improvement] = fill[improvement]
            continue
        if rng.random() < 0.4:  # in outline: filled as the face is
            fill[improvement] = mixed(fill[improvement], look.face[improvement], float(rng.uniform(0.5, 1.0)))
        elif rng.random() < 0.4:
            fill[improvement] = mixed(fill[improvement], line[improvement], float(rng.uniform(0.0, 0.8)))
        line[improvement] = mixed(line[improvement], fill[improvement], float(rng.uniform(0.0, 0.5)))
    return replace(look, fill=fill, line=line)


def samples_of_look(rng: np.random.Generator, tiles: int, views: int) -> list[Sample]:
    """Several tiles of one look, each seen several times."""
    look = some_look(rng)
    samples = []
    for _ in range(tiles):
        colour = Colour(str(rng.choice([c.value for c in Colour])))
        marking = MARKINGS[int(rng.choice(7, p=[0.22] + [0.13] * 6))]
        printed = None if marking.chip else marking.improvement
        art = plot_tile(look, colour, printed, ACROSS, _PPM, rng, float(rng.uniform(-0.3, 0.3)))
        samples += [_seen(look, art, colour, marking, rng) for _ in range(views)]
    return samples


def _laid(look: Look, art: Bytes, turn: float, rng: np.random.Generator) -> Bytes:
    """The tile among neighbours on some table, (_SIDE, _SIDE, 3)."""
    table = rng.uniform(15, 235) + rng.normal(0, 25, 3)
    rough = np.clip(table + rng.normal(0, rng.uniform(1, 14), (_SIDE // 3, _SIDE // 3, 1)), 0, 255)
    canvas = np.asarray(cv2.resize(rough.astype(np.uint8), (_SIDE, _SIDE), interpolation=cv2.INTER_LINEAR), np.uint8)
    mask = tile_mask(ACROSS, _PPM)
    middle = (_SIDE - 1) / 2
    pitch = (ACROSS + rng.uniform(0.0, 3.0)) * _PPM
    for k in range(6):
        if rng.random() < 0.5:
            other = np.full_like(art, 0)
            other[:] = look.plot[Colour(str(rng.choice([c.value for c in Colour])))]
            angle = turn + k * np.pi / 3
            at = middle + pitch * np.cos(angle), middle - pitch * np.sin(angle)
            pasted(canvas, np.dstack([other, mask]), at, art.shape[1], turn)
    pasted(canvas, np.dstack([art, mask]), (middle, middle), art.shape[1], turn)
    return canvas


def _seen(look: Look, art: Bytes, colour: Colour, marking: Marking, rng: np.random.Generator) -> Sample:
    turn = float(rng.uniform(0, 2 * np.pi))
    sine = float(np.sin(np.radians(rng.uniform(28, 90))))
    flat = float(np.sqrt(1 - sine * sine)) / sine
    """Millimetres on the table that a millimetre of height covers."""
    canvas = _laid(look, art, turn, rng)
    middle = (_SIDE - 1) / 2
    size = look.badge_size * ACROSS
    if marking.improvement is not None and marking.chip:
        size = float(rng.uniform(17.0, 25.0))
        away, angle = float(rng.uniform(0, 0.72)) * ACROSS / 2, float(rng.uniform(0, 2 * np.pi))
        at = np.array([away * np.cos(angle), away * np.sin(angle)])
        _chip(canvas, look, marking, middle + at * (_PPM, -_PPM), size, flat, rng)
    else:
        x, y = badge_centre(look, ACROSS, 0)
        at = np.array([x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)])
    centre = middle + at * (_PPM, -_PPM)
    covered = np.zeros(canvas.shape[:2], np.uint8)
    _clutter(canvas, covered, look.plot[colour], flat, rng)
    spot = np.zeros_like(covered)
    cv2.circle(spot, (round(float(centre[0])), round(float(centre[1]))), round(size / 2 * _PPM), 1, -1)
    visible = 1.0 - float((spot & covered).sum()) / max(1.0, float(spot.sum()))
    crop, to_crop = _through_camera(canvas, sine, rng)
    seen_at = to_crop @ np.array([centre[0], centre[1], 1.0])
    return Sample(crop, MARKINGS.index(marking), (float(seen_at[0]), float(seen_at[1])), visible)


def _chip(
    canvas: Bytes, look: Look, marking: Marking, at: NDArray[np.float64], size: float, flat: float,
    rng: np.random.Generator,
) -> None:  # fmt: skip
    """A loose token: a shadow, its side towards the camera, its face."""
    assert marking.improvement is not None
    face = badge(look.chip, marking.improvement, look.symbols[marking.improvement])
    turn = float(rng.uniform(0, 2 * np.pi))
    thick = float(rng.uniform(1.0, 3.0)) * flat
    shadow = face.copy()
    shadow[..., :3] = 0
    shadow[..., 3] = (shadow[..., 3] * rng.uniform(0.2, 0.7)).astype(np.uint8)
    lean = rng.normal(0, 2.0, 2) * _PPM
    pasted(canvas, shadow, (float(at[0] + lean[0]), float(at[1] + lean[1])), size * 1.05 * _PPM, turn)
    side = face.copy()
    side[..., :3] = (np.asarray(look.chip.frame[marking.improvement]) * rng.uniform(0.4, 0.9)).astype(np.uint8)
    for step in np.linspace(thick / 2, -thick / 2, 5):
        patch = side if step > -thick / 2 + 1e-9 else face
        pasted(canvas, patch, (float(at[0]), float(at[1] + step * _PPM)), size * _PPM, turn)


def _clutter(
    canvas: Bytes, covered: Bytes, colour: tuple[int, int, int], flat: float, rng: np.random.Generator
) -> None:
    """What stands about and hides or confuses: stalks, figures, channels, shadows. `covered` marks what hides."""
    middle = (_SIDE - 1) / 2
    if rng.random() < 0.35:
        _shadow(canvas, rng)
    if rng.random() < 0.3:
        for _ in range(int(rng.integers(1, 4))):
            _channel(canvas, covered, rng)
    feet = []
    if rng.random() < 0.55:
        feet.append((middle + rng.normal(0, 5) * _PPM, middle + rng.normal(0, 5) * _PPM, colour))
    if rng.random() < 0.2:  # one of the tile in front rises into the crop
        other = (int(rng.integers(20, 250)), int(rng.integers(20, 250)), int(rng.integers(20, 250)))
        feet.append((middle + rng.normal(0, 25) * _PPM, middle + rng.uniform(45, 80) * _PPM, other))
    for x, y, paint in feet:
        width = float(rng.uniform(10, 20)) * _PPM
        rise = float(rng.uniform(14, 22)) * int(rng.integers(1, 5)) * flat * _PPM + width * 0.4
        bright = np.clip(np.asarray(paint, float) * rng.uniform(0.9, 1.4) + rng.uniform(-10, 30), 0, 255)
        for k in range(6):  # darker towards the sides
            shade = tuple(float(v) for v in bright * (0.55 + 0.45 * np.sin(np.pi * (k + 0.5) / 6)))
            x0 = round(x - width / 2 + k * width / 6)
            box = (x0, round(y - rise)), (round(x0 + width / 6), round(y))
            cv2.rectangle(canvas, *box, shade, -1)
            cv2.rectangle(covered, *box, 1, -1)
        for ring in np.arange(0, rise, max(4.0, 18 * flat * _PPM)):
            cv2.ellipse(
                canvas, (round(x), round(y - ring)), (round(width / 2), round(width * 0.15)), 0, 0, 360,
                tuple(float(v) for v in bright * 0.6), 2, cv2.LINE_AA,
            )  # fmt: skip
    if rng.random() < 0.2:
        _figure(canvas, covered, flat, rng)


def _shadow(canvas: Bytes, rng: np.random.Generator) -> None:
    start, end = rng.uniform(0, _SIDE, 2), rng.uniform(-0.3 * _SIDE, 1.3 * _SIDE, 2)
    dark = np.ones(canvas.shape[:2], np.float32)
    thick = int(rng.uniform(8, 60) * _PPM)
    cv2.line(
        dark, tuple(start.astype(int).tolist()), tuple(end.astype(int).tolist()), float(rng.uniform(0.35, 0.85)), thick
    )
    soft = cv2.GaussianBlur(dark, (0, 0), float(rng.uniform(0.5, 12)))
    canvas[:] = (canvas * soft[..., None]).astype(np.uint8)


def _channel(canvas: Bytes, covered: Bytes, rng: np.random.Generator) -> None:
    angle = float(rng.uniform(0, 2 * np.pi))
    at = (_SIDE - 1) / 2 + ACROSS / 2 * _PPM * np.array([np.cos(angle), np.sin(angle)])
    box = cv2.boxPoints(((float(at[0]), float(at[1])), (6 * _PPM, 38 * _PPM), float(np.degrees(angle))))
    paint = tuple(float(v) for v in np.clip(np.array([190, 120, 40]) + rng.normal(0, 35, 3), 0, 255))
    for picture, value in ((canvas, paint), (covered, 1)):
        cv2.fillPoly(picture, [box.astype(np.int32)], value)


def _figure(canvas: Bytes, covered: Bytes, flat: float, rng: np.random.Generator) -> None:
    foot = (_SIDE - 1) / 2 + rng.normal(0, 14, 2) * _PPM
    paints = [(20, 20, 20), (235, 235, 235)] if rng.random() < 0.5 else [(50, 80, 120), (110, 170, 210), (90, 50, 30)]
    for level in range(int(rng.integers(3, 7))):
        paint = tuple(float(v) for v in np.clip(np.array(paints[level % len(paints)]) + rng.normal(0, 12, 3), 0, 255))
        at = foot + rng.normal(0, 4, 2) * _PPM - (0, level * 7 * flat * _PPM)
        radii = rng.uniform(4, 11, 2) * _PPM
        for picture, value in ((canvas, paint), (covered, 1)):
            cv2.ellipse(
                picture, tuple(at.astype(int).tolist()), tuple(radii.astype(int).tolist()), 0, 0, 360, value, -1
            )


def _through_camera(canvas: Bytes, sine: float, rng: np.random.Generator) -> tuple[Bytes, NDArray[np.float64]]:
    """Squeeze to the camera's pixels, with its faults, and rectify again a little off.

    Returns:
        The crop, and (2, 3) from canvas pixels to crop pixels.
    """
    density = float(np.exp(rng.uniform(np.log(0.9), np.log(3.2))))
    """Picture pixels a millimetre, across."""
    wide, tall = (max(24, round(2 * _REACH_MM * density * share)) for share in (1.0, sine))
    seen = np.asarray(cv2.resize(canvas, (wide, tall), interpolation=cv2.INTER_AREA), np.float32)
    if rng.random() < 0.8:
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.3, 1.6))), np.float32)
    lit = seen / 255.0
    gloss = (
        np.exp(rng.normal(0.0, 0.05, 3) + rng.normal(0.0, 0.3))
        * (1 + rng.normal(0, 0.2) * np.linspace(-1, 1, wide))[None, :, None]
    )
    lit = np.clip(lit * gloss, 0, 1.2) ** np.exp(rng.normal(0.0, 0.15))
    lit = lit + rng.normal(0.0, 1.0, lit.shape) * rng.uniform(0, 0.07) * rng.random()
    seen8 = np.clip(lit * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        packed = cv2.imencode(".jpg", seen8, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 97))])[1]
        seen8 = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    scale = np.exp(rng.normal(0, 0.015, 2)) * FINE_PX / _SIDE
    shift = rng.normal(0, 0.9, 2) * FINE_PX / (2 * _REACH_MM)
    to_crop = np.array([
        [scale[0], 0.0, (FINE_PX - 1) / 2 - scale[0] * (_SIDE - 1) / 2 + shift[0]],
        [0.0, scale[1], (FINE_PX - 1) / 2 - scale[1] * (_SIDE - 1) / 2 + shift[1]],
    ])  # fmt: skip
    grow = np.diag([_SIDE / wide, _SIDE / tall, 1.0])
    crop = cv2.warpAffine(
        seen8, (to_crop @ grow)[:2], (FINE_PX, FINE_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(crop, np.uint8), to_crop
