"""The panel on gpiozero's mock pins: real gpiozero devices, no hardware; time is the test's own."""

from __future__ import annotations

import logging

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.adapters.panel_gpio import LAMP_COLOURS, GpioPanel, PanelPins
from companion.errors import PanelError
from companion.games.takenoko.pieces import Weather
from companion.signals import Button, Lamp, Lights, Sound

BUTTONS = {Button.ROLL: 5, Button.CHECK: 6, Button.NEXT: 13, Button.UNDO: 19}
WEATHER = {
    Weather.SUN: 23,
    Weather.RAIN: 24,
    Weather.WIND: 25,
    Weather.STORM: 12,
    Weather.CLOUDS: 16,
    Weather.CHOICE: 20,
}
PINS = PanelPins(BUTTONS, (17, 27, 22), WEATHER, 21)


class Bench:
    """A panel, its pins and a clock; the panel's thread is not started, `wait` does its work."""

    def __init__(self, pins: PanelPins = PINS) -> None:
        self.now_s = 100.0
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.panel = GpioPanel(pins, self.factory, lambda: self.now_s)
        self.pressed: list[Button] = []
        self.panel._pressed = self.pressed.append

    def down(self, button: Button) -> None:
        self.factory.pin(BUTTONS[button]).drive_low()

    def up(self, button: Button) -> None:
        self.factory.pin(BUTTONS[button]).drive_high()

    def wait(self, seconds: float) -> None:
        self.panel.drain(self.now_s)
        self.now_s += seconds
        self.panel.drain(self.now_s)

    def click(self, button: Button) -> None:
        self.down(button)
        self.wait(0.1)
        self.up(button)
        self.wait(0.1)

    def lit(self, pin: int) -> bool:
        return bool(self.factory.pin(pin).state)


@pytest.fixture
def bench():
    made = Bench()
    yield made
    made.panel.close()


@pytest.mark.parametrize("button", [Button.ROLL, Button.CHECK, Button.NEXT])
def test_a_press_is_told(bench, button):
    bench.click(button)
    assert bench.pressed == [button]


def test_a_bouncing_switch_presses_once(bench):
    for _ in range(5):
        bench.down(Button.ROLL)
        bench.wait(0.002)
        bench.up(Button.ROLL)
        bench.wait(0.002)
    bench.down(Button.ROLL)
    bench.wait(0.3)
    bench.up(Button.ROLL)
    bench.wait(0.3)
    assert bench.pressed == [Button.ROLL]


def test_undo_wants_to_be_held(bench):
    bench.click(Button.UNDO)
    assert bench.pressed == []
    bench.down(Button.UNDO)
    bench.wait(0.9)
    assert bench.pressed == []
    bench.wait(0.2)
    bench.wait(5)
    assert bench.pressed == [Button.UNDO]


def test_two_buttons_at_once_are_two_presses(bench):
    bench.down(Button.ROLL)
    bench.down(Button.NEXT)
    bench.wait(0.1)
    assert bench.pressed == [Button.ROLL, Button.NEXT]


def test_presses_while_the_listener_is_busy_are_kept_in_order(bench):
    def busy(button):
        bench.pressed.append(button)
        if button is Button.CHECK:
            # The camera looks; meanwhile somebody presses Next.
            bench.down(Button.NEXT)

    bench.panel._pressed = busy
    bench.down(Button.CHECK)
    bench.wait(0.1)
    assert bench.pressed == [Button.CHECK, Button.NEXT]


def test_a_listener_that_raises_kills_no_button(bench, caplog):
    def raising(button):
        bench.pressed.append(button)
        raise RuntimeError("a slip of the programmer")

    bench.panel._pressed = raising
    with caplog.at_level(logging.CRITICAL):
        bench.click(Button.ROLL)
        bench.click(Button.CHECK)
        bench.click(Button.ROLL)
    assert bench.pressed == [Button.ROLL, Button.CHECK, Button.ROLL]


def test_the_panel_s_own_thread_survives_a_listener_that_raises():
    import threading
    import time

    factory = MockFactory(pin_class=MockPWMPin)
    panel = GpioPanel(PINS, factory, time.monotonic)
    pressed = threading.Semaphore(0)

    def raising(_button):
        pressed.release()
        raise RuntimeError("a slip of the programmer")

    logging.disable(logging.CRITICAL)
    try:
        panel.listen(raising)
        for pin in (5, 6, 13):
            factory.pin(pin).drive_low()
            assert pressed.acquire(timeout=5)
    finally:
        logging.disable(logging.NOTSET)
        panel.close()


@pytest.mark.parametrize("lamp", list(Lamp))
def test_the_status_lamp_has_a_colour_for_everything(bench, lamp):
    bench.panel.show(Lights(lamp))
    assert tuple(bench.panel.lit()["status"]) == LAMP_COLOURS[lamp]
    assert len(set(LAMP_COLOURS.values())) == len(Lamp)


def test_one_weather_lamp_shines_for_the_face(bench):
    bench.panel.show(Lights(Lamp.IN_STEP, frozenset({Weather.RAIN})))
    assert [face for face, pin in WEATHER.items() if bench.lit(pin)] == [Weather.RAIN]
    bench.panel.show(Lights(Lamp.IN_STEP))
    assert not any(bench.lit(pin) for pin in WEATHER.values())


@pytest.mark.parametrize("sound", list(Sound))
def test_the_buzzer_sounds(bench, sound):
    bench.panel.sound(sound)
    states = bench.factory.pin(21).states
    assert any(state.state for state in states) or bench.lit(21)


def test_a_shorted_button_is_named_and_the_others_live(bench):
    bench.down(Button.ROLL)
    bench.wait(30)
    assert bench.panel.trouble() == ("button roll stays down: is it shorted?",)
    bench.click(Button.CHECK)
    assert bench.pressed == [Button.ROLL, Button.CHECK]
    bench.up(Button.ROLL)
    bench.wait(1)
    assert bench.panel.trouble() == ()


def test_a_pin_that_cannot_be_let_go_does_not_spoil_the_end(bench, monkeypatch):
    """Real lgpio refuses it (GPIO busy); the other pins are let go all the same."""
    closed = []

    def close(pin):
        closed.append(pin)
        if len(closed) == 1:
            raise RuntimeError("GPIO busy")

    monkeypatch.setattr(MockPWMPin, "close", close)
    bench.panel.close()
    assert len(closed) == len(BUTTONS) + len(WEATHER) + 3 + 1


def test_every_refused_pin_is_named():
    factory = MockFactory(pin_class=MockPWMPin)
    wrong = PanelPins({Button.ROLL: 99, Button.CHECK: 6}, (17, 27, 22), {Weather.SUN: 98}, 21)
    with pytest.raises(PanelError) as refused:
        GpioPanel(wrong, factory, lambda: 0.0)
    assert "panel.roll (GPIO 99)" in str(refused.value)
    assert "panel.sun (GPIO 98)" in str(refused.value)
