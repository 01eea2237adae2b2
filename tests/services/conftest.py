"""Fakes beside the ports that they obey: a clock that is wound by hand, a journal in memory that can refuse."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.errors import StorageError
from companion.games.takenoko.notation import parse_move
from companion.record import Game, Header, read_text, write_header
from companion.services.hub import Hub
from companion.services.library import Library
from companion.services.pending import Pending, read_pending
from companion.services.session import Session


class HandClock:
    """Time that stands still until it is moved."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.today = datetime(2026, 11, 30, 19, 0, tzinfo=UTC)

    def monotonic(self) -> float:
        return self.now_s

    def utc(self) -> datetime:
        return self.today

    def pass_s(self, seconds: float) -> None:
        self.now_s += seconds
        self.today += timedelta(seconds=seconds)


class MemoryJournal:
    """Lines in memory; `refuse` makes every write fail, as a full disk does."""

    def __init__(self, path: Path = Path("memory.jsonl"), lines: Sequence[str] = ()) -> None:
        self.path = path
        self.lines = list(lines)
        self.refuse: str | None = None
        self.closed = False

    def append(self, lines: Sequence[str]) -> None:
        if self.refuse:
            raise StorageError(self.refuse)
        self.lines += lines

    def replace(self, lines: Sequence[str]) -> None:
        if self.refuse:
            raise StorageError(self.refuse)
        self.lines = list(lines)

    def close(self) -> None:
        self.closed = True

    @property
    def text(self) -> str:
        return "".join(self.lines)


class Played:
    """A session on journals in memory, with short words for what tests do."""

    def __init__(self, *moves: str, hands=None, watched: bool = False) -> None:
        self.clock = HandClock()
        header = Header(seats=("Aki", "Oksana"), hands=hands)
        self.journal = MemoryJournal(lines=[write_header(header)])
        self.pending = MemoryJournal(Path("memory.pending"))
        self.news = 0
        ids = itertools.count()
        self.session = Session(
            Game.start(header),
            self.journal,
            Pending(),
            self.pending,
            self.clock,
            lambda: f"id-{next(ids)}",
            self._changed,
        )
        self.tell(*moves)
        self.session.watch(watched)

    def _changed(self) -> None:
        self.news += 1

    def tell(self, *moves: str, version: int | None = None) -> None:
        for text in moves:
            seat = self.session.snapshot().seat
            assert seat is not None
            self.session.tell(seat, parse_move(text), by="browser", version=version)

    @property
    def snapshot(self):
        return self.session.snapshot()

    @property
    def state(self):
        return self.session.snapshot().game.state

    def resumed(self) -> tuple[Game, Pending]:
        """What a new process reads from what was written."""
        result = read_text(self.journal.text.encode())
        assert result.fault is None
        assert result.game is not None
        return result.game, read_pending(self.pending.text)[0]


@pytest.fixture
def played():
    return Played


@pytest.fixture
def clock():
    return HandClock()


class MemoryDisk:
    """Opens journals on the real disk until it is told to refuse."""

    def __init__(self, opener) -> None:
        self.opener = opener
        self.refuse: str | None = None

    def __call__(self, path: Path, *, keep_bytes: int | None = None):
        if self.refuse:
            raise StorageError(self.refuse)
        return self.opener(path, keep_bytes=keep_bytes)


@pytest.fixture
def disk():
    from companion.adapters.journal_disk import DiskJournal

    return MemoryDisk(DiskJournal)


@pytest.fixture
def library(tmp_path, disk):
    return Library(tmp_path, disk)


@pytest.fixture
def hub():
    return Hub("boot", limit=8)
