"""Which way east is."""

from __future__ import annotations

import numpy as np
from test_geometry import oblique_view

from companion.games.takenoko.hexgrid import POND, Hex, turned
from companion.games.takenoko.pieces import Colour
from companion.observation import NO_MARKING, ExpectedLook, ExpectedPlot, LookContext
from vision.lattice import Lattice
from vision.orient import orientation
from vision.plots import GardenBelief

VIEW = oblique_view()
KINDS = {None: 0, Colour.GREEN: 1, Colour.YELLOW: 2, Colour.PINK: 3, "pond": 4}


def seen(what: dict[Hex, Colour | str]) -> GardenBelief:
    kinds = np.full((len(what), 5), 0.01)
    for row, kind in enumerate(what.values()):
        kinds[row, KINDS[kind]] = 0.96
    return GardenBelief(tuple(what), kinds)


def expected(plots: dict[Hex, Colour], anchor: LookContext | None = None) -> ExpectedLook:
    return ExpectedLook(
        {at: ExpectedPlot(colour, NO_MARKING, 0) for at, colour in plots.items()}, frozenset(), POND, POND, anchor
    )


GARDEN = {Hex(1, 0): Colour.GREEN, Hex(0, 1): Colour.PINK, Hex(1, 1): Colour.YELLOW}


def test_without_a_position_east_is_nearest_to_the_pictures_right():
    for angle in np.radians([0.0, 25.0, 47.0, 133.0, 300.0]):
        lattice = Lattice((0.0, 0.0), float(angle), 71.0, 70.0, 2.0)
        found = orientation(VIEW, lattice, seen({POND: "pond", **GARDEN}), None)
        east = lattice.rebased(found.pond, found.sixths)
        way = VIEW.project(east.nominal_mm(Hex(1, 0)), 2.0) - VIEW.project(east.nominal_mm(POND), 2.0)
        assert abs(np.degrees(np.arctan2(way[1], way[0]))) < 45


def test_the_expected_garden_turns_east():
    lattice = Lattice((5.0, 5.0), 0.3, 71.0, 70.0, 2.0)
    for sixths in range(6):
        found = orientation(
            VIEW,
            lattice,
            seen({POND: "pond", **GARDEN}),
            expected({turned(at, sixths): colour for at, colour in GARDEN.items()}),
        )
        turned_lattice = lattice.rebased(found.pond, found.sixths)
        assert turned_lattice.cell_at(lattice.nominal_mm(Hex(1, 0))) == turned(Hex(1, 0), sixths)
        assert not found.is_tied


def test_a_covered_pond_is_found_by_the_garden_about_it():
    cells: dict[Hex, Colour | str] = {POND: None, **GARDEN, Hex(2, 0): Colour.GREEN, Hex(-1, 0): None}
    found = orientation(
        VIEW, Lattice((0, 0), 0.0, 71.0, 70.0, 2.0), seen(cells), expected({**GARDEN, Hex(2, 0): Colour.GREEN})
    )
    assert found.pond == POND
    assert found.sixths == 0


def test_where_the_garden_cannot_tell_the_last_look_does():
    lattice = Lattice((0.0, 0.0), 0.0, 71.0, 70.0, 2.0)
    ring = {turned(Hex(1, 0), sixths): Colour.GREEN for sixths in range(6)}
    wanted = lattice.rebased(POND, 2)
    px = VIEW.project(np.array([wanted.nominal_mm(POND), wanted.nominal_mm(Hex(1, 0))]), 2.0)
    anchor = LookContext(pond_px=(px[0, 0], px[0, 1]), east_px=(px[1, 0], px[1, 1]))
    found = orientation(VIEW, lattice, seen({POND: "pond", **ring}), expected(ring, anchor))
    assert found.is_tied
    assert found.sixths == 2


def test_what_is_expected_changes_no_belief():
    belief = seen({POND: "pond", **GARDEN})
    before = belief.kind_p.copy()
    orientation(VIEW, Lattice((0.0, 0.0), 0.0, 71.0, 70.0, 2.0), belief, expected({Hex(1, 0): Colour.PINK}))
    assert (belief.kind_p == before).all()
