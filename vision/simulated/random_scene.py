"""Draws whole tables at random: every parameter comes from the generator that is passed in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.games.takenoko.hexgrid import POND, Edge, Hex, neighbours
from companion.games.takenoko.pieces import Colour, Improvement
from vision.art.look import FLAT, KIT, PAINTED, PRINTED, Look
from vision.art.random_look import bgr_from_hsv, jittered, random_look
from vision.camera_file import Markers, Pieces
from vision.simulated import clutter as things
from vision.simulated.chance import chance, uniform
from vision.simulated.placing import channel_between, random_cells, stable_tile, standing_place
from vision.simulated.random_camera import random_camera, random_pose
from vision.simulated.random_parts import (
    random_imaging,
    random_lighting,
    random_piece_look,
    random_pieces,
    random_table,
)
from vision.simulated.scene import (
    ChannelPiece,
    Clutter,
    FigurePiece,
    Grid,
    Hand,
    MarkerCard,
    Mat,
    Point,
    Scene,
    TilePiece,
)

_COLOURS = tuple(Colour)
_IMPROVEMENTS = tuple(Improvement)


def _garden(
    cells: Sequence[Hex], grid: Grid, pieces: Pieces, rng: np.random.Generator
) -> tuple[list[TilePiece], list[ChannelPiece]]:
    loose_mm, loose_turn = uniform(rng, 0.1, 1.0), float(np.radians(uniform(rng, 0.1, 1.6)))
    p_bamboo, p_mark, p_chip = uniform(rng, 0.3, 0.95), uniform(rng, 0.15, 0.8), uniform(rng, 0.1, 0.7)
    tiles: list[TilePiece] = []
    for cell in cells:
        tile = stable_tile(cell, grid, pieces, rng, loose_mm, loose_turn)
        if cell != POND:
            mark = _IMPROVEMENTS[int(rng.integers(3))] if chance(rng, p_mark) else None
            tile = replace(
                tile,
                colour=_COLOURS[int(rng.integers(3))],
                improvement=mark,
                chip=mark is not None and chance(rng, p_chip),
                bamboo=int(rng.integers(1, 5)) if chance(rng, p_bamboo) else 0,
            )
        tiles.append(tile)
    by_cell = {t.at: t for t in tiles}
    edges = sorted(
        {Edge.of(t.at, n) for t in tiles for n in neighbours(t.at) if n in by_cell and POND not in (t.at, n)}
    )
    share = uniform(rng, 0.05, 0.7) if chance(rng, 0.85) else 0.0
    channels = [channel_between(by_cell[e.a], by_cell[e.b], e, rng) for e in edges if chance(rng, share)]
    return tiles, channels


def _paper(
    rng: np.random.Generator, middle: Point, radius: float, markers: Markers
) -> tuple[Mat | None, tuple[MarkerCard, ...]]:
    """A printed mat with markers in its corners, loose cards, or nothing."""
    size = markers.size_mm
    choice = rng.uniform()
    if choice < 0.12:
        return None, ()
    if choice < 0.55:
        turn = uniform(rng, 0, 2 * np.pi)
        half = np.array([radius * uniform(rng, 1.05, 1.5) + size, radius * uniform(rng, 1.05, 1.3) + size])
        kind = rng.uniform()
        if kind < 0.6:
            colour = bgr_from_hsv(uniform(rng, 25, 60), uniform(rng, 0, 0.2), uniform(rng, 0.8, 1))
        elif kind < 0.8:
            colour = bgr_from_hsv(uniform(rng, 80, 160), uniform(rng, 0.2, 0.7), uniform(rng, 0.25, 0.6))
        else:
            colour = bgr_from_hsv(uniform(rng, 0, 360), uniform(rng, 0, 0.8), uniform(rng, 0.1, 0.9))
        mat = Mat(
            middle,
            turn,
            (2 * float(half[0]), 2 * float(half[1])),
            colour,
            (120, 125, 125) if chance(rng, 0.6) else None,
            int(rng.integers(2**31)),
            uniform(rng, 0, 0.06),
        )
        inset = size * uniform(rng, 0.7, 0.95)
        on_white = sum(colour) < 600 or chance(rng, 0.3)
        c, s = np.cos(turn), np.sin(turn)
        cards = []
        for marker, (sx, sy) in enumerate(((-1, 1), (1, 1), (1, -1), (-1, -1))):
            x, y = sx * (half[0] - inset), sy * (half[1] - inset)
            at = (middle[0] + float(c * x - s * y), middle[1] + float(s * x + c * y))
            cards.append(MarkerCard(marker, at, turn, size * 1.3 if on_white else 0.0))
        return mat, tuple(cards)
    cards = []
    start = uniform(rng, 0, 2 * np.pi)
    for marker in range(4):
        if chance(rng, 0.12):
            continue
        heading = start + marker * np.pi / 2 + float(rng.normal(0, 0.3))
        away = radius + size * uniform(rng, 0.9, 1.8)
        at = (middle[0] + away * float(np.cos(heading)), middle[1] + away * float(np.sin(heading)))
        cards.append(MarkerCard(marker, at, uniform(rng, 0, 2 * np.pi), size * uniform(rng, 1.2, 1.6)))
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
            laid.append(
                Clutter(kind, (float(at[0]), float(at[1])), uniform(rng, 0, 2 * np.pi), int(rng.integers(2**31)))
            )
    return tuple(laid)


def draw_look(rng: np.random.Generator, name: str | None) -> Look:
    """One of the named looks from another printer, or one that nobody has seen."""
    named = {"painted": PAINTED, "flat": FLAT, "printed": PRINTED, "kit": KIT}
    if name is None:
        name = str(rng.choice(["painted", "flat", "printed", "kit", "random"], p=[0.25, 0.15, 0.17, 0.08, 0.35]))
    return jittered(named[name], rng, uniform(rng, 0.3, 1.5)) if name in named else random_look(rng)


def random_scene(
    rng: np.random.Generator,
    *,
    width: int = 1024,
    height: int = 768,
    plots: int | None = None,
    cells: Sequence[Hex] | None = None,
    look: str | None = None,
    elevation_deg: float | None = None,
    fill: float | None = None,
    hand: bool | None = None,
    pieces: Pieces | None = None,
    centred: bool = False,
) -> Scene:
    """A table that nobody has seen.

    Args:
        rng: decides everything that is not given.
        width: columns of the picture.
        height: rows of the picture.
        plots: how many plots lie there, 0 to 27.
        cells: the cells of the garden instead, the pond among them.
        look: `painted`, `flat`, `printed`, `kit` or `random`.
        elevation_deg: of the camera above the table plane.
        fill: share of the picture that the garden fills.
        hand: whether a hand reaches in; default now and then.
        pieces: the sizes in the box.
        centred: whether the camera is aimed at the garden's middle.
    """
    drawn_look = draw_look(rng, look)
    pieces = pieces if pieces is not None else random_pieces(rng)
    across = pieces.tile_across_flats_mm
    gap = uniform(rng, 0.0, 4.0) if chance(rng, 0.6) else uniform(rng, 0.0, 1.5)
    grid = Grid((float(rng.normal(0, 30)), float(rng.normal(0, 30))), uniform(rng, 0, 2 * np.pi), across + gap)
    if cells is None:
        cells = random_cells(plots if plots is not None else int(rng.integers(28)), rng)
    tiles, channels = _garden(cells, grid, pieces, rng)
    camera = random_camera(rng, width, height, pieces, drawn_look.name)
    rvec, tvec = random_pose(camera, tiles, rng, elevation_deg, fill, centred)
    centres = np.array([t.centre_mm for t in tiles])
    middle_xy = (centres.min(axis=0) + centres.max(axis=0)) / 2
    middle = (float(middle_xy[0]), float(middle_xy[1]))
    radius = float(np.linalg.norm(centres - middle_xy, axis=1).max()) + across * 0.6
    mat, markers = _paper(rng, middle, radius, camera.markers)
    gardener = panda = None
    on = [tiles[int(rng.integers(len(tiles)))] for _ in range(2)]
    if chance(rng, 0.12):
        on[1] = on[0]
    if chance(rng, 0.95):
        place = standing_place(on[0], pieces, pieces.gardener_mm * 0.25, rng)
        gardener = FigurePiece(on[0].at, place, uniform(rng, 0, 2 * np.pi))
    if chance(rng, 0.95):
        taken = [gardener.stand_mm] if gardener is not None else []
        place = standing_place(on[1], pieces, pieces.panda_mm * 0.35, rng, taken)
        panda = FigurePiece(on[1].at, place, uniform(rng, 0, 2 * np.pi))
    reaching = None
    if hand or (hand is None and chance(rng, 0.15)):
        x, y = tiles[int(rng.integers(len(tiles)))].centre_mm
        reaching = Hand(
            (x + float(rng.normal(0, 20)), y + float(rng.normal(0, 20)), uniform(rng, 0, 50)),
            uniform(rng, 0, 2 * np.pi),
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
