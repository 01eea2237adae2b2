"""Two plain draws that every generator of the simulated table uses."""

from __future__ import annotations

import numpy as np


def uniform(rng: np.random.Generator, low: float, high: float) -> float:
    """Anything between two numbers."""
    return float(rng.uniform(low, high))


def chance(rng: np.random.Generator, p: float) -> bool:
    """Yes with this probability."""
    return bool(rng.uniform() < p)
