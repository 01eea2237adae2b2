"""A record for others to keep: whole once the game is over, before that without what its reader may not know.

A redacted record is a record: it replays to the same garden, line by line (what a reader may not know at all leaves a
blank line, so that `undo_to` still counts right).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from companion.errors import StaleCommandError
from companion.games.takenoko.moves import Discard, Draw
from companion.games.takenoko.redaction import move_for, position_for
from companion.record import Correct, Do, Event, Game, Header, write_header, write_line

BLANK = "\n"


def whole_record(game: Game) -> str:
    """Every line as it was written.

    Raises:
        StaleCommandError: the game is not over yet.
    """
    if not game.state.over:
        raise StaleCommandError("the whole record is given out when the game is over")
    lines = [BLANK if event is None else write_line(event) for event in game.lines]
    return write_header(game.header) + "".join(lines)


def redacted_record(game: Game, seat: int | None) -> str:
    """The record as a seat may have it; None: as the table may."""
    return write_header(_header(game, seat)) + "".join(_lines(game, seat))


def _header(game: Game, seat: int | None) -> Header:
    header = game.header
    hands, position = header.hands, header.position
    if hands is not None:
        hands = tuple(hand if index == seat else None for index, hand in enumerate(hands))
    if position is not None:
        facts = position_for(game.line_state(1), seat)
        (facts["turn"] or {}).pop("drawn", None)
        position = facts
    return replace(header, hands=hands, position=position)


def _lines(game: Game, seat: int | None) -> Iterator[str]:
    hidden_draws = _drawn_and_put_back(game, seat)
    for line, event in enumerate(game.lines, start=2):
        if event is None or line in hidden_draws:
            yield BLANK
            continue
        shown = _shown(event, game, line, seat)
        yield BLANK if shown is None else write_line(shown)


def _drawn_and_put_back(game: Game, seat: int | None) -> set[int]:
    """Lines of others' draws that went back under the deck (T-OBJ-7), with their discards: together they do nothing.

    A discard names its card, which a reader may not know; left out alone, the draw would have cost an action.
    """
    found: set[int] = set()
    draw: int | None = None
    for line, event in enumerate(game.lines, start=2):
        if isinstance(event, Do) and event.seat != seat:
            if isinstance(event.move, Draw):
                draw = line
            elif isinstance(event.move, Discard) and draw is not None:
                found |= {draw, line}
    return found


def _shown(event: Event, game: Game, line: int, seat: int | None) -> Event | None:
    match event:
        case Do(by, move):
            if move_for(move, by, seat) is None:
                return None
            if isinstance(move, Draw) and by != seat:
                return replace(event, move=Draw(move.deck))
            return event
        case Correct():
            return Correct.of(_changes(event.changes, game, line, seat), event.reason, event.at, event.by, event.id)
        case _:
            return event


def _changes(changes: Mapping[str, Any], game: Game, line: int, seat: int | None) -> dict[str, Any]:
    """A corrected hand of another becomes the number of its cards."""
    facts = dict(changes)
    if "seats" in facts:
        after = position_for(game.line_state(line), seat)["seats"]
        facts["seats"] = [
            player
            if index == seat or not {"hand", "hidden"} & set(player)
            else {**player, "hand": [], "hidden": after[index]["hidden"]}
            for index, player in enumerate(facts["seats"])
        ]
    return facts
