"""Fixtures of the pages' tests; what they share lies in `tests_web`."""

from tests_web import app, evening, game, host, stranger, view

__all__ = ["app", "evening", "game", "host", "stranger", "view"]
