"""Looking again at a table: what stayed is not searched anew, what moved or grew is."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from vision_scenes import rendered

import vision.cards
import vision.locating
from companion.games.takenoko.hexgrid import POND, neighbours
from vision.camera_file import CameraModel
from vision.cards import CardImage, find_cards
from vision.lattice import Lattice
from vision.locating import Locator
from vision.simulated.render import render
from vision.simulated.scene import Scene

SEED = 3


@cache
def table(plots: int | None = None) -> tuple[Scene, np.ndarray]:
    """A table of eight plots, or with the last ones taken off it, figures and channels aside."""
    scene, _ = rendered(SEED, plots=8, width=1280)
    last = max((t for t in scene.tiles if t.at != POND), key=lambda t: (len(open_sides(scene, t.at)), t.at))
    tiles = scene.tiles if plots is None else tuple(t for t in scene.tiles if t is not last)
    scene = replace(scene, tiles=tiles, channels=(), gardener=None, panda=None)
    return scene, render(scene, np.random.default_rng(8)).image


def open_sides(scene: Scene, at) -> list:
    laid = {tile.at for tile in scene.tiles}
    return [other for other in neighbours(at) if other not in laid]


def calls_of(module, name: str, monkeypatch) -> list[int]:
    """Grows by one for each call of a function, which does its work as ever."""
    counted: list[int] = []
    work = getattr(module, name)

    def counting(*args):
        counted.append(1)
        return work(*args)

    monkeypatch.setattr(module, name, counting)
    return counted


@pytest.fixture
def searches(monkeypatch) -> list[int]:
    """Grows by one for each search from the start."""
    return calls_of(vision.locating, "_searched", monkeypatch)


def located(locator: Locator, image: np.ndarray, scene: Scene) -> Lattice:
    found = locator.locate(image, scene.camera, find_cards(image, scene.camera), [])
    assert found is not None
    return found[1].lattice


def noisy(image: np.ndarray) -> np.ndarray:
    noise = np.random.default_rng(5).normal(0.0, 2.0, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def test_a_table_that_stayed_is_found_where_it_was_without_a_search(searches):
    scene, image = table()
    locator = Locator()
    first = located(locator, image, scene)
    second = located(locator, noisy(image), scene)
    assert len(searches) == 1
    cells = vision.locating.clear_cells(first)
    assert len(cells) >= 8
    assert np.linalg.norm(first.centres_mm(cells) - second.centres_mm(cells), axis=1).max() < 1.5


def test_a_plot_laid_at_the_rim_is_measured_with_all_about_it_where_the_garden_was(searches):
    scene, before = table(7)
    whole, after = table()
    locator = Locator()
    then = located(locator, before, scene)
    now = located(locator, after, scene)
    assert len(searches) == 1
    assert len(vision.locating.clear_cells(now)) == len(vision.locating.clear_cells(then)) + 1 == len(whole.tiles)
    assert vision.locating.measured_about(now)


@pytest.mark.parametrize("shift", [(14, 0), (0, -9)])
def test_a_bumped_camera_is_searched_anew(searches, shift):
    scene, image = table()
    locator = Locator()
    located(locator, image, scene)
    located(locator, np.roll(image, shift, axis=(1, 0)), scene)
    assert len(searches) == 2


def test_a_garden_pushed_under_still_cards_is_searched_anew(searches):
    scene, image = table()
    pushed = replace(
        scene,
        tiles=tuple(replace(t, centre_mm=(t.centre_mm[0] + 25.0, t.centre_mm[1] - 12.0)) for t in scene.tiles),
    )
    locator = Locator()
    located(locator, image, scene)
    located(locator, render(pushed, np.random.default_rng(8)).image, scene)
    assert len(searches) == 2


def test_a_card_less_or_a_table_less_is_searched_anew(searches):
    scene, image = table()
    cards = find_cards(image, scene.camera)
    locator = Locator()
    located(locator, image, scene)
    assert locator.locate(image, scene.camera, cards[:-1], []) is not None
    assert len(searches) == 2
    assert locator.locate(np.full_like(image, 120), scene.camera, cards[:-1], []) is None
    located(locator, image, scene)
    assert len(searches) == 4


@pytest.fixture
def detections(monkeypatch) -> list[int]:
    """Grows by one for each picture searched for cards."""
    return calls_of(vision.cards, "_detected", monkeypatch)


def with_its_cards() -> tuple[CameraModel, np.ndarray, tuple[CardImage, ...]]:
    """The camera file that names no other cards than those in sight, the picture, and the cards."""
    scene, image = table()
    cards = find_cards(image, scene.camera)
    assert len(cards) >= 2
    markers = replace(scene.camera.markers, ids=tuple(card.id for card in cards))
    return replace(scene.camera, markers=markers), image, cards


def test_cards_that_all_lie_where_they_lay_are_not_searched(detections):
    camera, image, before = with_its_cards()
    detections.clear()
    after = find_cards(noisy(image), camera, before)
    assert not detections
    for card, same in zip(before, after, strict=True):
        assert same.id == card.id
        assert same.corners_px == pytest.approx(card.corners_px, abs=0.5)


def test_cards_are_searched_while_others_may_lie_there(detections):
    camera, image, before = with_its_cards()
    detections.clear()
    assert {card.id for card in find_cards(image, camera, before[1:])} == {card.id for card in before}
    assert detections


@pytest.mark.parametrize("what", ["covered", "turned", "moved", "dark"])
def test_cards_are_searched_where_one_is_not_read_as_before(detections, what):
    camera, image, before = with_its_cards()
    quad = before[0].corners_px
    low, high = np.floor(quad.min(axis=0)).astype(int) - 6, np.ceil(quad.max(axis=0)).astype(int) + 6
    window = np.s_[low[1] : high[1], low[0] : high[0]]
    now = image.copy()
    if what == "covered":
        now[window] = (110, 140, 190)
    elif what == "turned":
        around = cv2.getPerspectiveTransform(quad.astype(np.float32), np.roll(quad, 1, axis=0).astype(np.float32))
        now[window] = cv2.warpPerspective(image, around, image.shape[1::-1])[window]
    elif what == "moved":
        now = np.roll(image, 4, axis=1)
    else:
        now = image // 40
    detections.clear()
    again = find_cards(now, camera, before)
    assert detections
    same = {card.id: card.corners_px for card in again}
    assert before[0].id not in same or np.abs(same[before[0].id] - quad).max() > 1.0
