"""A real Chromium on a real server: skipped with a reason where there is none, a failure where CI promises one."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import threading
from pathlib import Path

import pytest
from playwright.sync_api import Error, expect, sync_playwright

from companion.adapters.clock import SystemClock
from companion.adapters.journal_disk import DiskJournal
from companion.adapters.wsgi_server import WsgiServer
from companion.games.takenoko.pieces import Weather
from companion.services.evening import Evening
from companion.services.hub import Hub
from companion.services.library import Library
from web.factory import create_app
from web.settings import WebSettings

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip
SHOTS = Path(__file__).resolve().parents[2] / "build" / "screenshots"
PIN = "271828"
STREAMS = 16
expect.set_options(timeout=20_000)  # the machine that runs the tests may have much else to do


@pytest.fixture(scope="session")
def chromium():
    """The system's Chromium, or playwright's own."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        except Error as error:
            message = f"no Chromium here: apt install chromium ({str(error).splitlines()[0]})"
            if os.environ.get("CI") == "true":
                pytest.fail(message)
            pytest.skip(message)
        yield browser
        browser.close()


class House:
    """An evening with its pages on a port; the server can go away and come back."""

    def __init__(self, folder: Path) -> None:
        ids = itertools.count()
        die = random.Random(3)
        self.evening = Evening(
            Library(folder, DiskJournal),
            Hub("boot-1", limit=STREAMS),
            SystemClock(),
            lambda: f"id-{next(ids)}",
            lambda: die.choice(list(Weather)),
        )
        self.port = 0
        self._boots = itertools.count(2)
        self.open()

    def open(self) -> None:
        settings = WebSettings(secret_key=b"not a secret in tests", pin=PIN, heartbeat_s=1.0)
        self._server = WsgiServer(create_app(self.evening, settings), "127.0.0.1", self.port, STREAMS, 1 << 20)
        self.port = self._server.port
        self._leave = threading.Event()
        self._thread = threading.Thread(
            target=self._server.serve_while, args=(lambda: not self._leave.is_set(),), daemon=True
        )
        self._thread.start()

    def shut(self) -> None:
        """The process ends; the evening's files stay."""
        self.evening.hub.close()
        self._leave.set()
        self._thread.join(5)
        self._server.close()
        self.evening.hub = Hub(f"boot-{next(self._boots)}", limit=STREAMS)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@pytest.fixture
def house(tmp_path):
    made = House(tmp_path)
    yield made
    made.shut()
    made.evening.close()


@pytest.fixture
def open_page(chromium, house):
    """Opens pages, each as its own device; whatever a script complains of fails the test."""
    contexts, complaints = [], []

    def opened(path="/", *, host=False, width=1920, height=1080, scheme="light", **more):
        context = chromium.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, **more)
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: complaints.append(line.text) if "Content Security" in line.text else None)
        if host:
            page.goto(f"{house.url}/host")
            page.fill("#pin", PIN)
            page.click("main button.primary")
            page.wait_for_url(f"{house.url}/")
        page.goto(f"{house.url}{path}")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def shot():
    """Keeps a screenshot among the build's outputs."""
    SHOTS.mkdir(parents=True, exist_ok=True)

    def kept(page, name):
        page.screenshot(path=SHOTS / f"{name}.png", full_page=page.viewport_size["width"] < 800)

    return kept
