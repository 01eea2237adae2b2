"""For those who only watch: a read-only page, and a feed of public facts for lamps, e-paper and stream overlays."""

from __future__ import annotations

import json
from pathlib import Path

from flask import Blueprint, Response, current_app, jsonify, render_template, request, stream_with_context
from flask.typing import ResponseReturnValue

from companion.services.hub import HubFullError, Topic
from web.context import evening, view_cache
from web.errors import answer
from web.present.feed import feed_state
from web.present.table import table_view, vocabulary
from web.security import settings
from web.streams import event_stream
from web.texts import _

blueprint = Blueprint("spectate", __name__)


@blueprint.get("/watch")
def page() -> ResponseReturnValue:
    """The public view, large and without controls."""
    return render_template("spectate/watch.html", view=table_view(evening()), words=vocabulary())


@blueprint.get("/feed/state.json")
def state() -> ResponseReturnValue:
    """The public facts now."""
    return _open(jsonify(feed_state(evening())))


@blueprint.get("/feed/events")
def events() -> ResponseReturnValue:
    """The public facts, again after every change, as server-sent events."""
    here, cache = evening(), view_cache()

    def make(revision: int) -> str:
        return cache.text(("feed",), revision, lambda: feed_state(here))

    try:
        text = event_stream(here.hub, {Topic.TABLE: make}, request.headers.get("Last-Event-ID"), settings().heartbeat_s)
    except HubFullError:
        return answer(503, _("Not now: too many pages are open, or the disk refuses."))
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return _open(Response(stream_with_context(text), mimetype="text/event-stream", headers=headers))


@blueprint.get("/feed/openapi.json")
def openapi() -> ResponseReturnValue:
    """The feed's description."""
    text = (Path(current_app.root_path) / "openapi.json").read_text(encoding="utf-8")
    return _open(jsonify(json.loads(text)))


def _open(response: Response) -> Response:
    """Public facts may be read by pages from elsewhere."""
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response
