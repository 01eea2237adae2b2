"""What every title offers: the record, the table and the screens ask for nothing else.

It knows positions (`S`) and moves (`M`) only as values that it hands back; what lies on a table is the `Layout`'s
business, what a hidden card is the title's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from companion.errors import Told, filled
from companion.games.layout import Layout

S = TypeVar("S")
M = TypeVar("M")

DEFAULT_EDITION = "base"
"""The box that is meant where a header names none."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move is refused: a rule's id, or `option` for what only a switched-off option would allow."""

    rule: str
    text: str
    """One line for people, and a message of the catalogues: parameters stand in it as `%(name)s`."""
    params: Mapping[str, Told] = field(default_factory=lambda: MappingProxyType({}))
    """In the words of the notation; several of one sort as a tuple."""

    @property
    def message(self) -> str:
        """The line in English.

        >>> Refusal("T-PLOT-2", "%(at)s is not empty", {"at": "1,0"}).message
        '1,0 is not empty'
        """
        return filled(self.text, self.params)


@dataclass(frozen=True, slots=True)
class Setup:
    """How a game starts, as a record's header says it."""

    seats: tuple[str, ...]
    """Names, clockwise."""
    ruleset: str
    options: Mapping[str, bool] = field(default_factory=lambda: MappingProxyType({}))
    """Options switched over the ruleset."""
    edition: str = DEFAULT_EDITION
    """Which box: the name of a table of counts."""
    first: int = 0
    hands: tuple[tuple[str, ...] | None, ...] | None = None
    """What is known of what was dealt; excludes `position`."""
    position: Mapping[str, Any] | None = None
    """The decoded JSON of the position in which the game starts."""


class Title(Protocol[S, M]):
    """One game of the house, as a bundle of pure functions."""

    @property
    def name(self) -> str:
        """The word for the game in a record's header."""
        ...

    @property
    def rulesets(self) -> Mapping[str, Mapping[str, bool]]:
        """Every ruleset with the options that it stands for."""
        ...

    @property
    def editions(self) -> Sequence[str]:
        """The boxes whose tables are shipped."""
        ...

    @property
    def players(self) -> range:
        """How many can play."""
        ...

    def start(self, setup: Setup) -> S:
        """The position before the first move.

        Raises:
            BadInputError: if a ruleset, option or edition does not exist.
            ImpossiblePositionError: with every reason why a game cannot start so.
        """
        ...

    def parse_move(self, text: str) -> M:
        """Read one move.

        Raises:
            MalformedError: if it cannot be read, whatever the position.
        """
        ...

    def format_move(self, move: M) -> str:
        """The canonical text of a move."""
        ...

    def legal_moves(self, state: S) -> Sequence[M]:
        """Every legal move of whoever is to move."""
        ...

    def why_illegal(self, state: S, move: M, seat: int | None = None) -> Refusal | None:
        """The first rule that a move breaks, or None."""
        ...

    def apply(self, state: S, move: M, seat: int | None = None) -> S:
        """The position after a move.

        Raises:
            IllegalMoveError: with the id of the rule that it breaks.
        """
        ...

    def corrected(self, state: S, changes: Mapping[str, Any]) -> S:
        """The position with single facts set right.

        Raises:
            ImpossiblePositionError: with every reason why the outcome cannot occur.
        """
        ...

    def seat_to_move(self, state: S) -> int | None:
        """Whose turn it is; None when the game is over."""
        ...

    def met(self, state: S) -> Sequence[str]:
        """Goals that the common table meets now, whoever holds them."""
        ...

    def payable(self, state: S) -> Sequence[Sequence[str]]:
        """By seat: goals that the seat could pay from its own store."""
        ...

    def scores(self, state: S) -> Sequence[Mapping[str, int]]:
        """By seat: points by sort, with `seat` and `total`."""
        ...

    def winners(self, state: S) -> Sequence[int]:
        """The seats that have won; none before the end."""
        ...

    def position_to_json(self, state: S) -> dict[str, Any]:
        """The position in full, secrets included: for the disk, never for a screen."""
        ...

    def position_for(self, state: S, seat: int | None) -> dict[str, Any]:
        """The position as a seat may see it; None: as the table may."""
        ...

    def move_for(self, move: M, by: int, seat: int | None) -> str | None:
        """The text of a move as a seat may see it (None: the table), or None where it may not see it at all."""
        ...

    def changes_for(self, changes: Mapping[str, Any], seat: int | None) -> dict[str, Any]:
        """A correction as a seat may see it (None: the table)."""
        ...

    def derived(self, state: S) -> dict[str, Any]:
        """What follows from a position and is no secret: what `replay` prints beside it."""
        ...

    def layout(self, setup: Setup) -> Layout:
        """What may lie where on the table, for the eye.

        Raises:
            BadInputError: if a ruleset, option or edition does not exist.
        """
        ...
