"""Refusals that would tell of another hand: said without it, and in public, so that nobody tries them for spying.

A card can be named in one hand only as often as the box has it (T-OBJ-2). Where that refuses a card, either somebody
named a wrong one, which all should look into, or somebody is trying which cards others hold, which all should see.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from companion.errors import IllegalMoveError
from companion.games.takenoko.moves import Claim, Draw, Know, Move
from companion.services.ports import Message
from companion.services.session import Snapshot
from web.context import evening


def told_of_conflict(who: str) -> None:
    """Tell everyone that the cards of a seat do not fit with those that others have named."""
    evening().say(Message("notice.cards_differ", {"who": who}), bad=True)


@contextmanager
def kept_secret(snapshot: Snapshot, seat: int, move: Move) -> Iterator[None]:
    """Around what a seat tells of its own cards.

    Raises:
        IllegalMoveError: the refusal as the seat may read it.
    """
    try:
        yield
    except IllegalMoveError as error:
        card = move.card if isinstance(move, Draw | Know | Claim) else None
        if error.rule != "T-OBJ-2" or card is None or not _tells_of_others(snapshot, seat, card):
            raise
        told_of_conflict(snapshot.game.header.seats[seat])
        raise IllegalMoveError(
            "T-OBJ-2", "somebody has named a wrong card: this one cannot be in your hand (%(card)s)", {"card": card}
        ) from None


def _tells_of_others(snapshot: Snapshot, seat: int, card: str) -> bool:
    """Whether the refusal does not follow from what the seat can see by itself."""
    state = snapshot.game.state
    found = state.rules.edition.cards.get(card)
    if found is None:
        return False
    claimed = sum(each.claimed.count(card) for each in state.seats)
    own = state.seats[seat].hand.count(card)
    return claimed + own < found.copies and state.copies_left(card) <= 0
