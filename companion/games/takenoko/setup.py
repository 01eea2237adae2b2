"""The start of a game."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

from companion.errors import ImpossiblePositionError
from companion.games.takenoko.garden import garden_of
from companion.games.takenoko.hexgrid import POND
from companion.games.takenoko.pieces import DECKS
from companion.games.takenoko.rules import Rules, rules_for
from companion.games.takenoko.state import SeatState, State, Turn

LONGEST_NAME = 80
"""Characters; a name is display only, and has to fit a screen."""


def new_game(
    seats: Sequence[str],
    *,
    ruleset: str = "classic",
    options: Mapping[str, bool] | None = None,
    edition: str = "base",
    first: int = 0,
    hands: Sequence[Sequence[str] | None] | None = None,
) -> State:
    """The position before the first move (takenoko, section 2).

    Args:
        seats: the names, clockwise.
        ruleset: `classic` or `bga`.
        options: options switched over the ruleset.
        edition: the name of an edition table.
        first: the seat that begins (T-SET-3).
        hands: the three cards dealt to each seat (T-SET-2), None where the record does not know them.

    Raises:
        BadInputError: if the ruleset, an option or the edition does not exist.
        ImpossiblePositionError: with every reason why nobody can start like this.

    >>> new_game(["Aki", "Oksana"]).turn
    Turn(seat=0, number=1, weather=None, weather_pending=False, actions=(), drawn=None)
    """
    return start(rules_for(ruleset, options, edition), seats, first, hands)


def start(
    rules: Rules, seats: Sequence[str], first: int = 0, hands: Sequence[Sequence[str] | None] | None = None
) -> State:
    """The same as `new_game`, with the rules at hand.

    Raises:
        ImpossiblePositionError: with every reason why nobody can start like this.
    """
    reasons = table_problems(rules, seats, first)
    if hands is not None:
        reasons += _hand_problems(rules, seats, hands)
    if reasons:
        raise ImpossiblePositionError(tuple(reasons))
    players = tuple(
        SeatState(name, hidden=(1, 1, 1)) if hand is None else SeatState(name, hand=tuple(hand))
        for name, hand in zip(seats, [None] * len(seats) if hands is None else hands, strict=True)
    )
    return State.of(rules, garden_of(rules, {}, frozenset()), POND, POND, players, Turn(first, 1), first)


def table_problems(rules: Rules, seats: Sequence[str], first: int) -> list[str]:
    """Why these players cannot sit at one table: T-SET-1, and names that tell them apart."""
    reasons = []
    players = rules.edition.players
    if len(seats) not in players:
        reasons.append(f"T-SET-1: {len(seats)} seats, but {players.start} to {players.stop - 1} play")
    if not all(name.strip() and len(name) <= LONGEST_NAME and _is_one_line(name) for name in seats):
        reasons.append(f"a seat has no name, or one that is not a line of 1 to {LONGEST_NAME} characters")
    if len({name.strip() for name in seats}) != len(seats):
        reasons.append("two seats have the same name")
    if not 0 <= first < len(seats):
        reasons.append(f"T-SET-3: seat {first} begins, but there are the seats 0 to {len(seats) - 1}")
    return reasons


def _is_one_line(name: str) -> bool:
    """Whether a name has no control characters and no line ends; joiners, as in some emoji and scripts, may be."""
    return not any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in name)


def _hand_problems(rules: Rules, seats: Sequence[str], hands: Sequence[Sequence[str] | None]) -> list[str]:
    """Why these cannot be the hands dealt: T-SET-2, and no more copies than the box has."""
    if len(hands) != len(seats):
        return [f"{len(hands)} hands for {len(seats)} seats"]
    cards = rules.edition.cards
    reasons = []
    dealt = [card for hand in hands if hand is not None for card in hand]
    for card in dict.fromkeys(dealt):
        if card not in cards:
            reasons.append(f"there is no card {card[:40]!r} in the box")
        elif dealt.count(card) > cards[card].copies:
            reasons.append(f"{card} is dealt {dealt.count(card)} times, but the box has {cards[card].copies}")
    for index, hand in enumerate(hands):
        if hand is not None and all(card in cards for card in hand):
            decks = [cards[card].deck for card in hand]
            if sorted(decks) != sorted(DECKS):
                reasons.append(f"T-SET-2: seat {index} is dealt one card of each deck, not {', '.join(hand) or 'none'}")
    return reasons
