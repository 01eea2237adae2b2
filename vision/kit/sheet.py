"""One PDF sheet after another, in millimetres from the top left, with the shapes of the cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any, assert_never

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.drawing import Circle, Line, Polygon, Shape, Text

MM = 72 / 25.4
"""PDF points a millimetre."""
PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
_BAR_MM = 100.0
Points = Iterable[tuple[float, float]]


class Sheets:
    """The pages of one PDF.

    Args:
        paper: `a4` or `letter`.
        title: the document's.
    """

    def __init__(self, paper: str, title: str) -> None:
        from reportlab.pdfgen.canvas import Canvas

        self.width, self.height = PAPERS_MM[paper]
        self._stream = BytesIO()
        # invariant: no date in the file, so that the same kit is the same file.
        self._canvas: Any = Canvas(self._stream, (self.width * MM, self.height * MM), invariant=True, pageCompression=1)
        self._canvas.setTitle(title)
        self._images: dict[str, Any] = {}

    def page(self, heading: str) -> None:
        """End the present page, which gets its heading along the right side and the scale bar along the left."""
        x, top = 5.0, (self.height - _BAR_MM) / 2
        self.line(((x, top), (x, top + _BAR_MM)), 0.3)
        for tenth in range(11):
            reach = 2.0 if tenth % 5 == 0 else 1.0
            self.line(((x, top + tenth * 10), (x + reach, top + tenth * 10)), 0.2)
        self._along(x - 1.2, self.height / 2, "100 mm - print at 100 %, not fitted to the page")
        self._along(self.width - 3.5, self.height / 2, heading)
        self._canvas.showPage()

    def pdf(self) -> bytes:
        """The whole document."""
        self._canvas.save()
        return self._stream.getvalue()

    def text(
        self, x: float, y: float, text: str, size_pt: float = 10, *, bold: bool = False, middle: bool = False
    ) -> None:
        """One line of text, its baseline at y."""
        self._canvas.setFillColor("#000000")
        self._canvas.setFont("Helvetica-Bold" if bold else "Helvetica", size_pt)
        draw = self._canvas.drawCentredString if middle else self._canvas.drawString
        draw(x * MM, self._y(y), text)

    def line(self, points: Points, width: float, colour: str = "#000000") -> None:
        """An open line, width in millimetres."""
        self._canvas.setStrokeColor(colour)
        self._canvas.setLineWidth(width * MM)
        self._canvas.setLineCap(1)
        self._canvas.setLineJoin(1)
        self._canvas.drawPath(self._path(points, closed=False), stroke=1, fill=0)

    def black_box(self, left: float, top: float, width: float, height: float) -> None:
        """A filled rectangle."""
        self._canvas.setFillColor("#000000")
        self._canvas.rect(left * MM, self._y(top + height), width * MM, height * MM, stroke=0, fill=1)

    def outline(self, points: Points, width: float, colour: str) -> None:
        """A closed line."""
        self._canvas.setStrokeColor(colour)
        self._canvas.setLineWidth(width * MM)
        self._canvas.drawPath(self._path(points, closed=True), stroke=1, fill=0)

    @contextmanager
    def clipped(self, points: Points) -> Iterator[None]:
        """What is drawn inside stays within this outline."""
        self._canvas.saveState()
        self._canvas.clipPath(self._path(points, closed=True), stroke=0, fill=0)
        try:
            yield
        finally:
            self._canvas.restoreState()

    def image(
        self, name: str, picture: NDArray[np.uint8], centre: tuple[float, float], size_mm: tuple[float, float]
    ) -> None:
        """A picture (H, W, 3) BGR about a centre; the same name is stored once."""
        from reportlab.lib.utils import ImageReader

        if name not in self._images:
            data = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, 88))[1].tobytes()
            self._images[name] = ImageReader(BytesIO(data))
        width, height = size_mm
        left, bottom = centre[0] - width / 2, centre[1] + height / 2
        self._canvas.drawImage(self._images[name], left * MM, self._y(bottom), width * MM, height * MM)

    def shapes(self, shapes: Iterable[Shape], left: float, top: float) -> None:
        """Shapes of a card (tenths of a millimetre), its top left corner at a place on the sheet."""
        for shape in shapes:
            match shape:
                case Polygon(points, fill, stroke, width):
                    self._paint(fill, stroke, width)
                    path = self._path(_placed(points, left, top), closed=True)
                    self._canvas.drawPath(path, stroke=int(stroke is not None), fill=int(fill is not None))
                case Line(points, stroke, width):
                    self.line(_placed(points, left, top), width / 10, stroke)
                case Circle((x, y), radius, fill, stroke, width):
                    self._paint(fill, stroke, width)
                    at = ((left + x / 10) * MM, self._y(top + y / 10))
                    self._canvas.circle(
                        *at, radius / 10 * MM, stroke=int(stroke is not None), fill=int(fill is not None)
                    )
                case Text((x, y), text, size, fill):
                    self._canvas.setFillColor(fill)
                    self._canvas.setFont("Helvetica-Bold", size / 10 * MM)
                    # Helvetica's capitals are 0.72 of the size high: half of that centres them.
                    self._canvas.drawCentredString((left + x / 10) * MM, self._y(top + (y + 0.36 * size) / 10), text)
                case _:
                    assert_never(shape)

    def _paint(self, fill: str | None, stroke: str | None, width: float) -> None:
        if fill is not None:
            self._canvas.setFillColor(fill)
        if stroke is not None:
            self._canvas.setStrokeColor(stroke)
            self._canvas.setLineWidth(width / 10 * MM)
            self._canvas.setLineJoin(1)

    def _path(self, points: Points, *, closed: bool) -> Any:  # noqa: ANN401 - reportlab has no types
        path = self._canvas.beginPath()
        for index, (x, y) in enumerate(points):
            (path.lineTo if index else path.moveTo)(x * MM, self._y(y))
        if closed:
            path.close()
        return path

    def _along(self, x: float, y: float, text: str) -> None:
        self._canvas.saveState()
        self._canvas.translate(x * MM, self._y(y))
        self._canvas.rotate(90)
        self._canvas.setFillColor("#555555")
        self._canvas.setFont("Helvetica", 6.5)
        self._canvas.drawCentredString(0, 0, text)
        self._canvas.restoreState()

    def _y(self, y: float) -> float:
        return (self.height - y) * MM


def _placed(points: Points, left: float, top: float) -> Iterator[tuple[float, float]]:
    return ((left + x / 10, top + y / 10) for x, y in points)
