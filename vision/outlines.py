"""Where each tile lies, from its outline.

A tile's rim looks the same on all six sides and on all tiles of a table, whatever it looks like: a pale edge, a dark
band, both, or nothing but the gap. So the profile of edges across a side is learned from this very picture, as the mean
over all sides of all tiles, and every tile is then moved and turned until its own six sides match it. Opposite sides
hold each other: a shift that suits one spoils the other, and a bright inner rim cannot pass for the outer one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.hexgrid import Hex
from vision.edges import EdgeField
from vision.geometry import Floats, rotation_2d
from vision.lattice import Lattice, TilePlace
from vision.ranks import ranked

Singles = NDArray[np.float32]
Cells = Sequence[Hex] | NDArray[np.intp]
"""Cells by name or as (N, 2), q and r."""


_STATIONS = np.array([-0.33, -0.17, 0.0, 0.17, 0.33])
_FEW_STATIONS = np.array([-0.22, 0.22])
"""Where a side is read, in sides of the tile from its middle; the corners are left out, they are often rounded."""
_STEP = 0.6 / 70.0
"""Distances across a side are read at such steps, in tiles across flats (0.6 mm of a usual tile)."""
_INSIDE, _OUTSIDE, _SHIFT = 20, 3, 8
"""Steps of the profile inside and outside the side, and of the largest shift that is tried."""
_LENGTH, _SHIFTS = _INSIDE + _OUTSIDE + 1, 2 * _SHIFT + 1
"""Distances of a profile, and places of it within reach."""
_GLANCE_REACH = 5
_TURNS = np.radians(np.arange(-3.0, 3.01, 1.5))
_LEARN = 3
"""Rounds of learning the profile and placing the tiles by it."""
_RARER = 0.6
"""How much the match must gain, as a share of a perfect one, for the largest shift to be believed."""
_NEAR = 4
"""Half steps about a tile's place that are tried with every turn."""
_SIDES = np.arange(6) * np.pi / 3
_OUTWARDS = np.stack([np.cos(_SIDES), np.sin(_SIDES)])
"""Directions (2, 6) of the sides' normals, in the lattice's own axes."""


def _profiles(edges: EdgeField, lattice: Lattice, cells: Cells, steps: Floats, stations: Floats) -> Singles:
    """Edge strength across the sides: (cells, 6 sides, stations, distances), distances outwards in steps."""
    flats = lattice.across_flats_mm
    across = flats / 2.0 + steps * _STEP * flats
    directions = lattice.angle + _SIDES
    normal = np.stack([np.cos(directions), np.sin(directions)], axis=-1)
    along = np.stack([-normal[:, 1], normal[:, 0]], axis=-1)
    about = (
        across[None, None, :, None] * normal[:, None, None]
        + (stations * flats / math.sqrt(3.0))[None, :, None, None] * along[:, None, None]
    )
    # The patch is a scaled and turned table: one cell's points, shifted, are every cell's points.
    middle = edges.patch.to_px(np.zeros(2))
    about_px, centres_px = edges.patch.to_px(about) - middle, edges.patch.to_px(lattice.nominals_mm(cells))
    # Points as complex numbers: they are added in one go.
    about_px, centres_px = (at[..., 0] + 1j * at[..., 1] for at in (about_px, centres_px))
    points = centres_px.astype(np.complex64)[:, None, None, None] + about_px.astype(np.complex64)
    return edges.along(points, directions)


def glance_at_tiles(edges: EdgeField, lattice: Lattice, cells: Cells) -> Floats:
    """How strong the outline of each cell (N,) is, wherever near it may lie: quick, for choosing among lattices."""
    if not len(cells):
        return np.zeros(0)
    steps = 2.0 * np.arange(-_GLANCE_REACH, _GLANCE_REACH + 1.0)
    profile = _profiles(edges, lattice, cells, steps, _FEW_STATIONS).mean(axis=2)
    spots, choose = _glance_spots()
    flat = np.sqrt(profile).reshape(len(cells), -1)
    top = (flat @ choose).argmax(axis=1)
    strength = np.take_along_axis(profile.reshape(len(cells), -1), spots[top], axis=1).mean(axis=1)
    return np.asarray(strength, dtype=np.float64)


@cache
def _glance_spots() -> tuple[NDArray[np.intp], Singles]:
    """Of each shift tried: which distance of each side it reads (shifts, 6), and the same as a matrix of ones."""
    ticks = np.arange(-3.0, 3.01, 1.5)
    distances = 2 * _GLANCE_REACH + 1
    spots = np.rint(_square(ticks) @ _OUTWARDS).astype(np.intp) + _GLANCE_REACH + distances * np.arange(6)
    choose = np.zeros((6 * distances, len(spots)), dtype=np.float32)
    for column, rows in enumerate(spots):
        choose[rows, column] = 1.0
    return spots, choose


def measure_tiles(
    edges: EdgeField, lattice: Lattice, weights: Mapping[Hex, float], *, rough: bool = False
) -> dict[Hex, TilePlace]:
    """Where each cell's tile lies: its shift from the lattice, its turn, and how well its outline matches.

    Args:
        edges: of the rectified garden.
        lattice: shift, turn and pitch nearly right.
        weights: for every cell to be measured how surely it holds a tile; the profile is learned from the sure ones.
        rough: to a millimetre and without turns, for fitting the lattice, in half the time.
    """
    cells = list(weights)
    if not cells:
        return {}
    steps = np.arange(-_INSIDE - _SHIFT, _OUTSIDE + _SHIFT + 1).astype(float)
    profile = np.sqrt(_profiles(edges, lattice, cells, steps, _STATIONS))
    weight = np.array([weights[cell] for cell in cells])
    if weight.max() <= 0:
        weight = np.ones(len(cells))
    # Turns aside, the stations of a side count alike: its mean will do.
    sides = profile.mean(axis=2)
    places = np.tile(_common_shift(sides, weight), (len(cells), 1))
    rim = _learned(sides, places, weight)
    match = _matched(sides, rim)
    for _ in range(1 if rough else _LEARN - 1):
        places, _ = _placed(match, np.average(places, axis=0, weights=weight))
        rim = _learned(sides, places, weight)
        match = _matched(sides, rim)
    common = np.average(places, axis=0, weights=weight)
    places, quality = _placed(match, common)
    turns = np.zeros(len(cells))
    if not rough:
        places, turns, quality = _turned(_matched(profile, rim), places, common, _rarer(match))
    shifts = places @ rotation_2d(lattice.angle).T * (_STEP * lattice.across_flats_mm)
    return {
        cell: TilePlace((x, y), turn, max(0.0, q))
        for cell, (x, y), turn, q in zip(cells, shifts.tolist(), turns.tolist(), quality.tolist(), strict=True)
    }


def _square(ticks: Floats) -> Floats:
    """All pairs (N, 2) of ticks, row by row."""
    return np.stack(np.meshgrid(ticks, ticks, indexing="ij"), axis=-1).reshape(-1, 2)


@cache
def _disc(stride: float) -> tuple[Floats, NDArray[np.intp]]:
    """Shifts (N, 2) within reach, and where each puts each side's profile (N, 6), in steps."""
    grid = _square(np.arange(-_SHIFT, _SHIFT + 0.1, stride))
    grid = grid[np.linalg.norm(grid, axis=1) <= _SHIFT]
    return grid, np.clip(np.rint(grid @ _OUTWARDS).astype(np.intp) + _SHIFT, 0, 2 * _SHIFT)


def _common_shift(sides: Singles, weight: Floats) -> Floats:
    """The shift (2,) of all tiles at once, in steps, under which the mean profiles of the six sides agree best.

    All tiles together tell it more surely than each alone: an inner rim is stronger than the outer one on many looks,
    and one tile can be shifted until three of its sides show the one and three the other.

    Args:
        sides: edges across the sides, (cells, 6, distances).
        weight: (cells,)
    """
    mean = np.average(sides, axis=0, weights=weight)
    grid, index = _disc(1.0)
    each = np.lib.stride_tricks.sliding_window_view(mean, _LENGTH, axis=1)[np.arange(6), index]
    # Lines that all six sides share, both many and in the same place.
    common = each.mean(axis=1).var(axis=1)
    energy = common**2 / np.maximum(each.var(axis=2).mean(axis=1), 1e-9)
    return np.asarray(grid[(energy * (1.0 - 0.1 * (grid**2).sum(axis=1) / _SHIFT**2)).argmax()])


def _learned(sides: Singles, places: Floats, weight: Floats) -> Singles:
    """The mean profile of a side, all tiles moved to where they are held to lie; zero mean, unit length."""
    sure = np.flatnonzero(weight > 0.1 * weight.max())
    first = np.clip(np.rint(places[sure] @ _OUTWARDS).astype(np.intp) + _SHIFT, 0, 2 * _SHIFT)
    windows = np.lib.stride_tricks.sliding_window_view(sides[sure], _LENGTH, axis=2)
    aligned = windows[np.arange(len(sure))[:, None], np.arange(6), first].mean(axis=1)
    rim = np.average(aligned, axis=0, weights=weight[sure])
    rim = rim - rim.mean()
    return np.asarray(rim / max(float(np.linalg.norm(rim)), 1e-9), dtype=np.float32)


def _matched(profile: Singles, rim: Singles) -> Singles:
    """The match of profiles (..., distances) with the learned rim at every shift: (..., shifts)."""
    slide = np.zeros((profile.shape[-1], _SHIFTS), dtype=np.float32)
    for shift in range(_SHIFTS):
        slide[shift : shift + len(rim), shift] = rim
    return np.asarray(profile @ slide)


def _rarer(match: Singles) -> float:
    """How much more a shift must match for every square step that it lies off the common one."""
    scale = max(ranked(match.mean(axis=1).max(axis=1), 90), 1e-6)
    return _RARER * scale / _SHIFT**2


def _placed(match: Singles, common: Floats) -> tuple[Floats, Floats]:
    """The best shift of each cell without a turn, on a grid of two steps (cells, 2), and its match (cells,)."""
    grid, spots = _disc(2.0)
    total = match[:, np.arange(6), spots].mean(axis=2)
    top = (total - _rarer(match) * ((grid - common) ** 2).sum(axis=1)).argmax(axis=1)
    return grid[top], np.asarray(total[np.arange(len(match)), top], dtype=np.float64)


@cache
def _half_steps() -> tuple[Singles, Singles]:
    """Two matrices that read matches between the whole steps, by straight lines.

    The first (stations * shifts, turns * shifts) turns a side and takes the mean of its stations, the second
    (shifts in half steps, squared; 6 * shifts) takes the mean of the six sides of a tile moved by such a shift.
    """
    n, last = _SHIFTS, _SHIFTS - 1
    turning = np.zeros((len(_STATIONS), n, len(_TURNS), n), dtype=np.float32)
    for i, station in enumerate(_STATIONS):
        for k, turn in enumerate(_TURNS):
            steps = -float(turn * station) / math.sqrt(3.0) / _STEP
            whole = math.floor(steps)
            for at in range(n):
                for reach, part in ((whole, 1.0 - (steps - whole)), (whole + 1, steps - whole)):
                    turning[i, min(max(at + reach, 0), last), k, at] += part / len(_STATIONS)
    shifts = _square(np.arange(-_SHIFT, _SHIFT + 0.1, 0.5))
    spots = np.clip(shifts @ _OUTWARDS + _SHIFT, 0, last - 1e-6)
    low = np.floor(spots).astype(np.intp)
    rows, sides = np.arange(len(shifts))[:, None], np.arange(6)
    moving = np.zeros((len(shifts), 6, n), dtype=np.float32)
    moving[rows, sides, low] = (1.0 - (spots - low)) / 6.0
    moving[rows, sides, low + 1] = (spots - low) / 6.0
    return turning.reshape(-1, len(_TURNS) * n), moving.reshape(len(shifts), -1)


def _turned(match: Singles, places: Floats, common: Floats, rarer: float) -> tuple[Floats, Floats, Floats]:
    """Each cell's best shift (cells, 2) and turn near the places given, and how well its outline matches there.

    Args:
        match: of each station, (cells, 6, stations, shifts).
        places: (cells, 2) in whole steps.
        common: (2,) shift of all tiles.
        rarer: as of `_rarer`.
    """
    turning, moving = _half_steps()
    cells, width = len(match), 4 * _SHIFT + 1
    sides = (match.reshape(cells * 6, -1) @ turning).reshape(cells, 6, len(_TURNS), _SHIFTS)
    by_turn = np.ascontiguousarray(sides.transpose(1, 3, 0, 2)).reshape(6 * _SHIFTS, -1)
    near = _square(np.arange(-_NEAR, _NEAR + 1.0))
    at = np.clip(np.rint((places[:, None] + _SHIFT) * 2.0 + near), 0, width - 1).astype(np.intp)
    # All shifts of all cells in one product, which is quicker than to pick the few that are wanted first.
    everywhere = (moving @ by_turn).reshape(len(moving), cells, len(_TURNS))
    total = everywhere[at[..., 0] * width + at[..., 1], np.arange(cells)[:, None]]
    shifts = at / 2.0 - _SHIFT
    judged = total - (rarer * ((shifts - common) ** 2).sum(axis=2))[..., None]
    best, turn = np.divmod(judged.reshape(cells, -1).argmax(axis=1), len(_TURNS))
    rows = np.arange(cells)
    return shifts[rows, best], _TURNS[turn], np.asarray(total[rows, best, turn], dtype=np.float64)
