"""What each legal move changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.errors import IllegalMoveError
from companion.games.takenoko.edition import PandaCard
from companion.games.takenoko.garden import Garden
from companion.games.takenoko.hexgrid import Hex
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
from companion.games.takenoko.objectives import is_met
from companion.games.takenoko.pieces import (
    COLOUR_INDEX,
    DECK_INDEX,
    IMPROVEMENT_INDEX,
    Action,
    Deck,
    Improvement,
    Weather,
)
from companion.games.takenoko.refusal import why_illegal
from companion.games.takenoko.state import SeatState, State, Supply, Triple, Turn

# Bound once: up to Python 3.11 naming a member of an enum costs a call of its metaclass.
_PLOT, _CHANNEL, _GARDENER, _PANDA, _OBJECTIVE = Action

_OPEN = frozenset({Weather.RAIN, Weather.STORM, Weather.CLOUDS, Weather.CHOICE})
"""Faces that leave an effect to be taken or declined; sun and wind change what actions may be taken (T-WEA-8)."""


def apply(state: State, move: Move, seat: int | None = None) -> State:
    """The position after a move.

    Args:
        state: the position before it; it is not altered.
        move: what happens.
        seat: who does it; None: the seat whose turn it is.

    Raises:
        IllegalMoveError: with the id of the rule that the move breaks.
    """
    refusal = why_illegal(state, move, seat)
    if refusal is not None:
        raise IllegalMoveError(refusal.rule, refusal.text, refusal.params)
    return apply_legal(state, move, seat)


def apply_legal(state: State, move: Move, seat: int | None = None) -> State:
    """The position after a move that the caller knows to be legal: the same as `apply` without asking."""
    if seat is None:
        turn = state.turn
        seat = 0 if turn is None else turn.seat
    return _EFFECTS[type(move)](state, move, seat)


def _plus(counts: Triple, index: int, more: int) -> Triple:
    a, b, c = counts
    if index == 0:
        return (a + more, b, c)
    return (a, b + more, c) if index == 1 else (a, b, c + more)


def _seats_with(state: State, index: int, seat: SeatState) -> tuple[SeatState, ...]:
    seats = state.seats
    return (*seats[:index], seat, *seats[index + 1 :])


def _current(state: State) -> Turn:
    turn = state.turn
    assert turn is not None  # every move but `know` is made in a turn
    return turn


def _acted(turn: Turn, action: Action) -> Turn:
    return Turn(turn.seat, turn.number, turn.weather, False, (*turn.actions, action))


def _weather(turn: Turn, weather: Weather | None, pending: bool) -> Turn:
    return Turn(turn.seat, turn.number, weather, pending, turn.actions)


def _with_garden(state: State, garden: Garden, seats: tuple[SeatState, ...], turn: Turn) -> State:
    return State(state.rules, garden, state.gardener, state.panda, seats, turn, state.first, state.supply)


def _with_supply(state: State, garden: Garden, seats: tuple[SeatState, ...], turn: Turn, supply: Supply) -> State:
    return State(state.rules, garden, state.gardener, state.panda, seats, turn, state.first, supply)


def _stored_chip(seat: SeatState, chip: Improvement, more: int) -> SeatState:
    chips = _plus(seat.chips, IMPROVEMENT_INDEX[chip], more)
    return SeatState(seat.name, seat.bamboo, seat.channels, chips, seat.hand, seat.hidden, seat.claimed, seat.emperor)


def _stored_channels(seat: SeatState, count: int) -> SeatState:
    return SeatState(seat.name, seat.bamboo, count, seat.chips, seat.hand, seat.hidden, seat.claimed, seat.emperor)


def _with_cards(seat: SeatState, hand: tuple[str, ...], hidden: Triple) -> SeatState:
    return SeatState(seat.name, seat.bamboo, seat.channels, seat.chips, hand, hidden, seat.claimed, seat.emperor)


def _without(hand: tuple[str, ...], card: str) -> tuple[str, ...]:
    index = hand.index(card)
    return hand[:index] + hand[index + 1 :]


def _roll(state: State, move: Roll, _: int) -> State:
    turn = _weather(_current(state), move.face, move.face in _OPEN)
    return _with_garden(state, state.garden, state.seats, turn)


def _choose(state: State, move: ChooseWeather, _: int) -> State:
    turn = _weather(_current(state), move.weather, move.weather in _OPEN)
    return _with_garden(state, state.garden, state.seats, turn)


def _settled(state: State) -> Turn:
    turn = _current(state)
    return _weather(turn, turn.weather, False)


def _rain(state: State, move: Rain, _: int) -> State:
    return _with_garden(state, state.garden.grown((move.at,)), state.seats, _settled(state))


def _skip(state: State, _: Skip, __: int) -> State:
    return _with_garden(state, state.garden, state.seats, _settled(state))


def _bite(state: State, at: Hex, index: int, turn: Turn) -> State:
    garden, seats = state.garden.eaten(at), state.seats
    if garden is None:
        garden = state.garden
    else:
        seat = seats[index]
        bamboo = _plus(seat.bamboo, COLOUR_INDEX[garden.plots[at].colour], 1)
        seat = SeatState(
            seat.name, bamboo, seat.channels, seat.chips, seat.hand, seat.hidden, seat.claimed, seat.emperor
        )
        seats = _seats_with(state, index, seat)
    return State(state.rules, garden, state.gardener, at, seats, turn, state.first, state.supply)


def _storm(state: State, move: Storm, seat: int) -> State:
    return _bite(state, move.at, seat, _settled(state))


def _panda(state: State, move: MovePanda, seat: int) -> State:
    return _bite(state, move.to, seat, _acted(_current(state), _PANDA))


def _gardener(state: State, move: MoveGardener, _: int) -> State:
    garden = state.garden
    cells = garden.water.growing(move.to)
    if cells:
        garden = garden.grown(cells)
    turn = _acted(_current(state), _GARDENER)
    return State(state.rules, garden, move.to, state.panda, state.seats, turn, state.first, state.supply)


def _take_chip(state: State, move: TakeChip, seat: int) -> State:
    channels, chips, decks = state.supply
    supply = Supply(channels, _plus(chips, IMPROVEMENT_INDEX[move.improvement], -1), decks)
    garden, seats = state.garden, state.seats
    if move.at is not None:
        garden = garden.improved(move.at, move.improvement)
    else:
        seats = _seats_with(state, seat, _stored_chip(seats[seat], move.improvement, 1))
    return _with_supply(state, garden, seats, _settled(state), supply)


def _lay(state: State, move: LayPlot, seat: int) -> State:
    garden = state.garden.laid(move.at, (move.colour, move.improvement), move.chip)
    seats = state.seats
    if move.chip is not None:
        seats = _seats_with(state, seat, _stored_chip(seats[seat], move.chip, -1))
    return _with_garden(state, garden, seats, _acted(_current(state), _PLOT))


def _take_channel(state: State, move: TakeChannel, seat: int) -> State:
    channels, chips, decks = state.supply
    garden, seats = state.garden, state.seats
    if move.edge is not None:
        garden = garden.with_channel(move.edge)
    else:
        seats = _seats_with(state, seat, _stored_channels(seats[seat], seats[seat].channels + 1))
    turn = _acted(_current(state), _CHANNEL)
    return _with_supply(state, garden, seats, turn, Supply(channels - 1, chips, decks))


def _irrigate(state: State, move: Irrigate, seat: int) -> State:
    stored = _stored_channels(state.seats[seat], state.seats[seat].channels - 1)
    garden = state.garden.with_channel(move.edge)
    return _with_garden(state, garden, _seats_with(state, seat, stored), _current(state))


def _improve(state: State, move: Improve, seat: int) -> State:
    stored = _stored_chip(state.seats[seat], move.improvement, -1)
    garden = state.garden.improved(move.at, move.improvement)
    return _with_garden(state, garden, _seats_with(state, seat, stored), _current(state))


def _draw(state: State, move: Draw, index: int) -> State:
    seat = state.seats[index]
    turn = _acted(_current(state), _OBJECTIVE)
    if move.card is None:
        seat = _with_cards(seat, seat.hand, _plus(seat.hidden, DECK_INDEX[move.deck], 1))
    else:
        seat = _with_cards(seat, (*seat.hand, move.card), seat.hidden)
        card = state.rules.edition.cards[move.card]
        if state.rules.options.discard_fulfilled_draw and not isinstance(card, PandaCard) and is_met(state, card):
            turn = replace(turn, drawn=move.card)
    supply = _with_cards_left(state.supply, move.deck, -1)
    return _with_supply(state, state.garden, _seats_with(state, index, seat), turn, supply)


def _with_cards_left(supply: Supply, deck: Deck, more: int) -> Supply:
    channels, chips, decks = supply
    return Supply(channels, chips, _plus(decks, DECK_INDEX[deck], more))


def _discard(state: State, move: Discard, index: int) -> State:
    """The card goes back under its deck and the action is not spent (T-OBJ-7)."""
    seat, turn = state.seats[index], _current(state)
    seat = _released(state, seat, move.card)
    turn = Turn(turn.seat, turn.number, turn.weather, False, turn.actions[:-1])
    supply = _with_cards_left(state.supply, state.rules.edition.cards[move.card].deck, 1)
    return _with_supply(state, state.garden, _seats_with(state, index, seat), turn, supply)


def _released(state: State, seat: SeatState, card: str) -> SeatState:
    """The seat without this card, whether the record knew it or not."""
    if card in seat.hand:
        return _with_cards(seat, _without(seat.hand, card), seat.hidden)
    deck = state.rules.edition.cards[card].deck
    return _with_cards(seat, seat.hand, _plus(seat.hidden, DECK_INDEX[deck], -1))


def _claim(state: State, move: Claim, index: int) -> State:
    edition = state.rules.edition
    card, seat = edition.cards[move.card], _released(state, state.seats[index], move.card)
    bamboo, claimed = seat.bamboo, (*seat.claimed, move.card)
    if isinstance(card, PandaCard):
        (a, b, c), (x, y, z) = bamboo, card.pay
        bamboo = (a - x, b - y, c - z)
    # The first to reach the number takes the Emperor (T-END-1).
    threshold = edition.thresholds[len(state.seats)]
    emperor = seat.emperor or (len(claimed) >= threshold and not any(other.emperor for other in state.seats))
    seat = SeatState(seat.name, bamboo, seat.channels, seat.chips, seat.hand, seat.hidden, claimed, emperor)
    return _with_garden(state, state.garden, _seats_with(state, index, seat), _current(state))


def _know(state: State, move: Know, index: int) -> State:
    seat = state.seats[index]
    deck = state.rules.edition.cards[move.card].deck
    seat = _with_cards(seat, (*seat.hand, move.card), _plus(seat.hidden, DECK_INDEX[deck], -1))
    seats = _seats_with(state, index, seat)
    return State(state.rules, state.garden, state.gardener, state.panda, seats, state.turn, state.first, state.supply)


def _end(state: State, _: End, __: int) -> State:
    """The next seat's turn; the game is over when it would be the Emperor's again (T-END-1)."""
    turn = _current(state)
    seat = (turn.seat + 1) % len(state.seats)
    following: Turn | None = None
    if not state.seats[seat].emperor:
        following = Turn(seat, turn.number + (seat == state.first))
    return State(
        state.rules, state.garden, state.gardener, state.panda, state.seats, following, state.first, state.supply
    )


def _stop(state: State, _: Stop, __: int) -> State:
    return State(state.rules, state.garden, state.gardener, state.panda, state.seats, None, state.first, state.supply)


_EFFECTS: dict[type, Callable[[State, Any, int], State]] = {
    Roll: _roll,
    ChooseWeather: _choose,
    Rain: _rain,
    Storm: _storm,
    Skip: _skip,
    TakeChip: _take_chip,
    LayPlot: _lay,
    TakeChannel: _take_channel,
    MoveGardener: _gardener,
    MovePanda: _panda,
    Draw: _draw,
    Discard: _discard,
    Irrigate: _irrigate,
    Improve: _improve,
    Claim: _claim,
    Know: _know,
    End: _end,
    Stop: _stop,
}
"""A table rather than a `match`: replaying and simulating spend their time here; a test checks that it is complete."""
