"""Devices and seats: the cookie that names a device, and what it may see."""

from __future__ import annotations

import re
import secrets
from typing import cast

from flask import Response, abort, current_app

from companion.errors import StaleCommandError
from companion.services.seating import Seating, SeatKeeping
from companion.services.session import Snapshot
from web.context import evening
from web.cookies import keep_cookie, kept_cookie

COOKIE = "device"
_TOKEN = re.compile(r"[0-9A-Za-z_-]{43}")


def seating() -> Seating:
    """The seats of this app."""
    return cast(Seating, current_app.extensions["seating"])


def device() -> str | None:
    """The token of the device that asks, if it has one."""
    token = kept_cookie(COOKIE) or ""
    return token if _TOKEN.fullmatch(token) else None


def device_or_new() -> str:
    """The token of the device that asks, or a fresh one."""
    return device() or secrets.token_urlsafe(32)


def remember(response: Response, token: str) -> None:
    """Let the device keep its token."""
    keep_cookie(response, COOKIE, token)


def running() -> tuple[str, Snapshot]:
    """The running game's name and the present moment.

    Raises:
        StaleCommandError: no game is running.
    """
    here = evening()
    session, name = here.session, here.name
    if session is None or name is None:
        raise StaleCommandError("no game is running: begin or resume one")
    return name, session.snapshot()


def my_seats() -> tuple[int, ...]:
    """The seats of the running game that this device holds; none where no game runs."""
    here = evening()
    session, name = here.session, here.name
    if session is None or name is None:
        return ()
    return seating().held_by(name, len(session.snapshot().game.state.seats), device())


def need_seat(seat: int) -> SeatKeeping:
    """What is kept of a seat that this device holds; 403 where it does not."""
    if seat not in my_seats():
        abort(403)
    name, snapshot = running()
    return seating().of(name, len(snapshot.game.state.seats)).seats[seat]
