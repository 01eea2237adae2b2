"""Messages of the services and the reconciler (an id and parameters) in the reader's language.

An id's text stands here once, in English; parameters are values of the public notation and are put into words by
their names: `at`, `to`, `edge` (a place), `colour` (of a section), `plot_colour`, `improvement`, `weather`, `deck`,
`card`, `figure`, `action`. All others (`who`, `num`, ...) stand as they are. An id that nobody wrote a text for is
shown as it is: better a dry word than none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from web.present import words
from web.texts import N_, NP_, plain_gettext


class SaysMessage(Protocol):
    """An id of the catalogue and its parameters (`companion.services.ports.Message` is one)."""

    @property
    def id(self) -> str:
        """Such as `log.roll`."""

    @property
    def params(self) -> Mapping[str, Any]:
        """Values by the names that the text uses."""


_WORDS: Mapping[str, Callable[[str], str]] = {
    "at": words.place,
    "to": words.place,
    "edge": words.place,
    "colour": words.colour_name,
    "plot_colour": words.plot_colour,
    "improvement": words.improvement_name,
    "weather": words.weather_name,
    "deck": words.deck_name,
    "card": words.card_name,
    "figure": words.figure_name,
    "action": words.action_name,
}

TEXTS: Mapping[str, str | tuple[str, str]] = {
    # What happens, for the log that everyone reads.
    "log.start": N_("A new game begins: %(who)s."),
    "log.resume": N_("The game goes on where it was left."),
    "log.turn": N_("It is %(who)s's turn."),
    "log.roll": N_("%(who)s rolls the die: %(weather)s."),
    "log.weather": N_("%(who)s chooses %(weather)s."),
    "log.rain": N_("Rain: bamboo grows on %(at)s."),
    "log.storm": N_("Storm: the panda is put on %(at)s."),
    "log.skip": N_("%(who)s declines the effect of the weather."),
    "log.chip_stored": N_("%(who)s takes a chip and stores it: %(improvement)s."),
    "log.chip_placed": N_("%(who)s takes a chip and puts it on %(at)s: %(improvement)s."),
    "log.plot": N_("%(who)s lays a %(plot_colour)s plot on %(at)s."),
    "log.plot_improved": N_("%(who)s lays a %(plot_colour)s plot (%(improvement)s) on %(at)s."),
    "log.channel_stored": N_("%(who)s takes a channel and stores it."),
    "log.channel_placed": N_("%(who)s takes a channel and lays it %(at)s."),
    "log.gardener": N_("%(who)s moves the gardener to %(to)s."),
    "log.panda": N_("%(who)s moves the panda to %(to)s."),
    "log.draw": N_("%(who)s draws a card: %(deck)s."),
    "log.discard": N_("%(who)s puts the drawn card back: it is met already."),
    "log.irrigate": N_("%(who)s lays a stored channel %(at)s."),
    "log.improve": N_("%(who)s puts a stored chip on %(at)s: %(improvement)s."),
    "log.claim": N_("%(who)s fulfils an objective: %(card)s."),
    "log.emperor": N_("%(who)s takes the Emperor. Everyone else has one more turn."),
    "log.end": N_("%(who)s ends the turn."),
    "log.stop": N_("The table agrees to stop the game."),
    "log.undo": N_("Taken back to line %(line)s of the record."),
    "log.correct": N_("Corrected by hand: %(reason)s"),
    "log.freed": N_("The host has freed the seat of %(who)s: anyone can take it now."),
    "log.over": N_("The game is over."),
    # Where the table and the rules disagree: what, and how to mend it.
    "slip.growth_forgotten": N_("Bamboo should have grown on %(at)s: expected %(expected)s, seen %(observed)s."),
    "slip.growth_without_water": N_("Bamboo grew without water on %(at)s: expected %(expected)s, seen %(observed)s."),
    "slip.extra_section": N_("Too much bamboo stands on %(at)s: expected %(expected)s, seen %(observed)s."),
    "slip.five_sections": N_("On %(at)s bamboo stands higher than four sections."),
    "slip.bite_forgotten": N_("On %(at)s the panda should have eaten a section."),
    "slip.bite_doubled": N_("On %(at)s the panda ate more than one section."),
    "slip.figure_off_line": N_("A figure left its straight line: the rules expect %(figure)s on %(at)s."),
    "slip.plot_with_one_neighbour": N_("The plot on %(at)s touches only one other plot."),
    "slip.channel_off": N_("A channel should lie %(at)s; it lies one edge beside."),
    "slip.channel_not_joined": N_("The channel %(at)s does not join the water."),
    "slip.knocked_over": N_("On %(at)s a piece has fallen over."),
    "slip.other": N_("On %(at)s something differs: expected %(expected)s, seen %(observed)s."),
    # What a seat's own cards still need.
    "hint.met": N_("Met now."),
    "hint.eat": NP_(
        "%(num)s more %(colour)s section has to be eaten.", "%(num)s more %(colour)s sections have to be eaten."
    ),
    "hint.gardener_away": N_("All has grown; the gardener must stand on %(at)s."),
    "hint.stalks": N_("%(have)s of %(num)s stalks stand exactly %(height)s high."),
    "hint.too_tall": NP_(
        "%(num)s section too many stands on %(at)s: let the panda eat there.",
        "%(num)s sections too many stand on %(at)s: let the panda eat there.",
    ),
    "hint.grow": NP_("%(num)s more section has to grow on %(at)s.", "%(num)s more sections have to grow on %(at)s."),
    "hint.chip": N_("A chip would do: put it on %(at)s (%(improvement)s)."),
    "hint.no_plot_with": N_("A %(plot_colour)s plot has to be laid (%(improvement)s)."),
    "hint.no_plot": N_("One more %(plot_colour)s plot has to be laid."),
    "hint.no_plot_without": N_("A %(plot_colour)s plot without improvement has to be laid."),
    "hint.pattern": N_("%(have)s of %(num)s plots lie as they should, with water."),
    "hint.plot_here": N_("Lay a %(plot_colour)s plot on %(at)s."),
    "hint.plot_later": N_("Then lay a %(plot_colour)s plot on %(at)s: it needs more neighbours first."),
    "hint.pattern_impossible": N_("The pattern cannot be completed any more."),
    "hint.water_edge": N_("A channel %(edge)s would water %(at)s."),
    "hint.water_channels": NP_(
        "%(num)s channel would water %(at)s, the first %(edge)s.",
        "%(num)s channels would water %(at)s, the first %(edge)s.",
    ),
    "hint.water_chip": N_("No channel can reach %(at)s yet; a chip would water it (%(improvement)s)."),
    "hint.water_later": N_("No channel can reach %(at)s yet."),
    # What the house itself has to say.
    "refused.rule": N_("Not by the rules: %(reason)s (%(rule)s)"),
    "refused.other": N_("Not now: %(reason)s"),
    "trouble.disk": N_("Nothing was written: %(reason)s"),
    "trouble.torn": N_("A power cut tore the last line of the record; it had not been acknowledged and was dropped."),
    "trouble.resume": N_("The game %(name)s cannot be resumed: %(reason)s"),
    "question.which": N_("What happened in this turn?"),
    # What the eye noticed beside the game.
    "notice.hand": N_("A hand is over the table."),
    "notice.light": N_("The light has changed."),
    "notice.camera_moved": N_("The camera was moved."),
    "notice.card_moved": N_("A marker card was moved."),
    "notice.garden_moved": N_("The garden was pushed as a whole."),
    "notice.object": N_("Something lies on the table that is not part of the game."),
}  # fmt: skip
"""English texts by id."""


def say(message: SaysMessage) -> str:
    """A message in the reader's language."""
    return say_id(message.id, message.params)


def say_id(name: str, params: Mapping[str, Any]) -> str:
    """The text of an id with its parameters in words."""
    text = TEXTS.get(name)
    if text is None:
        return name
    spoken = {key: _WORDS[key](str(value)) if key in _WORDS else value for key, value in params.items()}
    return plain_gettext(text, int(params.get("num", 1))) % _Lenient(spoken)


class _Lenient(dict[str, Any]):
    """Parameters; one that is missing shows as a dash instead of breaking the page."""

    def __missing__(self, key: str) -> str:
        return "–"
