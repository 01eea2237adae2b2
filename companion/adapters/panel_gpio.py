"""The real panel: gpiozero devices on a pin factory that is always handed in.

The library's callbacks only note the edge and return: an exception in one of them would kill lgpio's only thread, and
every button with it. All thinking happens in the panel's own thread. No single input is ever closed at run time, for
closing the newest one silences the others; the whole panel is closed when the process ends.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import gpiozero

from companion.adapters.gestures import Gesture, Switch
from companion.errors import PanelError
from companion.games.takenoko.pieces import Weather
from companion.signals import Button, Lamp, Lights, Sound

_log = logging.getLogger(__name__)

LAMP_COLOURS: Mapping[Lamp, tuple[float, float, float]] = {
    Lamp.BY_HAND: (0.25, 0.25, 0.25),
    Lamp.IN_STEP: (0.0, 1.0, 0.0),
    Lamp.LOOKING: (0.0, 0.3, 1.0),
    Lamp.ASKING: (0.6, 0.0, 1.0),
    Lamp.DISAGREEMENT: (1.0, 0.5, 0.0),
    Lamp.TROUBLE: (1.0, 0.0, 0.0),
}
"""Red, green, blue, 0 to 1."""

TUNES_S: Mapping[Sound, tuple[tuple[float, float], ...]] = {
    Sound.ACCEPTED: ((0.06, 0.0),),
    Sound.ASKING: ((0.08, 0.1), (0.08, 0.0)),
    Sound.REFUSED: ((0.35, 0.0),),
}
"""Seconds on and off."""


@dataclass(frozen=True, slots=True)
class PanelPins:
    """GPIO numbers (BCM)."""

    buttons: Mapping[Button, int]
    status: tuple[int, int, int]
    weather: Mapping[Weather, int]
    buzzer: int | None
    bounce_s: float = 0.03
    hold_s: float = 1.0


def _input(pin: int, factory: Any) -> Any:  # noqa: ANN401 (gpiozero has no types)
    return gpiozero.DigitalInputDevice(pin, pull_up=True, pin_factory=factory)


def _lamp(pin: int, factory: Any) -> Any:  # noqa: ANN401
    return gpiozero.LED(pin, pin_factory=factory)


def real_factory() -> Any:  # noqa: ANN401
    """This machine's pins, through lgpio.

    Raises:
        PanelError: there are none, or what is needed to use them is missing.
    """
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()
    except ImportError as error:
        raise PanelError("panel: lgpio is not installed: sudo apt install python3-lgpio") from error
    except Exception as error:  # lgpio raises its own kinds, gpiozero others
        raise PanelError(
            f"panel: no pins here ({error}): on a Pi put this user into the group gpio, else set panel.enabled = false"
        ) from error


class GpioPanel:
    """Buttons to ground with the pull-up of the chip; lamps and buzzer active high."""

    def __init__(self, pins: PanelPins, pin_factory: Any, monotonic: Callable[[], float]) -> None:  # noqa: ANN401 (gpiozero has no types)
        """Claim all pins.

        Raises:
            PanelError: naming every pin that was refused.
        """
        self._monotonic = monotonic
        self._edges: queue.SimpleQueue[tuple[Button, bool, float] | None] = queue.SimpleQueue()
        self._pressed: Callable[[Button], None] | None = None
        self._switches = {button: Switch(pins.bounce_s, pins.hold_s) for button in pins.buttons}
        self._stuck: set[Button] = set()
        self._lamps_fail = ""
        self._lock = threading.Lock()
        self._devices: list[Any] = []
        self._thread: threading.Thread | None = None
        self._refused: list[str] = []
        self._claim(pins, pin_factory)
        if self._refused:
            self.close()
            raise PanelError("; ".join(self._refused))

    def _claim(self, pins: PanelPins, factory: Any) -> None:  # noqa: ANN401
        def claim(name: str, pin: int | tuple[int, int, int], make: Callable[[], Any]) -> Any:  # noqa: ANN401
            try:
                device = make()
            except (gpiozero.GPIOZeroError, OSError, RuntimeError) as error:
                self._refused.append(f"panel.{name} (GPIO {pin}): {error}; check the wiring and the pin in the config")
                return None
            self._devices.append(device)
            return device

        for button, pin in pins.buttons.items():
            device = claim(button.value, pin, partial(_input, pin, factory))
            if device is not None:
                device.when_activated = self._noting(button, True)
                device.when_deactivated = self._noting(button, False)
                if device.is_active:
                    self._edges.put((button, True, self._monotonic()))
        self._status = claim("status", pins.status, lambda: gpiozero.RGBLED(*pins.status, pin_factory=factory))
        self._weather = {
            face: claim(face.value, pin, partial(_lamp, pin, factory)) for face, pin in pins.weather.items()
        }
        self._buzzer = (
            None if pins.buzzer is None else claim("buzzer", pins.buzzer, partial(_lamp, pins.buzzer, factory))
        )

    def _noting(self, button: Button, down: bool) -> Callable[[], None]:
        def note() -> None:
            # Runs in lgpio's only callback thread: put and return, nothing here may raise.
            self._edges.put((button, down, self._monotonic()))

        return note

    def listen(self, pressed: Callable[[Button], None]) -> None:
        """Start the panel's thread, which calls this for each press (for Undo: once held)."""
        self._pressed = pressed
        self._thread = threading.Thread(target=self._run, name="panel", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while True:
            now = self._monotonic()
            due = [t for t in (switch.next_due() for switch in self._switches.values()) if t is not None]
            try:
                edge = self._edges.get(timeout=max(0.0, min(due) - now) if due else None)
            except queue.Empty:
                edge = None
            else:
                if edge is None:
                    return
            self.advance(edge, self._monotonic())

    def advance(self, edge: tuple[Button, bool, float] | None, now: float) -> None:
        """Take in one edge (or none) and the passing of time up to now."""
        if edge is not None:
            button, down, at = edge
            self._tell(button, self._switches[button].edge(at, down))
        for button, switch in self._switches.items():
            self._tell(button, switch.due(now))

    def drain(self, now: float) -> None:
        """Take in all edges that wait, without a thread: how tests move the panel's time."""
        while not self._edges.empty():
            self.advance(self._edges.get(), now)
        self.advance(None, now)

    def _tell(self, button: Button, gestures: list[Gesture]) -> None:
        wanted = Gesture.HOLD if button is Button.UNDO else Gesture.PRESS
        for gesture in gestures:
            if gesture is Gesture.STUCK:
                self._stuck.add(button)
            elif gesture is Gesture.FREE:
                self._stuck.discard(button)
            elif gesture is wanted and self._pressed is not None:
                try:
                    self._pressed(button)
                except Exception:  # noqa: BLE001 (whatever a listener does, the other buttons live on)
                    _log.exception("button %s: the listener failed", button)

    def show(self, lights: Lights) -> None:
        """Light the lamps; one that fails is no reason to lose a move, it is told as trouble."""
        with self._lamp_trouble():
            self._status.value = LAMP_COLOURS[lights.lamp]
            for face, led in self._weather.items():
                led.value = face in lights.weather

    def sound(self, sound: Sound) -> None:
        """Sound the buzzer in the background."""
        if self._buzzer is None:
            return
        on_s, off_s = TUNES_S[sound][0]
        with self._lamp_trouble():
            self._buzzer.blink(on_time=on_s, off_time=off_s, n=len(TUNES_S[sound]), background=True)

    @contextlib.contextmanager
    def _lamp_trouble(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except Exception as error:  # noqa: BLE001 (lgpio raises its own kinds, gpiozero others)
                if not self._lamps_fail:
                    _log.exception("the panel's lamps failed")
                self._lamps_fail = f"the panel's lamps do not answer ({error}): check the wiring"
            else:
                self._lamps_fail = ""

    def trouble(self) -> tuple[str, ...]:
        """Buttons that seem shorted, and lamps that do not answer."""
        stuck = (f"button {button} stays down: is it shorted?" for button in sorted(self._stuck))
        return (*stuck, *filter(None, (self._lamps_fail,)))

    def lit(self) -> dict[str, Any]:
        """What the pins say is lit: `status` (red, green, blue), names of `weather` lamps, `buzzer`."""
        with self._lock:
            return {
                "status": [round(float(part), 2) for part in self._status.value],
                "weather": [face.value for face, led in self._weather.items() if led.value],
                "buzzer": bool(self._buzzer is not None and self._buzzer.value),
            }

    def close(self) -> None:
        """Let go of all pins at once; only when the process ends."""
        self._edges.put(None)
        if self._thread is not None:
            self._thread.join(timeout=2)
        for device in self._devices:
            try:
                device.close()
            except Exception:  # noqa: BLE001 (lgpio raises its own kinds)
                # gpiozero turns a pin into an input as it lets go, which lgpio refuses (GPIO busy) where an alert still
                # stands on it. The kernel takes all pins back when the process ends.
                _log.debug("a pin could not be let go", exc_info=True)
