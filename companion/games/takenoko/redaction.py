"""What a seat may see of a position, a move and a correction: its own cards, of others only how many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.takenoko.moves import Discard, Draw, Know, Move
from companion.games.takenoko.notation import card_deck, format_move
from companion.games.takenoko.pieces import DECKS
from companion.games.takenoko.position import position_to_json
from companion.games.takenoko.state import State


def position_for(state: State, seat: int | None) -> dict[str, Any]:
    """The position as a seat may see it; None: as the table may.

    A hand of another seat is a count by deck, known and unknown cards alike. A card that waits to be discarded is
    named to its holder only; the others see that the turn waits.
    """
    facts = position_to_json(state)
    for index, seat_facts in enumerate(facts["seats"]):
        if index != seat:
            seat_facts["hidden"] = _counts(seat_facts["hand"], seat_facts["hidden"])
            seat_facts["hand"] = []
    turn = facts["turn"]
    if turn is not None and "drawn" in turn and turn["seat"] != seat:
        turn["drawn"] = card_deck(turn["drawn"]).value
    return facts


def _counts(hand: list[str], hidden: Mapping[str, int]) -> dict[str, int]:
    return {deck.value: hidden.get(deck.value, 0) + sum(card_deck(card) is deck for card in hand) for deck in DECKS}


def move_for(move: Move, by: int, seat: int | None) -> str | None:
    """The text of a move as a seat may see it (None: the table), or None where it may not see it at all."""
    if by != seat:
        if isinstance(move, Know):
            return None
        if isinstance(move, Draw):
            return format_move(Draw(move.deck))
        if isinstance(move, Discard):
            return f"discard {card_deck(move.card).value}"
    return format_move(move)


def changes_for(changes: Mapping[str, Any], seat: int | None) -> dict[str, Any]:
    """A correction as a seat may see it: every fact of the table, of other seats' hands that they were set right."""
    facts = dict(changes)
    if "seats" in facts:
        facts["seats"] = [
            player if index == seat else {key: value for key, value in player.items() if key not in ("hand", "hidden")}
            for index, player in enumerate(facts["seats"])
        ]
    return facts
