"""Cells that look like the bare table about the garden, taken for what they are.

The networks see one cell at a time: a die on striped wood looks to them like a stalk on a yellow plot. The picture as a
whole knows better. The table's own colours are learned from the cells beside the garden, those of the tiles from the
plots that are sure; a cell without an outline whose rim has the table's colours and no tile's is table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.hexgrid import Hex
from vision.geometry import Floats
from vision.honeycomb import Garden
from vision.plots import NOTHING

_SECTORS, _SPOKES = 6, 4
_RADII = (0.66, 0.76, 0.86)
"""Where the rim is read, as shares of the tile's half width: off what stands in the middle, and of the neighbours."""
_NO_OUTLINE, _CLEAR = 0.15, 0.6
"""How clear an outline may be at the most of a cell that shows the table, and of one that is judged at all."""
_SURE = 0.9
"""Cells that surely are bare, or a tile, show what that looks like."""
_WORTH_ASKING = 0.02
"""A plot less likely than this is not made less likely still."""
_FEWEST = 3
"""So many cells without a plot are needed to know the table by."""
_LEAST_SPREAD = np.array([0.12, 0.035, 0.035])
"""Of brightness and of both colour ratios (natural logarithms): no table is known better than this."""
_WIDE_SPREAD = np.array([0.6, 0.35, 0.35])
"""Of tiles of a colour that this picture does not surely show: about the garden's mean."""
_FAR = 2.5
"""From so many spreads on a look is merely strange."""
_LIKE, _MOST_OF_THEM = 2.0, 4
"""Sectors no further off (in spreads) look like the table; so many must, for a hand that covers a plot does not."""
_MOST = 6.0
"""How much is taken off at the most (natural logarithm)."""
_TRUST = 0.5
"""Share of the evidence that is new beside the network's; the sectors of one cell are no six witnesses."""


def rims(garden: Garden, cells: Sequence[Hex]) -> Floats:
    """The look of each cell's rim, (N, sectors, 3): brightness, red and blue over green, natural logarithms.

    What lies outside the rectified picture is NaN.
    """
    lattice, patch = garden.lattice, garden.edges.patch
    turns = np.arange(_SECTORS * _SPOKES) * 2.0 * np.pi / (_SECTORS * _SPOKES) + lattice.angle
    rays = np.stack([np.cos(turns), np.sin(turns)], axis=-1)
    half = lattice.across_flats_mm / 2.0
    about = (half * np.array(_RADII))[:, None, None] * rays[None]
    points = lattice.nominals_mm(cells)[:, None, None] + about[None]
    px = patch.to_px(points).astype(np.float32)
    flat = px.reshape(len(px), -1, 2)
    seen = cv2.remap(garden.rectified, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    bgr = np.asarray(seen, dtype=np.float64).reshape(*px.shape[:3], 3)
    logs = np.log(bgr + 8.0)
    logs[bgr.max(axis=-1) == 0.0] = np.nan
    look = np.stack([logs.mean(axis=-1), logs[..., 2] - logs[..., 1], logs[..., 0] - logs[..., 1]], axis=-1)
    each = look.reshape(len(px), len(_RADII), _SECTORS, _SPOKES, 3)
    return np.asarray(each.mean(axis=(1, 3)))


def with_ground(
    kind_p: NDArray[np.float64], garden: Garden, cells: Sequence[Hex], weights: Mapping[Hex, float]
) -> NDArray[np.float64]:
    """Beliefs of N cells (N, 5) with what the table's own look says of those that show no outline.

    Args:
        kind_p: nothing, the colours, pond.
        garden: the rectified garden.
        cells: the N cells.
        weights: of every measured cell how clear its outline is (`likely_tiles`).
    """
    rows = {cell: row for row, cell in enumerate(cells)}
    plot_p = kind_p[:, 1:].sum(axis=1)
    outlines = np.array([weights.get(cell, 0.0) for cell in cells])
    doubtful = np.flatnonzero((outlines < _CLEAR) & (plot_p > _WORTH_ASKING)).tolist()
    bare = [
        cell
        for cell, weight in weights.items()
        if weight < _NO_OUTLINE and (cell not in rows or kind_p[rows[cell], NOTHING] >= _SURE)
    ]
    sure = np.flatnonzero((outlines >= _CLEAR) & (kind_p.max(axis=1) >= _SURE)).tolist()
    if not doubtful or len(bare) < _FEWEST or not sure:
        return kind_p
    table, tiles = _Rims.of(rims(garden, bare)), rims(garden, [cells[row] for row in sure])
    if table is None:
        return kind_p
    told = kind_p.copy()
    for row, sectors in zip(doubtful, rims(garden, [cells[row] for row in doubtful]), strict=True):
        colour = int(kind_p[row, 1:].argmax()) + 1
        alike = _Rims.of(tiles[kind_p[sure].argmax(axis=1) == colour]) or _Rims.wide(tiles)
        bare_like = sectors[table.off(sectors).max(axis=-1) < _LIKE]
        if alike is None or len(bare_like) < _MOST_OF_THEM:
            continue
        ratio = float(np.median(table.log_density(bare_like) - alike.log_density(bare_like)))
        odds = plot_p[row] / max(1.0 - plot_p[row], 1e-6) * np.exp(-min(max(_TRUST * ratio, 0.0), _MOST))
        told[row, 1:] *= odds / (1.0 + odds) / plot_p[row]
        told[row, NOTHING] = 1.0 / (1.0 + odds)
    return told


@dataclass(frozen=True, slots=True, eq=False)
class _Rims:
    """What rims of one kind look like: a bell in each of the three figures."""

    mean: Floats
    spread: Floats

    @classmethod
    def of(cls, looks: Floats) -> _Rims | None:
        """Of some cells' rims (N, sectors, 3); None where none of them was seen."""
        seen = looks.reshape(-1, 3)
        seen = seen[np.isfinite(seen).all(axis=1)]
        if len(seen) < _SECTORS:
            return None
        mean = np.median(seen, axis=0)
        return cls(mean, np.maximum(1.5 * np.median(np.abs(seen - mean), axis=0), _LEAST_SPREAD))

    @classmethod
    def wide(cls, looks: Floats) -> _Rims | None:
        """Of tiles in a colour that none of these has."""
        some = cls.of(looks)
        return None if some is None else cls(some.mean, _WIDE_SPREAD)

    def off(self, looks: Floats) -> Floats:
        """How far looks (..., 3) are off, in spreads."""
        return np.asarray(np.abs(looks - self.mean) / self.spread)

    def log_density(self, looks: Floats) -> Floats:
        """Natural logarithm of the density at looks (..., 3); far off it falls no more than a straight line."""
        off = self.off(looks)
        bent = np.where(off < _FAR, off**2 / 2.0, _FAR * off - _FAR**2 / 2.0)
        return np.asarray(-bent.sum(axis=-1) - np.log(self.spread).sum())
