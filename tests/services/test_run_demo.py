"""The demo as people start it: real processes, real pixels, the real eye and the real reconciler."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import sys
import time
from contextlib import closing

from companion.reconcile.timeline import is_told
from companion.record import Do, read_text

PATIENCE_S = 200
"""For the first turn that the camera alone has seen; it takes about half a minute where nothing else runs."""


def table(port: int) -> dict:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request("GET", "/table.json")
        return json.loads(connection.getresponse().read())


def listen_for_news(port: int) -> None:
    """Wait until the table's stream says something."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request("GET", "/stream")
        answer = connection.getresponse()
        events = 0
        while events < 2:  # the view as it is, then news or a beat
            line = answer.readline()
            assert line, "the stream ended"
            events += line.startswith(b"event:")


def test_the_demo_opens_on_a_game_in_progress_and_the_camera_follows_it(tmp_path):
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    demo = subprocess.Popen(
        [sys.executable, "-m", "companion", "run", "--demo", "--port", str(port), "--data", tmp_path],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert f"http://localhost:{port}/" in demo.stdout.readline()
        view = table(port)
        assert len(view["garden"]["plots"]) >= 3
        assert len(view["seats"]) == 3
        end = time.monotonic() + PATIENCE_S
        [record] = tmp_path.glob("*.jsonl")
        played_before = read_text(record.read_bytes()).game.version
        while not seen_by_camera(record, played_before):
            assert time.monotonic() < end, f"nothing was seen: {table(port)['lamp']}"
            assert demo.poll() is None
            listen_for_news(port)
    finally:
        demo.send_signal(signal.SIGTERM)
        demo.wait(20)
        demo.stdout.close()


def seen_by_camera(record, played_before: int) -> bool:
    """Whether a move stands in the record that nobody told: the camera saw it, sure or as a choice in a question."""
    game = read_text(record.read_bytes()).game
    return any(isinstance(event, Do) and not is_told(event.move) for event in game.lines[played_before:])
