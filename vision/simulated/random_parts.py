"""Sizes, looks, light, lens and table drawn at random."""

from __future__ import annotations

import numpy as np

from companion.games.takenoko.pieces import Colour
from vision.art.random_look import bgr_from_hsv
from vision.camera_file import Pieces
from vision.simulated.chance import chance, uniform
from vision.simulated.scene import (
    Imaging,
    Lamp,
    Lighting,
    PieceLook,
    Point,
    TableTop,
    Vector,
)
from vision.simulated.textures import KINDS

_COLOURS = tuple(Colour)


def _linear(bgr: tuple[int, int, int]) -> Vector:
    b, g, r = ((c / 255) ** 2.2 for c in bgr)
    return b, g, r


def random_pieces(rng: np.random.Generator) -> Pieces:
    """Sizes of one box."""
    across = uniform(rng, 50, 90) if chance(rng, 0.6) else uniform(rng, 66, 74)
    scale = across / 70
    waist = uniform(rng, 8, 16) * (0.6 + 0.4 * scale)
    return Pieces(
        tile_across_flats_mm=across,
        tile_thickness_mm=uniform(rng, 1.0, 3.0),
        section_height_mm=uniform(rng, 10, 24) * (0.5 + 0.5 * scale),
        section_diameter_mm=waist,
        channel_mm=(across * uniform(rng, 0.48, 0.58), uniform(rng, 4, 8) * scale, uniform(rng, 3, 8) * scale),
        section_foot_mm=min(waist * uniform(rng, 1.0, 1.5), across * 0.32),
        chip_mm=uniform(rng, 17, 25) * scale,
        gardener_mm=uniform(rng, 34, 54) * scale,
        panda_mm=uniform(rng, 28, 42) * scale,
    )


def random_piece_look(rng: np.random.Generator) -> PieceLook:
    """How the wooden pieces of one box look."""
    green = bgr_from_hsv(uniform(rng, 78, 150), uniform(rng, 0.55, 1), uniform(rng, 0.3, 0.8))
    yellow = bgr_from_hsv(uniform(rng, 36, 54), uniform(rng, 0.6, 1), uniform(rng, 0.75, 1))
    pink = bgr_from_hsv(uniform(rng, 325, 368), uniform(rng, 0.4, 0.85), uniform(rng, 0.65, 1))
    water = bgr_from_hsv(uniform(rng, 192, 222), uniform(rng, 0.4, 0.95), uniform(rng, 0.4, 0.95))
    bodies = ((120, 60, 25), (30, 50, 90), (20, 35, 60), (60, 60, 60), (50, 90, 40))
    body = (
        bodies[int(rng.integers(len(bodies)))]
        if chance(rng, 0.7)
        else bgr_from_hsv(uniform(rng, 0, 360), uniform(rng, 0, 0.8), uniform(rng, 0.1, 0.7))
    )
    straw = (
        bgr_from_hsv(uniform(rng, 28, 48), uniform(rng, 0.3, 0.7), uniform(rng, 0.55, 0.95))
        if chance(rng, 0.85)
        else bgr_from_hsv(uniform(rng, 0, 360), uniform(rng, 0, 0.7), uniform(rng, 0.1, 0.8))
    )
    return PieceLook(
        bamboo=dict(zip(_COLOURS, (_linear(green), _linear(yellow), _linear(pink)), strict=True)),
        channel=_linear(water),
        gloss=(uniform(rng, 0.02, 0.5), uniform(rng, 10, 80)),
        profile=str(rng.choice(["spool", "spool", "flare", "knuckle", "cylinder", "barrel", "foot"])),
        hole=chance(rng, 0.35),
        stamp=chance(rng, 0.3),
        channel_bevel=uniform(rng, 0.2, 1.6),
        around=24,
        gardener=str(rng.choice(["cone_hat", "cone_hat", "topknot", "cone"])),
        gardener_body=_linear(body),
        gardener_hat=_linear(straw),
        panda=str(rng.choice(["seated", "seated", "standing"])),
        panda_base=chance(rng, 0.3),
        mottle=uniform(rng, 0.0, 0.08),
    )


def random_lighting(rng: np.random.Generator, middle: Point) -> Lighting:
    """One to three lamps and the light of the room; the sum at the table's middle is about 1."""
    count = int(rng.choice([1, 1, 2, 2, 3]))
    harsh = chance(rng, 0.45)
    ambient_share = uniform(rng, 0.1, 0.45) if harsh else uniform(rng, 0.3, 0.85)
    shares = rng.dirichlet(np.full(count, 1.2)) * (1 - ambient_share)
    warm = float(rng.normal(0, 0.18))
    lamps = []
    for share in shares:
        turn, steep = uniform(rng, 0, 2 * np.pi), np.radians(uniform(rng, 22, 85))
        distance = float(np.exp(rng.uniform(np.log(500), np.log(5000))))
        at = (
            middle[0] + distance * float(np.cos(steep) * np.cos(turn)),
            middle[1] + distance * float(np.cos(steep) * np.sin(turn)),
            max(320.0, distance * float(np.sin(steep))),
        )
        tint = warm + float(rng.normal(0, 0.1))
        colour = np.exp(np.array([-tint, float(rng.normal(0, 0.03)), tint]))
        if chance(rng, 0.08):
            colour = np.exp(rng.normal(0, 0.35, 3))
        size = float(np.exp(rng.uniform(np.log(0.02), np.log(0.35))))
        if harsh and chance(rng, 0.6):
            size = uniform(rng, 0.0, 0.015)
        window = None
        if harsh and chance(rng, 0.25):
            window = (uniform(rng, 150, 500), uniform(rng, 0.15, 0.6), uniform(rng, 0, np.pi), uniform(rng, 4, 40))
        b, g, r = (float(v) for v in colour * share)
        lamps.append(Lamp(at, (b, g, r), size, window))
    tint = warm * 0.5 + float(rng.normal(0, 0.08))
    b, g, r = (float(v) for v in np.exp(np.array([-tint, 0.0, tint])) * ambient_share)
    return Lighting(tuple(lamps), (b, g, r))


def random_imaging(rng: np.random.Generator, scale: float) -> Imaging:
    """What the camera does; `scale` is the picture's width over 1640."""
    bad = chance(rng, 0.4)
    strong = uniform(rng, 4, 14) if bad else uniform(rng, 0.3, 4)
    motion, heading = (uniform(rng, 0, 4) * scale if chance(rng, 0.15) else 0.0), uniform(rng, 0, np.pi)
    cast = np.exp(rng.normal(0, 0.25 if chance(rng, 0.15) else 0.09, 3))
    b, g, r = (float(v) for v in cast / cast.mean())
    return Imaging(
        exposure=float(np.exp(rng.uniform(np.log(0.3), np.log(1.9)))),
        white_balance=(b, g, r),
        gamma=uniform(rng, 1.9, 2.5),
        vignette=uniform(rng, 0, 0.45),
        defocus_px=(uniform(rng, 0.8, 2.2) if chance(rng, 0.2) else uniform(rng, 0.2, 0.9)) * (0.4 + 0.6 * scale),
        motion_px=(motion * float(np.cos(heading)), motion * float(np.sin(heading))),
        sharpen=uniform(rng, 0, 1.0) if chance(rng, 0.35) else 0.0,
        noise=strong * uniform(rng, 0.5, 1),
        chroma_noise=strong * uniform(rng, 0.1, 0.8),
        noise_blur_px=uniform(rng, 0, 1.0),
        jpeg=int(rng.integers(55, 97)) if chance(rng, 0.85) else None,
    )


def random_table(rng: np.random.Generator) -> TableTop:
    """A table top; now and then its edge is in sight."""
    reach = 420.0
    extent = (-uniform(rng, reach, 950), -uniform(rng, reach, 950), uniform(rng, reach, 950), uniform(rng, reach, 950))
    if chance(rng, 0.4):
        extent = (-2000.0, -2000.0, 2000.0, 2000.0)
    gloss = uniform(rng, 0.0, 0.1) if chance(rng, 0.6) else uniform(rng, 0.1, 0.8)
    room = bgr_from_hsv(uniform(rng, 0, 360), uniform(rng, 0, 0.5), uniform(rng, 0.02, 0.25))
    kind, seed, angle = str(rng.choice(KINDS)), int(rng.integers(2**31)), uniform(rng, 0, 2 * np.pi)
    return TableTop(kind, seed, angle, (gloss, uniform(rng, 8, 300)), extent, room)
