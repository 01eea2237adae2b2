"""What can happen in a game, as values: a player's decision together with what chance gave.

The same move is always the same object where the rules make it (see `land`, `water`), but equality is by value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from companion.games.takenoko.hexgrid import Edge, Hex
from companion.games.takenoko.pieces import Colour, Deck, Improvement, Weather


@dataclass(frozen=True, slots=True)
class Roll:
    """The face of the weather die."""

    face: Weather


@dataclass(frozen=True, slots=True)
class ChooseWeather:
    """The effect chosen after the choice face, or after clouds with no chip left."""

    weather: Weather


@dataclass(frozen=True, slots=True)
class Rain:
    """One section grows here (fertilizer: two)."""

    at: Hex


@dataclass(frozen=True, slots=True)
class Storm:
    """The panda is put here and eats."""

    at: Hex


@dataclass(frozen=True, slots=True)
class Skip:
    """The weather's effect is declined."""


@dataclass(frozen=True, slots=True)
class TakeChip:
    """Clouds: a chip is taken, and stored or placed at once."""

    improvement: Improvement
    at: Hex | None = None


@dataclass(frozen=True, slots=True)
class LayPlot:
    """Action: one of the drawn plots is laid, with a stored chip where the option allows it."""

    colour: Colour
    improvement: Improvement | None
    at: Hex
    chip: Improvement | None = None


@dataclass(frozen=True, slots=True)
class TakeChannel:
    """Action: a channel is taken, and stored or placed at once."""

    edge: Edge | None = None


@dataclass(frozen=True, slots=True)
class MoveGardener:
    """Action: the gardener walks in a straight line."""

    to: Hex


@dataclass(frozen=True, slots=True)
class MovePanda:
    """Action: the panda walks in a straight line."""

    to: Hex


@dataclass(frozen=True, slots=True)
class Draw:
    """Action: an objective is drawn; `card` where the record knows it."""

    deck: Deck
    card: str | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """A drawn card that is met already goes back under its deck; the action is not spent."""

    card: str


@dataclass(frozen=True, slots=True)
class Irrigate:
    """A stored channel is placed."""

    edge: Edge


@dataclass(frozen=True, slots=True)
class Improve:
    """A stored chip is placed."""

    at: Hex
    improvement: Improvement


@dataclass(frozen=True, slots=True)
class Claim:
    """An objective is claimed."""

    card: str


@dataclass(frozen=True, slots=True)
class Know:
    """A seat names one of its hidden cards."""

    card: str


@dataclass(frozen=True, slots=True)
class End:
    """The turn ends."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The table agrees to stop the game."""


InTurn = (
    Roll
    | ChooseWeather
    | Rain
    | Storm
    | Skip
    | TakeChip
    | LayPlot
    | TakeChannel
    | MoveGardener
    | MovePanda
    | Draw
    | Discard
    | Irrigate
    | Improve
    | Claim
    | End
)
"""What a seat does in its own turn."""

Move = InTurn | Know | Stop


@dataclass(frozen=True, slots=True)
class LegalMoves(Sequence[Move]):
    """All legal moves, kind by kind; a sequence over all of them."""

    groups: tuple[tuple[Move, ...], ...]
    """One tuple a kind of move, none of them empty."""

    def __len__(self) -> int:
        return sum(map(len, self.groups))

    def __iter__(self) -> Iterator[Move]:
        for group in self.groups:
            yield from group

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | Sequence[Move]:
        return tuple(self)[index]
