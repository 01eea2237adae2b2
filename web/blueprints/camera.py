"""The camera page, for the host alone: the picture shows people's hands and home."""

from __future__ import annotations

from flask import Blueprint, Response, abort, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from companion.services.ports import Camera
from web.context import evening
from web.present.machine import camera_view
from web.security import host_only

blueprint = Blueprint("camera", __name__, url_prefix="/camera")


def _camera() -> Camera:
    camera = evening().camera
    if camera is None:
        abort(404)
    return camera


@blueprint.get("/")
@host_only
def show() -> ResponseReturnValue:
    """The live picture, and what to do about the camera."""
    _camera()
    return render_template("camera.html", camera=camera_view(evening()))


@blueprint.get("/picture.jpg")
@host_only
def picture() -> ResponseReturnValue:
    """The newest picture; `overlay=1` draws in what the eye read."""
    jpeg = _camera().picture(request.args.get("overlay") == "1")
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg")


@blueprint.get("/status.json")
@host_only
def status() -> ResponseReturnValue:
    """The camera's state and advice."""
    _camera()
    return jsonify(camera_view(evening()))


@blueprint.post("/recalibrate")
@host_only
def recalibrate() -> ResponseReturnValue:
    """Find the marker cards anew."""
    _camera().recalibrate()
    return jsonify({})
