"""What the record has wrong about a player's store, found out later.

No camera sees a store, so a past turn may have been taken for another with the same garden (a channel that was placed
from the store rather than as an action). The search may amend a store at a price; the record then says so with a
correction before the move that needs it.
"""

from __future__ import annotations

from dataclasses import replace

from companion.games.takenoko.edition import PandaCard
from companion.games.takenoko.moves import Claim
from companion.games.takenoko.state import SeatState, State
from companion.reconcile.nodes import Told


def with_channel(state: State) -> State | None:
    """The position with one channel in the store of the seat in turn; None where it has one, or none is left."""
    turn = state.turn
    if turn is None or turn.awaits_roll() or turn.drawn is not None or state.channels_left() < 1:
        return None
    seat = state.seats[turn.seat]
    return None if seat.channels else _with_seat(state, turn.seat, replace(seat, channels=1))


def with_eaten(state: State, told: Told) -> State | None:
    """The position with what a claimed panda card costs in the claimer's store; None for other cards."""
    if not isinstance(told.move, Claim):
        return None
    card = state.rules.edition.cards.get(told.move.card)
    if not isinstance(card, PandaCard):
        return None
    seat = state.seats[told.seat]
    green, yellow, pink = (max(has, pays) for has, pays in zip(seat.bamboo, card.pay, strict=True))
    return _with_seat(state, told.seat, replace(seat, bamboo=(green, yellow, pink)))


def _with_seat(state: State, index: int, seat: SeatState) -> State:
    seats = state.seats
    return replace(state, seats=(*seats[:index], seat, *seats[index + 1 :]))
