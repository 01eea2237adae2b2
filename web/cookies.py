"""Cookies that fit the way the page came: Secure under TLS, and still there for who comes over plain HTTP.

Browsers let no page over plain HTTP replace a Secure cookie of the same name: a phone that once came over TLS could
then never keep a seat without it. So a cookie has two names, and the `__Host-` of the one under TLS makes browsers
insist that it is Secure and this site's own. TLS is known by the request itself, or told by the configured proxy.
"""

from __future__ import annotations

import re

from flask import Flask, Request, Response, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature

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
    """Flask's own sessions in such a cookie, which a wrong clock does not end.

    A Pi has no clock that runs while it is switched off: without a network its time may be years off, and jump. So the
    browser is told how long it shall keep the cookie, never until when, and how old a cookie is does not count here: a
    new PIN is what ends all sessions.
    """

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """What the cookie holds; nothing where it is missing or not ours."""
        signer, value = self.get_signing_serializer(app), request.cookies.get(self.get_cookie_name(app))
        if signer is None:
            return None
        try:
            return self.session_class(signer.loads(value) if value else {})
        except BadSignature:
            return self.session_class()

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Put the cookie into the answer."""
        super().save_session(app, session, response)
        if not session:
            return
        start, stays = f"{self.get_cookie_name(app)}=", f"Max-Age={int(app.permanent_session_lifetime.total_seconds())}"
        cookies = response.headers.getlist("Set-Cookie")
        response.headers.setlist(
            "Set-Cookie",
            [re.sub(r"Expires=[^;]*", stays, each) if each.startswith(start) else each for each in cookies],
        )

    def get_cookie_name(self, app: Flask) -> str:
        """What the session's cookie is called in this request."""
        return cookie_name(super().get_cookie_name(app))

    def get_cookie_secure(self, app: Flask) -> bool:  # noqa: ARG002 (Flask's signature)
        """Whether browsers must keep it to TLS."""
        return request.is_secure


def init_cookies(app: Flask) -> None:
    """Use them for an app's sessions."""
    app.session_interface = Sessions()
