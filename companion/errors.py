"""One tree of errors. Each names the place and the remedy; leaves also inherit the fitting builtin."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

Told = str | int | tuple[str, ...]
"""A parameter of a message."""


def filled(text: str, params: Mapping[str, Told]) -> str:
    """A message in English with its parameters; one without any is taken as it is."""
    if not params:
        return text
    return text % {name: ", ".join(value) if isinstance(value, tuple) else value for name, value in params.items()}


class CompanionError(Exception):
    """Anything the companion refuses with one clear line."""


class BadInputError(CompanionError, ValueError):
    """A file, a line, a key or an argument that cannot be used as it is."""


class MalformedError(BadInputError):
    """A notation that cannot be read, whatever the position."""


class UsageError(CompanionError):
    """A command line that asks for something that does not exist (exit code 2)."""


class IllegalMoveError(CompanionError):
    """A readable move that the rules refuse in this position."""

    def __init__(self, rule: str, text: str, params: Mapping[str, Told] = MappingProxyType({})) -> None:
        self.rule = rule
        """The id of the rule that the move breaks, as in the rules' own numbering."""
        self.text = text
        """The reason as a message of the catalogues."""
        self.params = params
        """What stands in it as `%(name)s`."""
        self.message = filled(text, params)
        super().__init__(f"{self.message} ({rule})")


class ImpossiblePositionError(BadInputError):
    """A position that cannot occur; holds every reason at once."""

    def __init__(self, reasons: tuple[str, ...]) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = reasons


class RecordError(BadInputError):
    """A header or an event that cannot stand in a record; carries `format` or `position` in the place of a rule."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"{message} ({rule})")
        self.rule = rule
        """`format`: it cannot be read; `position`: it is readable but impossible."""
        self.message = message


class StaleCommandError(CompanionError):
    """A command that saw an older version of the game than the one in force."""


class StorageError(CompanionError, OSError):
    """The disk refused: nothing that was not written is acknowledged."""


class CameraError(CompanionError, OSError):
    """A camera that is absent, busy, or gives no picture."""


class PanelError(CompanionError):
    """A button or lamp that cannot be set up."""
