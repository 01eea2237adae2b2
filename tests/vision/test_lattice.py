"""The honeycomb: names of cells, turns about the pond, and the fit to tiles laid by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.takenoko.hexgrid import POND, Edge, Hex, distance, neighbours, turned
from vision.lattice import Lattice, TilePlace, cells_within, connected_to, fitted

LATTICE = Lattice((31.0, -12.0), 0.4, 71.5, 70.0, 2.0)
CELLS = st.builds(Hex, st.integers(-6, 6), st.integers(-6, 6))


@given(CELLS)
def test_a_cell_is_found_at_its_own_centre(cell):
    assert LATTICE.cell_at(LATTICE.nominal_mm(cell)) == cell


@given(CELLS)
def test_neighbours_are_one_pitch_away(cell):
    for other in neighbours(cell):
        assert np.linalg.norm(LATTICE.nominal_mm(other) - LATTICE.nominal_mm(cell)) == pytest.approx(71.5)


def test_axes_run_east_and_south_east_seen_from_above():
    flat = Lattice((0.0, 0.0), 0.0, 70.0, 70.0, 2.0)
    assert flat.nominal_mm(Hex(1, 0)) == pytest.approx([70.0, 0.0])
    x, y = flat.nominal_mm(Hex(0, 1))
    assert x == pytest.approx(35.0)
    assert y < 0


@given(CELLS, CELLS, st.integers(0, 5))
def test_rebasing_turns_names_about_the_new_pond(cell, pond, sixths):
    other = LATTICE.rebased(pond, sixths)
    name = other.cell_at(LATTICE.nominal_mm(cell))
    # The frame turns counter-clockwise, so names turn clockwise.
    assert turned(Hex(cell.q - pond.q, cell.r - pond.r), sixths) == name
    assert other.cell_at(LATTICE.nominal_mm(pond)) == POND


def test_many_centres_are_the_single_ones():
    cells = [Hex(0, 0), Hex(3, -2), Hex(-1, 4)]
    assert LATTICE.nominals_mm(cells) == pytest.approx(np.array([LATTICE.nominal_mm(cell) for cell in cells]))


def test_a_measured_tile_keeps_its_own_place_and_turn():
    lattice = LATTICE.with_tiles({Hex(1, 0): TilePlace((1.5, -0.5), 0.02, 0.9)})
    assert lattice.centre_mm(Hex(1, 0)) - lattice.nominal_mm(Hex(1, 0)) == pytest.approx([1.5, -0.5])
    assert lattice.turn_of(Hex(1, 0)) == pytest.approx(0.42)
    assert lattice.turn_of(Hex(0, 1)) == pytest.approx(0.4)


def test_an_edge_lies_midway_and_across():
    flat = Lattice((0.0, 0.0), 0.0, 70.0, 70.0, 2.0)
    middle, along = flat.edge_mm(Edge.of(Hex(1, 0), POND))
    assert middle == pytest.approx([35.0, 0.0])
    assert abs(math.sin(along)) == pytest.approx(1.0)


def test_fit_finds_shift_turn_and_pitch_of_tiles_laid_by_hand():
    rng = np.random.default_rng(5)
    cells = [Hex(q, r) for q in range(-3, 4) for r in range(-3, 4) if distance(POND, Hex(q, r)) <= 3]
    centres = {cell: LATTICE.nominal_mm(cell) + rng.normal(0, 0.8, 2) for cell in cells}
    start = Lattice((28.0, -10.0), 0.42, 70.5, 70.0, 2.0)
    fit = fitted(start, centres, dict.fromkeys(cells, 1.0))
    assert fit.origin_mm == pytest.approx(LATTICE.origin_mm, abs=0.5)
    assert fit.angle == pytest.approx(0.4, abs=0.003)
    assert fit.pitch_mm == pytest.approx(71.5, abs=0.2)


def test_one_cell_far_off_does_not_move_the_fit():
    cells = [Hex(q, r) for q in range(-2, 3) for r in range(-2, 3)]
    centres = {cell: LATTICE.nominal_mm(cell) for cell in cells}
    centres[Hex(2, 2)] = centres[Hex(2, 2)] + 15.0
    fit = fitted(LATTICE, centres, dict.fromkeys(cells, 1.0))
    assert fit.origin_mm == pytest.approx(LATTICE.origin_mm, abs=0.3)
    assert fit.pitch_mm == pytest.approx(71.5, abs=0.1)


def test_the_pitch_stays_what_hands_can_lay():
    cells = [Hex(0, 0), Hex(1, 0), Hex(0, 1), Hex(1, 1)]
    wide = Lattice((0.0, 0.0), 0.0, 90.0, 70.0, 2.0)
    fit = fitted(LATTICE, {cell: wide.nominal_mm(cell) for cell in cells}, dict.fromkeys(cells, 1.0))
    assert fit.pitch_mm <= 74.0 + 1e-6


def test_cells_within_a_region_are_those_whose_centres_lie_in_it():
    region = np.array([[-200.0, -150.0], [200.0, -150.0], [200.0, 150.0], [-200.0, 150.0]])
    inside = {Hex(*cell) for cell in cells_within(LATTICE, region).tolist()}
    for q in range(-6, 7):
        for r in range(-6, 7):
            x, y = LATTICE.nominal_mm(Hex(q, r))
            assert (Hex(q, r) in inside) == (abs(x) <= 200 and abs(y) <= 150)


def test_what_hangs_together_is_reached_from_side_to_side():
    cells = [Hex(0, 0), Hex(1, 0), Hex(2, 0), Hex(4, 0)]
    assert connected_to(Hex(0, 0), cells) == {Hex(0, 0), Hex(1, 0), Hex(2, 0)}
