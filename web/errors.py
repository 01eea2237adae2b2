"""One place that turns every refusal into an answer: JSON for scripts, a page for people.

Malformed 400, not the host 403, unknown 404, refused in this state or stale 409, too large 413, illegal move 422 with
the rule's id, too many attempts 429, the disk refuses or the machine is not ready 503.
"""

from __future__ import annotations

import logging
from http import HTTPStatus

from flask import Flask, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from companion.errors import BadInputError, CompanionError, IllegalMoveError, StaleCommandError, StorageError
from web.present.refusals import error_words, refusal_words
from web.texts import _

_log = logging.getLogger(__name__)


def _wants_json() -> bool:
    return request.is_json or request.accept_mimetypes.best == "application/json" or request.path.endswith(".json")


def _plain(status: int) -> str:
    texts = {
        400: _("This could not be read."),
        403: _("This is for the host: take the controls with the PIN first."),
        404: _("There is nothing here."),
        405: _("That is not possible here."),
        409: _("The game has moved on: look at the page again."),
        413: _("That file is too large."),
        429: _("Too many attempts: wait a minute."),
        500: _("Something went wrong inside the companion. The game on the disk is safe."),
        503: _("Not now: too many pages are open, or the disk refuses."),
    }
    return texts.get(status) or _("This cannot be answered.")


def answer(status: int, message: str, **more: object) -> ResponseReturnValue:
    """A refusal in the form that the asker reads."""
    if _wants_json():
        return jsonify({"status": status, "message": message, **more}), status
    if status == HTTPStatus.FORBIDDEN and request.method == "GET":
        return redirect(url_for("host.sign_in", next=request.path), code=303)
    title = _plain(status)
    return render_template(
        "error.html", status=status, title=title, message="" if message == title else message
    ), status


def init_errors(app: Flask) -> None:
    """Register the handlers."""

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> ResponseReturnValue:
        status = error.code or 500
        if error.response is not None or status < 400:
            return error.get_response()
        return answer(status, _plain(status))

    @app.errorhandler(IllegalMoveError)
    def illegal(error: IllegalMoveError) -> ResponseReturnValue:
        return answer(422, refusal_words(error), rule=error.rule)

    @app.errorhandler(StaleCommandError)
    def stale(error: StaleCommandError) -> ResponseReturnValue:
        return answer(409, error_words(error, _plain(409)))

    @app.errorhandler(StorageError)
    def storage(error: StorageError) -> ResponseReturnValue:
        return answer(503, error_words(error, _plain(503)))

    @app.errorhandler(BadInputError)
    def malformed(error: BadInputError) -> ResponseReturnValue:
        return answer(400, error_words(error, _plain(400)))

    @app.errorhandler(CompanionError)
    def refused(error: CompanionError) -> ResponseReturnValue:
        return answer(409, error_words(error, _plain(409)))

    @app.errorhandler(Exception)
    def unexpected(error: Exception) -> ResponseReturnValue:
        _log.error("%s %s failed", request.method, request.path, exc_info=error)
        return answer(500, _plain(500))
