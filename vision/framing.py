"""What would help the camera, as message ids with parameters: for the set-up page, the most urgent first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.observation import Observation, Status

EDGE_SHARE = 0.09
"""A tile whose centre is nearer to the picture's edge than this share of its side may be cut off by it."""
SMALL_SHARE = 0.14
"""A garden of many tiles that fills less of the picture's width shows its stalks too small."""
MANY_TILES = 8


def hidden_cards(seen: Observation, ids: Sequence[int]) -> list[dict[str, Any]]:
    """One piece of advice for each marker card that is not seen, while at least one is."""
    if seen.context is None or not seen.context.cards_px:
        return []
    missing = [card for card in ids if card not in seen.context.cards_px]
    return [{"id": "camera.card_hidden", "params": {"number": card}} for card in missing]


def framing(seen: Observation, width: int, height: int) -> list[dict[str, Any]]:
    """Whether the garden lies well in the picture: where to tilt and turn, nearer or farther.

    Args:
        seen: the last look.
        width: of its picture, pixels.
        height: of its picture, pixels.
    """
    if seen.status is Status.NO_TABLE or not seen.cells:
        return []
    centres: NDArray[np.float64] = np.array([cell.centre_px for cell in seen.cells.values() if cell.p_absent < 0.5])
    if not len(centres):
        return []
    low, high = centres.min(axis=0), centres.max(axis=0)
    margin = EDGE_SHARE * min(width, height)
    left, right = bool(low[0] < margin), bool(high[0] > width - margin)
    top, bottom = bool(low[1] < margin), bool(high[1] > height - margin)
    if (left and right) or (top and bottom) or ((left or right) and (top or bottom)):
        return [{"id": "camera.move_back"}]
    ways = {"camera.tilt_up": top, "camera.tilt_down": bottom, "camera.turn_left": left, "camera.turn_right": right}
    for name, is_over in ways.items():
        if is_over:
            return [{"id": name}]
    if len(centres) >= MANY_TILES and high[0] - low[0] < SMALL_SHARE * width:
        return [{"id": "camera.move_closer"}]
    return []
