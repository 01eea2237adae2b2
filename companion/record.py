"""A whole game as a value: a header, events, and the position after every line; and how it is written and read.

The record is the truth and positions are a fold over it: a refused event never enters, undo and corrections append.
The writer is strict: it writes one canonical line. The reader is lenient in these ways only: keys may stand in any
order and optional ones may be absent, blank lines (which count as lines) and a byte-order mark are passed over, and a
last line that a power cut tore is reported and dropped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, assert_never

from companion.errors import BadInputError, IllegalMoveError, ImpossiblePositionError, RecordError
from companion.games.events import SOURCES, Correct, Do, Event, UndoTo
from companion.games.takenoko.state import State
from companion.games.title import DEFAULT_EDITION, Setup, Title
from companion.games.titles import title_named

__all__ = [
    "Correct",
    "Do",
    "Event",
    "Fault",
    "Game",
    "Header",
    "ReadResult",
    "UndoTo",
    "parse_event",
    "parse_header",
    "read_record",
    "read_text",
    "write_header",
    "write_line",
]  # fmt: skip

VERSION = 1
MOST_BYTES = 16_000_000
MOST_LINES = 50_000
"""A long game has about five hundred lines; what is far beyond is no record of a game."""
LONGEST_TEXT = 500
"""Characters of an id, a reason or a time."""
DEEPEST = 12
"""Objects and lists in each other on one line; a position in a header has five."""
LONGEST_MESSAGE = 2000
"""Characters of the reasons why something is refused."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Header:
    """Line 1: how the game starts."""

    seats: tuple[str, ...]
    ruleset: str = "classic"
    options: Mapping[str, bool] = field(default_factory=lambda: MappingProxyType({}))
    first: int = 0
    hands: tuple[tuple[str, ...] | None, ...] | None = None
    position: Mapping[str, Any] | None = None
    """Decoded JSON; excludes `hands`."""
    edition: str = DEFAULT_EDITION
    id: str | None = None
    at: str | None = None
    game: str = "takenoko"

    @property
    def title(self) -> Title[Any, Any]:
        """The title that is played."""
        return title_named(self.game)

    @property
    def setup(self) -> Setup:
        """The same as the title wants it."""
        return Setup(self.seats, self.ruleset, self.options, self.edition, self.first, self.hands, self.position)


@dataclass(frozen=True, slots=True)
class Game:
    """A header, the events after it, and the position after every physical line."""

    header: Header
    lines: tuple[Event | None, ...]
    """From line 2 on; None for a blank line."""
    states: tuple[State, ...]
    """`states[n - 1]` is the position after line n."""

    @classmethod
    def start(cls, header: Header) -> Game:
        """The game before its first event.

        Raises:
            RecordError: with the rule `position`, if no game can start so.
        """
        return cls(header, (), (_starting_state(header),))

    @property
    def state(self) -> State:
        """The position now."""
        return self.states[-1]

    @property
    def version(self) -> int:
        """The number of physical lines, the header included."""
        return len(self.states)

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, those that were undone too."""
        return tuple(event for event in self.lines if event is not None)

    def append(self, event: Event) -> Game:
        """The game with one more event; this value stays as it is.

        Raises:
            IllegalMoveError: with the id of the rule that a move breaks.
            RecordError: with the rule `format` or `position`, for any other event that is refused.
        """
        state = _state_after(self.header.title, self.states, event)
        return Game(self.header, (*self.lines, event), (*self.states, state))

    def line_state(self, line: int) -> State:
        """The position after a physical line; the header is line 1."""
        return self.states[line - 1]

    def standing(self) -> tuple[tuple[int, Event], ...]:
        """The events that count now, with their physical lines: without what was undone and the undoing itself."""
        kept: list[tuple[int, Event]] = []
        line = self.version
        while line > 1:
            event = self.lines[line - 2]
            if isinstance(event, UndoTo):
                line = event.line
                continue
            if event is not None:
                kept.append((line, event))
            line -= 1
        return tuple(reversed(kept))


def _starting_state(header: Header) -> State:
    try:
        if header.hands is not None and header.position is not None:
            raise BadInputError("hands and position exclude each other: a position holds the hands")
        state: State = header.title.start(header.setup)
    except BadInputError as error:
        raise RecordError("position", _cut(str(error))) from None
    return state


def _cut(message: str) -> str:
    """Every reason, as far as someone would read on."""
    return message if len(message) <= LONGEST_MESSAGE else f"{message[:LONGEST_MESSAGE]}... and more"


def _state_after(title: Title[Any, Any], states: tuple[State, ...] | list[State], event: Event) -> State:
    state = states[-1]
    after: State
    match event:
        case Do(seat, move):
            if not 0 <= seat < len(state.seats):
                raise RecordError("format", f"no seat {seat}: there are the seats 0 to {len(state.seats) - 1}")
            after = title.apply(state, move, seat)
        case UndoTo(line):
            if not 1 <= line <= len(states):
                raise RecordError("format", f"undo_to {line}: lines 1 to {len(states)} stand before this one")
            after = states[line - 1]
        case Correct():
            try:
                after = title.corrected(state, event.changes)
            except ImpossiblePositionError as error:
                raise RecordError("position", _cut(str(error))) from None
        case _:
            assert_never(event)
    return after


# Writing


def write_header(header: Header) -> str:
    """Line 1, with its line end; what may be absent and says nothing is left out.

    Raises:
        RecordError: if it would not be read back as the same header.
    """
    facts: dict[str, Any] = {"record": VERSION, "game": header.game, "ruleset": header.ruleset}
    if header.options:
        facts["options"] = dict(header.options)
    facts |= {"seats": list(header.seats), "first": header.first}
    if header.hands is not None:
        facts["hands"] = [None if hand is None else list(hand) for hand in header.hands]
    if header.position is not None:
        facts["position"] = dict(header.position)
    if header.edition != DEFAULT_EDITION:
        facts["edition"] = header.edition
    facts |= {key: value for key, value in (("id", header.id), ("at", header.at)) if value is not None}
    return _checked(facts, header, parse_header)


def write_line(event: Event) -> str:
    """One event as one line, with its line end.

    Raises:
        RecordError: if it would not be read back as the same event.

    >>> from companion.games.takenoko.moves import End
    >>> write_line(Do(0, End())).rstrip()
    '{"seat":0,"do":"end"}'
    """
    facts: dict[str, Any]
    match event:
        case Do():
            facts = {"seat": event.seat, "do": title_named("takenoko").format_move(event.move)}
            also = {"at": event.at, "by": event.by, "p": event.p, "id": event.id}
        case UndoTo():
            facts = {"undo_to": event.line}
            also = {"at": event.at, "by": event.by, "id": event.id}
        case Correct():
            facts = {"correct": event.changes}
            also = {"reason": event.reason, "at": event.at, "by": event.by, "id": event.id}
        case _:
            assert_never(event)
    facts |= {key: value for key, value in also.items() if value is not None}
    return _checked(facts, event, parse_event)


def _checked(facts: Mapping[str, Any], value: _T, parse: Callable[[bytes], _T]) -> str:
    """The line, after it was read back: a strict writer writes nothing that says something else."""
    try:
        line = json.dumps(facts, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        same = parse(line.encode("utf-8")) == value
    except (TypeError, ValueError, RecursionError) as error:  # what JSON or UTF-8 cannot say; RecordError is one
        raise RecordError("format", f"this cannot be written: {error}") from None
    if not same:
        raise RecordError("format", f"this would be read back as something else: {line[:80]}")
    return line + "\n"


# Reading


def _decoded(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line.decode("utf-8"), parse_constant=_no_constant, object_pairs_hook=_no_duplicates)
        line_again = json.dumps(value, ensure_ascii=False) if b"\\u" in line else ""
        line_again.encode("utf-8")  # half a surrogate pair can be escaped in JSON but stands for no text
    except RecursionError:
        raise RecordError("format", "the line is nested too deeply") from None
    except UnicodeError:
        raise RecordError("format", "not UTF-8 text") from None
    except ValueError as error:
        raise RecordError("format", f"not JSON: {str(error)[:120]}") from None
    if not isinstance(value, dict):
        raise RecordError("format", f"expected a JSON object, not {type(value).__name__}")
    if _is_deeper(value, DEEPEST):
        raise RecordError("format", "the line is nested too deeply")
    return value


def _is_deeper(value: object, levels: int) -> bool:
    """Whether objects and lists stand in each other more often than this; asked level by level, not by recursion."""
    layer = [value]
    for _ in range(levels + 1):
        inner: list[object] = []
        for thing in layer:
            if isinstance(thing, dict):
                inner += thing.values()
            elif isinstance(thing, list):
                inner += thing
        if not inner:
            return False
        layer = inner
    return True


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


_TYPE_NAMES = {str: "a text", int: "a whole number", bool: "true or false", dict: "an object", list: "a list"}


def _take(facts: dict[str, Any], key: str, kind: type[_T], otherwise: _T | None = None) -> _T:
    """The value of a key, taken out of the facts; without `otherwise` it must be there."""
    if key not in facts and otherwise is not None:
        return otherwise
    value = facts.pop(key, None)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise RecordError("format", f"`{key}` must be {_TYPE_NAMES[kind]}, not {_json_name(value)}")
    if isinstance(value, int) and abs(value) > MOST_LINES:
        raise RecordError("format", f"`{key}` is a number that no record holds")
    return value


def _json_name(value: object) -> str:
    names = {type(None): "absent or null", bool: "true or false", float: "a number with a point", **_TYPE_NAMES}
    return names[type(value)]


def _optional_text(facts: dict[str, Any], key: str) -> str | None:
    if facts.get(key) is None:
        facts.pop(key, None)
        return None
    text = _take(facts, key, str)
    if len(text) > LONGEST_TEXT:
        raise RecordError("format", f"`{key}` has {len(text)} characters, at most {LONGEST_TEXT} are read")
    return text


def _time(facts: dict[str, Any]) -> str | None:
    text = _optional_text(facts, "at")
    if text is not None:
        try:
            datetime.fromisoformat(text)
        except ValueError:
            raise RecordError("format", f"`at` is no ISO 8601 time: {text[:40]!r}") from None
    return text


def _source(facts: dict[str, Any]) -> str | None:
    text = _optional_text(facts, "by")
    if text is not None and text not in SOURCES:
        raise RecordError("format", f"`by` must be one of {', '.join(SOURCES)}, not {text[:40]!r}")
    return text


def _posterior(facts: dict[str, Any]) -> float | None:
    p = facts.pop("p", None)
    if p is None:
        return None
    if isinstance(p, bool) or not isinstance(p, int | float) or not 0 <= p <= 1:
        raise RecordError("format", "`p` must be a number from 0 to 1")
    return float(p)


def _nothing_else(facts: dict[str, Any], known: str) -> None:
    if facts:
        raise RecordError("format", f"unknown key {next(iter(facts))[:40]!r} (known: {known})")


def parse_event(line: bytes) -> Event:
    """Read one line after the header; whether it is legal is not asked.

    Raises:
        RecordError: with the rule `format`.
    """
    facts = _decoded(line)
    event: Event
    if "do" in facts:
        text = _take(facts, "do", str)
        seat = _take(facts, "seat", int)
        try:
            move = title_named("takenoko").parse_move(text)
        except BadInputError as error:
            raise RecordError("format", str(error)) from None
        event = Do(seat, move, _time(facts), _source(facts), _posterior(facts), _optional_text(facts, "id"))
        _nothing_else(facts, "seat, do, at, by, p, id")
    elif "undo_to" in facts:
        number = _take(facts, "undo_to", int)
        event = UndoTo(number, _time(facts), _source(facts), _optional_text(facts, "id"))
        _nothing_else(facts, "undo_to, at, by, id")
    elif "correct" in facts:
        changes = _take(facts, "correct", dict)
        reason = _optional_text(facts, "reason")
        event = Correct.of(changes, reason, _time(facts), _source(facts), _optional_text(facts, "id"))
        _nothing_else(facts, "correct, reason, at, by, id")
    else:
        raise RecordError("format", "an event has one of the keys do, undo_to, correct")
    return event


def parse_header(line: bytes) -> Header:
    """Read line 1; whether a game can start so is not asked.

    Raises:
        RecordError: with the rule `format`.
    """
    facts = _decoded(line)
    version = _take(facts, "record", int)
    if version != VERSION:
        raise RecordError("format", f"record version {version}: this version reads {VERSION}")
    game = _take(facts, "game", str)
    try:
        title_named(game)
    except BadInputError as error:
        raise RecordError("format", str(error)) from None
    options = _take(facts, "options", dict, {})
    if not all(isinstance(value, bool) for value in options.values()):
        raise RecordError("format", "each of the `options` must be true or false")
    seats = _take(facts, "seats", list)
    if not all(isinstance(name, str) for name in seats):
        raise RecordError("format", "`seats` must be a list of names")
    ruleset = _take(facts, "ruleset", str, "classic")
    header = Header(
        tuple(seats),
        ruleset,
        MappingProxyType(options),
        _take(facts, "first", int, 0),
        _hands(facts.pop("hands", None)),
        None if facts.get("position") is None else MappingProxyType(_take(facts, "position", dict)),
        _optional_text(facts, "edition") or DEFAULT_EDITION,
        _optional_text(facts, "id"),
        _time(facts),
        game,
    )
    if facts.get("position", "") is None:
        del facts["position"]
    _nothing_else(facts, "record, game, ruleset, options, seats, first, hands, position, edition, id, at")
    return header


def _hands(value: object) -> tuple[tuple[str, ...] | None, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list) or not all(
        hand is None or (isinstance(hand, list) and all(isinstance(card, str) for card in hand)) for hand in value
    ):
        raise RecordError("format", "`hands` must be a list with null or a list of cards for each seat")
    return tuple(None if hand is None else tuple(hand) for hand in value)


@dataclass(frozen=True, slots=True)
class Fault:
    """The first line of a record that is refused."""

    line: int
    """Physical, the header is line 1."""
    rule: str
    message: str


@dataclass(frozen=True, slots=True)
class ReadResult:
    """What could be read of a record."""

    game: Game | None
    """Up to the first line that is refused; None if the header is."""
    fault: Fault | None
    torn: bool
    """The last line was cut off by a power cut and is not in the game."""


def read_record(path: Path) -> ReadResult:
    """Read a record file; the file stays as it is.

    Raises:
        OSError: if the file cannot be opened or read.
    """
    with path.open("rb") as file:
        return read_text(file.read(MOST_BYTES + 1))


def read_text(data: bytes) -> ReadResult:
    """Read a record from its bytes: as far as it is right, with what is wrong after that."""
    if len(data) > MOST_BYTES or data.count(b"\n") > MOST_LINES:
        message = f"no record is longer than {MOST_BYTES} bytes or {MOST_LINES} lines"
        return ReadResult(None, Fault(1, "format", message), False)
    first, *rest = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    torn = bool(rest) and is_torn(rest[-1])
    if torn or (rest and not rest[-1]):
        rest.pop()
    try:
        header = parse_header(first)
        game = Game.start(header)
    except RecordError as error:
        return ReadResult(None, Fault(1, error.rule, error.message), torn)
    lines: list[Event | None] = []
    states = [game.state]
    fault = None
    for line in rest:
        try:
            event = parse_event(line) if line.strip() else None
            states.append(states[-1] if event is None else _state_after(header.title, states, event))
        except (RecordError, IllegalMoveError) as error:
            fault = Fault(len(states) + 1, error.rule, error.message)
            break
        lines.append(event)
    return ReadResult(Game(header, tuple(lines), tuple(states)), fault, torn and fault is None)


def is_torn(tail: bytes) -> bool:
    """Whether what stands after the last line end is the beginning of a line, or what a power cut left in its place.

    >>> is_torn(b'{"seat":0,"do":"ro'), is_torn(b'{"seat":0,"do":"roll sun"}')
    (True, False)
    """
    if not tail.strip(b"\0"):
        return bool(tail)
    if not tail.startswith(b"{"):
        return False
    try:
        json.loads(tail.decode("utf-8"))
    except (ValueError, RecursionError):
        return True
    return False
