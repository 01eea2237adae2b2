"""Rendered scenes: the picture agrees with the truth that is told of it."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.games.takenoko.hexgrid import POND, Hex, neighbours
from vision.simulated.placing import random_cells
from vision.simulated.random_scene import random_scene
from vision.simulated.render import Renderer, render, view_of
from vision.simulated.scene import Imaging
from vision.simulated.truth import tile_outline

SIZE = {"width": 400, "height": 300}
CLEAR = Imaging(exposure=0.9, noise=0.0, chroma_noise=0.0, defocus_px=0.0, vignette=0.0, jpeg=None)


def scene_of(seed, **wanted):
    return random_scene(np.random.default_rng(seed), **{**SIZE, **wanted})


def test_the_same_seed_gives_the_same_picture_and_another_seed_another():
    one, same, other = (render(scene_of(s, plots=3), np.random.default_rng(s)).image for s in (4, 4, 5))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_a_kept_renderer_draws_what_a_fresh_one_draws():
    renderer = Renderer()
    scene = scene_of(6, plots=4, hand=False)
    renderer.render(scene, np.random.default_rng(0))
    taller = replace(scene, tiles=tuple(replace(t, bamboo=3) if t.colour else t for t in scene.tiles))
    kept = renderer.render(taller, np.random.default_rng(0))
    fresh = render(taller, np.random.default_rng(0))
    assert np.array_equal(kept.image, fresh.image)
    assert kept.truth == fresh.truth


@pytest.mark.parametrize("seed", range(4))
def test_gardens_are_legal_looking(seed):
    cells = random_cells(20, np.random.default_rng(seed))
    assert cells[0] == POND
    for number, cell in enumerate(cells[1:], 1):
        before = cells[:number]
        assert cell not in before
        assert POND in neighbours(cell) or sum(n in before for n in neighbours(cell)) >= 2


def test_the_truth_names_every_piece_once():
    scene = scene_of(11, plots=9)
    truth = render(scene, np.random.default_rng(0)).truth
    assert set(truth["plots"]) == {str(t.at) for t in scene.tiles if t.colour is not None}
    for tile in scene.tiles:
        if tile.colour is not None:
            told = truth["plots"][str(tile.at)]
            assert told["bamboo"] == tile.bamboo
            assert ("bamboo_visible" in told) == (tile.bamboo > 0)
            assert ("icon_visible" in told) == (tile.improvement is not None)
    assert len(truth["channels"]) == len(scene.channels)
    shares = [v["visible"] for v in truth["plots"].values()] + [c["visible"] for c in truth["channels"]]
    assert all(0.0 <= share <= 1.0 for share in shares)


def test_markers_are_drawn_where_the_truth_says():
    errors = []
    for seed in range(300, 303):
        scene = replace(scene_of(seed, width=960, height=720, plots=5, elevation_deg=60.0, hand=False), imaging=CLEAR)
        rendered = render(scene, np.random.default_rng(seed))
        code = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, scene.camera.markers.dictionary))
        parameters = cv2.aruco.DetectorParameters()
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
        corners, ids, _ = cv2.aruco.ArucoDetector(code, parameters).detectMarkers(rendered.image)
        found = {} if ids is None else dict(zip(ids.ravel().tolist(), corners, strict=True))
        half = scene.camera.markers.size_mm / 2
        for card in scene.markers:
            if card.marker in found and card.marker in rendered.truth["markers_visible"]:
                c, s = np.cos(card.angle), np.sin(card.angle)
                square = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half @ np.array([[c, s], [-s, c]])
                errors.append(found[card.marker][0] - rendered.view.project(square + card.centre_mm, 0.0))
    offsets = np.concatenate(errors)
    assert len(offsets) >= 8
    assert np.abs(offsets.mean(axis=0)).max() < 0.15
    assert np.median(np.linalg.norm(offsets, axis=1)) < 0.5


def test_a_tile_shows_its_colour_inside_its_outline():
    scene = replace(scene_of(21, plots=6, look="flat", hand=False, elevation_deg=85.0), imaging=CLEAR, clutter=())
    bare = replace(scene, tiles=tuple(replace(t, bamboo=0, chip=False, improvement=None) for t in scene.tiles))
    bare = replace(bare, gardener=None, panda=None, channels=())
    rendered = render(bare, np.random.default_rng(0))
    view = view_of(bare)
    for tile in bare.tiles:
        corners = tile_outline(tile, bare.camera.pieces.tile_across_flats_mm)
        px = view.project(corners * 0.55 + np.asarray(tile.centre_mm) * 0.45, bare.camera.pieces.tile_thickness_mm)
        mask = np.zeros(rendered.image.shape[:2], np.uint8)
        cv2.fillPoly(mask, [np.round(px).astype(np.int32)], 1)
        b, g, r = (float(v) for v in cv2.mean(rendered.clean, mask)[:3])
        match tile.colour:
            case None:
                assert b > r
            case "green":
                assert g > r
            case "yellow":
                assert r > b
                assert g > b
            case _:
                assert r > g


def test_a_taller_stalk_hides_no_less_of_the_garden_behind_it():
    scene = scene_of(33, plots=8, elevation_deg=40.0, hand=False)
    seen = []
    for height in range(5):
        tiles = tuple(replace(t, bamboo=height if t.colour is not None else 0) for t in scene.tiles)
        truth = render(replace(scene, tiles=tiles), np.random.default_rng(0)).truth
        seen.append(sum(plot["visible"] for plot in truth["plots"].values()))
    assert seen == sorted(seen, reverse=True)
    assert seen[0] > seen[-1]


def test_a_hand_hides_what_it_reaches_over():
    scene = scene_of(41, plots=5, elevation_deg=55.0, hand=True)
    with_hand = render(scene, np.random.default_rng(0)).truth
    without = render(replace(scene, hand=None), np.random.default_rng(0)).truth
    assert with_hand["hand"]
    assert not without["hand"]
    assert sum(p["visible"] for p in with_hand["plots"].values()) < sum(p["visible"] for p in without["plots"].values())


def test_a_stalk_that_nothing_hides_is_wholly_visible():
    scene = scene_of(52, plots=1, hand=False, elevation_deg=50.0)
    tiles = tuple(replace(t, bamboo=3 if t.colour is not None else 0) for t in scene.tiles)
    alone = replace(scene, tiles=tiles, gardener=None, panda=None, channels=(), clutter=())
    truth = render(alone, np.random.default_rng(0)).truth
    (plot,) = truth["plots"].values()
    assert plot["bamboo_visible"] > 0.97


def test_everything_varies_from_scene_to_scene():
    scenes = [scene_of(seed) for seed in range(30)]
    assert len({s.camera.pieces for s in scenes}) == 30
    assert len({s.look.name for s in scenes}) >= 4
    assert len({s.table.kind for s in scenes}) >= 4
    assert {len(s.markers) > 0 for s in scenes} == {True, False}
    assert {s.mat is None for s in scenes} == {True, False}
    elevations = [view_of(s).elevation_deg() for s in scenes]
    assert min(elevations) < 45
    assert max(elevations) > 75


def test_the_garden_can_be_given():
    cells = (POND, Hex(1, 0), Hex(1, -1))
    scene = scene_of(3, cells=cells)
    assert tuple(t.at for t in scene.tiles) == cells
