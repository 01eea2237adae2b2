"""Tables on which heights are hard to read: seen from steeply above, or with a figure in front of the stalk."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.geometry import View
from vision.simulated.chance import chance, uniform
from vision.simulated.random_scene import random_scene
from vision.simulated.scene import FigurePiece, Scene, TilePiece

_STEEP = 0.6
"""Share of the scenes seen from steeply above."""


def hard_scene(rng: np.random.Generator, width: int) -> Scene:
    """A table that is near and seen from steeply above, or seen from anywhere with figures in front of stalks."""
    steep = chance(rng, _STEEP)
    scene = random_scene(
        rng,
        width=width,
        height=width * 3 // 4,
        plots=int(rng.integers(5, 28)),
        elevation_deg=uniform(rng, 66, 88) if steep else uniform(rng, 30, 66),
        fill=uniform(rng, 0.75, 1.0) if steep else uniform(rng, 0.5, 1.0),
    )
    return _screened(scene, rng)


def _screened(scene: Scene, rng: np.random.Generator) -> Scene:
    """The same table with its figures moved in front of stalks, on the same tile."""
    standing = [tile for tile in scene.tiles if tile.bamboo]
    if len(standing) < 2:
        return scene
    view = View(scene.camera, np.asarray(scene.rvec), np.asarray(scene.tvec))
    one, other = rng.choice(len(standing), 2, replace=False)
    pieces = scene.camera.pieces
    gardener, panda = scene.gardener, scene.panda
    if gardener is not None:
        gardener = _in_front(standing[int(one)], view, pieces.gardener_mm * 0.25, rng)
    if panda is not None:
        panda = _in_front(standing[int(other)], view, pieces.panda_mm * 0.35, rng)
    return replace(scene, gardener=gardener, panda=panda)


def _in_front(tile: TilePiece, view: View, reach_mm: float, rng: np.random.Generator) -> FigurePiece:
    """A figure of this radius on the tile, between stalk and camera more or less."""
    pieces = view.camera.pieces
    foot = np.asarray(tile.centre_mm) + tile.foot_mm
    heading = np.arctan2(*(view.eye_mm[:2] - foot)[::-1]) + rng.normal(0.0, 0.7)
    away = reach_mm + pieces.section_foot_mm * 0.5 + uniform(rng, 0.0, 0.12) * pieces.tile_across_flats_mm
    at = foot + away * np.array([np.cos(heading), np.sin(heading)])
    # It stays on its own tile.
    off = at - tile.centre_mm
    most = pieces.tile_across_flats_mm * 0.46
    at = np.asarray(tile.centre_mm) + off * min(1.0, most / max(1e-6, float(np.linalg.norm(off))))
    return FigurePiece(tile.at, (float(at[0]), float(at[1])), uniform(rng, 0, 2 * np.pi))
