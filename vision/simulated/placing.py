"""Where hands lay tiles, channels and figures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.games.takenoko.hexgrid import POND, Edge, Hex, neighbours
from vision.camera_file import Pieces
from vision.simulated.chance import chance, uniform
from vision.simulated.scene import (
    ChannelPiece,
    Grid,
    Point,
    TilePiece,
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
    spread = across * uniform(rng, 0.01, 0.09)
    # A chip lies off the middle, where a stalk stands or will stand.
    away, heading = across * uniform(rng, 0.22, 0.34), uniform(rng, 0, 2 * np.pi)
    return TilePiece(
        at=at,
        centre_mm=(x + float(rng.normal(0, loose_mm)), y + float(rng.normal(0, loose_mm))),
        turn=grid.angle + int(rng.integers(6)) * np.pi / 3 + float(rng.normal(0, loose_turn)),
        colour=None,
        seed=int(rng.integers(2**31)),
        badge_turn=float(rng.normal(0, 0.1)) if chance(rng, 0.7) else uniform(rng, 0, 2 * np.pi),
        foot_mm=(float(rng.normal(0, spread)), float(rng.normal(0, spread))),
        steps_mm=steps,
        chip_at_mm=(away * float(np.cos(heading)), away * float(np.sin(heading))),
        chip_turn=uniform(rng, 0, 2 * np.pi),
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
        away, heading = room * np.sqrt(uniform(rng, 0, 1)) * 0.85, uniform(rng, 0, 2 * np.pi)
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
