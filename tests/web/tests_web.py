"""An app on a real folder, and clients: a stranger's and the host's."""

from __future__ import annotations

import itertools
import json
import re

import pytest

from companion.adapters.clock import SystemClock
from companion.adapters.journal_disk import DiskJournal
from companion.games.takenoko.notation import parse_move
from companion.games.takenoko.pieces import Weather
from companion.record import Header
from companion.services.evening import Evening
from companion.services.hub import Hub
from companion.services.library import Library
from web.factory import create_app
from web.security import limiter
from web.settings import WebSettings

PIN = "271828"
SETTINGS = WebSettings(secret_key=b"not a secret in tests", pin=PIN)


class Camera:
    """What the camera page asks for."""

    def __init__(self):
        self.recalibrated = 0
        self.jpeg = b"\xff\xd8a picture"

    def picture(self, overlay):
        return self.jpeg + (b" with overlay" if overlay else b"")

    def status(self):
        return {"source": "webcam:0", "cards": [0, 1], "advice": [{"id": "notice.hand"}]}

    def recalibrate(self):
        self.recalibrated += 1


class Toy:
    """What the simulated table's page asks for."""

    def __init__(self):
        self.calls = []

    def look(self):
        return {"plots": {"1,0": "green 2"}, "channels": [], "gardener": "0,0", "panda": "0,0", "hand": False}

    def put(self, what, at, value):
        self.calls.append(("put", what, at, value))

    def disturb(self, what):
        self.calls.append(("disturb", what))


@pytest.fixture
def evening(tmp_path):
    ids = itertools.count()
    made = Evening(
        Library(tmp_path, DiskJournal),
        Hub("boot", limit=8),
        SystemClock(),
        lambda: f"id-{next(ids)}",
        lambda: Weather.SUN,
        camera=Camera(),
        toy=Toy(),
    )
    yield made
    made.close()


@pytest.fixture
def app(evening):
    made = create_app(evening, SETTINGS)
    made.testing = False  # errors must become answers here too
    limiter.reset()
    return made


@pytest.fixture
def stranger(app):
    return app.test_client()


class Host:
    """The host's client: posts JSON and forms with the token of its page."""

    def __init__(self, app):
        self.client = app.test_client()
        page = self.client.get("/host").text
        answer = self.client.post("/host", data={"csrf_token": form_token(page), "pin": PIN})
        assert answer.status_code == 303
        self.token = meta_token(self.client.get("/").text)

    def get(self, path, **more):
        return self.client.get(path, **more)

    def post(self, path, body=None):
        return self.client.post(path, json={} if body is None else body, headers={"X-CSRFToken": self.token})

    def form(self, path, **fields):
        return self.client.post(path, data={"csrf_token": self.token, **fields})


def form_token(page: str) -> str:
    return re.search(r'name="csrf_token" value="([^"]+)"', page).group(1)


def meta_token(page: str) -> str:
    return re.search(r'name="csrf-token" content="([^"]+)"', page).group(1)


@pytest.fixture
def host(app):
    return Host(app)


@pytest.fixture
def game(evening):
    """A running game: Aki has laid a plot."""
    evening.begin(Header(seats=("Aki", "Oksana")))
    evening.tell(parse_move("plot green 1,0"), seat=None, by="browser")
    return evening


def view_of(client):
    return json.loads(client.get("/table.json").data)


@pytest.fixture
def view():
    return view_of
