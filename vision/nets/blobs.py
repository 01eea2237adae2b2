"""From crops to the networks' input: float32, channels first, white-balanced."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.nets.crops import EdgeCrops, TallCrops, TileCrops
from vision.nets.upright import COLUMNS, FOOT_ROW, ROWS, SECTION_ROWS
from vision.nets.white import WHITE_LEVEL

Blob = NDArray[np.float32]
_MOST = 1.5


def balanced(pixels: NDArray[np.uint8], white: NDArray[np.float32], more: int = 0) -> Blob:
    """Colours relative to white.

    Args:
        pixels: (N, H, W, 3) BGR.
        white: (3,) BGR of white in the same picture.
        more: channels after the colours, for the caller to fill.

    Returns:
        (N, 3 + more, H, W), about -0.5 for black and 0.35 for white.
    """
    # 256 grey values only: a table look-up is quicker than arithmetic on every pixel.
    table = np.minimum(np.arange(256, dtype=np.float32)[:, None] * (WHITE_LEVEL / white), _MOST) - np.float32(0.5)
    table = table.astype(np.float32).reshape(256, 1, 3)
    out = np.empty((pixels.shape[0], 3 + more, *pixels.shape[1:3]), dtype=np.float32)
    for crop, planes in zip(pixels, out[:, :3], strict=True):
        cv2.split(cv2.LUT(crop, table), list(planes))
    return out


def rulers(share: NDArray[np.float32]) -> Blob:
    """Height above the cell's centre, in stacks of five sections, for each row of the upright crops.

    Args:
        share: (N,) rows of a section over `SECTION_ROWS` (the third of the view's figures).

    Returns:
        (N, 1, ROWS, COLUMNS)
    """
    rows = (FOOT_ROW - np.arange(ROWS, dtype=np.float32)) / np.float32(SECTION_ROWS * 5.0)
    ruler = np.clip(rows[None] / np.maximum(share[:, None], 0.1), -1.0, 2.0)
    return np.ascontiguousarray(
        np.broadcast_to(ruler[:, None, :, None], (len(share), 1, ROWS, COLUMNS)), dtype=np.float32
    )


def tile_blob(crops: TileCrops, white: NDArray[np.float32]) -> Blob:
    """Crops from above with their hexagon, (N, 4, TILE_PX, TILE_PX)."""
    blob = balanced(crops.pixels, white, 1)
    blob[:, 3] = crops.mask
    return blob


def tall_blob(crops: TallCrops, white: NDArray[np.float32]) -> Blob:
    """Upright crops with their hexagon and ruler, (N, 5, ROWS, COLUMNS)."""
    blob = balanced(crops.pixels, white, 2)
    blob[:, 3] = crops.mask
    blob[:, 4:] = rulers(crops.view[:, 2])
    return blob


def tall_view(crops: TallCrops) -> Blob:
    """The figures that go with the upright crops: the view's, and the rise of each height in sections (N, 16)."""
    return np.concatenate([crops.view, crops.rises / np.float32(SECTION_ROWS)], axis=1)


def edge_blob(crops: EdgeCrops, white: NDArray[np.float32]) -> Blob:
    """Edge crops, (M, 3, EDGE_ROWS, EDGE_COLUMNS)."""
    return balanced(crops.pixels, white)
