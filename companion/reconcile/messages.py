"""What is said about the table, as ids with parameters: English here, other languages in their catalogues.

A parameter that is itself a Message is said first. `say` is for the command line and the tests; pages translate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Message:
    """An id of the catalogue and its parameters."""

    id: str
    params: Mapping[str, str | int | Message] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        object.__setattr__(self, "params", MappingProxyType(dict(self.params)))


ENGLISH: Mapping[str, str] = MappingProxyType({
    # Where.
    "where.pond": "the pond",
    "where.ring": "the {colour} plot {side} the pond",
    "where.beyond": "the {colour} plot at {at} ({side} the {other} plot at {near})",
    "where.bare": "the empty place at {at}",
    "where.edge": "between {one} and {other}",
    "side.0": "right of",
    "side.1": "above and right of",
    "side.2": "above and left of",
    "side.3": "left of",
    "side.4": "below and left of",
    "side.5": "below and right of",
    "colour.green": "green",
    "colour.yellow": "yellow",
    "colour.pink": "pink",
    "figure.gardener": "gardener",
    "figure.panda": "panda",
    "place.ring": "the place {side} the pond",
    "place.beyond": "the place at {at}",
    "improvement.watershed": "watershed",
    "improvement.enclosure": "enclosure",
    "improvement.fertilizer": "fertilizer",
    # What tells two choices with the same moves apart: how the table should be.
    "apart.figure": "The {figure} should stand on {where}.",
    "apart.plot": "A {colour} plot should lie on {place}.",
    "apart.no_plot": "No plot should lie on {place}.",
    "apart.bamboo": "{count} {colour} section(s) should stand on {place}.",
    "apart.no_bamboo": "No bamboo should stand on {place}.",
    "apart.badge": "The plot on {place} should have a printed badge: {improvement}.",
    "apart.chip": "The plot on {place} should have a chip: {improvement}.",
    "apart.no_improvement": "The plot on {place} should have neither badge nor chip.",
    "apart.channel": "A channel should lie {where}.",
    "apart.no_channel": "No channel should lie {where}.",
    # What is wrong.
    "slip.growth_forgotten": "Growth was forgotten on {where}: {expected} expected, {observed} seen.",
    "slip.growth_without_water": "Bamboo grew without water on {where}: {expected} expected, {observed} seen.",
    "slip.extra_section": "There is a section too many on {where}: {expected} expected, {observed} seen.",
    "slip.five_sections": "Five sections stand on {where}: no stalk is higher than four.",
    "slip.bite_forgotten": "The panda's bite was forgotten on {where}: {expected} expected, {observed} seen.",
    "slip.bite_doubled": "The panda ate twice on {where}: {expected} expected, {observed} seen.",
    "slip.figure_off_line": "The {figure} is off its line: it should stand on {where}, it stands on {seen}.",
    "slip.plot_with_one_neighbour": "A plot touches only one other: it belongs to {where}, it lies at {seen}.",
    "slip.channel_off": "A channel lies one edge off: it belongs {where}, it lies {seen}.",
    "slip.channel_not_joined": "The channel {where} does not join the water.",
    "slip.channel_at_pond": "A channel lies {where}: the sides of the pond bear none.",
    "slip.knocked_over": "A stalk was knocked over on {where}: {expected} expected, {observed} seen.",
    "slip.other": "Something is not as it should be on {where}: expected {expected}, seen {observed}.",
    "slip.perhaps": "Perhaps, it could not be seen well: {what}",
    "told.refused": "What was told cannot be so: {move}. {why}",
    # What to do.
    "mend.put": "Put {count} {colour} section(s) on {where}{because}.",
    "mend.take": "Take {count} {colour} section(s) off {where}{because}.",
    "mend.figure": "Move the {figure} to {where}: figures walk in a straight line.",
    "mend.plot": "Move the plot to {where}: a plot touches the pond or at least two plots.",
    "mend.channel": "Move the channel to the edge {where}: channels join the water end to end.",
    "mend.channel_away": "Take the channel {where} away, or lay it where it joins the water.",
    "mend.perhaps": "Have a look. If it is so: {remedy}",
    "mend.told": "Say it again, or take it back.",
    "because.none": "",
    "because.T-GARD-1": ": the gardener grows his own plot and every neighbour of its colour that has water",
    "because.T-WEA-2": ": it rained there",
    "because.T-GROW-1": ": a plot grows when it gets water for the first time",
    "because.T-GROW-3": ": with fertilizer two sections grow",
    "because.dry": ": without water nothing grows there",
    "because.T-GROW-4": ": a stalk is never higher than four",
    "because.T-PAND-1": ": the panda eats one section where it stops",
    "because.T-WEA-4": ": in the storm the panda eats one section where it is put",
    "because.fallen": ": the stalk has fallen",
    # What is noticed.
    "notice.hand": "A hand is over the table.",
    "notice.light": "The light has changed.",
    "notice.camera_moved": "The camera was moved.",
    "notice.camera": "The camera gives no picture: {why}",
    "notice.fault": "A picture could not be read, by a fault of the program: go on by hand. The log tells more.",
    "notice.card_moved": "A marker card was moved.",
    "notice.garden_moved": "The garden was pushed as a whole.",
    "notice.object": "Something foreign lies on the table.",
})  # fmt: skip
"""The English words by id."""


def say(message: Message, words: Mapping[str, str] = ENGLISH) -> str:
    """The message in words.

    >>> say(Message("notice.light"))
    'The light has changed.'
    """
    said = {key: say(value, words) if isinstance(value, Message) else value for key, value in message.params.items()}
    return words[message.id].format(**said)
