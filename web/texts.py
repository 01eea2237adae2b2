"""Translation into the reader's language, typed: `_`, `ngettext`, `pgettext`, and `N_` for what is shown later.

Parameters are named: `_("%(who)s ends the turn.", who=name)`.
"""

from __future__ import annotations

import flask_babel


def gettext(text: str, **params: object) -> str:
    """A message."""
    return str(flask_babel.gettext(text, **params))


def ngettext(singular: str, plural: str, num: int, **params: object) -> str:
    """A message with a number, `%(num)s` in the text."""
    return str(flask_babel.ngettext(singular, plural, num, **params))


def pgettext(context: str, text: str, **params: object) -> str:
    """A message whose English words mean several things; the context tells them apart."""
    return str(flask_babel.pgettext(context, text, **params))


def N_(text: str) -> str:
    """Mark a message that is translated where it is shown."""
    return text


def NP_(singular: str, plural: str) -> tuple[str, str]:
    """Mark a message with a number that is translated where it is shown."""
    return singular, plural


def plain_gettext(text: str | tuple[str, str], num: int = 1) -> str:
    """A marked message in the reader's language, its parameters not yet filled in."""
    catalogue = flask_babel.get_translations()
    return str(catalogue.gettext(text) if isinstance(text, str) else catalogue.ngettext(*text, num))


def plain_pgettext(context: str, text: str) -> str:
    """A message with a context in the reader's language, its parameters not yet filled in."""
    return str(flask_babel.get_translations().pgettext(context, text))


_ = gettext
