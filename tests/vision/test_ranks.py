"""Percentiles without sorting."""

from __future__ import annotations

import numpy as np
import pytest

from vision.ranks import ranked


@pytest.mark.parametrize("percent", [0.0, 2.0, 50.0, 99.5, 100.0])
@pytest.mark.parametrize("kind", [np.uint8, np.float32, np.float64])
def test_it_is_what_numpy_says(percent, kind):
    values = np.random.default_rng(3).integers(0, 256, (31, 47)).astype(kind)
    assert ranked(values, percent) == pytest.approx(np.percentile(values, percent))


def test_one_value_is_every_percentile():
    assert ranked(np.array([7.5]), 2.0) == ranked(np.array([7.5]), 98.0) == 7.5


@pytest.mark.parametrize("percent", [0.0, 2.0, 50.0, 99.5, 100.0])
@pytest.mark.parametrize("pattern", ["noise", "slope", "stripes", "flat"])
def test_of_many_values_too(percent, pattern):
    noise = np.random.default_rng(4).random((150, 160)).astype(np.float32)
    values = {
        "noise": noise**6,
        "slope": np.sort(noise, axis=None),
        # As wide as the sample's steps: it sees one stripe only.
        "stripes": np.tile(np.arange(24.0, dtype=np.float32), (1000, 1)),
        "flat": np.zeros_like(noise),
    }[pattern]
    assert ranked(values, percent) == pytest.approx(np.percentile(values, percent))
