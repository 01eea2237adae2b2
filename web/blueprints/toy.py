"""The simulated table of the demo: move pieces by hand, disturb the camera, press drawn buttons."""

from __future__ import annotations

from flask import Blueprint, abort, jsonify, render_template
from flask.typing import ResponseReturnValue

from companion.services.ports import ToyTable
from companion.signals import Button
from web.context import command, evening, field, optional
from web.present.machine import panel_view, toy_view
from web.present.table import vocabulary
from web.security import host_only
from web.texts import _

blueprint = Blueprint("toy", __name__, url_prefix="/simulated")


def _toy() -> ToyTable:
    toy = evening().toy
    if toy is None:
        abort(404)
    return toy


@blueprint.get("/")
@host_only
def show() -> ResponseReturnValue:
    """The table as it truly lies."""
    _toy()
    here = evening()
    buttons = ((Button.ROLL, _("Roll")), (Button.CHECK, _("Check")), (Button.NEXT, _("Next")), (Button.UNDO, _("Undo")))
    return render_template(
        "toy.html",
        toy=toy_view(here),
        panel=panel_view(here),
        words=vocabulary(),
        buttons=[(button.value, label) for button, label in buttons],
    )


@blueprint.post("/put")
@host_only
def put() -> ResponseReturnValue:
    """Lay, take or move one thing: `what`, `at`, `value` (null takes it away)."""
    data = command()
    _toy().put(field(data, "what", str), field(data, "at", str), optional(data, "value", str))
    return jsonify({})


@blueprint.post("/disturb")
@host_only
def disturb() -> ResponseReturnValue:
    """A hand, the lamp, a bump, the people: `what`."""
    _toy().disturb(field(command(), "what", str))
    return jsonify({})
