"""From the edges of a switch to presses: debounce and hold, on a clock that is handed in.

A press counts at its first edge, so that it feels immediate; edges within the bounce window change nothing, and the
level at the window's end decides. A switch that stays down for long is reported: a wire may touch another.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

STUCK_S = 20.0
"""Nobody leans on a button for longer."""


class Gesture(Enum):
    """What a finger did."""

    PRESS = "press"
    HOLD = "hold"
    STUCK = "stuck"
    FREE = "free"
    """A stuck switch came back."""


@dataclass(slots=True)
class Switch:
    """One switch; times are monotonic seconds."""

    bounce_s: float
    hold_s: float
    down: bool = False
    _level: bool = False
    _since: float = 0.0
    _window_end: float | None = None
    _held: bool = False
    _stuck: bool = False

    def edge(self, now: float, down: bool) -> list[Gesture]:
        """The contact opened or closed."""
        gestures = self.due(now)
        self._level = down
        if self._window_end is None:
            gestures += self._settle(now)
        return gestures

    def due(self, now: float) -> list[Gesture]:
        """What the passing of time alone brought."""
        gestures: list[Gesture] = []
        if self._window_end is not None and now >= self._window_end:
            end, self._window_end = self._window_end, None
            gestures += self._settle(end)
        if self.down and not self._held and now >= self._since + self.hold_s:
            self._held = True
            gestures.append(Gesture.HOLD)
        if self.down and not self._stuck and now >= self._since + STUCK_S:
            self._stuck = True
            gestures.append(Gesture.STUCK)
        return gestures

    def next_due(self) -> float | None:
        """When to call `due` next."""
        times = [] if self._window_end is None else [self._window_end]
        if self.down and not self._held:
            times.append(self._since + self.hold_s)
        if self.down and not self._stuck:
            times.append(self._since + STUCK_S)
        return min(times, default=None)

    def _settle(self, now: float) -> list[Gesture]:
        if self._level == self.down:
            return []
        self.down = self._level
        self._window_end = now + self.bounce_s
        if self.down:
            self._since, self._held = now, False
            return [Gesture.PRESS]
        was_stuck, self._stuck = self._stuck, False
        return [Gesture.FREE] if was_stuck else []
