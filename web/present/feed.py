"""The public feed: what everyone at the table may know, as plain JSON in the words of the public notation."""

from __future__ import annotations

from typing import Any

from companion.games.takenoko.views import public_view
from companion.services.evening import Evening

VERSION = 1
NEWEST = 20
"""Events in one state; the record has all."""


def feed_state(evening: Evening) -> dict[str, Any]:
    """The running game for other people's projects; documented in `openapi.json`."""
    session = evening.session
    state: dict[str, Any] = {"feed": VERSION, "lamp": evening.lamp().value, "running": session is not None}
    if session is None:
        return state
    snapshot = session.snapshot()
    facts = public_view(snapshot.game)
    shown = ("game", "position", "irrigated", "met", "scores", "winners")
    asked = snapshot.pending.question is not None
    return {
        **state,
        "name": evening.name,
        "version": facts["version"],
        "turn_of": snapshot.seat,
        "asked": asked,
        "mismatches": [{"kind": each.kind, "at": each.at, "rule": each.rule} for each in snapshot.sight.mismatches],
        **{key: facts[key] for key in shown},
        "events": facts["history"][-NEWEST:],
    }
