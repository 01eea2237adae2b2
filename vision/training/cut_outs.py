"""Figures cut out of rendered tables and set before or behind other stalks: hidden stalks are rare, and rendering dear.

A figure is set on the crop of a cell that the camera sees from nearly the same height, where its foot would stand; what
it covers of the stalk is no longer visible, and the labels say so.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.nets.upright import COLUMNS, FOOT_ROW, ROWS
from vision.training.ground import COLUMNS_PER_TILE, rows_per_tile
from vision.training.shards import Table, columns_of

SET = 0.12
"""Share of the plots without a figure that are given one."""
BESIDE = 0.5
"""Share of the plots with one figure that are given another, if it is not of the same kind."""
_ALIKE = 40
"""A figure is drawn from so many that are seen most nearly alike."""
_LEAST = 60
"""Pixels of a figure that is worth setting."""


@dataclass(frozen=True, slots=True, eq=False)
class CutOuts:
    """Figures in upright crops cut where they stand, ordered by the camera's elevation."""

    crops: NDArray[np.uint8]
    """(M, ROWS, COLUMNS, 3) BGR."""
    shapes: NDArray[np.uint8]
    """(M, ROWS, COLUMNS): 255 where the figure is seen."""
    white: NDArray[np.float32]
    """(M, 3) BGR of white in their pictures."""
    elevation: NDArray[np.float64]
    """(M,) radians, rising."""
    panda: NDArray[np.bool_]
    """(M,)"""

    @classmethod
    def load(cls, root: Path) -> CutOuts:
        """All shards `root/*/figure`; none is no error."""
        table = columns_of(root, "figure")
        if not table:
            none = np.zeros((0, ROWS, COLUMNS), np.uint8)
            return cls(
                np.repeat(none[..., None], 3, 3), none, np.zeros((0, 3), np.float32), np.zeros(0), np.zeros(0, bool)
            )
        elevation = np.arcsin(np.clip(table["view"][:, 0].astype(np.float64), -1.0, 1.0))
        order = np.argsort(elevation)
        order = order[(table["shape"][order] > 0).sum((1, 2)) >= _LEAST]
        return cls(
            table["tall"][order], table["shape"][order], table["white"][order], elevation[order],
            table["panda"][order] > 0.5,
        )  # fmt: skip


def with_figures(part: Table, figures: CutOuts, rng: np.random.Generator) -> Table:
    """Some rows with a figure set on them, and their labels; the table that is given stays as it is.

    Args:
        part: rows of cells as `generate` cuts them.
        figures: to draw from.
        rng: decides.
    """
    if len(figures.panda) == 0:
        return part
    plot = (part["kind"] >= 1) & (part["kind"] <= 3)
    stand = part["gardener"] + part["panda"]
    chosen = np.flatnonzero(plot & (rng.random(len(plot)) < np.choose(np.rint(stand).astype(int), (SET, BESIDE, 0.0))))
    changed = ("tall", "body", "gardener", "panda", "stalk_visible")
    part = {**part, **{name: part[name].copy() for name in changed}}
    for i in chosen:
        elevation = np.arcsin(np.clip(float(part["view"][i, 0]), -1.0, 1.0))
        near = int(np.searchsorted(figures.elevation, elevation)) + int(rng.integers(-_ALIKE // 2, _ALIKE // 2))
        k = int(np.clip(near, 0, len(figures.panda) - 1))
        if part["panda" if figures.panda[k] else "gardener"][i] > 0.5:
            continue  # there is but one of each
        at, behind = _place(part, int(i), rng)
        shift = np.array([[1.0, 0.0, at[0] - (COLUMNS - 1) / 2.0], [0.0, 1.0, at[1] - FOOT_ROW]])
        covers = cv2.GaussianBlur(cv2.warpAffine(figures.shapes[k], shift, (COLUMNS, ROWS)), (3, 3), 0.6)
        gain = part["white"][i] / figures.white[k]
        figure = cv2.warpAffine(figures.crops[k], shift, (COLUMNS, ROWS)).astype(np.float32) * gain
        body = part["body"][i]
        if behind:
            covers = (covers * (1.0 - cv2.resize(body, (COLUMNS, ROWS)) / 255.0)).astype(np.uint8)
        share = np.asarray(covers, np.float32)[..., None] / np.float32(255.0)
        part["tall"][i] = np.clip(part["tall"][i] * (1 - share) + figure * share, 0, 255).astype(np.uint8)
        left = body * (1.0 - cv2.resize(covers, (COLUMNS // 2, ROWS // 2), interpolation=cv2.INTER_AREA) / 255.0)
        if body.any():
            part["stalk_visible"][i] *= left.sum() / body.sum()
        part["body"][i] = left.astype(np.uint8)
        if covers.sum() > 255 * _LEAST:
            part["panda" if figures.panda[k] else "gardener"][i] = 1.0
    return part


def _place(part: Table, row: int, rng: np.random.Generator) -> tuple[tuple[float, float], bool]:
    """Where in the crop a figure stands, column and row, and whether that is behind the stalk."""
    deep = rows_per_tile(part["view"][row])
    heading, away = rng.uniform(0, 2 * np.pi), 0.4 * np.sqrt(rng.random())
    off = np.array([np.cos(heading), np.sin(heading)]) * away
    at = np.array([(COLUMNS - 1) / 2.0, FOOT_ROW]) + off * (COLUMNS_PER_TILE, deep)
    foot = part["foot_at"][row].astype(np.float64)
    if part["height"][row] > 0 and foot[1] > 0:
        # Mostly between stalk and camera.
        if rng.random() < 0.8:
            at = foot + np.array([rng.normal(0, 0.11) * COLUMNS_PER_TILE, rng.uniform(0.08, 0.36) * deep])
        return (float(at[0]), float(at[1])), bool(at[1] < foot[1])
    return (float(at[0]), float(at[1])), False
