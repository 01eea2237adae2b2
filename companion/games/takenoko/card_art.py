"""The faces and backs of the objective cards as plain shapes: our own artwork, drawn from what a card asks for.

Nothing is told by colour alone: every bamboo colour also has its own hatching (green upright, yellow dotted, pink
waves) and its letter. A card is 63 x 88 mm.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from companion.games.takenoko.drawing import (
    HALF_WIDTH,
    Circle,
    Line,
    Polygon,
    Shape,
    Text,
    box,
    hexagon,
    rounded,
    to_svg,
)
from companion.games.takenoko.edition import Card, GardenerCard, PandaCard, PlotCard
from companion.games.takenoko.hexgrid import Hex
from companion.games.takenoko.pieces import COLOURS, Colour, Deck, Improvement

CARD_WIDTH = 630.0
CARD_HEIGHT = 880.0

LETTERS: Mapping[Colour, str] = {Colour.GREEN: "G", Colour.YELLOW: "Y", Colour.PINK: "P"}
"""The colours' letters in English; another language passes its own."""

Point = tuple[float, float]

_INK = "#1d2a22"
_PAPER = "#fbf7ea"
_WATER = "#1d6fa5"
_FILL = {Colour.GREEN: "#a9d18e", Colour.YELLOW: "#ffe08a", Colour.PINK: "#f6b8b4"}
_DARK = {Colour.GREEN: "#2f6b1e", Colour.YELLOW: "#7d5a00", Colour.PINK: "#9c2f3f"}
_BAND = {"plot": "#2c4f7c", "gardener": "#6b4423", "panda": "#333333", "emperor": "#7a1f2b"}


def face_shapes(card: Card, letters: Mapping[Colour, str] = LETTERS) -> tuple[Shape, ...]:
    """All shapes of a card's face, the lowest first."""
    picture: Iterable[Shape]
    match card:
        case PlotCard(cells=cells):
            picture = _pattern(cells, letters)
        case GardenerCard():
            picture = _stalks(card, letters)
        case PandaCard(pay=pay):
            sections = tuple(colour for colour, count in zip(COLOURS, pay, strict=True) for _ in range(count))
            picture = _sections(sections, letters)
        case _:
            assert_never(card)
    return (*_frame(card.deck), *figure_icon(card.deck, (105.0, 95.0)), *_points_badge(card.points), *picture)


def emperor_shapes(points: int) -> tuple[Shape, ...]:
    """The Emperor's card."""
    picture = _crown((CARD_WIDTH / 2, 500.0), 190.0, "#c9a227")
    return (*_frame("emperor"), *figure_icon("emperor", (105.0, 95.0)), *_points_badge(points), *picture)


def card_svg(card: Card, letters: Mapping[Colour, str] = LETTERS, title: str = "") -> str:
    """A card's face as one SVG document; `title` is what a screen reader says of it."""
    return to_svg(face_shapes(card, letters), CARD_WIDTH, CARD_HEIGHT, title)


def back_svg(deck: Deck, title: str = "") -> str:
    """A deck's back as one SVG document."""
    return to_svg(back_shapes(deck), CARD_WIDTH, CARD_HEIGHT, title)


def back_shapes(deck: Deck) -> tuple[Shape, ...]:
    """The back of a deck's cards."""
    ink = _BAND[deck]
    leaves = tuple(
        Line(((x, y), (x + 26, y - 40)), "#ffffff", 3.0)
        for row, y in enumerate(range(110, 860, 80))
        for x in range(55 + (row % 2) * 40, 560, 80)
    )
    disc = Circle((CARD_WIDTH / 2, CARD_HEIGHT / 2), 175.0, _PAPER, "#ffffff", 10.0)
    sheet = Polygon(rounded(0, 0, CARD_WIDTH, CARD_HEIGHT, 40), ink)
    return (sheet, *leaves, disc, *figure_icon(deck, (CARD_WIDTH / 2, CARD_HEIGHT / 2), 2.0, ink))


def hex_tile(centre: Point, radius: float, colour: Colour, letter: str) -> tuple[Shape, ...]:
    """One plot: filled, hatched in its colour's own way, its letter in the middle."""
    fill, dark = _FILL[colour], _DARK[colour]
    return (
        Polygon(hexagon(centre, radius), fill, dark, radius / 16),
        *_hatching(centre, radius * 0.92, colour),
        Circle(centre, radius * 0.40, "#ffffff", dark, radius / 24),
        Text(centre, letter, radius * 0.52, dark),
    )


def _hatching(centre: Point, radius: float, colour: Colour) -> Iterator[Shape]:
    """Upright lines, dots or waves inside a pointy-top hexagon."""
    x, y = centre
    dark, step = _DARK[colour], radius / 4.5
    width = radius / 28
    steps = range(-4, 5)
    if colour is Colour.GREEN:
        for i in steps:
            reach = radius - abs(i * step) / math.sqrt(3)
            if abs(i * step) < HALF_WIDTH * radius:
                yield Line(((x + i * step, y - reach + width), (x + i * step, y + reach - width)), dark, width)
    elif colour is Colour.YELLOW:
        for j in steps:
            for i in steps:
                dx, dy = (i + (j % 2) / 2) * step, j * step
                if abs(dx) < HALF_WIDTH * radius - width and abs(dy) < radius - abs(dx) / math.sqrt(3) - width:
                    yield Circle((x + dx, y + dy), radius / 26, dark)
    else:
        for j in steps:
            dy = j * step
            reach = min(HALF_WIDTH * radius, (radius - abs(dy)) * math.sqrt(3)) - 2 * width
            teeth = max(2, round(2 * reach / (step * 0.6)))
            if reach > step / 2:
                yield Line(
                    tuple(
                        (x - reach + 2 * reach * i / teeth, y + dy + (step / 5 if i % 2 else -step / 5))
                        for i in range(teeth + 1)
                    ),
                    dark,
                    width,
                )


def section(centre: Point, width: float, height: float, colour: Colour) -> tuple[Shape, ...]:
    """One bamboo section: a waisted body between two rings, hatched like its plot."""
    x, y = centre
    fill, dark = _FILL[colour], _DARK[colour]
    left, top, ring = x - width / 2, y - height / 2, height * 0.16
    waist = width * 0.09
    body = (
        (left, top + ring), (left + waist, y), (left, top + height - ring),
        (left + width, top + height - ring), (left + width - waist, y), (left + width, top + ring),
    )  # fmt: skip
    line = width / 34
    marks: tuple[Shape, ...]
    inner_top, inner_bottom = top + ring * 1.6, top + height - ring * 1.6
    if colour is Colour.GREEN:
        across = (x + d * width for d in (-0.3, -0.15, 0.15, 0.3))
        marks = tuple(Line(((at, inner_top), (at, inner_bottom)), dark, line) for at in across)
    elif colour is Colour.YELLOW:
        marks = tuple(
            Circle((x + dx * width, y + dy * height), width / 30, dark)
            for dx in (-0.32, -0.16, 0.16, 0.32)
            for dy in (-0.16, 0.0, 0.16)
        )
    else:
        marks = tuple(
            Line(
                tuple(
                    (x + (i / 8 - 0.5) * width * 0.72, y + dy * height + (line if i % 2 else -line) * 1.6)
                    for i in range(9)
                ),
                dark,
                line,
            )
            for dy in (-0.2, 0.0, 0.2)
        )
    ends = tuple(
        Polygon(rounded(left - width * 0.05, edge, width * 1.1, ring, ring / 2), fill, dark, line * 1.4)
        for edge in (top, top + height - ring)
    )
    return (Polygon(body, fill, dark, line * 1.4), *marks, *ends)


def _frame(kind: str) -> tuple[Shape, ...]:
    band = _BAND[kind]
    return (
        Polygon(rounded(0, 0, CARD_WIDTH, CARD_HEIGHT, 40), band),
        Polygon(rounded(22, 190, CARD_WIDTH - 44, CARD_HEIGHT - 212, 24), _PAPER),
        Circle((105, 95), 74, _PAPER),
    )


def _points_badge(points: int) -> tuple[Shape, ...]:
    """Points stand in a gold disc at the top right, where a hand of fanned cards still shows them."""
    centre = (CARD_WIDTH - 105, 95.0)
    return (Circle(centre, 74, "#f4d35e", _INK, 6), Text(centre, str(points), 96, _INK))


def figure_icon(kind: str, centre: Point, scale: float = 1.0, ink: str = _INK) -> tuple[Shape, ...]:
    """A small sign: three plots, the gardener, the panda's face, or a crown for anything else."""
    x, y = centre
    if kind == "plot":
        r = 27 * scale
        w = HALF_WIDTH * r
        middles = ((x, y - r), (x - w, y + r / 2), (x + w, y + r / 2))
        return tuple(Polygon(hexagon(middle, r * 0.94), None, ink, 6 * scale) for middle in middles)
    if kind == "gardener":
        hat = ((x - 56 * scale, y + 2 * scale), (x, y - 46 * scale), (x + 56 * scale, y + 2 * scale))
        body = (
            (x - 24 * scale, y + 12 * scale), (x + 24 * scale, y + 12 * scale),
            (x + 38 * scale, y + 52 * scale), (x - 38 * scale, y + 52 * scale),
        )  # fmt: skip
        return (Polygon(body, "#ffffff", ink, 6 * scale), Polygon(hat, "#e0b36a", ink, 6 * scale))
    if kind == "panda":
        return (
            *(Circle((x + dx * scale, y - 34 * scale), 17 * scale, ink) for dx in (-36, 36)),
            Circle(centre, 48 * scale, "#ffffff", ink, 6 * scale),
            *(Circle((x + dx * scale, y - 6 * scale), 13 * scale, ink) for dx in (-18, 18)),
            *(Circle((x + dx * scale, y - 8 * scale), 4 * scale, "#ffffff") for dx in (-17, 17)),
            Circle((x, y + 17 * scale), 8 * scale, ink),
        )
    return _crown(centre, 46 * scale, "#f4d35e")


def _crown(centre: Point, reach: float, fill: str) -> tuple[Shape, ...]:
    x, y = centre
    tips = ((-1, -0.5), (-0.5, 0.1), (0, -0.8), (0.5, 0.1), (1, -0.5), (0.8, 0.7), (-0.8, 0.7))
    jewels = tuple(Circle((x + dx * reach, y + 0.42 * reach), reach * 0.08, _INK) for dx in (-0.45, 0, 0.45))
    return (Polygon(tuple((x + dx * reach, y + dy * reach) for dx, dy in tips), fill, _INK, reach / 16), *jewels)


def _pattern(cells: tuple[tuple[Hex, Colour], ...], letters: Mapping[Colour, str]) -> Iterator[Shape]:
    """The plots as they should lie, north up, as large as the card allows, each with a drop: they must have water."""
    places = [(HALF_WIDTH * (2 * cell.q + cell.r), 1.5 * cell.r, colour) for cell, colour in cells]
    left, right = min(p[0] for p in places) - HALF_WIDTH, max(p[0] for p in places) + HALF_WIDTH
    top, bottom = min(p[1] for p in places) - 1, max(p[1] for p in places) + 1
    radius = min(520 / (right - left), 560 / (bottom - top), 125)
    middle = ((left + right) / 2, (top + bottom) / 2)
    for px, py, colour in places:
        x, y = CARD_WIDTH / 2 + (px - middle[0]) * radius, 525 + (py - middle[1]) * radius
        yield from hex_tile((x, y), radius * 0.97, colour, letters[colour])
        yield from _drop((x, y + radius * 0.68), radius * 0.17)


def _drop(centre: Point, reach: float) -> tuple[Shape, ...]:
    x, y = centre
    arc = tuple(
        (x + reach * 0.72 * math.sin(math.radians(a)), y + reach * 0.25 - reach * 0.72 * math.cos(math.radians(a)))
        for a in range(60, 301, 20)
    )
    return (Polygon(((x, y - reach), *arc), _WATER, "#ffffff", reach / 6),)


def _stalks(card: GardenerCard, letters: Mapping[Colour, str]) -> Iterator[Shape]:
    """The stalks on their plots; a stalk alone is drawn large, beside the improvement that its plot must have."""
    middle = CARD_WIDTH / 2
    if card.stalks == 1:
        yield from _stalk((middle - 80, 705.0), 130.0, 106.0, card, letters)
        yield from _marking((middle + 165, 705.0), 88.0, card)
        yield Text((middle + 165, 420.0), str(card.height), 190, _INK)
        return
    rows = [2] * (card.stalks // 2) + [1] * (card.stalks % 2)
    share = 640 / len(rows)
    size = min(share, 460)
    for row, count in enumerate(rows):
        for column in range(count):
            foot = (middle + (column - (count - 1) / 2) * 270, 205 + (row + 0.5) * share + 0.28 * size)
            yield from _stalk(foot, size * 0.245, size * 0.19, card, letters)
    yield Text((middle, 95.0), f"{card.stalks} × {card.height}", 92, "#ffffff")


def _stalk(
    foot: Point, radius: float, height: float, card: GardenerCard, letters: Mapping[Colour, str]
) -> Iterator[Shape]:
    """A plot seen flat with its stalk standing up from just above its middle."""
    x, y = foot
    yield Polygon(hexagon(foot, radius), _FILL[card.colour], _DARK[card.colour], radius / 16)
    yield from _hatching(foot, radius * 0.92, card.colour)
    for level in range(card.height):
        centre = (x, y - radius * 0.25 - (level + 0.5) * height)
        yield from section(centre, height * 0.95, height * 0.98, card.colour)
    yield Circle((x, y + radius * 0.36), radius * 0.34, "#ffffff", _DARK[card.colour], radius / 24)
    yield Text((x, y + radius * 0.36), letters[card.colour], radius * 0.44, _DARK[card.colour])


def _marking(centre: Point, reach: float, card: GardenerCard) -> Iterator[Shape]:
    """The improvement that the plot must have, or an empty, crossed-out badge where it must have none."""
    if card.improvement is not None:
        yield from improvement_badge(centre, reach, card.improvement)
    elif not card.any_improvement:
        x, y = centre
        yield Polygon(hexagon(centre, reach), "#ffffff", _INK, 6)
        yield Line(((x - reach * 0.5, y + reach * 0.5), (x + reach * 0.5, y - reach * 0.5)), "#b3261e", 14)
        yield Line(((x - reach * 0.5, y - reach * 0.5), (x + reach * 0.5, y + reach * 0.5)), "#b3261e", 14)


def improvement_badge(centre: Point, reach: float, improvement: Improvement) -> Iterator[Shape]:
    """A chip: a drop (watershed), a fence (enclosure) or a sack with +2 (fertilizer)."""
    x, y = centre
    if improvement is Improvement.WATERSHED:
        yield Polygon(hexagon(centre, reach), "#d7ecf9", _WATER, 10)
        yield from _drop((x, y - reach * 0.12), reach * 0.5)
        wave = tuple((x + (i / 8 - 0.5) * reach * 1.1, y + reach * (0.55 if i % 2 else 0.47)) for i in range(9))
        yield Line(wave, _WATER, 8)
    elif improvement is Improvement.ENCLOSURE:
        yield Polygon(hexagon(centre, reach), "#f7e3df", "#8c2f2f", 10)
        for dx in (-0.45, -0.15, 0.15, 0.45):
            left, width = x + dx * reach - reach * 0.07, reach * 0.14
            tip = ((left, y - reach * 0.35), (left + width / 2, y - reach * 0.5), (left + width, y - reach * 0.35))
            yield Polygon((*tip, (left + width, y + reach * 0.45), (left, y + reach * 0.45)), "#b98b5e", _INK, 3)
        for dy in (-0.18, 0.2):
            yield Polygon(box(x - reach * 0.62, y + dy * reach, reach * 1.24, reach * 0.12), "#b98b5e", _INK, 3)
    else:
        yield Polygon(hexagon(centre, reach), "#efe8d2", "#6b5f36", 10)
        sack = (
            (-0.16, -0.42), (0.16, -0.42), (0.12, -0.28), (0.42, 0.0), (0.46, 0.38), (0.3, 0.5),
            (-0.3, 0.5), (-0.46, 0.38), (-0.42, 0.0), (-0.12, -0.28),
        )  # fmt: skip
        yield Polygon(tuple((x + dx * reach, y + dy * reach) for dx, dy in sack), "#c8a873", _INK, 5)
        yield Text((x, y + reach * 0.16), "+2", reach * 0.42, _INK)


def _sections(sections: tuple[Colour, ...], letters: Mapping[Colour, str]) -> Iterator[Shape]:
    """The sections to pay, each above its letter."""
    pitch = 500 / max(len(sections), 2)
    for i, colour in enumerate(sections):
        x = CARD_WIDTH / 2 + (i - (len(sections) - 1) / 2) * pitch
        yield from section((x, 470.0), pitch * 0.62, 250.0, colour)
        yield Circle((x, 700.0), 56.0, "#ffffff", _DARK[colour], 6)
        yield Text((x, 700.0), letters[colour], 70, _DARK[colour])
