"""What training is shown: landmarks where the stalks are, hard ground that spares them, figures before them."""

import numpy as np
import pytest

from vision.nets.upright import COLUMNS, FOOT_ROW, ROWS
from vision.training import cut_outs, ground, shifted
from vision.training.badge_renders import samples_of_scene
from vision.training.cut_outs import CutOuts, with_figures
from vision.training.generate import crops_of
from vision.training.ground import rows_per_tile, with_ground
from vision.training.hard_scenes import hard_scene
from vision.training.shards import save_shard


@pytest.fixture(scope="module")
def cells():
    columns, _, _ = crops_of(4_000_001)
    return {name: parts[0] for name, parts in columns.items()}


def test_foot_and_top_lie_as_far_apart_as_the_rise_of_their_height(cells):
    stalks = np.flatnonzero((cells["height"] > 0) & (cells["kind"] > 0))
    assert len(stalks) > 3
    for i in stalks:
        rise = cells["rises"][i, cells["height"][i] - 1]
        # A foot off the middle is nearer or farther, the pose a little wrong, and the stack may lean.
        assert cells["foot_at"][i, 1] - cells["top_at"][i, 1] == pytest.approx(rise, abs=4.0)


def test_the_pixels_of_a_stalk_lie_about_its_axis_and_nowhere_else(cells):
    for i in range(len(cells["height"])):
        body = cells["body"][i]
        if cells["height"][i] == 0 or cells["stalk_visible"][i] == 0:
            continue
        rows, columns = np.nonzero(body > 127)
        if len(rows):
            wide = cells["view"][i, 8] / 2 * COLUMNS / 0.75
            assert abs(columns.mean() * 2 - cells["foot_at"][i, 0]) < wide
            assert rows.min() * 2 >= cells["top_at"][i, 1] - wide * 1.5
            assert rows.max() * 2 <= cells["foot_at"][i, 1] + wide * 1.5
    assert not cells["body"][cells["height"] == 0].any()


def some_crop(rng):
    crop = rng.integers(60, 200, (ROWS, COLUMNS, 3)).astype(np.uint8)
    body = np.zeros((ROWS // 2, COLUMNS // 2), np.uint8)
    body[20:46, 13:19] = 255
    view = np.array([0.8, 0.6, 1.0, 0.7, 0.1, 0.0, 0.5, 0.4, 0.45, 0.6, 1.2, 1.0], np.float32)
    return crop, body, view, np.array([31.5, FOOT_ROW], np.float32)


def test_spots_and_shadows_lie_behind_the_stalk_and_shadows_only_darken(monkeypatch):
    monkeypatch.setattr(ground, "ALIKE", 0.0)
    monkeypatch.setattr(ground, "SPOTTED", 0.0)
    monkeypatch.setattr(ground, "SHADOWED", 1.0)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        crop, body, view, foot = some_crop(rng)
        shadowed = with_ground(crop, body, view, foot, rng)
        assert (shadowed[44:88, 28:36] == crop[44:88, 28:36]).all()
        assert (shadowed <= crop).all()
        assert (shadowed < crop).any()


def test_a_stalk_is_brought_near_to_the_colour_of_its_tile(monkeypatch):
    monkeypatch.setattr(ground, "ALIKE", 1.0)
    monkeypatch.setattr(ground, "SPOTTED", 0.0)
    monkeypatch.setattr(ground, "SHADOWED", 0.0)
    crop, body, view, foot = some_crop(np.random.default_rng(1))
    crop[:] = (40, 160, 60)
    crop[40:92, 26:38] = (200, 40, 200)
    alike = with_ground(crop, body, view, foot, np.random.default_rng(2)).astype(int)
    assert np.abs(alike[60, 32] - (40, 160, 60)).sum() < np.abs(crop[60, 32].astype(int) - (40, 160, 60)).sum() * 0.85
    assert (alike[5:30] == crop[5:30]).all()


def test_a_tile_is_foreshortened_with_the_view(cells):
    steep, flat = some_crop(np.random.default_rng(0))[2], some_crop(np.random.default_rng(0))[2]
    flat[0] = 0.5
    assert rows_per_tile(flat) == pytest.approx(rows_per_tile(steep) * 0.5 / 0.8)


def test_rendered_badges_are_marked_where_they_lie():
    samples = samples_of_scene(4_000_003)
    marked = [sample for sample in samples if sample.marking]
    assert marked
    middle = (samples[0].crop.shape[0] - 1) / 2
    for sample in marked:
        assert np.hypot(sample.at_px[0] - middle, sample.at_px[1] - middle) < middle
        assert 0.0 <= sample.visible <= 1.0


def stalk_alone():
    """One cell with a stalk in full sight and no figure, as a table of one row."""
    crop, body, view, foot = some_crop(np.random.default_rng(5))
    return {
        "tall": crop[None], "body": body[None], "view": view[None], "foot_at": foot[None],
        "white": np.full((1, 3), 220.0, np.float32), "kind": np.array([1]), "height": np.array([2]),
        "gardener": np.zeros(1, np.float32), "panda": np.zeros(1, np.float32),
        "stalk_visible": np.ones(1, np.float32),
    }  # fmt: skip


def a_black_panda() -> CutOuts:
    shape = np.zeros((1, ROWS, COLUMNS), np.uint8)
    shape[:, 60:92, 22:42] = 255
    return CutOuts(
        np.zeros((1, ROWS, COLUMNS, 3), np.uint8), shape, np.full((1, 3), 220.0, np.float32), np.array([0.9]),
        np.array([True]),
    )  # fmt: skip


def test_a_figure_set_before_a_stalk_hides_of_it_what_it_covers(monkeypatch):
    monkeypatch.setattr(cut_outs, "SET", 1.0)
    hidden = 0
    for seed in range(20):
        part = stalk_alone()
        crop = part["tall"].copy()
        shown = with_figures(part, a_black_panda(), np.random.default_rng(seed))
        assert (part["tall"] == crop).all(), "the table that was given stays as it is"
        left = shown["body"].sum() / part["body"].sum()
        assert shown["stalk_visible"][0] == pytest.approx(left, abs=0.02)
        seen = shown["body"][0] == 255
        where = np.kron(seen, np.ones((2, 2))) > 0
        assert np.abs(shown["tall"][0][where].astype(int) - crop[0][where]).max() <= 2
        assert shown["gardener"][0] == 0
        hidden += left < 0.9
    assert hidden > 5


def test_a_panda_is_set_beside_a_gardener_but_never_a_second_one_nor_off_the_plots(monkeypatch):
    monkeypatch.setattr(cut_outs, "SET", 1.0)
    monkeypatch.setattr(cut_outs, "BESIDE", 1.0)
    part = stalk_alone()
    part["gardener"][0] = 1.0
    shown = with_figures(part, a_black_panda(), np.random.default_rng(1))
    assert (shown["gardener"][0], shown["panda"][0]) == (1.0, 1.0)
    for column, value in (("kind", 0), ("kind", 4), ("panda", 1.0)):
        part = stalk_alone()
        part[column][0] = value
        shown = with_figures(part, a_black_panda(), np.random.default_rng(1))
        assert all((shown[name] == part[name]).all() for name in part)


def test_figures_are_kept_as_cut_outs_where_they_stand(tmp_path):
    _, _, figures = crops_of(4_000_001)
    save_shard(tmp_path / "4000001" / "figure", figures)
    kept = CutOuts.load(tmp_path)
    assert len(kept.panda) == len(figures["panda"][0]) > 0
    for shape in kept.shapes:
        rows, columns = np.nonzero(shape)
        assert rows.min() < FOOT_ROW < rows.max() + 8
        assert abs(np.median(columns) - COLUMNS / 2) < COLUMNS / 5
    assert len(CutOuts.load(tmp_path / "elsewhere").panda) == 0


def test_on_hard_tables_figures_stand_beside_stalks():
    for seed in range(12):
        scene = hard_scene(np.random.default_rng(seed), 1024)
        stalks = {tile.at: tile for tile in scene.tiles if tile.bamboo}
        if len(stalks) < 2:
            continue
        for figure in (scene.gardener, scene.panda):
            if figure is not None:
                middle = np.asarray(stalks[figure.at].centre_mm)
                assert np.linalg.norm(middle - figure.stand_mm) < scene.camera.pieces.tile_across_flats_mm * 0.47


def test_a_moved_and_stretched_crop_still_agrees_with_all_that_is_known_of_it(cells, monkeypatch):
    monkeypatch.setattr(shifted, "MOVED", 1.0)
    stalks = np.flatnonzero((cells["height"] > 0) & (cells["stalk_visible"] > 0.9))
    part = {name: column[stalks] for name, column in cells.items()}
    before = {name: column.copy() for name, column in part.items()}
    moved = shifted.with_shifts(part, np.random.default_rng(3))
    assert all((part[name] == before[name]).all() for name in part)
    for i in range(len(stalks)):
        rise = moved["rises"][i, part["height"][i] - 1]
        assert moved["foot_at"][i, 1] - moved["top_at"][i, 1] == pytest.approx(rise, abs=4.0)
        (rows, columns), (old_rows, old_columns) = (np.nonzero(one["body"][i] > 127) for one in (moved, part))
        if old_columns.min() > 3 and old_columns.max() < COLUMNS / 2 - 4:
            off = moved["foot_at"][i] - part["foot_at"][i]
            assert 2 * (columns.mean() - old_columns.mean()) == pytest.approx(off[0], abs=0.7)
            assert 2 * (rows.max() - old_rows.max()) == pytest.approx(off[1], abs=3.5)
    assert np.abs(moved["foot_at"] - part["foot_at"]).max() > 1.0


def test_a_stretch_changes_every_height_in_proportion_where_the_tile_holds_the_scale(monkeypatch):
    monkeypatch.setattr(shifted, "MOVED", 1.0)
    part = stalk_alone()
    part |= {
        "tall_mask": part["tall"][..., 0] % 2, "top_at": part["foot_at"] - np.float32([0, 20]),
        "rises": np.float32([[10, 20, 30, 40]]),
    }  # fmt: skip
    for share, stretched in ((1.0, False), (0.6, True)):
        part["view"][0, 2] = share
        moved = shifted.with_shifts(part, np.random.default_rng(0))
        longer = moved["rises"] / part["rises"]
        assert longer == pytest.approx(np.full((1, 4), longer[0, 0]))
        assert (longer[0, 0] != 1.0) == stretched
        assert moved["view"][0, 2] == pytest.approx(share * longer[0, 0])
        assert moved["foot_at"][0, 1] - moved["top_at"][0, 1] == pytest.approx(20 * longer[0, 0], abs=1e-3)
