"""What is sent to a screen: the whole game as one seat, or the table, may see it. Nothing else ever is.

A view is rebuilt from the record and redacted throughout: positions, history (what was undone included), corrections,
what is met and what is legal. It changes in nothing when another seat's secrets change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Protocol, assert_never

from companion.games.events import Correct, Do, Event, UndoTo
from companion.games.takenoko.legality import legal_moves
from companion.games.takenoko.moves import Claim, Discard
from companion.games.takenoko.notation import format_move
from companion.games.takenoko.objectives import can_claim, met, payable
from companion.games.takenoko.redaction import changes_for, move_for, position_for
from companion.games.takenoko.scoring import scores, winners
from companion.games.takenoko.state import State


class PlayedHeader(Protocol):
    """What a view reads of a header: nothing of the hands."""

    @property
    def seats(self) -> Sequence[str]:
        """Names, clockwise."""
        ...

    @property
    def ruleset(self) -> str:
        """The name of the ruleset."""
        ...

    @property
    def options(self) -> Mapping[str, bool]:
        """Options switched over it."""
        ...

    @property
    def edition(self) -> str:
        """Which box."""
        ...

    @property
    def first(self) -> int:
        """The seat that began."""
        ...


class Played(Protocol):
    """A game as the record holds it."""

    @property
    def header(self) -> PlayedHeader:
        """How it started."""
        ...

    @property
    def lines(self) -> Sequence[Event | None]:
        """From line 2 on; None for a blank line."""
        ...

    @property
    def state(self) -> State:
        """The position now."""
        ...

    @property
    def version(self) -> int:
        """The number of physical lines."""
        ...

    def standing(self) -> Sequence[tuple[int, Event]]:
        """The events that count now, with their lines."""
        ...


def public_view(game: Played) -> dict[str, Any]:
    """The game as everybody at the table may see it."""
    return _view(game, None)


def seat_view(game: Played, seat: int) -> dict[str, Any]:
    """The game as one seat may see it: the public view, its own cards, and which of them it could claim now."""
    view = _view(game, seat)
    player = game.state.seats[seat]
    cards = game.state.rules.edition.cards
    view["own"] = {
        "hand": [
            {
                "card": card,
                "deck": cards[card].deck.value,
                "points": cards[card].points,
                "met": can_claim(game.state, player, cards[card]),
            }
            for card in player.hand
        ],
        "hidden": sum(player.hidden),
    }
    return view


def _view(game: Played, seat: int | None) -> dict[str, Any]:
    state, header = game.state, game.header
    standing = {line for line, _ in game.standing()}
    turn = state.turn
    return {
        "seat": seat,
        "version": game.version,
        "game": {
            "seats": list(header.seats),
            "ruleset": header.ruleset,
            "options": asdict(state.rules.options),
            "edition": header.edition,
            "first": header.first,
        },
        "position": position_for(state, seat),
        "irrigated": [str(at) for at in sorted(state.garden.water.irrigated)],
        "met": list(met(state)),
        "payable": [list(payable(state, index)) for index in range(len(state.seats))],
        "scores": [{**asdict(score), "total": score.total} for score in scores(state)],
        "winners": list(winners(state)),
        "legal": [
            format_move(move)
            for move in legal_moves(state)
            # What could be claimed or must be discarded speaks of cards in the hand.
            if not isinstance(move, Claim | Discard) or (turn is not None and turn.seat == seat)
        ],
        "history": [
            {**facts, "line": line, "stands": line in standing or isinstance(event, UndoTo)}
            for line, event in enumerate(game.lines, start=2)
            if event is not None and (facts := _entry(event, seat)) is not None
        ],
    }


def _entry(event: Event, seat: int | None) -> dict[str, Any] | None:
    match event:
        case Do():
            text = move_for(event.move, event.seat, seat)
            if text is None:
                return None
            facts: dict[str, Any] = {"seat": event.seat, "do": text}
        case UndoTo():
            facts = {"undo_to": event.line}
        case Correct():
            facts = {"correct": changes_for(event.changes, seat), "reason": event.reason}
        case _:
            assert_never(event)
    return facts | {"at": event.at, "by": event.by}
