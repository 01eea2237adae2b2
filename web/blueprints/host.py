"""The host takes the controls with a PIN, and gives them back."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Blueprint, Response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from web.security import is_host, limiter, make_host, pin_is, settings, unmake_host
from web.texts import _

blueprint = Blueprint("host", __name__)


def _next_page(target: str) -> str:
    """A path of this site, and nothing else."""
    parts = urlsplit(target)
    here = target.startswith("/") and not target.startswith(("//", "/\\")) and not parts.netloc and not parts.scheme
    return target if here and target.isprintable() else "/"


@blueprint.get("/host")
def sign_in() -> ResponseReturnValue:
    """Ask for the PIN; or, on a device that has the controls, offer to give them back."""
    if is_host():
        return render_template("host_out.html")
    return _form(request.args.get("next", "/"))


def _form(next_page: str, wrong: str = "", status: int = 200) -> ResponseReturnValue:
    demo_pin = settings().pin if settings().demo else None
    return render_template("host.html", next_page=_next_page(next_page), wrong=wrong, demo_pin=demo_pin), status


@blueprint.post("/host")
@limiter.limit(lambda: settings().pin_attempts, deduct_when=lambda response: response.status_code == 403)
def check_pin() -> ResponseReturnValue:
    """Take the controls if the PIN is right; wrong ones are counted."""
    if not pin_is(request.form.get("pin", "")):
        return _form(request.form.get("next", "/"), _("This is not the PIN."), 403)
    make_host()
    return redirect(_next_page(request.form.get("next", "/")), code=303)


@blueprint.post("/host/out")
def sign_out() -> Response:
    """Give the controls back."""
    unmake_host()
    response = redirect("/", code=303)
    assert isinstance(response, Response)
    return response
