"""The titles of the house, by the word for them in a record."""

from __future__ import annotations

from typing import Any

from companion.errors import BadInputError
from companion.games.takenoko.title import TAKENOKO
from companion.games.title import Title

TITLES: dict[str, Title[Any, Any]] = {TAKENOKO.name: TAKENOKO}


def title_named(name: str) -> Title[Any, Any]:
    """The title of this name.

    Raises:
        BadInputError: if the house does not know it.
    """
    if name not in TITLES:
        raise BadInputError(f"no game {name[:40]!r}: this version knows {', '.join(TITLES)}")
    return TITLES[name]
