"""The log in words: what everyone at the table may read of a record's events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from companion.games.takenoko.moves import (
    ChooseWeather,
    Claim,
    Discard,
    Draw,
    End,
    Improve,
    Irrigate,
    Know,
    LayPlot,
    Move,
    MoveGardener,
    MovePanda,
    Rain,
    Roll,
    Skip,
    Stop,
    Storm,
    TakeChannel,
    TakeChip,
)
from companion.games.takenoko.notation import parse_move
from companion.record import Do, Game
from web.present.messages import say_id

SHOWN = 40
"""Rows that go down a stream; the whole log is fetched when someone wants it."""


def move_message(move: Move, who: str) -> tuple[str, dict[str, Any]] | None:
    """The catalogue's id and parameters for a move as a view shows it; None for one that the table never sees."""
    match move:
        case Roll(face):
            return "log.roll", {"who": who, "weather": face}
        case ChooseWeather(weather):
            return "log.weather", {"who": who, "weather": weather}
        case Rain(at):
            return "log.rain", {"at": at}
        case Storm(at):
            return "log.storm", {"at": at}
        case Skip():
            return "log.skip", {"who": who}
        case TakeChip(improvement, at):
            name = "log.chip_stored" if at is None else "log.chip_placed"
            return name, {"who": who, "improvement": improvement, "at": at}
        case LayPlot(colour, improvement, at, chip):
            shown = improvement or chip
            name = "log.plot" if shown is None else "log.plot_improved"
            return name, {"who": who, "plot_colour": colour, "improvement": shown, "at": at}
        case TakeChannel(edge):
            return "log.channel_stored" if edge is None else "log.channel_placed", {"who": who, "at": edge}
        case MoveGardener(to):
            return "log.gardener", {"who": who, "to": to}
        case MovePanda(to):
            return "log.panda", {"who": who, "to": to}
        case Draw(deck):
            return "log.draw", {"who": who, "deck": deck}
        case Discard():
            return "log.discard", {"who": who}
        case Irrigate(edge):
            return "log.irrigate", {"who": who, "at": edge}
        case Improve(at, improvement):
            return "log.improve", {"who": who, "at": at, "improvement": improvement}
        case Claim(card):
            return "log.claim", {"who": who, "card": card}
        case Know():
            return None
        case End():
            return "log.end", {"who": who}
        case Stop():
            return "log.stop", {}
        case _:
            assert_never(move)


def move_sentence(move: Move, who: str) -> str:
    """A move as a sentence; empty for what the table may not know."""
    found = move_message(move, who)
    return "" if found is None else say_id(*found)


def sentence_words(text: str, who: str) -> str:
    """A move in notation as everyone at the table may read it: no card of a hand is named."""
    if text.startswith("discard "):
        # A view names the deck alone, which is no move.
        return say_id("log.discard", {"who": who})
    return move_sentence(parse_move(text), who) or say_id("log.know", {"who": who})


def _entry_words(entry: Mapping[str, Any], names: Sequence[str]) -> str:
    if "undo_to" in entry:
        return say_id("log.undo", {"line": entry["undo_to"]})
    if "correct" in entry:
        return say_id("log.correct", {"reason": entry["reason"] or "–"})
    who = names[entry["seat"]]
    return sentence_words(entry["do"], who)


def log_rows(facts: Mapping[str, Any], milestones: Mapping[int, str], most: int | None = SHOWN) -> list[dict[str, Any]]:
    """The rows of the log, the newest last.

    Args:
        facts: the public view of the game.
        milestones: what else to say of some lines (the Emperor, the end).
        most: only so many of the newest; None: all.

    Returns:
        For each row `line` (physical, what undo names), `words`, `kind` (`undone`, `note` or empty) and `may_return`.
    """
    names, version = facts["game"]["seats"], facts["version"]
    history = facts["history"] if most is None else facts["history"][-most:]
    rows = [{"line": 1, "words": say_id("log.start", {"who": ", ".join(names)}), "kind": "", "may_return": version > 1}]
    if len(history) < len(facts["history"]):
        rows = []
    for entry in history:
        line, stands = entry["line"], entry["stands"]
        words = _entry_words(entry, names)
        if stands and line in milestones:
            words = f"{words} {milestones[line]}"
        is_note = "undo_to" in entry or "correct" in entry
        rows.append(
            {
                "line": line,
                "words": words,
                "kind": "note" if is_note else "" if stands else "undone",
                "may_return": stands and line < version and "undo_to" not in entry,
            }
        )
    return rows


def milestones(game: Game) -> dict[int, str]:
    """What deserves a word beside the move itself: the Emperor taken, the game over; by line."""
    found: dict[int, str] = {}
    for line, event in game.standing():
        if not isinstance(event, Do) or not isinstance(event.move, Claim | End | Stop):
            continue
        before, after = game.line_state(line - 1), game.line_state(line)
        texts = []
        if any(new.emperor and not old.emperor for old, new in zip(before.seats, after.seats, strict=True)):
            texts.append(say_id("log.emperor", {"who": game.header.seats[event.seat]}))
        if after.over and not before.over:
            texts.append(say_id("log.over", {}))
        if texts:
            found[line] = " ".join(texts)
    return found
