"""The words for the pieces of Takenoko; how many of each a box holds stands in the edition tables."""

from __future__ import annotations

from enum import StrEnum

# Enum's own hash is a Python function; these words key the hottest dictionaries, and a StrEnum member equals its text,
# so that text's hash is the right one.


class Colour(StrEnum):
    """The three sorts of bamboo, and of plots."""

    __hash__ = str.__hash__

    GREEN = "green"
    YELLOW = "yellow"
    PINK = "pink"


class Improvement(StrEnum):
    """A marker on a plot that changes its rules; at most one, printed or laid as a chip."""

    __hash__ = str.__hash__

    WATERSHED = "watershed"
    ENCLOSURE = "enclosure"
    FERTILIZER = "fertilizer"


class Weather(StrEnum):
    """The faces of the weather die."""

    __hash__ = str.__hash__

    SUN = "sun"
    RAIN = "rain"
    WIND = "wind"
    STORM = "storm"
    CLOUDS = "clouds"
    CHOICE = "choice"


class Figure(StrEnum):
    """The two figures; both start on the pond."""

    __hash__ = str.__hash__

    GARDENER = "gardener"
    PANDA = "panda"


MAX_GROWTH = 4
"""Sections on one plot at the most (T-GROW-4)."""


class Deck(StrEnum):
    """The three kinds of objective cards."""

    __hash__ = str.__hash__

    PLOT = "plot"
    GARDENER = "gardener"
    PANDA = "panda"


class Action(StrEnum):
    """The five things a turn's actions can be (takenoko, section 5)."""

    __hash__ = str.__hash__

    PLOT = "plot"
    CHANNEL = "channel"
    GARDENER = "gardener"
    PANDA = "panda"
    OBJECTIVE = "objective"


COLOURS: tuple[Colour, ...] = tuple(Colour)
IMPROVEMENTS: tuple[Improvement, ...] = tuple(Improvement)
DECKS: tuple[Deck, ...] = tuple(Deck)
COLOUR_INDEX: dict[Colour, int] = {colour: index for index, colour in enumerate(COLOURS)}
"""Where a colour stands in every tuple of three that counts by colour."""
IMPROVEMENT_INDEX: dict[Improvement, int] = {improvement: index for index, improvement in enumerate(IMPROVEMENTS)}
DECK_INDEX: dict[Deck, int] = {deck: index for index, deck in enumerate(DECKS)}

Kind = tuple[Colour, Improvement | None]
"""A plot as it lies in the box: its colour and what is printed on it."""


def kind_name(kind: Kind) -> str:
    """The notation of a plot as it is laid.

    >>> kind_name((Colour.GREEN, Improvement.FERTILIZER))
    'green/fertilizer'
    """
    colour, improvement = kind
    return colour.value if improvement is None else f"{colour.value}/{improvement.value}"
