"""The web app: an evening and settings in, a Flask app out."""

from __future__ import annotations

import secrets

from flask import Flask, url_for

from companion.services.evening import Evening
from companion.services.seat_helper import SeatHelper
from companion.services.seating import Seating
from web.blueprints import (
    camera,
    cards,
    games,
    health,
    host,
    join,
    moves,
    nights,
    rules,
    seat,
    spectate,
    stream,
    table,
    toy,
)
from web.cookies import init_cookies
from web.errors import init_errors
from web.i18n import init_languages
from web.present.refusals import linked
from web.seats import my_seats
from web.security import init_security, is_host
from web.settings import HOST_STAYS, WebSettings
from web.streams import ViewCache
from web.texts import _

BLUEPRINTS = (
    table.blueprint,
    stream.blueprint,
    moves.blueprint,
    games.blueprint,
    host.blueprint,
    camera.blueprint,
    toy.blueprint,
    health.blueprint,
    rules.blueprint,
    join.blueprint,
    seat.blueprint,
    cards.blueprint,
    nights.blueprint,
    spectate.blueprint,
)
"""A blueprint a resource; another page is one more line."""


def create_app(evening: Evening, settings: WebSettings) -> Flask:
    """Build the app."""
    app = Flask(__name__, static_folder="static", template_folder="templates")
    app.config.update(
        SECRET_KEY=settings.secret_key,
        TABLE_LANGUAGE=settings.language,
        MAX_CONTENT_LENGTH=settings.upload_max_bytes,
        MAX_FORM_MEMORY_SIZE=256 * 1024,
        SESSION_COOKIE_NAME="companion",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=HOST_STAYS,
        WTF_CSRF_TIME_LIMIT=None,  # a table page stays open all evening
        TEMPLATES_AUTO_RELOAD=False,
    )
    app.jinja_env.trim_blocks = True
    # The order of faces and verbs means something.
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.jinja_env.policies["json.dumps_kwargs"] = {"sort_keys": False}
    app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters["linked"] = linked
    app.extensions["evening"] = evening
    app.extensions["web_settings"] = settings
    app.extensions["view_cache"] = ViewCache()
    seating = Seating(evening.library, secrets.choice, evening.changed)
    app.extensions["seating"] = seating
    evening.seat_helper = SeatHelper(seating, secrets.choice)
    init_cookies(app)
    init_security(app)
    init_languages(app)
    init_errors(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)

    @app.context_processor
    def page() -> dict[str, object]:
        host_here = is_host()
        return {"is_host": host_here, "pages": _pages(evening, host_here, my_seats())}

    return app


def _pages(evening: Evening, host_here: bool, held: tuple[int, ...]) -> list[dict[str, str]]:
    """The way to every page that this device may open."""
    pages = [(url_for("table.show"), _("Table"))]
    pages.append((url_for("seat.show", seat=held[0]), _("My seat")) if held else (url_for("join.page"), _("Join")))
    pages.append((url_for("spectate.page"), _("Watch")))
    pages.append((url_for("nights.index"), _("Nights")))
    pages.append((url_for("rules.page"), _("Rules")))
    if host_here:
        pages.append((url_for("games.index"), _("Games")))
        if evening.camera is not None:
            pages.append((url_for("camera.show"), _("Camera")))
        if evening.toy is not None:
            pages.append((url_for("toy.show"), _("Simulated table")))
    pages.append((url_for("host.sign_in"), _("Give the controls back") if host_here else _("Host")))
    return [{"url": url, "label": label} for url, label in pages]
