"""The demo's people: they play by the rules, and what they do to the table is what their moves mean."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from types import MappingProxyType

import pytest

from companion.adapters.journal_disk import DiskJournal
from companion.errors import BadInputError
from companion.games.takenoko.hexgrid import Hex
from companion.games.takenoko.moves import Draw, End, Roll
from companion.games.takenoko.pieces import Weather
from companion.observation import ExpectedLook
from companion.reconcile.look import expected_look
from companion.reconcile.timeline import is_told
from companion.record import Do, Game
from companion.services.evening import Evening
from companion.services.hub import Hub
from companion.services.library import Library
from companion.services.pending import Step
from companion.services.people import People, PlayedTable, look_after
from companion.services.ports import Mismatch, Sight
from companion.signals import Button, Lamp


class Table:
    """A table without a camera."""

    def __init__(self):
        self.expected = ExpectedLook(MappingProxyType({}), frozenset(), Hex(0, 0), Hex(0, 0))
        self.hands = []
        self.puts = []

    def lay(self, look):
        self.expected = look

    def reach(self, at):
        self.hands.append(at)

    def look(self):
        return {"plots": {}, "channels": [], "gardener": "0,0", "panda": "0,0", "hand": False, "lamp": True}

    def put(self, what, at, value):
        self.puts.append((what, at, value))

    def disturb(self, what):
        self.puts.append(what)


class Evenings:
    """People at a table, a companion, and time that passes only in what they do; `idle` is called while they wait."""

    def __init__(self, folder, seed=1, rounds=10_000):
        ids = itertools.count()
        self.clock_s = 0.0
        self.rounds = rounds
        self.idle = lambda: None
        self.table = Table()
        self.people = People(("Aki", "Oksana"), Random(seed), self.table, self.wait)
        die = Random(seed + 1)
        self.evening = Evening(
            Library(folder, DiskJournal), Hub("boot", 4), self, lambda: f"id-{next(ids)}",
            lambda: die.choice(list(Weather)),
        )  # fmt: skip

    def wait(self, seconds):
        self.clock_s += seconds
        self.rounds -= 1
        self.idle()
        return self.rounds <= 0

    def monotonic(self):
        """The house's own clock: it goes only while people wait."""
        return float(self.clock_s)

    def utc(self):
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.clock_s)

    @property
    def snapshot(self):
        return self.evening.session.snapshot()


@pytest.fixture
def evenings(tmp_path):
    made = Evenings(tmp_path)
    yield made
    made.evening.close()


def begin(evenings, turns=6):
    evenings.evening.begin(evenings.people.header, evenings.people.play_ahead(turns))
    evenings.evening.session.watch(True)


def all_seeing_companion(evenings):
    """Writes each turn as it was played once its end is told, as a perfect watcher would."""
    steps: list[Step] = []
    people_do = evenings.people._do

    def see():
        now = evenings.snapshot
        if any(isinstance(told.move, End) for told in now.pending.told):
            known = {step.told for step in steps}
            late = [Step(told.seat, told.move, told.id) for told in now.pending.told if told.id not in known]
            evenings.evening.session.commit(now.version, [*steps, *late], p=0.99)
            steps.clear()

    def noted(evening, seat, move, state):
        if not is_told(move):
            steps.append(Step(seat, move))
        before = len(evenings.snapshot.pending.told)
        going_home = people_do(evening, seat, move, state)
        waiting = evenings.snapshot.pending.told
        if is_told(move) and len(waiting) > before:
            steps.append(Step(seat, waiting[-1].move, waiting[-1].id))
        return going_home

    evenings.people._do = noted
    evenings.idle = see


def test_what_was_played_before_is_a_legal_record_that_hides_the_cards(evenings):
    events = evenings.people.play_ahead(9)
    game = Game.start(evenings.people.header)
    for event in events:
        game = game.append(event)
    assert expected_look(game.state) == expected_look(evenings.people.state) == evenings.table.expected
    assert all(event.move.card is None for event in events if isinstance(event, Do) and isinstance(event.move, Draw))
    assert sum(len(seat.hand) for seat in game.state.seats) == 0


def test_people_play_to_the_end_and_the_table_always_lies_as_they_played(evenings):
    begin(evenings)
    all_seeing_companion(evenings)
    evenings.people._rng = Random(0)
    evenings.people._with_slip = lambda look, _before, _after: look
    evenings.people.play(evenings.evening)
    assert evenings.snapshot.game.state.over
    assert evenings.table.expected == expected_look(evenings.people.state)
    assert evenings.table.hands.count(None) == len(evenings.table.hands) / 2


def test_the_die_is_the_companion_s(evenings):
    begin(evenings, turns=12)
    all_seeing_companion(evenings)
    evenings.rounds = 80
    evenings.people.play(evenings.evening)
    rolls = [event for event in evenings.snapshot.game.events if isinstance(event, Do) and isinstance(event.move, Roll)]
    assert {event.by for event in rolls} == {"simulated", "button"}


def test_nobody_plays_while_paused_or_while_nobody_watches(evenings):
    begin(evenings)
    evenings.evening.session.watch(False)
    evenings.rounds = 20
    before = evenings.table.expected
    evenings.people.play(evenings.evening)
    assert evenings.table.expected == before


def test_only_what_a_move_changes_is_moved(evenings):
    before = ExpectedLook(MappingProxyType({}), frozenset(), Hex(0, 0), Hex(0, 0))
    begin(evenings)
    lying = evenings.table.expected
    after = replace(before, panda=Hex(1, 0))
    assert look_after(lying, before, after) == replace(lying, panda=Hex(1, 0))


def test_a_wanted_slip_is_made_and_mended_once_it_is_named(evenings):
    begin(evenings, turns=20)
    people, grown = evenings.people, None
    look = expected_look(people.state)
    cells = sorted(look.plots)[:2]
    before = replace(look, gardener=Hex(0, 0))
    taller = {at: replace(look.plots[at], bamboo=look.plots[at].bamboo + 1) for at in cells}
    after = replace(look, gardener=cells[0], plots=MappingProxyType(dict(look.plots) | taller))
    people.slip_wanted = True
    slipped = people._with_slip(after, before, after)
    grown = people._forgotten
    assert grown in cells
    assert slipped.plots[grown] == before.plots[grown]
    evenings.table.lay(slipped)
    evenings.evening.session.report(Sight(Lamp.DISAGREEMENT, (Mismatch("growth_forgotten", str(grown), "", "", 0.9),)))
    people._until_accepted(evenings.evening)
    assert evenings.table.expected.plots[grown] == expected_look(people.state).plots[grown]
    assert people._forgotten is None


def test_a_visitor_s_hand_pauses_the_people(evenings):
    changes = []
    toy = PlayedTable(evenings.table, evenings.people, lambda: changes.append(1))
    toy.put("panda", "1,0", "here")
    assert toy.look()["people"] is False
    toy.disturb("people")
    assert toy.look()["people"] is True
    toy.disturb("slip")
    toy.disturb("lamp")
    assert evenings.table.puts == [("panda", "1,0", "here"), "lamp"]
    assert len(changes) == 4
    with pytest.raises(BadInputError):
        toy.disturb("earthquake")


def test_buttons_are_pressed_with_a_finger_that_goes_up_again(evenings):
    pushed = []
    evenings.evening.push = lambda button, down: pushed.append((button, down))
    begin(evenings)
    evenings.people._click(evenings.evening, Button.NEXT)
    assert pushed == [(Button.NEXT, True), (Button.NEXT, False)]
