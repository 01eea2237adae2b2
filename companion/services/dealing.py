"""Cards dealt by the companion, for a table that plays without paper ones.

No deck is kept: what nobody holds is equally likely to lie on top, so a card is drawn from what is left. (A card that
option discard_fulfilled_draw put under its deck comes up again only when nothing else is left.)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from companion.errors import IllegalMoveError
from companion.games.takenoko.pieces import DECKS, Deck
from companion.games.takenoko.rules import Rules
from companion.games.takenoko.state import State

Choose = Callable[[Sequence[str]], str]
"""Picks one by chance; the process passes the operating system's randomness."""


def deal_hands(rules: Rules, seats: int, choose: Choose) -> tuple[tuple[str, ...], ...]:
    """One card of each kind for every seat (T-SET-2)."""
    decks = {deck: _deck(rules, deck) for deck in DECKS}
    hands: list[tuple[str, ...]] = []
    for _ in range(seats):
        hand = []
        for deck in DECKS:
            card = choose(decks[deck])
            decks[deck].remove(card)
            hand.append(card)
        hands.append(tuple(hand))
    return tuple(hands)


def drawn_card(
    state: State, deck: Deck, choose: Choose, *, told: Collection[str] = (), under: Collection[str] = ()
) -> str:
    """The card that comes up.

    Args:
        state: the position; all cards in it are known.
        deck: which one is drawn from.
        choose: chance.
        told: cards drawn this turn that the position does not show yet.
        under: cards that were put under their decks.

    Raises:
        IllegalMoveError: T-DRAW-3, if the deck is empty.
    """
    left = _deck(state.rules, deck)
    for card in (*(card for seat in state.seats for card in (*seat.hand, *seat.claimed)), *told):
        if card in left:
            left.remove(card)
    if not left:
        raise IllegalMoveError("T-DRAW-3", "no card is left to draw: %(deck)s", {"deck": deck.value})
    above = list(left)
    for card in under:
        if card in above:
            above.remove(card)
    return choose(above or left)


def _deck(rules: Rules, deck: Deck) -> list[str]:
    """Every card of a kind, copy by copy."""
    return [card.id for card in rules.edition.cards.values() if card.deck is deck for _ in range(card.copies)]
