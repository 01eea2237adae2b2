"""Why something was refused, in the reader's language.

The rules say it in English with all particulars; in another language the broken rule itself is told in plain words.
"""

from __future__ import annotations

from companion.errors import IllegalMoveError
from web.i18n import language
from web.rulebook import RULES
from web.texts import gettext


def reason_words(rule: str, message: str) -> str:
    """The reason of a refusal by a rule."""
    known = RULES.get(rule)
    return message if known is None or language() == "en" else gettext(known.text)


def refusal_words(error: IllegalMoveError) -> str:
    """A refused move's reason, with the rule's id."""
    return f"{reason_words(error.rule, error.message)} ({error.rule})"
