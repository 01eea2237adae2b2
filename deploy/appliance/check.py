"""Runs inside the booted appliance, as root, and prints a line for each check: `PASS what` or `FAIL what: why`.

Usage: check.py nspawn | uml. Standard library only, since it stands outside the companion's environment.
"""

from __future__ import annotations

import http.cookiejar
import json
import re
import subprocess
import sys
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


def until(true, patience_s: float):
    """Ask again and again; what came last when patience ends."""
    end = time.monotonic() + patience_s
    while True:
        answer = true()
        if answer or time.monotonic() > end:
            return answer
        time.sleep(0.02)


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


def page_is_up() -> bool:
    try:
        return urllib.request.urlopen(f"{PAGE}/", timeout=PATIENCE_S).status == 200
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


def check_boot(checks: Checks) -> None:
    checks.that("the service starts at boot", until(lambda: shown("ActiveState") == "active", 150), shown("Result"))
    checks.that("the page opens", until(page_is_up, 30))


def check_start(checks: Checks) -> None:
    """The time from the unit's start to the first page, and what of it the processor worked."""
    systemctl("restart", "--no-block", UNIT)
    until(lambda: shown("ActiveState") != "active", 5)
    until(lambda: shown("ActiveState") in {"activating", "active"}, 10)
    begun = time.monotonic()
    until(page_is_up, 60)
    took = time.monotonic() - begun
    worked = int(shown("CPUUsageNSec") or 0) / 1e9
    print(f"NOTE first page {took:.2f} s after the unit starts, {worked:.2f} s of them work")
    checks.that("the first page comes within 3 s of the unit's start", took <= 3, f"{took:.2f} s")


def check_identity(checks: Checks) -> None:
    status = Path(f"/proc/{shown('MainPID')}/status").read_text()
    uid = re.search(r"Uid:\s+(\d+)", status)
    checks.that("it does not run as root", uid and uid.group(1) != "0", status)
    checks.that("it has no capability", re.search(r"CapEff:\s+0{16}", status), status)
    score = subprocess.run(
        ["systemd-analyze", "security", "--no-pager", UNIT], capture_output=True, text=True, check=False
    )
    level = re.search(r"exposure level for .*: ([0-9.]+)", score.stdout)
    checks.that("systemd-analyze security at most 3.0", level and float(level.group(1)) <= 3.0, score.stdout[-200:])
    if level:
        print(f"NOTE systemd-analyze security {level.group(1)}")


def check_kill(checks: Checks, browser: Browser) -> None:
    """Power cut, as far as the process is concerned."""
    before = browser.json("/table.json")["version"]
    restarts = int(shown("NRestarts") or 0)
    systemctl("kill", "--signal", "KILL", UNIT)
    back = until(lambda: int(shown("NRestarts") or 0) > restarts and page_is_up(), 150)
    checks.that(
        "killed, it comes back by itself", back, (restarts, shown("NRestarts"), shown("ActiveState"), page_is_up())
    )
    after = browser.json("/table.json")
    checks.that(
        "the game goes on where it was", after["version"] == before and after["name"], (before, after["version"])
    )


def check_stop(checks: Checks) -> None:
    begun = time.monotonic()
    systemctl("stop", UNIT)
    took = time.monotonic() - begun
    print(f"NOTE stop took {took:.2f} s")
    checks.that("the stop is clean", shown("Result") == "success", shown("Result"))
    checks.that("the stop takes less than 3 s", took < 3, took)
    records = [json.loads(line) for path in DATA.rglob("*.jsonl") for line in path.read_text().splitlines()]
    checks.that("the record on disk is whole", len(records) >= 1, "no line")


def check_disk_full(checks: Checks, browser: Browser) -> None:
    """A data folder on a full disk: said on the page, and over when there is room again."""
    copy = Path("/tmp/data-copy")
    subprocess.run(["cp", "-a", str(DATA), str(copy)], check=True)
    systemctl("stop", UNIT)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k,mode=750", "small", str(DATA)], check=True)
    subprocess.run(f"cp -a {copy}/. {DATA}/ && chown -R companion:companion {DATA}", shell=True, check=True)
    systemctl("start", UNIT)
    until(page_is_up, 30)
    filler = DATA / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 512)
        except OSError:
            pass
    # The last block of the record has room for a while: undone and redone until the disk must refuse.
    refused = next(filter(None, (command(browser, "/undo", {"line": 1}) for _ in range(200))), "")
    before = browser.json("/table.json")["version"]
    checks.that("SD card full: the move is refused, not lost in silence", refused, "it was taken")
    trouble = until(lambda: browser.json("/table.json")["trouble"], 5)
    checks.that("SD card full: the page says so", trouble, trouble)
    filler.unlink()
    taken = until(lambda: not command(browser, "/moves", {"do": "plot green 1,0"}), 10)
    checks.that("room again: the move is taken", taken and browser.json("/table.json")["version"] > before, before)
    systemctl("stop", UNIT)
    subprocess.run(["umount", str(DATA)], check=True)
    systemctl("reset-failed", UNIT)
    systemctl("start", UNIT)
    until(page_is_up, 30)


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


def check_watchdog(checks: Checks) -> None:
    """A process that hangs is ended and started again."""
    restarts = int(shown("NRestarts") or 0)
    subprocess.run(["kill", "-STOP", shown("MainPID")], check=True)
    back = until(lambda: int(shown("NRestarts") or 0) > restarts and page_is_up(), 90)
    checks.that("hanging, the watchdog ends it and it comes back", back, shown("ActiveState"))


def press(line: int) -> None:
    """A finger on the button of this line, for a fifth of a second."""
    pull = GPIO / f"sim_gpio{line}" / "pull"
    pull.write_text("pull-down")
    time.sleep(0.2)
    pull.write_text("pull-up")
    time.sleep(0.2)


def lit() -> list[str]:
    return [face for face, line in WEATHER.items() if (GPIO / f"sim_gpio{line}" / "value").read_text().strip() == "1"]


def write_pending(browser: Browser) -> None:
    """What waits for the camera to see it is written now: the camera shows another table."""
    for told in browser.json("/table.json").get("pending", ()):
        command(browser, "/told", {"id": told["id"]})


def check_panel(checks: Checks, browser: Browser) -> None:
    """Real gpiozero on real lgpio on a real kernel's lines."""
    for move in ("plot green 1,0", "gardener 1,0", "end", "plot green 0,1", "gardener 0,0", "end"):  # no roll in turn 1
        refusal = command(browser, "/moves", {"do": move})
        checks.that(f"told: {move}", not refusal, refusal)
        write_pending(browser)
    version = browser.json("/table.json")["version"]
    press(ROLL)
    rolled = until(lambda: browser.json("/table.json")["version"] > version, 10)
    checks.that("Roll is pressed on the real line, and the die is rolled", rolled, browser.json("/table.json"))
    write_pending(browser)
    lamps = until(lit, 10)
    lines = [json.loads(line) for path in DATA.rglob("*.jsonl") for line in path.read_text().splitlines()]
    rolls = [line["do"].split()[1] for line in lines if line.get("do", "").startswith("roll ")]
    checks.that(
        "its weather lamp, and no other, is lit on the real line", rolls and lamps == [rolls[-1]], (lamps, rolls)
    )


def check_camera(checks: Checks, browser: Browser) -> None:
    """Real picamera2 on libcamera's virtual camera, asked for by the Check button."""
    for move in ("weather sun", "skip", "plot green -1,1"):  # the first two only where the weather asks for them
        command(browser, "/moves", {"do": move})
        write_pending(browser)
    press(CHECK)
    opened = until(lambda: browser.json("/camera/status.json").get("open"), 90)
    status = browser.json("/camera/status.json")
    print(f"NOTE camera {status}")
    checks.that("Check is pressed, and picamera2 grabs a frame", opened and not status.get("error"), status)
    checks.that("the eye finds marker cards in it", status.get("cards"), status)
    met = until(lambda: re.findall(r'"plot-green-[a-z]+"', browser.get("/table.json")), 10)
    checks.that("the page lists what is met", met and '"plot-green-curve"' in met, met)


def check_clock_jump(checks: Checks, browser: Browser) -> None:
    before = browser.json("/table.json")["version"]
    subprocess.run(["date", "--set", "2037-01-01"], check=True, capture_output=True)
    time.sleep(1.5)
    subprocess.run(["date", "--set", "2001-01-01"], check=True, capture_output=True)
    time.sleep(1.5)
    restarts = shown("NRestarts")
    alive = page_is_up() and browser.json("/table.json")["version"] == before
    checks.that("the clock jumps by decades, and nothing happens", alive and restarts == shown("NRestarts"))


def main(where: str) -> int:
    checks = Checks()
    check_boot(checks)
    if where == "nspawn":
        check_start(checks)
        check_identity(checks)
    browser = Browser()
    begin_game(browser)
    checks.that("a game is begun from a browser", browser.json("/table.json")["name"])
    if where == "uml":
        check_panel(checks, browser)
        check_camera(checks, browser)
        check_clock_jump(checks, browser)
    else:
        check_disk_full(checks, browser)
        check_watchdog(checks)
    size = resident_mb()
    print(f"NOTE resident memory {size:.0f} MB")
    checks.that("resident memory at most 350 MB", size <= 350, size)
    check_kill(checks, browser)
    check_stop(checks)
    return 1 if checks.failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1]))
    except Exception as error:  # noqa: BLE001 - a broken check is a failed check, said in the same way
        print(f"FAIL the checks themselves: {type(error).__name__}: {error}", flush=True)
        sys.exit(1)
