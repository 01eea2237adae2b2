"""Where the one gardener and the one panda stand, from what each cell says by itself."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.takenoko.hexgrid import Hex

_ABSENT_ODDS = 0.05
"""Odds that the figure stands nowhere in the garden, against one cell that says neither yes nor no."""
_KEPT = 1e-3


def one_figure(p_by_cell: Mapping[Hex, float]) -> dict[Hex, float]:
    """The chance that the figure stands on each cell, knowing that there is only one of it.

    Args:
        p_by_cell: asked of each cell by itself.

    Returns:
        Chances that sum to less than one: the rest is that it stands nowhere that can be seen.
    """
    odds = {cell: min(max(p, 1e-6), 1 - 1e-6) for cell, p in p_by_cell.items()}
    odds = {cell: p / (1 - p) for cell, p in odds.items()}
    total = sum(odds.values()) + _ABSENT_ODDS
    return {cell: odd / total for cell, odd in odds.items() if odd / total >= _KEPT}
