"""Pictures of the table for a time-lapse, if the host allows it: one a turn, never more than a limit on the disk."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from companion.services.library import Library

_log = logging.getLogger(__name__)

LIMIT_BYTES = 200 * 1024 * 1024
"""Of all nights together; the oldest pictures make room."""
SUFFIX = ".pictures"


class PictureKeeper:
    """Keeps them beside the records, in a folder a night."""

    def __init__(self, library: Library, limit_bytes: int = LIMIT_BYTES) -> None:
        self._library = library
        self._limit = limit_bytes

    def lines(self, game: str) -> list[int]:
        """The lines of a record after which a picture was kept, in order."""
        return sorted(int(path.stem) for path in self._folder(game).glob("*.jpg") if path.stem.isdecimal())

    def path(self, game: str, line: int) -> Path | None:
        """A kept picture's file."""
        path = self._folder(game) / f"{line}.jpg"
        return path if path.is_file() else None

    def keep(self, game: str, line: int, picture: Callable[[], bytes | None]) -> bool:
        """Keep what the camera shows now, unless a picture of this line is there already.

        A disk that refuses costs a picture, never the game.

        Returns:
            Whether a picture was kept.
        """
        folder = self._folder(game)
        path = folder / f"{line}.jpg"
        try:
            if path.exists():
                return False
            jpeg = picture()
            if jpeg is None or len(jpeg) > self._limit:
                return False
            self._make_room(len(jpeg))
            folder.mkdir(exist_ok=True)
            path.write_bytes(jpeg)
        except OSError as error:
            _log.warning("no picture was kept: %s", error.strerror)
            return False
        return True

    def forget(self, game: str) -> None:
        """Delete all pictures of a night.

        Raises:
            OSError: the disk refuses.
        """
        folder = self._folder(game)
        if folder.is_dir():
            for path in folder.glob("*.jpg"):
                path.unlink()
            folder.rmdir()

    def _make_room(self, wanted: int) -> None:
        kept = [(path.stat(), path) for path in self._library.folder.glob(f"*{SUFFIX}/*.jpg")]
        kept.sort(key=lambda each: (each[0].st_mtime_ns, each[1].name))
        total = sum(facts.st_size for facts, _ in kept) + wanted
        for facts, path in kept:
            if total <= self._limit:
                return
            path.unlink()
            total -= facts.st_size

    def _folder(self, game: str) -> Path:
        return self._library.path_of(game).with_suffix(SUFFIX)
