"""How soon a button reaches the pages and the lamps, how many streams are held, what it costs; on real processes.

Press times are taken where the pin changes, lamp times where the lamps have been set, page times where the event has
arrived on a socket: one monotonic clock serves all processes of a machine.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import re
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.errors import BadInputError
from companion.record import Header, write_header
from companion.services.library import CURRENT

LOOPBACK = "127.0.0.1"
STREAMS_OF_A_PRESS = 60
STREAMS_HELD = 200
PRESSES = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The bench's own options."""
    parser.add_argument("--minutes", type=float, default=0.5, help="how long the streams are held (%(default)s)")
    parser.add_argument("--streams", type=int, default=STREAMS_HELD, help="how many are held (%(default)s)")
    parser.add_argument("--pictures", type=Path, help="folder of pictures for the idle run (default: drawn ones)")


def run(args: argparse.Namespace) -> dict[str, Any]:
    """All figures."""
    if args.minutes <= 0 or args.streams < 1:
        raise BadInputError("--minutes and --streams: give more than nothing")
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        figures = start_figures(Path(folder) / "start")
        figures |= press_figures(Path(folder) / "press")
        figures |= hold_figures(Path(folder) / "hold", args.streams, args.minutes)
        figures |= idle_figures(Path(folder) / "idle", args.pictures)
    return figures


# Processes


def free_port() -> int:
    """A port that nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


@dataclass(slots=True)
class Server:
    """A companion in its own process."""

    process: subprocess.Popen[str]
    port: int

    def rss_mb(self) -> float:
        """Resident memory."""
        text = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        found = re.search(r"VmRSS:\s+(\d+) kB", text)
        return int(found.group(1)) / 1024 if found else 0.0

    def cpu_s(self) -> float:
        """Seconds of a core used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def until_page(self, path: str = "/", limit_s: float = 60.0) -> None:
        """Wait for the first answer."""
        end = time.monotonic() + limit_s
        while time.monotonic() < end:
            with contextlib.suppress(OSError, http.client.HTTPException):
                connection = http.client.HTTPConnection(LOOPBACK, self.port, timeout=5)
                connection.request("GET", path)
                if connection.getresponse().read():
                    return
            if self.process.poll() is not None:
                raise BadInputError(f"the companion ended by itself with code {self.process.returncode}")
            time.sleep(0.01)
        raise BadInputError(f"no page within {limit_s:.0f} s")


@contextlib.contextmanager
def serving(arguments: Sequence[str], port: int) -> Iterator[Server]:
    """Run a companion's process as long as the block lasts."""
    with subprocess.Popen(
        [sys.executable, "-m", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        bufsize=1,
    ) as process:
        try:
            yield Server(process, port)
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


# Streams


@dataclass(slots=True)
class Stream:
    """One open page's ear."""

    socket: socket.socket
    events: int = 0
    last_event_s: float = 0.0
    tail: bytes = b""
    open: bool = True


@dataclass(slots=True)
class Audience:
    """Many of them, read by one thread."""

    port: int
    streams: list[Stream] = field(default_factory=list)
    _selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)

    def grow(self, count: int, path: str = "/stream", cookie: str = "", last_event_id: str = "") -> None:
        """Open streams, as a device with this cookie that has heard so much."""
        more = (f"Cookie: {cookie}\r\n" if cookie else "") + (
            f"Last-Event-ID: {last_event_id}\r\n" if last_event_id else ""
        )
        for _ in range(count):
            ear = socket.create_connection((LOOPBACK, self.port), timeout=10)
            ear.sendall(f"GET {path} HTTP/1.1\r\nHost: {LOOPBACK}\r\n{more}\r\n".encode())
            ear.setblocking(False)
            stream = Stream(ear)
            self.streams.append(stream)
            self._selector.register(ear, selectors.EVENT_READ, stream)

    def hear(self, until_s: float) -> None:
        """Read what comes until a monotonic time."""
        while (left := until_s - time.monotonic()) > 0:
            for key, _ in self._selector.select(left):
                self._read(key.data)

    def hear_all(self, count: int, limit_s: float) -> None:
        """Read until every open stream has heard so many events, or the limit is over."""
        end = time.monotonic() + limit_s
        while time.monotonic() < end and any(stream.open and stream.events < count for stream in self.streams):
            for key, _ in self._selector.select(0.05):
                self._read(key.data)

    def _read(self, stream: Stream) -> None:
        try:
            data = stream.socket.recv(1 << 18)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            stream.open = False
            self._selector.unregister(stream.socket)
            return
        # An event's name may be cut in two: keep what could be its beginning.
        text = stream.tail + data
        heard = text.count(b"event: table")
        stream.tail = text[-11:]
        if heard:
            stream.events += heard
            stream.last_event_s = time.monotonic()

    def close(self) -> None:
        """Close all."""
        for stream in self.streams:
            stream.socket.close()
        self._selector.close()


def p95(values: Sequence[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(values, n=20, method="inclusive")[-1]


# Figures


def start_figures(data: Path) -> dict[str, Any]:
    """From the process's start to the first page."""
    port = free_port()
    begun = time.monotonic()
    with serving(["companion", "run", "--data", str(data), "--host", LOOPBACK, "--port", str(port)], port) as server:
        server.until_page()
        return {"start_to_first_page_ms": round((time.monotonic() - begun) * 1000, 1)}


def press_figures(data: Path) -> dict[str, Any]:
    """From a pressed button to the lamps, and to all of sixty pages."""
    port = free_port()
    page_ms: list[float] = []
    led_ms: list[float] = []
    with serving(["companion.bench.table_server", str(data), str(port)], port) as server:
        server.until_page()
        audience = Audience(port)
        audience.grow(STREAMS_OF_A_PRESS)
        audience.hear_all(1, 20)
        for _ in range(PRESSES):
            before = [stream.events for stream in audience.streams]
            times = asked(server, "roll")
            audience.hear_all(max(before) + 1, 5)
            led_ms.append((times["lamps_s"] - times["pressed_s"]) * 1000)
            page_ms += [
                (stream.last_event_s - times["pressed_s"]) * 1000
                for stream, count in zip(audience.streams, before, strict=True)
                if stream.events > count
            ]
            before = [stream.events for stream in audience.streams]
            asked(server, "reset")
            audience.hear_all(max(before) + 1, 5)
            audience.hear(time.monotonic() + 0.05)
        audience.close()
    return {
        "button_to_page_ms_p95": round(p95(page_ms), 1),
        "button_to_page_ms_median": round(statistics.median(page_ms), 1),
        "button_to_led_ms_p95": round(p95(led_ms), 1),
        "pages_told": len(page_ms),
        "pages_expected": PRESSES * STREAMS_OF_A_PRESS,
    }


def asked(server: Server, what: str) -> dict[str, float]:
    """Press something through `table_server`, and what it measured."""
    assert server.process.stdin is not None
    assert server.process.stdout is not None
    server.process.stdin.write(what + "\n")
    answer: dict[str, float] = json.loads(server.process.stdout.readline())
    return answer


def hold_figures(data: Path, streams: int, minutes: float) -> dict[str, Any]:
    """How many streams stay open and hear the last event, and how much memory that costs."""
    port = free_port()
    with serving(["companion.bench.table_server", str(data), str(port)], port) as server:
        server.until_page()
        audience = Audience(port)
        audience.grow(streams)
        audience.hear_all(1, 60)
        for _ in range(5):
            asked(server, "roll")
            asked(server, "reset")
            audience.hear(time.monotonic() + 0.5)
        before_mb = server.rss_mb()
        end = time.monotonic() + minutes * 60
        while time.monotonic() < end:
            asked(server, "roll")
            asked(server, "reset")
            audience.hear(min(end, time.monotonic() + 2.0))
        marks = [stream.events for stream in audience.streams]
        asked(server, "roll")
        audience.hear(time.monotonic() + 2.0)
        held = sum(stream.open and stream.events > mark for stream, mark in zip(audience.streams, marks, strict=True))
        grown = server.rss_mb() - before_mb
        rss = server.rss_mb()
        audience.close()
    return {
        "streams_held": held,
        "memory_growth_mb": round(grown, 1),
        "memory_mb": round(rss, 1),
        "held_minutes": minutes,
    }


def idle_figures(data: Path, pictures: Path | None, measured_s: float = 20.0) -> dict[str, Any]:
    """What the process uses while a game runs and a camera shows a table on which nothing happens."""
    _begun_game(data)
    folder = pictures if pictures is not None else _drawn_pictures(data / "pictures")
    port = free_port()
    with serving(
        [
            "companion",
            "run",
            "--data",
            str(data),
            "--host",
            LOOPBACK,
            "--port",
            str(port),
            "--camera",
            f"files:{folder}",
        ],
        port,
    ) as server:
        server.until_page()
        time.sleep(15)  # the first looks, with all that is loaded for them
        used, begun = server.cpu_s(), time.monotonic()
        time.sleep(measured_s)
        percent = 100 * (server.cpu_s() - used) / (time.monotonic() - begun)
        return {"idle_cpu_percent": round(percent, 1)}


def _begun_game(data: Path) -> None:
    """A game that the process resumes by itself."""
    data.mkdir(parents=True)
    (data / "evening.jsonl").write_text(write_header(Header(seats=("Aki", "Oksana"))), encoding="utf-8")
    (data / CURRENT).write_text("evening\n", encoding="utf-8")


def _drawn_pictures(folder: Path) -> Path:
    """One still of a drawn table, with its camera file."""
    import cv2

    from vision.simulated.live import SimulatedTable

    folder.mkdir(parents=True)
    table = SimulatedTable()
    cv2.imwrite(str(folder / "0.png"), table.grab().image)
    (folder / "camera.json").write_text(json.dumps(table.setting.camera.to_json()), encoding="utf-8")
    return folder
