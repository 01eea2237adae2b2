"""Draws tiles, badges and chips of any look at any scale.

A tile is drawn with a corner up (and one down), its centre in the middle of a square picture whose half side is the
corner's radius and a little more. Angles are radians, counter-clockwise from the picture's right.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.pieces import Colour, Improvement
from vision.art.look import BadgeLook, Bgr, Border, Ground, Look, Shape
from vision.art.symbols import pasted, symbol

Image = NDArray[np.uint8]
_SHIFT = 4
_BADGE_PX = 128


def hexagon(radius: float, angle: float = np.pi / 2) -> NDArray[np.float64]:
    """The six corners (6, 2) of a hexagon about the origin, y up, one corner at `angle`."""
    t = angle + np.arange(6) * np.pi / 3
    return np.stack([radius * np.cos(t), radius * np.sin(t)], axis=1)


def side_px(across_flats_mm: float, px_per_mm: float) -> int:
    """The side of a tile's square picture."""
    return int(np.ceil(across_flats_mm / np.sqrt(3) * px_per_mm)) * 2 + 5


def _to_px(points: NDArray[np.float64], middle: float) -> NDArray[np.int32]:
    at = points * (1, -1) + middle
    return np.asarray(np.round(at * (1 << _SHIFT)), np.int32)


def _mask(points: NDArray[np.float64], size: int) -> Image:
    mask: Image = np.zeros((size, size), np.uint8)
    cv2.fillPoly(mask, [_to_px(points, (size - 1) / 2)], 255, cv2.LINE_AA, _SHIFT)
    return mask


def tile_mask(across_flats_mm: float, px_per_mm: float) -> Image:
    """The tile's outline, (S, S), 255 inside."""
    size = side_px(across_flats_mm, px_per_mm)
    return _mask(hexagon(across_flats_mm / np.sqrt(3) * px_per_mm), size)


def _noise(size: int, cell: float, rng: np.random.Generator) -> NDArray[np.float32]:
    coarse = max(2, int(size / max(cell, 1.0)) + 2)
    field = rng.standard_normal((coarse, coarse), dtype=np.float32)
    return np.asarray(cv2.resize(field, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)


def _strokes(size: int, scale: float, grain: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Brush strokes along one direction that wanders, about -1 to 1."""
    fine = rng.standard_normal((size, size), dtype=np.float32)
    length = max(3, int(2.2 * scale * grain))
    along = rng.uniform(0, np.pi)
    kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
    dx, dy = length * np.cos(along), length * np.sin(along)
    cv2.line(
        kernel,
        (round(length - dx), round(length - dy)),
        (round(length + dx), round(length + dy)),
        1.0,
        max(1, round(scale * grain * 0.35)),
        cv2.LINE_AA,
    )
    drawn = np.asarray(cv2.filter2D(fine, -1, kernel / kernel.sum()))
    bend = _noise(size, 6 * scale * grain, rng) * np.float32(scale * rng.uniform(0.0, 1.6))
    ys, xs = np.mgrid[0:size, 0:size].astype(np.float32)
    drawn = np.asarray(
        cv2.remap(
            drawn,
            xs + bend * np.float32(-np.sin(along)),
            ys + bend * np.float32(np.cos(along)),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT,
        )
    )
    return np.asarray(drawn / max(float(drawn.std()), 1e-6) * 0.5, np.float32)


def _mix(a: Bgr, b: Bgr, share: NDArray[np.float32]) -> NDArray[np.float32]:
    low, high = np.asarray(a, np.float32), np.asarray(b, np.float32)
    return np.asarray(low + (high - low) * share[..., None], np.float32)


def _ground(
    look: Look, main: Bgr, shade: Bgr, size: int, scale: float, rng: np.random.Generator
) -> NDArray[np.float32]:
    if look.ground is Ground.FLAT:
        share = np.clip(_noise(size, size / 3, rng) * look.texture, 0, 1)
        return _mix(main, shade, share)
    if look.ground is Ground.STROKES:
        share = np.clip(
            0.35 + look.texture * (_strokes(size, scale, look.grain, rng) + 0.35 * _noise(size, 8 * scale, rng)),
            -0.5,
            1.3,
        )
        return _mix(main, shade, share)
    if look.ground is Ground.SPECKLE:
        spots = (_noise(size, 2.2 * scale * look.grain, rng) > 1.0).astype(np.float32)
        return _mix(main, shade, cv2.GaussianBlur(spots, (0, 0), 0.4 + 0.15 * scale) * min(1.0, look.texture * 2))
    # A painting: clumps of foliage and blades, light and dark, over larger shapes, in hues that wander.
    clumps = np.zeros((size, size), np.float32)
    for weight, cell in ((0.5, 9.0), (0.5, 3.5), (0.45, 1.4)):
        clumps += np.float32(weight) * _noise(size, cell * scale * look.grain, rng)
    clumps += 0.6 * _strokes(size, scale, look.grain, rng)
    share = np.clip(0.5 + look.texture * clumps, -0.35, 1.35)
    picture = _mix(main, shade, share)
    for cell in (7.0, 2.0):
        hue = rng.normal(0, 11, 3).astype(np.float32)
        picture += (hue - hue.mean()) * _noise(size, cell * scale, rng)[..., None]
    return picture


def _leaf_clump(picture: Image, at: NDArray[np.float64], length: float, colour: Bgr, rng: np.random.Generator) -> None:
    middle = (picture.shape[0] - 1) / 2
    heading = rng.uniform(0, 2 * np.pi)
    for k in range(int(rng.integers(2, 5))):
        turn = heading + (k - 1.5) * rng.uniform(0.4, 0.9)
        tip = at + length * np.array([np.cos(turn), np.sin(turn)])
        side = 0.13 * length * np.array([-np.sin(turn), np.cos(turn)])
        belly = at + (tip - at) * 0.4
        leaf = _to_px(np.stack([at, belly + side, tip, belly - side]), middle)
        cv2.fillPoly(picture, [leaf], colour, cv2.LINE_AA, _SHIFT)


def _darker(colour: Bgr, factor: float) -> Bgr:
    b, g, r = (int(np.clip(c * factor, 0, 255)) for c in colour)
    return b, g, r


def _stones(look: Look, picture: Image, radius: float, scale: float, rng: np.random.Generator) -> None:
    """Pebbles along the path around a tile."""
    count = look.stones
    side, along = rng.integers(6, size=count), rng.uniform(size=(count, 1))
    unit = hexagon(1.0)
    inwards = radius * (1 - look.border_width * rng.uniform(0.15, 1.0, (count, 1)))
    at = (unit[side] * (1 - along) + unit[(side + 1) % 6] * along) * inwards
    px = np.round(at * (1, -1) + (picture.shape[0] - 1) / 2).astype(int).tolist()
    grey, warm = rng.uniform(90, 215, count).tolist(), rng.uniform(0.95, 1.1, count).tolist()
    sizes = np.maximum(1, np.round(rng.uniform((0.35, 0.3), (1.0, 0.8), (count, 2)) * scale)).astype(int).tolist()
    for (x, y), light, tint, axes, turn in zip(px, grey, warm, sizes, rng.uniform(0, 180, count).tolist(), strict=True):
        stone = (light * 0.95, light, light * tint)
        cv2.ellipse(picture, (x, y), tuple(axes), turn, 0, 360, stone, -1, cv2.LINE_AA)


def _border(look: Look, picture: Image, colour: Bgr, radius: float, scale: float, rng: np.random.Generator) -> None:
    size = picture.shape[0]
    middle = (size - 1) / 2
    if look.border in (Border.PATH, Border.RIM):
        inner = hexagon(radius * (1 - look.border_width))
        wander = 0.25 if look.border is Border.PATH else 0.1
        points = []
        for k in range(6):
            a, b = inner[k], inner[(k + 1) % 6]
            steps = np.linspace(0, 1, 9, endpoint=False)[:, None]
            points.append(a + (b - a) * steps)
        ring = np.concatenate(points)
        ring = ring * (1 + rng.normal(0, wander * look.border_width, (len(ring), 1)))
        inside = _mask(ring, size)
        if look.border is Border.RIM:
            inside = np.asarray(cv2.GaussianBlur(inside, (0, 0), 1.2 * scale), np.uint8)
        share = inside[..., None].astype(np.float32) / 255
        band = np.asarray(colour, np.float32) * (1 + 0.12 * _noise(size, 1.5 * scale, rng)[..., None])
        blended = picture * share + band * (1 - share)
        picture[:] = np.clip(blended, 0, 255).astype(np.uint8)
        if look.border is Border.PATH:
            cv2.polylines(
                picture,
                [_to_px(ring, middle)],
                True,
                _darker(colour, 0.6),
                max(1, round(0.5 * scale)),
                cv2.LINE_AA,
                _SHIFT,
            )
        _stones(look, picture, radius, scale, rng)
    elif look.border is Border.LINE:
        width = max(1, round(look.border_width * radius))
        cv2.polylines(picture, [_to_px(hexagon(radius - width / 2), middle)], True, colour, width, cv2.LINE_AA, _SHIFT)
        if look.rim_line is not None:
            line = hexagon(radius * (1 - look.border_width) - 0.5 * scale)
            cv2.polylines(
                picture, [_to_px(line, middle)], True, look.rim_line, max(1, round(0.55 * scale)), cv2.LINE_AA, _SHIFT
            )
        return
    if look.rim_line is not None:
        width = max(1, round(0.5 * scale))
        cv2.polylines(picture, [_to_px(hexagon(radius), middle)], True, look.rim_line, width, cv2.LINE_AA, _SHIFT)


def badge(look: BadgeLook, improvement: Improvement, style: str, size_px: int = _BADGE_PX) -> Image:
    """A printed badge or the face of a chip, upright: (S, S, 4) BGRA."""
    image: Image = np.zeros((size_px, size_px, 4), np.uint8)
    middle = (size_px - 1) / 2
    if look.shape is Shape.BARE:
        inner = float(size_px)
    else:
        width = look.frame_width
        rings = [(0.97, look.frame[improvement]), (0.97 - width, look.face[improvement])]
        if look.rim is not None:
            rings = [
                (0.97, look.frame[improvement]),
                (0.97 - width, look.rim),
                (0.97 - width * 1.6, look.face[improvement]),
            ]
        for radius, colour in rings:
            r = radius * size_px / 2
            if look.shape is Shape.DISC:
                at = round(middle * (1 << _SHIFT))
                cv2.circle(image, (at, at), round(r * (1 << _SHIFT)), (*colour, 255), -1, cv2.LINE_AA, _SHIFT)
            elif look.shape is Shape.HEX:
                cv2.fillPoly(image, [_to_px(hexagon(r), middle)], (*colour, 255), cv2.LINE_AA, _SHIFT)
            else:
                square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * r * 0.8
                cv2.fillPoly(image, [_to_px(square, middle)], (*colour, 255), cv2.LINE_AA, _SHIFT)
        inner = size_px * (0.97 - width) * (0.78 if look.shape is not Shape.DISC else 0.82)
    drawn = symbol(improvement, style, size_px, look.fill[improvement], look.line[improvement])
    pasted(image, drawn, (middle, middle), inner, 0.0)
    return image


def badge_centre(look: Look, across_flats_mm: float, sixth: int) -> tuple[float, float]:
    """Where a printed badge's middle lies on its tile (x, y), millimetres, y up; at the bottom for `sixth` 0."""
    radius = across_flats_mm / np.sqrt(3) if not look.badge_on_side else across_flats_mm / 2
    angle = -np.pi / 2 + sixth * np.pi / 3 + (np.pi / 6 if look.badge_on_side else 0.0)
    return float(radius * look.badge_at * np.cos(angle)), float(radius * look.badge_at * np.sin(angle))


_LEAN: dict[Improvement, tuple[tuple[int, int, int], float]] = {
    Improvement.WATERSHED: ((150, 130, 105), 0.12),
    Improvement.ENCLOSURE: ((130, 190, 200), 0.06),
    Improvement.FERTILIZER: ((55, 95, 165), 0.12),
}


def _leaning(colour: Bgr, improvement: Improvement) -> Bgr:
    """A painting with a pond is a little bluer, one with a shed a little browner."""
    towards, share = _LEAN[improvement]
    b, g, r = (round(c + (t - c) * share) for c, t in zip(colour, towards, strict=True))
    return b, g, r


def _scene_of(
    picture: Image,
    improvement: Improvement,
    radius: float,
    scale: float,
    main: Bgr,
    shade: Bgr,
    rng: np.random.Generator,
) -> None:
    """The painting that tells the improvement: a pond, a pale fence about a meadow, a shed."""
    middle = round((picture.shape[0] - 1) / 2)
    r = radius * rng.uniform(0.36, 0.5)
    axes = (round(r), round(r * rng.uniform(0.75, 1.0)))
    turn = float(rng.uniform(0, 180))
    before = picture.copy()
    if improvement is Improvement.WATERSHED:
        water = tuple(float(v) for v in rng.normal((150, 115, 70), 14))
        cv2.ellipse(picture, (middle, middle), axes, turn, 0, 360, water, -1, cv2.LINE_AA)
        cv2.ellipse(
            picture, (middle, middle), axes, turn, 0, 360, _darker(main, 0.55), max(1, round(1.6 * scale)), cv2.LINE_AA
        )
    elif improvement is Improvement.ENCLOSURE:
        meadow = tuple(float(v) for v in 0.6 * np.asarray(main) + 0.4 * np.asarray(shade))
        cv2.ellipse(picture, (middle, middle), axes, turn, 0, 360, meadow, -1, cv2.LINE_AA)
        for start in range(0, 360, 20):
            cv2.ellipse(
                picture,
                (middle, middle),
                axes,
                turn,
                start,
                start + 13,
                (190, 215, 225),
                max(1, round(1.3 * scale)),
                cv2.LINE_AA,
            )
    else:
        half = r * 0.7
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        rect = np.array([[-1, -0.7], [1, -0.7], [1, 0.7], [-1, 0.7]]) * half @ np.array([[c, s], [-s, c]])
        brown = tuple(float(v) for v in rng.normal((45, 75, 115), 12))
        cv2.fillPoly(picture, [_to_px(rect, middle)], brown, cv2.LINE_AA, _SHIFT)
        ridge = np.array([[-1, 0], [1, 0]]) * half @ np.array([[c, s], [-s, c]])
        cv2.polylines(
            picture, [_to_px(ridge, middle)], False, (25, 45, 70), max(1, round(0.8 * scale)), cv2.LINE_AA, _SHIFT
        )
    # The painter's texture goes on over the scene.
    detail = before.astype(np.float32) - cv2.GaussianBlur(before, (0, 0), 2.5 * scale).astype(np.float32)
    changed = np.any(picture != before, axis=2)
    picture[changed] = np.clip(picture[changed] + 0.5 * detail[changed], 0, 255).astype(np.uint8)


def plot_tile(
    look: Look,
    colour: Colour,
    improvement: Improvement | None,
    across_flats_mm: float,
    px_per_mm: float,
    rng: np.random.Generator,
    badge_turn: float = 0.0,
) -> Image:
    """A plot with its printed improvement, if any.

    Args:
        look: how the box's tiles are painted.
        colour: of the plot.
        improvement: the printed one; a chip is no part of the tile.
        across_flats_mm: the tile's size.
        px_per_mm: the picture's scale.
        rng: for strokes, leaves and stones.
        badge_turn: radians that the badge is turned against the tile.

    Returns:
        (S, S, 3) BGR, `side_px` wide; `tile_mask` tells what of it is the tile.
    """
    size = side_px(across_flats_mm, px_per_mm)
    radius = across_flats_mm / np.sqrt(3) * px_per_mm
    middle = (size - 1) / 2
    main, shade = look.plot[colour], look.shade[colour]
    if look.own_scene and improvement is not None:
        main, shade = _leaning(main, improvement), _leaning(shade, improvement)
    scale = across_flats_mm / 70 * px_per_mm
    picture = np.clip(_ground(look, main, shade, size, scale, rng), 0, 255).astype(np.uint8)
    if look.own_scene and improvement is not None:
        _scene_of(picture, improvement, radius, scale, main, shade, rng)
    if rng.uniform() < look.centre_spot:
        spot = np.zeros((size, size), np.float32)
        cv2.circle(spot, (round(middle), round(middle)), round(radius * rng.uniform(0.12, 0.2)), 1.0, -1, cv2.LINE_AA)
        spot = cv2.GaussianBlur(spot, (0, 0), 0.8 * scale)[..., None] * rng.uniform(0.15, 0.4)
        picture = np.clip(picture * (1 - spot), 0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(0, look.leaves + 1)) if look.leaves else 0):
        turn, away = rng.uniform(0, 2 * np.pi), radius * rng.uniform(0.25, 0.68)
        at = away * np.array([np.cos(turn), np.sin(turn)])
        _leaf_clump(picture, at, rng.uniform(2.5, 5.5) * scale, _darker((35, 125, 45), rng.uniform(0.6, 1.1)), rng)
    _border(look, picture, look.border_colour[colour], radius, scale, rng)
    corner = -np.pi / 2
    if look.pips:
        count = 1 + list(Colour).index(colour)
        turn = corner + np.pi / 3 * int(rng.integers(1, 6))
        along = np.array([np.cos(turn), np.sin(turn)])
        across = np.array([-along[1], along[0]])
        for k in range(count):
            at = along * radius * 0.66 + across * (k - (count - 1) / 2) * 3.6 * scale
            x, y = (at * (1, -1) + middle).tolist()
            cv2.circle(
                picture, (round(x * 16), round(y * 16)), round(1.25 * scale * 16), (250, 250, 250), -1, cv2.LINE_AA, 4
            )
    if improvement is not None:
        bx, by = badge_centre(look, across_flats_mm, 0)
        drawn = badge(look.printed, improvement, look.symbols[improvement])
        at_px = (middle + bx * px_per_mm, middle - by * px_per_mm)
        pasted(picture, drawn, at_px, look.badge_size * across_flats_mm * px_per_mm, badge_turn)
    return picture


def pond_tile(look: Look, across_flats_mm: float, px_per_mm: float, rng: np.random.Generator) -> Image:
    """The pond: (S, S, 3) BGR, `side_px` wide."""
    size = side_px(across_flats_mm, px_per_mm)
    radius = across_flats_mm / np.sqrt(3) * px_per_mm
    middle = (size - 1) / 2
    scale = across_flats_mm / 70 * px_per_mm
    ys, xs = (np.mgrid[0:size, 0:size] - middle).astype(np.float32)
    away = np.hypot(xs, ys)
    if look.pond_design == "swirl":
        wobble = _noise(size, 7 * scale, rng) * 2.2 * scale
        share = 0.4 + 0.5 * np.sin((away + wobble) / (0.7 * scale)) * (0.5 + 0.3 * _noise(size, 2 * scale, rng))
    elif look.pond_design == "rings":
        share = 0.4 + 0.4 * np.sin(away / (1.4 * scale))
    else:
        share = 0.45 + look.texture * (0.4 * _noise(size, 5 * scale, rng) + 0.4 * _noise(size, 1.6 * scale, rng))
    picture = np.clip(_mix(look.pond, look.pond_shade, np.clip(share, -0.3, 1.3)), 0, 255).astype(np.uint8)
    if look.pond_design == "waves":
        for line in (-1, 0, 1):
            x = np.linspace(-7, 7, 30) * scale
            points = np.stack([x, line * 4.5 * scale + 1.4 * scale * np.sin(x / scale * 1.1)], axis=1)
            cv2.polylines(
                picture,
                [_to_px(points, middle)],
                False,
                (245, 245, 245),
                max(1, round(1.2 * scale)),
                cv2.LINE_AA,
                _SHIFT,
            )
    elif look.pond_design == "swirl":
        for _ in range(int(rng.integers(4, 12))):
            turn, r = rng.uniform(0, 2 * np.pi), radius * rng.uniform(0.1, 0.45)
            at = (round(middle + r * np.cos(turn)), round(middle + r * np.sin(turn)))
            if rng.uniform() < 0.7:
                cv2.circle(picture, at, max(1, round(rng.uniform(1.0, 2.0) * scale)), (45, 110, 35), -1, cv2.LINE_AA)
            else:
                axes = (max(1, round(2.4 * scale)), max(1, round(0.8 * scale)))
                cv2.ellipse(picture, at, axes, float(rng.uniform(0, 180)), 0, 360, (90, 130, 235), -1, cv2.LINE_AA)
    elif look.pond_design == "pavilion":
        roof = hexagon(radius * rng.uniform(0.3, 0.4), rng.uniform(0, 1))
        cv2.fillPoly(picture, [_to_px(roof, middle)], (165, 180, 180), cv2.LINE_AA, _SHIFT)
        for corner in roof:
            spoke = np.stack([corner * 0, corner])
            cv2.polylines(
                picture, [_to_px(spoke, middle)], False, (90, 105, 110), max(1, round(0.6 * scale)), cv2.LINE_AA, _SHIFT
            )
        for k in range(6):
            along = np.array([np.cos(k * np.pi / 3), np.sin(k * np.pi / 3)])
            jetty = np.stack([along * radius * 0.62, along * radius * 0.86])
            cv2.polylines(
                picture, [_to_px(jetty, middle)], False, (60, 95, 125), max(1, round(2.2 * scale)), cv2.LINE_AA, _SHIFT
            )
    _border(look, picture, look.pond_border, radius, scale, rng)
    return picture
