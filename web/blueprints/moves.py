"""What the host does to the running game: tell moves, take back, correct, answer; a page's version makes it safe."""

from __future__ import annotations

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from companion.errors import BadInputError
from companion.games.takenoko.pieces import Weather
from companion.games.takenoko.views import public_view
from companion.signals import Button
from web.context import command, evening, field, optional
from web.host_moves import host_move, tell_as_host
from web.present.choices import public_choices
from web.seats import running, seating
from web.security import host_only

blueprint = Blueprint("moves", __name__)

LONGEST_REASON = 200


def _done() -> ResponseReturnValue:
    session = evening().session
    return jsonify({"version": session.snapshot().version if session is not None else 0})


def _is_dealt() -> bool:
    name, snapshot = running()
    return seating().of(name, len(snapshot.game.state.seats)).dealt


@blueprint.get("/moves")
@host_only
def choices() -> ResponseReturnValue:
    """The moves that may be entered by hand, as far as everyone at the table may know them."""
    snapshot = evening().need_session().snapshot()
    return jsonify(
        {"version": snapshot.version, "moves": public_choices(public_view(snapshot.game), dealt=_is_dealt())}
    )


@blueprint.post("/moves")
@host_only
def tell() -> ResponseReturnValue:
    """Tell one move: `do` in notation, `seat` (the one whose turn it is), `version`."""
    data = command()
    move = host_move(field(data, "do", str))
    tell_as_host(move, optional(data, "seat", int), optional(data, "version", int))
    return _done()


@blueprint.post("/roll")
@host_only
def roll() -> ResponseReturnValue:
    """Roll the digital die, or name the `face` of the real one."""
    data = command()
    face, version = optional(data, "face", str), optional(data, "version", int)
    if face is None:
        evening().roll_digital(by="host", version=version)
    else:
        if face not in list(Weather):
            raise BadInputError(f"face: no weather is called {face[:20]!r}")
        evening().roll(Weather(face), by="host", version=version)
    return _done()


@blueprint.post("/told")
@host_only
def place_told() -> ResponseReturnValue:
    """Write something told early into the record now, or `drop` it: `id`, `version`."""
    data = command()
    session, told_id, version = evening().need_session(), field(data, "id", str), optional(data, "version", int)
    if optional(data, "drop", bool):
        session.drop_told(told_id, version=version)
    else:
        session.place_told(told_id, version=version)
    return _done()


@blueprint.post("/undo")
@host_only
def undo() -> ResponseReturnValue:
    """Take the newest thing back, or go back to a `line` of the record."""
    data = command()
    line, version = optional(data, "line", int), optional(data, "version", int)
    session = evening().need_session()
    if line is None:
        session.undo_last(by="host", version=version)
    else:
        session.undo_to(line, by="host", version=version)
    return _done()


@blueprint.post("/correct")
@host_only
def correct() -> ResponseReturnValue:
    """Set facts outside the rules: `changes` as in a record, `reason`, `version`."""
    data = command()
    reason = field(data, "reason", str).strip()
    if not reason or len(reason) > LONGEST_REASON:
        raise BadInputError(f"reason: say in 1 to {LONGEST_REASON} characters why")
    changes = field(data, "changes", dict)
    evening().need_session().correct(changes, reason, by="host", version=optional(data, "version", int))
    return _done()


@blueprint.post("/answer")
@host_only
def answer() -> ResponseReturnValue:
    """Answer the open question: `id`, `choice` (null: none of them), `version`."""
    data = command()
    choice, version = optional(data, "choice", int), optional(data, "version", int)
    evening().need_session().answer(field(data, "id", str), choice, by="host", version=version)
    return _done()


@blueprint.post("/check")
@host_only
def check() -> ResponseReturnValue:
    """Look at the table now, and light up what is met."""
    evening().check()
    return _done()


@blueprint.post("/probe")
@host_only
def probe() -> ResponseReturnValue:
    """Try whether the disk takes writes again."""
    evening().retry_disk()
    return _done()


@blueprint.post("/buttons/<name>")
@host_only
def press(name: str) -> ResponseReturnValue:
    """A finger on a drawn button: `down` or up."""
    if name not in list(Button):
        raise BadInputError(f"no button is called {name[:20]!r}")
    evening().push(Button(name), field(command(), "down", bool))
    return _done()
