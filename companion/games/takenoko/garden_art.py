"""A garden as plain shapes, seen from above: plots with their letters, heights as numbers, channels and figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.takenoko.card_art import LETTERS, figure_icon, hex_tile, improvement_badge
from companion.games.takenoko.drawing import HALF_WIDTH, Circle, Line, Polygon, Shape, Text, hexagon
from companion.games.takenoko.hexgrid import POND, Edge, Hex
from companion.games.takenoko.pieces import Colour
from companion.games.takenoko.plot import Plot
from companion.games.takenoko.state import State

RADIUS = 100.0
"""Of one hexagon, in the drawing's units."""


def centre(cell: Hex) -> tuple[float, float]:
    """Where a cell's middle lies in the drawing, the pond at 0,0."""
    return HALF_WIDTH * RADIUS * (2 * cell.q + cell.r), 1.5 * RADIUS * cell.r


def garden_extent(state: State) -> tuple[float, float, float, float]:
    """The drawing's left, top, width and height."""
    places = [centre(cell) for cell in (POND, *state.plots)]
    left, right = min(x for x, _ in places) - RADIUS, max(x for x, _ in places) + RADIUS
    top, bottom = min(y for _, y in places) - 1.1 * RADIUS, max(y for _, y in places) + 1.1 * RADIUS
    return left, top, right - left, bottom - top


def garden_shapes(state: State, letters: Mapping[Colour, str] = LETTERS) -> Iterator[Shape]:
    """All shapes, the lowest first."""
    yield Polygon(hexagon(centre(POND), RADIUS * 0.97), "#7db7de", "#1d6fa5", 6.0)
    for cell, plot in sorted(state.plots.items()):
        yield from _plot(cell, plot, letters)
    for edge in sorted(state.channels):
        yield Line(_channel(edge), "#0b4f7d", 20.0)
        yield Line(_channel(edge), "#4aa3dc", 12.0)
    for kind, cell, shift in (("gardener", state.gardener, -0.48), ("panda", state.panda, 0.48)):
        x, y = centre(cell)
        yield from figure_icon(kind, (x + shift * RADIUS, y - 0.36 * RADIUS), 0.48)


def _plot(cell: Hex, plot: Plot, letters: Mapping[Colour, str]) -> Iterator[Shape]:
    x, y = centre(cell)
    yield from hex_tile((x, y), RADIUS * 0.97, plot.colour, letters[plot.colour])
    if plot.improvement is not None:
        yield from improvement_badge((x, y - 0.66 * RADIUS), RADIUS * 0.24, plot.improvement)
    if plot.bamboo:
        yield Circle((x, y + 0.64 * RADIUS), RADIUS * 0.25, "#1d2a22")
        yield Text((x, y + 0.64 * RADIUS), str(plot.bamboo), RADIUS * 0.38, "#ffffff")


def _channel(edge: Edge) -> tuple[tuple[float, float], tuple[float, float]]:
    (ax, ay), (bx, by) = centre(edge.a), centre(edge.b)
    middle = ((ax + bx) / 2, (ay + by) / 2)
    # Across the line between the two centres, a little shorter than the side.
    dx, dy = -(by - ay) / (2 * HALF_WIDTH) * 0.4, (bx - ax) / (2 * HALF_WIDTH) * 0.4
    return (middle[0] - dx, middle[1] - dy), (middle[0] + dx, middle[1] + dy)
