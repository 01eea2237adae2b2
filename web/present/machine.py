"""What the host sees of the machine: the panel's lamps, the camera, the simulated table."""

from __future__ import annotations

from typing import Any

from flask_babel import format_percent

from companion.services.evening import Evening
from companion.services.ports import Message
from web.present.garden import garden_view
from web.present.messages import say


def panel_view(evening: Evening) -> dict[str, Any]:
    """The lamps of the drawn panel."""
    return {} if evening.drawn is None else dict(evening.drawn.lit())


def camera_view(evening: Evening) -> dict[str, Any]:
    """The camera's state, its advice in words."""
    if evening.camera is None:
        return {}
    status = dict(evening.camera.status())
    advice = status.pop("advice", ())
    session = evening.session
    sure = session.snapshot().sight.p if session is not None else None
    status["confidence"] = None if sure is None else format_percent(sure)
    return status | {"advice": [say(Message(each["id"], each.get("params", {}))) for each in advice]}


def toy_view(evening: Evening) -> dict[str, Any]:
    """What truly lies on the simulated table."""
    if evening.toy is None:
        return {}
    look = dict(evening.toy.look())
    return look | {"garden": garden_view(look, frozenset(look["plots"]))}
