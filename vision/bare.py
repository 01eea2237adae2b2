"""Which cells beside the garden are plainly bare table, so that nothing more need be asked of them.

A cell is bare if it has no outline of a tile, hardly any edge inside, and the colour of the table about it. A hand, a
card or a shadow's edge fails one of the three and is looked at.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from companion.games.takenoko.hexgrid import Hex
from vision.honeycomb import Garden

_NO_OUTLINE, _HARDLY_ANY = 0.03, 0.15
"""Cells with no more of an outline show the table's colour, and may be bare: grain and shadows make some outline."""
_FEWEST = 4
"""So many cells without an outline are needed to know the table's colour by."""
_OFF = (0.22, 0.10)
"""A cell's brightness and chromaticity (natural logarithms) may differ so much from the table's usual one."""
_BUSY = 0.10
"""Mean edge strength inside a cell that holds anything with a shape."""
_SAMPLES_PX = 2


def bare_cells(garden: Garden, weights: Mapping[Hex, float]) -> frozenset[Hex]:
    """The cells that are surely bare table.

    Args:
        garden: the rectified garden and its edges.
        weights: how much each measured cell looks like a tile by its outline.
    """
    lattice, patch = garden.lattice, garden.edges.patch
    cells = [cell for cell, weight in weights.items() if weight <= _HARDLY_ANY]
    without = np.array([weights[cell] <= _NO_OUTLINE for cell in cells], dtype=bool)
    if without.sum() < _FEWEST:
        return frozenset()
    half = int(0.42 * lattice.across_flats_mm / patch.mm_per_px)
    centres = np.rint(patch.to_px(lattice.nominals_mm(cells))).astype(int)
    rows, columns = patch.shape
    beyond = cv2.inRange(garden.rectified, (0, 0, 0), (0, 0, 0))
    quarters, busy = np.zeros((len(cells), 4, 3)), np.full(len(cells), np.nan)
    for i, (x, y) in enumerate(centres.tolist()):
        if not (half <= x < columns - half and half <= y < rows - half):
            continue
        window = np.s_[y - half : y + half + 1 : _SAMPLES_PX, x - half : x + half + 1 : _SAMPLES_PX]
        if beyond[window].any():
            continue  # the picture ends here
        quarters[i] = cv2.resize(garden.rectified[window], (2, 2), interpolation=cv2.INTER_AREA).reshape(4, 3)
        busy[i] = garden.edges.strength[window].mean()
    logs = np.log(quarters + 8.0)
    brightness, chroma = logs.mean(axis=(1, 2)), logs[..., [2, 0]] - logs[..., [1]]
    # One odd quarter makes a cell odd: keep the spread beside the mean.
    spread = np.ptp(chroma, axis=1).max(axis=1)
    features = np.column_stack([brightness, chroma.mean(axis=1), spread, busy])
    whole = np.isfinite(features).all(axis=1)
    if int((whole & without).sum()) < _FEWEST:
        return frozenset()
    usual = np.median(features[whole & without], axis=0)
    with np.errstate(invalid="ignore"):
        near = (
            (np.abs(features[:, 0] - usual[0]) < 2.0 * _OFF[0])
            & (np.abs(features[:, 1:3] - usual[1:3]).max(axis=1) < _OFF[1])
            & (features[:, 3] < _OFF[1])
            & (features[:, 4] < max(_BUSY, 1.5 * float(usual[4])))
        )
    return frozenset(cell for cell, ok in zip(cells, np.asarray(near & whole), strict=True) if ok)
