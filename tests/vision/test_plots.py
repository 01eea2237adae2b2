"""Cells brought together: one pond, a garden that hangs together, outlines and cards against ghosts, one figure."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.takenoko.hexgrid import POND, Hex, neighbours
from companion.games.takenoko.pieces import Colour
from vision.figures import one_figure
from vision.plots import GardenBelief, candidate_cells, with_outlines

GREEN, POND_LIKE, BARE = [0.02, 0.95, 0.01, 0.01, 0.01], [0.01, 0.01, 0.0, 0.0, 0.98], [0.97, 0.01, 0.01, 0.01, 0.0]


def belief(kinds: dict[Hex, list[float]]) -> GardenBelief:
    return GardenBelief(tuple(kinds), np.array(list(kinds.values())))


def test_the_pond_is_where_water_has_plots_beside_it():
    garden = belief({Hex(2, 0): POND_LIKE, Hex(3, 0): GREEN, Hex(-4, 0): POND_LIKE, Hex(-4, 1): BARE})
    assert garden.ponds()[0][1] == Hex(2, 0)


def test_a_pond_alone_is_a_pond():
    garden = belief({POND: POND_LIKE, **dict.fromkeys(neighbours(POND), BARE)})
    assert garden.ponds()[0][1] == POND


def test_what_lies_apart_from_the_garden_is_hardly_a_plot():
    garden = belief({POND: POND_LIKE, Hex(1, 0): GREEN, Hex(2, 0): BARE, Hex(4, 0): GREEN})
    p = garden.colour_p(POND)
    assert sum(p[Hex(1, 0)].values()) > 0.9
    assert sum(p[Hex(4, 0)].values()) < 0.05


def test_a_second_pond_becomes_what_else_it_may_be():
    garden = belief({POND: POND_LIKE, Hex(1, 0): [0.02, 0.28, 0.05, 0.05, 0.6]})
    p = garden.colour_p(POND)[Hex(1, 0)]
    assert p[Colour.GREEN] == pytest.approx(0.7, abs=0.01)
    assert sum(p.values()) <= 1.0


def test_a_clear_outline_speaks_for_a_tile_and_none_against():
    kinds = np.array([[0.5, 0.5, 0.0, 0.0, 0.0]] * 2)
    told = with_outlines(kinds, np.array([1.0, 0.0]), np.zeros(2), np.zeros(2, dtype=bool))
    assert told[0, 1] > 0.9
    assert told[1, 1] < 0.1
    assert told.sum(axis=1) == pytest.approx([1.0, 1.0])


def test_a_covered_cell_has_no_outline_to_miss():
    kinds = np.array([[0.5, 0.5, 0.0, 0.0, 0.0]])
    told = with_outlines(kinds, np.array([0.0]), np.array([1.0]), np.zeros(1, dtype=bool))
    assert told == pytest.approx(kinds)


def test_no_tile_lies_under_a_marker_card():
    kinds = np.array([[0.3, 0.7, 0.0, 0.0, 0.0]])
    told = with_outlines(kinds, np.array([0.3]), np.zeros(1), np.ones(1, dtype=bool))
    assert told[0, 1] < 0.1


def test_candidates_are_tiles_and_all_beside_them_but_no_board_far_away():
    weights = {POND: 1.0, Hex(1, 0): 0.9, Hex(0, 1): 0.8, Hex(9, 0): 0.9, Hex(5, 5): 0.1}
    cells = candidate_cells(weights)
    assert {POND, Hex(1, 0), Hex(2, 0), Hex(0, 2)} <= set(cells)
    assert Hex(9, 0) not in cells


def test_there_is_one_figure_only():
    p = one_figure({Hex(1, 0): 0.9, Hex(0, 1): 0.8, Hex(2, 0): 0.01})
    assert sum(p.values()) <= 1.0
    assert p[Hex(1, 0)] > p[Hex(0, 1)] > 0.1


def test_a_figure_that_no_cell_shows_stands_nowhere():
    p = one_figure(dict.fromkeys([Hex(q, 0) for q in range(8)], 1e-4))
    assert sum(p.values()) < 0.05
