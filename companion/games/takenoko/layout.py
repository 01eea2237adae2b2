"""What Takenoko lays on the table."""

from __future__ import annotations

from companion.games.layout import Lattice, Layout, PieceSort, Place
from companion.games.takenoko.hexgrid import POND
from companion.games.takenoko.pieces import COLOURS, IMPROVEMENTS, MAX_GROWTH, Figure, kind_name
from companion.games.takenoko.rules import Rules

# Millimetres of the pieces in the box, as in the camera file's example (formats, section 5); a camera file may say
# otherwise for the box at hand.
TILE_MM = (70.0, 70.0, 2.0)
SECTION_MM = (12.0, 12.0, 18.0)
CHANNEL_MM = (38.0, 6.0, 6.0)
CHIP_MM = (15.0, 15.0, 2.0)
FIGURE_MM = (20.0, 20.0, 35.0)


def layout(rules: Rules) -> Layout:
    """Plots around the pond, with what lies and stands on and between them."""
    edition = rules.edition
    kinds = tuple(kind_name(kind) for kind in rules.plots)
    return Layout(
        lattice=Lattice.HEXES,
        fixed={(POND.q, POND.r): "pond"},
        pieces=(
            PieceSort("plot", Place.CELL, TILE_MM, kinds, total=rules.plot_count),
            PieceSort("chip", Place.ON_CELL, CHIP_MM, tuple(map(str, IMPROVEMENTS)), total=sum(edition.chips)),
            PieceSort(
                "bamboo", Place.ON_CELL, SECTION_MM, tuple(map(str, COLOURS)), MAX_GROWTH, total=sum(edition.bamboo)
            ),
            PieceSort("channel", Place.EDGE, CHANNEL_MM, total=edition.channels),
            *(PieceSort(figure.value, Place.ON_CELL, FIGURE_MM, total=1) for figure in Figure),
        ),
    )
