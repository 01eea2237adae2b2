"""Upright crops made harder: spots painted on the tile, cast shadows, and stalks in nearly the colour of their tile.

What lies on the ground must not be taken for a stalk: spots and shadows are drawn where they would lie on the tile,
foreshortened as it is, and behind the stalk.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.nets.upright import COLUMNS, FOOT_ROW, LEAST_SECTION, ROWS, SECTION_ROWS, WIDTH

Bytes = NDArray[np.uint8]
COLUMNS_PER_TILE = COLUMNS / WIDTH
SPOTTED, SHADOWED, ALIKE = 0.3, 0.3, 0.25
"""Shares of the crops."""


def rows_per_tile(view: NDArray[np.float32]) -> float:
    """Rows that a tile's width covers when it lies along the line of sight, by the view's figures (VIEW_SIZE,)."""
    share, section = float(view[2]), float(view[3]) / 4.0
    unit = section / share if share > 0.05 else LEAST_SECTION
    return SECTION_ROWS * float(view[0]) / max(unit, LEAST_SECTION)


def with_ground(
    crop: Bytes, body: Bytes, view: NDArray[np.float32], foot_at: NDArray[np.float32], rng: np.random.Generator
) -> Bytes:
    """The crop, now and then with a spot on its tile, a shadow from its stalk, or the stalk hard to tell from the tile.

    Args:
        crop: (ROWS, COLUMNS, 3) BGR.
        body: (ROWS / 2, COLUMNS / 2), 0 to 255, what of it is the tile's own stalk.
        view: (VIEW_SIZE,) figures of the cell.
        foot_at: (2,) column and row of the stalk's foot; far outside where there is none.
        rng: decides.
    """
    spotted, shadowed, alike = (rng.random(3) < (SPOTTED, SHADOWED, ALIKE)).tolist()
    if not (spotted or shadowed or alike):
        return crop
    bare = cv2.resize(255 - body, (COLUMNS, ROWS), interpolation=cv2.INTER_LINEAR)
    ground = np.asarray(bare[..., None], dtype=np.float32) / np.float32(255)
    deep = rows_per_tile(view)
    lit = crop.astype(np.float32)
    if alike and body.any():
        stalk = 1.0 - ground
        tile = slice(round(FOOT_ROW) - 20, round(FOOT_ROW) + 20), slice(COLUMNS // 4, -COLUMNS // 4)
        of_tile, of_stalk = (
            (lit[part] * share[part]).sum((0, 1)) / max(1.0, float(share[part].sum()))
            for part, share in ((tile, ground), (slice(None), stalk))
        )
        lit = lit + stalk * np.float32(rng.uniform(0.2, 0.85)) * (of_tile - of_stalk).astype(np.float32)
    if spotted:
        lit = _spotted(lit, ground, deep, rng)
    if shadowed:
        standing = foot_at[1] > 0
        foot = foot_at if standing else np.array([rng.uniform(0, COLUMNS), FOOT_ROW + rng.normal(0, 0.3) * deep])
        wide = float(view[8]) / 2.0 if standing else rng.uniform(0.1, 0.5)
        lit = _shadowed(lit, ground, deep, (float(foot[0]), float(foot[1])), wide, rng)
    return np.clip(lit, 0, 255).astype(np.uint8)


def _spotted(
    lit: NDArray[np.float32], ground: NDArray[np.float32], deep: float, rng: np.random.Generator
) -> NDArray[np.float32]:
    """A round spot in the tile's middle: bare earth, or its own colour darker or paler."""
    radius = rng.uniform(0.07, 0.2)
    middle = (COLUMNS - 1) / 2 + rng.normal(0, 1.5), FOOT_ROW + rng.normal(0, 1.5)
    spot = np.zeros((ROWS, COLUMNS), np.float32)
    axes = max(1, round(radius * COLUMNS_PER_TILE)), max(1, round(radius * deep))
    cv2.ellipse(spot, (round(middle[0]), round(middle[1])), axes, 0, 0, 360, 1.0, -1, cv2.LINE_AA)
    spot = np.asarray(cv2.GaussianBlur(spot, (0, 0), rng.uniform(0.5, 3.0)), np.float32)[..., None]
    mean = lit[round(FOOT_ROW) - 8 : round(FOOT_ROW) + 8].mean((0, 1))
    earth = (
        np.array([45, 85, 110]) * mean.mean() / 85.0 * rng.uniform(0.5, 1.2)
        if rng.random() < 0.6
        else mean * rng.uniform(0.4, 1.4)
    )
    # Leaves and strokes go on over the spot: it only tints them.
    strength = rng.uniform(0.12, 0.6) * (1.0 + rng.normal(0, 0.15, (ROWS, COLUMNS, 1)))
    share = np.clip(spot * ground * strength, 0, 1)
    return np.asarray(lit * (1 - share) + earth * share, dtype=np.float32)


def _shadowed(
    lit: NDArray[np.float32], ground: NDArray[np.float32], deep: float, foot: tuple[float, float], wide: float,
    rng: np.random.Generator,
) -> NDArray[np.float32]:  # fmt: skip
    """A band of shadow from the foot, towards the camera more often than not: there it looks most like a section."""
    turn = rng.normal(-np.pi / 2, 0.5) if rng.random() < 0.6 else rng.uniform(0, 2 * np.pi)
    ahead = np.array([np.cos(turn), np.sin(turn)])
    side = np.array([-ahead[1], ahead[0]]) * wide / 2.0 * rng.uniform(0.8, 1.1)
    far = ahead * rng.uniform(0.1, 0.9)
    scale = np.array([COLUMNS_PER_TILE, -deep])
    corners = np.stack([side, far + side * 0.9, far - side * 0.9, -side]) * scale + foot
    dark = np.zeros((ROWS, COLUMNS), np.float32)
    cv2.fillConvexPoly(dark, np.rint(corners * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    for at in (np.zeros(2), far):
        middle = np.rint((at * scale + foot) * 16).astype(int)
        axes = max(16, round(wide / 2 * COLUMNS_PER_TILE * 16)), max(16, round(wide / 2 * deep * 16))
        cv2.ellipse(dark, tuple(middle.tolist()), axes, 0, 0, 360, 1.0, -1, cv2.LINE_AA, 4)
    dark = np.asarray(cv2.GaussianBlur(dark, (0, 0), rng.uniform(0.4, 2.5)), np.float32)[..., None]
    return np.asarray(lit * (1 - dark * ground * rng.uniform(0.25, 0.85)), dtype=np.float32)
