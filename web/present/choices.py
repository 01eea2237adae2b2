"""Which moves the table page offers: legal ones, as far as everyone at the table may know them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def public_choices(facts: Mapping[str, Any]) -> list[str]:
    """Moves in notation.

    What depends on a hidden hand is left out: a claim is offered for every card that anyone could claim now, whether
    or not the seat holds it (the session asks the rules).

    Args:
        facts: the public view of the game.
    """
    moves = [move for move in facts["legal"] if not move.startswith("roll ")]
    turn = facts["position"]["turn"]
    may_roll = any(move.startswith("roll ") for move in facts["legal"])
    if turn is not None and not may_roll:
        moves += [f"claim {card}" for card in (*facts["met"], *facts["payable"][turn["seat"]])]
    return moves
