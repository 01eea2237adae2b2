"""The game's pieces as bodies: stalks, channels, the gardener, the panda."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from vision.camera_file import Pieces
from vision.simulated.scene import ChannelPiece, FigurePiece, PieceLook, TilePiece, Vector
from vision.simulated.solids import (
    Mesh,
    box,
    ellipsoid,
    joined,
    limb,
    mottled,
    moved,
    turn_about_z,
    turn_towards,
    turned_body,
)

_DARK: Vector = (0.012, 0.012, 0.014)
_WHITE: Vector = (0.72, 0.76, 0.78)


def _profile(kind: str, waist: float, foot: float, height: float) -> list[tuple[float, float]]:
    """Radius and height along one section."""
    w, f = waist / 2, foot / 2
    shapes: dict[str, list[tuple[float, float]]] = {
        "spool": [
            (0.94 * f, 0),
            (f, 0.05),
            (f, 0.13),
            (0.5 * (f + w), 0.22),
            (w, 0.34),
            (w, 0.64),
            (0.5 * (f + w), 0.77),
            (0.98 * f, 0.86),
            (0.98 * f, 0.95),
            (0.9 * f, 1),
        ],
        "knuckle": [
            (w, 0),
            (w, 0.02),
            (f, 0.06),
            (f, 0.12),
            (w, 0.18),
            (0.97 * w, 0.5),
            (w, 0.9),
            (0.5 * (f + w), 0.94),
            (0.5 * (f + w), 0.98),
            (0.95 * w, 1),
        ],
        "cylinder": [(0.96 * w, 0), (w, 0.03), (w, 0.4), (w, 0.75), (w, 0.97), (0.94 * w, 1)],
        "flare": [
            (0.9 * f, 0),
            (0.92 * f, 0.1),
            (w, 0.22),
            (w, 0.7),
            (0.6 * f + 0.4 * w, 0.82),
            (f, 0.9),
            (f, 0.98),
            (0.93 * f, 1),
        ],
        "barrel": [
            (w, 0),
            (0.5 * (f + w), 0.15),
            (0.85 * f + 0.15 * w, 0.3),
            (f, 0.5),
            (0.85 * f + 0.15 * w, 0.7),
            (w, 0.95),
            (0.95 * w, 1),
        ],
        "foot": [
            (0.97 * f, 0),
            (f, 0.04),
            (f, 0.14),
            (0.8 * f + 0.2 * w, 0.24),
            (0.3 * f + 0.7 * w, 0.36),
            (w, 0.5),
            (w, 0.8),
            (1.08 * w, 0.92),
            (1.08 * w, 1),
        ],
    }
    return [(r, t * height) for r, t in shapes[kind]]


@lru_cache(maxsize=64)
def _section(
    kind: str, waist: float, foot: float, height: float, hole: bool, gloss: tuple[float, float], around: int
) -> Mesh:
    """One white section on z = 0; its colour comes later."""
    profile = _profile(kind, waist, foot, height)
    rim = profile[-1][0]
    shades: list[Vector] = [(1.0, 1.0, 1.0)] * (len(profile) - 1)
    if hole:
        profile += [(rim * 0.62, height), (0.0, height - 0.01)]
        shades += [(1.05, 1.05, 1.05), (0.12, 0.12, 0.12)]
    else:
        profile += [(0.0, height)]
        shades += [(1.02, 1.02, 1.02)]
    third = max(1, (len(profile) - 1) // 3)
    groups = [(0, third), (third, 2 * third), (2 * third, len(profile) - 1)]
    body = turned_body(profile, (1, 1, 1), gloss, around, shades, groups, (0.0, height, (waist + foot) / 4))
    return body


def stalk(tile: TilePiece, pieces: Pieces, look: PieceLook, rng: np.random.Generator) -> Mesh | None:
    """The sections that stand on a tile, or None."""
    if tile.colour is None or tile.bamboo + tile.lying == 0:
        return None
    section = _section(
        look.profile,
        pieces.section_diameter_mm,
        pieces.section_foot_mm,
        pieces.section_height_mm,
        look.hole,
        look.gloss,
        look.around,
    )
    x, y = tile.centre_mm[0] + tile.foot_mm[0], tile.centre_mm[1] + tile.foot_mm[1]
    base = np.asarray(look.bamboo[tile.colour], np.float32)
    parts: list[Mesh] = []
    for _ in range(tile.lying):
        heading = float(rng.uniform(0, 2 * np.pi))
        away = pieces.tile_across_flats_mm * rng.uniform(-0.28, 0.28, 2)
        at = (tile.centre_mm[0] + away[0], tile.centre_mm[1] + away[1])
        on_side = moved(section, turn_towards((np.cos(heading), np.sin(heading), 0.02)), (0, 0, 0))
        placed = moved(on_side, np.eye(3), (*at, pieces.tile_thickness_mm + pieces.section_foot_mm / 2))
        parts.append(
            Mesh(placed.quads, placed.normals, placed.colours * base, placed.gloss, placed.capsules, placed.hulls)
        )
    for level in range(tile.bamboo):
        if level > 0 and level - 1 < len(tile.steps_mm):
            x, y = x + tile.steps_mm[level - 1][0], y + tile.steps_mm[level - 1][1]
        z = pieces.tile_thickness_mm + level * pieces.section_height_mm
        placed = moved(section, turn_about_z(float(rng.uniform(0, 2 * np.pi))), (x, y, z))
        tint = base * float(np.exp(rng.normal(0, 0.06)))
        colours = placed.colours * tint
        if look.stamp:
            rings = len(colours) // look.around
            ring, first = (
                int(rng.integers(rings // 3, max(rings // 3 + 1, rings // 2 + 1))),
                int(rng.integers(look.around)),
            )
            for k in range(3):
                colours[ring * look.around + (first + k) % look.around] *= 0.45
        parts.append(Mesh(placed.quads, placed.normals, colours, placed.gloss, placed.capsules, placed.hulls))
    body = mottled(joined(parts), look.mottle, rng)
    if not tile.lying:
        # One bar stands for the whole stalk where it keeps light from others.
        radius = (pieces.section_diameter_mm + pieces.section_foot_mm) / 4
        low, high = body.capsules[0, 0:3], body.capsules[-1, 3:6]
        bar = np.concatenate([low, high, [radius]]).astype(np.float32)[None]
        body = Mesh(body.quads, body.normals, body.colours, body.gloss, bar, body.hulls)
    return body


def channel(piece: ChannelPiece, pieces: Pieces, look: PieceLook, z: float, rng: np.random.Generator) -> Mesh:
    """One channel lying between two tiles, or anywhere at height `z`."""
    length, width, height = pieces.channel_mm
    bevel = min(look.channel_bevel, width / 3, height / 2)
    tint = np.asarray(look.channel, np.float32) * float(np.exp(rng.normal(0, 0.05)))
    stick = box((length, width, height), tint, look.gloss, bevel, 5, tint * 1.06)
    return moved(mottled(stick, look.mottle, rng), turn_about_z(piece.angle), (*piece.centre_mm, z))


def gardener(figure: FigurePiece, pieces: Pieces, look: PieceLook) -> Mesh:
    """The gardener on his tile."""
    h = pieces.gardener_mm
    body, hat, skin = look.gardener_body, look.gardener_hat, (0.25, 0.42, 0.62)
    matt = (0.04, 12.0)
    parts: list[Mesh] = []
    if look.gardener == "cone_hat":
        r = 0.21 * h
        parts.append(
            turned_body(
                [(r, 0), (r, 0.04 * h), (0.82 * r, 0.25 * h), (0.62 * r, 0.5 * h), (0.5 * r, 0.58 * h), (0, 0.6 * h)],
                body,
                matt,
            )
        )
        parts.append(ellipsoid((0, 0, 0.68 * h), (0.11 * h,) * 3, skin, matt, 16, 8))
        brim = 0.27 * h
        parts.append(
            turned_body(
                [
                    (0.1 * h, 0.72 * h),
                    (brim, 0.735 * h),
                    (0.72 * brim, 0.82 * h),
                    (0.35 * brim, 0.93 * h),
                    (0.1 * brim, 0.99 * h),
                    (0, h),
                ],
                hat,
                matt,
                28,
            )
        )
        for side in (-1, 1):
            parts.append(
                limb(
                    (0, side * 0.13 * h, 0.5 * h),
                    (0.14 * h, side * 0.16 * h, 0.33 * h),
                    0.055 * h,
                    0.045 * h,
                    body,
                    matt,
                    10,
                    3,
                )
            )
            parts.append(ellipsoid((0.16 * h, side * 0.16 * h, 0.31 * h), (0.04 * h,) * 3, skin, matt, 10, 5))
        parts.append(
            limb(
                (0.17 * h, 0.17 * h, 0.02 * h),
                (0.17 * h, 0.17 * h, 0.86 * h),
                0.018 * h,
                0.018 * h,
                (0.06, 0.12, 0.2),
                matt,
                8,
                6,
            )
        )
    elif look.gardener == "topknot":
        parts.append(
            turned_body(
                [(0.28 * h, 0), (0.28 * h, 0.05 * h), (0.2 * h, 0.09 * h), (0, 0.09 * h)], (0.05, 0.1, 0.18), matt
            )
        )
        parts.append(
            turned_body(
                [(0.17 * h, 0.09 * h), (0.15 * h, 0.3 * h), (0.17 * h, 0.5 * h), (0.1 * h, 0.64 * h), (0, 0.66 * h)],
                body,
                matt,
            )
        )
        parts.append(ellipsoid((0, 0, 0.77 * h), (0.12 * h, 0.12 * h, 0.13 * h), skin, matt, 16, 8))
        parts.append(ellipsoid((-0.03 * h, 0, 0.83 * h), (0.12 * h, 0.125 * h, 0.08 * h), _DARK, matt, 14, 6))
        parts.append(ellipsoid((-0.02 * h, 0, 0.94 * h), (0.05 * h,) * 3, hat, matt, 10, 6))
        for side in (-1, 1):
            parts.append(
                limb(
                    (0, side * 0.17 * h, 0.52 * h),
                    (0.15 * h, side * 0.13 * h, 0.36 * h),
                    0.06 * h,
                    0.05 * h,
                    body,
                    matt,
                    10,
                    3,
                )
            )
        parts.append(
            limb(
                (0.2 * h, 0.12 * h, 0.06 * h),
                (0.2 * h, 0.12 * h, 0.7 * h),
                0.02 * h,
                0.02 * h,
                (0.06, 0.12, 0.2),
                matt,
                8,
                5,
            )
        )
    else:
        r = 0.24 * h
        parts.append(turned_body([(r, 0), (r, 0.03 * h), (0.3 * r, 0.75 * h), (0, 0.77 * h)], body, matt))
        brim = 0.22 * h
        parts.append(turned_body([(0.05 * h, 0.72 * h), (brim, 0.73 * h), (0.5 * brim, 0.88 * h), (0, h)], hat, matt))
    return _stand(joined(parts), figure, pieces)


def panda(figure: FigurePiece, pieces: Pieces, look: PieceLook) -> Mesh:
    """The panda on its tile."""
    h = pieces.panda_mm
    shiny = (0.12, 30.0)
    parts: list[Mesh] = []
    lift = 0.0
    if look.panda_base:
        lift = 0.08 * h
        parts.append(turned_body([(0.42 * h, 0), (0.42 * h, lift), (0, lift)], (0.06, 0.2, 0.05), shiny))
    if look.panda == "seated":
        parts.append(ellipsoid((0, 0, lift + 0.3 * h), (0.25 * h, 0.26 * h, 0.31 * h), _WHITE, shiny))
        parts.append(ellipsoid((-0.01 * h, 0, lift + 0.45 * h), (0.25 * h, 0.265 * h, 0.13 * h), _DARK, shiny))
        head = lift + 0.73 * h
        for side in (-1, 1):
            parts.append(
                limb(
                    (0.08 * h, side * 0.2 * h, lift + 0.1 * h),
                    (0.36 * h, side * 0.22 * h, lift + 0.09 * h),
                    0.1 * h,
                    0.09 * h,
                    _DARK,
                    shiny,
                    12,
                    3,
                )
            )
            parts.append(
                limb(
                    (0.02 * h, side * 0.26 * h, lift + 0.46 * h),
                    (0.25 * h, side * 0.14 * h, lift + 0.36 * h),
                    0.085 * h,
                    0.075 * h,
                    _DARK,
                    shiny,
                    12,
                    3,
                )
            )
        parts.append(
            limb(
                (0.3 * h, -0.2 * h, lift + 0.36 * h),
                (0.3 * h, 0.2 * h, lift + 0.45 * h),
                0.02 * h,
                0.02 * h,
                (0.05, 0.3, 0.08),
                shiny,
                8,
                3,
            )
        )
    else:
        parts.append(ellipsoid((0, 0, lift + 0.42 * h), (0.2 * h, 0.22 * h, 0.26 * h), _WHITE, shiny))
        parts.append(ellipsoid((0, 0, lift + 0.57 * h), (0.2 * h, 0.24 * h, 0.1 * h), _DARK, shiny))
        head = lift + 0.78 * h
        for side in (-1, 1):
            parts.append(
                limb(
                    (0.02 * h, side * 0.11 * h, lift + 0.07 * h),
                    (0, side * 0.11 * h, lift + 0.28 * h),
                    0.09 * h,
                    0.1 * h,
                    _DARK,
                    shiny,
                    12,
                    3,
                )
            )
            parts.append(
                limb(
                    (0, side * 0.23 * h, lift + 0.55 * h),
                    (0.1 * h, side * 0.27 * h, lift + 0.36 * h),
                    0.075 * h,
                    0.065 * h,
                    _DARK,
                    shiny,
                    12,
                    3,
                )
            )
    parts.append(ellipsoid((0.03 * h, 0, head), (0.2 * h, 0.23 * h, 0.2 * h), _WHITE, shiny))
    parts.append(ellipsoid((0.2 * h, 0, head - 0.07 * h), (0.07 * h, 0.09 * h, 0.06 * h), _WHITE, shiny, 12, 6))
    parts.append(ellipsoid((0.265 * h, 0, head - 0.055 * h), (0.025 * h, 0.04 * h, 0.025 * h), _DARK, shiny, 8, 4))
    for side in (-1, 1):
        parts.append(
            ellipsoid(
                (-0.01 * h, side * 0.18 * h, head + 0.16 * h), (0.05 * h, 0.075 * h, 0.075 * h), _DARK, shiny, 12, 6
            )
        )
        parts.append(
            ellipsoid(
                (0.18 * h, side * 0.095 * h, head + 0.02 * h), (0.05 * h, 0.055 * h, 0.065 * h), _DARK, shiny, 10, 6
            )
        )
    return _stand(joined(parts), figure, pieces)


def _stand(body: Mesh, figure: FigurePiece, pieces: Pieces) -> Mesh:
    return moved(body, turn_about_z(figure.turn), (*figure.stand_mm, pieces.tile_thickness_mm))
