"""Reading a tile's colour the classical way: the ring of the tile, in chromaticity, against the cards' white.

The centre of a tile holds a stalk, a figure and the most of its painting; the ring from 0.55 to 0.85 of its radius is
the calmest part. Chromaticity (logarithms of ratios of channels) does not change with brightness, so that shade costs
nothing; the colour of the lamps is a shift of all chromaticities, read from white cards where there are any, and then
moved to where the tiles themselves agree best with the profile.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.hexgrid import Hex
from vision.geometry import Floats, Image, View, rotation_2d
from vision.lattice import Lattice
from vision.profiles.load import KINDS, Profile

RING = (0.55, 0.85)
"""Inner and outer radius of the ring, 1 being the sides of the tile (measured on scanned tiles, see docs)."""
_STATIONS = 96
_BRIGHT, _DARK = 250, 14
"""A pixel with a channel over the one or all under the other has lost its chromaticity."""
_FREEDOM = 4.0
_OUTLIER = 0.03
"""Share of ring pixels that may be anything: a stone, a stalk, a finger."""
_EVIDENCE_PIXELS = 7.0
"""So many independent pixels the ring is worth: neighbours share paint and light."""
_FARTHEST = 1.6
"""Chromaticities farther than this from white are all the same strong colour."""
_LAMP_SPREAD = 0.12
"""How far, in log chromaticity, the lamps over the garden may depart from what the white says."""
_BLIND_LAMP_SPREAD = 0.35
"""The same where no card shows white."""


@dataclass(frozen=True, slots=True, eq=False)
class RingSamples:
    """The rings of N cells."""

    chroma: NDArray[np.float32]
    """(N, S, 2): log R/G and log B/G as in the picture; NaN where nothing can be read."""
    readable: NDArray[np.float32]
    """(N,): share of the ring that could be read."""


@dataclass(frozen=True, slots=True, eq=False)
class ColourEvidence:
    """What the rings say of N cells."""

    log_likelihood: Floats
    """(N, 4): of each of `KINDS`, natural logarithm, each cell against an anything-goes density of 0."""
    lamp: tuple[float, float]
    """The shift of chromaticity that was taken off, beyond white."""


def ring_samples(image: Image, view: View, lattice: Lattice, cells: Sequence[Hex]) -> RingSamples:
    """Sample the rings of cells.

    Args:
        image: uint8 (H, W, 3) BGR.
        view: the camera over the table.
        lattice: where the tiles lie.
        cells: which of them to read.
    """
    # A hexagonal ring: equal steps about the centre, radii drawn by the golden ratio so that they cover evenly.
    turns = (np.arange(_STATIONS) + 0.5) * (2 * math.pi / _STATIONS)
    share = (np.arange(_STATIONS) * 0.6180339887) % 1.0
    radii = (RING[0] + (RING[1] - RING[0]) * share) * lattice.across_flats_mm / 2.0
    radii = radii / np.cos((turns + math.pi / 6) % (math.pi / 3) - math.pi / 6)
    around = np.stack([radii * np.cos(turns), radii * np.sin(turns)], axis=-1)
    if not cells:
        return RingSamples(np.zeros((0, _STATIONS, 2), np.float32), np.zeros(0, np.float32))
    turns = np.array([rotation_2d(lattice.turn_of(cell)).T for cell in cells])
    points = lattice.centres_mm(cells)[:, None] + around @ turns
    px = view.project(points, lattice.z_mm).astype(np.float32)
    values = cv2.remap(image, px[..., 0], px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    ok = (values.max(axis=2) <= _BRIGHT) & (values.max(axis=2) >= _DARK)
    logs = np.log(values.astype(np.float32) + 4.0)
    chroma = np.stack([logs[..., 2] - logs[..., 1], logs[..., 0] - logs[..., 1]], axis=-1)
    chroma[~ok] = np.nan
    return RingSamples(chroma, ok.mean(axis=1).astype(np.float32))


def white_chroma(white_bgr: NDArray[np.float32]) -> Floats:
    """The chromaticity (2,) of a white as it appears in the picture, BGR 0 to 255."""
    logs = np.log(np.asarray(white_bgr, dtype=np.float64) + 4.0)
    return np.array([logs[2] - logs[1], logs[0] - logs[1]])


def colour_evidence(
    samples: RingSamples, white: Floats, profile: Profile, weights: Floats, *, white_is_seen: bool
) -> ColourEvidence:
    """How well every cell's ring fits each kind of tile.

    Args:
        samples: of N cells.
        white: chromaticity (2,) of white in this picture.
        profile: the look of the tiles.
        weights: (N,) how surely each cell holds a tile, 0 to 1: these say where the lamps' colour lies.
        white_is_seen: False where white was only guessed.
    """
    # A channel near nought says only "hardly any": its logarithm would run away with the noise.
    relative = np.clip(samples.chroma - white, -_FARTHEST, _FARTHEST)
    spread = _LAMP_SPREAD if white_is_seen else _BLIND_LAMP_SPREAD
    lamp = _lamp(relative, profile, weights, spread)
    return ColourEvidence(_log_likelihood(relative - lamp, profile), (float(lamp[0]), float(lamp[1])))


def _lamp(relative: Floats, profile: Profile, weights: Floats, spread: float) -> Floats:
    """The common shift under which the tiles agree best with the profile, held near nought by the white."""
    # Medians by hand: NaN sorts to the end, and a ring without any reading is left out.
    count = np.isfinite(relative).all(axis=2).sum(axis=1)
    ordered = np.sort(relative, axis=1)
    middles = ordered[np.arange(len(relative)), np.maximum(count // 2, 0)]
    use = np.flatnonzero(np.asarray((count >= 8) & (weights > 0.3)))
    if len(use) == 0:
        return np.zeros(2)
    middles, weight = middles[use], weights[use]
    means = np.array([one.chroma for one in profile.prototypes])
    sigmas = np.maximum(np.array([one.spread for one in profile.prototypes]) * 0.5, 0.05)
    shift = np.zeros(2)
    for _ in range(8):
        miss = ((middles[:, None] - shift - means) / sigmas) ** 2
        likeness = np.exp(-0.5 * miss.sum(axis=2)) / sigmas.prod(axis=1) + 1e-4
        share = weight[:, None] * likeness / likeness.sum(axis=1, keepdims=True)
        share *= likeness / (likeness + 0.05)
        precision = (share[..., None] / sigmas**2).sum(axis=(0, 1)) / 3.0
        pull = (share[..., None] * (middles[:, None] - means) / sigmas**2).sum(axis=(0, 1)) / 3.0
        shift = pull / (precision + 1.0 / spread**2)
    return shift


def _log_likelihood(relative: Floats, profile: Profile) -> Floats:
    out = np.full((len(relative), len(KINDS)), -np.inf)
    readable = np.asarray(np.isfinite(relative).all(axis=2))
    filled = np.where(readable[..., None], relative, 0.0)
    for one in profile.prototypes:
        sigma = np.asarray(one.spread)
        miss = (((filled - np.asarray(one.chroma)) / sigma) ** 2).sum(axis=2)
        # Student's distribution: what lies far from all kinds is still nearer to one of them.
        density = (1.0 + miss / _FREEDOM) ** (-(_FREEDOM + 2.0) / 2.0) / (2 * math.pi * float(sigma.prod()))
        # Against a flat density over the chromaticities that things on a table have (about two by two).
        ratio = np.log((1 - _OUTLIER) * density / 0.25 + _OUTLIER * np.exp(-miss / 400.0))
        mean = (ratio * readable).sum(axis=1) / relative.shape[1]
        column = KINDS.index(one.kind)
        out[:, column] = np.maximum(out[:, column], mean * _EVIDENCE_PIXELS)
    return out
