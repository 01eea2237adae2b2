"""Looks that nobody has seen: anything that is still clearly green, yellow, pink and water."""

from __future__ import annotations

import cv2
import numpy as np

from companion.games.takenoko.pieces import Colour, Improvement
from vision.art.look import IMPROVEMENTS, BadgeLook, Bgr, Border, Ground, Look, Shape
from vision.art.symbols import SYMBOLS

# Hue (degrees), saturation and value in which people still say the colour's name.
_RANGES: dict[Colour, tuple[tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    Colour.GREEN: ((80, 150), (0.35, 0.9), (0.3, 0.75)),
    Colour.YELLOW: ((39, 58), (0.5, 0.95), (0.65, 1.0)),
    Colour.PINK: ((322, 371), (0.25, 0.65), (0.6, 1.0)),
}
_WATER = ((190.0, 228.0), (0.45, 0.95), (0.4, 0.9))


def bgr_from_hsv(hue_deg: float, saturation: float, value: float) -> Bgr:
    """One colour from hue (degrees, any turn), saturation and value (0 to 1)."""
    pixel = np.array([[[hue_deg % 360.0, saturation, value]]], np.float32)
    b, g, r = (round(float(v) * 255) for v in cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0])
    return b, g, r


def _drawn(spans: tuple[tuple[float, float], ...], rng: np.random.Generator) -> tuple[float, float, float]:
    h, s, v = (float(rng.uniform(*span)) for span in spans)
    return h, s, v


def _any_colour(rng: np.random.Generator, low: float = 0.0, high: float = 1.0) -> Bgr:
    return bgr_from_hsv(float(rng.uniform(0, 360)), float(rng.uniform(0, 0.8)), float(rng.uniform(low, high)))


def _badge_look(rng: np.random.Generator, printed: bool) -> BadgeLook:
    shapes = [Shape.DISC, Shape.HEX, Shape.SQUARE, Shape.BARE] if printed else [Shape.DISC, Shape.HEX, Shape.DISC]
    shape = shapes[int(rng.integers(len(shapes)))]
    dark_face = rng.uniform() < 0.25
    face = (
        _any_colour(rng, 0.1, 0.4)
        if dark_face
        else bgr_from_hsv(float(rng.uniform(20, 60)), float(rng.uniform(0, 0.35)), float(rng.uniform(0.8, 1)))
    )
    faces = dict.fromkeys(IMPROVEMENTS, face)
    one_frame = _any_colour(rng, 0.1, 0.9)
    hues = (float(rng.uniform(195, 230)), float(rng.uniform(-15, 20)), float(rng.uniform(25, 50)))
    frame: dict[Improvement, Bgr] = {}
    fill: dict[Improvement, Bgr] = {}
    line: dict[Improvement, Bgr] = {}
    coloured_frames, white = rng.uniform() < 0.5, dark_face or (shape is Shape.BARE and rng.uniform() < 0.6)
    faces_differ = dark_face and rng.uniform() < 0.5
    for improvement, hue in zip(IMPROVEMENTS, hues, strict=True):
        if faces_differ:
            faces[improvement] = bgr_from_hsv(hue, float(rng.uniform(0.2, 0.9)), float(rng.uniform(0.15, 0.55)))
        frame[improvement] = (
            bgr_from_hsv(hue, float(rng.uniform(0.4, 0.9)), float(rng.uniform(0.4, 0.8)))
            if coloured_frames
            else one_frame
        )
        fill[improvement] = bgr_from_hsv(hue, float(rng.uniform(0.4, 0.95)), float(rng.uniform(0.5, 0.95)))
        line[improvement] = bgr_from_hsv(hue, float(rng.uniform(0.3, 0.9)), float(rng.uniform(0.1, 0.4)))
        if white:
            fill[improvement] = (250, 250, 250)
            line[improvement] = faces[improvement] if dark_face else line[improvement]
    rim = _any_colour(rng) if rng.uniform() < 0.3 else None
    return BadgeLook(shape, faces, frame, fill, line, float(rng.uniform(0.06, 0.24)), rim)


def jittered_symbols(rng: np.random.Generator) -> dict[Improvement, str]:
    """A style for each improvement, the familiar ones more often."""
    familiar = {Improvement.WATERSHED: "drop", Improvement.ENCLOSURE: "fence", Improvement.FERTILIZER: "sack"}
    return {
        improvement: familiar[improvement] if rng.uniform() < 0.4 else str(rng.choice(sorted(styles)))
        for improvement, styles in SYMBOLS.items()
    }


def random_look(rng: np.random.Generator) -> Look:
    """A look drawn at random: grounds, borders, badges and symbols all vary."""
    ground = Ground(str(rng.choice([g.value for g in Ground], p=[0.35, 0.2, 0.3, 0.15])))
    border = Border(str(rng.choice([b.value for b in Border], p=[0.35, 0.3, 0.2, 0.15])))
    plot: dict[Colour, Bgr] = {}
    shade: dict[Colour, Bgr] = {}
    border_colour: dict[Colour, Bgr] = {}
    depth = float(rng.uniform(0.45, 0.85))
    one_border = _any_colour(rng, 0.1, 0.9)
    common = rng.uniform() < 0.35
    for colour, spans in _RANGES.items():
        h, s, v = _drawn(spans, rng)
        plot[colour] = bgr_from_hsv(h, s, v)
        shade[colour] = bgr_from_hsv(h + float(rng.normal(0, 6)), min(1.0, s * float(rng.uniform(0.9, 1.3))), v * depth)
        border_colour[colour] = (
            one_border
            if common
            else bgr_from_hsv(
                h + float(rng.normal(0, 8)), s * float(rng.uniform(0.3, 1)), v * float(rng.uniform(0.35, 1.2)) % 1.0
            )
        )
    h, s, v = _drawn(_WATER, rng)
    printed = _badge_look(rng, True)
    return Look(
        name="random",
        ground=ground,
        plot=plot,
        shade=shade,
        border=border,
        border_colour=border_colour,
        border_width=float(rng.uniform(0.03, 0.2)),
        rim_line=_any_colour(rng) if rng.uniform() < 0.6 else None,
        pond=bgr_from_hsv(h, s, v),
        pond_shade=bgr_from_hsv(h + float(rng.normal(0, 5)), s, v * depth),
        pond_border=one_border if common else _any_colour(rng, 0.2, 0.8),
        pond_design=str(rng.choice(["swirl", "waves", "rings", "pavilion", "plain"])),
        printed=printed,
        chip=printed if printed.shape is not Shape.BARE and rng.uniform() < 0.4 else _badge_look(rng, False),
        symbols=jittered_symbols(rng),
        badge_size=float(rng.uniform(0.17, 0.31)),
        badge_at=float(rng.uniform(0.5, 0.74)),
        badge_on_side=bool(rng.uniform() < 0.35),
        texture=float(rng.uniform(0.1, 0.9)) if ground is not Ground.FLAT else float(rng.uniform(0, 0.1)),
        grain=float(rng.uniform(0.5, 2.2)),
        leaves=int(rng.integers(0, 9)),
        stones=int(rng.integers(0, 60)),
        centre_spot=float(rng.uniform(0, 0.7)),
        pips=bool(rng.uniform() < 0.3),
        edge=_any_colour(rng, 0.2, 0.95),
        own_scene=bool(rng.uniform() < 0.35),
    )


def _jitter_bgr(colour: Bgr, hue: float, saturation: float, value: float) -> Bgr:
    pixel = np.array([[colour]], np.uint8).astype(np.float32) / 255
    h, s, v = cv2.cvtColor(pixel, cv2.COLOR_BGR2HSV)[0, 0].tolist()
    return bgr_from_hsv(h + hue, float(np.clip(s * saturation, 0, 1)), float(np.clip(v * value, 0, 1)))


def jittered(look: Look, rng: np.random.Generator, amount: float = 1.0) -> Look:
    """The same look from another printer: hues, strengths, badge sizes and places a little different."""
    from dataclasses import replace

    def near(colour: Bgr) -> Bgr:
        return _jitter_bgr(
            colour,
            float(rng.normal(0, 4 * amount)),
            float(np.exp(rng.normal(0, 0.12 * amount))),
            float(np.exp(rng.normal(0, 0.09 * amount))),
        )

    return replace(
        look,
        plot={c: near(v) for c, v in look.plot.items()},
        shade={c: near(v) for c, v in look.shade.items()},
        border_colour={c: near(v) for c, v in look.border_colour.items()},
        pond=near(look.pond),
        pond_shade=near(look.pond_shade),
        pond_border=near(look.pond_border),
        symbols=jittered_symbols(rng) if rng.uniform() < 0.25 * amount else look.symbols,
        badge_size=look.badge_size * float(np.exp(rng.normal(0, 0.08 * amount))),
        badge_at=look.badge_at + float(rng.normal(0, 0.03 * amount)),
        texture=look.texture * float(np.exp(rng.normal(0, 0.2 * amount))),
        grain=look.grain * float(np.exp(rng.normal(0, 0.2 * amount))),
    )
