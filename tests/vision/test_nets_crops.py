"""Crops of the networks: things of known place on the table come to lie where the networks expect them."""

import cv2
import numpy as np
import pytest

from vision.camera_file import CameraModel, Pieces
from vision.geometry import View
from vision.nets.blobs import balanced, folded, mirrored, rulers, tall_blob, tile_blob
from vision.nets.crops import (
    EDGE_COLUMNS,
    EDGE_ROWS,
    TILE_PX,
    TILE_REACH,
    Pyramid,
    TileCrops,
    edge_crops,
    homographies,
    tall_crops,
    tile_crops,
)
from vision.nets.upright import COLUMNS, FOOT_ROW, ROWS, SECTION_ROWS, apart, uprights
from vision.nets.white import guessed_white, white_of_cards

CENTRES = np.array([[0.0, 0.0], [120.0, -40.0], [-90.0, 70.0]])
ANGLE = 0.3


def camera(**pieces: float) -> CameraModel:
    return CameraModel(1640, 1232, 1300.0, 1300.0, 820.0, 616.0, (-0.03, 0.005, 0.0, 0.0, 0.0), pieces=Pieces(**pieces))


def view_from(elevation_deg: float, azimuth_deg: float = 20.0, distance_mm: float = 800.0, **pieces: float) -> View:
    """A camera that looks at the table's origin."""
    up, turn = np.radians(elevation_deg), np.radians(azimuth_deg)
    eye = distance_mm * np.array([np.cos(up) * np.cos(turn), np.cos(up) * np.sin(turn), np.sin(up)])
    ahead = -eye / distance_mm
    right = np.cross(ahead, [0.0, 0.0, 1.0])
    right = right / np.linalg.norm(right) if np.linalg.norm(right) > 1e-6 else np.array([1.0, 0.0, 0.0])
    rotation = np.stack([right, np.cross(ahead, right), ahead])
    return View(camera(**pieces), cv2.Rodrigues(rotation)[0].reshape(3), -rotation @ eye)


def picture_of(view: View, points_mm: np.ndarray) -> np.ndarray:
    """A black picture with a white dot at each point (N, 3)."""
    image = np.zeros((1232, 1640, 3), np.uint8)
    for x, y in view.project(points_mm):
        cv2.circle(image, (round(x), round(y)), 5, (255, 255, 255), -1, cv2.LINE_AA)
    return image


def spot(crop: np.ndarray) -> tuple[float, float]:
    """Centre of light (column, row)."""
    weight = crop.astype(float).sum(axis=2)
    rows, columns = np.indices(weight.shape)
    return float((weight * columns).sum() / weight.sum()), float((weight * rows).sum() / weight.sum())


@pytest.mark.parametrize("elevation", [38.0, 45.0])
@pytest.mark.parametrize(("section", "flats"), [(18.0, 70.0), (22.0, 70.0), (15.0, 62.0)])
@pytest.mark.parametrize("height", [0, 1, 2, 3])
def test_the_top_of_a_stack_lies_as_many_section_rows_above_the_foot(elevation, section, flats, height):
    view = view_from(elevation, section_height_mm=section, tile_across_flats_mm=flats)
    for centre in CENTRES:
        top = np.array([[*centre, 2.0 + height * section]])
        crops = tall_crops(Pyramid(picture_of(view, top)), view, centre[None], ANGLE)
        column, row = spot(crops.pixels[0])
        assert column == pytest.approx((COLUMNS - 1) / 2, abs=1.0)
        assert row == pytest.approx(FOOT_ROW - height * SECTION_ROWS, abs=1.5)


@pytest.mark.parametrize("elevation", [38.0, 62.0, 80.0, 88.0])
@pytest.mark.parametrize("height", [1, 2, 3, 4])
def test_the_rise_of_each_height_leads_from_foot_to_top_from_wherever_one_looks(elevation, height):
    view = view_from(elevation, azimuth_deg=75.0)
    stands = uprights(view, CENTRES)
    for i, centre in enumerate(CENTRES):
        top = np.array([[*centre, 2.0 + height * view.camera.pieces.section_height_mm]])
        crops = tall_crops(Pyramid(picture_of(view, top)), view, centre[None], ANGLE)
        column, row = spot(crops.pixels[0])
        assert column == pytest.approx((COLUMNS - 1) / 2, abs=1.0)
        assert row == pytest.approx(FOOT_ROW - stands.rises[i, height - 1], abs=1.5)
        assert crops.rises[0] == pytest.approx(stands.rises[i], abs=1e-3)


def test_foot_and_top_say_the_height_whose_rise_lies_between_them():
    rises = np.array([[8.0, 16.5, 25.0, 34.0]], np.float32)
    for height, rise in enumerate(rises[0]):
        pairs = np.zeros((1, ROWS // 2, ROWS // 2), np.float32)
        foot = 45
        top = foot - rise / 2
        low = int(np.floor(top))
        pairs[0, foot, low], pairs[0, foot, low + 1] = 1 - (top - low), top - low
        said = apart(pairs, rises)[0]
        assert said.argmax() == height
        assert said[height] > np.delete(said, height).max() + 3.0
    nothing = apart(np.full((1, ROWS // 2, ROWS // 2), 0.0, np.float32), rises)[0]
    assert np.ptp(nothing) == pytest.approx(0.0)


@pytest.mark.parametrize("elevation", [38.0, 60.0, 90.0])
def test_the_crop_from_above_keeps_distances_and_has_away_upwards(elevation):
    view = view_from(elevation)
    centre = CENTRES[1]
    away = centre - view.eye_mm[:2]
    away = away / np.linalg.norm(away)
    point = np.array([[*(centre + 20.0 * away), 2.0]])
    crops = tile_crops(Pyramid(picture_of(view, point)), view, centre[None], ANGLE)
    column, row = spot(crops.pixels[0])
    px_per_mm = (TILE_PX - 1) / 2 / (TILE_REACH * 70.0 / np.sqrt(3))
    assert column == pytest.approx((TILE_PX - 1) / 2, abs=1.0)
    assert row == pytest.approx((TILE_PX - 1) / 2 - 20.0 * px_per_mm, abs=1.0)


def test_the_hexagon_has_the_area_of_a_tile():
    view = view_from(50.0)
    crops = tile_crops(Pyramid(np.zeros((1232, 1640, 3), np.uint8)), view, CENTRES, ANGLE)
    px_per_mm = (TILE_PX - 1) / 2 / (TILE_REACH * 70.0 / np.sqrt(3))
    area_mm2 = crops.mask.sum(axis=(1, 2)) / px_per_mm**2
    # A drawn outline is half a pixel wide on either side.
    assert area_mm2 == pytest.approx(np.full(3, 70.0**2 * np.sqrt(3) / 2), rel=0.06)


def test_a_turned_table_frame_gives_the_same_crops():
    view = view_from(50.0)
    rng = np.random.default_rng(1)
    image = cv2.resize(rng.integers(0, 255, (77, 103, 3), np.uint8), (1640, 1232), interpolation=cv2.INTER_CUBIC)
    moved = view.moved((30.0, -20.0), 0.7)
    c, s = np.cos(0.7), np.sin(0.7)
    there = (CENTRES - (30.0, -20.0)) @ np.array([[c, -s], [s, c]])
    for cut in (tile_crops, tall_crops):
        one = cut(Pyramid(image), view, CENTRES, ANGLE)
        other = cut(Pyramid(image), moved, there, ANGLE - 0.7)
        assert np.abs(one.pixels.astype(int) - other.pixels).max() <= 2
        assert one.view == pytest.approx(other.view, abs=1e-4)


def test_a_channel_lies_along_the_middle_row_whichever_way_its_edge_is_told():
    view = view_from(50.0)
    middle, along = np.array([[35.0, 10.0]]), 0.4
    ends = middle + np.array([[-15.0], [15.0]]) * np.array([np.cos(along), np.sin(along)])
    image = np.zeros((1232, 1640, 3), np.uint8)
    a, b = view.project(ends, 2.0 + 3.0)
    cv2.line(image, tuple(np.rint(a).astype(int)), tuple(np.rint(b).astype(int)), (255, 255, 255), 5)
    for angle in (along, along + np.pi):
        crops = edge_crops(Pyramid(image), view, middle, [angle])
        column, row = spot(crops.pixels[0])
        assert column == pytest.approx((EDGE_COLUMNS - 1) / 2, abs=1.0)
        assert row == pytest.approx((EDGE_ROWS - 1) / 2, abs=1.0)


def test_no_cells_and_no_edges_give_no_crops():
    view = view_from(50.0)
    pyramid = Pyramid(np.zeros((12, 16, 3), np.uint8))
    assert len(tile_crops(pyramid, view, np.zeros((0, 2)), 0.0).pixels) == 0
    assert len(tall_crops(pyramid, view, np.zeros((0, 2)), 0.0).pixels) == 0
    assert len(edge_crops(pyramid, view, np.zeros((0, 2)), []).pixels) == 0


def test_the_ruler_counts_sections_even_where_their_rows_shrink():
    full, half = rulers(np.array([1.0, 0.5], np.float32))[:, 0, :, 0]
    row = int(FOOT_ROW)
    assert full[row] == pytest.approx(0.0)
    assert full[row - 32] == pytest.approx(2 / 5)
    assert half[row - 32] == pytest.approx(4 / 5)


def test_white_is_read_from_a_card_and_balances_the_input():
    view = view_from(55.0)
    tint = np.array([90.0, 150.0, 210.0])
    image = np.full((1232, 1640, 3), 30, np.uint8)
    square = np.array([[-20.0, 20.0], [20.0, 20.0], [20.0, -20.0], [-20.0, -20.0]])
    quad = np.rint(view.project(square, 0.0)).astype(np.int32)
    half = np.rint(view.project(square * (0.9, 0.5), 0.0)).astype(np.int32)
    cv2.fillConvexPoly(image, quad, (10, 15, 20))
    cv2.fillConvexPoly(image, half, tint.tolist())
    white = white_of_cards(image, view, [square])
    assert white == pytest.approx(tint, abs=3.0)
    cell = Pyramid(image), view, np.zeros((1, 2)), 0.0
    tile, tall = tile_blob(tile_crops(*cell), white), tall_blob(tall_crops(*cell), white)
    # Four pixels of three colours each, then the four of the hexagon; of the upright crops those of the ruler, too.
    assert tile[0, :12, TILE_PX // 4, TILE_PX // 4] == pytest.approx(np.full(12, 0.35), abs=0.02)
    assert tile[0, 12:, TILE_PX // 4, TILE_PX // 4] == pytest.approx(np.ones(4))
    assert tall.shape[1:] == (20, ROWS // 2, COLUMNS // 2)


def test_crops_come_folded_and_can_be_mirrored():
    rng = np.random.default_rng(8)
    pixels = rng.integers(0, 256, (2, TILE_PX, TILE_PX, 3), dtype=np.uint8)
    mask = rng.integers(0, 2, (2, TILE_PX, TILE_PX), dtype=np.uint8)
    view, white = np.zeros((2, 12), np.float32), np.array([200.0, 180.0, 220.0], np.float32)
    plain = np.concatenate([balanced(pixels, white), mask[:, None].astype(np.float32)], axis=1)
    blob = tile_blob(TileCrops(pixels, mask, view), white)
    assert np.array_equal(blob, folded(plain))
    assert np.array_equal(mirrored(blob), folded(plain[..., ::-1]))


def test_without_cards_white_is_guessed_and_never_dark():
    view = view_from(55.0)
    far = np.array([[-20.0, 20.0], [20.0, 20.0], [20.0, -20.0], [-20.0, -20.0]]) + 5000.0
    assert white_of_cards(np.zeros((1232, 1640, 3), np.uint8), view, [far]) is None
    assert (guessed_white(np.zeros((1232, 1640, 3), np.uint8)) >= 40).all()


def test_homographies_lead_the_corners_of_crops_to_the_corners_of_quadrilaterals():
    rng = np.random.default_rng(5)
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    quads = 300.0 * square + rng.normal(0.0, 40.0, (20, 4, 2))
    corners = np.column_stack([square * (55.0, 35.0), np.ones(4)])
    ahead = corners @ homographies(quads, 56, 36).transpose(0, 2, 1)
    assert ahead[..., :2] / ahead[..., 2:] == pytest.approx(quads)


def test_a_crop_shows_its_level_of_the_picture():
    image = np.random.default_rng(6).integers(0, 256, (96, 128, 3), dtype=np.uint8)
    pyramid = Pyramid(image)
    # Crop pixels as large as those of the level, from the level's column 5 and row 3 on.
    matrices = np.array(
        [[[2.0**k, 0.0, 5.5 * 2**k - 0.5], [0.0, 2.0**k, 3.5 * 2**k - 0.5], [0.0, 0.0, 1.0]] for k in (0, 1)]
    )
    for level, crop in enumerate(pyramid.cut(matrices, (20, 30), (0, 1))):
        assert np.abs(crop.astype(int) - pyramid.level(level)[3:23, 5:35]).max() <= 1
