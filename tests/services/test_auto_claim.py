"""Claims that the companion makes for a seat which wishes so: in its own turn, never against an undo."""

import itertools
from random import Random

import pytest

from companion.adapters.journal_disk import DiskJournal
from companion.games.takenoko.notation import format_move, parse_move
from companion.games.takenoko.pieces import Weather
from companion.record import Do, Header
from companion.services.evening import Evening
from companion.services.hub import Hub
from companion.services.library import Library
from companion.services.pending import Step
from companion.services.seat_helper import SeatHelper
from companion.services.seating import Seating

HANDS = (("plot-green-line", "gardener-pink-plain", "panda-green"), None)
TOKEN = "a token of Aki's phone"
BEFORE = ("plot green 1,0", "panda 1,0", "end", "plot pink 0,1", "panda 0,0", "end", "roll wind", "gardener 1,0")
"""Aki has eaten one green section; another stands on 1,0, and eating it meets `panda-green`."""


@pytest.fixture
def evening(tmp_path, clock):
    ids = itertools.count()
    made = Evening(
        Library(tmp_path, DiskJournal), Hub("boot", 4), clock, lambda: f"id-{next(ids)}", lambda: Weather.SUN
    )
    made.seat_helper = SeatHelper(Seating(made.library, Random(1).choice, made.changed), min)
    name = made.begin(Header(seats=("Aki", "Oksana"), hands=HANDS))
    made.seat_helper.seating.take(name, 2, 0, TOKEN)
    made.seat_helper.seating.wish(name, 2, 0, TOKEN, auto_claim=True)
    tell(made, *BEFORE)
    yield made
    made.close()


def tell(evening, *moves):
    for text in moves:
        evening.tell(parse_move(text), seat=None, by="phone")


def last_moves(evening, count):
    events = [event for _, event in evening.session.snapshot().game.standing() if isinstance(event, Do)]
    return [format_move(event.move) for event in events[-count:]]


def test_without_a_camera_a_card_is_claimed_as_soon_as_it_is_met(evening):
    tell(evening, "panda 1,0")
    assert last_moves(evening, 2) == ["panda 1,0", "claim panda-green"]


def test_with_a_camera_a_card_is_claimed_before_the_end_of_the_turn_that_met_it(evening):
    session = evening.session
    session.watch(True)
    tell(evening, "end")
    told = session.snapshot().pending.told[0]
    seen = (Step(0, parse_move("panda 1,0")), Step(0, told.move, told.id))
    session.commit(session.snapshot().version, seen, p=0.98)
    assert last_moves(evening, 3) == ["panda 1,0", "claim panda-green", "end"]


def test_nothing_is_claimed_while_something_told_waits(evening):
    session = evening.session
    session.watch(True)
    tell(evening, "claim gardener-pink-plain")
    tell(evening, "end")
    session.commit(session.snapshot().version, (Step(0, parse_move("panda 1,0")),), p=0.98)
    assert last_moves(evening, 1) == ["panda 1,0"]
    end = session.snapshot().pending.told[-1]
    session.place_told(end.id)
    assert last_moves(evening, 2) == ["claim panda-green", "end"]


def test_a_seat_that_does_not_wish_so_claims_nothing(evening):
    helper = evening.seat_helper
    helper.seating.wish(evening.name, 2, 0, TOKEN, auto_claim=False)
    tell(evening, "panda 1,0", "end")
    assert last_moves(evening, 2) == ["panda 1,0", "end"]


def test_a_claim_that_was_taken_back_stays_so_and_undo_goes_on_to_what_came_before(evening):
    tell(evening, "panda 1,0")
    session = evening.session
    session.undo_last(by="phone")
    assert last_moves(evening, 1) == ["panda 1,0"]
    session.undo_last(by="phone")
    assert last_moves(evening, 1) == ["gardener 1,0"]
    tell(evening, "panda 1,0")
    assert last_moves(evening, 2) == ["panda 1,0", "claim panda-green"]
