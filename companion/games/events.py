"""What stands on a line of a record after its header; undo and corrections are events too."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

SOURCES = ("camera", "button", "browser", "phone", "host", "simulated", "import")
"""Who can have told an event."""


@dataclass(frozen=True, slots=True)
class Do:
    """A seat makes a move."""

    seat: int
    move: Any
    """The title's own value of a move."""
    at: str | None = None
    """UTC, ISO 8601."""
    by: str | None = None
    """One of `SOURCES`."""
    p: float | None = None
    """Posterior, 0 to 1, where a camera told it."""
    id: str | None = None


@dataclass(frozen=True, slots=True)
class UndoTo:
    """The state after a physical line counts again; the header is line 1."""

    line: int
    at: str | None = None
    by: str | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Correct:
    """Facts are set right outside the rules; shown to the players, never silent."""

    text: str
    """The facts as canonical JSON, so that the value is frozen all the way down; see `of` and `changes`."""
    reason: str | None = None
    at: str | None = None
    by: str | None = None
    id: str | None = None

    @classmethod
    def of(
        cls,
        changes: Mapping[str, Any],
        reason: str | None = None,
        at: str | None = None,
        by: str | None = None,
        id: str | None = None,
    ) -> Correct:
        """The correction that sets these facts, keyed as in formats, section 2."""
        return cls(json.dumps(changes, ensure_ascii=False), reason, at, by, id)

    @property
    def changes(self) -> dict[str, Any]:
        """The facts, decoded anew each time."""
        facts: dict[str, Any] = json.loads(self.text)
        return facts


Event = Do | UndoTo | Correct
