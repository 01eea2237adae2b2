"""The table page: the big screen that everyone sees."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, url_for
from flask.typing import ResponseReturnValue

from companion.services.hub import Topic
from web.context import evening, view_cache
from web.i18n import language
from web.lan import address_for_phones
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
