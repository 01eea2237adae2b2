"""Markings read from near: a badge is searched on each tile, then told from its surroundings in finer pixels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, View
from vision.nets.badge_crops import HEAT, badge_pictures, fine_crops, peaks, search_pictures
from vision.nets.blobs import Blob, balanced
from vision.nets.crops import Pyramid
from vision.nets.runner import Network, model_path


class BadgeNet:
    """The two networks of badges."""

    def __init__(self) -> None:
        self._find = Network(model_path("badge_find"), ("logits",))
        self._tell = Network(model_path("badge"), ("logits",))

    def classify(self, pyramid: Pyramid, view: View, white: NDArray[np.float32], centres_mm: Floats) -> Blob:
        """Logits (N, 7) of each cell's marking in the order of `MARKINGS`, divided by their temperature.

        Args:
            pyramid: the picture.
            view: the camera over the table.
            white: BGR (3,), 0 to 255, of white in the picture.
            centres_mm: (N, 2) cell centres on the table.
        """
        fine = fine_crops(pyramid, view, centres_mm)
        (heat,) = self._find.run(balanced(search_pictures(fine), white))
        at_px = peaks(heat.reshape(-1, HEAT, HEAT))
        (logits,) = self._tell.run(balanced(badge_pictures(fine, at_px), white))
        return np.asarray(logits / self._tell.heat("marking"), dtype=np.float32)
