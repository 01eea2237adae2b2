"""Seats and the devices that hold them: kept on the disk, taken over by code, never two holders."""

import itertools
import random
import threading
from pathlib import Path

import pytest

from companion.adapters.journal_disk import DiskJournal
from companion.errors import BadInputError, StorageError
from companion.services.library import Library
from companion.services.seating import CODE_LETTERS, Seating, SeatTakenError, digest

GAME, COUNT = "2026-11-30-190000", 3


class FullDisk:
    """A journal that refuses every write."""

    def __init__(self, path: Path, **_: object) -> None:
        self.path = path

    def replace(self, _lines: list[str]) -> None:
        raise StorageError("the disk is full")

    append = replace

    def close(self) -> None:
        """Nothing is open."""


def seating(folder, open_journal=DiskJournal, seed=1):
    news = itertools.count()
    rng = random.Random(seed)
    library = Library(folder, open_journal)
    made = Seating(library, rng.choice, lambda: next(news))
    made.news = news
    return made


def told(made):
    """How many changes were told."""
    return next(made.news)


def test_a_phone_takes_a_free_seat_and_nobody_else_can(tmp_path):
    seats = seating(tmp_path)
    code = seats.take(GAME, COUNT, 1, "aki's phone")
    assert len(code) == 4
    assert set(code) <= set(CODE_LETTERS)
    assert seats.held_by(GAME, COUNT, "aki's phone") == (1,)
    assert seats.take(GAME, COUNT, 1, "aki's phone") == code
    with pytest.raises(SeatTakenError):
        seats.take(GAME, COUNT, 1, "another phone")
    assert seats.held_by(GAME, COUNT, "another phone") == ()
    assert told(seats) == 1


def test_a_tablet_may_hold_several_seats(tmp_path):
    seats = seating(tmp_path)
    for seat in (0, 2):
        seats.take(GAME, COUNT, seat, "tablet")
    assert seats.held_by(GAME, COUNT, "tablet") == (0, 2)


def test_the_code_brings_the_seat_back_and_is_used_up(tmp_path):
    """The phone that lost its cookie gets the seat; who saw the old code on the old phone gets nothing."""
    seats = seating(tmp_path)
    code = seats.take(GAME, COUNT, 0, "old phone")
    assert seats.take_over(GAME, COUNT, f" {code.lower()} ", "new phone") == 0
    assert seats.held_by(GAME, COUNT, "old phone") == ()
    assert seats.held_by(GAME, COUNT, "new phone") == (0,)
    with pytest.raises(BadInputError):
        seats.take_over(GAME, COUNT, code, "old phone")


def test_the_file_survives_and_holds_no_token(tmp_path):
    first = seating(tmp_path)
    code = first.take(GAME, COUNT, 2, "secret token")
    first.wish(GAME, COUNT, 2, "secret token", auto_claim=True)
    first.deal(GAME, COUNT, True)
    (text,) = [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()]
    assert "secret token" not in text
    again = seating(tmp_path, seed=2).of(GAME, COUNT)
    assert again.dealt
    assert again.seats[2].code == code
    assert again.seats[2].device == digest("secret token")
    assert again.seats[2].auto_claim


def test_who_leaves_shows_nothing_any_more(tmp_path):
    seats = seating(tmp_path)
    code = seats.take(GAME, COUNT, 0, "phone")
    seats.wish(GAME, COUNT, 0, "phone", shown=True)
    seats.leave(GAME, COUNT, 0, "phone")
    left = seats.of(GAME, COUNT).seats[0]
    assert left.device is None
    assert not left.shown
    assert left.code != code
    with pytest.raises(SeatTakenError):
        seats.leave(GAME, COUNT, 0, "phone")


def test_only_the_holder_can_wish(tmp_path):
    seats = seating(tmp_path)
    seats.take(GAME, COUNT, 0, "phone")
    with pytest.raises(SeatTakenError):
        seats.wish(GAME, COUNT, 0, "other", shown=True)
    assert not seats.of(GAME, COUNT).seats[0].shown


def test_the_host_can_free_a_seat_whose_phone_is_gone(tmp_path):
    seats = seating(tmp_path)
    seats.take(GAME, COUNT, 0, "drowned phone")
    seats.free(GAME, COUNT, 0)
    assert seats.held_by(GAME, COUNT, "drowned phone") == ()
    seats.take(GAME, COUNT, 0, "new phone")


def test_what_could_not_be_written_did_not_happen(tmp_path):
    seats = seating(tmp_path, FullDisk)
    with pytest.raises(StorageError):
        seats.take(GAME, COUNT, 0, "phone")
    assert seats.held_by(GAME, COUNT, "phone") == ()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"seats":[{}]}', '{"seats":[]}'])
def test_a_broken_file_means_that_nobody_holds_a_seat(tmp_path, text):
    seats = seating(tmp_path)
    (tmp_path / f"{GAME}.seats").write_text(text, encoding="utf-8")
    assert [seat.device for seat in seats.of(GAME, COUNT).seats] == [None] * COUNT


@pytest.mark.parametrize("seat", [-1, 3])
def test_there_is_no_such_seat(tmp_path, seat):
    with pytest.raises(BadInputError):
        seating(tmp_path).take(GAME, COUNT, seat, "phone")


def test_codes_of_one_game_differ(tmp_path):
    seats = seating(tmp_path)
    for _ in range(50):
        code = seats.of(GAME, COUNT).seats[0].code
        seats.take_over(GAME, COUNT, code, "phone")
        codes = [seat.code for seat in seats.of(GAME, COUNT).seats]
        assert len(set(codes)) == COUNT


def test_the_news_of_a_seat_goes_out_after_the_lock_was_let_go(tmp_path):
    """Whoever hears it may ask from another thread: two locks in two orders would stop the house."""
    asked = []

    def changed():
        other = threading.Thread(target=lambda: asked.append(made.held_by(GAME, COUNT, "t")), daemon=True)
        other.start()
        other.join(5)

    made = Seating(Library(tmp_path, DiskJournal), random.Random(1).choice, changed)
    made.take(GAME, COUNT, 1, "t")
    assert asked == [(1,)]
