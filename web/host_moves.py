"""What the host may tell for others without learning their cards: the answers do not depend on who holds what."""

from __future__ import annotations

from companion.errors import BadInputError, IllegalMoveError
from companion.games.takenoko.moves import Claim, Draw, Know, Move
from companion.games.takenoko.notation import card_deck
from companion.games.takenoko.pieces import DECK_INDEX
from web.context import evening
from web.seats import running, seating

HIDES = frozenset({"T-OBJ-2", "T-OBJ-3", "T-OBJ-4", "T-OBJ-5", "T-OBJ-6"})
"""Refusals of a claim that are told apart only to the seat itself: which of them it is depends on the hand."""


def tell_as_host(move: Move, seat: int | None, version: int | None) -> None:
    """Tell a move from the table page.

    Raises:
        BadInputError: it names a card that the table must not see.
        CompanionError: as `Session.tell`; a claim is refused in one way, whatever the reason.
    """
    if isinstance(move, Know) or (isinstance(move, Draw) and move.card is not None):
        raise BadInputError("a card is named on its own seat's phone, not on the table page")
    if not isinstance(move, Claim):
        evening().tell(move, seat=seat, by="host", version=version)
        return
    _guard_claim(move, seat)
    try:
        evening().tell(move, seat=seat, by="host", version=version)
    except IllegalMoveError as error:
        if error.rule in HIDES:
            raise IllegalMoveError("T-OBJ-3", "this objective cannot be fulfilled now") from None
        raise


def _guard_claim(move: Claim, seat: int | None) -> None:
    """A phone that knows its whole hand claims by itself; for paper cards the host may."""
    name, snapshot = running()
    who = snapshot.seat if seat is None else seat
    seats = snapshot.game.state.seats
    if who is None or not 0 <= who < len(seats):
        return  # the session says what is wrong
    held = seating().of(name, len(seats)).seats[who].device is not None
    if held and not seats[who].hidden[DECK_INDEX[card_deck(move.card)]]:
        raise IllegalMoveError("T-OBJ-1", "this seat fulfils its objectives on its own phone")
