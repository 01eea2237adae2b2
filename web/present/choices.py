"""Which moves the table page offers: legal ones, as far as everyone at the table may know them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def public_choices(facts: Mapping[str, Any], *, dealt: bool) -> list[str]:
    """Moves in notation.

    What depends on a hidden hand is left out: a claim is offered for every card that anyone could claim now, whether
    or not the seat holds it (the session asks the rules).

    Args:
        facts: the public view of the game.
        dealt: the companion deals the cards, so that it knows what was drawn.
    """
    moves = [move for move in facts["legal"] if not move.startswith("roll ")]
    turn = facts["position"]["turn"]
    may_roll = any(move.startswith("roll ") for move in facts["legal"])
    if turn is not None and not may_roll:
        moves += [f"claim {card}" for card in (*facts["met"], *facts["payable"][turn["seat"]])]
        moves += _discards(facts, turn, dealt)
    return moves


def _discards(facts: Mapping[str, Any], turn: Mapping[str, Any], dealt: bool) -> list[str]:
    """How a drawn card that is met already goes back unseen (T-OBJ-7).

    Where the record knows the card, its deck is enough; a paper card is chosen among all that are met, under cover.
    """
    if "drawn" in turn:
        return [f"discard {turn['drawn']}"]
    newest = next((entry["do"] for entry in reversed(facts["history"]) if entry["stands"] and "do" in entry), "")
    verb, _space, deck = newest.partition(" ")
    if dealt or verb != "draw" or not facts["game"]["options"]["discard_fulfilled_draw"]:
        return []
    return [f"discard {card}" for card in facts["met"] if card.startswith(f"{deck}-")]
