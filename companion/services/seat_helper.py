"""What the companion does for seats by itself: it deals cards, and claims for those who wish it."""

from __future__ import annotations

import logging
import threading
from dataclasses import replace

from companion.errors import CompanionError
from companion.games.takenoko.legality import why_illegal
from companion.games.takenoko.moves import Claim, Discard, Draw, Move
from companion.games.takenoko.state import State
from companion.record import Do, Game, UndoTo
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

    def prepared(self, name: str, snapshot: Snapshot, move: Move) -> Move:
        """The move as it is told: a draw gets its card where the companion deals.

        Raises:
            IllegalMoveError: the deck is empty.
        """
        state = snapshot.game.state
        if not isinstance(move, Draw) or not self.seating.of(name, len(state.seats)).dealt:
            return move
        waiting = [told.move for told in snapshot.pending.told]
        told = [each.card for each in waiting if isinstance(each, Draw) and each.card is not None]
        under = [
            event.move.card
            for _, event in snapshot.game.standing()
            if isinstance(event, Do) and isinstance(event.move, Discard)
        ]
        return replace(move, card=drawn_card(state, move.deck, self._choose, told=told, under=under))

    def shown_hands(self, name: str, snapshot: Snapshot) -> dict[int, tuple[str, ...]]:
        """The hands that their seats show to the table."""
        seats = snapshot.game.state.seats
        kept = self.seating.of(name, len(seats)).seats
        return {index: seats[index].hand for index, each in enumerate(kept) if each.shown}

    def claims_before_end(self, name: str, game: Game, seat: int) -> tuple[Claim, ...]:
        """What a seat that wishes so claims at the end of its turn, on the table as it lies then.

        A card that was met only in the middle of the turn is left to its player: in which order the moves of a turn
        were made, a camera that saw its end can only guess.
        """
        if not self._wishes(name, game.state, seat):
            return ()
        found: list[Claim] = []
        while (claim := _best_claim(game, seat)) is not None:
            found.append(claim)
            game = game.append(Do(seat, claim))
        return tuple(found)

    def claim_for(self, name: str, session: Session) -> None:
        """Claim what is met for the seat whose turn it is, if it wishes so; the most points first.

        While something told waits for the table to be seen nothing is claimed: it is done when the turn ends.
        """
        if not self._claiming.acquire(blocking=False):
            return  # a claim of ours has changed the game just now: its own loop goes on
        try:
            while self._claim_one(name, session.snapshot(), session):
                pass
        finally:
            self._claiming.release()

    def _claim_one(self, name: str, snapshot: Snapshot, session: Session) -> bool:
        turn = snapshot.game.state.turn
        if turn is None or snapshot.pending.told or not self._wishes(name, snapshot.game.state, turn.seat):
            return False
        claim = _best_claim(snapshot.game, turn.seat)
        if claim is None:
            return False
        try:
            session.tell(turn.seat, claim, by="phone", version=snapshot.version)
        except CompanionError as error:
            _log.info("a claim for seat %d was not made: %s", turn.seat, type(error).__name__)
            return False
        return True

    def _wishes(self, name: str, state: State, seat: int) -> bool:
        return self.seating.of(name, len(state.seats)).seats[seat].auto_claim


def _best_claim(game: Game, seat: int) -> Claim | None:
    """The claim with the most points that the rules allow, without those that were taken back just now."""
    state = game.state
    cards = state.rules.edition.cards
    refused = _taken_back(game)
    for card in sorted(set(state.seats[seat].hand) - refused, key=lambda name: (-cards[name].points, name)):
        if why_illegal(state, Claim(card), seat) is None:
            return Claim(card)
    return None


def _taken_back(game: Game) -> set[str]:
    """Cards whose claims people have undone, as long as nothing was done since.

    Made again at once they could never be taken back, nor anything before them.
    """
    events = [(line, event) for line, event in enumerate(game.lines, start=2) if event is not None]
    first = len(game.lines) + 2
    while events and isinstance(undo := events[-1][1], UndoTo):
        first = min(first, undo.line + 1)
        events.pop()
    return {
        event.move.card
        for line, event in events
        if line >= first and isinstance(event, Do) and isinstance(event.move, Claim)
    }
