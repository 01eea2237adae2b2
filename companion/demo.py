"""The demo: a simulated table, people who play at it, and a drawn panel; everything else is the real thing."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from companion.services.evening import Evening
from companion.services.people import People, PlayedTable
from vision.simulated.live import SimulatedTable

NAMES = ("Aki", "Oksana", "Jürgen")
TURNS_BEFORE = 9
"""Three rounds are played when the demo opens."""


@dataclass(slots=True)
class Demo:
    """A table with people at it."""

    table: SimulatedTable
    people: People
    _home: threading.Event
    _thread: threading.Thread | None = None

    @classmethod
    def lay(cls, seed: int | None = None) -> Demo:
        """Lay the table; `seed` makes the same evening again."""
        table = SimulatedTable()
        home = threading.Event()
        rng = Random(secrets.randbits(64) if seed is None else seed)
        return cls(table, People(NAMES, rng, table, home.wait), home)

    def toy(self, changed: Callable[[], None]) -> PlayedTable:
        """What the page of the simulated table moves."""
        return PlayedTable(self.table, self.people, changed)

    def start(self, evening: Evening) -> None:
        """Begin the game and let the people play."""
        evening.begin(self.people.header, self.people.play_ahead(TURNS_BEFORE))
        self._thread = threading.Thread(target=self.people.play, args=(evening,), name="people", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Send the people home."""
        self._home.set()
        if self._thread is not None:
            self._thread.join(timeout=3)
