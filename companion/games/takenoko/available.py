"""The actions that a turn still offers, each with its moves (takenoko, section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from companion.games.takenoko.moves import Draw, LayPlot, Move, TakeChannel
from companion.games.takenoko.pieces import DECKS, IMPROVEMENTS, Action, Weather
from companion.games.takenoko.state import SeatState, State, Turn

_DRAWS: dict[tuple[bool, ...], tuple[Move, ...]] = {
    filled: tuple(Draw(deck) for deck, cards in zip(DECKS, filled, strict=True) if cards)
    for filled in product((False, True), repeat=len(DECKS))
}
"""By which decks have cards."""
_STORE_CHANNEL = TakeChannel()

# Bound once: up to Python 3.11 naming a member of an enum costs a call of its metaclass.
_PLOT, _CHANNEL, _GARDENER, _PANDA, _OBJECTIVE = Action
_WIND = Weather.WIND


def actions_left(state: State) -> Sequence[Action]:
    """The actions that the seat in turn could take now, weather and earlier actions considered."""
    turn = state.turn
    if turn is None or turn.awaits_roll() or turn.weather_pending or turn.drawn is not None:
        return ()
    return tuple(available_actions(state, turn))


def available_actions(state: State, turn: Turn) -> dict[Action, tuple[Move, ...]]:
    """Every action that may still be taken, with its moves."""
    taken = turn.actions
    found: dict[Action, tuple[Move, ...]] = {}
    if taken:
        if len(taken) >= turn.action_limit():
            return found
        if turn.weather is _WIND:
            taken = ()
    garden, seat, options = state.garden, state.seats[turn.seat], state.rules.options
    moves: tuple[Move, ...]
    if _PLOT not in taken:
        moves = garden.land.lays()
        if options.improve_while_laying and seat.chips != (0, 0, 0):
            moves = (*moves, *_lays_with_chips(state, seat))
        if moves:
            found[_PLOT] = moves
    if _CHANNEL not in taken and state.supply.channels:
        moves = garden.water.take_moves()
        if options.store_channels:
            moves = (_STORE_CHANNEL, *moves)
        if moves:
            found[_CHANNEL] = moves
    if _GARDENER not in taken:
        moves = garden.land.gardener_moves(state.gardener)
        if moves:
            found[_GARDENER] = moves
    if _PANDA not in taken:
        moves = garden.land.panda_moves(state.panda)
        if moves:
            found[_PANDA] = moves
    if _OBJECTIVE not in taken and seat.cards_in_hand() < state.rules.edition.hand_limit:
        plot, gardener, panda = state.supply.decks
        moves = _DRAWS[plot > 0, gardener > 0, panda > 0]
        if moves:
            found[_OBJECTIVE] = moves
    return found


def _lays_with_chips(state: State, seat: SeatState) -> list[Move]:
    """A stored chip on a plain plot as it is laid (option improve_while_laying)."""
    land = state.garden.land
    stored = [chip for chip, count in zip(IMPROVEMENTS, seat.chips, strict=True) if count]
    plain = [kind for kind, count in land.left.items() if count > 0 and kind[1] is None]
    return [LayPlot(*kind, at, chip) for kind in plain for at in land.frontier for chip in stored]
