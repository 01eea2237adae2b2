"""Badges: searched on the tile, told from near."""

import numpy as np
import pytest
from test_nets_crops import view_from

from vision.nets.badge_crops import BADGE_PX, FINE_PX, HEAT, badge_pictures, heat_at, on_tiles, peaks, search_pictures
from vision.nets.badges import together
from vision.nets.blobs import balanced
from vision.nets.runner import Network, model_path
from vision.training.badge_samples import samples_of_look


def test_the_hottest_place_is_found_finer_than_its_cell():
    heat = np.full((1, HEAT, HEAT), -9.0, np.float32)
    heat[0, 5, 7] = heat[0, 5, 8] = 3.0

    at = peaks(heat)

    assert at[0, 0] == pytest.approx([(7.5 + 0.5) * FINE_PX / HEAT - 0.5, (5 + 0.5) * FINE_PX / HEAT - 0.5], abs=0.01)


def test_a_neighbour_s_badge_is_not_the_tile_s_own():
    view = view_from(60.0)
    centres = np.array([[0.0, 0.0], [70.0, 0.0]])
    own = on_tiles(view, centres, 0.0)
    heat = np.zeros((2, HEAT, HEAT), np.float32)
    heat[:, 0, 0] = 9.0  # a corner of the crop lies beside the hexagon, however it is turned
    heat[:, 10, 12] = 3.0

    at = peaks(heat, own)

    assert not own[:, 0, 0].any()
    assert own[:, HEAT // 2, HEAT // 2].all()
    assert own.mean() == pytest.approx(0.47, abs=0.02)  # of the square, less the rim where no badge's middle can lie
    assert at[:, 0] == pytest.approx((np.array([[12.0, 10.0]] * 2) + 0.5) * FINE_PX / HEAT - 0.5, abs=1.0)


def test_places_come_with_their_heat_the_hottest_first():
    heat = np.full((2, HEAT, HEAT), -9.0, np.float32)
    heat[0, 5, 7], heat[0, 15, 2] = 3.0, 1.5
    heat[1, 0, HEAT - 1], heat[1, HEAT - 1, 0] = -2.0, 4.0  # corners: their surroundings lie beyond the map in part

    at = peaks(heat)

    assert heat_at(heat, at) == pytest.approx(np.array([[3.0, 1.5], [4.0, -2.0]]))
    assert at[1, 0] == pytest.approx([FINE_PX / HEAT / 2 - 0.5, FINE_PX - FINE_PX / HEAT / 2 - 0.5], abs=0.01)


def test_a_badge_counts_though_a_stalk_s_top_was_hotter():
    bare, mark = np.full(7, -4.0), np.full(7, -4.0)
    bare[0], mark[2] = 4.0, 3.0

    one, none = np.exp(together(np.stack([[bare, mark], [bare, bare]])))

    assert one.argmax() == 2
    assert one[2] > 0.9
    assert none[0] > 0.99
    assert one.sum() == pytest.approx(1.0, abs=1e-4)


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
    (logits,) = tell.run(balanced(badge_pictures(fine, peaks(heat.reshape(-1, HEAT, HEAT))[:, 0]), white))
    truth = np.array([s.marking for s in clear])

    said = logits.argmax(axis=1)

    same = np.where(said > 3, said - 3, said) == np.where(truth > 3, truth - 3, truth)
    assert same.mean() > 0.75
