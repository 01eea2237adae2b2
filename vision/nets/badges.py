"""Markings read from near: a badge is searched on each tile, then told from its surroundings in finer pixels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, View
from vision.nets.badge_crops import (
    HEAT,
    PEAKS,
    badge_pictures,
    fine_crops,
    heat_at,
    on_tiles,
    peaks,
    search_pictures,
)
from vision.nets.blobs import Blob, balanced
from vision.nets.crops import Pyramid
from vision.nets.runner import Network, model_path

CLEAR = 0.95
"""A marking that is less likely than this is looked at again in the mirror."""


class BadgeNet:
    """The two networks of badges."""

    def __init__(self) -> None:
        self._find = Network(model_path("badge_find"), ("logits",))
        self._tell = Network(model_path("badge"), ("logits",))

    def classify(
        self, pyramid: Pyramid, view: View, white: NDArray[np.float32], centres_mm: Floats, angle: float | Floats
    ) -> Blob:
        """Log probabilities (N, 7) of each cell's marking in the order of `MARKINGS`.

        Args:
            pyramid: the picture.
            view: the camera over the table.
            white: BGR (3,), 0 to 255, of white in the picture.
            centres_mm: (N, 2) cell centres on the table.
            angle: direction of the lattice's east, radians in the table frame; one, or one a cell.
        """
        fine = fine_crops(pyramid, view, centres_mm)
        (found,) = self._find.run(balanced(search_pictures(fine), white))
        heat = found.reshape(-1, HEAT, HEAT)
        at_px = peaks(heat, on_tiles(view, centres_mm, angle))
        first = self._told(fine, at_px[:, 0], white)
        logits = np.full((len(fine), PEAKS, first.shape[1]), _NO_BADGE, dtype=np.float32)
        logits[:, 0] = first
        looked = np.zeros(logits.shape[:2], dtype=bool)
        looked[:, 0] = True
        doubtful, warmth = together(logits[:, :1])[:, 0] > _SURE, heat_at(heat, at_px)
        for rank in range(1, PEAKS):
            rows = np.flatnonzero(warmth[:, rank] > np.where(doubtful, _COLD, _HOT))
            logits[rows, rank] = self._told(fine[rows], at_px[rows, rank], white)
            looked[rows, rank] = True
        said = together(logits)
        again = said.max(axis=1) < math.log(CLEAR)
        for rank in range(PEAKS):
            rows = np.flatnonzero(again & looked[:, rank])
            mirrored = self._told(fine[rows], at_px[rows, rank], white, side=-1)
            logits[rows, rank] = (logits[rows, rank] + mirrored) / np.float32(2.0)
        said[again] = together(logits[again])
        return said

    def _told(self, fine: NDArray[np.uint8], at_px: Floats, white: NDArray[np.float32], side: int = 1) -> Blob:
        """Logits (N, 7) of what lies at these places; in the mirror, if the side is -1."""
        blob = balanced(badge_pictures(fine, at_px), white)
        (logits,) = self._tell.run(np.ascontiguousarray(blob[..., ::side]))
        return np.asarray(logits / self._tell.heat("marking"), dtype=np.float32)


_NO_BADGE = np.array([8.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=np.float32)
"""Logits of a place that was not looked at; no marking comes first."""
_SURE = math.log(0.02)
_COLD, _HOT = -5.5, 1.0
"""A further place is looked at where it is warm at all, or, beside a sure badge, as hot as one. On photos and rendered
tables that is every second tile of 1231; none of them is told otherwise than if all were."""


def together(logits: NDArray[np.floating[Any]]) -> Blob:
    """One marking a tile from what several of its places show: log probabilities (N, 7).

    Args:
        logits: (N, K, 7) of each place by itself, no marking first.
    """
    raised = np.exp(logits - logits.max(axis=2, keepdims=True, initial=-np.inf))
    p = raised / raised.sum(axis=2, keepdims=True)
    bare = np.maximum(p[:, :, :1], 1e-6)
    # At most one place bears the badge: it is none, or one of the marks at one place and none at the others.
    marked = (p[:, :, 1:] / bare).sum(axis=1)
    whole = np.concatenate([np.ones((len(p), 1)), marked], axis=1)
    return np.asarray(np.log(whole / whole.sum(axis=1, keepdims=True) + 1e-7), dtype=np.float32)
