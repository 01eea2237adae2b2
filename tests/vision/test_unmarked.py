"""A table without any marker card: pose and honeycomb from the tiles alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.evaluate import score_observation
from vision.observation_json import observation_to_json
from vision.pipeline import Eye
from vision.simulated.random_scene import random_scene
from vision.simulated.render import render
from vision.unmarked import pose_from_tiles


@pytest.mark.parametrize(("look", "elevation_deg", "plots"), [("painted", 50.0, 14), ("kit", 68.0, 10)])
def test_a_table_without_cards_is_found_by_its_tiles(look, elevation_deg, plots):
    rng = np.random.default_rng(21)
    scene = random_scene(
        rng, width=1024, height=768, plots=plots, look=look, elevation_deg=elevation_deg, hand=False, centred=True
    )
    picture = render(replace(scene, markers=(), mat=None), rng)
    found = pose_from_tiles(picture.image, scene.camera)
    assert found is not None
    pose, garden = found
    assert pose.elevation_deg() == pytest.approx(picture.view.elevation_deg(), abs=2.0)
    # How large a tile appears tells whether the distance is right.
    at = np.append(garden.lattice.nominal_mm(garden.lattice.cell_at((0.0, 0.0))), garden.lattice.z_mm)
    true_at = np.array([*scene.tiles[0].centre_mm, scene.camera.pieces.tile_thickness_mm])
    assert pose.px_per_mm(at) == pytest.approx(picture.view.px_per_mm(true_at), rel=0.15)
    observation = Eye(scene.camera).observe(picture.image)
    assert any("tiles alone" in str(warning) for warning in observation.warnings)
    tally = score_observation(picture.truth, observation_to_json(observation, "table.png"))
    assert tally.right["plot_found"] >= 0.9 * tally.all["plot_found"]


def test_a_picture_of_noise_holds_no_table():
    rng = np.random.default_rng(3)
    camera = random_scene(rng, width=640, height=480).camera
    assert pose_from_tiles(rng.integers(0, 255, (480, 640, 3), dtype=np.uint8), camera) is None
