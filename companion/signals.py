"""What the table's panel and the pages signal to people, as plain values: buttons, the lamp, the lights, the sounds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.games.takenoko.pieces import Weather


class Button(StrEnum):
    """The buttons of the panel."""

    ROLL = "roll"
    CHECK = "check"
    NEXT = "next"
    UNDO = "undo"


class Lamp(StrEnum):
    """The one lamp that everyone sees."""

    BY_HAND = "by_hand"
    """No camera is looking: the game is entered by hand."""
    IN_STEP = "in_step"
    LOOKING = "looking"
    ASKING = "asking"
    DISAGREEMENT = "disagreement"
    TROUBLE = "trouble"
    """The disk refuses, or the camera is gone: nobody should play on without reading the page."""


class Sound(StrEnum):
    """What the buzzer can say."""

    ACCEPTED = "accepted"
    ASKING = "asking"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Lights:
    """What the panel shows."""

    lamp: Lamp
    weather: frozenset[Weather] = frozenset()
    """The weather lamps that are lit: the face in force, or as many as there are cards met after Check."""
