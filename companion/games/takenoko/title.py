"""Takenoko as a title of the house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from companion.games.layout import Layout
from companion.games.takenoko import layout, legality, notation, objectives, position, redaction, scoring, setup
from companion.games.takenoko.edition import edition_names, load_edition
from companion.games.takenoko.moves import Move
from companion.games.takenoko.pieces import IMPROVEMENTS, kind_name
from companion.games.takenoko.rules import RULESETS, rules_for
from companion.games.takenoko.state import State
from companion.games.takenoko.transition import apply
from companion.games.title import Refusal, Setup


@dataclass(frozen=True, slots=True)
class TakenokoTitle:
    """See `companion.games.title.Title`."""

    name: str = "takenoko"

    @property
    def rulesets(self) -> Mapping[str, Mapping[str, bool]]:
        """Every ruleset with the options that it stands for."""
        return {name: asdict(options) for name, options in RULESETS.items()}

    @property
    def editions(self) -> Sequence[str]:
        """The boxes whose tables are shipped."""
        return edition_names()

    @property
    def players(self) -> range:
        """How many can play (T-SET-1)."""
        return load_edition("base").players

    def start(self, setup_: Setup) -> State:
        """The position before the first move."""
        rules = rules_for(setup_.ruleset, setup_.options, setup_.edition)
        if setup_.position is None:
            return setup.start(rules, setup_.seats, setup_.first, setup_.hands)
        return position.position_from_json(setup_.position, rules, setup_.seats, setup_.first)

    def parse_move(self, text: str) -> Move:
        """Read one move."""
        return notation.parse_move(text)

    def format_move(self, move: Move) -> str:
        """The canonical text of a move."""
        return notation.format_move(move)

    def legal_moves(self, state: State) -> Sequence[Move]:
        """Every legal move of the seat whose turn it is."""
        return legality.legal_moves(state)

    def why_illegal(self, state: State, move: Move, seat: int | None = None) -> Refusal | None:
        """The first rule that a move breaks, or None."""
        return legality.why_illegal(state, move, seat)

    def apply(self, state: State, move: Move, seat: int | None = None) -> State:
        """The position after a move."""
        return apply(state, move, seat)

    def corrected(self, state: State, changes: Mapping[str, Any]) -> State:
        """The position with single facts set right."""
        return position.corrected(state, changes)

    def seat_to_move(self, state: State) -> int | None:
        """Whose turn it is; None when the game is over."""
        return None if state.turn is None else state.turn.seat

    def met(self, state: State) -> Sequence[str]:
        """Plot and gardener cards that the garden meets now."""
        return objectives.met(state)

    def payable(self, state: State) -> Sequence[Sequence[str]]:
        """By seat: panda cards that the seat could pay."""
        return tuple(objectives.payable(state, seat) for seat in range(len(state.seats)))

    def scores(self, state: State) -> Sequence[Mapping[str, int]]:
        """By seat: points by sort, with `seat` and `total`."""
        return tuple({**asdict(score), "total": score.total} for score in scoring.scores(state))

    def winners(self, state: State) -> Sequence[int]:
        """The seats that have won; none before the end."""
        return scoring.winners(state)

    def position_to_json(self, state: State) -> dict[str, Any]:
        """The position in full, secrets included."""
        return position.position_to_json(state)

    def position_for(self, state: State, seat: int | None) -> dict[str, Any]:
        """The position as a seat may see it; None: as the table may."""
        return redaction.position_for(state, seat)

    def move_for(self, move: Move, by: int, seat: int | None) -> str | None:
        """The text of a move as a seat may see it, or None."""
        return redaction.move_for(move, by, seat)

    def changes_for(self, changes: Mapping[str, Any], seat: int | None) -> dict[str, Any]:
        """A correction as a seat may see it."""
        return redaction.changes_for(changes, seat)

    def derived(self, state: State) -> dict[str, Any]:
        """Which plots are irrigated and what the supply holds, zeros too."""
        left = state.garden.land.left
        return {
            "irrigated": [str(at) for at in sorted(state.garden.water.irrigated)],
            "supply": {
                "channels": state.channels_left(),
                "chips": dict(zip(map(str, IMPROVEMENTS), state.chips_left(), strict=True)),
                "plots": {kind_name(kind): left[kind] for kind in state.rules.plots},
            },
        }

    def layout(self, setup: Setup) -> Layout:
        """What may lie where on the table."""
        return layout.layout(rules_for(setup.ruleset, setup.options, setup.edition))


TAKENOKO = TakenokoTitle()
