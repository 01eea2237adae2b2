"""Moves as a few words, one line each (formats, section 1)."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cache
from typing import TypeVar, assert_never

from companion.errors import MalformedError
from companion.games.takenoko.edition import edition_names, load_edition
from companion.games.takenoko.hexgrid import parse_edge, parse_hex
from companion.games.takenoko.moves import (
    ChooseWeather,
    Claim,
    Discard,
    Draw,
    End,
    Improve,
    Irrigate,
    Know,
    LayPlot,
    Move,
    MoveGardener,
    MovePanda,
    Rain,
    Roll,
    Skip,
    Stop,
    Storm,
    TakeChannel,
    TakeChip,
)
from companion.games.takenoko.pieces import Colour, Deck, Improvement, Kind, Weather, kind_name

LONGEST = 120
"""Characters of the longest text that is read at all; the longest move there is has about sixty."""

_Word = TypeVar("_Word", bound=StrEnum)


def _word(words: type[_Word], text: str) -> _Word:
    try:
        return words(text)
    except ValueError:
        raise MalformedError(f"no {words.__name__.lower()} {text[:40]!r}: choose one of {', '.join(words)}") from None


def parse_kind(text: str) -> Kind:
    """Read a plot as it is laid: `green` or `green/fertilizer`.

    Raises:
        MalformedError: if the text is anything else.
    """
    colour, slash, improvement = text.partition("/")
    return _word(Colour, colour), _word(Improvement, improvement) if slash else None


@cache
def _card_names() -> frozenset[str]:
    return frozenset(card for name in edition_names() for card in load_edition(name).cards)


def _card(text: str) -> str:
    """The name of a card of any box; whether it is in this one is for the rules to say."""
    if text not in _card_names():
        raise MalformedError(f"no card {text[:40]!r} (expected a name such as panda-mixed)")
    return text


def card_deck(card: str) -> Deck:
    """The deck that a card belongs to, from its name."""
    return Deck(card.partition("-")[0])


def _lay(words: list[str]) -> Move:
    if len(words) == 3 and words[2].startswith("+"):
        chip: Improvement | None = _word(Improvement, words[2][1:])
    elif len(words) == 2:
        chip = None
    else:
        raise MalformedError("expected `plot KIND HEX` or `plot KIND HEX +CHIP`")
    colour, improvement = parse_kind(words[0])
    return LayPlot(colour, improvement, parse_hex(words[1]), chip)


def _draw(words: list[str]) -> Move:
    deck = _word(Deck, words[0])
    if len(words) == 1:
        return Draw(deck)
    card = _card(words[1])
    if card_deck(card) is not deck:
        raise MalformedError(f"{card} is no card of the {deck} deck")
    return Draw(deck, card)


_READERS: dict[str, tuple[range, Callable[[list[str]], Move]]] = {
    "roll": (range(1, 2), lambda w: Roll(_word(Weather, w[0]))),
    "weather": (range(1, 2), lambda w: ChooseWeather(_word(Weather, w[0]))),
    "rain": (range(1, 2), lambda w: Rain(parse_hex(w[0]))),
    "storm": (range(1, 2), lambda w: Storm(parse_hex(w[0]))),
    "skip": (range(1), lambda _: Skip()),
    "chip": (range(1, 3), lambda w: TakeChip(_word(Improvement, w[0]), parse_hex(w[1]) if w[1:] else None)),
    "plot": (range(2, 4), _lay),
    "channel": (range(2), lambda w: TakeChannel(parse_edge(w[0]) if w else None)),
    "gardener": (range(1, 2), lambda w: MoveGardener(parse_hex(w[0]))),
    "panda": (range(1, 2), lambda w: MovePanda(parse_hex(w[0]))),
    "draw": (range(1, 3), _draw),
    "discard": (range(1, 2), lambda w: Discard(_card(w[0]))),
    "irrigate": (range(1, 2), lambda w: Irrigate(parse_edge(w[0]))),
    "improve": (range(2, 3), lambda w: Improve(parse_hex(w[0]), _word(Improvement, w[1]))),
    "claim": (range(1, 2), lambda w: Claim(_card(w[0]))),
    "know": (range(1, 2), lambda w: Know(_card(w[0]))),
    "end": (range(1), lambda _: End()),
    "stop": (range(1), lambda _: Stop()),
}


def parse_move(text: str) -> Move:
    """Read one move; an edge may name its cells in either order.

    Raises:
        MalformedError: if the text cannot be read, whatever the position.

    >>> parse_move("gardener 1,-1")
    MoveGardener(to=Hex(q=1, r=-1))
    """
    if len(text) > LONGEST:
        raise MalformedError(f"not a move: {text[:40]!r}... is too long")
    words = text.split()
    if not words or words[0] not in _READERS:
        raise MalformedError(f"not a move: {text[:40]!r} (moves begin with {', '.join(_READERS)})")
    counts, read = _READERS[words[0]]
    if len(words) - 1 not in counts:
        raise MalformedError(f"not a move: {text[:60]!r} has too {'many' if len(words) > counts.stop else 'few'} words")
    try:
        return read(words[1:])
    except MalformedError as error:
        raise MalformedError(f"not a move: {text[:60]!r}: {error}") from None


def format_move(move: Move) -> str:
    """The canonical text of a move; `parse_move(format_move(move)) == move`."""
    match move:
        case Roll(face):
            return f"roll {face.value}"
        case ChooseWeather(weather):
            return f"weather {weather.value}"
        case Rain(at):
            return f"rain {at}"
        case Storm(at):
            return f"storm {at}"
        case Skip():
            return "skip"
        case TakeChip(improvement, None):
            return f"chip {improvement.value}"
        case TakeChip(improvement, at):
            return f"chip {improvement.value} {at}"
        case LayPlot(colour, improvement, at, chip):
            return f"plot {kind_name((colour, improvement))} {at}" + (f" +{chip.value}" if chip else "")
        case TakeChannel(None):
            return "channel"
        case TakeChannel(edge):
            return f"channel {edge}"
        case MoveGardener(to):
            return f"gardener {to}"
        case MovePanda(to):
            return f"panda {to}"
        case Draw(deck, None):
            return f"draw {deck.value}"
        case Draw(deck, card):
            return f"draw {deck.value} {card}"
        case Discard(card):
            return f"discard {card}"
        case Irrigate(edge):
            return f"irrigate {edge}"
        case Improve(at, improvement):
            return f"improve {at} {improvement.value}"
        case Claim(card):
            return f"claim {card}"
        case Know(card):
            return f"know {card}"
        case End():
            return "end"
        case Stop():
            return "stop"
        case _:
            assert_never(move)
