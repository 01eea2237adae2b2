"""Edges of a rectified picture, folded into one cell of a honeycomb: which turn and shift gather the most of them.

Edges vote. An edge counts if it runs along one of three directions, 60 degrees apart, and lies where the outline of a
tile does; folded into one cell the outlines of all tiles come to lie on each other, while the paintings, the cloth and
the shadows spread out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.edges import EdgeField
from vision.geometry import Floats

_ANGLES = 5
"""So many turns of the honeycomb are tried in full."""
_NEAR = math.radians(8.0)
"""An edge this near to a direction of the honeycomb votes for it."""
_ABOUT_PX = 40
"""Of the coarse picture: a little more than a tile, so that all its sides count."""


@dataclass(frozen=True, slots=True, eq=False)
class Voters:
    """Edge points that may be sides of tiles."""

    points: Floats
    normals: Floats
    weights: NDArray[np.float32]


def voters_of(edges: EdgeField, most: int = 7_000) -> Voters | None:
    """The edge points that vote, those at the `most` so many, those that lie among edges of all three directions first.

    None where hardly any edge is.
    """
    rows, columns = np.nonzero(edges.strength > 0.25)
    if len(rows) < 200:
        return None
    local = np.sqrt(_threefold(edges)[rows, columns])
    if len(rows) > most:
        keep = np.argpartition(-local, most)[:most]
        rows, columns, local = rows[keep], columns[keep], local[keep]
    points = edges.patch.to_mm(np.stack([columns, rows], axis=-1))
    double = edges.double[rows, columns]
    normals = np.arctan2(double[:, 1], double[:, 0]) / 2.0 + edges.patch.angle
    return Voters(points, normals, edges.strength[rows, columns] * local)


def _threefold(edges: EdgeField) -> NDArray[np.float32]:
    """How much the edges about each pixel run in three directions 60 degrees apart, and not in one (rows, columns).

    Wood grain, cloth and the sides of cards are strong in one direction or in two at right angles; a tile's outline
    has as much of each of its three.
    """
    cos2, sin2 = edges.double[::2, ::2, 0], edges.double[::2, ::2, 1]
    w = np.maximum(edges.strength[::2, ::2], 1e-6)
    c, s = cos2 / w, sin2 / w
    # Six times the angle from twice the angle, by the triple angle formula.
    six = np.stack([w * (4 * c**3 - 3 * c), w * (3 * s - 4 * s**3), cos2, sin2, w], axis=2)
    small = cv2.resize(six, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    mean = cv2.boxFilter(small, -1, (_ABOUT_PX // 4, _ABOUT_PX // 4))
    three, one = np.hypot(mean[..., 0], mean[..., 1]), np.hypot(mean[..., 2], mean[..., 3])
    likeness = np.maximum(three - 0.5 * one, 0.0) / (mean[..., 4] + 0.02)
    rows, columns = edges.strength.shape
    return np.asarray(cv2.resize(likeness.astype(np.float32), (columns, rows), interpolation=cv2.INTER_LINEAR) + 1e-3)


def likely_turns(normals: Floats, weights: NDArray[np.float32]) -> list[float]:
    """Turns (radians, within a sixth of a circle) along which many edges run, modulo 60 degrees."""
    sixth = np.pi / 3
    bins = 120
    histogram = np.bincount((np.mod(normals, sixth) / sixth * bins).astype(int) % bins, weights, bins)
    wide = np.convolve(np.concatenate([histogram[-6:], histogram, histogram[:6]]), np.hanning(13), "valid")
    chosen: list[float] = []
    for i in np.argsort(-wide):
        angle = (i + 0.5) / bins * sixth
        if all(abs((angle - other + sixth / 2) % sixth - sixth / 2) > np.radians(5.0) for other in chosen):
            chosen.append(float(angle))
        if len(chosen) == _ANGLES:
            break
    return chosen


@dataclass(frozen=True, slots=True, eq=False)
class Fan:
    """Voters that run along one of a honeycomb's three directions, in the axes of its cells."""

    angle: float
    places: Floats
    """(2, M): steps along the first and the second axis, millimetres."""
    which: NDArray[np.intp]
    """(M,): 0, 1 or 2."""
    weights: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Fold:
    """The shift under which tile outlines gather most edges."""

    score: float
    origin_mm: tuple[float, float]


def turned_to(voters: Voters, angle: float) -> Fan:
    """The voters that run along a honeycomb whose east runs at `angle` (radians)."""
    steps = np.rint((voters.normals - angle) / (np.pi / 3))
    mine = np.flatnonzero(np.abs(voters.normals - angle - steps * (np.pi / 3)) < _NEAR)
    return Fan(
        angle,
        np.asarray(np.linalg.inv(_axes(angle)) @ voters.points[mine].T),
        steps[mine].astype(np.intp) % 3,
        voters.weights[mine],
    )


def _axes(angle: float) -> Floats:
    """The first and the second axis of a cell, as columns."""
    return np.array([[np.cos(angle), np.cos(angle + np.pi / 3)], [np.sin(angle), np.sin(angle + np.pi / 3)]])


def folds(trials: Sequence[tuple[Fan, float, float]], bins: int = 36) -> list[Fold]:
    """Fold all edges into one cell, for each trial of a fan, a tile's size and a pitch (millimetres).

    Args:
        trials: of one garden.
        bins: along each of the cell's axes.
    """
    if not trials:
        return []
    n = bins
    folded = np.empty((len(trials), 3, n, n), dtype=np.float32)
    for out, (fan, _, pitch) in zip(folded, trials, strict=True):
        first, second = (fan.places * (n / pitch) + _FAR * n).astype(np.int32) % n
        out[:] = np.bincount((fan.which * n + first) * n + second, fan.weights, 3 * n * n).reshape(3, n, n)
    # The root: one long line across the table must not outvote the rest.
    np.sqrt(folded, out=folded)
    folded -= folded.mean(axis=(2, 3), keepdims=True)
    shapes = np.stack([_outlines(round(flats / pitch, 4), bins) for _, flats, pitch in trials])
    match = np.fft.irfft2(np.fft.rfft2(folded) * shapes, (n, n))
    spread = np.maximum(match.std(axis=(2, 3), keepdims=True), 1e-9)
    weight = np.minimum(1.0, folded.std(axis=(2, 3), keepdims=True))
    total = (np.clip(match / spread, -4.0, 4.0) * weight).sum(axis=1).reshape(len(trials), -1)
    found = []
    for score, peak, (fan, _, pitch) in zip(total.max(axis=1), total.argmax(axis=1), trials, strict=True):
        x, y = _axes(fan.angle) @ (np.array(divmod(int(peak), n)) * (pitch / n))
        found.append(Fold(float(score), (float(x), float(y))))
    return found


_FAR = 4096
"""Cells from the middle of the table to where no table is: keeps places positive before they are folded."""


@cache
def _outlines(share: float, bins: int) -> NDArray[np.complex64]:
    """Spectra (3, n, n / 2 + 1) of a tile's sides, drawn into the folded cell; `share` is the tile over the pitch.

    In the cell's own axes they are the same for every turn of the honeycomb.
    """
    n = bins
    inverse = np.linalg.inv(np.array([[1.0, 0.5], [0.0, math.sqrt(3.0) / 2.0]]))
    out = np.zeros((3, n, n))
    for k in range(3):
        normal = np.array([np.cos(k * np.pi / 3), np.sin(k * np.pi / 3)])
        along = np.array([-normal[1], normal[0]])
        steps = np.linspace(-0.45, 0.45, 60)[:, None] * share / math.sqrt(3.0) * along
        for side in (-1.0, 1.0):
            for off in (-1.0, 0.0, 1.0):
                spots = (side * (share / 2.0 + off / bins / 2.0) * normal + steps) @ inverse.T
                cells = np.floor(np.mod(spots, 1.0) * n).astype(int) % n
                np.add.at(out[k], (cells[:, 0], cells[:, 1]), 1.0 if off == 0.0 else 0.5)
    out -= out.mean(axis=(1, 2), keepdims=True)
    return np.asarray(np.conj(np.fft.rfft2(out)), dtype=np.complex64)
