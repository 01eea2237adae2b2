"""A Pi that is not quite right: the game starts all the same, goes on, and the page says what is wrong.

Each thing that a Pi must survive, and where it is tried; `make appliance` tries those marked * on a real system too.

| what | here, and |
|---|---|
| power cut at any moment * | `services/test_crash.py`, `services/test_process_crash.py` |
| SD card full * or read-only | `services/test_journal_disk.py`, `services/test_session.py` |
| camera absent at boot, busy, unplugged and back | `vision/cameras/test_sources.py`, `vision/test_live.py` |
| buttons shorted, an exception in a callback | `hardware/test_panel_gpio.py`, `hardware/test_gestures.py` |
| wrong pins in the config | `services/test_config.py` |
| the clock jumping by years * | `web/test_clock.py`, `services/test_library.py` |
| network gone and back | `browser/test_phones.py`, `web/test_clients.py` |
| an older data folder | only here |
"""

from __future__ import annotations

import errno
import os
import shutil
import threading
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion import app
from companion.adapters.panel_gpio import GpioPanel
from companion.cli import running
from companion.config import Config, PanelConfig, load_config_to_run
from companion.errors import BadInputError, CameraError, PanelError, StorageError
from companion.games.takenoko.notation import parse_move
from companion.observation import Observation, Status
from companion.record import Header
from companion.services.watcher import LiveWatcher
from companion.signals import Button
from vision.cameras.reconnecting import ReconnectingCamera
from vision.frame import Frame
from vision.live import LiveTable

OLDER = Path(__file__).with_name("older_data")


@pytest.fixture
def config(tmp_path):
    return Config(data=tmp_path / "data", panel=PanelConfig(enabled=True))


@pytest.fixture
def open_house(config):
    """Builds a house, again and again as after a restart; the one before is closed."""
    built = []

    def build(**parts):
        while built:
            built.pop().close()
        built.append(app.build_house(parts.pop("config", config), **{"panel": None, **parts}))
        return built[0]

    yield build
    while built:
        built.pop().close()


def begin(house):
    house.evening.begin(Header(seats=("Aki", "Oksana")))
    return house


def page(house):
    """What every phone is shown."""
    house.evening.tick()
    return house.pages.test_client().get("/table.json").get_json()


def tell(house, move):
    house.evening.tell(parse_move(move), seat=0, by="browser")


# The pins.


def test_a_pin_that_another_program_holds_does_not_keep_the_game_from_starting(config, monkeypatch):
    def refused(_config, _clock):
        raise PanelError("roll: GPIO 5 is in use by another program: give it another pin")

    monkeypatch.setattr(app, "real_panel", refused)
    house = app.build_house(config)
    try:
        assert page(house)["trouble"] == ["roll: GPIO 5 is in use by another program: give it another pin"]
        assert house.evening.lamp().value == "trouble"
    finally:
        house.close()


@pytest.mark.parametrize(
    ("panel", "says"),
    [("roll = 99", "panel.roll"), ("roll = 6", "both use GPIO 6"), ("rol = 5", "did you mean 'roll'")],
)
def test_wrong_pins_in_the_config_do_not_keep_the_game_from_starting(tmp_path, monkeypatch, panel, says):
    path = tmp_path / "config.toml"
    path.write_text(f'data = "data"\n[web]\nhost = "127.0.0.1"\nport = 1\n[panel]\nenabled = true\n{panel}\n')
    shown = []

    class Server:
        def __init__(self, pages, *_):
            self._pages = pages

        def run(self, _stopping):
            shown.append(self._pages.test_client().get("/table.json").get_json()["trouble"])

    monkeypatch.setattr(running, "WsgiServer", Server)
    # The evening's own loop would tell within half a second; here its turn is taken by hand.
    monkeypatch.setattr(app.House, "start", lambda house, **_: house.evening.tick())
    assert running.run(path, data=None, camera=None, port=None, host=None, demo=False) == 0
    ((sentence,),) = shown
    assert says in sentence
    assert str(path) in sentence


def test_anything_else_that_is_wrong_in_the_config_is_still_refused(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text("[panel]\nroll = 99\n[web]\nport = 0\n")
    with pytest.raises(BadInputError) as refused:
        load_config_to_run(path)
    assert len(str(refused.value).splitlines()) == 2


class Bench:
    """A panel on mock pins, with a clock of its own."""

    def __init__(self, config):
        self.now_s = 100.0
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.pins = app.panel_pins(config)
        self.panel = GpioPanel(self.pins, self.factory, lambda: self.now_s)
        self.panel.listen = lambda pressed: setattr(self.panel, "_pressed", pressed)  # time is moved by hand

    def wait(self, seconds):
        self.panel.drain(self.now_s)
        self.now_s += seconds
        self.panel.drain(self.now_s)

    def short(self, button):
        self.factory.pin(self.pins.buttons[button]).drive_low()

    def mend(self, button):
        self.factory.pin(self.pins.buttons[button]).drive_high()


@pytest.fixture
def bench(config):
    return Bench(config)


def test_a_shorted_button_is_named_on_the_page_until_it_is_mended(open_house, bench):
    house = begin(open_house(panel=bench.panel))
    bench.short(Button.NEXT)
    bench.wait(30)
    assert page(house)["trouble"] == ["button next stays down: is it shorted?"]
    bench.mend(Button.NEXT)
    bench.wait(1)
    assert page(house)["trouble"] == []


def test_lamps_that_fail_lose_no_move_and_are_named_on_the_page(open_house, bench, monkeypatch, caplog):
    house = begin(open_house(panel=bench.panel))

    def broken(_pin, _value):
        raise RuntimeError("bad GPIO write")

    monkeypatch.setattr(MockPWMPin, "_set_state", broken)
    tell(house, "plot green 1,0")
    assert page(house)["version"] == 2
    assert page(house)["trouble"] == ["the panel's lamps do not answer (bad GPIO write): check the wiring"]
    monkeypatch.undo()
    tell(house, "gardener 1,0")
    assert page(house)["trouble"] == []


def test_a_turn_of_the_loop_that_fails_gives_no_sign_of_life_and_the_next_one_does(open_house, monkeypatch, caplog):
    house = open_house()
    monkeypatch.setattr(app, "TICK_S", 0.0)
    turns, lived = iter([RuntimeError("a fault"), None]), threading.Event()

    def tick():
        fault = next(turns, None)
        if fault is not None:
            raise fault

    monkeypatch.setattr(house.evening, "tick", tick)
    house.start(beat=lived.set)
    assert lived.wait(timeout=20)
    assert "a turn of the evening's loop failed" in caplog.text


# The disk.


def test_a_full_card_is_said_loses_nothing_that_counted_and_is_used_again_when_there_is_room(open_house, monkeypatch):
    house = begin(open_house())
    tell(house, "plot green 1,0")

    def full(_handle, _data, _offset):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(StorageError):
        tell(house, "gardener 1,0")
    (sentence,) = page(house)["trouble"]
    assert sentence.endswith("the disk is full: delete something, then try again")
    assert page(house)["version"] == 2
    monkeypatch.undo()
    tell(house, "gardener 1,0")
    assert (page(house)["trouble"], page(house)["version"]) == ([], 3)


def test_on_a_card_that_became_read_only_the_game_is_shown_after_a_restart_and_the_page_says_why(
    open_house, monkeypatch
):
    house = begin(open_house())
    tell(house, "plot green 1,0")
    really_open = os.open

    def read_only(path, flags, *more, **named):
        if flags & (os.O_WRONLY | os.O_RDWR):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return really_open(path, flags, *more, **named)

    monkeypatch.setattr(os, "open", read_only)
    house = open_house()
    (sentence,) = page(house)["trouble"]
    assert "the disk is read-only: a failing SD card does this; copy the record, change the card" in sentence
    assert page(house)["version"] == 2
    with pytest.raises(StorageError):
        tell(house, "gardener 1,0")


@pytest.mark.parametrize("garbage", [b'{"seat":0,"do":"gard', b"\0" * 40, b"\xe3\x81", b"\xff\xfe\x00"])
def test_after_a_power_cut_the_torn_ends_of_both_journals_are_dropped_and_the_page_says_so(open_house, config, garbage):
    begin(open_house()).evening.tell(parse_move("plot green 1,0"), seat=0, by="browser")
    open_house().close()
    for path in (*config.data.glob("*.jsonl"), *config.data.glob("*.pending")):
        with path.open("ab") as file:
            file.write(garbage)
    house = open_house()
    assert page(house)["version"] == 2
    assert "A power cut tore the last line" in page(house)["note"]["words"]


def test_a_data_folder_of_an_older_version_is_gone_on_with(open_house, config):
    """Written by the first version that had pages: no questions counted, no pictures wished, an end still waiting."""
    shutil.copytree(OLDER, config.data)
    house = open_house()
    shown = page(house)
    assert (shown["turn"]["name"], shown["trouble"]) == ("Aki", [])
    assert [told["words"] for told in shown["pending"]] == ["Aki ends the turn."]
    assert house.pin == "985864"
    assert house.pages.test_client().get("/join").status_code == 200
    (told,) = house.evening.session.snapshot().pending.told
    house.evening.session.place_told(told.id)
    shown = page(open_house())
    assert (shown["turn"]["name"], shown["pending"], shown["trouble"]) == ("Oksana", [], [])


@pytest.mark.parametrize(("code", "disk", "panel"), [("ja", "ディスク", "ボタンパネル"), ("uk", "Диск", "панеллю")])
def test_in_another_language_the_sort_of_trouble_is_said(open_house, bench, monkeypatch, code, disk, panel):
    house = begin(open_house(panel=bench.panel))
    bench.short(Button.CHECK)
    bench.wait(30)
    monkeypatch.setattr(os, "pwrite", lambda *_: (_ for _ in ()).throw(OSError(errno.ENOSPC, "full")))
    with pytest.raises(StorageError):
        tell(house, "plot green 1,0")
    house.evening.tick()
    shown = house.pages.test_client().get("/table.json", headers={"Accept-Language": code}).get_json()["trouble"]
    assert len(shown) == 2
    assert disk in shown[0]
    assert panel in shown[1]


# The clock.


@pytest.mark.parametrize("years", [15, -25])
def test_when_the_clock_jumps_by_years_the_game_goes_on_and_a_new_one_gets_a_name_of_its_own(
    open_house, monkeypatch, years
):
    house = begin(open_house())
    first, utc = house.evening.name, house.evening.clock.utc
    monkeypatch.setattr(type(house.evening.clock), "utc", lambda _: utc() + timedelta(days=365 * years))
    for move in ("plot green 1,0", "gardener 1,0", "end"):
        tell(house, move)
    turn = page(house)["turn"]
    assert turn["name"] == "Oksana"
    assert 0 <= turn["elapsed_s"] < 60
    begin(house)
    assert house.evening.name != first
    assert page(open_house())["name"] != first  # the newest is gone on with, whatever its date says


# The camera.


class Lens:
    """A camera that can be pulled out; nothing moves before it."""

    name = "lens"

    def __init__(self):
        self.closed = False

    def luma(self):
        if self.closed:
            raise CameraError("camera lens gives no picture: check the ribbon cable")
        return np.full((360, 480), 120, np.uint8)

    def grab(self):
        return Frame(np.full((720, 960, 3), 120, np.uint8), self.name, 0.0)

    def close(self):
        self.closed = True


BUSY = "camera lens is in use or not answering: close other camera programs (rpicam-hello, motion)"
ABSENT = "no camera found: check that the ribbon sits straight at both ends, then restart the Pi"


@pytest.mark.parametrize("reason", [ABSENT, BUSY])
def test_a_camera_that_is_absent_or_busy_is_said_and_taken_when_it_is_there(open_house, reason):
    now, lenses = 100.0, []

    def open_lens():
        if not lenses:
            raise CameraError(reason)
        return lenses[-1]

    table = LiveTable(ReconnectingCamera("picamera2", open_lens, lambda: now), lambda *_: Observation(Status.NO_TABLE))
    house = begin(open_house(camera=table))
    watcher = LiveWatcher(lambda: house.evening.session, table)
    house.evening.attach(watcher)

    def watch(seconds):
        nonlocal now
        for _ in range(round(seconds)):
            now += 1.0
            watcher.look_now()
            watcher.turn()

    watch(5)
    assert page(house)["notices"] == [f"The camera gives no picture: {reason}"]
    tell(house, "plot green 1,0")  # the game goes on by hand meanwhile
    lenses.append(Lens())
    watch(16)
    assert page(house)["notices"] == []
    lenses[-1].close()
    watch(1)
    assert page(house)["notices"] == [
        "The camera gives no picture: camera lens gives no picture: check the ribbon cable"
    ]
    lenses.append(Lens())
    watch(16)
    assert page(house)["notices"] == []
    assert page(house)["version"] == 2


def test_an_eye_that_fails_on_a_picture_ends_no_game_and_the_page_says_so(open_house, caplog):
    def broken(_image, _expected):
        raise ZeroDivisionError

    table = LiveTable(Lens(), broken)
    house = begin(open_house(camera=table))
    watcher = LiveWatcher(lambda: house.evening.session, table)
    house.evening.attach(watcher)
    watcher.look_now()
    assert watcher.turn() > 0
    (sentence,) = page(house)["notices"]
    assert "by a fault of the program: go on by hand" in sentence
    assert page(house)["lamp"]["id"] == "trouble"
    assert "ZeroDivisionError" in caplog.text


# The end.


def test_a_look_that_takes_long_does_not_hold_up_the_end(open_house):
    """systemd kills what takes longer than five seconds; a look on a Pi may take as long."""
    looking, let_go = threading.Event(), threading.Event()

    def slow(_image, _expected):
        looking.set()
        let_go.wait(timeout=60)
        return Observation(Status.NO_TABLE)

    lens = Lens()
    table = LiveTable(lens, slow)
    house = begin(open_house(camera=table))
    house.watch(table)
    house.evening.check()
    assert looking.wait(timeout=30)
    house.close()
    assert house.hurried
    assert not lens.closed  # two threads must not use one camera
    let_go.set()


def test_a_look_that_is_over_lets_the_camera_be_closed(open_house):
    lens = Lens()
    table = LiveTable(lens, lambda *_: Observation(Status.NO_TABLE))
    house = begin(open_house(camera=table))
    house.watch(table)
    house.close()
    assert not house.hurried
    assert lens.closed
