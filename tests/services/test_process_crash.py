"""Real `kill -9` of the whole process while it serves pages: a resume has all that was acknowledged over HTTP."""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

import pytest

from companion.record import Header, read_text, write_header

PIN = "271828"
KILLS = 5


class Running:
    """A companion in its own process, and the host's browser."""

    def __init__(self, folder: Path) -> None:
        config = folder / "house.toml"
        config.write_text(f'data = "{folder}"\n[web]\nhost = "127.0.0.1"\npin = "{PIN}"\n')
        self.port = free_port()
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "companion",
                "run",
                "--config",
                config,
                "--camera",
                "none",
                "--port",
                str(self.port),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        # The line with the address is printed once the port is open.
        assert "http://" in self.process.stdout.readline()
        self.cookie = ""
        self.token = ""

    def ask(self, method: str, path: str, body: str = "", **headers: str) -> tuple[int, str]:
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)) as connection:
            connection.request(method, path, body, {"Cookie": self.cookie, **headers})
            answer = connection.getresponse()
            for value in answer.headers.get_all("Set-Cookie") or ():
                self.cookie = value.split(";")[0]
            return answer.status, answer.read().decode()

    def take_the_controls(self) -> None:
        _, page = self.ask("GET", "/host")
        token = re.search(r'name="csrf_token" value="([^"]+)"', page).group(1)
        form = urlencode({"csrf_token": token, "pin": PIN})
        status, _ = self.ask("POST", "/host", form, **{"Content-Type": "application/x-www-form-urlencoded"})
        assert status == 303
        self.token = re.search(r'name="csrf-token" content="([^"]+)"', self.ask("GET", "/")[1]).group(1)

    def post(self, path: str, body: dict) -> tuple[int, dict]:
        headers = {"Content-Type": "application/json", "X-CSRFToken": self.token}
        status, text = self.ask("POST", path, json.dumps(body), **headers)
        return status, json.loads(text)

    def get(self, path: str) -> dict:
        return json.loads(self.ask("GET", path)[1])

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()


def free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def play_until_killed(running: Running, rng: random.Random, acknowledged: list[int]) -> None:
    """Tell legal moves as fast as they are taken; note the version of each acknowledgement."""
    try:
        while True:
            choices = running.get("/moves")
            moves = [move for move in choices["moves"] if move != "stop" and not move.startswith("claim")]
            path, body = ("/moves", {"do": rng.choice(moves)}) if moves else ("/roll", {})
            status, answer = running.post(path, {**body, "version": choices["version"]})
            assert status == 200, answer
            acknowledged.append(answer["version"])
    except (OSError, http.client.HTTPException, json.JSONDecodeError):
        return  # killed


def test_five_kills_of_the_whole_process_lose_nothing(tmp_path):
    rng = random.Random(11)
    (tmp_path / "evening.jsonl").write_text(write_header(Header(seats=("Aki", "Oksana"))))
    (tmp_path / "current").write_text("evening\n")
    acknowledged: list[int] = [1]
    for number in range(KILLS):
        running = Running(tmp_path)
        running.take_the_controls()
        assert running.get("/table.json")["version"] >= max(acknowledged), f"start {number} has lost something"
        player = threading.Thread(target=play_until_killed, args=(running, rng, acknowledged))
        heard = len(acknowledged) + rng.randrange(3, 15)
        player.start()
        while len(acknowledged) < heard and player.is_alive():
            player.join(0.005)
        running.kill()
        player.join()
        result = read_text((tmp_path / "evening.jsonl").read_bytes())
        assert result.fault is None or result.fault.line > max(acknowledged)
        assert result.game.version >= max(acknowledged)
    assert len(acknowledged) > 3 * KILLS


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_is_clean_and_quick_with_open_streams(tmp_path, stop):
    running = Running(tmp_path)
    streams = []
    for _ in range(20):
        connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=10)
        connection.request("GET", "/stream")
        connection.getresponse().read(10)
        streams.append(connection)
    running.process.send_signal(stop)
    assert running.process.wait(timeout=10) == 0
    running.process.stdout.close()
    for connection in streams:
        connection.close()


def test_a_port_in_use_is_one_line_with_a_remedy(tmp_path):
    running = Running(tmp_path)
    second = subprocess.run(
        [sys.executable, "-m", "companion", "run", "--data", tmp_path / "other", "--host", "127.0.0.1", "--port",
         str(running.port), "--camera", "none"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    running.kill()
    assert second.returncode == 1
    assert "web.port" in second.stderr
    assert "Traceback" not in second.stderr
