"""The folder of games: one record a game, its pending journal beside it, and a note of which one is being played."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from companion.errors import BadInputError, StorageError
from companion.record import Game, read_text
from companion.services.pending import Pending, read_pending, unsettled
from companion.services.ports import Journal

_NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,63}")
CURRENT = "current"


class OpenJournal(Protocol):
    """How a journal is opened: the disk's way in the house, another in tests."""

    def __call__(self, path: Path, *, keep_bytes: int | None = None) -> Journal:
        """Open or create it.

        Raises:
            StorageError: it cannot be written.
        """


@dataclass(frozen=True, slots=True)
class GameFile:
    """One game of the folder."""

    name: str
    path: Path
    changed_s: float
    """Seconds since the epoch, as the disk says."""


@dataclass(frozen=True, slots=True)
class OpenGame:
    """A game as read and opened for writing."""

    name: str
    game: Game
    journal: Journal
    pending: Pending
    pending_journal: Journal
    torn: bool
    """A last line that a power cut had torn was dropped; it had not been acknowledged."""
    trouble: str | None
    """Why it can only be looked at."""


class RefusingJournal:
    """Stands for a file that could not be opened: every write is refused with the same reason."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self._reason = reason

    def append(self, lines: Sequence[str]) -> None:  # noqa: ARG002 (the port's signature)
        """Refuse."""
        raise StorageError(self._reason)

    def replace(self, lines: Sequence[str]) -> None:  # noqa: ARG002
        """Refuse."""
        raise StorageError(self._reason)

    def close(self) -> None:
        """Nothing is open."""


class Library:
    """The folder of games."""

    def __init__(self, folder: Path, open_journal: OpenJournal) -> None:
        self.folder = folder
        self.open_journal = open_journal

    def path_of(self, name: str) -> Path:
        """The record of a game.

        Raises:
            BadInputError: for a name that is no plain name (and may so leave the folder).
        """
        if not _NAME.fullmatch(name):
            raise BadInputError(f"no game is called {name[:40]!r}")
        return self.folder / f"{name}.jsonl"

    def pending_path(self, name: str) -> Path:
        """The pending journal of a game."""
        return self.path_of(name).with_suffix(".pending")

    def questions_asked(self, name: str) -> int | None:
        """How often the companion asked in a game; None where no pending journal tells it.

        Raises:
            BadInputError: for a name that is no plain name.
        """
        path = self.pending_path(name)
        try:
            return read_pending(path.read_text(encoding="utf-8"))[0].asked
        except (OSError, ValueError):
            return None  # a night's numbers can be shown without it

    def games(self) -> list[GameFile]:
        """All games, the newest first."""
        found = [
            GameFile(path.stem, path, path.stat().st_mtime)
            for path in self.folder.glob("*.jsonl")
            if _NAME.fullmatch(path.stem)
        ]
        return sorted(found, key=lambda game: (game.changed_s, game.name), reverse=True)

    def current(self) -> str | None:
        """The game that was being played, if it is still there."""
        try:
            name = (self.folder / CURRENT).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return None
        return name if _NAME.fullmatch(name) and self.path_of(name).exists() else None

    def free_name(self, now: datetime) -> str:
        """A name for a new game: the local date and time, with a number where the clock repeats itself."""
        stem = now.astimezone().strftime("%Y-%m-%d-%H%M%S")
        name, number = stem, 1
        while self.path_of(name).exists():
            number += 1
            name = f"{stem}-{number}"
        return name

    def create(self, name: str, lines: Sequence[str]) -> None:
        """Write a new record and make it the current game.

        Raises:
            StorageError: nothing of it was kept.
        """
        path = self.path_of(name)
        try:
            journal = self.open_journal(path)
            try:
                journal.append(lines)
            finally:
                journal.close()
        except StorageError:
            path.unlink(missing_ok=True)
            raise
        self.make_current(name)

    def make_current(self, name: str) -> None:
        """Remember which game is being played.

        Raises:
            StorageError: it could not be written.
        """
        journal = self.open_journal(self.folder / CURRENT)
        try:
            journal.replace([name + "\n"])
        finally:
            journal.close()

    def open(self, name: str) -> OpenGame:
        """Read a game and open it for writing; what a power cut tore off is dropped, and said.

        A disk that refuses does not keep the game from being shown: `trouble` tells why nothing can be written.

        Raises:
            BadInputError: the record cannot be read.
        """
        path, pending_path = self.path_of(name), self.pending_path(name)
        game, good_bytes, lacks_end, torn = _read_game(path)
        try:
            # A power cut can leave anything at the end; what is no text is no line either.
            text = pending_path.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            text = ""
        pending, pending_torn = read_pending(text)
        pending, operations = unsettled(pending, (event.id for event in game.events), game.version)
        trouble: str | None = None
        journal: Journal
        pending_journal: Journal
        try:
            journal = self.open_journal(path, keep_bytes=good_bytes)
            try:
                if lacks_end:
                    journal.append(["\n"])
                pending_journal = self.open_journal(pending_path)
                if pending_torn or operations or text:
                    pending_journal.replace(pending.lines())
            except StorageError:
                journal.close()
                raise
        except StorageError as error:
            trouble = str(error)
            journal = RefusingJournal(path, trouble)
            pending_journal = RefusingJournal(pending_path, trouble)
        return OpenGame(name, game, journal, pending, pending_journal, torn, trouble)


def _read_game(path: Path) -> tuple[Game, int, bool, bool]:
    """Read a record that is to be written on.

    Returns:
        The game, how many bytes of the file are good, whether the last line lacks its end, and whether a torn last
        line (never acknowledged) has to be cut off.

    Raises:
        BadInputError: naming the first line that is refused.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInputError(f"{path}: cannot read it: {error.strerror}") from error
    result = read_text(data)
    whole = data.rfind(b"\n") + 1
    lacks_end = whole < len(data)
    torn = result.torn
    if result.game is not None and result.fault is not None and lacks_end:
        # A power cut can leave anything after the last line end, zeros for instance.
        torn = result.fault.line == data.count(b"\n") + 1
    if result.game is None or (result.fault is not None and not torn):
        fault = result.fault
        where = f"line {fault.line}: {fault.message} ({fault.rule})" if fault is not None else "no header"
        raise BadInputError(f"{path.name}, {where}")
    return result.game, whole if torn else len(data), lacks_end and not torn, torn
