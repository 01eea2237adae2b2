"""Training pictures of badges cut from rendered tables: real stalk tops, shadows, neighbours and blur about them.

Dearer than drawn ones (`badge_samples`), and nearer to what the camera gives; the networks are shown both.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.games.takenoko.hexgrid import Hex
from companion.observation import MARKINGS, Marking
from vision.nets.badge_crops import FINE_PX, FINE_REACH, fine_crops
from vision.nets.crops import Pyramid, in_squares
from vision.nets.upright import away_directions
from vision.nets.white import WHITE_LEVEL
from vision.simulated.random_scene import random_scene
from vision.simulated.render import render
from vision.simulated.truth import icon_outline, seen_share
from vision.training.badge_samples import Sample, some_look
from vision.training.mistakes import believed_white, misjudged, placed

_WIDTHS, _WIDTHS_P = (1024, 1280, 1640), (0.15, 0.35, 0.5)
"""Of the pictures, pixels."""


def samples_of_scene(seed: int) -> list[Sample]:
    """Every tile of one rendered table that can be seen, as the camera sees it."""
    rng = np.random.default_rng((seed, 17))
    width = int(rng.choice(_WIDTHS, p=_WIDTHS_P))
    drawn = random_scene(
        np.random.default_rng(seed), width=width, height=width * 3 // 4, plots=int(rng.integers(12, 28))
    )
    scene = replace(drawn, look=some_look(rng))
    rendered = render(scene, np.random.default_rng((seed, 18)))
    view, (centres, tiles) = misjudged(rendered.view, scene, rng), placed(scene, rng)
    cells: list[Hex] = [at for at, tile in tiles.items() if tile.colour is not None]
    middles = np.array([centres[at] for at in cells]).reshape(-1, 2)
    pixels = fine_crops(Pyramid(rendered.image), view, middles).astype(np.float32)
    gain = WHITE_LEVEL * 255.0 / believed_white(rendered, view, scene, rng)
    fine = np.clip(pixels * gain, 0, 255).astype(np.uint8)
    away = away_directions(view, middles)
    reach = FINE_REACH * scene.camera.pieces.tile_across_flats_mm / np.sqrt(3.0)
    samples = []
    for crop, at, middle, up in zip(fine, cells, middles, away, strict=True):
        tile = tiles[at]
        if rendered.truth["plots"][str(at)]["visible"] < 0.25:
            continue
        marking = Marking(tile.improvement, tile.chip and tile.improvement is not None)
        spot, share = (0.0, 0.0), 0.0
        outline = icon_outline(tile, scene)
        if outline is not None:
            off = np.asarray(outline[0]).mean(axis=0) - middle
            column, row = in_squares(off[None, None], up[None], reach, FINE_PX)[0, 0]
            spot = float(column), float(row)
            share = seen_share(rendered.view.project(np.asarray(outline[0]), outline[1]), rendered.ids)
        samples.append(Sample(crop, MARKINGS.index(marking), spot, share))
    return samples
