"""Runs inside the booted appliance, as root, and prints a line for each check: `PASS what` or `FAIL what: why`.

Usage: check.py nspawn | uml. Standard library only, since it stands outside the companion's environment.
"""

from __future__ import annotations

import json
import os
import re
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

from check_tools import (
    DATA,
    UNIT,
    Browser,
    Checks,
    begin_game,
    command,
    page_is_up,
    resident_mb,
    shown,
    systemctl,
    until,
)
from check_uml import check_camera, check_clock_jump, check_panel


def check_boot(checks: Checks) -> None:
    checks.that("the service starts at boot", until(lambda: shown("ActiveState") == "active", 150), shown("Result"))
    checks.that("the page opens", until(page_is_up, 30))


def check_start(checks: Checks) -> None:
    """The time from the unit's start to the first page, and what of it the processor worked."""
    systemctl("restart", "--no-block", UNIT)
    until(lambda: shown("ActiveState") != "active", 5, pause_most_s=0.02)
    until(lambda: shown("ActiveState") in {"activating", "active"}, 10, pause_most_s=0.02)
    begun = time.monotonic()
    until(page_is_up, 60, pause_most_s=0.02)
    took = time.monotonic() - begun
    worked = int(shown("CPUUsageNSec") or 0) / 1e9
    print(f"NOTE first page {took:.2f} s after the unit starts, {worked:.2f} s of them work")
    busy = os.getloadavg()[0] > 1.5 * (os.cpu_count() or 1)
    if busy:  # with other things: how long we wait for a processor then says nothing about us
        print(f"NOTE the machine has a load of {os.getloadavg()[0]:.0f}: judged by the work alone")
    checks.that("the first page comes within 3 s of the unit's start", (worked if busy else took) <= 3, f"{took:.2f} s")


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


def check_stop(checks: Checks, most_s: float) -> None:
    begun = time.monotonic()
    systemctl("stop", UNIT)
    took = time.monotonic() - begun
    print(f"NOTE stop took {took:.2f} s")
    checks.that("the stop is clean", shown("Result") == "success", shown("Result"))
    checks.that(f"the stop takes less than {most_s:.0f} s", took < most_s, took)
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
    restart_on(DATA, "ro")
    trouble = until(lambda: browser.json("/table.json")["trouble"], 5)
    checks.that("SD card read-only at the start: the page says so", "read-only" in str(trouble), trouble)
    refused = command(browser, "/moves", {"do": "gardener 1,0"})
    checks.that("SD card read-only: the move is refused", "read-only" in refused, refused)
    restart_on(DATA, "rw")
    refused = command(browser, "/moves", {"do": "gardener 1,0"})
    checks.that("writable again: the move is taken", not refused, refused)
    systemctl("stop", UNIT)
    subprocess.run(["umount", str(DATA)], check=True)
    systemctl("reset-failed", UNIT)
    systemctl("start", UNIT)
    until(page_is_up, 30)


def restart_on(disk: Path, how: str) -> None:
    """Start anew on a disk that is mounted `ro` or `rw`."""
    systemctl("stop", UNIT)
    subprocess.run(["mount", "-o", f"remount,{how}", str(disk)], check=True)
    systemctl("start", UNIT)
    until(page_is_up, 30)


def check_network(checks: Checks) -> None:
    """A house's network that comes, goes and comes back; phones find the table by its name."""
    here, restarts = "10.77.0.1", shown("NRestarts")
    subprocess.run(["ip", "link", "add", "home0", "type", "veth", "peer", "name", "home1"], check=True)
    name, answers = Path("/etc/hostname").read_text().strip(), []
    for _ in range(2):
        for interface in ("home1", "home0"):
            subprocess.run(["ip", "link", "set", interface, "up"], check=True)
        subprocess.run(["ip", "address", "replace", f"{here}/24", "dev", "home0"], check=True)
        opened = until(lambda: page_is_up(f"http://{here}:8080"), 10)
        answers.append((opened, until(lambda: found_by_name(here, f"{name}.local"), 15)))
        subprocess.run(["ip", "link", "set", "home0", "down"], check=True)
    checks.that("the network comes, goes and comes back: the page opens", all(opened for opened, _ in answers), answers)
    checks.that("avahi gives this machine's name to the network", all(found for _, found in answers), answers)
    checks.that("the service has not minded", restarts == shown("NRestarts") and page_is_up(), shown("NRestarts"))
    subprocess.run(["ip", "link", "delete", "home0"], check=True)


def found_by_name(here: str, name: str) -> bool:
    """Whether someone answers a question for this name by mDNS with this address."""
    labels = b"".join(bytes([len(part)]) + part.encode() for part in name.split("."))
    question = struct.pack(">6H", 7, 0, 1, 0, 0, 0) + labels + b"\0" + struct.pack(">2H", 1, 1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(here))
        asking.bind((here, 0))
        asking.settimeout(1)
        try:
            asking.sendto(question, ("224.0.0.251", 5353))
            return socket.inet_aton(here) in asking.recv(4096)
        except OSError:
            return False


def check_watchdog(checks: Checks) -> None:
    """A process that hangs is ended and started again."""
    restarts = int(shown("NRestarts") or 0)
    subprocess.run(["kill", "-STOP", shown("MainPID")], check=True)
    back = until(lambda: int(shown("NRestarts") or 0) > restarts and page_is_up(), 90)
    checks.that("hanging, the watchdog ends it and it comes back", back, shown("ActiveState"))


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
        check_network(checks)
        check_watchdog(checks)
    size = resident_mb()
    print(f"NOTE resident memory {size:.0f} MB")
    checks.that("resident memory at most 350 MB", size <= 350, size)
    check_kill(checks, browser)
    # How quickly it stops shows in the container; the user-mode kernel is slow.
    check_stop(checks, 3 if where == "nspawn" else 30)
    return 1 if checks.failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1]))
    except Exception as error:  # noqa: BLE001 - a broken check is a failed check, said in the same way
        print(f"FAIL the checks themselves: {type(error).__name__}: {error}", flush=True)
        sys.exit(1)
