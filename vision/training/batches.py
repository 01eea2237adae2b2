"""Cached crops to training batches: white balance as at run time, and more variation of the light.

Written for one core: gain, gamma and white balance are one table look-up a channel, and noise comes from a bank of
fields drawn once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from vision.nets.blobs import balanced, rulers
from vision.nets.upright import SECTION_ROWS
from vision.nets.white import WHITE_LEVEL
from vision.training.ground import with_ground

_GREY = np.arange(256, dtype=np.float32)
_BANK = 512
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Variation:
    """The random source of a training run: a generator and a bank of noise."""

    rng: np.random.Generator
    bank: Floats
    """(2 `_BANK`, `_BANK`, 3) noise of unit strength; the second half is coarser, as after compression."""

    @classmethod
    def seeded(cls, seed: int) -> Variation:
        """A source that always gives the same run."""
        rng = np.random.default_rng(seed)
        fine = rng.standard_normal((_BANK, _BANK, 3)).astype(np.float32)
        coarse = cv2.GaussianBlur(rng.standard_normal((_BANK, _BANK, 3)).astype(np.float32), (0, 0), 1.2)
        return cls(rng, np.concatenate([fine, coarse / coarse.std()]))


def _varied(crop: NDArray[np.uint8], white: Floats, source: Variation) -> Floats:
    """One crop (H, W, 3) under another light, (3, H, W)."""
    rng = source.rng
    gain = WHITE_LEVEL / white * np.exp(rng.normal(0.0, 0.06, 3) + rng.normal(0.0, 0.2))
    table = (np.minimum(_GREY[:, None] * gain, 1.5) ** np.exp(rng.normal(0.0, 0.15))).astype(np.float32)
    rows, columns = crop.shape[:2]
    soft = rng.random()
    pixels = cv2.GaussianBlur(crop, (3, 3), 0.4 + soft) if soft < 0.4 else crop
    lit = np.empty((3, rows, columns), dtype=np.float32)
    for channel in range(3):
        lit[channel] = table[:, channel][pixels[..., channel]]
    grey = lit.mean(axis=0)
    lit = grey + (lit - grey) * np.float32(rng.uniform(0.65, 1.3))
    slope = rng.normal(0.0, 0.15, 2)
    ramp = slope[0] * np.linspace(-1, 1, rows)[:, None] + slope[1] * np.linspace(-1, 1, columns)[None]
    lit *= (1.0 + np.clip(ramp, -0.5, 0.5)).astype(np.float32)
    y, x = rng.integers(0, 2 * _BANK - rows), rng.integers(0, _BANK - columns)
    noise = source.bank[y : y + rows, x : x + columns].transpose(2, 0, 1)
    lit += np.float32(0.05 * rng.random() ** 2) * noise
    return np.asarray(np.minimum(lit, 1.5) - 0.5, dtype=np.float32)


def batch_of(
    name: str, data: Mapping[str, NDArray[Any]], rows: NDArray[np.int64], source: Variation | None
) -> tuple[Tensor, Tensor, NDArray[np.bool_]]:
    """Input of the `tile`, `tall` or `edge` model for some rows of the table: crops, view figures, who is mirrored.

    With a source of variation, varied and mirrored at random.
    """
    pixels, view, white = (data[column][rows] for column in ("pixels" if name == "edge" else name, "view", "white"))
    n = len(rows)
    if source is None:
        image = np.concatenate([balanced(pixels[i : i + 1], white[i]) for i in range(n)])
    else:
        if name == "tall":
            body, foot = data["body"][rows], data["foot_at"][rows]
            pixels = np.stack([with_ground(pixels[i], body[i], view[i], foot[i], source.rng) for i in range(n)])
        image = np.stack([_varied(pixels[i], white[i], source) for i in range(n)])
    if name != "edge":
        image = np.concatenate([image, data[f"{name}_mask"][rows][:, None].astype(np.float32)], axis=1)
    if name == "tall":
        image = np.concatenate([image, rulers(view[:, 2])], axis=1)
    figures = view.astype(np.float32)
    if name == "tall":
        figures = np.concatenate([figures, data["rises"][rows] / np.float32(SECTION_ROWS)], axis=1)
    mirrored = np.zeros(n, dtype=bool)
    if source is not None:
        figures = figures + source.rng.normal(0.0, 0.01, figures.shape).astype(np.float32)
        mirrored = source.rng.random(n) < 0.5
        image[mirrored] = image[mirrored, :, :, ::-1]
        if name == "edge":
            figures[mirrored, 2] *= -1.0  # the mirrored edge runs the other way
    return torch.from_numpy(image), torch.from_numpy(figures), mirrored
