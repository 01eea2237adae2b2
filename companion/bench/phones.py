"""How soon an event reaches eight phones with hands and the table, and a phone that slept; on a real process.

Two devices hold the two seats of the game, each with four open pages: every phone gets its own seat's view.
"""

from __future__ import annotations

import argparse
import http.client
import re
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from companion.bench.table import LOOPBACK, PRESSES, Audience, asked, free_port, p95, serving

PHONES = 8
SEATS = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The bench's own options."""
    parser.add_argument("--events", type=int, default=PRESSES, help="how many events are told (%(default)s)")


def run(args: argparse.Namespace) -> dict[str, Any]:
    """All figures."""
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        port = free_port()
        with serving(["companion.bench.table_server", str(Path(folder)), str(port)], port) as server:
            server.until_page()
            cookies = [_sit(port, seat) for seat in range(SEATS)]
            audience = Audience(port)
            audience.grow(1)
            for phone in range(PHONES):
                seat = phone % SEATS
                audience.grow(1, f"/seat/{seat}/stream", cookies[seat])
            audience.hear_all(1, 30)
            told_ms: list[float] = []
            for _ in range(args.events):
                for what in ("roll", "reset"):
                    before = [stream.events for stream in audience.streams]
                    times = asked(server, what)
                    audience.hear_all(max(before) + 1, 5)
                    if what == "roll":
                        told_ms += [
                            (stream.last_event_s - times["pressed_s"]) * 1000
                            for stream, count in zip(audience.streams, before, strict=True)
                            if stream.events > count
                        ]
                    audience.hear(time.monotonic() + 0.05)
            audience.close()
            wake_ms = [_wake_ms(port, cookies[0]) for _ in range(10)]
            page = _page_bytes(port, cookies[0])
    return {
        "event_to_phone_ms_p95": round(p95(told_ms), 1),
        "event_to_phone_ms_median": round(statistics.median(told_ms), 1),
        "told": len(told_ms),
        "told_expected": args.events * (PHONES + 1),
        "wake_ms_p95": round(p95(wake_ms), 1),
        "seat_page_kb": round(page / 1000, 1),
    }


def _sit(port: int, seat: int) -> str:
    """Take a seat as a phone does.

    Returns:
        The device's cookie.
    """
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=10)
    connection.request("GET", "/join")
    answer = connection.getresponse()
    session = (answer.getheader("Set-Cookie") or "").split(";")[0]
    found = re.search(r'name="csrf-token" content="([^"]+)"', answer.read().decode())
    assert found is not None
    form = urlencode({"csrf_token": found.group(1), "seat": seat})
    connection.request(
        "POST", "/join/seat", form, {"Cookie": session, "Content-Type": "application/x-www-form-urlencoded"}
    )
    answer = connection.getresponse()
    answer.read()
    return next(
        value.split(";")[0]
        for name, value in answer.getheaders()
        if name == "Set-Cookie" and value.startswith("device=")
    )


def _wake_ms(port: int, cookie: str) -> float:
    """From waking to the newest view, for a phone whose last event is from long ago."""
    audience = Audience(port)
    begun = time.monotonic()
    audience.grow(1, "/seat/0/stream", cookie, "slept.1")
    audience.hear_all(1, 10)
    heard = audience.streams[0].last_event_s
    audience.close()
    return (heard - begun) * 1000


def _page_bytes(port: int, cookie: str) -> int:
    """All that a seat page loads, headers apart: the page, its styles and scripts, and the pictures of the hand."""
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=10)

    def fetched(path: str) -> bytes:
        connection.request("GET", path, headers={"Cookie": cookie})
        return connection.getresponse().read()

    page = fetched("/seat/0")
    pending = re.findall(rb'(?:href|src)="(/static/[^"]+)"', page)
    total, seen = len(page), set()
    while pending:
        path = pending.pop().decode()
        if path not in seen:
            seen.add(path)
            text = fetched(path)
            total += len(text)
            folder = path.rsplit("/", 1)[0]
            for name in re.findall(rb'from "(\.{1,2}/[^"]+)"', text) if path.endswith(".js") else ():
                parts = f"{folder}/{name.decode()}".split("/")
                while ".." in parts:
                    at = parts.index("..")
                    del parts[at - 1 : at + 1]
                pending.append("/".join(part for part in parts if part != ".").encode())
    return total
