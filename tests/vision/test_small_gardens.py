"""The first pictures of an evening: a bare pond, and a tile or two beside it, on a table with a grain."""

import cv2
import numpy as np
import pytest

from companion.bench.nights import NightPlan, write_night
from companion.games.takenoko.hexgrid import Hex
from companion.nights import eye_of
from vision.choosing import BETTER, held_cells, is_doubtful, plausibility
from vision.geometry import Patch
from vision.islands import islands
from vision.lattice import Lattice, TilePlace

FLATS = 70.0
PATCH = Patch((0.0, 0.0), (400, 300), 2.3)


def grained_table(seed=1):
    """Brown wood whose grain is stronger than the rim of any tile: uint8 (300, 400, 3) BGR."""
    rng = np.random.default_rng(seed)
    grain = np.repeat(cv2.GaussianBlur(rng.normal(0, 60, (300, 1)).astype(np.float32), (1, 5), 0), 400, axis=1)
    wood = np.array([60.0, 100.0, 160.0]) * (1.0 + grain[..., None] / 100.0)
    return np.clip(wood, 1, 255).astype(np.uint8)


def with_tile(picture, middle_mm, turn, colour):
    corners = turn + np.pi / 6 + np.arange(6) * np.pi / 3
    outline = np.asarray(middle_mm) + FLATS / np.sqrt(3.0) * np.stack([np.cos(corners), np.sin(corners)], axis=1)
    cv2.fillConvexPoly(picture, np.rint(PATCH.to_px(outline)).astype(np.int32), colour)
    return picture


@pytest.mark.parametrize("turn", [0.0, 0.4])
def test_a_tile_stands_out_by_its_colour_whatever_the_grain(turn):
    picture = with_tile(grained_table(), (40.0, -25.0), turn, (200, 120, 30))
    [middle] = islands(picture, PATCH, (), FLATS)
    assert np.linalg.norm(np.subtract(middle, (40.0, -25.0))) < 4.0


def striped_cloth():
    """White cloth with dark red stripes as broad as half a tile, (300, 400, 3) BGR."""
    picture = np.full((300, 400, 3), (215, 205, 210), np.uint8)
    for start in range(-300, 400, 42):
        cv2.line(picture, (start, 0), (start + 300, 300), (45, 50, 90), 11)
    return picture


def test_a_tile_stands_out_from_stripes_that_stand_out_too():
    picture = with_tile(striped_cloth(), (40.0, -25.0), 0.2, (95, 95, 95))
    # Its rim is grey as stones are, and figures hide a part of its blue.
    cv2.circle(
        picture, tuple(np.rint(PATCH.to_px(np.array([40.0, -25.0]))).astype(int).tolist()), 10, (200, 90, 25), -1
    )

    found = islands(picture, PATCH, (), FLATS)

    assert min(np.linalg.norm(np.subtract(middle, (40.0, -25.0))) for middle in found) < 15.0


def test_a_tile_is_found_among_more_and_larger_things():
    picture = with_tile(grained_table(), (40.0, -25.0), 0.0, (200, 120, 30))
    for x, y in ((60, 60), (330, 50), (60, 240), (330, 250)):  # flowers of the cloth
        for turn in np.arange(5) * 2 * np.pi / 5:
            petal = round(x + 13 * np.cos(turn)), round(y + 13 * np.sin(turn))
            cv2.circle(picture, petal, 9, (40, 200, 60), -1)

    assert np.linalg.norm(np.subtract(islands(picture, PATCH, (), FLATS)[0], (40.0, -25.0))) < 4.0


def test_bare_wood_and_what_lies_under_cards_are_no_islands():
    assert islands(grained_table(), PATCH, (), FLATS) == []
    picture = with_tile(grained_table(), (40.0, -25.0), 0.0, (200, 120, 30))
    card = np.array([(-10.0, -75.0), (90.0, -75.0), (90.0, 25.0), (-10.0, 25.0)])
    assert islands(picture, PATCH, (card,), FLATS) == []


def test_what_is_much_smaller_or_larger_than_a_tile_is_no_island():
    picture = grained_table()
    cv2.circle(picture, (60, 60), 6, (200, 120, 30), -1)
    cv2.rectangle(picture, (150, 20), (390, 280), (40, 180, 40), -1)
    assert islands(picture, PATCH, (), FLATS) == []


CELLS = (Hex(0, 0), Hex(1, 0), Hex(0, 1))


def lattice_with(*strengths):
    tiles = {cell: TilePlace(np.zeros(2), 0.0, strength) for cell, strength in zip(CELLS, strengths, strict=False)}
    return Lattice((0.0, 0.0), 0.0, FLATS + 1.5, FLATS, 2.0).with_tiles(tiles)


SURE = np.array([[0.0, 0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0, 0.0]])
NOBODY = np.zeros((3, 2))
UNSURE = np.array([[0.1, 0.0, 0.1, 0.0, 0.8], [0.4, 0.3, 0.2, 0.1, 0.0], [0.3, 0.3, 0.2, 0.2, 0.0]])


def test_a_small_garden_is_in_doubt_where_its_cells_or_its_outlines_are():
    assert not is_doubtful(lattice_with(0.6, 0.5, 0.1), CELLS, SURE)
    assert is_doubtful(lattice_with(0.6, 0.5, 0.1), CELLS, UNSURE)
    assert is_doubtful(lattice_with(0.6, 0.1, 0.1), CELLS, SURE)
    assert held_cells(CELLS, SURE) == [Hex(0, 0), Hex(1, 0)]


def test_sure_cells_with_clear_outlines_are_more_plausible():
    good = plausibility(lattice_with(0.6, 0.5, 0.1), CELLS, SURE, NOBODY)
    assert good > plausibility(lattice_with(0.2, 0.2, 0.2), CELLS, UNSURE, NOBODY) + BETTER
    assert good > plausibility(lattice_with(0.2, 0.1, 0.2), CELLS, SURE, NOBODY) + BETTER


def test_figures_stand_on_tiles():
    """A lamp or a look may turn a pond into nothing that is known; its outline and the figures on it speak for it."""
    flower = np.array([[0.0, 1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0, 0.0]])
    dark_pond = np.array([[0.8, 0.2, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0, 0.0]])
    both_there = np.array([[0.99, 1.0], [0.0, 0.0], [0.0, 0.0]])

    assert plausibility(lattice_with(0.8, 0.0, 0.0), CELLS, dark_pond, both_there) > BETTER + plausibility(
        lattice_with(0.6, 0.0, 0.0), CELLS, flower, NOBODY
    )
    # On bare table nothing stands, whatever it looks like.
    bare = lattice_with(0.0, 0.0, 0.0)
    assert plausibility(bare, CELLS, dark_pond, both_there) == plausibility(bare, CELLS, dark_pond, NOBODY)


@pytest.mark.parametrize("seed", [7300000, 7300012])
def test_a_bare_pond_on_a_rendered_table_is_found_without_ghosts(seed, tmp_path):
    write_night(tmp_path, NightPlan(seed=seed, turns=1, hand=0.0))
    seen = eye_of(tmp_path)(tmp_path / "frames" / "0000.jpg", None)
    assert not [at for at, belief in seen.cells.items() if belief.p_absent < 0.5]
    assert "eye.pond_unclear" not in [remark.id for remark in seen.warnings]
