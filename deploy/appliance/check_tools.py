"""What the checks inside the booted appliance share: systemd, a browser, patience, and how a check is told."""

from __future__ import annotations

import http.cookiejar
import json
import re
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

UNIT = "gamenight-companion.service"
DATA = Path("/var/lib/gamenight-companion")
PAGE = "http://127.0.0.1:8080"
PATIENCE_S = 30
"""For one answer: the user-mode kernel is slow, and the camera keeps it busy."""
GPIO = Path("/sys/devices/platform/gpio-sim.0/gpiochip0")
ROLL, CHECK = 5, 6
WEATHER = {"sun": 23, "rain": 24, "wind": 25, "storm": 12, "clouds": 16, "choice": 20}


def systemctl(*words: str) -> str:
    return subprocess.run(["systemctl", *words], capture_output=True, text=True, check=False).stdout.strip()


def shown(key: str) -> str:
    return systemctl("show", "--property", key, "--value", UNIT)


def until(true, patience_s: float, pause_most_s: float = 1.0):
    """Ask again and again, ever more rarely; what came last when patience ends.

    Asking costs: on the user-mode kernel's one slow processor it would keep the service from doing what is asked for.
    """
    end, pause_s = time.monotonic() + patience_s, 0.02
    while True:
        answer = true()
        if answer or time.monotonic() > end:
            return answer
        time.sleep(pause_s)
        pause_s = min(2 * pause_s, pause_most_s)


class Checks:
    """Counts and prints."""

    def __init__(self) -> None:
        self.failed = 0

    def that(self, what: str, good: object, why: object = "") -> None:
        self.failed += not good
        print(f"PASS {what}" if good else f"FAIL {what}: {why}", flush=True)


class Browser:
    """A phone: cookies, and the token that forms carry."""

    def __init__(self) -> None:
        jar = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))

    def get(self, path: str) -> str:
        with self._opener.open(PAGE + path, timeout=PATIENCE_S) as answer:
            return str(answer.read().decode())

    def json(self, path: str) -> dict:  # type: ignore[type-arg]
        return dict(json.loads(self.get(path)))

    def post(self, path: str, form: dict[str, object], page: str) -> str:
        token = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', self.get(page))
        fields = {**form, "csrf_token": token.group(1) if token else ""}
        data = urllib.parse.urlencode(fields, doseq=True).encode()
        with self._opener.open(PAGE + path, data, timeout=PATIENCE_S) as answer:
            return str(answer.read().decode())


def page_is_up(where: str = PAGE) -> bool:
    try:
        return urllib.request.urlopen(f"{where}/", timeout=PATIENCE_S).status == 200
    except OSError:
        return False


def begin_game(browser: Browser) -> None:
    pin = (DATA / "pin").read_text().strip()
    browser.post("/host", {"pin": pin, "next": "/games/new"}, "/host")
    names = ["Aki", "Oksana", "", ""]
    browser.post("/games/new", {"name": names, "first": "0", "ruleset": "classic", "edition": "base"}, "/games/new")


def resident_mb() -> float:
    """Of the service's own process and its children."""
    group = shown("ControlGroup")
    pids = Path(f"/sys/fs/cgroup{group}/cgroup.procs").read_text().split()
    sizes = [re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text()) for pid in pids]
    return sum(int(size.group(1)) for size in sizes if size) / 1024


def command(browser: Browser, path: str, said: dict[str, object]) -> str:
    """Tell the table something as the host; the refusal's text, or nothing."""
    token = re.search(r'name="csrf-token" content="([^"]+)"', browser.get("/"))
    request = urllib.request.Request(
        f"{PAGE}{path}",
        json.dumps(said).encode(),
        {"Content-Type": "application/json", "X-CSRFToken": token.group(1) if token else ""},
    )
    try:
        browser._opener.open(request, timeout=PATIENCE_S).close()
    except urllib.error.HTTPError as error:
        return error.read().decode() or str(error.code)
    return ""
