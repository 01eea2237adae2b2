"""The panel of the demo: the real panel's code on gpiozero's mock pins, pressed and looked at on a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.adapters.panel_gpio import GpioPanel, PanelPins
from companion.signals import Button


def mock_factory() -> Any:  # noqa: ANN401 (gpiozero has no types)
    """Pins without hardware."""
    return MockFactory(pin_class=MockPWMPin)


class DrawnGpioPanel(GpioPanel):
    """A panel whose buttons are pushed by calls."""

    def __init__(self, pins: PanelPins, monotonic: Callable[[], float]) -> None:
        self._factory = mock_factory()
        self._pins = pins.buttons
        super().__init__(pins, self._factory, monotonic)

    def push(self, button: Button, down: bool) -> None:
        """A finger goes down (the switch pulls the pin to ground), or up."""
        pin = self._factory.pin(self._pins[button])
        if down:
            pin.drive_low()
        else:
            pin.drive_high()
