from __future__ import annotations

import os
import socket

import pytest

from companion.adapters.systemd import Heartbeat, Notifier


@pytest.fixture
def systemd(tmp_path):
    """A socket in systemd's place; call it for the next message."""
    address = str(tmp_path / "notify")
    ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    ear.bind(address)
    ear.settimeout(1)

    def heard() -> list[str]:
        return ear.recv(4096).decode().split("\n")

    heard.environment = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "20000000", "WATCHDOG_PID": str(os.getpid())}
    yield heard
    ear.close()


def test_systemd_hears_ready_status_and_stopping(systemd):
    notifier = Notifier(systemd.environment)
    notifier.ready("http://pi.local:8080\nsecond line")
    assert systemd() == ["READY=1", "STATUS=http://pi.local:8080 second line"]
    notifier.status("playing")
    assert systemd() == ["STATUS=playing"]
    notifier.stopping()
    assert systemd() == ["STOPPING=1"]


def test_an_abstract_socket_is_reached():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind("\0companion-test-notify")
        ear.settimeout(1)
        Notifier({"NOTIFY_SOCKET": "@companion-test-notify"}).alive()
        assert ear.recv(100) == b"WATCHDOG=1"


def test_started_by_hand_nothing_is_said_and_nothing_fails():
    notifier = Notifier({})
    notifier.ready("x")
    assert notifier.watchdog_s is None


def test_a_systemd_that_does_not_listen_ends_no_game(tmp_path, caplog):
    Notifier({"NOTIFY_SOCKET": str(tmp_path / "absent")}).alive()
    assert "does not listen" in caplog.text


@pytest.mark.parametrize(
    ("environment", "seconds"),
    [({"WATCHDOG_USEC": "5000000"}, 5.0), ({"WATCHDOG_USEC": "5000000", "WATCHDOG_PID": "1"}, None),
     ({"WATCHDOG_USEC": "0"}, None), ({"WATCHDOG_USEC": "soon"}, None)],
)  # fmt: skip
def test_the_watchdogs_patience_is_read(environment, seconds):
    assert Notifier(environment).watchdog_s == seconds


def test_a_sign_of_life_needs_every_loop_and_comes_four_times_in_the_watchdogs_patience(systemd):
    now = 0.0
    heart = Heartbeat(Notifier(systemd.environment), ("session", "watcher"), lambda: now)
    assert not heart.beat("session")
    assert heart.beat("watcher")
    assert systemd() == ["WATCHDOG=1"]
    signs = 0
    for _ in range(200):
        now += 0.1
        signs += heart.beat("session") + heart.beat("watcher")
    assert signs in {3, 4}  # in 20 s, every 5 s


def test_a_hanging_loop_stops_the_signs_however_lively_the_other_is(systemd):
    now = 0.0
    heart = Heartbeat(Notifier(systemd.environment), ("session", "watcher"), lambda: now)
    heart.beat("watcher")
    heart.beat("session")
    for _ in range(100):
        now += 1.0
        assert not heart.beat("session")


def test_an_unknown_loop_is_a_mistake():
    with pytest.raises(KeyError):
        Heartbeat(Notifier({}), ("session",), lambda: 0.0).beat("sesion")
