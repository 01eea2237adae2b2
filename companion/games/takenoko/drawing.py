"""Plain shapes for drawn pieces, and their SVG text.

No styles, patterns, clips or transforms, so that any canvas can draw them. Units are tenths of a millimetre, x to the
right, y down; colours are `#rrggbb`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from xml.sax.saxutils import escape


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed outline; `fill` or `stroke` may be absent."""

    points: tuple[tuple[float, float], ...]
    fill: str | None = None
    stroke: str | None = None
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """An open line through points, with round ends."""

    points: tuple[tuple[float, float], ...]
    stroke: str
    width: float


@dataclass(frozen=True, slots=True)
class Circle:
    """A disc or a ring."""

    centre: tuple[float, float]
    radius: float
    fill: str | None = None
    stroke: str | None = None
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Text:
    """A short text, bold, its middle on x and its capitals' middle on y."""

    centre: tuple[float, float]
    text: str
    size: float
    fill: str


Shape = Polygon | Line | Circle | Text

HALF_WIDTH = math.sqrt(3) / 2
"""Half the width of a pointy-top hexagon over its circumradius."""


def hexagon(centre: tuple[float, float], radius: float) -> tuple[tuple[float, float], ...]:
    """The six corners of a pointy-top hexagon, from the top, clockwise on the page."""
    x, y = centre
    w = HALF_WIDTH * radius
    return (
        (x, y - radius),
        (x + w, y - radius / 2),
        (x + w, y + radius / 2),
        (x, y + radius),
        (x - w, y + radius / 2),
        (x - w, y - radius / 2),
    )


def box(left: float, top: float, width: float, height: float) -> tuple[tuple[float, float], ...]:
    """The corners of an upright rectangle."""
    return ((left, top), (left + width, top), (left + width, top + height), (left, top + height))


def rounded(left: float, top: float, width: float, height: float, radius: float) -> tuple[tuple[float, float], ...]:
    """The outline of an upright rectangle with round corners, as a polygon with five points a corner."""
    corners = (
        (left + width - radius, top + radius, -90),
        (left + width - radius, top + height - radius, 0),
        (left + radius, top + height - radius, 90),
        (left + radius, top + radius, 180),
    )
    return tuple(
        (cx + radius * math.cos(math.radians(start + step)), cy + radius * math.sin(math.radians(start + step)))
        for cx, cy, start in corners
        for step in (0, 22.5, 45, 67.5, 90)
    )


def _number(value: float) -> str:
    """To the nearest tenth of a millimetre; thin lines keep one more digit."""
    return f"{value:.0f}" if abs(value) >= 20 else f"{value:.1f}".removesuffix(".0")


def _points(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _paint(fill: str | None, stroke: str | None, width: float) -> str:
    outline = "" if stroke is None else f' stroke="{stroke}" stroke-width="{_number(width)}" stroke-linejoin="round"'
    return f'fill="{fill or "none"}"{outline}'


def _element(shape: Shape) -> str:
    match shape:
        case Polygon(points, fill, stroke, width):
            return f'<polygon points="{_points(points)}" {_paint(fill, stroke, width)}/>'
        case Line(points, stroke, width):
            ends = 'stroke-linecap="round" stroke-linejoin="round"'
            return (
                f'<polyline points="{_points(points)}" fill="none" stroke="{stroke}" '
                f'stroke-width="{_number(width)}" {ends}/>'
            )
        case Circle((x, y), radius, fill, stroke, width):
            place = f'cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}"'
            return f"<circle {place} {_paint(fill, stroke, width)}/>"
        case Text((x, y), text, size, fill):
            # Capitals stand about 0.7 of the size above the baseline: half of that centres them.
            place = f'x="{_number(x)}" y="{_number(y + 0.35 * size)}" font-size="{_number(size)}"'
            return (
                f'<text {place} text-anchor="middle" font-weight="bold" font-family="sans-serif" '
                f'fill="{fill}">{escape(text)}</text>'
            )


def to_svg(shapes: Iterable[Shape], width: float, height: float, title: str = "") -> str:
    """One SVG document.

    Args:
        shapes: drawn in this order, the first lowest.
        width: of the drawing, tenths of a millimetre.
        height: likewise.
        title: what a screen reader says; nothing where the picture only decorates.
    """
    said = f'role="img"><title>{escape(title)}</title>' if title else 'aria-hidden="true">'
    size = f'width="{width / 10:g}mm" height="{height / 10:g}mm"'
    view = f'viewBox="0 0 {_number(width)} {_number(height)}"'
    body = "".join(_element(shape) for shape in shapes)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} {said}{body}</svg>\n'
