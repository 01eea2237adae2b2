"""Every legal move of a position, and why another is refused."""

from __future__ import annotations

from companion.games.takenoko.available import actions_left, available_actions
from companion.games.takenoko.moves import (
    ChooseWeather,
    Claim,
    Discard,
    End,
    Improve,
    LegalMoves,
    Move,
    Rain,
    Roll,
    Skip,
    Stop,
    Storm,
    TakeChip,
)
from companion.games.takenoko.objectives import claimable
from companion.games.takenoko.pieces import IMPROVEMENTS, Weather
from companion.games.takenoko.refusal import why_illegal
from companion.games.takenoko.state import SeatState, State, Turn
from companion.games.title import Refusal

__all__ = ["Refusal", "actions_left", "legal_moves", "why_illegal"]

_ROLLS: tuple[Move, ...] = tuple(Roll(face) for face in Weather)
_STOP: tuple[Move, ...] = (Stop(),)
_SKIP: tuple[Move, ...] = (Skip(),)
_END: tuple[Move, ...] = (End(),)
_CHOICES: tuple[Move, ...] = tuple(ChooseWeather(weather) for weather in Weather if weather is not Weather.CHOICE)
_INSTEAD_OF_CLOUDS: tuple[Move, ...] = tuple(
    ChooseWeather(weather) for weather in (Weather.SUN, Weather.RAIN, Weather.WIND, Weather.STORM)
)
_NO_MOVES: tuple[tuple[Move, ...], ...] = ()


def legal_moves(state: State) -> LegalMoves:
    """Every legal move of the seat whose turn it is, kind by kind.

    `draw` stands without a card once a deck, `claim` only for cards that are known and met, `plot` for every kind that
    is still in the box. `know` is a message rather than a move and does not stand here.
    """
    turn = state.turn
    if turn is None:
        return LegalMoves(_NO_MOVES)
    if turn.awaits_roll():
        return LegalMoves((_ROLLS, _STOP))
    if turn.drawn is not None:
        return LegalMoves(((Discard(turn.drawn),), _STOP))
    groups: list[tuple[Move, ...]] = []
    seat = state.seats[turn.seat]
    if turn.weather_pending:
        _list_effects(state, turn, groups)
    else:
        actions = available_actions(state, turn)
        groups += actions.values()
        if not actions or state.rules.options.may_pass_actions:
            groups.append(_END)
    _list_free(state, seat, groups)
    groups.append(_STOP)
    return LegalMoves(tuple(groups))


def _list_free(state: State, seat: SeatState, groups: list[tuple[Move, ...]]) -> None:
    """What costs no action (T-TURN-4)."""
    if seat.channels:
        moves: tuple[Move, ...] = state.garden.water.irrigate_moves()
        if moves:
            groups.append(moves)
    if seat.chips != (0, 0, 0):
        cells = state.garden.open_to_chips()
        if cells:
            stored = [chip for chip, count in zip(IMPROVEMENTS, seat.chips, strict=True) if count]
            groups.append(tuple([Improve(at, chip) for chip in stored for at in cells]))
    if seat.hand:
        names = claimable(state, seat)
        if names:
            groups.append(tuple([Claim(card) for card in names]))


def _list_effects(state: State, turn: Turn, groups: list[tuple[Move, ...]]) -> None:
    """The open weather effect and its refusal (T-WEA-2 to T-WEA-8)."""
    garden, options = state.garden, state.rules.options
    moves: tuple[Move, ...]
    match turn.weather:
        case Weather.RAIN:
            moves = tuple([Rain(at) for at in garden.can_rain_on()])
        case Weather.STORM:
            moves = tuple([Storm(at) for at in garden.plots if options.storm_stay or at != state.panda])
        case Weather.CLOUDS:
            left = [chip for chip, count in zip(IMPROVEMENTS, state.chips_left(), strict=True) if count]
            if left:
                stored = [TakeChip(chip) for chip in left] if options.store_chips else []
                placed = [TakeChip(chip, at) for chip in left for at in garden.open_to_chips()]
                moves = (*stored, *placed)
            else:
                moves = _INSTEAD_OF_CLOUDS
        case _:
            moves = _CHOICES
    if moves:
        groups.append(moves)
    groups.append(_SKIP)
