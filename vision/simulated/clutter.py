"""What else lies on a table: bodies, and pictures lying flat or on top of boxes."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.hexgrid import POND, Edge, Hex
from companion.games.takenoko.pieces import Colour
from vision.art.look import Look
from vision.art.random_look import bgr_from_hsv
from vision.art.symbols import SYMBOLS, pasted, symbol
from vision.art.tiles import hexagon
from vision.camera_file import Pieces
from vision.simulated import bodies
from vision.simulated.scene import ChannelPiece, Clutter, PieceLook, TilePiece
from vision.simulated.solids import Mesh, box, ellipsoid, joined, limb, moved, turn_about_z, turn_towards, turned_body

Image = NDArray[np.uint8]

KINDS = (
    "mug",
    "bowl",
    "die",
    "pencil",
    "phone",
    "deck",
    "card_row",
    "board",
    "spare_sections",
    "spare_channels",
    "spare_tiles",
    "glass",
    "coin",
    "book",
    "chips",
)


TOPPED = ("deck", "spare_tiles")
"""Kinds whose picture lies on top of a body."""


@dataclass(frozen=True, slots=True, eq=False)
class Decal:
    """A picture lying level at a height: BGRA, its middle, its angle, its width in millimetres."""

    picture: Image
    centre_mm: tuple[float, float]
    angle: float
    width_mm: float
    z_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """One piece of clutter, ready to draw: pictures first, then bodies."""

    decals: tuple[Decal, ...]
    mesh: Mesh | None


def _colour(rng: np.random.Generator) -> NDArray[np.float32]:
    b, g, r = bgr_from_hsv(float(rng.uniform(0, 360)), float(rng.uniform(0, 1)), float(rng.uniform(0.05, 0.95)))
    return np.asarray((np.array([b, g, r]) / 255) ** 2.2, np.float32)


def _bytes(linear: NDArray[np.float32]) -> tuple[int, int, int]:
    b, g, r = (int(v) for v in np.clip(linear, 0, 1) ** (1 / 2.2) * 255)
    return b, g, r


def _card_face(rng: np.random.Generator, px: int = 90) -> Image:
    h = round(px * 1.45)
    ground = bgr_from_hsv(float(rng.uniform(30, 60)), float(rng.uniform(0, 0.3)), float(rng.uniform(0.75, 1)))
    if rng.uniform() < 0.5:
        ground = bgr_from_hsv(float(rng.uniform(0, 360)), float(rng.uniform(0.4, 0.9)), float(rng.uniform(0.2, 0.6)))
    card: Image = np.zeros((h, px, 4), np.uint8)
    cv2.rectangle(card, (0, 0), (px, h), (235, 240, 240, 255), -1)
    cv2.rectangle(card, (4, 4), (px - 5, h - 5), (*ground, 255), -1)
    if rng.uniform() < 0.5:
        cv2.circle(card, (px // 2, h // 2), px // 3, (200, 225, 235, 255), -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 5))):
        at = rng.uniform(0.25, 0.75, 2) * (px, h)
        corners = np.round(hexagon(px * 0.13) + at).astype(np.int32)
        hue = (float(rng.uniform(80, 150)), float(rng.uniform(40, 55)), float(rng.uniform(325, 360)))[
            int(rng.integers(3))
        ]
        cv2.fillPoly(card, [corners], (*bgr_from_hsv(hue, 0.7, 0.8), 255), cv2.LINE_AA)
    return card


def _board(rng: np.random.Generator) -> Image:
    w, h = 300, int(rng.integers(150, 240))
    board: Image = np.zeros((h, w, 4), np.uint8)
    face = bgr_from_hsv(float(rng.uniform(25, 50)), float(rng.uniform(0.1, 0.5)), float(rng.uniform(0.6, 0.95)))
    cv2.rectangle(board, (0, 0), (w, h), (*face, 255), -1)
    hues = [
        float(rng.uniform(85, 140)),
        float(rng.uniform(40, 52)),
        float(rng.uniform(325, 355)),
        float(rng.uniform(195, 220)),
        float(rng.uniform(25, 38)),
    ]
    styles = [(improvement, style) for improvement, many in SYMBOLS.items() for style in many]
    for k, hue in enumerate(hues):
        x0, x1 = round(14 + k * 56), round(14 + k * 56 + 46)
        colour = bgr_from_hsv(hue, float(rng.uniform(0.4, 0.8)), float(rng.uniform(0.55, 0.9)))
        cv2.rectangle(board, (x0, 16), (x1, h - 16), (*colour, 255), -1)
        cv2.rectangle(board, (x0, 16), (x1, h - 16), (40, 60, 70, 255), 2)
        improvement, style = styles[int(rng.integers(len(styles)))]
        pasted(board, symbol(improvement, style, 48, (90, 130, 180), (40, 60, 90)), ((x0 + x1) / 2, 42), 30, 0.0)
    return board


def _loose_sections(
    at: tuple[float, float],
    spread: float,
    count: int,
    base_z: float,
    pieces: Pieces,
    look: PieceLook,
    rng: np.random.Generator,
) -> list[Mesh]:
    parts: list[Mesh] = []
    for _ in range(count):
        x, y = at[0] + rng.normal(0, spread), at[1] + rng.normal(0, spread)
        colour = list(Colour)[int(rng.integers(3))]
        height = int(rng.choice([1, 1, 1, 1, 2, 3]))
        tile = TilePiece(Hex(9, 9), (0.0, 0.0), 0.0, colour, bamboo=height)
        body = bodies.stalk(tile, pieces, look, rng)
        if body is None:
            continue
        body = moved(body, np.eye(3), (0, 0, -pieces.tile_thickness_mm))
        if height == 1 and rng.uniform() < 0.5:
            heading = rng.uniform(0, 2 * np.pi)
            body = moved(
                body, turn_towards((np.cos(heading), np.sin(heading), 0.02)), (0, 0, pieces.section_foot_mm / 2)
            )
        parts.append(moved(body, np.eye(3), (x, y, base_z)))
    return parts


def build(thing: Clutter, pieces: Pieces, look: PieceLook, tiles: Look) -> Thing:
    """The thing as pictures and bodies; everything about it follows from its seed."""
    rng = np.random.default_rng(thing.seed)
    at, turn = thing.centre_mm, turn_about_z(thing.angle)
    colour = _colour(rng)
    shiny = (float(rng.uniform(0.02, 0.5)), float(rng.uniform(15, 120)))
    decals: list[Decal] = []
    parts: list[Mesh] = []
    match thing.kind:
        case "mug" | "glass":
            r, h = float(rng.uniform(30, 45)), float(rng.uniform(70, 115))
            drink = np.array([0.03, 0.09, 0.22]) * np.exp(rng.normal(0, 0.6, 3))
            level = h * float(rng.uniform(0.5, 0.9))
            profile = [
                (0.85 * r, 0),
                (0.95 * r, 0.05 * h),
                (r, 0.5 * h),
                (r, h),
                (0.93 * r, h),
                (0.92 * r, level),
                (0, level),
            ]
            shades = [colour] * (len(profile) - 2) + [drink]
            parts.append(moved(turned_body(profile, colour, shiny, 36, shades), np.eye(3), (*at, 0)))
            if thing.kind == "mug":
                for k in range(6):
                    a, b = np.pi * (k / 6 - 0.5), np.pi * ((k + 1) / 6 - 0.5)
                    start = np.array([r + 20 * np.cos(a), 0, h * 0.5 + 24 * np.sin(a)])
                    end = np.array([r + 20 * np.cos(b), 0, h * 0.5 + 24 * np.sin(b)])
                    parts.append(moved(limb(start, end, 5.5, 5.5, colour, shiny, 10, 2), turn, (*at, 0)))
        case "bowl":
            r, h = float(rng.uniform(45, 75)), float(rng.uniform(30, 55))
            inner = [(0.95 * r, h), (0.75 * r, 0.55 * h), (0.4 * r, 0.25 * h), (0, 0.2 * h)]
            outer = [(0.4 * r, 0), (0.7 * r, 0.3 * h), (r, h)]
            parts.append(moved(turned_body([*outer, *inner], colour, shiny, 36), np.eye(3), (*at, 0)))
            nut = np.array([0.04, 0.14, 0.4]) * np.exp(rng.normal(0, 0.5, 3))
            for _ in range(int(rng.integers(0, 45))):
                away, a = 0.6 * r * np.sqrt(rng.uniform()), rng.uniform(0, 2 * np.pi)
                size = rng.uniform(4, 8)
                parts.append(
                    ellipsoid(
                        (at[0] + away * np.cos(a), at[1] + away * np.sin(a), 0.35 * h + rng.uniform(0, 0.35 * h)),
                        (size, size * 0.8, size * 0.8),
                        nut,
                        (0.05, 10),
                        10,
                        5,
                    )
                )
        case "die":
            side = float(rng.uniform(12, 20))
            parts.append(moved(box((side, side, side), colour, shiny, 1.5), turn, (*at, 0)))
            for x in (-0.25, 0.25):
                for y in (-0.25, 0.25)[: int(rng.integers(1, 3))]:
                    spot = turned_body([(side * 0.09, side + 0.05), (0, side + 0.06)], 1 - colour, (0, 10), 10)
                    parts.append(moved(moved(spot, np.eye(3), (x * side, y * side, 0)), turn, (*at, 0)))
        case "pencil":
            length, r = float(rng.uniform(90, 185)), float(rng.uniform(3, 5))
            c, s = np.cos(thing.angle) * length / 2, np.sin(thing.angle) * length / 2
            parts.append(
                limb((at[0] - c, at[1] - s, r), (at[0] + 0.85 * c, at[1] + 0.85 * s, r), r, r, colour, shiny, 8, 16)
            )
            parts.append(
                limb(
                    (at[0] + 0.85 * c, at[1] + 0.85 * s, r),
                    (at[0] + c, at[1] + s, r),
                    r * 0.95,
                    0.6,
                    (0.25, 0.45, 0.65),
                    (0, 10),
                    8,
                    3,
                )
            )
        case "phone" | "book":
            dims = (
                (75, 155, 8)
                if thing.kind == "phone"
                else (float(rng.uniform(100, 180)), float(rng.uniform(140, 230)), float(rng.uniform(5, 25)))
            )
            face = np.full(3, rng.uniform(0.002, 0.03)) if thing.kind == "phone" else _colour(rng)
            parts.append(
                moved(
                    box(dims, colour * 0.2 if thing.kind == "phone" else colour, (0.3, 60), 1.5, 8, face),
                    turn,
                    (*at, 0),
                )
            )
        case "deck":
            h = float(rng.uniform(2, 20))
            parts.append(moved(box((55, 80, h), (0.65, 0.7, 0.7), (0.02, 10), 0, 4), turn, (*at, 0)))
            decals.append(Decal(_card_face(rng), at, thing.angle, 55, h))
        case "card_row":
            for k in range(int(rng.integers(1, 5))):
                along = (k - 1) * rng.uniform(22, 60)
                centre = (at[0] + along * np.cos(thing.angle), at[1] + along * np.sin(thing.angle))
                decals.append(Decal(_card_face(rng), centre, thing.angle + rng.normal(0, 0.06), 55, 0.3 * k))
        case "board":
            picture = _board(rng)
            wide = float(rng.uniform(130, 200))
            decals.append(Decal(picture, at, thing.angle, wide, float(rng.uniform(1, 3))))
            parts.extend(_loose_sections(at, wide * 0.22, int(rng.integers(0, 7)), 2.0, pieces, look, rng))
        case "spare_sections":
            parts.extend(
                _loose_sections(at, float(rng.uniform(14, 32)), int(rng.integers(3, 18)), 0.0, pieces, look, rng)
            )
        case "spare_channels":
            for k in range(int(rng.integers(1, 8))):
                loose = ChannelPiece(
                    Edge.of(POND, Hex(1, 0)),
                    (at[0] + rng.normal(0, 14), at[1] + rng.normal(0, 14)),
                    thing.angle + rng.normal(0, 0.5),
                )
                parts.append(bodies.channel(loose, pieces, look, 0.0 if k < 4 else pieces.channel_mm[2], rng))
        case "spare_tiles":
            count = int(rng.integers(1, 9))
            across = pieces.tile_across_flats_mm
            thick = count * pieces.tile_thickness_mm
            corner = across / np.sqrt(3)
            edge = np.asarray(tiles.edge, np.float32) / 255
            pile = turned_body([(corner, 0), (corner, thick)], edge**2.2, (0.02, 10), 6)
            parts.append(moved(pile, turn, (*at, 0)))
            decals.append(Decal(_tile_back(tiles, rng), at, thing.angle, 2 * corner, thick))
        case "chips":
            for _ in range(int(rng.integers(1, 7))):
                x, y = at[0] + rng.normal(0, 22), at[1] + rng.normal(0, 22)
                parts.append(
                    moved(
                        turned_body([(pieces.chip_mm / 2, 0), (pieces.chip_mm / 2, 2), (0, 2)], colour, (0.02, 10), 24),
                        np.eye(3),
                        (x, y, 0),
                    )
                )
        case _:
            r = float(rng.uniform(8, 14))
            metal = np.array([0.3, 0.5, 0.6]) * float(rng.uniform(0.4, 1.3))
            parts.append(moved(turned_body([(r, 0), (r, 2), (0, 2)], metal, (0.6, 60), 24), np.eye(3), (*at, 0)))
    return Thing(tuple(decals), joined(parts) if parts else None)


def _tile_back(tiles: Look, rng: np.random.Generator, px: int = 160) -> Image:
    """The back of a plot: brown card with a few leaves, corners along the picture's x."""
    back: Image = np.zeros((px, px, 4), np.uint8)
    shape = np.round(hexagon(px / 2 - 1, 0.0) + px / 2).astype(np.int32)
    colour = tiles.back if rng.uniform() < 0.6 else _bytes(_colour(rng))
    cv2.fillPoly(back, [shape], (*colour, 255), cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 10))):
        x, y = rng.uniform(0.25, 0.75, 2) * px
        heading = rng.uniform(0, 2 * np.pi)
        tip = (round(x + 16 * np.cos(heading)), round(y + 16 * np.sin(heading)))
        cv2.line(back, (round(x), round(y)), tip, (40, 95, 60, 255), 4, cv2.LINE_AA)
    return back
