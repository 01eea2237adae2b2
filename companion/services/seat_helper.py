"""What the companion does for seats by itself: it deals cards, and claims for those who wish it."""

from __future__ import annotations

import logging
import threading
from dataclasses import replace

from companion.errors import CompanionError
from companion.games.takenoko.legality import why_illegal
from companion.games.takenoko.moves import Claim, Discard, Draw, Move
from companion.record import Do
from companion.services.dealing import Choose, drawn_card
from companion.services.seating import Seating
from companion.services.session import Session, Snapshot

_log = logging.getLogger(__name__)


class SeatHelper:
    """Works on whichever game is running."""

    def __init__(self, seating: Seating, choose: Choose) -> None:
        """`choose` picks a card by chance."""
        self.seating = seating
        self._choose = choose
        self._claiming = threading.Lock()

    def prepared(self, game: str, snapshot: Snapshot, move: Move) -> Move:
        """The move as it is told: a draw gets its card where the companion deals.

        Raises:
            IllegalMoveError: the deck is empty.
        """
        state = snapshot.game.state
        if not isinstance(move, Draw) or not self.seating.of(game, len(state.seats)).dealt:
            return move
        waiting = [told.move for told in snapshot.pending.told]
        told = [each.card for each in waiting if isinstance(each, Draw) and each.card is not None]
        under = [
            event.move.card
            for _, event in snapshot.game.standing()
            if isinstance(event, Do) and isinstance(event.move, Discard)
        ]
        return replace(move, card=drawn_card(state, move.deck, self._choose, told=told, under=under))

    def shown_hands(self, game: str, snapshot: Snapshot) -> dict[int, tuple[str, ...]]:
        """The hands that their seats show to the table."""
        seats = snapshot.game.state.seats
        kept = self.seating.of(game, len(seats)).seats
        return {index: seats[index].hand for index, each in enumerate(kept) if each.shown}

    def claim_for(self, game: str, session: Session) -> None:
        """Claim what is met for the seat whose turn it is, if it wishes so; the most points first."""
        if not self._claiming.acquire(blocking=False):
            return  # a claim of ours has changed the game just now: its own loop goes on
        try:
            while self._claim_one(game, session.snapshot(), session):
                pass
        finally:
            self._claiming.release()

    def _claim_one(self, game: str, snapshot: Snapshot, session: Session) -> bool:
        state = snapshot.game.state
        turn = state.turn
        if turn is None or snapshot.seat != turn.seat or snapshot.pending.told:
            return False
        if not self.seating.of(game, len(state.seats)).seats[turn.seat].auto_claim:
            return False
        cards = state.rules.edition.cards
        for card in sorted(set(state.seats[turn.seat].hand), key=lambda name: (-cards[name].points, name)):
            if why_illegal(state, Claim(card), turn.seat) is None:
                try:
                    session.tell(turn.seat, Claim(card), by="phone", version=snapshot.version)
                except CompanionError as error:
                    _log.info("a claim for seat %d was not made: %s", turn.seat, type(error).__name__)
                    return False
                return True
        return False
