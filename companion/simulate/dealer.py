"""The dealer owns what a table shuffles: the decks, the stack of plots, and the weather die."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.games.takenoko.moves import Discard, Draw, LayPlot, Move, Roll
from companion.games.takenoko.pieces import DECKS, Deck, Kind, Weather
from companion.games.takenoko.rules import Rules

DEALT = frozenset({LayPlot, Draw, Discard})
"""The kinds of moves that concern the dealer."""

_ROLLS = tuple(Roll(face) for face in Weather)


class Dealer:
    """Chance, told to the rules; the random generator is passed in.

    It is asked before a move is made (`deal`, `roll`, `offer`, `complete`) and told after it (`made`).
    """

    def __init__(self, rng: Random, rules: Rules) -> None:
        self._rng = rng
        self.offered = rules.edition.plots_drawn
        """Plots that are drawn to choose one from (T-PLOT-1)."""
        self._stack: list[Kind] = [kind for kind, count in rules.plots.items() for _ in range(count)]
        rng.shuffle(self._stack)
        self._decks: dict[Deck, list[str]] = {deck: [] for deck in DECKS}
        for card in rules.edition.cards.values():
            self._decks[card.deck] += [card.id] * card.copies
        for deck in self._decks.values():
            rng.shuffle(deck)

    def deal(self, seats: int) -> tuple[tuple[str, ...], ...]:
        """One card of each deck for each seat (T-SET-2)."""
        return tuple(tuple(self._decks[deck].pop() for deck in DECKS) for _ in range(seats))

    def roll(self) -> Roll:
        """The weather die."""
        return _ROLLS[int(self._rng.random() * len(_ROLLS))]

    def offer(self) -> Sequence[Kind]:
        """The plots on top of the stack, from which one is laid."""
        return self._stack[-self.offered :]

    def complete(self, move: Move) -> Move:
        """The move with what chance gives to it: the card that is drawn."""
        return Draw(move.deck, self._decks[move.deck][-1]) if isinstance(move, Draw) else move

    def made(self, move: Move) -> None:
        """Take what a move takes off the stack or a deck, and put back what it puts back."""
        if isinstance(move, LayPlot):
            offer = self._stack[-self.offered :]
            offer.remove((move.colour, move.improvement))
            self._stack[-self.offered :] = []
            self._stack[:0] = offer
        elif isinstance(move, Draw):
            self._decks[move.deck].pop()
        elif isinstance(move, Discard):
            for deck in DECKS:
                if move.card.startswith(deck.value):
                    self._decks[deck].insert(0, move.card)
