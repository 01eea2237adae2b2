"""The evening on one page: who won, the garden, the points over time, and what the die did."""

from __future__ import annotations

from itertools import pairwise

from companion.games.takenoko.garden_art import garden_extent, garden_shapes
from companion.games.takenoko.pieces import COLOURS
from companion.record import Game
from companion.services.statistics import Statistics
from web.pdf.canvas import HEIGHT, WIDTH, Frame, Page
from web.present import words
from web.present.nights import about, die_words, score_rows, source_words, when, winner_words
from web.texts import _

_MARGIN = 42.0
_LOOKS: tuple[tuple[str, tuple[float, ...]], ...] = (
    ("#1f7a5a", ()), ("#b3472f", (6, 3)), ("#2f6db8", (2, 3)), ("#8a5fb0", (8, 3, 2, 3)),
)  # fmt: skip


def evening_sheet(name: str, game: Game, numbers: Statistics, language: str) -> bytes:
    """The page as PDF, in the language in force."""
    page = Page(f"{about(game)} – {name}", language)
    room = WIDTH - 2 * _MARGIN
    y = HEIGHT - _MARGIN - 16
    page.text(_MARGIN, y, _("Takenoko"), 22)
    page.text(WIDTH - _MARGIN, y, when(game, name), 11, align=1.0)
    page.fitted(_MARGIN, y - 24, winner_words(game) or about(game), 14, room)
    y = _table(page, y - 50, game, numbers)
    page.shapes(
        garden_shapes(game.state, {colour: words.colour_letter(colour) for colour in COLOURS}),
        garden_extent(game.state),
        (_MARGIN, y - 330, room, 320),
    )
    y -= 352
    _chart(page, (_MARGIN, y - 150, room * 0.52, 140), game, numbers)
    _die(page, (_MARGIN + room * 0.6, y - 150, room * 0.4, 140), numbers)
    page.fitted(_MARGIN, _MARGIN, source_words(numbers), 9, room)
    return page.bytes()


def _table(page: Page, y: float, game: Game, numbers: Statistics) -> float:
    head, rows = score_rows(game, numbers)
    room = WIDTH - 2 * _MARGIN
    first = 0.28 * room
    step = (room - first) / (len(head) - 1)
    for row_number, row in enumerate((head, *rows)):
        size = 9 if row_number == 0 else 11
        for column, cell in enumerate(row):
            if column == 0:
                page.fitted(_MARGIN, y, cell, size, first - 6)
            else:
                page.fitted(_MARGIN + first + step * column, y, cell, size, step - 4, align=1.0)
        page.line(_MARGIN, y - 5, WIDTH - _MARGIN, y - 5)
        y -= 19
    return y


def _chart(page: Page, frame: Frame, game: Game, numbers: Statistics) -> None:
    x, y, width, height = frame
    page.text(x, y + height + 2, _("Points over time"), 10)
    names = game.header.seats
    most = max(5, *(max(row) for row in numbers.points))
    last = max(1, len(numbers.points) - 1)
    page.line(x, y, x + width, y)
    page.line(x, y, x, y + height - 8)
    page.text(x - 3, y + height - 14, str(most), 7, align=1.0)
    page.text(x - 3, y, "0", 7, align=1.0)
    for seat, name in enumerate(names):
        colour, dash = _LOOKS[seat % len(_LOOKS)]
        points = [(x + width * i / last, y + (height - 12) * row[seat] / most) for i, row in enumerate(numbers.points)]
        for (x1, y1), (x2, y2) in pairwise(points):
            page.line(x1, y1, x2, y2, colour=colour, width=1.6, dash=dash)
        label = x + seat * width / len(names)
        page.line(label, y - 11, label + 16, y - 11, colour=colour, width=1.6, dash=dash)
        page.fitted(label + 20, y - 14, name, 8, width / len(names) - 24)


def _die(page: Page, frame: Frame, numbers: Statistics) -> None:
    x, y, width, height = frame
    page.text(x, y + height + 2, _("The weather die"), 10)
    most = max(1, *numbers.die.faces.values())
    step = (height - 12) / len(numbers.die.faces)
    for row, (face, count) in enumerate(numbers.die.faces.items()):
        at = y + height - 18 - row * step
        page.fitted(x, at, words.weather_name(face), 8, width * 0.42)
        page.bar(x + width * 0.45, at - 1, width * 0.42 * count / most, 8, "#2f6db8")
        page.text(x + width, at, str(count), 8, align=1.0)
    page.fitted(x, y - 14, die_words(numbers.die), 7, width)
