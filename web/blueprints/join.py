"""Joining: the QR code, free seats, and a seat's code that brings it back or hands it over."""

from __future__ import annotations

from io import BytesIO

import segno
from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.errors import BadInputError
from companion.services.ports import Message
from companion.services.seating import SeatTakenError
from web.context import evening
from web.lan import address_for_phones
from web.seats import device_or_new, my_seats, remember, running, seating
from web.security import host_only, limiter
from web.texts import _

blueprint = Blueprint("join", __name__, url_prefix="/join")

CODE_ATTEMPTS = "10 per minute; 60 per hour"
"""Wrong seat codes that one address may try."""


@blueprint.get("")
def page() -> ResponseReturnValue:
    """Choose a seat; `?code=` fills in a seat's code from a QR code."""
    return _page()


def _page(problem: str = "", status: int = 200) -> ResponseReturnValue:
    mine = my_seats()
    seats = []
    if evening().session is not None:
        name, snapshot = running()
        kept = seating().of(name, len(snapshot.game.header.seats)).seats
        seats = [
            {"number": seat, "name": who, "free": kept[seat].device is None, "mine": seat in mine}
            for seat, who in enumerate(snapshot.game.header.seats)
        ]
    code = request.values.get("code", "")[:12]
    return render_template("join/join.html", seats=seats, code=code, problem=problem), status


@blueprint.post("/seat")
def take() -> ResponseReturnValue:
    """Sit this device down on a free `seat`."""
    name, snapshot = running()
    text = request.form.get("seat", "")
    token = device_or_new()
    try:
        seat = int(text) if text.isdecimal() and len(text) < 3 else -1
        seating().take(name, len(snapshot.game.header.seats), seat, token)
    except SeatTakenError:
        return _page(_("Another device holds this seat. Its code brings it here."), 409)
    return _seated(seat, token)


@blueprint.post("/code")
@limiter.limit(CODE_ATTEMPTS, deduct_when=lambda response: response.status_code == 400)
def take_over() -> ResponseReturnValue:
    """Take a seat over with its `code`."""
    name, snapshot = running()
    token = device_or_new()
    try:
        seat = seating().take_over(name, len(snapshot.game.header.seats), request.form.get("code", "")[:12], token)
    except BadInputError:
        return _page(_("No seat has this code."), 400)
    return _seated(seat, token)


def _seated(seat: int, token: str) -> ResponseReturnValue:
    response = redirect(url_for("seat.show", seat=seat), code=303)
    assert isinstance(response, Response)
    remember(response, token)
    return response


@blueprint.post("/free")
@host_only
def free() -> ResponseReturnValue:
    """The host frees a `seat` whose phone is gone; everybody at the table is told."""
    name, snapshot = running()
    names = snapshot.game.header.seats
    text = request.form.get("seat", "")
    seat = int(text) if text.isdecimal() and len(text) < 3 else -1
    seating().free(name, len(names), seat)
    evening().say(Message("log.freed", {"who": names[seat]}))
    return redirect(url_for("join.page"), code=303)


@blueprint.get("/qr.svg")
def qr() -> Response:
    """The address of this page as a QR code."""
    return qr_picture(address_for_phones(url_for("join.page")))


def qr_picture(text: str) -> Response:
    """A QR code as SVG, dark on white whatever the theme: cameras want it so."""
    out = BytesIO()
    segno.make(text, error="m", micro=False).save(out, kind="svg", scale=8, border=3, light="#ffffff", dark="#10201a")
    return Response(out.getvalue(), mimetype="image/svg+xml")
