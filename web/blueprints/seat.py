"""A seat's own page, for the device that holds it: cards, hints, one-tap entries, and its stream of news."""

from __future__ import annotations

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    jsonify,
    redirect,
    render_template,
    request,
    stream_with_context,
    url_for,
)
from flask.typing import ResponseReturnValue

from companion.errors import BadInputError, StaleCommandError
from companion.games.takenoko.moves import Draw, Stop
from companion.games.takenoko.notation import parse_move
from companion.services.hub import HubFullError, Topic
from web.blueprints.cards import picture
from web.blueprints.join import qr_picture
from web.conflicts import kept_secret
from web.context import command, evening, field, optional, view_cache
from web.errors import answer
from web.i18n import language
from web.lan import address_for_phones
from web.present.seat import card_choices, gone_view, own_view, picture_key
from web.present.table import note_view
from web.seats import device, my_seats, need_seat, running, seating
from web.security import settings
from web.streams import event_stream
from web.texts import N_, _

blueprint = Blueprint("seat", __name__, url_prefix="/seat")


@blueprint.get("")
def mine() -> ResponseReturnValue:
    """The page of the first seat that this device holds, or the way to one."""
    held = my_seats()
    return redirect(url_for("seat.show", seat=held[0]) if held else url_for("join.page"), code=303)


@blueprint.get("/<int:seat>")
def show(seat: int) -> ResponseReturnValue:
    """The page; a device that does not hold the seat is sent to choose one."""
    held = my_seats()
    if seat not in held:
        return redirect(url_for("join.page"), code=303)
    _name, snapshot = running()
    names = snapshot.game.header.seats
    return render_template(
        "seat/seat.html",
        view=_view(seat),
        seat=seat,
        held=[(each, names[each]) for each in held],
        choices=card_choices(snapshot),
        edition=snapshot.game.state.rules.edition.name,
    )


@blueprint.get("/<int:seat>/view.json")
def view(seat: int) -> ResponseReturnValue:
    """The seat's view as JSON."""
    need_seat(seat)
    return jsonify(_view(seat))


def _view(seat: int) -> dict[str, object]:
    """The view as this device may have it now: it may have lost the seat while it listened."""
    if seat not in my_seats():
        return gone_view()
    name, snapshot = running()
    seats = seating().of(name, len(snapshot.game.header.seats))
    salt = current_app.secret_key
    assert isinstance(salt, bytes)
    shown = own_view(snapshot, seat, seats.seats[seat], dealt=seats.dealt, salt=salt, checks=evening().checks)
    return {**shown, "note": note_view(evening())}


@blueprint.get("/<int:seat>/stream")
def stream(seat: int) -> ResponseReturnValue:
    """Server-sent events of the seat."""
    need_seat(seat)
    here, code, token = evening(), language(), device()

    def make(revision: int) -> str:
        # Who lost the seat meanwhile gets nothing that was made for its new holder.
        key = ("seat", str(seat), here.name or "", code, token or "", str(seat in my_seats()))
        return view_cache().text(key, revision, lambda: _view(seat))

    try:
        text = event_stream(here.hub, {Topic.TABLE: make}, request.headers.get("Last-Event-ID"), settings().heartbeat_s)
    except HubFullError:
        return answer(503, _("Not now: too many pages are open, or the disk refuses."))
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(stream_with_context(text), mimetype="text/event-stream", headers=headers)


@blueprint.get("/<int:seat>/hand/<int:index>.svg")
def hand_picture(seat: int, index: int) -> Response:
    """The face of a card in the hand; the address does not say which card it is, so that no log does."""
    need_seat(seat)
    _name, snapshot = running()
    hand = snapshot.game.state.seats[seat].hand
    salt = current_app.secret_key
    assert isinstance(salt, bytes)
    if index >= len(hand) or request.args.get("v") != picture_key(salt, seat, index, hand[index]):
        abort(404)
    return picture(snapshot.game.state.rules.edition.cards[hand[index]])


@blueprint.get("/<int:seat>/code.svg")
def code_picture(seat: int) -> Response:
    """The seat's code as a QR code, for the phone that takes it over."""
    kept = need_seat(seat)
    return qr_picture(address_for_phones(url_for("join.page", code=kept.code)))


@blueprint.post("/<int:seat>/moves")
def tell(seat: int) -> ResponseReturnValue:
    """Tell what this seat did: `do` in notation or `roll` for the digital die, `version`."""
    need_seat(seat)
    data = command()
    text, version = field(data, "do", str), optional(data, "version", int)
    here = evening()
    if text == "roll":
        if here.need_session().snapshot().seat != seat:
            raise StaleCommandError("it is another player's turn")
        here.roll_digital(by="phone", version=version)
        return _done()
    move = parse_move(text)
    if isinstance(move, Stop):
        raise BadInputError(N_("the game is stopped on the table page, when all agree"))
    name, snapshot = running()
    if isinstance(move, Draw) and move.card is not None and seating().of(name, len(snapshot.game.header.seats)).dealt:
        raise BadInputError(N_("the companion deals the cards of this game"))
    with kept_secret(snapshot, seat, move):
        here.tell(move, seat=seat, by="phone", version=version)
    return _done()


@blueprint.post("/<int:seat>/undo")
def undo(seat: int) -> ResponseReturnValue:
    """Take back the newest thing, if it is this seat's own: `version`."""
    need_seat(seat)
    data = command()
    shown = _view(seat)
    if shown["undo"] is None:
        raise StaleCommandError("the newest thing is not yours to take back")
    version = optional(data, "version", int)
    session = evening().need_session()
    session.undo_last(by="phone", version=session.snapshot().version if version is None else version)
    return _done()


@blueprint.post("/<int:seat>/wish")
def wish(seat: int) -> ResponseReturnValue:
    """What the seat wants: `auto_claim`, `shown`."""
    need_seat(seat)
    data = command()
    name, snapshot = running()
    seating().wish(
        name,
        len(snapshot.game.header.seats),
        seat,
        device() or "",
        auto_claim=optional(data, "auto_claim", bool),
        shown=optional(data, "shown", bool),
    )
    return _done()


@blueprint.post("/<int:seat>/leave")
def leave(seat: int) -> ResponseReturnValue:
    """Let go of the seat."""
    need_seat(seat)
    name, snapshot = running()
    seating().leave(name, len(snapshot.game.header.seats), seat, device() or "")
    return redirect(url_for("join.page"), code=303)


def _done() -> ResponseReturnValue:
    return jsonify({"version": evening().need_session().snapshot().version})
