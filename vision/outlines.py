"""Where each tile lies, from its outline.

A tile's rim looks the same on all six sides and on all tiles of a table, whatever it looks like: a pale edge, a dark
band, both, or nothing but the gap. So the profile of edges across a side is learned from this very picture, as the mean
over all sides of all tiles, and every tile is then moved and turned until its own six sides match it. Opposite sides
hold each other: a shift that suits one spoils the other, and a bright inner rim cannot pass for the outer one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.hexgrid import Hex
from vision.edges import EdgeField
from vision.geometry import Floats, rotation_2d
from vision.lattice import Lattice, TilePlace

_STATIONS = np.array([-0.33, -0.17, 0.0, 0.17, 0.33])
_FEW_STATIONS = np.array([-0.22, 0.22])
"""Where a side is read, in sides of the tile from its middle; the corners are left out, they are often rounded."""
_STEP = 0.6 / 70.0
"""Distances across a side are read at such steps, in tiles across flats (0.6 mm of a usual tile)."""
_INSIDE, _OUTSIDE, _SHIFT = 20, 3, 8
"""Steps of the profile inside and outside the side, and of the largest shift that is tried."""
_TURNS = np.radians(np.arange(-3.0, 3.01, 1.5))
_LEARN = 3
"""Rounds of learning the profile and placing the tiles by it."""
_RARER = 0.6
"""How much the match must gain, as a share of a perfect one, for the largest shift to be believed."""


def _profiles(
    edges: EdgeField, lattice: Lattice, cells: Sequence[Hex], steps: Floats, stations: Floats
) -> NDArray[np.float32]:
    """Edge strength across the sides: (cells, 6 sides, stations, distances), distances outwards in steps."""
    flats = lattice.across_flats_mm
    across = flats / 2.0 + steps * _STEP * flats
    directions = lattice.angle + np.arange(6) * np.pi / 3
    normal, along = _axes(directions)
    about = (
        across[None, None, :, None] * normal[:, None, None]
        + (stations * flats / math.sqrt(3.0))[None, :, None, None] * along[:, None, None]
    )
    # The patch is a scaled and turned table: one cell's points, shifted, are every cell's points.
    middle = np.asarray(edges.patch.to_px(np.zeros(2)))
    about_px = (edges.patch.to_px(about) - middle).astype(np.float32)
    centres_px = edges.patch.to_px(lattice.nominals_mm(cells)).astype(np.float32)
    return edges.along(centres_px[:, None, None, None] + about_px[None], directions)


def _axes(directions: Floats) -> tuple[Floats, Floats]:
    normal = np.stack([np.cos(directions), np.sin(directions)], axis=-1)
    return normal, np.stack([-normal[:, 1], normal[:, 0]], axis=-1)


def glance_at_tiles(edges: EdgeField, lattice: Lattice, cells: Sequence[Hex]) -> dict[Hex, TilePlace]:
    """How strong the outline of each cell is, with a rough shift and no turn: quick, for choosing among lattices."""
    if not cells:
        return {}
    flats = lattice.across_flats_mm
    reach = 5
    steps = 2.0 * np.arange(-reach, reach + 1).astype(np.float64)
    profile = _profiles(edges, lattice, cells, steps, _FEW_STATIONS).mean(axis=2)
    normal, _ = _axes(lattice.angle + np.arange(6) * np.pi / 3)
    grid = np.stack(np.meshgrid(*[np.arange(-3.0, 3.01, 1.5)] * 2, indexing="ij"), axis=-1).reshape(-1, 2)
    spots = np.rint(grid @ normal.T).astype(int) + reach
    total = np.mean([np.sqrt(profile[:, side])[:, spots[:, side]] for side in range(6)], axis=0)
    top = total.argmax(axis=1)
    rows = np.arange(len(cells))
    strength = np.mean([profile[rows, side, spots[top, side]] for side in range(6)], axis=0)
    shifts = grid[top] * 2.0 * _STEP * flats
    return {
        cell: TilePlace((float(at[0]), float(at[1])), 0.0, float(s))
        for cell, at, s in zip(cells, shifts, strength, strict=True)
    }


def measure_tiles(
    edges: EdgeField, lattice: Lattice, weights: Mapping[Hex, float], *, rough: bool = False
) -> dict[Hex, TilePlace]:
    """Where each cell's tile lies: its shift from the lattice, its turn, and how well its outline matches.

    Args:
        edges: of the rectified garden.
        lattice: shift, turn and pitch nearly right.
        weights: for every cell to be measured how surely it holds a tile; the profile is learned from the sure ones.
        rough: to a millimetre and without turns, for fitting the lattice, in a third of the time.
    """
    cells = list(weights)
    if not cells:
        return {}
    steps = np.arange(-_INSIDE - _SHIFT, _OUTSIDE + _SHIFT + 1).astype(float)
    profile = np.sqrt(_profiles(edges, lattice, cells, steps, _STATIONS))
    weight = np.array([weights[cell] for cell in cells])
    if weight.max() <= 0:
        weight = np.ones(len(cells))
    places = np.zeros((len(cells), 3))
    places[:, :2] = _common_shift(profile, weight)
    match = _matched(profile, _learned(profile, places, weight))
    for _ in range(1 if rough else _LEARN - 1):
        places, _ = _placed(match, np.average(places[:, :2], axis=0, weights=weight))
        match = _matched(profile, _learned(profile, places, weight))
    common = np.average(places[:, :2], axis=0, weights=weight)
    places, quality = _placed(match, common)
    if not rough:
        places, quality = _turned(match, places, common)
    shifts = places[:, :2] @ rotation_2d(lattice.angle).T * (_STEP * lattice.across_flats_mm)
    return {
        cell: TilePlace((float(shift[0]), float(shift[1])), float(at[2]), float(max(0.0, q)))
        for cell, shift, at, q in zip(cells, shifts, places, quality, strict=True)
    }


def _station_steps(turn: Floats | float) -> Floats:
    """How many steps outwards each station of a side moves with a turn (radians, counter-clockwise)."""
    return np.asarray(np.multiply.outer(turn, -_STATIONS / math.sqrt(3.0) / _STEP))


def _side_steps(shift: Floats) -> Floats:
    """Steps (..., 6) that each side moves outwards with a shift (..., 2), in the lattice's own axes."""
    directions = np.arange(6) * np.pi / 3
    return np.asarray(shift @ np.stack([np.cos(directions), np.sin(directions)]))


def _common_shift(profile: NDArray[np.float32], weight: Floats) -> Floats:
    """The shift (2,) of all tiles at once, in steps, under which the mean profiles of the six sides agree best.

    All tiles together tell it more surely than each alone: an inner rim is stronger than the outer one on many looks,
    and one tile can be shifted until three of its sides show the one and three the other.
    """
    sides = np.average(profile.mean(axis=2), axis=0, weights=weight)
    length = _INSIDE + _OUTSIDE + 1
    windows = np.stack([sides[:, shift : shift + length] for shift in range(2 * _SHIFT + 1)], axis=1)
    ticks = np.arange(-_SHIFT, _SHIFT + 1.0)
    grid = np.stack(np.meshgrid(ticks, ticks, indexing="ij"), axis=-1).reshape(-1, 2)
    grid = grid[np.linalg.norm(grid, axis=1) <= _SHIFT]
    index = np.clip(np.rint(_side_steps(grid)).astype(int) + _SHIFT, 0, 2 * _SHIFT)
    each = np.array([windows[side, index[:, side]] for side in range(6)])
    # Lines that all six sides share, both many and in the same place.
    common = each.mean(axis=0).var(axis=1)
    energy = common**2 / np.maximum(each.var(axis=2).mean(axis=0), 1e-9)
    return np.asarray(grid[(energy * (1.0 - 0.1 * (grid**2).sum(axis=1) / _SHIFT**2)).argmax()])


def _learned(profile: NDArray[np.float32], places: Floats, weight: Floats) -> Floats:
    """The mean profile of a side, all tiles moved to where they are held to lie; zero mean, unit length."""
    length = _INSIDE + _OUTSIDE + 1
    moved = _side_steps(places[:, :2])[:, :, None] + _station_steps(places[:, 2])[:, None, :]
    first = np.clip(np.rint(moved).astype(int) + _SHIFT, 0, 2 * _SHIFT)
    sure = np.flatnonzero(weight > 0.1 * weight.max())
    index = first[sure][..., None] + np.arange(length)
    aligned = np.take_along_axis(profile[sure], index, axis=3)
    rim = np.average(aligned.mean(axis=(1, 2)), axis=0, weights=weight[sure])
    rim = rim - rim.mean()
    return np.asarray(rim / max(float(np.linalg.norm(rim)), 1e-9))


def _matched(profile: NDArray[np.float32], rim: Floats) -> Floats:
    """The match of each side's stations with the learned rim at every shift: (cells, 6, stations, 2 _SHIFT + 1)."""
    size = profile.shape[3]
    slide = np.zeros((size, 2 * _SHIFT + 1), dtype=np.float32)
    for shift in range(2 * _SHIFT + 1):
        slide[shift : shift + len(rim), shift] = rim
    return np.asarray(profile @ slide)


def _rarer(match: Floats, shift: Floats, common: Floats) -> Floats:
    """How much more a shift (..., 2) far from the `common` one (2,) must match to be believed."""
    scale = max(float(np.percentile(match.mean(axis=(1, 2)).max(axis=1), 90)), 1e-6)
    return np.asarray(_RARER * scale / _SHIFT**2 * ((shift - common) ** 2).sum(axis=-1))


def _placed(match: Floats, common: Floats) -> tuple[Floats, Floats]:
    """The best shift of each cell without a turn, on a grid of two steps (cells, 3), and its match (cells,)."""
    ticks = np.arange(-_SHIFT, _SHIFT + 0.1, 2.0)
    grid = np.stack(np.meshgrid(ticks, ticks, indexing="ij"), axis=-1).reshape(-1, 2)
    grid = grid[np.linalg.norm(grid, axis=1) <= _SHIFT]
    spots = np.rint(_side_steps(grid)).astype(int) + _SHIFT
    sides = match.mean(axis=2)
    total = np.mean([sides[:, side, spots[:, side]] for side in range(6)], axis=0)
    top = (total - _rarer(match, grid, common)).argmax(axis=1)
    rows = np.arange(len(match))
    return np.column_stack([grid[top], np.zeros(len(match))]), total[rows, top]


def _turned(match: Floats, places: Floats, common: Floats) -> tuple[Floats, Floats]:
    """Each cell's best shift and turn near the places given, and how well its outline matches there."""
    near = np.stack(np.meshgrid(*[np.arange(-2.0, 2.01, 0.5)] * 2, indexing="ij"), axis=-1).reshape(-1, 2)
    rows = np.arange(len(match))
    shifts = np.clip(places[:, None, :2] + near, -_SHIFT, _SHIFT)
    rarer = _rarer(match, shifts, common)
    spots = np.clip(_side_steps(shifts) + _SHIFT, 0, 2 * _SHIFT - 1e-6)
    low = np.floor(spots).astype(int)
    part = spots - low
    best, quality = np.full(len(match), -np.inf), np.zeros(len(match))
    chosen = np.array(places)
    for turn in _TURNS:
        moved = [_moved(match[:, :, i], steps) for i, steps in enumerate(_station_steps(float(turn)))]
        sides = np.mean(moved, axis=0)
        total = np.zeros(shifts.shape[:2])
        for side in range(6):
            values, at = sides[:, side], low[:, :, side]
            one, other = np.take_along_axis(values, at, 1), np.take_along_axis(values, at + 1, 1)
            total += one + (other - one) * part[:, :, side]
        total /= 6.0
        judged = total - rarer
        top = judged.argmax(axis=1)
        better = judged[rows, top] > best
        best[better] = judged[rows, top][better]
        quality[better] = total[rows, top][better]
        chosen[better] = np.column_stack([shifts[rows, top], np.full(len(match), turn)])[better]
    return chosen, quality


def _moved(values: Floats, steps: float) -> Floats:
    """Values (..., N) read `steps` further on, between the samples by straight lines."""
    whole = math.floor(steps)
    part = steps - whole
    index = np.arange(values.shape[-1])
    one = values[..., np.clip(index + whole, 0, len(index) - 1)]
    other = values[..., np.clip(index + whole + 1, 0, len(index) - 1)]
    return np.asarray(one * (1 - part) + other * part)
