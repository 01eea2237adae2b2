"""Badges: searched on the tile, told from near."""

import numpy as np
import pytest

from vision.nets.badge_crops import BADGE_PX, FINE_PX, HEAT, badge_pictures, peaks, search_pictures
from vision.nets.blobs import balanced
from vision.nets.runner import Network, model_path
from vision.training.badge_samples import samples_of_look


def test_the_hottest_place_is_found_finer_than_its_cell():
    heat = np.full((1, HEAT, HEAT), -9.0, np.float32)
    heat[0, 5, 7] = heat[0, 5, 8] = 3.0

    at = peaks(heat)

    assert at[0] == pytest.approx([(7.5 + 0.5) * FINE_PX / HEAT - 0.5, (5 + 0.5) * FINE_PX / HEAT - 0.5], abs=0.01)


def test_no_tiles_give_no_crops():
    none = np.zeros((0, FINE_PX, FINE_PX, 3), np.uint8)

    assert search_pictures(none).shape[0] == 0
    assert badge_pictures(none, np.zeros((0, 2))).shape == (0, BADGE_PX, BADGE_PX, 3)


def test_badges_on_drawn_tiles_of_looks_never_seen_in_training_are_told():
    """Ten looks, by seeds that no training shard uses; a chance guess would be right one time in four."""
    white = np.full(3, 217.0, np.float32)
    find, tell = Network(model_path("badge_find"), ("logits",)), Network(model_path("badge"), ("logits",))
    samples = [s for seed in range(10) for s in samples_of_look(np.random.default_rng((9_000_000 + seed, 31)), 3, 2)]
    clear = [s for s in samples if s.marking == 0 or s.visible > 0.8]
    fine = np.stack([s.crop for s in clear])
    (heat,) = find.run(balanced(search_pictures(fine), white))
    (logits,) = tell.run(balanced(badge_pictures(fine, peaks(heat.reshape(-1, HEAT, HEAT))), white))
    truth = np.array([s.marking for s in clear])

    said = logits.argmax(axis=1)

    same = np.where(said > 3, said - 3, said) == np.where(truth > 3, truth - 3, truth)
    assert same.mean() > 0.75
