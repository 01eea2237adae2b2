"""Who may do what: the host's session, and the headers that keep a page to itself."""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from flask import Flask, Response, abort, current_app, request, session
from flask.typing import ResponseReturnValue
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from flask_wtf import CSRFProtect

from web.settings import WebSettings

csrf = CSRFProtect()


def _who_and_when() -> str:
    """Whose tries are counted together: those of one address, and of one run of the clock.

    The counts end by the wall clock. Set back by years, it would keep a device that mistyped the PIN out for years.
    """
    return f"{get_remote_address()} {round((time.time() - time.monotonic()) / 3600)}"


limiter = Limiter(_who_and_when, storage_uri="memory://", headers_enabled=False)

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""No inline scripts or styles, nothing from elsewhere."""

_P = ParamSpec("_P")


def settings() -> WebSettings:
    """The app's settings."""
    found = current_app.extensions["web_settings"]
    assert isinstance(found, WebSettings)
    return found


def _host_mark() -> str:
    """What a host's session holds: it follows from the PIN, so that a new PIN signs everyone out."""
    key = settings().secret_key
    return hmac.new(key, b"host:" + settings().pin.encode(), hashlib.sha256).hexdigest()


def is_host() -> bool:
    """Whether this device has the controls."""
    mark = session.get("host")
    return isinstance(mark, str) and hmac.compare_digest(mark, _host_mark())


def pin_is(attempt: str) -> bool:
    """Whether this is the PIN, in a time that does not tell how much of it is right."""
    return hmac.compare_digest(attempt.encode(), settings().pin.encode())


def make_host() -> None:
    """Give this device the controls."""
    session.clear()
    session.permanent = True
    session["host"] = _host_mark()


def unmake_host() -> None:
    """Take the controls from this device."""
    session.clear()


def host_only(view: Callable[_P, ResponseReturnValue]) -> Callable[_P, ResponseReturnValue]:
    """Refuse everyone but the host: 403, which the error page turns into the way to the PIN."""

    @wraps(view)
    def guarded(*args: _P.args, **kwargs: _P.kwargs) -> ResponseReturnValue:
        if not is_host():
            abort(403)
        return view(*args, **kwargs)

    return guarded


def init_security(app: Flask) -> None:
    """CSRF tokens, rate limits, headers."""
    csrf.init_app(app)
    limiter.init_app(app)

    @app.after_request
    def headers(response: Response) -> Response:
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", "same-origin")
        response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        response.headers.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
        if request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "no-store")
        return response
