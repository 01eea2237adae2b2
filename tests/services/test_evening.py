"""The evening: buttons do what a person expects with no page open, and the lamps tell the truth."""

from __future__ import annotations

import itertools

import pytest

from companion.adapters.journal_disk import DiskJournal
from companion.errors import StaleCommandError, StorageError
from companion.games.takenoko.moves import Roll
from companion.games.takenoko.notation import format_move, parse_move
from companion.games.takenoko.pieces import Weather
from companion.record import Do, Header
from companion.services.evening import MET_SHOWN_S, NEXT_AGAIN_S, Evening
from companion.services.hub import Topic
from companion.services.ports import Sight
from companion.signals import Button, Lamp, Sound

OPENING = ("plot green 1,0", "draw panda", "end", "plot green 0,1", "draw panda", "end")
"""Both first turns: from here on the die is rolled."""


class FakePanel:
    def __init__(self):
        self.lights = None
        self.sounds = []
        self.troubles = ()

    def listen(self, pressed):
        self.pressed = pressed

    def show(self, lights):
        self.lights = lights

    def sound(self, sound):
        self.sounds.append(sound)

    def trouble(self):
        return self.troubles

    def close(self):
        pass


class FakeWatcher:
    def __init__(self):
        self.looks = 0

    def start(self):
        pass

    def look_now(self):
        self.looks += 1

    def stop(self):
        pass


@pytest.fixture
def evening(library, hub, clock):
    return make(library, hub, clock)


def make(library, hub, clock, die=lambda: Weather.STORM):
    ids = itertools.count()
    return Evening(library, hub, clock, lambda: f"id-{next(ids)}", die, panel=FakePanel())


def begun(evening, *moves):
    evening.begin(Header(seats=("Aki", "Oksana")))
    for text in moves:
        evening.tell(parse_move(text), seat=None, by="browser")
    return evening


def state(evening):
    return evening.session.snapshot().game.state


def last_event(evening):
    return evening.session.snapshot().game.events[-1]


def test_roll_rolls_the_digital_die_and_records_it(evening):
    begun(evening, *OPENING)
    evening.press(Button.ROLL)
    event = last_event(evening)
    assert isinstance(event, Do)
    assert (event.move, event.by, event.seat) == (Roll(Weather.STORM), "button", 0)
    assert evening.panel.lights.weather == {Weather.STORM}


def test_roll_asks_for_the_face_of_a_real_die(library, hub, clock):
    evening = begun(make(library, hub, clock, die=None), *OPENING)
    evening.press(Button.ROLL)
    assert evening.face_asked
    assert state(evening).turn.weather is None
    evening.roll(Weather.RAIN, by="host")
    assert not evening.face_asked
    assert state(evening).turn.weather is Weather.RAIN
    with pytest.raises(StaleCommandError):
        evening.roll_digital(by="host")


def test_a_second_roll_is_refused_with_a_sound_and_a_word(evening):
    begun(evening, *OPENING)
    evening.press(Button.ROLL)
    version = evening.session.snapshot().version
    evening.press(Button.ROLL)
    assert evening.session.snapshot().version == version
    assert evening.panel.sounds == [Sound.REFUSED]
    assert evening.note.bad
    assert evening.note.message.params["rule"].startswith("T-")


def test_next_ends_the_turn_and_has_the_table_looked_at(evening):
    begun(evening, "plot green 1,0", "draw panda")
    watcher = FakeWatcher()
    evening.attach(watcher)
    evening.press(Button.NEXT)
    assert watcher.looks == 1
    assert [format_move(told.move) for told in evening.session.snapshot().pending.told] == ["end"]


def test_next_pressed_twice_ends_one_turn(evening, clock):
    begun(evening, "plot green 1,0", "draw panda")
    evening.press(Button.NEXT)
    clock.pass_s(0.8)
    evening.press(Button.NEXT)
    assert state(evening).turn.seat == 1
    clock.pass_s(NEXT_AGAIN_S)
    evening.press(Button.NEXT)
    assert state(evening).turn.seat == 0


def test_next_pressed_again_while_the_camera_looks_ends_one_turn(evening, clock):
    begun(evening, "plot green 1,0", "draw panda")
    evening.attach(FakeWatcher())
    evening.press(Button.NEXT)
    clock.pass_s(10)
    evening.press(Button.NEXT)
    assert [format_move(told.move) for told in evening.session.snapshot().pending.told] == ["end"]
    assert evening.note.bad


def test_check_looks_and_lights_as_many_lamps_as_cards_are_met(evening, clock):
    begun(evening, "plot green 1,0", "draw panda")
    evening.session.correct({"bamboo": {"1,0": 4}}, "grown", by="host")
    watcher = FakeWatcher()
    evening.attach(watcher)
    evening.press(Button.CHECK)
    assert watcher.looks == 1
    assert len(evening.panel.lights.weather) == 1  # gardener-green-plain
    clock.pass_s(MET_SHOWN_S)
    evening.tick()
    assert evening.panel.lights.weather == frozenset()


def test_undo_takes_back_the_last_event(evening):
    begun(evening, "plot green 1,0")
    evening.press(Button.UNDO)
    assert state(evening).plots == {}


@pytest.mark.parametrize("button", list(Button))
def test_a_button_with_no_game_running_is_refused_kindly(evening, button):
    evening.press(button)
    assert evening.note.bad
    assert evening.panel.sounds == [Sound.REFUSED]


@pytest.mark.parametrize("button", [Button.ROLL, Button.UNDO])
def test_a_button_on_a_full_disk_says_so_and_the_lamp_is_red(evening, button, monkeypatch):
    def refuse(_lines):
        raise StorageError("the disk is full")

    begun(evening, *OPENING)
    monkeypatch.setattr(DiskJournal, "append", lambda _journal, lines: refuse(lines))
    version = evening.session.snapshot().version
    evening.press(button)
    assert evening.session.snapshot().version == version
    assert evening.panel.lights.lamp is Lamp.TROUBLE
    assert evening.trouble() == ("the disk is full",)


def test_after_a_restart_the_game_goes_on_by_itself(library, hub, clock):
    first = begun(make(library, hub, clock), "plot green 1,0")
    first.attach(FakeWatcher())
    first.tell(parse_move("end"), seat=None, by="button")
    before = first.session.snapshot()
    first.close()
    second = make(library, hub, clock)
    second.resume_current()
    after = second.session.snapshot()
    assert (after.game.state, after.pending, after.version) == (before.game.state, before.pending, before.version)
    assert second.note.message.id == "log.resume"


def test_a_record_that_cannot_be_read_is_said_and_not_fatal(library, hub, clock):
    begun(make(library, hub, clock)).close()
    library.path_of(library.current()).write_text("rubbish\n")
    second = make(library, hub, clock)
    second.resume_current()
    assert second.session is None
    assert second.note.message.id == "trouble.resume"


def test_a_disk_that_is_well_again_is_used_again(library, hub, clock, disk):
    begun(make(library, hub, clock), "plot green 1,0").close()
    disk.refuse = "the disk is read-only"
    evening = make(library, hub, clock)
    evening.resume_current()
    assert evening.trouble() == ("the disk is read-only",)
    assert evening.lamp() is Lamp.TROUBLE
    disk.refuse = None
    evening.retry_disk()
    assert evening.trouble() == ()
    evening.tell(parse_move("draw panda"), seat=None, by="browser")


def test_the_lamp_follows_the_watcher_and_goes_out_with_it(evening):
    begun(evening)
    assert evening.panel.lights.lamp is Lamp.BY_HAND
    evening.attach(FakeWatcher())
    evening.session.report(Sight(Lamp.LOOKING))
    assert evening.panel.lights.lamp is Lamp.LOOKING
    evening.attach(None)
    assert evening.panel.lights.lamp is Lamp.BY_HAND


def test_a_shorted_button_is_said(evening):
    begun(evening)
    evening.panel.troubles = ("button roll stays down: is it shorted?",)
    evening.tick()
    assert evening.trouble() == evening.panel.troubles


def test_every_change_is_news_for_the_pages(evening, hub):
    before = hub.revision(Topic.TABLE)
    begun(evening, "plot green 1,0")
    assert hub.revision(Topic.TABLE) > before


def test_two_games_do_not_share_a_file(evening):
    first = begun(evening, "plot green 1,0").name
    second = begun(evening).name
    assert first != second
    assert len(state(evening).plots) == 0
    evening.resume(first)
    assert len(state(evening).plots) == 1
