"""Server-sent events: what changed goes to every listener, made once for all who read the same."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from companion.services.hub import Hub, Mailbox, Topic

Make = Callable[[], Mapping[str, Any]]
"""Makes the view that a listener gets for a topic."""


MOST_VIEWS = 64
"""Sorts of readers whose views are kept: four seats in three languages on two devices each, and everybody else."""


class ViewCache:
    """The newest view for each sort of reader: sixty pages cost one view. The oldest are dropped, and made again."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[tuple[str, ...], tuple[int, str]] = {}
        self._making: dict[tuple[str, ...], threading.Lock] = {}

    def text(self, key: tuple[str, ...], revision: int, make: Make) -> str:
        """The view as JSON, at least as new as the revision.

        Args:
            key: who reads: topic, language, and the seat or role where it matters.
            revision: of the topic, as heard.
            make: makes the view.
        """
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        with making:
            kept = self._kept.get(key)
            if kept is None or kept[0] < revision:
                kept = (revision, json.dumps(make(), ensure_ascii=False, separators=(",", ":")))
                self._keep(key, kept)
            return kept[1]

    def __len__(self) -> int:
        """How many views are kept."""
        return len(self._kept)

    def _keep(self, key: tuple[str, ...], view: tuple[int, str]) -> None:
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = view
            while len(self._kept) > MOST_VIEWS:
                oldest = next(iter(self._kept))
                del self._kept[oldest]
                self._making.pop(oldest, None)


def last_revision(hub: Hub, last_event_id: str | None) -> int:
    """What a listener has seen already; -1 for one that comes anew or from before a restart."""
    boot, _, number = (last_event_id or "").partition(".")
    if boot != hub.boot or not number.isdecimal():
        return -1
    return int(number)


def event_stream(
    hub: Hub,
    makers: Mapping[Topic, Callable[[int], str]],
    last_event_id: str | None,
    heartbeat_s: float,
) -> Iterator[str]:
    """The text of one listener's stream: first what it missed, then all news, and a beat in between.

    Args:
        hub: where the news comes from.
        makers: by topic, the view as JSON, at least as new as the revision.
        last_event_id: as the browser sends it.
        heartbeat_s: a comment goes out after so long a silence.

    Raises:
        HubFullError: before the first text, when no more listeners can be served.
    """
    entered = hub.listen()
    mailbox = entered.__enter__()

    def stream() -> Iterator[str]:
        try:
            yield from _stream(hub, mailbox, makers, last_event_id, heartbeat_s)
        finally:
            entered.__exit__(None, None, None)

    return stream()


def _stream(
    hub: Hub,
    mailbox: Mailbox,
    makers: Mapping[Topic, Callable[[int], str]],
    last_event_id: str | None,
    heartbeat_s: float,
) -> Iterator[str]:
    seen = last_revision(hub, last_event_id)
    yield "retry: 1500\n\n"
    missed = {topic: hub.revision(topic) for topic in makers}
    for topic, revision in missed.items():
        if revision > seen:
            yield _event(hub, topic, revision, makers[topic](revision))
    while not mailbox.closed:
        news = mailbox.take(heartbeat_s)
        if not news:
            yield "event: beat\ndata: 0\n\n"
        for topic, revision in news.items():
            if topic in makers:
                yield _event(hub, topic, revision, makers[topic](revision))


def _event(hub: Hub, topic: Topic, revision: int, text: str) -> str:
    return f"id: {hub.boot}.{revision}\nevent: {topic}\ndata: {text}\n\n"
