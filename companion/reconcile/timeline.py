"""The timeline of a recorded night (formats, section 7): pictures and told lines in the order in which they came."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from companion.errors import BadInputError
from companion.games.takenoko.moves import (
    ChooseWeather,
    Claim,
    Discard,
    Draw,
    End,
    Know,
    Move,
    Roll,
    Stop,
    TakeChannel,
    TakeChip,
)
from companion.games.takenoko.notation import parse_move
from companion.reconcile.nodes import Told
from companion.record import is_torn


@dataclass(frozen=True, slots=True)
class FrameLine:
    """A picture was taken."""

    line: int
    path: str
    """Inside the night's folder, with forward slashes."""


@dataclass(frozen=True, slots=True)
class ToldLine:
    """The table was told something."""

    line: int
    told: Told


def is_told(move: Move) -> bool:
    """Whether a table is told of a move; everything else a camera sees, or (a declined effect) nobody needs to tell."""
    match move:
        case Roll() | ChooseWeather() | Draw() | Discard() | Know() | Claim() | Stop() | End():
            return True
        case TakeChannel(edge):
            return edge is None
        case TakeChip(_, at):
            return at is None
        case _:
            return False


def timeline_lines(data: bytes) -> tuple[list[str], int | None]:
    """The whole lines of a timeline's file, and the number of a last one that a power cut tore, which is left out.

    Raises:
        BadInputError: it is not UTF-8 text.
    """
    *lines, last = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    torn = is_torn(last)
    if last and not torn:
        lines.append(last)
    try:
        return [line.decode("utf-8") for line in lines], len(lines) + 1 if torn else None
    except UnicodeDecodeError as error:
        raise BadInputError(f"not UTF-8 text: {error.reason}") from None


def parse_timeline(lines: Iterable[str], name: str = "timeline.jsonl") -> Iterator[FrameLine | ToldLine]:
    """Read the lines one by one; blank ones are passed over.

    Raises:
        BadInputError: naming the line, for what cannot be read.
    """
    for number, line in enumerate(map(str.strip, lines), 1):
        if not line:
            continue
        try:
            facts = json.loads(line)
        except (ValueError, RecursionError):
            raise BadInputError(f"{name}, line {number}: not JSON: {line[:40]!r}") from None
        try:
            yield _line(number, facts)
        except BadInputError as error:
            raise BadInputError(f"{name}, line {number}: {error}") from None


def _line(number: int, facts: object) -> FrameLine | ToldLine:
    if not isinstance(facts, dict):
        raise BadInputError("expected a JSON object")
    if "frame" in facts:
        path = facts["frame"]
        if not isinstance(path, str) or not path:
            raise BadInputError("`frame` must be the path of a picture inside the night")
        parts = PurePosixPath(path)
        if parts.is_absolute() or ".." in parts.parts:
            raise BadInputError(f"`frame` must stay inside the night: {path[:60]!r}")
        return FrameLine(number, path)
    seat, text = facts.get("seat"), facts.get("do")
    if not isinstance(seat, int) or isinstance(seat, bool) or not isinstance(text, str):
        raise BadInputError("expected `frame`, or `seat` (a whole number) and `do` (a move)")
    move = parse_move(text)
    if not is_told(move):
        raise BadInputError(f"{text[:40]!r} is for the camera to see: only what it cannot see is told")
    return ToldLine(number, Told(seat, move))
