"""Which device holds which seat, and what a seat wants of the companion: kept beside the record, not in it.

A device is a random token in a cookie; only its digest is written down. A seat has a short code: who types it takes the
seat over (a phone that lost its cookie, or another phone), and the seat gets a new code. Nothing is acknowledged that
is not on the disk.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from companion.errors import BadInputError, CompanionError, StorageError
from companion.services.library import Library

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without I, O, 0 and 1, which hands and eyes confuse."""
CODE_LENGTH = 4


class SeatTakenError(CompanionError):
    """Another device holds the seat."""


@dataclass(frozen=True, slots=True)
class SeatKeeping:
    """One seat."""

    code: str
    """Who types it takes the seat over."""
    device: str | None = None
    """Digest of the token of the device that holds it."""
    auto_claim: bool = False
    """Objectives are claimed for it as soon as they are met in its turn."""
    shown: bool = False
    """Its hand is shown to the table."""


@dataclass(frozen=True, slots=True)
class Seats:
    """All seats of one game."""

    seats: tuple[SeatKeeping, ...]
    dealt: bool = False
    """The companion deals the cards: the table plays without paper ones."""
    pictures: bool = False
    """The host allows pictures of the table to be kept."""

    def to_line(self) -> str:
        """The file's one line, with its end."""
        seats = [{"code": s.code, "device": s.device, "auto_claim": s.auto_claim, "shown": s.shown} for s in self.seats]
        return json.dumps({"seats": seats, "dealt": self.dealt, "pictures": self.pictures}) + "\n"

    @classmethod
    def from_text(cls, text: str) -> Seats:
        """Read the file.

        Raises:
            BadInputError: it cannot be read.
        """
        try:
            facts: Mapping[str, Any] = json.loads(text)
            seats = tuple(
                SeatKeeping(
                    str(s["code"]),
                    None if s.get("device") is None else str(s["device"]),
                    bool(s.get("auto_claim")),
                    bool(s.get("shown")),
                )
                for s in facts["seats"]
            )
            return cls(seats, bool(facts.get("dealt")), bool(facts.get("pictures")))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadInputError(f"the seats' file cannot be read: {error}") from error


def digest(token: str) -> str:
    """What is written down of a device's token."""
    return hashlib.sha256(token.encode()).hexdigest()


class Seating:
    """The seats of whichever game is asked for; one per process."""

    def __init__(
        self,
        library: Library,
        choose: Callable[[str], str],
        changed: Callable[[], None],
    ) -> None:
        """`choose` picks a letter by chance; `changed` is called after every change."""
        self._library = library
        self._choose = choose
        self._changed = changed
        self._lock = threading.RLock()
        self._known: dict[str, Seats] = {}

    def of(self, game: str, seats: int) -> Seats:
        """The seats of a game; nobody holds one where none was written down, or where the file is broken.

        Args:
            game: its name in the library.
            seats: how many it has.
        """
        with self._lock:
            found = self._known.get(game)
            if found is None or len(found.seats) != seats:
                found = self._known[game] = self._load(game, seats)
            return found

    def take(self, game: str, seats: int, seat: int, token: str) -> str:
        """Sit a device down on a free seat, or on its own again.

        Returns:
            The seat's code.

        Raises:
            SeatTakenError: another device holds it.
            StorageError: it could not be written.
        """
        with self._changing(game):
            kept = self._seat(game, seats, seat)
            if kept.device not in (None, digest(token)):
                raise SeatTakenError("another device holds this seat: use the seat's code")
            self._put(game, seats, seat, replace(kept, device=digest(token)))
            return kept.code

    def take_over(self, game: str, seats: int, code: str, token: str) -> int:
        """Give a seat to the device that knows its code; the seat gets a new one.

        Returns:
            Which seat.

        Raises:
            BadInputError: no seat has this code.
            StorageError: it could not be written.
        """
        typed = code.strip().upper()
        with self._changing(game):
            for seat, kept in enumerate(self.of(game, seats).seats):
                if kept.code == typed:
                    fresh = replace(kept, device=digest(token), code=self._new_code(game))
                    self._put(game, seats, seat, fresh)
                    return seat
        raise BadInputError("no seat has this code")

    def leave(self, game: str, seats: int, seat: int, token: str) -> None:
        """Let go of a seat; it is free for anybody then, and nothing of it is shown any more.

        Raises:
            SeatTakenError: the device does not hold it.
            StorageError: it could not be written.
        """
        with self._changing(game):
            kept = self._held(game, seats, seat, token)
            self._put(game, seats, seat, replace(kept, device=None, shown=False, code=self._new_code(game)))

    def free(self, game: str, seats: int, seat: int) -> None:
        """Take a seat from a device that is gone for good; the table is told by whoever calls this.

        Raises:
            StorageError: it could not be written.
        """
        with self._changing(game):
            kept = self._seat(game, seats, seat)
            self._put(game, seats, seat, replace(kept, device=None, shown=False, code=self._new_code(game)))

    def wish(
        self, game: str, seats: int, seat: int, token: str, *, auto_claim: bool | None = None, shown: bool | None = None
    ) -> None:
        """Set what a seat wants; None leaves it as it is.

        Raises:
            SeatTakenError: the device does not hold it.
            StorageError: it could not be written.
        """
        with self._changing(game):
            kept = self._held(game, seats, seat, token)
            fresh = replace(
                kept,
                auto_claim=kept.auto_claim if auto_claim is None else auto_claim,
                shown=kept.shown if shown is None else shown,
            )
            self._put(game, seats, seat, fresh)

    def deal(self, game: str, seats: int, dealt: bool) -> None:
        """Say whether the companion deals the cards of a game.

        Raises:
            StorageError: it could not be written.
        """
        with self._changing(game):
            self._write(game, replace(self.of(game, seats), dealt=dealt))

    def allow_pictures(self, game: str, seats: int, allowed: bool) -> None:
        """Say whether pictures of the table may be kept.

        Raises:
            StorageError: it could not be written.
        """
        with self._changing(game):
            self._write(game, replace(self.of(game, seats), pictures=allowed))

    def held_by(self, game: str, seats: int, token: str | None) -> tuple[int, ...]:
        """The seats that a device holds."""
        if not token:
            return ()
        mine = digest(token)
        return tuple(seat for seat, kept in enumerate(self.of(game, seats).seats) if kept.device == mine)

    @contextmanager
    def _changing(self, game: str) -> Iterator[None]:
        """One writer at a time; the news goes out after the lock was let go, since it asks other parts of the house."""
        with self._lock:
            before = self._known.get(game)
            yield
            changed = self._known.get(game) is not before
        if changed:
            self._changed()

    def _seat(self, game: str, seats: int, seat: int) -> SeatKeeping:
        known = self.of(game, seats).seats
        if not 0 <= seat < len(known):
            raise BadInputError(f"no seat {seat}")
        return known[seat]

    def _held(self, game: str, seats: int, seat: int, token: str) -> SeatKeeping:
        kept = self._seat(game, seats, seat)
        if kept.device != digest(token):
            raise SeatTakenError("this device does not hold the seat")
        return kept

    def _put(self, game: str, seats: int, seat: int, kept: SeatKeeping) -> None:
        known = self.of(game, seats)
        if known.seats[seat] != kept:
            self._write(game, replace(known, seats=(*known.seats[:seat], kept, *known.seats[seat + 1 :])))

    def _write(self, game: str, fresh: Seats) -> None:
        self._save(game, fresh)
        self._known[game] = fresh

    def _save(self, game: str, fresh: Seats) -> None:
        journal = self._library.open_journal(self._path(game))
        try:
            journal.replace([fresh.to_line()])
        finally:
            journal.close()

    def _path(self, game: str) -> Path:
        return self._library.path_of(game).with_suffix(".seats")

    def _load(self, game: str, seats: int) -> Seats:
        try:
            found = Seats.from_text(self._path(game).read_text(encoding="utf-8"))
            if len(found.seats) == seats:
                return found
        except (OSError, UnicodeDecodeError, BadInputError):
            pass
        codes: list[str] = []
        while len(codes) < seats:
            code = self._random_code()
            if code not in codes:
                codes.append(code)
        fresh = Seats(tuple(SeatKeeping(code) for code in codes))
        # A disk that refuses is told by the session; codes that live in memory alone serve until it writes again.
        with suppress(StorageError):
            self._save(game, fresh)
        return fresh

    def _new_code(self, game: str) -> str:
        taken = {kept.code for kept in self._known[game].seats}
        while (code := self._random_code()) in taken:
            pass
        return code

    def _random_code(self) -> str:
        return "".join(self._choose(CODE_LETTERS) for _ in range(CODE_LENGTH))
