"""The actions that a turn still offers, each with its moves (takenoko, section 5)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.takenoko.land import lay_move
from companion.games.takenoko.moves import Draw, Move, TakeChannel
from companion.games.takenoko.pieces import DECKS, IMPROVEMENTS, Action, Weather
from companion.games.takenoko.state import SeatState, State, Turn

_DRAWS = {deck: Draw(deck) for deck in DECKS}
_STORE_CHANNEL = TakeChannel()


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
    if len(taken) >= turn.action_limit():
        return found
    if turn.weather is Weather.WIND:
        taken = ()
    garden, seat, options = state.garden, state.seats[turn.seat], state.rules.options
    moves: tuple[Move, ...]
    if Action.PLOT not in taken:
        moves = garden.land.lays()
        if options.improve_while_laying and seat.chips != (0, 0, 0):
            moves = (*moves, *_lays_with_chips(state, seat))
        if moves:
            found[Action.PLOT] = moves
    if Action.CHANNEL not in taken and state.channels_left():
        moves = garden.water.take_moves()
        if options.store_channels:
            moves = (_STORE_CHANNEL, *moves)
        if moves:
            found[Action.CHANNEL] = moves
    if Action.GARDENER not in taken:
        moves = garden.land.gardener_moves(state.gardener)
        if moves:
            found[Action.GARDENER] = moves
    if Action.PANDA not in taken:
        moves = garden.land.panda_moves(state.panda)
        if moves:
            found[Action.PANDA] = moves
    if Action.OBJECTIVE not in taken and seat.cards_in_hand() < state.rules.edition.hand_limit:
        moves = tuple([_DRAWS[deck] for deck in DECKS if state.deck_left(deck)])
        if moves:
            found[Action.OBJECTIVE] = moves
    return found


def _lays_with_chips(state: State, seat: SeatState) -> list[Move]:
    """A stored chip on a plain plot as it is laid (option improve_while_laying)."""
    land = state.garden.land
    stored = [chip for chip, count in zip(IMPROVEMENTS, seat.chips, strict=True) if count]
    plain = [kind for kind, count in land.left.items() if count > 0 and kind[1] is None]
    return [lay_move(at, kind, chip) for kind in plain for at in land.frontier for chip in stored]
