"""The demo: a simulated table, people who play at it, and a drawn panel; everything else is the real thing."""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass
from random import Random

from companion.looking import simulated_table
from companion.services.evening import Evening
from companion.services.hub import Topic
from companion.services.people import People, PlayedTable
from vision.live import LiveTable
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

    def live(self) -> LiveTable:
        """The table before its camera."""
        return simulated_table(self.table, self.table.setting.camera)

    def start(self, evening: Evening) -> None:
        """Begin the game, put the table on its page, and let the people play."""
        evening.toy = PlayedTable(self.table, self.people, lambda: evening.hub.publish(Topic.TOY))
        evening.begin(self.people.header, self.people.play_ahead(TURNS_BEFORE))
        self._thread = threading.Thread(target=self.people.play, args=(evening,), name="people", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Send the people home."""
        self._home.set()
        if self._thread is not None:
            self._thread.join(timeout=3)
