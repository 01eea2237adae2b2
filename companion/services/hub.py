"""News for many listeners: each has a mailbox that can never overflow, since only what changed is kept, not how often.

A listener that slept finds every topic that changed once, and reads the newest state of it. Revisions grow by one a
change; together with the process's own name they make the ids of server-sent events.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum


class Topic(StrEnum):
    """What a listener may care for."""

    TABLE = "table"
    """The game, the lamp, the question: what everyone may see."""
    PANEL = "panel"
    """The lamps of the button panel."""
    CAMERA = "camera"
    """For the host: the camera's state."""
    TOY = "toy"
    """For the demo: the simulated table."""


class HubFullError(Exception):
    """No further listener can be served now."""


class Mailbox:
    """One listener's bounded queue: at most one entry a topic."""

    def __init__(self) -> None:
        self._waiting: dict[Topic, int] = {}
        self._ready = threading.Condition()
        self.closed = False

    def put(self, topic: Topic, revision: int) -> None:
        """Note that a topic changed."""
        with self._ready:
            self._waiting[topic] = revision
            self._ready.notify()

    def close(self) -> None:
        """Wake the listener for the last time."""
        with self._ready:
            self.closed = True
            self._ready.notify()

    def take(self, timeout_s: float) -> dict[Topic, int]:
        """What changed since the last time, waiting at most so long; empty when nothing did."""
        with self._ready:
            if not self._waiting and not self.closed:
                self._ready.wait(timeout_s)
            news, self._waiting = self._waiting, {}
            return news


class Hub:
    """Spreads news to all mailboxes."""

    def __init__(self, boot: str, limit: int) -> None:
        """`boot` names this run of the process; `limit` is how many listeners are served at once."""
        self.boot = boot
        self._limit = limit
        self._lock = threading.Lock()
        self._mailboxes: set[Mailbox] = set()
        self._count = 0
        self._revisions: dict[Topic, int] = dict.fromkeys(Topic, 0)
        self._closed = False

    def revision(self, topic: Topic) -> int:
        """The number of the topic's newest change; changes are counted over all topics together."""
        with self._lock:
            return self._revisions[topic]

    def publish(self, topic: Topic) -> None:
        """Tell all listeners that a topic changed; never blocks on any of them."""
        with self._lock:
            self._count += 1
            self._revisions[topic] = revision = self._count
            for mailbox in self._mailboxes:
                mailbox.put(topic, revision)

    @property
    def listeners(self) -> int:
        """How many are listening now."""
        with self._lock:
            return len(self._mailboxes)

    @contextmanager
    def listen(self) -> Iterator[Mailbox]:
        """A mailbox for as long as the block lasts.

        Raises:
            HubFullError: when as many as can be served are listening, or the process is stopping.
        """
        mailbox = Mailbox()
        with self._lock:
            if self._closed or len(self._mailboxes) >= self._limit:
                raise HubFullError
            self._mailboxes.add(mailbox)
        try:
            yield mailbox
        finally:
            with self._lock:
                self._mailboxes.discard(mailbox)

    def close(self) -> None:
        """Send all listeners home."""
        with self._lock:
            self._closed = True
            for mailbox in self._mailboxes:
                mailbox.close()
