"""A panel that could not be set up: the evening goes on without it, and the page says why."""

from __future__ import annotations

from collections.abc import Callable

from companion.signals import Button, Lights, Sound


class AbsentPanel:
    """Stands where a panel was configured but its pins were refused.

    Args:
        reason: what is wrong and what to do, in plain words.
    """

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def listen(self, pressed: Callable[[Button], None]) -> None:
        """No button will ever be pressed."""

    def show(self, lights: Lights) -> None:
        """No lamp is there to light."""

    def sound(self, sound: Sound) -> None:
        """Nor a buzzer."""

    def trouble(self) -> tuple[str, ...]:
        """Why."""
        return (self._reason,)

    def close(self) -> None:
        """Nothing is held."""
