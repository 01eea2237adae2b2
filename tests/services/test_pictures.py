"""Pictures for the time-lapse: one a line, within the limit, and never in the way of the game."""

import os

import pytest

from companion.adapters.journal_disk import DiskJournal
from companion.errors import BadInputError
from companion.services.library import Library
from companion.services.pictures import PictureKeeper


@pytest.fixture
def keeper(tmp_path):
    return PictureKeeper(Library(tmp_path, DiskJournal), limit_bytes=1000)


def test_one_picture_is_kept_for_a_line(keeper):
    assert keeper.keep("night", 7, lambda: b"first")
    assert not keeper.keep("night", 7, lambda: pytest.fail("the camera is not asked again"))
    assert keeper.lines("night") == [7]
    assert keeper.path("night", 7).read_bytes() == b"first"
    assert keeper.path("night", 8) is None


def test_the_limit_holds_over_all_nights_and_the_oldest_goes(keeper, tmp_path):
    for line in range(12):
        night = "old" if line < 6 else "new"
        assert keeper.keep(night, line, lambda: b"x" * 150)
        os.utime(keeper.path(night, line), (line, line))
        total = sum(path.stat().st_size for path in tmp_path.rglob("*.jpg"))
        assert total <= 1000
    assert keeper.lines("old") == []
    assert keeper.lines("new") == [6, 7, 8, 9, 10, 11]


def test_a_picture_larger_than_the_limit_or_none_at_all_is_not_kept(keeper):
    assert not keeper.keep("night", 1, lambda: b"x" * 1001)
    assert not keeper.keep("night", 1, lambda: None)
    assert keeper.lines("night") == []


def test_a_refusing_disk_costs_a_picture_and_nothing_else(keeper, tmp_path):
    (tmp_path / "night.pictures").write_text("a file where the folder should be", encoding="utf-8")
    assert not keeper.keep("night", 1, lambda: b"x")


def test_pictures_are_forgotten_when_the_host_says_so(keeper, tmp_path):
    keeper.keep("night", 1, lambda: b"x")
    keeper.forget("night")
    assert list(tmp_path.rglob("*.jpg")) == []
    keeper.forget("night")


def test_a_name_never_leads_out_of_the_folder(keeper):
    with pytest.raises(BadInputError):
        keeper.keep("../elsewhere", 1, lambda: b"x")
