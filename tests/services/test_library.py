"""The folder of games: what a power cut leaves behind is mended or said, never guessed."""

from __future__ import annotations

import pytest

from companion.errors import BadInputError, StorageError
from companion.games.takenoko.moves import Draw, End
from companion.games.takenoko.pieces import Deck
from companion.record import Do, Header, write_header, write_line

HEADER = write_header(Header(seats=("Aki", "Oksana")))
DRAW = write_line(Do(0, Draw(Deck.PANDA), id="d1"))
END = write_line(Do(0, End(), id="e1"))
TOLD_END = '{"told":{"id":"e1","seat":0,"do":"end","by":"button","at":"2026-11-30T19:00:00Z"}}\n'


def game_file(library, *parts: str | bytes):
    path = library.path_of("evening")
    path.write_bytes(b"".join(part.encode() if isinstance(part, str) else part for part in parts))
    return path


def test_a_created_game_is_the_current_one_and_opens(library):
    library.create("evening", [HEADER, DRAW])
    assert library.current() == "evening"
    opened = library.open("evening")
    assert (opened.game.version, opened.torn, opened.trouble) == (2, False, None)


@pytest.mark.parametrize(
    "tail", ['{"seat":0,"do":"e', b"\0\0\0\0", '{"seat":0,"do":"\xff'.encode("latin-1"), "rubbish"]
)
def test_a_torn_last_line_is_dropped_said_and_written_over(library, tail):
    path = game_file(library, HEADER, DRAW, tail)
    opened = library.open("evening")
    assert (opened.game.version, opened.torn) == (2, True)
    opened.journal.append([END])
    assert path.read_text() == HEADER + DRAW + END


def test_a_last_line_that_lacks_only_its_end_counts(library):
    path = game_file(library, HEADER, DRAW.rstrip())
    opened = library.open("evening")
    assert (opened.game.version, opened.torn) == (2, False)
    opened.journal.append([END])
    assert path.read_text() == HEADER + DRAW + END


def test_a_bad_line_in_the_middle_is_refused_by_its_number(library):
    game_file(library, HEADER, DRAW, "rubbish\n", END)
    with pytest.raises(BadInputError, match="line 3"):
        library.open("evening")


def test_an_empty_file_is_refused(library):
    game_file(library, "")
    with pytest.raises(BadInputError):
        library.open("evening")


def test_what_was_told_is_there_again(library):
    game_file(library, HEADER, DRAW)
    library.pending_path("evening").write_text(TOLD_END)
    assert [told.id for told in library.open("evening").pending.told] == ["e1"]


def test_what_is_told_and_written_counts_once(library):
    game_file(library, HEADER, DRAW, END)
    library.pending_path("evening").write_text(TOLD_END)
    opened = library.open("evening")
    assert opened.pending.told == ()
    assert "e1" not in library.pending_path("evening").read_text()


def test_a_torn_line_of_the_pending_journal_is_dropped(library):
    game_file(library, HEADER, DRAW)
    library.pending_path("evening").write_text(TOLD_END + '{"told":{"id"')
    opened = library.open("evening")
    assert [told.id for told in opened.pending.told] == ["e1"]
    assert opened.pending.ops == 1


def test_a_disk_that_refuses_still_shows_the_game(library, disk):
    game_file(library, HEADER, DRAW)
    disk.refuse = "the disk is read-only"
    opened = library.open("evening")
    assert opened.game.version == 2
    assert opened.trouble == "the disk is read-only"
    with pytest.raises(StorageError):
        opened.journal.append([END])


def test_a_game_that_could_not_be_written_is_not_left_behind(library, disk):
    disk.refuse = "the disk is full"
    with pytest.raises(StorageError):
        library.create("evening", [HEADER])
    assert library.games() == []


@pytest.mark.parametrize("name", ["../secret", "", "a/b", ".hidden", "x" * 65, "a.b", "ä"])
def test_no_name_leaves_the_folder(library, name):
    with pytest.raises(BadInputError):
        library.path_of(name)


def test_names_are_free_even_when_the_clock_repeats_itself(library, clock):
    first = library.free_name(clock.utc())
    library.create(first, [HEADER])
    assert library.free_name(clock.utc()) == f"{first}-2"


def test_a_note_of_a_game_that_is_gone_is_passed_over(library):
    library.create("evening", [HEADER])
    library.path_of("evening").unlink()
    assert library.current() is None
