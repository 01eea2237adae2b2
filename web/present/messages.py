"""Messages of the services and the reconciler (an id and parameters) in the reader's language.

An id's text stands here once, in English; parameters are values of the public notation and are put into words by
their names: `at`, `to`, `edge` (a place), `colour` (of a section), `plot_colour`, `improvement`, `weather`, `deck`,
`card`, `figure`, `action`. All others (`who`, `num`, ...) stand as they are. An id that nobody wrote a text for is
shown as it is: better a dry word than none. The reconciler and the eye have tables of their own, whose ids are the
contexts of their texts in the catalogues; parameters stand in braces there and may be messages themselves. What the eye
remarks is half a sentence on the command line; here it begins as a sentence does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from companion.reconcile.messages import ENGLISH
from companion.remarks import REMARKS
from web.present.refusals import WORDS, reason_words
from web.texts import N_, NP_, plain_gettext, plain_pgettext


class SaysMessage(Protocol):
    """An id of the catalogue and its parameters (`companion.services.ports.Message` is one)."""

    @property
    def id(self) -> str:
        """Such as `log.roll`."""

    @property
    def params(self) -> Mapping[str, Any]:
        """Values by the names that the text uses."""


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
    "log.know": N_("%(who)s names a card of the own hand."),
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
    "notice.cards_differ": N_(
        "A card of %(who)s is named in another hand already: everybody compare your cards with your own page."
    ),
    "refused.other": N_("Not now: %(reason)s"),
    "trouble.disk": N_("Nothing was written: %(reason)s"),
    "trouble.torn": N_("A power cut tore the last line of the record; it had not been acknowledged and was dropped."),
    "trouble.resume": N_("The game %(name)s cannot be resumed: %(reason)s"),
    # What would help the camera.
    "camera.too_dark": N_("It is too dark to tell colours: switch on a lamp."),
    "camera.too_bright": N_("It is too bright to tell colours: keep the sun or the lamp out of the picture."),
    "camera.no_table": N_("No table with tiles is seen: point the camera at it."),
    "camera.no_card": N_("No marker card is seen: lay the cards around the garden, where the camera sees them."),
    "camera.one_card": N_("Only one marker card is seen: lay out a second one, better all four."),
    "camera.card_hidden": N_("Card %(number)s is hidden or out of the picture."),
    "camera.too_steep": N_("The camera looks down too steeply to see how high bamboo is: let it look from the side."),
    "camera.tilt_up": N_("Tilt the camera up: the garden reaches the upper edge."),
    "camera.tilt_down": N_("Tilt the camera down: the garden reaches the lower edge."),
    "camera.turn_left": N_("Turn the camera to the left: the garden reaches the left edge."),
    "camera.turn_right": N_("Turn the camera to the right: the garden reaches the right edge."),
    "camera.move_back": N_("Move the camera back: the garden does not fit into the picture."),
    "camera.move_closer": N_("Move the camera closer: the garden is small in the picture."),
    "question.which": N_("What happened in this turn?"),
}  # fmt: skip
"""English texts by id."""


def say(message: SaysMessage) -> str:
    """A message in the reader's language; parameters that are messages themselves are said first."""
    return say_id(message.id, message.params)


def say_id(name: str, params: Mapping[str, Any]) -> str:
    """The text of an id with its parameters in words."""
    text = TEXTS.get(name)
    if text is not None:
        if "rule" in params and hasattr(params.get("reason"), "params"):
            reason = params["reason"]
            params = {**params, "reason": reason_words(str(params["rule"]), reason.id, reason.params)}
        spoken = {key: WORDS[key](str(value)) if key in WORDS else value for key, value in params.items()}
        return plain_gettext(text, int(params.get("num", 1))) % _Lenient(spoken)
    remark = REMARKS.get(name)
    english = ENGLISH.get(name) if remark is None else remark
    if english:
        said = {key: say(value) if hasattr(value, "params") else value for key, value in params.items()}
        whole = plain_pgettext(name, english).format_map(_Lenient(said))
        return whole if remark is None else whole[:1].upper() + whole[1:]
    return name if english is None else ""


class _Lenient(dict[str, Any]):
    """Parameters; one that is missing shows as a dash instead of breaking the page."""

    def __missing__(self, key: str) -> str:
        return "–"
