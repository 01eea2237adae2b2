"""Languages: which one a device reads, where the catalogues lie, and the switch between them.

A device keeps its language in a cookie; before it chose one, its browser's own wish is followed.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from flask import Blueprint, Flask, Response, abort, current_app, redirect, request
from flask_babel import Babel, get_locale

from web.cookies import keep_cookie, kept_cookie

LANGUAGES = {"en": "English", "ja": "日本語", "uk": "Українська"}
"""By code, each in its own words."""

COOKIE = "language"

blueprint = Blueprint("language", __name__)


def init_languages(app: Flask) -> None:
    """Give an app its languages: `_()` in templates, `languages` and `language` beside it, the switch's route."""
    folder = Path(__file__).resolve().parent / "translations"
    Babel(
        app,
        default_locale="en",
        default_translation_directories=str(folder),
        locale_selector=wished_language,
    )
    app.register_blueprint(blueprint)

    @app.context_processor
    def languages() -> dict[str, object]:
        return {"languages": LANGUAGES, "language": language()}


def wished_language() -> str:
    """The language of the device that asks."""
    kept = kept_cookie(COOKIE)
    if kept in LANGUAGES:
        return kept
    house = str(current_app.config.get("TABLE_LANGUAGE", "en"))
    return request.accept_languages.best_match(LANGUAGES, default=house) or house


def language() -> str:
    """The code of the language now in force."""
    return str(get_locale() or "en")


@blueprint.get("/language/<code>")
def switch(code: str) -> Response:
    """Keep a language for this device and go back to the page `next` (a path of this site)."""
    if code not in LANGUAGES:
        abort(404)
    target = request.args.get("next", "/")
    parts = urlsplit(target)
    here = target.startswith("/") and not target.startswith(("//", "/\\")) and not parts.netloc and not parts.scheme
    response = redirect(target if here and target.isprintable() else "/", code=303)
    assert isinstance(response, Response)
    keep_cookie(response, COOKIE, code)
    return response
