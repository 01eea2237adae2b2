"""A position as a frozen value: facts only; what follows from them is derived."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from companion.games.takenoko.garden import Garden
from companion.games.takenoko.hexgrid import Edge, Hex
from companion.games.takenoko.pieces import (
    COLOUR_INDEX,
    DECK_INDEX,
    IMPROVEMENTS,
    Action,
    Colour,
    Deck,
    Weather,
)
from companion.games.takenoko.plot import Plot
from companion.games.takenoko.rules import Rules

__all__ = ["Plot", "SeatState", "State", "Triple", "Turn"]

Triple = tuple[int, int, int]
"""Counts by colour, improvement or deck, in the order of `COLOURS`, `IMPROVEMENTS` or `DECKS`."""


@dataclass(frozen=True, slots=True)
class SeatState:
    """What lies before one player."""

    name: str
    bamboo: Triple = (0, 0, 0)
    """Eaten sections by colour."""
    channels: int = 0
    """Stored."""
    chips: Triple = (0, 0, 0)
    """Stored, by improvement."""
    hand: tuple[str, ...] = ()
    """Cards that the record knows."""
    hidden: Triple = (0, 0, 0)
    """Cards that the record does not know, by deck."""
    claimed: tuple[str, ...] = ()
    emperor: bool = False

    def sections(self, colour: Colour) -> int:
        """Eaten sections of one colour."""
        return self.bamboo[COLOUR_INDEX[colour]]

    def cards_in_hand(self) -> int:
        """Known and unknown ones."""
        plot, gardener, panda = self.hidden
        return len(self.hand) + plot + gardener + panda


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is and how far it has come."""

    seat: int
    number: int
    """Counts the turns of this seat from 1; there is no roll in turn 1 (T-TURN-1)."""
    weather: Weather | None = None
    """None before the roll, `choice` until something is chosen, then the effect."""
    weather_pending: bool = False
    """An effect must be taken or skipped (T-WEA-8)."""
    actions: tuple[Action, ...] = ()
    """Actions taken, in order."""
    drawn: str | None = None
    """The card that must be discarded now (T-OBJ-7)."""

    def awaits_roll(self) -> bool:
        """Whether the weather die comes first."""
        return self.weather is None and self.number > 1

    def action_limit(self) -> int:
        """Two, in the sun three (T-TURN-3)."""
        return 3 if self.weather is Weather.SUN else 2


class Supply(NamedTuple):
    """What lies beside the garden: derived, and carried along because every list of legal moves asks for it."""

    channels: int
    chips: Triple
    """By improvement."""
    decks: Triple
    """Cards left, by deck."""


@dataclass(frozen=True, slots=True)
class State:
    """One position of one game; built with `State.of` from its facts."""

    rules: Rules
    garden: Garden
    gardener: Hex
    panda: Hex
    seats: tuple[SeatState, ...]
    turn: Turn | None
    """None when the game is over."""
    first: int
    """The seat that began."""
    supply: Supply = field(compare=False, repr=False)

    @classmethod
    def of(
        cls,
        rules: Rules,
        garden: Garden,
        gardener: Hex,
        panda: Hex,
        seats: tuple[SeatState, ...],
        turn: Turn | None,
        first: int = 0,
    ) -> State:
        """The position with these facts, whether or not it can occur."""
        return cls(rules, garden, gardener, panda, seats, turn, first, supply_of(rules, garden, seats))

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.turn is None

    @property
    def plots(self) -> Mapping[Hex, Plot]:
        """The plots of the garden, read-only."""
        return self.garden.plots

    @property
    def channels(self) -> frozenset[Edge]:
        """The channels of the garden."""
        return self.garden.channels

    def channels_left(self) -> int:
        """Channels in the supply."""
        return self.supply.channels

    def chips_left(self) -> Triple:
        """Chips in the supply, by improvement."""
        return self.supply.chips

    def deck_left(self, deck: Deck) -> int:
        """Cards left in a deck: all that no player has."""
        return self.supply.decks[DECK_INDEX[deck]]

    def copies_left(self, card: str) -> int:
        """Copies of a card that are not known to be with a player (T-OBJ-2)."""
        known = sum(seat.hand.count(card) + seat.claimed.count(card) for seat in self.seats)
        return self.rules.edition.cards[card].copies - known


def supply_of(rules: Rules, garden: Garden, seats: Sequence[SeatState]) -> Supply:
    """What is left of everything, from the facts: negative where more is out than the box has."""
    edition = rules.edition
    channels = edition.channels - len(garden.channels) - sum(seat.channels for seat in seats)
    laid = Counter(plot.improvement for plot in garden.plots.values() if plot.chip)
    chips = [count - laid[improvement] for improvement, count in zip(IMPROVEMENTS, edition.chips, strict=True)]
    decks = list(edition.deck_sizes)
    for seat in seats:
        chips = [count - stored for count, stored in zip(chips, seat.chips, strict=True)]
        decks = [count - hidden for count, hidden in zip(decks, seat.hidden, strict=True)]
        for card in (*seat.hand, *seat.claimed):
            decks[DECK_INDEX[edition.cards[card].deck]] -= 1
    return Supply(channels, (chips[0], chips[1], chips[2]), (decks[0], decks[1], decks[2]))


def is_irrigated(state: State, at: Hex) -> bool:
    """Whether a plot lies here and has water (T-WATER-1)."""
    return at in state.garden.water.irrigated
