"""Upright crops moved a little and, from steeply above, stretched a little: every stalk is seen anew in each pass.

A move is what a lattice that misses the tile by a millimetre or two does. A stretch along the rows is what sections of
another height would do where the tile's width holds the crop's scale; all that is known of heights is stretched too.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.nets.upright import COLUMNS, FOOT_ROW, ROWS
from vision.training.shards import Table

MOVED = 0.6
"""Share of the crops that are moved."""
MOST = 4.0
"""By so many pixels at most, either way."""
STRETCH = 0.1
"""And stretched by this share at most."""


def with_shifts(part: Table, rng: np.random.Generator) -> Table:
    """Some rows of upright crops moved and stretched, with all that is known of them; the given table stays as it is.

    Args:
        part: rows of cells as `generate` cuts them.
        rng: decides.
    """
    changed = ("tall", "tall_mask", "body", "foot_at", "top_at", "view", "rises")
    part = {**part, **{name: part[name].copy() for name in changed}}
    for i in np.flatnonzero(rng.random(len(part["view"])) < MOVED):
        right, down = rng.uniform(-MOST, MOST, 2)
        # Where a section has all its rows, the crop holds them whatever the section's height.
        longer = 1.0 + (rng.uniform(-STRETCH, STRETCH) if part["view"][i, 2] < 1.0 - STRETCH else 0.0)
        put = np.array([[1.0, 0.0, right], [0.0, longer, down + FOOT_ROW * (1.0 - longer)]])
        size = (COLUMNS, ROWS)
        part["tall"][i] = cv2.warpAffine(part["tall"][i], put, size, None, cv2.INTER_LINEAR, cv2.BORDER_REPLICATE)
        part["tall_mask"][i] = cv2.warpAffine(part["tall_mask"][i], put, size, None, cv2.INTER_NEAREST)
        # A pixel of the smaller map covers two by two of the crop, their middle half a pixel off.
        half = put.copy()
        half[0, 2] = right / 2.0
        half[1, 2] = (put[1, 2] + 0.5 * (longer - 1.0)) / 2.0
        part["body"][i] = cv2.warpAffine(part["body"][i], half, (COLUMNS // 2, ROWS // 2))
        for spot in ("foot_at", "top_at"):
            if part[spot][i, 1] > -ROWS / 2:
                part[spot][i] = put[:, :2] @ part[spot][i] + put[:, 2]
        part["view"][i, 2:4] *= longer
        part["rises"][i] *= longer
    return part
