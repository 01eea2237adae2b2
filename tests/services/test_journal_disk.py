"""The journal on the disk: real files, and a disk that refuses (RLIMIT_FSIZE stands in for a full one)."""

from __future__ import annotations

import resource
import signal
from contextlib import contextmanager

import pytest

from companion.adapters.journal_disk import DiskJournal
from companion.errors import StorageError


@contextmanager
def disk_full_after(size: int):
    """No file of this process may grow beyond so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "game.jsonl"


def test_lines_are_appended_in_order(path):
    journal = DiskJournal(path)
    journal.append(["one\n"])
    journal.append(["two\n", "three\n"])
    journal.close()
    assert path.read_text() == "one\ntwo\nthree\n"


def test_a_full_disk_keeps_nothing_of_what_it_refused(path):
    journal = DiskJournal(path)
    journal.append(["one\n"])
    with disk_full_after(10), pytest.raises(StorageError, match=r"game\.jsonl"):
        journal.append(["a line that is too long\n"])
    assert path.read_text() == "one\n"
    journal.append(["two\n"])
    assert path.read_text() == "one\ntwo\n"


def test_a_full_disk_leaves_the_old_content_when_it_is_replaced(path):
    journal = DiskJournal(path)
    journal.append(["one\n"])
    with disk_full_after(3), pytest.raises(StorageError):
        journal.replace(["something longer\n"])
    assert path.read_text() == "one\n"
    assert list(path.parent.iterdir()) == [path]
    journal.append(["two\n"])
    assert path.read_text() == "one\ntwo\n"


def test_replace_swaps_all_lines_and_goes_on(path):
    journal = DiskJournal(path)
    journal.append(["old\n"])
    journal.replace(["new\n"])
    journal.append(["more\n"])
    assert path.read_text() == "new\nmore\n"


def test_two_processes_cannot_write_one_game(path):
    first = DiskJournal(path)
    with pytest.raises(StorageError, match="another companion"):
        DiskJournal(path)
    first.close()
    DiskJournal(path).close()


def test_a_torn_end_is_cut_off(path):
    path.write_text('whole\n{"to')
    journal = DiskJournal(path, keep_bytes=6)
    journal.append(["next\n"])
    assert path.read_text() == "whole\nnext\n"


def test_a_folder_that_is_gone_is_named_with_a_remedy(tmp_path):
    with pytest.raises(StorageError, match="unplugged"):
        DiskJournal(tmp_path / "gone" / "game.jsonl")
