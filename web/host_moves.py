"""What the host may tell for others without learning their cards: the answers do not depend on who holds what."""

from __future__ import annotations

from companion.errors import BadInputError, IllegalMoveError, StaleCommandError
from companion.games.takenoko.moves import Claim, Discard, Draw, Know, Move
from companion.games.takenoko.notation import card_deck, parse_move
from companion.games.takenoko.objectives import met, payable
from companion.games.takenoko.pieces import DECK_INDEX, DECKS
from companion.services.session import Snapshot
from web.conflicts import told_of_conflict
from web.context import evening
from web.seats import running, seating
from web.texts import N_

HIDES = frozenset({"T-OBJ-2", "T-OBJ-3", "T-OBJ-4", "T-OBJ-5", "T-OBJ-6", "T-OBJ-7"})
"""Refusals that are told apart only to the seat itself: which of them it is depends on the hand."""


def host_move(text: str) -> Move:
    """A move as the host's page tells it: `discard plot` is the drawn card that goes back unseen.

    Raises:
        MalformedError: it cannot be read.
        StaleCommandError: no card waits to be put back.
    """
    verb, _space, deck = text.partition(" ")
    if verb != "discard" or deck not in {each.value for each in DECKS}:
        return parse_move(text)
    _name, snapshot = running()
    turn = snapshot.game.state.turn
    if turn is None or turn.drawn is None or card_deck(turn.drawn).value != deck:
        raise StaleCommandError("no drawn card waits to be put back")
    return Discard(turn.drawn)


def tell_as_host(move: Move, seat: int | None, version: int | None) -> None:
    """Tell a move from the table page.

    Raises:
        BadInputError: it names a card that the table must not see.
        CompanionError: as `Session.tell`; a card is refused in one way, whatever the reason.
    """
    if isinstance(move, Know) or (isinstance(move, Draw) and move.card is not None):
        raise BadInputError(N_("a card is named on its own seat's phone, not on the table page"))
    if not isinstance(move, Claim | Discard):
        evening().tell(move, seat=seat, by="host", version=version)
        return
    name, snapshot = running()
    who = snapshot.seat if seat is None else seat
    if isinstance(move, Claim):
        _guard_claim(name, snapshot, move, who)
    try:
        evening().tell(move, seat=seat, by="host", version=version)
    except IllegalMoveError as error:
        if error.rule not in HIDES:
            raise
        if error.rule == "T-OBJ-2" and who is not None and _seems_claimable(snapshot, move, who):
            # Everyone sees that it should have worked: somebody has named a wrong card, or tries what others hold.
            told_of_conflict(snapshot.game.header.seats[who])
        if isinstance(move, Discard):
            raise IllegalMoveError("T-OBJ-7", "this card cannot be put back now") from None
        raise IllegalMoveError("T-OBJ-3", "this objective cannot be fulfilled now") from None


def _guard_claim(name: str, snapshot: Snapshot, move: Claim, who: int | None) -> None:
    """Where the companion knows all cards of this kind, a refusal would tell which: then the seat's own device claims.

    That holds for a seat without a device too; one that shows its hand has no secret to keep.
    """
    seats = snapshot.game.state.seats
    if who is None or not 0 <= who < len(seats):
        return  # the session says what is wrong
    if not seats[who].hidden[DECK_INDEX[card_deck(move.card)]] and not seating().of(name, len(seats)).seats[who].shown:
        raise IllegalMoveError("T-OBJ-1", "this seat fulfils its objectives on its own phone")


def _seems_claimable(snapshot: Snapshot, move: Claim | Discard, who: int) -> bool:
    """Whether the card could be claimed for all that the table may know."""
    state = snapshot.game.state
    return move.card in met(state) or move.card in payable(state, who)
