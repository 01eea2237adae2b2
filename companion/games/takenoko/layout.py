"""What Takenoko lays on the table."""

from __future__ import annotations

from types import MappingProxyType

from companion.games.layout import Board, Lattice, Layout, PieceSort, Place
from companion.games.takenoko.hexgrid import POND
from companion.games.takenoko.pieces import COLOURS, IMPROVEMENTS, MAX_GROWTH, Figure, kind_name
from companion.games.takenoko.rules import Rules

# Millimetres of the pieces in the box, as in the camera file's example (formats, section 5); a camera file may say
# otherwise for the box at hand. Chips and figures are not in that example: they are measured by no one yet and stand
# for "about so big".
TILE_MM = (70.0, 70.0, 2.0)
SECTION_MM = (12.0, 12.0, 18.0)
CHANNEL_MM = (38.0, 6.0, 6.0)
CHIP_MM = (15.0, 15.0, 2.0)
FIGURE_MM = (20.0, 20.0, 35.0)

GARDEN = "garden"


def layout(rules: Rules) -> Layout:
    """Plots around the pond, with what lies and stands on and between them."""
    box = rules.edition
    kinds = tuple(kind_name(kind) for kind in rules.plots)
    chips, colours = tuple(map(str, IMPROVEMENTS)), tuple(map(str, COLOURS))
    return Layout(
        boards=(Board(GARDEN, Lattice.HEXES, fixed=MappingProxyType({(POND.q, POND.r): "pond"})),),
        pieces=(
            PieceSort("plot", GARDEN, Place.CELL, TILE_MM, kinds, total=rules.plot_count),
            PieceSort("chip", GARDEN, Place.ON_CELL, CHIP_MM, chips, total=sum(box.chips)),
            PieceSort("bamboo", GARDEN, Place.ON_CELL, SECTION_MM, colours, MAX_GROWTH, total=sum(box.bamboo)),
            PieceSort("channel", GARDEN, Place.EDGE, CHANNEL_MM, total=box.channels),
            *(PieceSort(figure.value, GARDEN, Place.ON_CELL, FIGURE_MM, total=1) for figure in Figure),
        ),
    )
