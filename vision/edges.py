"""The edges of a rectified picture: how strong against this picture's strongest, and which way they run."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import ALL_IN_ONE, Floats, Image, Patch
from vision.ranks import ranked


@dataclass(frozen=True, slots=True, eq=False)
class EdgeField:
    """The edges of a rectified picture: strength against the neighbourhood and direction of the normal."""

    patch: Patch
    strength: NDArray[np.float32]
    """(rows, columns), 0 to 1; 0 where the picture does not reach."""
    double: NDArray[np.float32]
    """(rows, columns, 2): strength times cosine and sine of twice the normal's angle, in the patch's axes with y up."""

    def along(self, points_px: NDArray[np.complex64], normals: Floats) -> NDArray[np.float32]:
        """Strength of edges that run the right way.

        Args:
            points_px: (N, S, ...) pixels of the patch as columns + i rows, for N things with S sides each; contiguous.
            normals: (S,) direction of each side's normal in the table frame, radians.

        Returns:
            (N, S, ...): 0 where nothing runs across the normal, up to 1.
        """
        n, sides = points_px.shape[:2]
        flat = points_px.view(np.float32).reshape(n * sides, -1, 2)
        both = np.asarray(cv2.remap(self.double, flat, ALL_IN_ONE, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT))
        doubled = np.tile(2.0 * (normals - self.patch.angle), n)[:, None]
        value = both[..., 0] * np.cos(doubled).astype(np.float32) + both[..., 1] * np.sin(doubled).astype(np.float32)
        return np.asarray(np.maximum(value, np.float32(0.0)), dtype=np.float32).reshape(points_px.shape)


def edge_field(rectified: Image, patch: Patch) -> EdgeField:
    """The edges of a rectified picture, in brightness and in colour at once, on a logarithmic scale.

    A logarithm makes an edge as strong in the shade as in the light. Colour differences count double: the sides of
    tiles show in colour, wood grain and shadows hardly do. Strength saturates at the strongest edges of this very
    picture, since only these are outlines.
    """
    shape = rectified.shape[:2]
    difference, twice, strong = _gradients(rectified)
    some = strong[::3, ::3]
    some = some[some > 0]
    scale = max(_NOISE_FLOOR, 2.0 * ranked(some, 98)) if len(some) else _NOISE_FLOOR
    strength, double = np.empty(shape, np.float32), np.empty((*shape, 2), np.float32)
    for strip, wide, inner in _strips(shape, _AROUND // 2):
        around = np.asarray(cv2.boxFilter(strong[wide], -1, (_AROUND, _AROUND)))[inner]
        against = strong[strip] + np.float32(scale) + np.float32(_TEXTURE) * around
        cv2.divide(strong[strip], against, strength[strip])
        size = np.maximum(cv2.magnitude(difference[strip], twice[strip]), np.float32(1e-9))
        per = np.asarray(cv2.divide(strength[strip], size))
        cv2.merge([cv2.multiply(difference[strip], per), cv2.multiply(twice[strip], per)], double[strip])
    return EdgeField(patch, strength, double)


def _gradients(rectified: Image) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Strength times cosine and sine of twice the direction of the gradient, in rows y down, and its square root.

    Each is (rows, columns). The gradient of all channels is taken as one tensor (Di Zenzo): any channel's edge counts.
    """
    difference, twice, strong = np.empty((3, *rectified.shape[:2]), np.float32)
    for strip, wide, inner in _strips(rectified.shape[:2], _RIM + 1):
        smooth = cv2.GaussianBlur(cv2.LUT(rectified[wide], _LOG_TABLE), (0, 0), 0.8)
        dx, dy = (
            cv2.transform(cv2.Sobel(smooth, cv2.CV_32F, right, down, ksize=3), _OPPONENTS)
            for right, down in ((1, 0), (0, 1))
        )
        twice[strip] = cv2.transform(cv2.multiply(dx, dy, smooth), _SUM * np.float32(-2.0))[inner]
        both = cv2.subtract(dx, dy, smooth)
        difference[strip] = cv2.transform(cv2.multiply(both, cv2.add(dx, dy, dx), both), _SUM)[inner]
        cv2.sqrt(cv2.magnitude(difference[strip], twice[strip]), strong[strip])
        # The rim of the picture itself is no edge of the table.
        beyond = cv2.inRange(rectified[wide], (0, 0, 0), (0, 0, 0))
        if cv2.hasNonZero(beyond):
            strong[strip][cv2.dilate(beyond, _ABOUT)[inner] > 0] = 0.0
    for side in (np.s_[:_RIM], np.s_[-_RIM:], np.s_[:, :_RIM], np.s_[:, -_RIM:]):
        strong[side] = 0.0
    return difference, twice, strong


def _strips(shape: tuple[int, ...], reach: int) -> Iterator[tuple[slice, slice, slice]]:
    """Strips of rows, each with the rows that its pixels depend on, and where it lies among these.

    What is worked out strip by strip stays in the processor's cache, which takes much less time.
    """
    rows, columns = shape
    step = max(1, _STRIP_PIXELS // max(1, columns))
    for top in range(0, rows, step):
        bottom, begin = min(rows, top + step), max(0, top - reach)
        yield np.s_[top:bottom], np.s_[begin : bottom + reach], np.s_[top - begin : bottom - begin]


_STRIP_PIXELS = 60_000
_RIM = 3
"""Pixels on both sides of the picture's rim that show no edge of the table: as far as blur and derivative reach."""
_ABOUT = np.ones((2 * _RIM + 1, 2 * _RIM + 1), np.uint8)
_AROUND = 25
"""Rows and columns of the neighbourhood that strength is measured against."""
_DARK = 32.0
"""Grey levels added before the logarithm: under this the sensor's noise is what differs."""
_LOG_TABLE = (255.0 * np.log1p(np.arange(256) / _DARK) / math.log1p(255.0 / _DARK)).astype(np.float32)
_OPPONENTS = np.array([[1 / 3, 1 / 3, 1 / 3], [0.0, -1.0, 1.0], [1.0, -1.0, 0.0]], np.float32)
_SUM = np.ones((1, 3), np.float32)
_TEXTURE = 0.5
"""How much an edge loses to the edges about it: in a texture no edge is an outline."""
_NOISE_FLOOR = 24.0
"""Gradients well under this (of a logarithmic picture with 255 levels, Sobel 3x3) are noise."""
