"""The symbols of badges and chips, drawn upright in a small square, in several styles each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.pieces import Improvement

Image = NDArray[np.uint8]
Bgr = tuple[int, int, int]
_SHIFT = 4


class Pen:
    """Draws on a square BGRA picture in coordinates from -1 to 1, y up."""

    def __init__(self, size_px: int) -> None:
        self.bgra: Image = np.zeros((size_px, size_px, 4), np.uint8)
        self._half = size_px / 2

    def _px(self, points: Sequence[Sequence[float]]) -> NDArray[np.int32]:
        at = np.asarray(points, np.float64) * (self._half, -self._half) + self._half - 0.5
        return np.asarray(np.round(at * (1 << _SHIFT)), np.int32)

    def area(self, points: Sequence[Sequence[float]], colour: Bgr) -> None:
        """Fill a polygon."""
        cv2.fillPoly(self.bgra, [self._px(points)], (*colour, 255), cv2.LINE_AA, _SHIFT)

    def line(self, points: Sequence[Sequence[float]], colour: Bgr, width: float, closed: bool = False) -> None:
        """Draw a line through the points; `width` in the same coordinates."""
        px = max(1, round(width * self._half))
        cv2.polylines(self.bgra, [self._px(points)], closed, (*colour, 255), px, cv2.LINE_AA, _SHIFT)

    def disc(self, centre: Sequence[float], radius: float, colour: Bgr) -> None:
        """Fill a circle."""
        cx, cy = self._px([centre])[0].tolist()
        cv2.circle(
            self.bgra, (cx, cy), round(radius * self._half * (1 << _SHIFT)), (*colour, 255), -1, cv2.LINE_AA, _SHIFT
        )


def _oval(cx: float, cy: float, rx: float, ry: float, turn: float = 0.0, count: int = 28) -> list[list[float]]:
    t = np.linspace(0.0, 2 * np.pi, count, endpoint=False)
    x, y = rx * np.cos(t), ry * np.sin(t)
    c, s = np.cos(turn), np.sin(turn)
    return np.stack([cx + c * x - s * y, cy + s * x + c * y], axis=1).tolist()  # type: ignore[no-any-return]


def _drop(pen: Pen, fill: Bgr, line: Bgr) -> None:
    t = np.linspace(-0.25 * np.pi, 1.25 * np.pi, 24)
    round_part = np.stack([0.5 * np.cos(t), -0.2 + 0.5 * np.sin(-t) * -1], axis=1)
    round_part[:, 1] = -0.22 - 0.5 * np.sin(t)
    shape = [[0.0, 0.78], *[[float(x), float(y)] for x, y in round_part]]
    pen.area(shape, fill)
    pen.line(shape, line, 0.07, closed=True)
    pen.line([[0.2, -0.1], [0.22, -0.3], [0.08, -0.5]], line if line == fill else (250, 235, 220), 0.07)


def _plump_drop(pen: Pen, fill: Bgr, line: Bgr) -> None:
    t = np.linspace(-0.12 * np.pi, 1.12 * np.pi, 26)
    shape = [[0.0, 0.72], *[[0.56 * float(np.cos(a)), -0.14 - 0.56 * float(np.sin(a))] for a in t]]
    pen.area(shape, fill)
    pen.line(shape, line, 0.05, closed=True)


def _pond(pen: Pen, fill: Bgr, line: Bgr) -> None:
    pen.area(_oval(0, -0.1, 0.72, 0.46), line)
    pen.area(_oval(0, -0.1, 0.6, 0.36), fill)
    pen.line([[-0.3, -0.05], [0.0, 0.0], [0.3, -0.05]], (250, 240, 225), 0.06)


def _sprout(pen: Pen, fill: Bgr, line: Bgr) -> None:
    for y in (-0.35, -0.6):
        pen.line([[-0.65 + 0.13 * i, y + (0.06 if i % 2 else -0.06)] for i in range(11)], fill, 0.11)
    pen.line([[0, -0.3], [0, 0.25]], line, 0.1)
    pen.area(_oval(0.26, 0.42, 0.34, 0.15, 0.6), line)
    pen.area(_oval(-0.26, 0.36, 0.34, 0.15, 2.5), line)


def _waves(pen: Pen, fill: Bgr, line: Bgr) -> None:
    for y in (0.4, 0.0, -0.4):
        x = np.linspace(-0.7, 0.7, 22)
        points = np.stack([x, y + 0.13 * np.sin(x * 7.5)], axis=1).tolist()
        pen.line(points, line, 0.2)
        pen.line(points, fill, 0.14)


def _fence(pen: Pen, fill: Bgr, line: Bgr) -> None:
    for width, colour in ((0.19, line), (0.13, fill)):
        for x in (-0.54, -0.18, 0.18, 0.54):
            pen.line([[x, -0.6], [x, 0.55]], colour, width)
        for y in (-0.28, 0.22):
            pen.line([[-0.76, y], [0.76, y]], colour, width)


def _pickets(pen: Pen, fill: Bgr, line: Bgr) -> None:
    for y in (-0.3, 0.15):
        pen.line([[-0.75, y], [0.75, y]], line, 0.13)
    for x in (-0.52, 0.0, 0.52):
        shape = [[x - 0.17, -0.62], [x + 0.17, -0.62], [x + 0.17, 0.42], [x, 0.68], [x - 0.17, 0.42]]
        pen.area(shape, fill)
        pen.line(shape, line, 0.07, closed=True)


def _crossed_panda(pen: Pen, fill: Bgr, line: Bgr) -> None:
    pen.disc((-0.4, 0.42), 0.2, (30, 30, 30))
    pen.disc((0.4, 0.42), 0.2, (30, 30, 30))
    pen.disc((0, 0), 0.56, (30, 30, 30))
    pen.disc((0, 0), 0.5, (245, 245, 245))
    for x in (-0.2, 0.2):
        pen.disc((x, 0.08), 0.13, (30, 30, 30))
    pen.disc((0, -0.17), 0.09, (30, 30, 30))
    pen.line([[-0.66, -0.66], [0.66, 0.66]], fill if fill != (255, 255, 255) else line, 0.16)


def _lattice(pen: Pen, fill: Bgr, line: Bgr) -> None:
    for k in (-0.5, 0.0, 0.5):
        pen.line([[-0.65, k - 0.15], [0.65, k + 0.15]], fill, 0.12)
        pen.line([[k - 0.15, 0.65], [k + 0.15, -0.65]], line, 0.12)


def _ring_fence(pen: Pen, fill: Bgr, line: Bgr) -> None:
    oval = _oval(0, -0.1, 0.66, 0.42)
    pen.line(oval, line, 0.08, closed=True)
    for x, y in oval[::3]:
        pen.line([[x, y - 0.12], [x, y + 0.22]], fill, 0.12)


def _sack(pen: Pen, fill: Bgr, line: Bgr) -> None:
    body = [*_oval(0, -0.18, 0.6, 0.48)[14:], [0.55, 0.0], [0.2, 0.38], [-0.2, 0.38], [-0.55, 0.0]]
    pen.area(body, fill)
    pen.line(body, line, 0.08, closed=True)
    neck = [[-0.18, 0.38], [-0.32, 0.7], [0.32, 0.7], [0.18, 0.38]]
    pen.area(neck, fill)
    pen.line(neck, line, 0.08, closed=True)
    for turn in (0.5, 1.57, 2.64):
        pen.area(_oval(0.15 * float(np.cos(turn)), -0.22 + 0.15 * float(np.sin(turn)), 0.17, 0.07, turn), line)


def _bucket(pen: Pen, fill: Bgr, line: Bgr) -> None:
    body = [[-0.42, 0.15], [-0.3, -0.6], [0.3, -0.6], [0.42, 0.15]]
    pen.area(body, fill)
    pen.line(body, line, 0.08, closed=True)
    pen.line([*_oval(0, 0.15, 0.42, 0.5)[:15]], line, 0.08)
    pen.line([[0.05, 0.0], [0.7, 0.72]], line, 0.12)
    pen.area(_oval(0, 0.15, 0.4, 0.12), line)


def _shed(pen: Pen, fill: Bgr, line: Bgr) -> None:
    wall = [[-0.48, -0.6], [0.48, -0.6], [0.48, 0.1], [-0.48, 0.1]]
    pen.area(wall, fill)
    pen.line(wall, line, 0.07, closed=True)
    pen.area([[-0.72, 0.05], [0.72, 0.05], [0.0, 0.68]], line)
    pen.area([[-0.14, -0.6], [0.14, -0.6], [0.14, -0.15], [-0.14, -0.15]], line)


def _heap(pen: Pen, fill: Bgr, line: Bgr) -> None:
    mound = [[-0.72, -0.55], [-0.3, 0.0], [0.0, 0.15], [0.3, 0.0], [0.72, -0.55]]
    pen.area(mound, fill)
    pen.line(mound, line, 0.08, closed=True)
    pen.line([[0, 0.15], [0, 0.4]], line, 0.09)
    pen.area(_oval(0.2, 0.5, 0.24, 0.11, 0.6), line)
    pen.area(_oval(-0.2, 0.5, 0.24, 0.11, 2.5), line)


SYMBOLS: dict[Improvement, dict[str, Callable[[Pen, Bgr, Bgr], None]]] = {
    Improvement.WATERSHED: {"drop": _drop, "plump": _plump_drop, "pond": _pond, "sprout": _sprout, "waves": _waves},
    Improvement.ENCLOSURE: {
        "fence": _fence,
        "pickets": _pickets,
        "panda": _crossed_panda,
        "lattice": _lattice,
        "ring": _ring_fence,
    },
    Improvement.FERTILIZER: {"sack": _sack, "bucket": _bucket, "shed": _shed, "heap": _heap},
}
"""By improvement: the styles and how each is drawn (pen, fill, line)."""


def symbol(improvement: Improvement, style: str, size_px: int, fill: Bgr, line: Bgr) -> Image:
    """One symbol, upright: (size, size, 4) BGRA, transparent around."""
    pen = Pen(size_px)
    SYMBOLS[improvement][style](pen, fill, line)
    return pen.bgra


def pasted(under: Image, patch: Image, centre_px: tuple[float, float], size_px: float, angle: float) -> None:
    """Lay a BGRA patch on a BGR or BGRA picture, in place.

    Args:
        under: (H, W, 3 or 4).
        patch: (h, w, 4).
        centre_px: where the patch's middle comes to lie (x, y).
        size_px: how wide the patch is then.
        angle: radians, counter-clockwise in the picture.
    """
    h, w = patch.shape[:2]
    scale = size_px / w
    if scale < 0.5:
        width, height = max(2, round(size_px)), max(2, round(size_px * h / w))
        patch = np.asarray(cv2.resize(patch, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        h, w = patch.shape[:2]
        scale = size_px / w
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    reach = int(np.ceil(float(np.hypot(w, h)) * scale / 2)) + 2
    x0, y0 = max(0, int(centre_px[0]) - reach), max(0, int(centre_px[1]) - reach)
    x1, y1 = min(under.shape[1], int(centre_px[0]) + reach + 1), min(under.shape[0], int(centre_px[1]) + reach + 1)
    if x1 <= x0 or y1 <= y0:
        return
    mx, my = (w - 1) / 2, (h - 1) / 2
    matrix = np.array(
        [[c, s, centre_px[0] - x0 - c * mx - s * my], [-s, c, centre_px[1] - y0 + s * mx - c * my]],
    )
    placed = np.asarray(
        cv2.warpAffine(premultiplied(patch), matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR), np.uint8
    )
    over(under[y0:y1, x0:x1], placed)


def premultiplied(patch: Image) -> Image:
    """A BGRA picture whose colours are already weighed by its alpha."""
    alpha = patch[..., 3]
    weighed = np.asarray(cv2.multiply(patch, cv2.merge([alpha] * 4), scale=1 / 255), np.uint8)
    weighed[..., 3] = alpha
    return weighed


def over(under: Image, patch: Image) -> None:
    """A premultiplied BGRA picture over a BGR or (premultiplied) BGRA one of the same size, in place."""
    keep = cv2.merge([255 - patch[..., 3]] * under.shape[2])
    top = patch if under.shape[2] == 4 else np.ascontiguousarray(patch[..., :3])
    under[:] = cv2.add(cv2.multiply(under, keep, scale=1 / 255), top)
