"""Why something was refused, in the reader's language.

The rules say it as a message with parameters. What has no translation (the particulars of a file, of the disk) is told
in English only to who reads English; in another language the broken rule, or the sort of trouble, is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from babel.lists import format_list
from flask_babel import get_locale
from markupsafe import Markup

from companion.errors import CompanionError, IllegalMoveError, Told, filled
from companion.record import Fault
from web.i18n import language
from web.present import words
from web.rulebook import RULES
from web.texts import gettext, plain_gettext

_RULE = re.compile(r"\((T-[A-Z]+-\d+|format|position|option)\)")

WORDS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "at": words.place,
        "to": words.place,
        "start": words.place,
        "edge": words.place,
        "colour": words.colour_name,
        "plot": words.plot_name,
        "plot_colour": words.plot_colour,
        "improvement": words.improvement_name,
        "weather": words.weather_name,
        "deck": words.deck_name,
        "card": words.card_name,
        "figure": words.figure_name,
        "action": words.action_name,
        "actions": words.action_name,
    }
)
"""How the parameters of messages are put into words, by their names; all others stand as they are."""


def reason_words(rule: str, text: str, params: Mapping[str, Told] = MappingProxyType({})) -> str:
    """The reason of a refusal by a rule: its message, or where that is not translated the rule itself."""
    translated = plain_gettext(text)
    if language() == "en" or translated != text:
        return filled(translated, {name: _spoken(name, value) for name, value in params.items()})
    known = RULES.get(rule)
    return filled(text, params) if known is None else gettext(known.text)


def rule_words(rule: str) -> str:
    """A rule in plain words; its id where it is none of ours."""
    known = RULES.get(rule)
    return rule if known is None else gettext(known.text)


def _spoken(name: str, value: Told) -> Told:
    say = WORDS.get(name)
    if say is None:
        return value
    if isinstance(value, tuple):
        return format_list([say(each) for each in value], locale=get_locale())
    return say(str(value))


def refusal_words(error: IllegalMoveError) -> str:
    """A refused move's reason, with the rule's id."""
    return f"{reason_words(error.rule, error.text, error.params)} ({error.rule})"


def fault_words(fault: Fault) -> str:
    """What is wrong in a line of a record."""
    return f"{fault.line}: {reason_words(fault.rule, fault.message)} ({fault.rule})"


def linked(text: str) -> Markup:
    """A text as HTML, every rule in brackets a link to its plain words."""
    parts = _RULE.split(text)
    return Markup("").join(
        Markup('(<a href="/rules#{0}">{0}</a>)').format(part) if index % 2 else part for index, part in enumerate(parts)
    )


def error_words(error: CompanionError, otherwise: str) -> str:
    """What the house refuses; `otherwise` says the sort of trouble where its particulars are not translated."""
    if isinstance(error, IllegalMoveError):
        return refusal_words(error)
    text = str(error)
    if language() == "en" or isinstance(error, SaidError):
        return text
    translated = plain_gettext(text)
    return otherwise if translated == text else translated


class SaidError(CompanionError):
    """Something refused by a page, in the reader's language already."""
