"""A file of lines that survives `kill -9` and a pulled plug: what `append` returned from is on the disk."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
from collections.abc import Sequence
from pathlib import Path

from companion.errors import StorageError

_REMEDIES = {
    errno.ENOSPC: "the disk is full: delete something, then try again",
    errno.EDQUOT: "the disk quota is used up: delete something, then try again",
    errno.EROFS: "the disk is read-only: a failing SD card does this; copy the record, change the card",
    errno.EACCES: "this user may not write there: check the owner of the folder",
    errno.EPERM: "this user may not write there: check the owner of the folder",
    errno.EIO: "the disk reports an error: save the record elsewhere and change the card",
    errno.ENOENT: "the folder is gone: was the disk unplugged?",
}


def storage_error(path: Path, error: OSError) -> StorageError:
    """Say which file and what to do about it."""
    remedy = _REMEDIES.get(error.errno or 0, error.strerror or str(error))
    return StorageError(f"cannot write {path}: {remedy}")


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class DiskJournal:
    """One append-only file, locked for this process while it is open."""

    def __init__(self, path: Path, *, keep_bytes: int | None = None) -> None:
        """Open or create it; `keep_bytes` cuts off a torn end that the reader found.

        Raises:
            StorageError: if it cannot be written, or another process writes it.
        """
        self.path = path
        try:
            is_new = not path.exists()
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
        except OSError as error:
            raise storage_error(path, error) from error
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._handle)
            raise StorageError(
                f"{path} is in use: another companion is running this game; stop that one first"
            ) from error
        try:
            self._length = os.fstat(self._handle).st_size
            if keep_bytes is not None and keep_bytes < self._length:
                os.ftruncate(self._handle, keep_bytes)
                os.fsync(self._handle)
                self._length = keep_bytes
            if is_new:
                os.fsync(self._handle)
                _sync_folder(path.parent)
        except OSError as error:
            os.close(self._handle)
            raise storage_error(path, error) from error

    def append(self, lines: Sequence[str]) -> None:
        """Write lines (each with its end) and return when they are on the disk; on an error nothing is kept.

        Raises:
            StorageError: the disk refused.
        """
        payload = "".join(lines).encode()
        try:
            # A failure before may have left a tail that could not be cut off then.
            if os.fstat(self._handle).st_size != self._length:
                os.ftruncate(self._handle, self._length)
            offset = self._length
            view = memoryview(payload)
            while view:
                written = os.pwrite(self._handle, view, offset)
                offset += written
                view = view[written:]
            os.fsync(self._handle)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._handle, self._length)
                os.fsync(self._handle)
            raise storage_error(self.path, error) from error
        self._length += len(payload)

    def replace(self, lines: Sequence[str]) -> None:
        """Swap the whole content (lines with their ends) at once, or leave it.

        Raises:
            StorageError: the disk refused.
        """
        fresh = self.path.with_name(self.path.name + ".new")
        payload = "".join(lines).encode()
        try:
            handle = os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o640)
        except OSError as error:
            raise storage_error(self.path, error) from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            view = memoryview(payload)
            while view:
                view = view[os.write(handle, view) :]
            os.fsync(handle)
            fresh.replace(self.path)
        except OSError as error:
            os.close(handle)
            fresh.unlink(missing_ok=True)
            raise storage_error(self.path, error) from error
        os.close(self._handle)
        self._handle, self._length = handle, len(payload)
        try:
            _sync_folder(self.path.parent)
        except OSError as error:
            raise storage_error(self.path, error) from error

    def close(self) -> None:
        """Let go of the file and its lock."""
        os.close(self._handle)
