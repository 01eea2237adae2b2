"""The page on the Pi's own screen: the script that starts Chromium, among stand-ins for what only a Pi has."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "deploy/kiosk/gamenight-kiosk"


class Pi:
    """A folder of stand-ins before the real commands; each notes how it was called."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.home, self.log = folder / "bin", folder / "home", folder / "calls"
        self.bin.mkdir()
        self.home.mkdir()
        self.stands_for("chromium")
        self.stands_for("xset")
        self.stands_for("sleep")
        # The page opens at the third try: the service may still be starting.
        self.stands_for("curl", f'[ "$(grep -c "^curl" {self.log})" -ge 3 ]')
        self.stands_for("systemd-inhibit", 'while [ "${1#--}" != "$1" ]; do shift; done; exec "$@"')

    def stands_for(self, name: str, then: str = "true") -> None:
        path = self.bin / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >>{self.log}\n{then}\n')
        path.chmod(0o755)

    def switched_on(self, **environment: str) -> list[str]:
        names = {"PATH": f"{self.bin}:{os.environ['PATH']}", "HOME": str(self.home), **environment}
        names.pop("XDG_CACHE_HOME", None)
        done = subprocess.run(["sh", SCRIPT], env=names, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr
        return self.log.read_text().splitlines()


@pytest.fixture
def pi(tmp_path):
    return Pi(tmp_path)


def test_it_waits_for_the_page_and_then_shows_it_on_the_whole_screen(pi):
    calls = [call.split()[0] for call in pi.switched_on()]
    assert calls == ["curl", "sleep", "curl", "sleep", "curl", "systemd-inhibit", "chromium"]
    browser = pi.log.read_text().splitlines()[-1]
    assert "--kiosk" in browser
    assert browser.endswith(" http://localhost:8080/")


def test_nothing_asks_a_person_anything(pi):
    """No welcome, no crash bubble, no translation bar, no keyring password."""
    browser = pi.switched_on()[-1]
    for flag in ("--no-first-run", "--noerrdialogs", "--disable-session-crashed-bubble", "--disable-features=Translate",
                 "--password-store=basic"):  # fmt: skip
        assert flag in browser


def test_after_a_pulled_plug_chromium_does_not_ask_to_restore_its_pages(pi):
    profile = pi.home / ".cache/gamenight-kiosk"
    (profile / "Default").mkdir(parents=True)
    preferences = profile / "Default/Preferences"
    preferences.write_text('{"profile":{"exit_type":"Crashed","exited_cleanly":false}}')
    pi.switched_on()
    assert preferences.read_text() == '{"profile":{"exit_type":"Normal","exited_cleanly":true}}'


def test_the_screen_does_not_sleep(pi):
    calls = pi.switched_on(DISPLAY=":0")
    assert "xset s off -dpms s noblank" in calls
    assert any(call.startswith("systemd-inhibit --what=idle:sleep ") for call in calls)


def test_without_chromium_the_package_to_install_is_named(pi):
    (pi.bin / "chromium").unlink()
    only = f"{pi.bin}:{pi.home}"
    for name in ("sed", "head"):
        (pi.home / name).symlink_to(f"/usr/bin/{name}")
    names = {"PATH": only, "HOME": str(pi.home)}
    done = subprocess.run(["/bin/sh", SCRIPT], env=names, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "Chromium is not installed: sudo apt install chromium\n"
