"""Rendered tables for the eye's tests: small pictures, seeded, with known truth."""

from __future__ import annotations

from functools import cache

import numpy as np

from vision.simulated.random_scene import random_scene
from vision.simulated.render import Rendered, render
from vision.simulated.scene import Scene


@cache
def rendered(
    seed: int, *, plots: int = 9, look: str = "painted", elevation_deg: float = 55.0, width: int = 1024
) -> tuple[Scene, Rendered]:
    """One table without a hand, 4:3."""
    rng = np.random.default_rng(seed)
    scene = random_scene(
        rng, width=width, height=width * 3 // 4, plots=plots, look=look, elevation_deg=elevation_deg, hand=False
    )
    return scene, render(scene, rng)
