"""Players for simulated games: a player chooses among the legal moves of the position in which it is to move."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol

from companion.games.takenoko.moves import Claim, LegalMoves, Move, Stop
from companion.games.takenoko.state import State


class Player(Protocol):
    """Whoever sits at a simulated table."""

    def choose(self, state: State, legal: LegalMoves) -> Move:
        """One of the legal moves; asked again with the offered plots alone after it chose to lay one."""
        ...


class RandomPlayer:
    """Claims what can be claimed, else takes a random kind of move, then a random one of that kind; never stops."""

    def __init__(self, rng: Random) -> None:
        self._random = rng.random

    def choose(self, state: State, legal: LegalMoves) -> Move:  # noqa: ARG002  # it looks at nothing but the list
        """See `Player`."""
        groups: Sequence[Sequence[Move]] = legal.groups
        for group in groups:
            if type(group[0]) is Claim:
                return group[int(self._random() * len(group))]
        count = len(groups)
        if type(groups[-1][0]) is Stop:
            count -= 1
        group = groups[int(self._random() * count)]
        return group[int(self._random() * len(group))]
