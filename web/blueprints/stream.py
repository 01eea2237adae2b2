"""The stream of news: the table for everyone; camera, panel and simulated table for the host."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, request, stream_with_context
from flask.typing import ResponseReturnValue

from companion.services.hub import HubFullError, Topic
from web.context import evening, view_cache
from web.errors import answer
from web.i18n import language
from web.present.machine import camera_view, panel_view, toy_view
from web.present.table import table_view
from web.security import is_host, settings
from web.streams import event_stream
from web.texts import _

blueprint = Blueprint("stream", __name__)


@blueprint.get("/stream")
def stream() -> ResponseReturnValue:
    """Server-sent events; `topics` names what is wanted besides the table."""
    here = evening()
    views: dict[Topic, Callable[[], Mapping[str, Any]]] = {Topic.TABLE: lambda: table_view(here)}
    if is_host():
        wanted = request.args.get("topics", "").split(",")
        host_views: dict[Topic, Callable[[], Mapping[str, Any]]] = {
            Topic.PANEL: lambda: panel_view(here),
            Topic.CAMERA: lambda: camera_view(here),
            Topic.TOY: lambda: toy_view(here),
        }
        views |= {topic: make for topic, make in host_views.items() if topic.value in wanted}
    cache, code = view_cache(), language()

    def maker(topic: Topic, make: Callable[[], Mapping[str, Any]]) -> Callable[[int], str]:
        return lambda revision: cache.text((topic.value, code), revision, make)

    makers = {topic: maker(topic, make) for topic, make in views.items()}
    try:
        text = event_stream(here.hub, makers, request.headers.get("Last-Event-ID"), settings().heartbeat_s)
    except HubFullError:
        refused = answer(503, _("Not now: too many pages are open, or the disk refuses."))
        return refused
    # A proxy that buffers would hold the news back.
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(stream_with_context(text), mimetype="text/event-stream", headers=headers)
