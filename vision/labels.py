"""Words in a picture: readable on any ground, none over another."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Image

Ink = tuple[int, int, int]
"""Blue, green, red."""
WHITE: Ink = (255, 255, 255)
Line = tuple[str, Ink]
_Box = tuple[int, int, int, int]
"""Left, top, right, bottom: pixels."""
_FONT = cv2.FONT_HERSHEY_SIMPLEX
_PROBE = 20
"""The font is measured at this scale, by its letters: the size that it names has room for accents too."""
_THICK_RIM_PX = 15
"""Letters at least so high get a rim of two pixels instead of one: wider than that it fills them."""
_INKED = 1.6
"""Strokes finer than a pixel are drawn pale: so much darker they read well at seven pixels too."""
_REACH = 20
"""How far a label may move away from its place to find room, in its own letters' heights."""
_LEADER = 2.0
"""A label whose border is farther from its place than this (letters' heights) is tied to it by a line."""
_OUTSIDE, _OVER = 1e6, 1e4
"""What it costs to leave the picture, and to stand over another label: more than any way in pixels."""


class Labels:
    """Labels for a picture, each as near to its place as there is room; `draw` writes them all."""

    def __init__(self, canvas: Image) -> None:
        """Take a picture: uint8 (H, W, 3) BGR; `draw` changes it."""
        self._canvas = canvas
        self._taken: list[_Box] = []
        self._ties: list[tuple[tuple[int, int], tuple[int, int]]] = []
        self._texts: list[tuple[NDArray[np.uint8], int, int, int, Ink]] = []
        """Patch, left, top, rim and ink of each line."""

    def draw(self) -> None:
        """Write everything into the picture: words come over lines."""
        for ends in self._ties:
            for ink, width in (((0, 0, 0), 3), (WHITE, 1)):
                cv2.line(self._canvas, *ends, ink, width, cv2.LINE_AA)
        for text in self._texts:
            self._write(*text)

    def head(self, texts: Sequence[str], letter_px: float) -> None:
        """Write lines from the upper left corner on, broken where the picture ends."""
        top = margin = round(letter_px / 2)
        for text in texts:
            across = max(1.0, _patch(text, letter_px).shape[1] / (self._canvas.shape[1] - 2 * margin))
            for line in textwrap.wrap(text, max(10, int(len(text) / across))):
                patch = _patch(line, letter_px)
                self._texts.append((patch, margin, top, _rim(letter_px), WHITE))
                self._taken.append((margin, top, margin + patch.shape[1], top + patch.shape[0]))
                top += patch.shape[0]

    def put(self, lines: Sequence[Line], at: Floats | tuple[float, float], letter_px: float) -> None:
        """Write some lines about a place in the picture, or beside it where other labels stand.

        Args:
            lines: texts with their inks.
            at: the place, pixels; nothing is written about what lies outside of the picture.
            letter_px: how high capital letters are.
        """
        x, y = (float(value) for value in np.asarray(at, dtype=np.float64))
        rows, columns = self._canvas.shape[:2]
        if not (0 <= x < columns and 0 <= y < rows):
            return
        patches = [_patch(text, letter_px) for text, _ in lines]
        wide, high = max(patch.shape[1] for patch in patches), sum(patch.shape[0] for patch in patches)
        left, top = self._room(x, y, wide, high, letter_px)
        box = (left, top, left + wide, top + high)
        self._taken.append(box)
        self._tie(x, y, box, letter_px)
        for patch, (_, ink) in zip(patches, lines, strict=True):
            self._texts.append((patch, left + (wide - patch.shape[1]) // 2, top, _rim(letter_px), ink))
            top += patch.shape[0]

    def _room(self, x: float, y: float, wide: int, high: int, letter_px: float) -> tuple[int, int]:
        """The corner of the free box that is nearest to being centred on a place."""
        ways = np.arange(-2 * _REACH, 2 * _REACH + 1) * letter_px / 2
        corners = np.rint(np.stack(np.meshgrid(x - wide / 2 + ways, y - high / 2 + ways), axis=-1).reshape(-1, 2))
        cost = np.hypot(corners[:, 0] + wide / 2 - x, corners[:, 1] + high / 2 - y)
        limits = np.maximum(0, [self._canvas.shape[1] - wide, self._canvas.shape[0] - high])
        cost += _OUTSIDE * ((corners < 0) | (corners > limits)).any(axis=1)
        for left, top, right, bottom in self._taken:
            over = (corners[:, 0] < right) & (corners[:, 0] + wide > left)
            over &= (corners[:, 1] < bottom) & (corners[:, 1] + high > top)
            cost += _OVER * over
        left, top = np.clip(corners[int(np.argmin(cost))], 0, limits)
        return int(left), int(top)

    def _tie(self, x: float, y: float, box: _Box, letter_px: float) -> None:
        left, top, right, bottom = box
        near = (min(max(x, left), right), min(max(y, top), bottom))
        if np.hypot(near[0] - x, near[1] - y) > _LEADER * letter_px:
            self._ties.append(((round(x), round(y)), (round(near[0]), round(near[1]))))

    def _write(self, patch: NDArray[np.uint8], left: int, top: int, rim: int, ink: Ink) -> None:
        """Ink over a rim that is the letters themselves grown: a font's bolder letters would run wider than these."""
        rows, columns = self._canvas.shape[:2]
        patch = patch[: max(0, rows - top), : max(0, columns - left)]
        if not patch.size:
            return
        grown = cv2.dilate(patch, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, [2 * rim + 1] * 2))
        dark, letters = (mask.astype(np.float32)[..., None] / 255 for mask in (np.asarray(grown), patch))
        ground = self._canvas[top : top + patch.shape[0], left : left + patch.shape[1]]
        ground[:] = (ground * (1 - dark) * (1 - letters) + np.array(ink, np.float32) * letters).astype(np.uint8)


def _rim(letter_px: float) -> int:
    return 1 if letter_px < _THICK_RIM_PX else 2


@cache
def _letter_px_at_probe() -> int:
    (wide, high), _ = cv2.getTextSize("H", _FONT, _PROBE, 1)
    probe = np.zeros((2 * high, 2 * wide), np.uint8)
    cv2.putText(probe, "H", (wide // 2, 3 * high // 2), _FONT, _PROBE, (255,), 1)
    return int(np.count_nonzero(probe.any(axis=1)))


def _patch(text: str, letter_px: float) -> NDArray[np.uint8]:
    """How far each pixel of a line's box is ink, 0 to 255, with room for the rim."""
    scale, rim = letter_px * _PROBE / _letter_px_at_probe(), _rim(letter_px) + 1
    (wide, high), below = cv2.getTextSize(text, _FONT, scale, 1)
    patch = np.zeros((high + below + 2 * rim, wide + 2 * rim), np.uint8)
    cv2.putText(patch, text, (rim, rim + high), _FONT, scale, (255,), 1, cv2.LINE_AA)
    return np.asarray(cv2.convertScaleAbs(patch, alpha=_INKED), dtype=np.uint8)
