"""Writes rendered photos of tables with their truth, as a folder that `companion evaluate` reads."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from vision.simulated.chance import uniform
from vision.simulated.random_camera import calibrated
from vision.simulated.random_scene import random_scene
from vision.simulated.render import render

TIERS: dict[str, tuple[float, float]] = {"easy": (78.0, 90.0), "medium": (48.0, 62.0), "hard": (36.0, 47.0)}
"""Degrees above the table plane."""


def write_table(folder: Path, tier: str, seed: int, *, width: int = 1640, height: int = 1232) -> str:
    """Render one photo of a table that nobody has seen, with its camera file and its truth.

    Args:
        folder: must exist.
        tier: a key of `TIERS`.
        seed: decides everything.
        width: columns of the picture.
        height: rows of the picture.

    Returns:
        The picture's name.
    """
    rng = np.random.default_rng((seed, list(TIERS).index(tier)))
    scene = random_scene(
        rng,
        width=width,
        height=height,
        elevation_deg=uniform(rng, *TIERS[tier]),
        hand=None if tier == "hard" else False,
    )
    rendered = render(scene, rng)
    name = f"{tier}_{seed:04d}"
    _, packed = cv2.imencode(".jpg", rendered.image, [cv2.IMWRITE_JPEG_QUALITY, 93])
    (folder / f"{name}.jpg").write_bytes(packed.tobytes())
    camera = calibrated(scene.camera, rng).to_json()
    truth = {"image": f"{name}.jpg", "tier": tier, **rendered.truth}
    for kind, facts in (("camera", camera), ("truth", truth)):
        (folder / f"{name}.{kind}.json").write_text(json.dumps(facts) + "\n", encoding="utf-8")
    return f"{name}.jpg"
