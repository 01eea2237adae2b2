"""The bench of the eye: what it measures is the eye's, not its own."""

from __future__ import annotations

import numpy as np

from companion.bench.eye import _peak_mb


def test_memory_of_the_bench_itself_does_not_count(tmp_path):
    ballast = np.ones(250 * 2**20, np.uint8)
    peak_mb = _peak_mb(tmp_path)
    assert ballast.nbytes / 2**20 > peak_mb > 10
