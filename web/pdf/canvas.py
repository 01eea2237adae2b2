"""A PDF canvas that writes any of our languages and draws plain shapes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import Any, assert_never

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from companion.games.takenoko.drawing import Circle, Line, Polygon, Shape, Text

WIDTH, HEIGHT = A4
Frame = tuple[float, float, float, float]
"""Left, one vertical edge, width and height."""
_FOLDER = Path(__file__).resolve().parent.parent / "fonts"
_EUROPEAN, _JAPANESE = "companion-european", "companion-japanese"


@cache
def _fonts() -> dict[str, Any]:
    """Both fonts, registered once a process."""
    found = {}
    for name, file in ((_EUROPEAN, "DejaVuSans-subset.ttf"), (_JAPANESE, "NotoSansJP-subset.ttf")):
        font = TTFont(name, str(_FOLDER / file))
        pdfmetrics.registerFont(font)
        found[name] = font.face.charToGlyph
    return found


def _font_of(character: str) -> str:
    fonts = _fonts()
    return _JAPANESE if ord(character) not in fonts[_EUROPEAN] and ord(character) in fonts[_JAPANESE] else _EUROPEAN


def _runs(text: str) -> list[tuple[str, str]]:
    return [(font, "".join(part)) for font, part in groupby(text, _font_of)]


class Page:
    """One A4 page, points (1/72 inch), the origin at the bottom left."""

    def __init__(self, title: str, language: str) -> None:
        self._out = BytesIO()
        _fonts()
        self._canvas = Canvas(self._out, pagesize=A4, lang=language, initialFontName=_EUROPEAN)
        self._canvas.setTitle(title)

    def width(self, text: str, size: float) -> float:
        """How wide a text is."""
        return float(sum(pdfmetrics.stringWidth(part, font, size) for font, part in _runs(text)))

    def text(self, x: float, y: float, text: str, size: float, *, colour: str = "#1d2a22", align: float = 0.0) -> None:
        """Write one line.

        Args:
            x: where it starts (`align` 0), is centred (0.5) or ends (1).
            y: of the baseline.
            text: any language of ours; a character that no font has shows as a box.
            size: of the letters.
            colour: `#rrggbb`.
            align: see `x`.
        """
        self._canvas.setFillColor(HexColor(colour))
        x -= align * self.width(text, size)
        for font, part in _runs(text):
            self._canvas.setFont(font, size)
            self._canvas.drawString(x, y, part)
            x += pdfmetrics.stringWidth(part, font, size)

    def fitted(self, x: float, y: float, text: str, size: float, most: float, *, align: float = 0.0) -> None:
        """Write one line, smaller where it would be wider than `most`."""
        wide = self.width(text, size)
        self.text(x, y, text, size * min(1.0, most / wide) if wide else size, align=align)

    def line(self, x1: float, y1: float, x2: float, y2: float, *, colour: str = "#999999", width: float = 0.5,
             dash: tuple[float, ...] = ()) -> None:  # fmt: skip
        """A straight line."""
        self._canvas.setStrokeColor(HexColor(colour))
        self._canvas.setLineWidth(width)
        self._canvas.setDash(*([list(dash)] if dash else [[]]))
        self._canvas.line(x1, y1, x2, y2)
        self._canvas.setDash([])

    def bar(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """A filled rectangle."""
        self._canvas.setFillColor(HexColor(colour))
        self._canvas.rect(x, y, width, height, stroke=0, fill=1)

    def shapes(
        self,
        shapes: Iterable[Shape],
        extent: tuple[float, float, float, float],
        frame: tuple[float, float, float, float],
    ) -> None:
        """Draw shapes as large as a frame allows.

        Args:
            shapes: y down.
            extent: their left, top, width and height.
            frame: on the page: left, bottom, width and height.
        """
        left, top, width, height = extent
        x, y, room_x, room_y = frame
        scale = min(room_x / width, room_y / height)
        dx = x + (room_x - width * scale) / 2 - left * scale
        dy = y + room_y - (room_y - height * scale) / 2 + top * scale

        def at(point: tuple[float, float]) -> tuple[float, float]:
            return dx + point[0] * scale, dy - point[1] * scale

        for shape in shapes:
            match shape:
                case Polygon(points, fill, stroke, line):
                    self._path([at(point) for point in points], fill, stroke, line * scale, close=True)
                case Line(points, stroke, line):
                    self._path([at(point) for point in points], None, stroke, line * scale, close=False)
                case Circle(centre, radius, fill, stroke, line):
                    self._paint(fill, stroke, line * scale)
                    self._canvas.circle(
                        *at(centre), radius * scale, stroke=int(stroke is not None), fill=int(fill is not None)
                    )
                case Text(centre, text, size, fill):
                    cx, cy = at(centre)
                    self.text(cx, cy - 0.35 * size * scale, text, size * scale, colour=fill, align=0.5)
                case _:
                    assert_never(shape)

    def _paint(self, fill: str | None, stroke: str | None, width: float) -> None:
        if fill is not None:
            self._canvas.setFillColor(HexColor(fill))
        if stroke is not None:
            self._canvas.setStrokeColor(HexColor(stroke))
            self._canvas.setLineWidth(width)
            self._canvas.setLineCap(1)
            self._canvas.setLineJoin(1)

    def _path(
        self, points: list[tuple[float, float]], fill: str | None, stroke: str | None, width: float, *, close: bool
    ) -> None:
        self._paint(fill, stroke, width)
        path = self._canvas.beginPath()
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        if close:
            path.close()
        self._canvas.drawPath(path, stroke=int(stroke is not None), fill=int(fill is not None))

    def bytes(self) -> bytes:
        """The finished document."""
        self._canvas.showPage()
        self._canvas.save()
        return self._out.getvalue()
