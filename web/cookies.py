"""Cookies that fit the way the page came: Secure under TLS, and still there for who comes over plain HTTP.

Browsers let no page over plain HTTP replace a Secure cookie of the same name: a phone that once came over TLS could
then never keep a seat without it. So a cookie has two names, and the `__Host-` of the one under TLS makes browsers
insist that it is Secure and this site's own. TLS is known by the request itself, or told by the configured proxy.
"""

from __future__ import annotations

from flask import Flask, Response, request
from flask.sessions import SecureCookieSessionInterface

_ONE_YEAR_S = 365 * 24 * 3600
_TLS = "__Host-"


def cookie_name(name: str) -> str:
    """What a cookie is called in this request."""
    return f"{_TLS}{name}" if request.is_secure else name


def kept_cookie(name: str) -> str | None:
    """The value of a cookie of ours, if the browser sent it."""
    return request.cookies.get(cookie_name(name))


def keep_cookie(response: Response, name: str, value: str) -> None:
    """Let the browser keep a value for a year, hidden from scripts and from other sites."""
    response.set_cookie(
        cookie_name(name),
        value,
        max_age=_ONE_YEAR_S,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure,
        path="/",
    )


class Sessions(SecureCookieSessionInterface):
    """Flask's own sessions in such a cookie."""

    def get_cookie_name(self, app: Flask) -> str:
        """What the session's cookie is called in this request."""
        return cookie_name(super().get_cookie_name(app))

    def get_cookie_secure(self, app: Flask) -> bool:  # noqa: ARG002 (Flask's signature)
        """Whether browsers must keep it to TLS."""
        return request.is_secure


def init_cookies(app: Flask) -> None:
    """Use them for an app's sessions."""
    app.session_interface = Sessions()
