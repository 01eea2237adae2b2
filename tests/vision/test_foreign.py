"""Hands and things over the garden: from the map of the network to hidden cells, a covered look, things in place."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.games.takenoko.hexgrid import POND, Edge, Hex, neighbours
from vision.camera_file import CameraModel
from vision.foreign import Cover, cover_of, why_covered
from vision.geometry import View
from vision.lattice import Lattice
from vision.nets.classify import CellGuesses
from vision.nets.crops import Pyramid
from vision.nets.foreign import COLUMNS, ROWS, STRIDE, ForeignMap, Window

CAMERA = CameraModel(1280, 960, 1200.0, 1200.0, 640.0, 480.0)
PICTURE = (1280, 960)
EYE_MM = np.array([0.0, -700.0, 900.0])
LATTICE = Lattice((0.0, 0.0), 0.0, 72.0, 70.0, 2.0)


def looking_at_the_pond() -> View:
    """A camera 52 degrees above the table, its picture's right along the table's x."""
    forward = -EYE_MM / np.linalg.norm(EYE_MM)
    right = np.array([1.0, 0.0, 0.0])
    rotation = np.stack([right, np.cross(forward, right), forward])
    return View(CAMERA, np.asarray(cv2.Rodrigues(rotation)[0]).reshape(3), -rotation @ EYE_MM)


VIEW = looking_at_the_pond()
TILE_PX = 70.0 * VIEW.px_per_mm(np.array([0.0, 0.0, 2.0]))
WINDOW = Window.about(VIEW.project(np.zeros((1, 2)), 2.0), TILE_PX)
SHAPE = (ROWS // STRIDE, COLUMNS // STRIDE)


def seen(hand=None, thing=None) -> Cover:
    """What is covered where a hand or a thing lies at these places of the table (functions of x and y, mm)."""
    spots = np.stack(np.meshgrid(np.arange(SHAPE[1]), np.arange(SHAPE[0])), axis=-1).astype(float)
    x, y = np.moveaxis(VIEW.to_plane(WINDOW.to_px(spots), 2.0), -1, 0)
    maps = [np.zeros(SHAPE, np.float32) if lies is None else lies(x, y).astype(np.float32) for lies in (hand, thing)]
    return cover_of(ForeignMap(WINDOW, *maps), VIEW, TILE_PX, PICTURE)


def arm(x, y):
    """From the table's right end to the middle of the garden, 90 mm wide."""
    return (x > 0) & (np.abs(y) < 45)


def disc(at, radius):
    return lambda x, y: np.hypot(x - at[0], y - at[1]) < radius


def test_a_window_reads_the_same_place_of_the_picture_forth_and_back():
    px = np.array([[640.0, 480.0], [100.0, 900.0]])
    assert WINDOW.to_px(WINDOW.spots(px)) == pytest.approx(px)


def test_a_tile_is_as_wide_in_every_window_and_beyond_the_picture_is_black():
    for scale in (1.0, 2.0):
        picture = np.full((int(480 * scale), int(640 * scale), 3), 200, np.uint8)
        cut = Window.about(np.array([[320.0, 240.0]]) * scale, 60.0 * scale).cut(Pyramid(picture))
        assert cut.shape == (ROWS, COLUMNS, 3)
        assert cut[ROWS // 2, COLUMNS // 2].tolist() == [200, 200, 200]
        assert int((cut[ROWS // 2, :, 0] > 0).sum()) == pytest.approx(640 / 60 * 12, abs=2)


def test_an_arm_hides_the_cells_below_it_and_no_others():
    cover = seen(hand=arm)
    hand, either = cover.of_cells(LATTICE, [Hex(1, 0), Hex(-1, 0), Hex(0, 0)])
    assert hand[0] > 0.9
    assert hand[1] < 0.05
    assert 0.3 < hand[2] < 0.7
    assert either == pytest.approx(hand)


def test_an_arm_hides_the_edges_and_the_stalks_below_it():
    cover = seen(hand=arm)
    places = [LATTICE.edge_mm(Edge.of(Hex(1, 0), Hex(2, 0))), LATTICE.edge_mm(Edge.of(Hex(-1, 0), Hex(-2, 0)))]
    edges = cover.of_edges(np.array([place[0] for place in places]), np.array([place[1] for place in places]), 40.0)
    assert edges[0] > 0.9
    assert edges[1] == 0.0
    stalks = cover.of_stalks(LATTICE, [Hex(1, 0), Hex(-1, 0)])
    assert stalks[0] > stalks[1] == 0.0


def test_something_like_skin_amid_the_table_is_no_hand():
    amid = seen(hand=disc((0.0, 0.0), 45.0))
    assert amid.of_cells(LATTICE, [POND])[0][0] == 0.0


def test_a_speck_is_no_thing():
    assert seen(thing=disc((0.0, 150.0), 9.0)).things_mm(LATTICE) == ()


def test_a_thing_is_found_where_it_lies_with_y_to_the_south():
    """Lattices may lie anywhere, in any turn: the garden frame is the lattice's own, its y downwards."""
    turned = replace(LATTICE, origin_mm=(-100.0, 0.0), angle=np.pi / 2)
    ((x, y, radius),) = seen(thing=disc((0.0, 150.0), 40.0)).things_mm(LATTICE)
    assert (x, y, radius) == pytest.approx((0.0, -150.0, 40.0), abs=9.0)
    ((x, y, _),) = seen(thing=disc((0.0, 150.0), 40.0)).things_mm(turned)
    assert (x, y) == pytest.approx((150.0, 100.0), abs=9.0)


def guesses(count: int) -> CellGuesses:
    """The networks are sure of everything."""
    rows = np.zeros((count, 7), np.float32)
    rows[:, 2] = 1.0
    single = np.full(count, 0.9, np.float32)
    return CellGuesses(rows[:, :5], rows, rows[:, :5], single, single, single * 0.1, single * 0.1, rows)


def test_what_the_networks_say_of_covered_cells_is_not_believed():
    cells = [Hex(2, 0), Hex(-2, 0)]
    told = seen(hand=arm).over(guesses(2), LATTICE, cells)
    assert told.kind_p[0].max() <= 0.5
    assert told.gardener_p[0] == pytest.approx(0.0, abs=0.01)
    assert told.hidden[0] > 0.9
    assert told.kind_p[1] == pytest.approx(guesses(2).kind_p[1])
    assert told.height_p[1] == pytest.approx(guesses(2).height_p[1])
    assert told.kind_p.sum(axis=1) == pytest.approx([1.0, 1.0])


PLOTS = frozenset({Hex(1, 0), Hex(1, -1), Hex(0, -1)})


def covered(cells, hand=0.0, either=0.0):
    near = {cell for at in (POND, *PLOTS) for cell in (at, *neighbours(at))}
    return {at: (hand, either) if at in cells else (0.0, 0.0) for at in near}


@pytest.mark.parametrize(
    ("cells", "hand", "either", "reason"),
    [
        ((), 0.0, 0.0, None),
        ((Hex(1, 0),), 0.4, 0.4, "eye.hand"),
        ((Hex(1, 0),), 0.0, 0.6, "eye.covered"),
        ((Hex(2, 0),), 0.0, 0.9, None),
        ((Hex(2, 0),), 0.9, 0.9, "eye.hand"),
    ],
    ids=["nothing", "hand on a plot", "phone on a plot", "mug beside the garden", "hand beside the garden"],
)
def test_a_look_is_covered_by_a_hand_or_by_what_lies_on_the_garden(cells, hand, either, reason):
    why = why_covered(covered(cells, hand, either), (), PLOTS)
    assert (None if why is None else why.id) == reason
