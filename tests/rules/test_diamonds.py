"""The two-coloured diamond, laid in all twelve ways in a real garden."""

from __future__ import annotations

import pytest

from companion.games.takenoko.garden import garden_of
from companion.games.takenoko.hexgrid import POND, Hex, turned
from companion.games.takenoko.objectives import met
from companion.games.takenoko.plot import parse_plot
from companion.games.takenoko.rules import rules_for
from companion.games.takenoko.state import SeatState, State, Turn

CARD = "plot-green-yellow-diamond"
A = (Hex(0, 0), Hex(0, 1))
B = (Hex(-1, 1), Hex(-1, 2))
MIRRORED_A = tuple(Hex(cell.r, cell.q) for cell in A)
MIRRORED_B = tuple(Hex(cell.r, cell.q) for cell in B)


def is_met(green, yellow, *, mirror_patterns):
    """The diamond east of the pond, every plot with a watershed: whether it could be laid there is not asked."""
    start = Hex(3, -1)
    rules = rules_for("classic", {"mirror_patterns": mirror_patterns})
    plots = {
        Hex(cell.q + start.q, cell.r + start.r): parse_plot(f"{colour}+watershed 1")
        for colour, cells in (("green", green), ("yellow", yellow))
        for cell in cells
    }
    garden = garden_of(rules, plots, frozenset())
    return CARD in met(State.of(rules, garden, POND, POND, (SeatState("Aki"), SeatState("Oksana")), Turn(0, 1)))


@pytest.mark.parametrize("sixths", range(6))
@pytest.mark.parametrize("mirror_patterns", [False, True])
def test_turned_it_always_counts(sixths, mirror_patterns):
    green, yellow = ([turned(cell, sixths) for cell in cells] for cells in (A, B))
    assert is_met(green, yellow, mirror_patterns=mirror_patterns)


@pytest.mark.parametrize("sixths", range(6))
@pytest.mark.parametrize("mirror_patterns", [False, True])
def test_mirrored_it_counts_with_the_option_alone(sixths, mirror_patterns):
    green, yellow = ([turned(cell, sixths) for cell in cells] for cells in (MIRRORED_A, MIRRORED_B))
    assert is_met(green, yellow, mirror_patterns=mirror_patterns) is mirror_patterns


@pytest.mark.parametrize("sixths", range(6))
def test_with_its_colours_exchanged_it_is_the_same_diamond_turned_half_about(sixths):
    """A and B lie in rows: the other way round they are the pattern turned by a half."""
    green, yellow = ([turned(cell, sixths) for cell in cells] for cells in (B, A))
    assert is_met(green, yellow, mirror_patterns=False)
