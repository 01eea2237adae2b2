"""From crops to the networks' input: float32, channels first, white-balanced."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.nets.crops import EdgeCrops, TallCrops, TileCrops
from vision.nets.upright import COLUMNS, FOOT_ROW, ROWS, SECTION_ROWS
from vision.nets.white import WHITE_LEVEL

Blob = NDArray[np.float32]
_MOST = 1.5


def balanced(pixels: NDArray[np.uint8], white: NDArray[np.float32]) -> Blob:
    """Colours relative to white.

    Args:
        pixels: (N, H, W, 3) BGR.
        white: (3,) BGR of white in the same picture.

    Returns:
        (N, 3, H, W), about -0.5 for black and 0.35 for white.
    """
    table = _levels(white)
    out = np.empty((pixels.shape[0], 3, *pixels.shape[1:3]), dtype=np.float32)
    for crop, planes in zip(pixels, out, strict=True):
        cv2.split(cv2.LUT(crop, table), list(planes))
    return out


def _levels(white: NDArray[np.float32]) -> Blob:
    """What each of the 256 levels becomes (256, 1, 3): a look-up is quicker than arithmetic on every pixel."""
    table = np.minimum(np.arange(256, dtype=np.float32)[:, None] * (WHITE_LEVEL / white), _MOST) - np.float32(0.5)
    return np.asarray(table, dtype=np.float32).reshape(256, 1, 3)


def folds(channels: int) -> list[tuple[int, int, int]]:
    """What each channel of a folded picture holds: of which channel, rows and columns from which on.

    The colours come first, pixel by pixel of each square of four, then every further channel by itself.
    """
    squares = [(down, right) for down in (0, 1) for right in (0, 1)]
    colours = [(channel, *at) for at in squares for channel in range(3)]
    return [*colours, *((channel, *at) for channel in range(3, channels) for at in squares)]


def folded(blob: Blob) -> Blob:
    """Pictures (N, C, H, W) with each square of four pixels laid into channels, (N, 4 C, H / 2, W / 2)."""
    return np.stack([blob[:, channel, down::2, right::2] for channel, down, right in folds(blob.shape[1])], axis=1)


def mirrored(blob: Blob) -> Blob:
    """Folded pictures, right and left exchanged."""
    places = {fold: place for place, fold in enumerate(folds(blob.shape[1] // 4))}
    order = [places[channel, down, 1 - right] for channel, down, right in places]
    return np.ascontiguousarray(blob[:, order, :, ::-1])


def _balanced_folded(
    pixels: NDArray[np.uint8], white: NDArray[np.float32], more: Sequence[NDArray[np.uint8] | Blob] = ()
) -> Blob:
    """`balanced` colours and further channels (N, H, W), folded."""
    table = _levels(white)
    n, rows, columns = pixels.shape[:3]
    out = np.empty((n, 12 + 4 * len(more), rows // 2, columns // 2), dtype=np.float32)
    for crop, planes in zip(pixels, out, strict=True):
        squares = cv2.LUT(crop, table).reshape(rows // 2, 2, columns // 2, 2, 3)
        planes[:12].reshape(2, 2, 3, rows // 2, columns // 2)[...] = squares.transpose(1, 3, 4, 0, 2)
    for place, (channel, down, right) in enumerate(folds(3 + len(more))[12:], 12):
        out[:, place] = more[channel - 3][:, down::2, right::2]
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
    return np.broadcast_to(ruler[:, None, :, None].astype(np.float32), (len(share), 1, ROWS, COLUMNS))


def tile_blob(crops: TileCrops, white: NDArray[np.float32]) -> Blob:
    """Crops from above with their hexagon, folded: (N, 16, TILE_PX / 2, TILE_PX / 2)."""
    return _balanced_folded(crops.pixels, white, [crops.mask])


def tall_blob(crops: TallCrops, white: NDArray[np.float32]) -> Blob:
    """Upright crops with their hexagon and ruler, folded: (N, 20, ROWS / 2, COLUMNS / 2)."""
    return _balanced_folded(crops.pixels, white, [crops.mask, rulers(crops.view[:, 2])[:, 0]])


def tall_view(crops: TallCrops) -> Blob:
    """The figures that go with the upright crops: the view's, and the rise of each height in sections (N, 16)."""
    return np.concatenate([crops.view, crops.rises / np.float32(SECTION_ROWS)], axis=1)


def edge_blob(crops: EdgeCrops, white: NDArray[np.float32]) -> Blob:
    """Edge crops, folded: (M, 12, EDGE_ROWS / 2, EDGE_COLUMNS / 2)."""
    return _balanced_folded(crops.pixels, white)
