"""The table page: the big screen that everyone sees."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template, url_for
from flask.typing import ResponseReturnValue

from companion.games.takenoko.views import public_view
from companion.services.hub import Topic
from web.context import evening, view_cache
from web.i18n import language
from web.lan import address_for_phones
from web.present.log import log_rows, milestones
from web.present.table import table_view, vocabulary

blueprint = Blueprint("table", __name__)


@blueprint.get("/")
def show() -> ResponseReturnValue:
    """The page, with the view as it is now."""
    address = address_for_phones(url_for("join.page"))
    return render_template("table.html", view=table_view(evening()), words=vocabulary(), phone_address=address)


@blueprint.get("/table.json")
def view() -> ResponseReturnValue:
    """What everyone may see, as JSON."""
    here = evening()
    key = (Topic.TABLE.value, language())
    text = view_cache().text(key, here.hub.revision(Topic.TABLE), lambda: table_view(here))
    return Response(text, mimetype="application/json")


@blueprint.get("/log.json")
def log() -> ResponseReturnValue:
    """All rows of the log; a page's view holds only the newest."""
    here = evening()
    session = here.session
    if session is None:
        return jsonify([])
    game = session.snapshot().game
    return jsonify(log_rows(public_view(game), milestones(game), most=None))
