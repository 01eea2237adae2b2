"""Points and winners (takenoko, section 8)."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.takenoko.pieces import Deck
from companion.games.takenoko.state import State


@dataclass(frozen=True, slots=True)
class Score:
    """The points of one seat, so far or at the end."""

    seat: int
    plot: int
    gardener: int
    panda: int
    emperor: int

    @property
    def total(self) -> int:
        """All points (T-END-2)."""
        return self.plot + self.gardener + self.panda + self.emperor


def scores(state: State) -> tuple[Score, ...]:
    """The points of every seat: claimed cards and the Emperor; nothing else counts."""
    found = []
    for index, seat in enumerate(state.seats):
        points = dict.fromkeys(Deck, 0)
        for name in seat.claimed:
            card = state.rules.edition.cards[name]
            points[card.deck] += card.points
        emperor = state.rules.edition.emperor_points if seat.emperor else 0
        found.append(Score(index, points[Deck.PLOT], points[Deck.GARDENER], points[Deck.PANDA], emperor))
    return tuple(found)


def winners(state: State) -> tuple[int, ...]:
    """The seats that have won, several where they share it (T-END-3); none before the end."""
    if not state.over:
        return ()
    table = scores(state)
    best = max((score.total, score.panda) for score in table)
    return tuple(score.seat for score in table if (score.total, score.panda) == best)
