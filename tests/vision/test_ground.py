"""A cell that looks like the bare table about the garden is no plot, however sure a network that sees it alone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games.takenoko.hexgrid import POND, Hex, neighbours
from vision.edges import edge_field
from vision.geometry import Patch
from vision.ground import with_ground
from vision.honeycomb import Garden
from vision.lattice import Lattice

LATTICE = Lattice((0.0, 0.0), 0.0, 72.0, 70.0, 2.0)
YELLOW, WATER = (70, 190, 215), (190, 130, 70)
WOOD = (60, 110, 160)
PLOTS = (Hex(1, 0), Hex(1, -1), Hex(0, -1))
GHOST = Hex(-1, 1)
"""Bare table, taken for a yellow plot."""
CELLS = tuple(sorted({cell for at in (POND, *PLOTS) for cell in (at, *neighbours(at))}))


def garden(table=WOOD, tiles=PLOTS) -> Garden:
    """A pond and yellow plots on a grainy table, as the camera would see them from straight above."""
    rng = np.random.default_rng(3)
    patch = Patch((0.0, 0.0), (500, 500), 1.0, 0.0, 2.0)
    grain = cv2.GaussianBlur(rng.normal(0, 40, (500, 500, 1)).astype(np.float32), (0, 0), 3)[..., None]
    picture = np.clip(np.array(table) + grain + rng.normal(0, 3, (500, 500, 3)), 1, 255).astype(np.uint8)
    for at in (POND, *tiles):
        corners = np.rint(patch.to_px(LATTICE.corners_mm(at))).astype(np.int32)
        cv2.fillConvexPoly(picture, corners, WATER if at == POND else YELLOW)
    x, y = np.rint(patch.to_px(LATTICE.nominal_mm(GHOST))).astype(int)
    cv2.rectangle(picture, (int(x) - 7, int(y) - 7), (int(x) + 7, int(y) + 7), (120, 40, 30), -1)  # a die
    return Garden(LATTICE, edge_field(picture, patch), picture, 1.0)


def kinds(ghost_p: float = 0.95) -> np.ndarray:
    """The networks know every cell but the ghost."""
    rows = np.zeros((len(CELLS), 5))
    for row, at in zip(rows, CELLS, strict=True):
        row[4 if at == POND else 2 if at in PLOTS else 0] = 1.0
        if at == GHOST:
            row[:] = (1.0 - ghost_p, 0.0, ghost_p, 0.0, 0.0)
    return rows


OUTLINES = {at: 1.0 if at in (POND, *PLOTS) else 0.0 for at in CELLS}


def ghost_p(where: Garden, outlines=OUTLINES) -> float:
    told = with_ground(kinds(), where, CELLS, outlines)
    assert told.sum(axis=1) == pytest.approx(np.ones(len(CELLS)))
    return float(told[CELLS.index(GHOST), 2])


def test_a_die_on_bare_wood_is_no_plot():
    assert ghost_p(garden()) < 0.5


def test_bare_wood_that_shows_a_little_of_an_outline_is_no_plot_either():
    assert ghost_p(garden(), {**OUTLINES, GHOST: 0.3}) < 0.5


def test_a_plot_without_a_clear_outline_keeps_its_colour_s_word():
    assert ghost_p(garden(tiles=(*PLOTS, GHOST))) == pytest.approx(0.95)


def test_a_clear_outline_is_not_questioned():
    assert ghost_p(garden(), {**OUTLINES, GHOST: 0.7}) == pytest.approx(0.95)


def test_a_table_that_looks_like_the_tiles_says_nothing():
    assert ghost_p(garden(table=YELLOW)) > 0.85


def test_nothing_is_changed_where_the_table_is_not_seen():
    bare_hidden = {at: 1.0 if at != GHOST else 0.0 for at in CELLS}
    assert ghost_p(garden(), bare_hidden) == pytest.approx(0.95)
