"""Markings read from near: a badge is searched on each tile, then told from its surroundings in finer pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, View
from vision.nets.badge_crops import HEAT, PEAKS, badge_pictures, fine_crops, on_tiles, peaks, search_pictures
from vision.nets.blobs import Blob, balanced
from vision.nets.crops import Pyramid
from vision.nets.runner import Network, model_path


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
        (heat,) = self._find.run(balanced(search_pictures(fine), white))
        at_px = peaks(heat.reshape(-1, HEAT, HEAT), on_tiles(view, centres_mm, angle))
        pictures = badge_pictures(np.repeat(fine, PEAKS, axis=0), at_px.reshape(-1, 2))
        (logits,) = self._tell.run(balanced(pictures, white))
        return together((logits / self._tell.heat("marking")).reshape(-1, PEAKS, logits.shape[1]))


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
