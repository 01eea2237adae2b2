"""What systemd is told: that the page is up, that the loops that matter still turn, and that we are stopping.

Protocol: sd_notify(3), a datagram on the socket that `NOTIFY_SOCKET` names. Without one (started by hand) every call
does nothing.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Callable, Mapping, Sequence

logger = logging.getLogger(__name__)


class Notifier:
    """Speaks to systemd.

    Args:
        environment: the process's environment.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        # A leading @ stands for the null byte of an abstract socket.
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self.watchdog_s = _watchdog_s(environment)
        """How long systemd waits for a sign of life; None: it does not watch."""

    def ready(self, status: str) -> None:
        """The page can be opened."""
        self.send("READY=1", f"STATUS={status}")

    def status(self, status: str) -> None:
        """One line that `systemctl status` shows."""
        self.send(f"STATUS={status}")

    def alive(self) -> None:
        """A sign of life."""
        self.send("WATCHDOG=1")

    def stopping(self) -> None:
        """Begin of the ordered end."""
        self.send("STOPPING=1")

    def send(self, *lines: str) -> None:
        """Send lines at once; a deaf systemd is no reason to end a game."""
        if not self._address:
            return
        message = "\n".join(line.replace("\n", " ") for line in lines)
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as speaker:
                speaker.sendto(message.encode(), self._address)
        except OSError as error:
            logger.warning("systemd does not listen: %s", error)


class Heartbeat:
    """Gives signs of life only while every loop that matters turns: a hanging one must not hide behind a living one.

    Args:
        notifier: where signs of life go.
        parts: the loops, each of which calls `beat` with its name at every turn.
        monotonic: seconds.

    Example:
        >>> heart = Heartbeat(Notifier({}), ("session", "watcher"), lambda: 0.0)
        >>> heart.beat("session"), heart.beat("watcher")
        (False, True)
    """

    def __init__(self, notifier: Notifier, parts: Sequence[str], monotonic: Callable[[], float]) -> None:
        self._notifier = notifier
        self._monotonic = monotonic
        self._waiting_for = set(parts)
        self._parts = frozenset(parts)
        self._lock = threading.Lock()
        self._last = float("-inf")
        # Four signs in the time that systemd grants; without a watchdog one a second costs nothing.
        self._pause_s = (notifier.watchdog_s or 4.0) / 4

    def beat(self, part: str) -> bool:
        """One loop has turned.

        Returns:
            Whether a sign of life was due and given: every part has beaten since the last one.

        Raises:
            KeyError: a part that was not announced.
        """
        if part not in self._parts:
            raise KeyError(part)
        with self._lock:
            self._waiting_for.discard(part)
            now = self._monotonic()
            if self._waiting_for or now - self._last < self._pause_s:
                return False
            self._last = now
            self._waiting_for = set(self._parts)
        self._notifier.alive()
        return True


def _watchdog_s(environment: Mapping[str, str]) -> float | None:
    """The watchdog's patience, if it watches this very process (sd_watchdog_enabled(3))."""
    text, pid = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", "")
    if not text.isdecimal() or int(text) == 0 or (pid and pid != str(os.getpid())):
        return None
    return int(text) / 1e6
