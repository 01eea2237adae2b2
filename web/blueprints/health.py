"""Whether the companion lives, for watchdogs and for `companion doctor`."""

from __future__ import annotations

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from web.context import evening

blueprint = Blueprint("health", __name__)


@blueprint.get("/health")
def health() -> ResponseReturnValue:
    """200 while all is well, 503 with the reasons while something is in the way."""
    here = evening()
    trouble = here.trouble()
    return jsonify({"ok": not trouble, "listeners": here.hub.listeners}), 503 if trouble else 200
