"""What every view needs: the evening, and the fields of a command."""

from __future__ import annotations

from typing import Any, TypeVar, cast

from flask import current_app, request

from companion.errors import BadInputError
from companion.services.evening import Evening
from web.streams import ViewCache
from web.texts import N_

_T = TypeVar("_T")


def evening() -> Evening:
    """The evening that this app shows."""
    return cast(Evening, current_app.extensions["evening"])


def view_cache() -> ViewCache:
    """The views made last."""
    return cast(ViewCache, current_app.extensions["view_cache"])


def command() -> dict[str, Any]:
    """The JSON object of a command.

    Raises:
        BadInputError: it is none.
    """
    try:
        data = request.get_json(silent=True)
    except RecursionError:
        data = None  # brackets by the thousand
    if not isinstance(data, dict):
        raise BadInputError(N_("expected a JSON object"))
    return data


def field(data: dict[str, Any], name: str, kind: type[_T]) -> _T:
    """A field that must be there.

    Raises:
        BadInputError: it is missing, or of another type.
    """
    value = optional(data, name, kind)
    if value is None:
        raise BadInputError(f"{name}: is missing")
    return value


def optional(data: dict[str, Any], name: str, kind: type[_T]) -> _T | None:
    """A field that may be absent.

    Raises:
        BadInputError: it is of another type.
    """
    value = data.get(name)
    if value is None:
        return None
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise BadInputError(f"{name}: expected {kind.__name__}")
    return value
