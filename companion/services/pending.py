"""What was told before the moves that it rests on are known, and the turn's open question: a small journal.

It stands beside the record. Lines: a header `{"pending":1,"ops":N,"asked":K}` (how many operations and questions came
before this file), then one operation a line: `{"told":{...}}`, `{"settled":[ids]}` (in the record now, or taken back),
`{"question":{...}}`, `{"question":null}`. The count of operations only grows, also over a restart: it is part of the
version that commands carry. The count of questions is for the night's numbers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.errors import BadInputError, MalformedError
from companion.games.takenoko.moves import Move
from companion.games.takenoko.notation import format_move, parse_move
from companion.record import Correct, Do, Event
from companion.services.ports import Message

HEADER = "pending"


@dataclass(frozen=True, slots=True)
class Told:
    """Something a person said by button, phone or page, not yet in its place in the record."""

    id: str
    seat: int
    move: Move
    by: str
    at: str
    """UTC, ISO 8601."""

    def to_json(self) -> dict[str, Any]:
        """The journal's form."""
        return {"id": self.id, "seat": self.seat, "do": format_move(self.move), "by": self.by, "at": self.at}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Told:
        """Read the journal's form."""
        return cls(data["id"], int(data["seat"]), parse_move(data["do"]), data["by"], data["at"])


@dataclass(frozen=True, slots=True)
class Step:
    """One move of a choice, with the told thing that it is, if it is one."""

    seat: int
    move: Move
    told: str | None = None


@dataclass(frozen=True, slots=True)
class Fix:
    """A fact of the record that is set right on the way, keyed as in a record's `correct`."""

    changes: Mapping[str, Any]
    reason: str


Line = Step | Fix
"""What goes into the record, in its order."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a question: what would be written."""

    lines: tuple[Line, ...]
    p: float

    def events(self) -> tuple[Event, ...]:
        """The lines as events, without who and when: for a look at what they would lead to."""
        return tuple(
            Correct.of(line.changes, line.reason) if isinstance(line, Fix) else Do(line.seat, line.move)
            for line in self.lines
        )

    def to_json(self) -> dict[str, Any]:
        """The journal's form."""
        return {"p": self.p, "steps": [_line_to_json(line) for line in self.lines]}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Choice:
        """Read the journal's form."""
        return cls(tuple(_line_from_json(line) for line in data["steps"]), float(data["p"]))


def _line_to_json(line: Line) -> Any:  # noqa: ANN401 (a step is a list, a fix a table)
    if isinstance(line, Fix):
        return {"correct": dict(line.changes), "reason": line.reason}
    return [line.seat, format_move(line.move), line.told]


def _line_from_json(data: Any) -> Line:  # noqa: ANN401 (as above)
    if isinstance(data, dict):
        return Fix(data["correct"], data["reason"])
    seat, do, told = data
    return Step(int(seat), parse_move(do), told)


@dataclass(frozen=True, slots=True)
class Question:
    """What the companion must ask: which of these happened?"""

    id: str
    lines: int
    """Length of the record when it was asked; a question about another position is void."""
    text: Message
    choices: tuple[Choice, ...]

    def to_json(self) -> dict[str, Any]:
        """The journal's form."""
        return {
            "id": self.id,
            "lines": self.lines,
            "text": {"id": self.text.id, "params": dict(self.text.params)},
            "choices": [choice.to_json() for choice in self.choices],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Question:
        """Read the journal's form."""
        return cls(
            data["id"],
            int(data["lines"]),
            Message(data["text"]["id"], data["text"]["params"]),
            tuple(Choice.from_json(choice) for choice in data["choices"]),
        )


@dataclass(frozen=True, slots=True)
class Pending:
    """The fold of the pending journal."""

    told: tuple[Told, ...] = ()
    question: Question | None = None
    ops: int = 0
    asked: int = 0
    """Questions so far."""

    def after(self, operation: dict[str, Any]) -> Pending:
        """The value one operation later.

        Raises:
            BadInputError: for an operation that cannot be read.
        """
        try:
            if "told" in operation:
                return replace(self, told=(*self.told, Told.from_json(operation["told"])), ops=self.ops + 1)
            if "settled" in operation:
                gone = set(operation["settled"])
                return replace(self, told=tuple(t for t in self.told if t.id not in gone), ops=self.ops + 1)
            if "question" in operation:
                question = None if operation["question"] is None else Question.from_json(operation["question"])
                asked = self.asked + (question is not None)
                return replace(self, question=question, ops=self.ops + 1, asked=asked)
        except (KeyError, TypeError, ValueError, MalformedError) as error:
            raise BadInputError(f"pending journal: cannot read {json.dumps(operation)[:80]}: {error}") from error
        raise BadInputError(f"pending journal: unknown operation {json.dumps(operation)[:80]}")

    def lines(self) -> list[str]:
        """This value as a fresh journal, with nothing in it that is settled."""
        operations: list[dict[str, Any]] = [{"told": told.to_json()} for told in self.told]
        if self.question is not None:
            operations.append({"question": self.question.to_json()})
        asked = self.asked - (self.question is not None)
        header = {HEADER: 1, "ops": self.ops - len(operations), "asked": asked}
        return [line_of(header), *(line_of(operation) for operation in operations)]


def line_of(operation: dict[str, Any]) -> str:
    """One line of the journal, with its end."""
    return json.dumps(operation, ensure_ascii=False, separators=(",", ":")) + "\n"


def read_pending(text: str) -> tuple[Pending, bool]:
    """Fold a journal's text; a torn last line is dropped, for it was never acknowledged.

    Returns:
        The value, and whether something was dropped.

    Raises:
        BadInputError: for a line in the middle that cannot be read.
    """
    lines = text.split("\n")
    torn = lines.pop() != ""
    if not lines:
        return Pending(), torn
    value = Pending()
    for number, line in enumerate(lines, 1):
        try:
            data = json.loads(line)
            if not isinstance(data, dict):
                raise ValueError("not an object")
        except ValueError as error:
            raise BadInputError(f"pending journal, line {number}: {error}") from error
        value = _counts(data) if number == 1 and HEADER in data else value.after(data)
    return value, torn


def _counts(header: Mapping[str, Any]) -> Pending:
    return Pending(ops=int(header.get("ops", 0)), asked=int(header.get("asked", 0)))


def unsettled(pending: Pending, recorded: Iterable[str | None], lines: int) -> tuple[Pending, Sequence[dict[str, Any]]]:
    """Drop what a power cut between the two journals left: told things that the record holds, a void question.

    Args:
        pending: as read.
        recorded: the ids of all events in the record.
        lines: the record's length.

    Returns:
        The value without them, and the operations that say so.
    """
    ids = {event_id for event_id in recorded if event_id is not None}
    operations: list[dict[str, Any]] = []
    done = [told.id for told in pending.told if told.id in ids]
    if done:
        operations.append({"settled": done})
    if pending.question is not None and pending.question.lines != lines:
        operations.append({"question": None})
    for operation in operations:
        pending = pending.after(operation)
    return pending, operations
