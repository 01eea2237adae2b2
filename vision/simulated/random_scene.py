"""Draws whole tables at random: every parameter comes from the generator that is passed in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.games.takenoko.hexgrid import POND, Edge, Hex, neighbours
from companion.games.takenoko.pieces import Colour, Improvement
from vision.art.look import FLAT, KIT, PAINTED, PRINTED, Look
from vision.art.random_look import bgr_from_hsv, jittered, random_look
from vision.camera_file import CameraModel, Markers, Pieces
from vision.geometry import View
from vision.simulated import clutter as things
from vision.simulated.scene import (
    ChannelPiece,
    Clutter,
    FigurePiece,
    Grid,
    Hand,
    Imaging,
    Lamp,
    Lighting,
    MarkerCard,
    Mat,
    PieceLook,
    Point,
    Scene,
    TableTop,
    TilePiece,
    Vector,
)
from vision.simulated.textures import KINDS

_COLOURS = tuple(Colour)
_IMPROVEMENTS = tuple(Improvement)


def _u(rng: np.random.Generator, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


def _chance(rng: np.random.Generator, p: float) -> bool:
    return bool(rng.uniform() < p)


def _linear(bgr: tuple[int, int, int]) -> Vector:
    b, g, r = ((c / 255) ** 2.2 for c in bgr)
    return b, g, r


def random_pieces(rng: np.random.Generator) -> Pieces:
    """Sizes of one box."""
    across = _u(rng, 50, 90) if _chance(rng, 0.6) else _u(rng, 66, 74)
    scale = across / 70
    waist = _u(rng, 8, 16) * (0.6 + 0.4 * scale)
    return Pieces(
        tile_across_flats_mm=across,
        tile_thickness_mm=_u(rng, 1.0, 3.0),
        section_height_mm=_u(rng, 10, 24) * (0.5 + 0.5 * scale),
        section_diameter_mm=waist,
        channel_mm=(across * _u(rng, 0.48, 0.58), _u(rng, 4, 8) * scale, _u(rng, 3, 8) * scale),
        section_foot_mm=waist * _u(rng, 1.0, 1.6),
        chip_mm=_u(rng, 17, 25) * scale,
        gardener_mm=_u(rng, 34, 54) * scale,
        panda_mm=_u(rng, 28, 42) * scale,
    )


def random_piece_look(rng: np.random.Generator) -> PieceLook:
    """How the wooden pieces of one box look."""
    green = bgr_from_hsv(_u(rng, 78, 150), _u(rng, 0.55, 1), _u(rng, 0.3, 0.8))
    yellow = bgr_from_hsv(_u(rng, 33, 54), _u(rng, 0.6, 1), _u(rng, 0.7, 1))
    pink = bgr_from_hsv(_u(rng, 325, 368), _u(rng, 0.4, 0.85), _u(rng, 0.65, 1))
    water = bgr_from_hsv(_u(rng, 192, 222), _u(rng, 0.4, 0.95), _u(rng, 0.4, 0.95))
    bodies = ((120, 60, 25), (30, 50, 90), (20, 35, 60), (60, 60, 60), (50, 90, 40))
    body = (
        bodies[int(rng.integers(len(bodies)))]
        if _chance(rng, 0.7)
        else bgr_from_hsv(_u(rng, 0, 360), _u(rng, 0, 0.8), _u(rng, 0.1, 0.7))
    )
    straw = (
        bgr_from_hsv(_u(rng, 28, 48), _u(rng, 0.3, 0.7), _u(rng, 0.55, 0.95))
        if _chance(rng, 0.85)
        else bgr_from_hsv(_u(rng, 0, 360), _u(rng, 0, 0.7), _u(rng, 0.1, 0.8))
    )
    return PieceLook(
        bamboo=dict(zip(_COLOURS, (_linear(green), _linear(yellow), _linear(pink)), strict=True)),
        channel=_linear(water),
        gloss=(_u(rng, 0.02, 0.5), _u(rng, 10, 80)),
        profile=str(rng.choice(["spool", "spool", "knuckle", "cylinder", "foot"])),
        hole=_chance(rng, 0.35),
        stamp=_chance(rng, 0.3),
        channel_bevel=_u(rng, 0.2, 1.6),
        around=24,
        gardener=str(rng.choice(["cone_hat", "cone_hat", "topknot", "cone"])),
        gardener_body=_linear(body),
        gardener_hat=_linear(straw),
        panda=str(rng.choice(["seated", "seated", "standing"])),
        panda_base=_chance(rng, 0.3),
        mottle=_u(rng, 0.0, 0.08),
    )


def random_cells(count: int, rng: np.random.Generator) -> list[Hex]:
    """Cells of a legal-looking garden: each touches the pond or two others."""
    laid = [POND]
    taken = {POND}
    while len(laid) <= count:
        options = {n for cell in laid for n in neighbours(cell) if n not in taken}
        legal = sorted(o for o in options if POND in neighbours(o) or sum(n in taken for n in neighbours(o)) >= 2)
        cell = legal[int(rng.integers(len(legal)))]
        laid.append(cell)
        taken.add(cell)
    return laid


def stable_tile(
    at: Hex, grid: Grid, pieces: Pieces, rng: np.random.Generator, loose_mm: float, loose_turn: float
) -> TilePiece:
    """A bare tile as a hand lays it, and where its stalk, chip and badge would be."""
    across = pieces.tile_across_flats_mm
    x, y = grid.centre_mm(at)
    steps = tuple((float(rng.normal(0, 0.35)), float(rng.normal(0, 0.35))) for _ in range(5))
    spread = across * _u(rng, 0.01, 0.09)
    # A chip lies off the middle, where a stalk stands or will stand.
    away, heading = across * _u(rng, 0.22, 0.34), _u(rng, 0, 2 * np.pi)
    return TilePiece(
        at=at,
        centre_mm=(x + float(rng.normal(0, loose_mm)), y + float(rng.normal(0, loose_mm))),
        turn=grid.angle + int(rng.integers(6)) * np.pi / 3 + float(rng.normal(0, loose_turn)),
        colour=None,
        seed=int(rng.integers(2**31)),
        badge_turn=float(rng.normal(0, 0.1)) if _chance(rng, 0.7) else _u(rng, 0, 2 * np.pi),
        foot_mm=(float(rng.normal(0, spread)), float(rng.normal(0, spread))),
        steps_mm=steps,
        chip_at_mm=(away * float(np.cos(heading)), away * float(np.sin(heading))),
        chip_turn=_u(rng, 0, 2 * np.pi),
    )


def standing_place(
    tile: TilePiece, pieces: Pieces, reach: float, rng: np.random.Generator, taken: Sequence[Point] = ()
) -> Point:
    """Where a figure of this radius stands on a tile, clear of its stalk and of other figures."""
    room = pieces.tile_across_flats_mm * 0.5 - reach * 0.4
    avoid = list(taken)
    if tile.bamboo:
        avoid.append((tile.centre_mm[0] + tile.foot_mm[0], tile.centre_mm[1] + tile.foot_mm[1]))
    best, best_gap = tile.centre_mm, -1.0
    for _ in range(24):
        away, heading = room * np.sqrt(_u(rng, 0, 1)) * 0.85, _u(rng, 0, 2 * np.pi)
        at = (tile.centre_mm[0] + float(away * np.cos(heading)), tile.centre_mm[1] + float(away * np.sin(heading)))
        gap = min((float(np.hypot(at[0] - a[0], at[1] - a[1])) for a in avoid), default=1e9)
        if gap > reach + pieces.section_foot_mm * 0.5:
            return at
        if gap > best_gap:
            best, best_gap = at, gap
    return best


def channel_between(
    one: TilePiece, other: TilePiece, edge: Edge, rng: np.random.Generator, loose: float = 0.7
) -> ChannelPiece:
    """A channel on the edge between two tiles as they really lie."""
    a, b = np.asarray(one.centre_mm), np.asarray(other.centre_mm)
    across = b - a
    middle = (a + b) / 2 + rng.normal(0, loose, 2)
    angle = float(np.arctan2(across[1], across[0])) + np.pi / 2 + float(rng.normal(0, 0.035))
    return ChannelPiece(edge, (float(middle[0]), float(middle[1])), angle)


def _garden(
    count: int, grid: Grid, pieces: Pieces, rng: np.random.Generator
) -> tuple[list[TilePiece], list[ChannelPiece]]:
    loose_mm, loose_turn = _u(rng, 0.1, 1.0), float(np.radians(_u(rng, 0.1, 1.6)))
    p_bamboo, p_mark, p_chip = _u(rng, 0.3, 0.95), _u(rng, 0.15, 0.8), _u(rng, 0.1, 0.7)
    tiles: list[TilePiece] = []
    for cell in random_cells(count, rng):
        tile = stable_tile(cell, grid, pieces, rng, loose_mm, loose_turn)
        if cell != POND:
            mark = _IMPROVEMENTS[int(rng.integers(3))] if _chance(rng, p_mark) else None
            tile = replace(
                tile,
                colour=_COLOURS[int(rng.integers(3))],
                improvement=mark,
                chip=mark is not None and _chance(rng, p_chip),
                bamboo=int(rng.integers(1, 5)) if _chance(rng, p_bamboo) else 0,
            )
        tiles.append(tile)
    by_cell = {t.at: t for t in tiles}
    edges = sorted(
        {Edge.of(t.at, n) for t in tiles for n in neighbours(t.at) if n in by_cell and POND not in (t.at, n)}
    )
    share = _u(rng, 0.05, 0.7) if _chance(rng, 0.85) else 0.0
    channels = [channel_between(by_cell[e.a], by_cell[e.b], e, rng) for e in edges if _chance(rng, share)]
    return tiles, channels


def random_camera(rng: np.random.Generator, width: int, height: int, pieces: Pieces, art: str) -> CameraModel:
    """Intrinsics of a plausible camera."""
    focal = width * float(np.exp(rng.uniform(np.log(0.6), np.log(1.25))))
    bent = _chance(rng, 0.7)
    dictionary = str(rng.choice(["DICT_4X4_50", "DICT_APRILTAG_36h11"]))
    return CameraModel(
        width=width,
        height=height,
        fx=focal,
        fy=focal * _u(rng, 0.997, 1.003),
        cx=width * (0.5 + float(rng.normal(0, 0.008))) - 0.5,
        cy=height * (0.5 + float(rng.normal(0, 0.008))) - 0.5,
        dist=(
            float(rng.normal(0, 0.05)) if bent else 0.0,
            float(rng.normal(0, 0.02)) if bent else 0.0,
            float(rng.normal(0, 0.0006)),
            float(rng.normal(0, 0.0006)),
            0.0,
        ),
        markers=Markers(dictionary, _u(rng, 30, 60) if _chance(rng, 0.5) else 40.0, (0, 1, 2, 3)),
        pieces=pieces,
        art=art,
    )


def look_at(eye: np.ndarray, target: np.ndarray, roll: float) -> tuple[Vector, Vector]:
    """Rotation vector and translation of a camera at `eye` that looks at `target`."""
    forward = target - eye
    forward = forward / np.linalg.norm(forward)
    side = np.cross(forward, [0.0, 0.0, 1.0])
    side = side / np.linalg.norm(side) if np.linalg.norm(side) > 1e-6 else np.array([1.0, 0.0, 0.0])
    down = np.cross(forward, side)
    c, s = np.cos(roll), np.sin(roll)
    rotation = np.stack([c * side + s * down, -s * side + c * down, forward])
    rvec = cv2.Rodrigues(rotation)[0].reshape(3)
    tvec = -rotation @ eye
    return (float(rvec[0]), float(rvec[1]), float(rvec[2])), (float(tvec[0]), float(tvec[1]), float(tvec[2]))


def random_pose(
    camera: CameraModel,
    tiles: Sequence[TilePiece],
    rng: np.random.Generator,
    elevation_deg: float | None,
    fill: float | None,
) -> tuple[Vector, Vector]:
    """A camera that sees the garden, filling about `fill` of the picture."""
    choice = rng.uniform()
    if elevation_deg is None:
        elevation_deg = _u(rng, 35, 90) if choice < 0.4 else _u(rng, 36, 62) if choice < 0.85 else _u(rng, 78, 90)
    fill = fill if fill is not None else _u(rng, 0.4, 0.95)
    points = np.array([t.centre_mm for t in tiles])
    reach = camera.pieces.tile_across_flats_mm * 0.6
    low, high = points.min(axis=0) - reach, points.max(axis=0) + reach
    middle = np.append((low + high) / 2, 0.0)
    turn, roll = _u(rng, 0, 2 * np.pi), float(rng.normal(0, np.radians(4)))
    if elevation_deg > 75 and _chance(rng, 0.5):
        roll = _u(rng, 0, 2 * np.pi)
    c, s = np.cos(np.radians(elevation_deg)), np.sin(np.radians(elevation_deg))
    aim = np.array([c * np.cos(turn), c * np.sin(turn), s])
    corners = np.array([(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (0.0, 40.0)])
    span = float(np.hypot(*(high - low)))
    distance = span * camera.fx / camera.width / fill
    rvec, tvec = look_at(middle + aim * distance, middle, roll)
    for _ in range(4):
        view = View(camera, np.asarray(rvec), np.asarray(tvec))
        px = view.project(corners)
        used = max(
            (px[:, 0].max() - px[:, 0].min()) / camera.width, (px[:, 1].max() - px[:, 1].min()) / camera.height, 0.05
        )
        distance = float(np.clip(distance * used / fill, 220.0, 2600.0))
        # Nobody aims perfectly: shift so that the garden stays inside.
        rvec, tvec = look_at(middle + aim * distance, middle, roll)
    slack = max(0.0, 1 - fill) * 0.35
    aside = np.array([rng.uniform(-slack, slack) * camera.width, rng.uniform(-slack, slack) * camera.height])
    shift = aside / camera.fx * distance
    return rvec, (tvec[0] + float(shift[0]), tvec[1] + float(shift[1]), tvec[2])


def random_lighting(rng: np.random.Generator, middle: Point) -> Lighting:
    """One to three lamps and the light of the room; the sum at the table's middle is about 1."""
    count = int(rng.choice([1, 1, 2, 2, 3]))
    harsh = _chance(rng, 0.45)
    ambient_share = _u(rng, 0.1, 0.45) if harsh else _u(rng, 0.3, 0.85)
    shares = rng.dirichlet(np.full(count, 1.2)) * (1 - ambient_share)
    warm = float(rng.normal(0, 0.18))
    lamps = []
    for share in shares:
        turn, steep = _u(rng, 0, 2 * np.pi), np.radians(_u(rng, 22, 85))
        distance = float(np.exp(rng.uniform(np.log(500), np.log(5000))))
        at = (
            middle[0] + distance * float(np.cos(steep) * np.cos(turn)),
            middle[1] + distance * float(np.cos(steep) * np.sin(turn)),
            max(320.0, distance * float(np.sin(steep))),
        )
        tint = warm + float(rng.normal(0, 0.1))
        colour = np.exp(np.array([-tint, float(rng.normal(0, 0.03)), tint]))
        if _chance(rng, 0.08):
            colour = np.exp(rng.normal(0, 0.35, 3))
        size = float(np.exp(rng.uniform(np.log(0.02), np.log(0.35))))
        if harsh and _chance(rng, 0.6):
            size = _u(rng, 0.0, 0.015)
        window = None
        if harsh and _chance(rng, 0.25):
            window = (_u(rng, 150, 500), _u(rng, 0.15, 0.6), _u(rng, 0, np.pi), _u(rng, 4, 40))
        b, g, r = (float(v) for v in colour * share)
        lamps.append(Lamp(at, (b, g, r), size, window))
    tint = warm * 0.5 + float(rng.normal(0, 0.08))
    b, g, r = (float(v) for v in np.exp(np.array([-tint, 0.0, tint])) * ambient_share)
    return Lighting(tuple(lamps), (b, g, r))


def random_imaging(rng: np.random.Generator, scale: float) -> Imaging:
    """What the camera does; `scale` is the picture's width over 1640."""
    bad = _chance(rng, 0.4)
    strong = _u(rng, 4, 14) if bad else _u(rng, 0.3, 4)
    motion, heading = (_u(rng, 0, 4) * scale if _chance(rng, 0.15) else 0.0), _u(rng, 0, np.pi)
    cast = np.exp(rng.normal(0, 0.1, 3))
    b, g, r = (float(v) for v in cast / cast.mean())
    return Imaging(
        exposure=float(np.exp(rng.uniform(np.log(0.28), np.log(1.15)))),
        white_balance=(b, g, r),
        gamma=_u(rng, 1.9, 2.5),
        vignette=_u(rng, 0, 0.45),
        defocus_px=(_u(rng, 0.8, 2.2) if _chance(rng, 0.2) else _u(rng, 0.2, 0.9)) * (0.4 + 0.6 * scale),
        motion_px=(motion * float(np.cos(heading)), motion * float(np.sin(heading))),
        sharpen=_u(rng, 0, 1.0) if _chance(rng, 0.35) else 0.0,
        noise=strong * _u(rng, 0.5, 1),
        chroma_noise=strong * _u(rng, 0.1, 0.8),
        noise_blur_px=_u(rng, 0, 1.0),
        jpeg=int(rng.integers(55, 97)) if _chance(rng, 0.85) else None,
    )


def random_table(rng: np.random.Generator) -> TableTop:
    """A table top; now and then its edge is in sight."""
    reach = 420.0
    extent = (-_u(rng, reach, 950), -_u(rng, reach, 950), _u(rng, reach, 950), _u(rng, reach, 950))
    if _chance(rng, 0.4):
        extent = (-2000.0, -2000.0, 2000.0, 2000.0)
    gloss = _u(rng, 0.0, 0.1) if _chance(rng, 0.6) else _u(rng, 0.1, 0.8)
    room = bgr_from_hsv(_u(rng, 0, 360), _u(rng, 0, 0.5), _u(rng, 0.02, 0.25))
    return TableTop(
        str(rng.choice(KINDS)), int(rng.integers(2**31)), _u(rng, 0, 2 * np.pi), (gloss, _u(rng, 8, 300)), extent, room
    )


def _paper(
    rng: np.random.Generator, middle: Point, radius: float, markers: Markers
) -> tuple[Mat | None, tuple[MarkerCard, ...]]:
    """A printed mat with markers in its corners, loose cards, or nothing."""
    size = markers.size_mm
    choice = rng.uniform()
    if choice < 0.12:
        return None, ()
    if choice < 0.55:
        turn = _u(rng, 0, 2 * np.pi)
        half = np.array([radius * _u(rng, 1.05, 1.5) + size, radius * _u(rng, 1.05, 1.3) + size])
        kind = rng.uniform()
        if kind < 0.6:
            colour = bgr_from_hsv(_u(rng, 25, 60), _u(rng, 0, 0.2), _u(rng, 0.8, 1))
        elif kind < 0.8:
            colour = bgr_from_hsv(_u(rng, 80, 160), _u(rng, 0.2, 0.7), _u(rng, 0.25, 0.6))
        else:
            colour = bgr_from_hsv(_u(rng, 0, 360), _u(rng, 0, 0.8), _u(rng, 0.1, 0.9))
        mat = Mat(
            middle,
            turn,
            (2 * float(half[0]), 2 * float(half[1])),
            colour,
            (120, 125, 125) if _chance(rng, 0.6) else None,
            int(rng.integers(2**31)),
            _u(rng, 0, 0.06),
        )
        inset = size * _u(rng, 0.7, 0.95)
        on_white = sum(colour) < 600 or _chance(rng, 0.3)
        c, s = np.cos(turn), np.sin(turn)
        cards = []
        for marker, (sx, sy) in enumerate(((-1, 1), (1, 1), (1, -1), (-1, -1))):
            x, y = sx * (half[0] - inset), sy * (half[1] - inset)
            at = (middle[0] + float(c * x - s * y), middle[1] + float(s * x + c * y))
            cards.append(MarkerCard(marker, at, turn, size * 1.3 if on_white else 0.0))
        return mat, tuple(cards)
    cards = []
    start = _u(rng, 0, 2 * np.pi)
    for marker in range(4):
        if _chance(rng, 0.12):
            continue
        heading = start + marker * np.pi / 2 + float(rng.normal(0, 0.3))
        away = radius + size * _u(rng, 0.9, 1.8)
        at = (middle[0] + away * float(np.cos(heading)), middle[1] + away * float(np.sin(heading)))
        cards.append(MarkerCard(marker, at, _u(rng, 0, 2 * np.pi), size * _u(rng, 1.2, 1.6)))
    return None, tuple(cards)


# How much room the kinds of clutter need, millimetres about their middle.
_ROOM = {
    "mug": 65, "glass": 48, "bowl": 80, "die": 16, "pencil": 60, "phone": 90, "deck": 52, "card_row": 105,
    "board": 110, "spare_sections": 50, "spare_channels": 40, "spare_tiles": 48, "coin": 16, "book": 140, "chips": 45,
}  # fmt: skip


def _clutter(
    rng: np.random.Generator, tiles: Sequence[TilePiece], across: float, cards: Sequence[MarkerCard]
) -> tuple[Clutter, ...]:
    """Things around the garden and in its bays, clear of tiles, cards and each other."""
    centres = np.array([t.centre_mm for t in tiles])
    low, high = centres.min(axis=0) - across - 260, centres.max(axis=0) + across + 260
    papers = np.array([c.centre_mm for c in cards]).reshape(-1, 2)
    laid: list[Clutter] = []
    wanted = int(rng.integers(0, 9))
    for _ in range(wanted * 4):
        if len(laid) == wanted:
            break
        kind = str(rng.choice(things.KINDS))
        room = _ROOM[kind]
        at = rng.uniform(low, high)
        clear = (
            float(np.linalg.norm(centres - at, axis=1).min()) > across * 0.56 + room
            and all(np.linalg.norm(papers - at, axis=1) > room + 35)
            and all(np.hypot(*(at - o.centre_mm)) > room + _ROOM[o.kind] for o in laid)
        )
        if clear:
            laid.append(Clutter(kind, (float(at[0]), float(at[1])), _u(rng, 0, 2 * np.pi), int(rng.integers(2**31))))
    return tuple(laid)


def draw_look(rng: np.random.Generator, name: str | None) -> Look:
    """One of the named looks from another printer, or one that nobody has seen."""
    named = {"painted": PAINTED, "flat": FLAT, "printed": PRINTED, "kit": KIT}
    if name is None:
        name = str(rng.choice(["painted", "flat", "printed", "kit", "random"], p=[0.25, 0.15, 0.17, 0.08, 0.35]))
    return jittered(named[name], rng, _u(rng, 0.3, 1.5)) if name in named else random_look(rng)


def random_scene(
    rng: np.random.Generator,
    *,
    width: int = 1024,
    height: int = 768,
    plots: int | None = None,
    look: str | None = None,
    elevation_deg: float | None = None,
    fill: float | None = None,
    hand: bool | None = None,
    pieces: Pieces | None = None,
) -> Scene:
    """A table that nobody has seen.

    Args:
        rng: decides everything that is not given.
        width: columns of the picture.
        height: rows of the picture.
        plots: how many plots lie there, 1 to 27.
        look: `painted`, `flat`, `printed`, `kit` or `random`.
        elevation_deg: of the camera above the table plane.
        fill: share of the picture that the garden fills.
        hand: whether a hand reaches in; default now and then.
        pieces: the sizes in the box.
    """
    drawn_look = draw_look(rng, look)
    pieces = pieces if pieces is not None else random_pieces(rng)
    across = pieces.tile_across_flats_mm
    gap = _u(rng, 0.0, 4.0) if _chance(rng, 0.6) else _u(rng, 0.0, 1.5)
    grid = Grid((float(rng.normal(0, 30)), float(rng.normal(0, 30))), _u(rng, 0, 2 * np.pi), across + gap)
    count = plots if plots is not None else int(rng.integers(1, 28))
    tiles, channels = _garden(count, grid, pieces, rng)
    camera = random_camera(rng, width, height, pieces, drawn_look.name)
    rvec, tvec = random_pose(camera, tiles, rng, elevation_deg, fill)
    centres = np.array([t.centre_mm for t in tiles])
    middle_xy = (centres.min(axis=0) + centres.max(axis=0)) / 2
    middle = (float(middle_xy[0]), float(middle_xy[1]))
    radius = float(np.linalg.norm(centres - middle_xy, axis=1).max()) + across * 0.6
    mat, markers = _paper(rng, middle, radius, camera.markers)
    gardener = panda = None
    on = [tiles[int(rng.integers(len(tiles)))] for _ in range(2)]
    if _chance(rng, 0.12):
        on[1] = on[0]
    if _chance(rng, 0.95):
        place = standing_place(on[0], pieces, pieces.gardener_mm * 0.25, rng)
        gardener = FigurePiece(on[0].at, place, _u(rng, 0, 2 * np.pi))
    if _chance(rng, 0.95):
        taken = [gardener.stand_mm] if gardener is not None else []
        place = standing_place(on[1], pieces, pieces.panda_mm * 0.35, rng, taken)
        panda = FigurePiece(on[1].at, place, _u(rng, 0, 2 * np.pi))
    reaching = None
    if hand or (hand is None and _chance(rng, 0.15)):
        x, y = tiles[int(rng.integers(len(tiles)))].centre_mm
        reaching = Hand(
            (x + float(rng.normal(0, 20)), y + float(rng.normal(0, 20)), _u(rng, 0, 50)),
            _u(rng, 0, 2 * np.pi),
            int(rng.integers(2**31)),
        )
    return Scene(
        camera=camera,
        rvec=rvec,
        tvec=tvec,
        grid=grid,
        look=drawn_look,
        piece_look=random_piece_look(rng),
        tiles=tuple(tiles),
        channels=tuple(channels),
        gardener=gardener,
        panda=panda,
        markers=markers,
        mat=mat,
        table=random_table(rng),
        clutter=_clutter(rng, tiles, across, markers),
        hand=reaching,
        lighting=random_lighting(rng, middle),
        imaging=random_imaging(rng, width / 1640),
    )
