"""Checks on the user-mode kernel: real lines, a camera, and a clock that may be set."""

from __future__ import annotations

import json
import re
import subprocess
import time

from check_tools import (
    CHECK,
    DATA,
    GPIO,
    ROLL,
    WEATHER,
    Browser,
    Checks,
    command,
    page_is_up,
    shown,
    until,
)  # fmt: skip


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
    opened = until(lambda: browser.json("/camera/status.json").get("open"), 180)
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
