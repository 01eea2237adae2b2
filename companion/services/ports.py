"""What the services ask of the world: Protocols, met by structure, so adapters and vision import no services."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

from companion.observation import ExpectedLook, Observation
from companion.signals import Button, Lamp, Lights, Sound


class Clock(Protocol):
    """Time, injected."""

    def monotonic(self) -> float:
        """Seconds that never jump; only differences mean something."""

    def utc(self) -> datetime:
        """The wall clock, aware, UTC; a Pi without a network may be years off."""


class Journal(Protocol):
    """One append-only file of lines."""

    path: Path

    def append(self, lines: Sequence[str]) -> None:
        """Write lines (with their ends) and return only when they are on the disk.

        Raises:
            StorageError: nothing of it was kept; the file is as it was before.
        """

    def replace(self, lines: Sequence[str]) -> None:
        """Put these lines in the place of all others at once, or leave the file as it was.

        Raises:
            StorageError: nothing was changed.
        """

    def close(self) -> None:
        """Let go of the file."""


class Panel(Protocol):
    """Buttons, lamps and a buzzer, real or drawn."""

    def listen(self, pressed: Callable[[Button], None]) -> None:
        """Call this for each press (for Undo: once it was held long enough), from the panel's own thread."""

    def show(self, lights: Lights) -> None:
        """Light the lamps; returns at once."""

    def sound(self, sound: Sound) -> None:
        """Sound the buzzer; returns at once."""

    def trouble(self) -> tuple[str, ...]:
        """What is wrong with it, in plain words; empty when all is well."""

    def close(self) -> None:
        """Let go of all pins at once, when the process ends."""


class DrawnPanel(Panel, Protocol):
    """A panel without hardware, pressed and looked at on a page."""

    def push(self, button: Button, down: bool) -> None:
        """A finger goes down on a drawn button, or up."""

    def lit(self) -> Mapping[str, Any]:
        """JSON values: `status` (red, green, blue, 0 to 1), `weather` (names of lit lamps), `buzzer`."""


@dataclass(frozen=True, slots=True)
class Message:
    """Something to say in the reader's language: an id of the catalogue and its parameters."""

    id: str
    params: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        object.__setattr__(self, "params", MappingProxyType(dict(self.params)))


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One place where the table and the rules disagree, ready to be shown."""

    kind: str
    at: str
    expected: str
    observed: str
    p: float
    rule: str | None = None
    what: Message | None = None
    remedy: Message | None = None


@dataclass(frozen=True, slots=True)
class Sight:
    """What the watcher last saw, for the lamp and the page; never written to the record."""

    lamp: Lamp = Lamp.BY_HAND
    mismatches: tuple[Mismatch, ...] = ()
    notices: tuple[Message, ...] = ()
    """A hand, the light, a bumped camera: recognised as what it is."""
    seen: tuple[str, ...] = ()
    """Moves of this turn that the camera thinks it saw, not yet in the record."""
    p: float | None = None
    """How sure the last accepted turn was."""


class Eye(Protocol):
    """A camera with an eye behind it; stillness and bursts are its own affair."""

    def look(self, expected: ExpectedLook | None = None, *, at_once: bool = False) -> Observation | None:
        """One turn of watching; returns soon.

        Args:
            expected: what should lie there: it tells where to search, never what to believe.
            at_once: look now, whatever moves and even if nothing changed.

        Returns:
            A look at the table when it has come to rest in a new scene; once a look that is `moving` when it begins
            to move, and once one that is `occluded` when a hand rests on it; else None: nothing new.

        Raises:
            CameraError: no picture; the text names the remedy. Call again: the camera may come back.
        """
        ...


class Watcher(Protocol):
    """What looks at the table and tells the session; runs in its own thread."""

    def start(self) -> None:
        """Begin to look."""

    def look_now(self) -> None:
        """Look at once (the Check and Next buttons); returns at once."""

    def stop(self) -> bool:
        """Stop looking and wait a moment for the thread; whether it has ended."""


class Camera(Protocol):
    """What the camera page shows of the camera; pictures go to the host alone."""

    def picture(self, overlay: bool) -> bytes | None:
        """The newest picture as JPEG, with what the eye read drawn into it if asked; None while there is none."""

    def status(self) -> Mapping[str, Any]:
        """JSON values: `source`, `open`, `error`, `cards` found, `reprojection_px`, `advice` (message ids)."""

    def recalibrate(self) -> None:
        """Forget where the camera was and find the marker cards anew."""


class ToyTable(Protocol):
    """The simulated table of the demo: pieces moved by hand, and everything that goes wrong on a real one."""

    def look(self) -> Mapping[str, Any]:
        """What truly lies on it, as in a position (`plots`, `channels`, `gardener`, `panda`), and `hand`, `lamp`."""

    def put(self, what: str, at: str, value: str | None) -> None:
        """Lay, take or move one thing.

        Args:
            what: `plot`, `bamboo`, `channel`, `gardener` or `panda`.
            at: a hex or an edge.
            value: a plot as in a position, a height, anything for a channel; None takes it away.

        Raises:
            BadInputError: for what cannot be done with these pieces.
        """

    def disturb(self, what: str) -> None:
        """`hand`, `lamp`, `bump`: switch it on or off, or do it once."""
