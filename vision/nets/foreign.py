"""Where a hand or a thing that is no part of the game lies over the table: one small network, one look at the garden.

It sees the garden and its surroundings in a window of constant scale (a tile is always as wide), so a hand is always
about as large, whatever the camera, and says of every spot how surely a hand (with arm and sleeve) or a thing is there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Image
from vision.nets.blobs import Blob, balanced
from vision.nets.crops import Pyramid
from vision.nets.runner import Network, model_path

COLUMNS, ROWS = 176, 128
"""Of the window."""
TILE_PX = 12.0
"""How wide a tile is in the window, at the middle of the garden; less where the garden would not fit."""
STRIDE = 2
"""Window pixels to one spot that the network speaks of, in a row and in a column."""
_SURE_ODDS, _REGION_ODDS, _SURE_SHARE = 14.0, 2.7, 0.2
"""A spot likelier than even by the first factor is sure; a region of spots by the second, if so many of them are sure.

On held-out scenes 93 of 100 sure spots were hands or things, 6 of 10 of the others.
"""
_MARGIN = 0.75
"""A large garden may fill so much of the window."""


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the picture that is looked at: where its middle lies and how much it is shrunk."""

    middle_px: tuple[float, float]
    scale: float
    """Window pixels to a picture pixel."""

    @classmethod
    def about(cls, cells_px: Floats, tile_px: float) -> Window:
        """The window about a garden.

        Args:
            cells_px: (N, 2) centres of its cells in the picture, at least one.
            tile_px: how wide a tile is in the picture.
        """
        low, high = cells_px.min(axis=0), cells_px.max(axis=0)
        size = np.maximum(high - low + 2.0 * tile_px, 1.0)
        fits = _MARGIN * float((np.array([COLUMNS, ROWS]) / size).min())
        middle = (low + high) / 2.0
        return cls((float(middle[0]), float(middle[1])), min(TILE_PX / max(tile_px, 1.0), fits))

    def cut(self, pyramid: Pyramid) -> Image:
        """The window (ROWS, COLUMNS, 3) BGR; black where the picture ends."""
        level = max(0, int(np.floor(np.log2(1.0 / self.scale) + 0.01)))
        source = pyramid.level(level)
        shrink = self.scale * 2.0**level
        # Pixel centres: a pixel of the level covers 2**level pixels of the picture.
        at = (np.array(self.middle_px) + 0.5) / 2.0**level - 0.5
        shift = np.array([COLUMNS - 1, ROWS - 1]) / 2.0 - shrink * at
        move = np.array([[shrink, 0.0, shift[0]], [0.0, shrink, shift[1]]])
        return np.asarray(cv2.warpAffine(source, move, (COLUMNS, ROWS), None, cv2.INTER_LINEAR), dtype=np.uint8)

    def spots(self, at_px: Floats) -> Floats:
        """Points (..., 2) of the picture as columns and rows of the spots the network speaks of."""
        window = (at_px - np.array(self.middle_px)) * self.scale + np.array([COLUMNS - 1, ROWS - 1]) / 2.0
        return np.asarray((window + 0.5) / STRIDE - 0.5)

    def to_px(self, spots: Floats) -> Floats:
        """The other way round: spots (..., 2) as points of the picture."""
        window = (spots + 0.5) * STRIDE - 0.5
        return np.asarray((window - np.array([COLUMNS - 1, ROWS - 1]) / 2.0) / self.scale + np.array(self.middle_px))


@dataclass(frozen=True, slots=True, eq=False)
class ForeignMap:
    """How surely each spot of a window shows a hand or a thing."""

    window: Window
    hand_p: Blob
    """(ROWS / STRIDE, COLUMNS / STRIDE)"""
    thing_p: Blob
    """The same size."""

    def sure(self) -> ForeignMap:
        """The map with only what hardly ever is anything else: single spots are often misread."""
        return replace(self, hand_p=_sure(self.hand_p), thing_p=_sure(self.thing_p))

    def read(self, at_px: Floats) -> tuple[Floats, Floats]:
        """Hand and thing at points (N, K, 2) of the picture, each (N, K); nothing outside the window."""
        spots = self.window.spots(at_px).astype(np.float32)
        hand, thing = (
            cv2.remap(layer, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
            for layer in (self.hand_p, self.thing_p)
        )
        return np.asarray(hand, dtype=np.float64), np.asarray(thing, dtype=np.float64)


def _sure(p: Blob) -> Blob:
    """Regions with enough spots that are sure; all else is taken for what is usual."""
    regions = _less(p, _REGION_ODDS)
    _, labels = cv2.connectedComponents((regions > 0.5).astype(np.uint8))
    sizes = np.bincount(labels.ravel())
    sure = np.bincount(labels.ravel(), weights=(_less(p, _SURE_ODDS) > 0.5).ravel())
    believed = sure >= _SURE_SHARE * sizes
    believed[0] = False
    return np.where(believed[labels], regions, _less(p, _SURE_ODDS)).astype(np.float32)


def _less(p: Blob, odds: float) -> Blob:
    return np.asarray(p / (p + (1.0 - p) * odds), dtype=np.float32)


class ForeignNet:
    """The network."""

    def __init__(self) -> None:
        self._net = Network(model_path("foreign"), ("logits",), batch=1)

    def look(self, pyramid: Pyramid, white: NDArray[np.float32], window: Window) -> ForeignMap:
        """Look once.

        Args:
            pyramid: the picture.
            white: how white looks in it, BGR (3,).
            window: where to look.
        """
        (logits,) = self._net.run(balanced(window.cut(pyramid)[None], white))
        p = 1.0 / (1.0 + np.exp(-np.clip(logits[0], -30.0, 30.0)))
        return ForeignMap(window, np.ascontiguousarray(p[0]), np.ascontiguousarray(p[1]))
