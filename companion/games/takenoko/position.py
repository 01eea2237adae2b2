"""A position as JSON (formats, section 3): written in full, read leniently, refused with every reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any, TypeVar

from companion.errors import ImpossiblePositionError, MalformedError
from companion.games.takenoko.garden import Garden, garden_of
from companion.games.takenoko.hexgrid import POND, Edge, Hex, parse_edge, parse_hex
from companion.games.takenoko.pieces import COLOURS, DECKS, IMPROVEMENTS, MAX_GROWTH, Action, Weather
from companion.games.takenoko.plot import Plot, parse_plot, with_bamboo
from companion.games.takenoko.possible import problems
from companion.games.takenoko.rules import Rules
from companion.games.takenoko.state import SeatState, State, Triple, Turn

MOST = 1000
"""The largest number that is read: no count at a table comes near it."""

_Word = TypeVar("_Word", bound=StrEnum)
_T = TypeVar("_T")


def position_to_json(state: State) -> dict[str, Any]:
    """The position in full."""
    return {
        "plots": {str(at): str(plot) for at, plot in sorted(state.plots.items())},
        "channels": [str(edge) for edge in sorted(state.channels)],
        "gardener": str(state.gardener),
        "panda": str(state.panda),
        "seats": [_seat_to_json(seat) for seat in state.seats],
        "turn": None if state.turn is None else _turn_to_json(state.turn),
        "over": state.over,
    }


def _seat_to_json(seat: SeatState) -> dict[str, Any]:
    return {
        "name": seat.name,
        "bamboo": dict(zip(map(str, COLOURS), seat.bamboo, strict=True)),
        "channels": seat.channels,
        "chips": dict(zip(map(str, IMPROVEMENTS), seat.chips, strict=True)),
        "hand": list(seat.hand),
        "hidden": dict(zip(map(str, DECKS), seat.hidden, strict=True)),
        "claimed": list(seat.claimed),
        "emperor": seat.emperor,
    }


def _turn_to_json(turn: Turn) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "seat": turn.seat,
        "number": turn.number,
        "weather": None if turn.weather is None else turn.weather.value,
        "weather_pending": turn.weather_pending,
        "actions": [action.value for action in turn.actions],
    }
    if turn.drawn is not None:
        facts["drawn"] = turn.drawn
    return facts


class _Reader:
    """Collects every fault on the way, so that all can be named at once."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.faults: list[str] = []

    def fault(self, where: str, what: str) -> None:
        self.faults.append(f"{where}: {what}")

    def table(self, where: str, value: object, keys: Sequence[str] | None = None) -> Mapping[str, Any]:
        """An object; with `keys`, no others are allowed."""
        if not isinstance(value, Mapping):
            self.fault(where, f"expected an object, not {_shown(value)}")
            return {}
        if keys is not None:
            for key in value:
                if key not in keys:
                    self.fault(where, f"unknown key {key[:40]!r} (known: {', '.join(keys)})")
        return value

    def items(self, where: str, value: object) -> Sequence[Any]:
        if not isinstance(value, list):
            self.fault(where, f"expected a list, not {_shown(value)}")
            return ()
        return value

    def number(self, where: str, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST:
            self.fault(where, f"expected a whole number from 0 to {MOST}, not {_shown(value)}")
            return 0
        return value

    def truth(self, where: str, value: object) -> bool:
        if not isinstance(value, bool):
            self.fault(where, f"expected true or false, not {_shown(value)}")
            return False
        return value

    def text(self, where: str, value: object, parse: Callable[[str], _T], otherwise: _T) -> _T:
        """A text that `parse` reads; the fault it finds is kept."""
        if not isinstance(value, str):
            self.fault(where, f"expected a text, not {_shown(value)}")
            return otherwise
        try:
            return parse(value)
        except MalformedError as error:
            self.fault(where, str(error))
            return otherwise

    def word(self, where: str, value: object, words: type[_Word]) -> _Word | None:
        if not isinstance(value, str) or value not in list(words):
            self.fault(where, f"expected one of {', '.join(words)}, not {_shown(value)}")
            return None
        return words(value)

    def triple(self, where: str, value: object, words: Sequence[StrEnum]) -> Triple:
        """Counts by word; what is not named is zero."""
        counts = self.table(where, value, [str(word) for word in words])
        a, b, c = (self.number(f"{where}.{word}", counts.get(str(word), 0)) for word in words)
        return (a, b, c)

    def cards(self, where: str, value: object) -> tuple[str, ...]:
        return tuple(name for name in self.items(where, value) if self.is_card(where, name))

    def is_card(self, where: str, value: object) -> bool:
        if isinstance(value, str) and value in self.rules.edition.cards:
            return True
        self.fault(where, f"there is no card {_shown(value)} in the box")
        return False

    def plots(self, where: str, value: object) -> dict[Hex, Plot | None]:
        """Plots by hex, None where null stands."""
        found: dict[Hex, Plot | None] = {}
        for key, text in self.table(where, value).items():
            at = self.text(where, key, parse_hex, POND)
            if at in found:
                self.fault(where, f"{at} stands twice")
            place = f"{where}.{key[:12]}"
            found[at] = None if text is None else self.text(place, text, parse_plot, _NOTHING)
        return found

    def pieces(self, plots: int, channels: int) -> None:
        """Many more pieces than a box has are no position: nothing is built of them to say more."""
        if plots > self.rules.plot_count:
            self.fault("plots", f"T-PLOT-3: {plots} plots lie, but the box has {self.rules.plot_count}")
        if channels > self.rules.edition.channels:
            self.fault("channels", f"T-CHAN-1: {channels} lie, but the box has {self.rules.edition.channels}")

    def channels(self, where: str, value: object) -> frozenset[Edge]:
        found: set[Edge] = set()
        for text in self.items(where, value):
            edge = self.text(where, text, parse_edge, _NOWHERE)
            if edge in found:
                self.fault(where, f"T-CHAN-5: two channels on {edge}")
            found.add(edge)
        return frozenset(found)

    def seat(self, where: str, value: object, seat: SeatState) -> SeatState:
        """One seat; what is not named stays as in `seat`."""
        facts = self.table(where, value, _SEAT_KEYS)
        name = facts.get("name", seat.name)
        if name != seat.name:
            self.fault(f"{where}.name", f"the header says {seat.name!r}")
        return SeatState(
            seat.name,
            self.triple(f"{where}.bamboo", facts["bamboo"], COLOURS) if "bamboo" in facts else seat.bamboo,
            self.number(f"{where}.channels", facts.get("channels", seat.channels)),
            self.triple(f"{where}.chips", facts["chips"], IMPROVEMENTS) if "chips" in facts else seat.chips,
            self.cards(f"{where}.hand", facts["hand"]) if "hand" in facts else seat.hand,
            self.triple(f"{where}.hidden", facts["hidden"], DECKS) if "hidden" in facts else seat.hidden,
            self.cards(f"{where}.claimed", facts["claimed"]) if "claimed" in facts else seat.claimed,
            self.truth(f"{where}.emperor", facts.get("emperor", seat.emperor)),
        )

    def seats(self, where: str, value: object, seats: Sequence[SeatState]) -> tuple[SeatState, ...]:
        found = self.items(where, value)
        if len(found) != len(seats):
            self.fault(where, f"{len(found)} entries for {len(seats)} seats")
            return tuple(seats)
        return tuple(
            self.seat(f"{where}[{index}]", facts, seat)
            for index, (facts, seat) in enumerate(zip(found, seats, strict=True))
        )

    def turn(self, where: str, value: object, first: int) -> Turn:
        facts = self.table(where, value, _TURN_KEYS)
        weather = facts.get("weather")
        drawn = facts.get("drawn")
        actions = [
            self.word(f"{where}.actions", word, Action)
            for word in self.items(f"{where}.actions", facts.get("actions", []))
        ]
        return Turn(
            self.number(f"{where}.seat", facts.get("seat", first)),
            self.number(f"{where}.number", facts.get("number", 1)),
            None if weather is None else self.word(f"{where}.weather", weather, Weather),
            self.truth(f"{where}.weather_pending", facts.get("weather_pending", False)),
            tuple(action for action in actions if action is not None),
            drawn if drawn is not None and self.is_card(f"{where}.drawn", drawn) else None,
        )


_SEAT_KEYS = ("name", "bamboo", "channels", "chips", "hand", "hidden", "claimed", "emperor")
_TURN_KEYS = ("seat", "number", "weather", "weather_pending", "actions", "drawn")
_POSITION_KEYS = ("plots", "channels", "gardener", "panda", "seats", "turn", "over")
_CORRECTION_KEYS = ("bamboo", "plots", "channels", "gardener", "panda", "seats")
_NOTHING = parse_plot("green 0")
_NOWHERE = Edge.of(POND, Hex(1, 0))
"""Stand for what could not be read until all faults are collected."""


def _shown(value: object) -> str:
    text = repr(value) if isinstance(value, str | bool | float | type(None)) else type(value).__name__
    return text if len(text) <= 42 else f"{text[:40]}..."


def position_from_json(data: object, rules: Rules, names: Sequence[str], first: int = 0) -> State:
    """Read a position; what is absent is empty, zero, or as at the start of a game.

    Args:
        data: the decoded JSON.
        rules: the rules in force.
        names: the names of the seats, as the header has them.
        first: the seat that began.

    Raises:
        ImpossiblePositionError: with every reason why it cannot be read or cannot occur.
    """
    reader = _Reader(rules)
    facts = reader.table("position", data, _POSITION_KEYS)
    plots: dict[Hex, Plot] = {}
    for at, plot in reader.plots("plots", facts.get("plots", {})).items():
        if plot is None:
            reader.fault(f"plots.{at}", "expected a plot, not None")
        else:
            plots[at] = plot
    channels = reader.channels("channels", facts.get("channels", []))
    gardener = reader.text("gardener", facts.get("gardener", str(POND)), parse_hex, POND)
    panda = reader.text("panda", facts.get("panda", str(POND)), parse_hex, POND)
    seats = tuple(SeatState(name) for name in names)
    if "seats" in facts:
        seats = reader.seats("seats", facts["seats"], seats)
    turn = _turn_of(reader, facts, first)
    reader.pieces(len(plots), len(channels))
    if reader.faults:
        raise ImpossiblePositionError(tuple(reader.faults))
    return _possible(State.of(rules, garden_of(rules, plots, channels), gardener, panda, seats, turn, first))


def _turn_of(reader: _Reader, facts: Mapping[str, Any], first: int) -> Turn | None:
    """The turn and whether the game is over are one fact: there is no turn exactly when it is."""
    over = reader.truth("over", facts.get("over", "turn" in facts and facts["turn"] is None))
    if not over and "turn" in facts and facts["turn"] is None:
        reader.fault("turn", "the game is not over: whose turn is it?")
    elif over and facts.get("turn") is not None:
        reader.fault("turn", "the game is over: expected null")
    elif not over:
        return reader.turn("turn", facts.get("turn", {}), first)
    return None


def _possible(state: State) -> State:
    reasons = problems(state)
    if reasons:
        raise ImpossiblePositionError(reasons)
    return state


def corrected(state: State, data: object) -> State:
    """The position with single facts set right (formats, section 2); nothing grows by it.

    `plots` and `bamboo` name single cells, null takes a plot away; `channels` names all channels; a seat keeps what is
    not named.

    Raises:
        ImpossiblePositionError: with every reason why it cannot be read or the outcome cannot occur.
    """
    reader = _Reader(state.rules)
    facts = reader.table("correct", data, _CORRECTION_KEYS)
    if not facts and not reader.faults:
        reader.fault("correct", f"nothing is named (known: {', '.join(_CORRECTION_KEYS)})")
    plots = dict(state.plots)
    for at, plot in reader.plots("plots", facts.get("plots", {})).items():
        if plot is not None:
            plots[at] = plot
        elif plots.pop(at, None) is None:
            reader.fault(f"plots.{at}", "no plot lies here that could be taken away")
    for key, value in reader.table("bamboo", facts.get("bamboo", {})).items():
        at = reader.text("bamboo", key, parse_hex, POND)
        bamboo = reader.number(f"bamboo.{key[:12]}", value)
        if at not in plots:
            reader.fault(f"bamboo.{key[:12]}", "no plot lies here")
        elif bamboo > MAX_GROWTH:
            reader.fault(f"bamboo.{key[:12]}", f"T-GROW-4: never above {MAX_GROWTH}")
        else:
            plots[at] = with_bamboo(plots[at], bamboo)
    channels = reader.channels("channels", facts["channels"]) if "channels" in facts else state.channels
    gardener = reader.text("gardener", facts.get("gardener", str(state.gardener)), parse_hex, POND)
    panda = reader.text("panda", facts.get("panda", str(state.panda)), parse_hex, POND)
    seats = reader.seats("seats", facts["seats"], state.seats) if "seats" in facts else state.seats
    reader.pieces(len(plots), len(channels))
    if reader.faults:
        raise ImpossiblePositionError(tuple(reader.faults))
    garden: Garden = garden_of(state.rules, plots, channels)
    return _possible(State.of(state.rules, garden, gardener, panda, seats, state.turn, state.first))
