"""Why a move is refused: the rule that it breaks, in its order at the table."""

from __future__ import annotations

from typing import assert_never

from companion.games.takenoko.available import actions_left
from companion.games.takenoko.edition import Card, GardenerCard, PandaCard
from companion.games.takenoko.hexgrid import NEAR_POND, POND, Edge, Hex, neighbours
from companion.games.takenoko.land import ENOUGH_SIDES
from companion.games.takenoko.moves import (
    ChooseWeather,
    Claim,
    Discard,
    Draw,
    End,
    Improve,
    InTurn,
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
from companion.games.takenoko.objectives import can_pay, is_grown, is_met, tall_enough
from companion.games.takenoko.pieces import (
    DECK_INDEX,
    IMPROVEMENT_INDEX,
    MAX_GROWTH,
    Action,
    Improvement,
    Weather,
    kind_name,
)
from companion.games.takenoko.state import SeatState, State, Turn
from companion.games.title import Refusal


def why_illegal(state: State, move: Move, seat: int | None = None) -> Refusal | None:
    """The first rule that a move breaks, or None where it is legal.

    Args:
        state: the position.
        move: what someone wants to do.
        seat: who; None: the seat whose turn it is.
    """
    if isinstance(move, Know):
        return _know(state, move, seat)
    turn = state.turn
    if turn is None:
        ended = any(player.emperor for player in state.seats)
        return Refusal("T-END-1" if ended else "T-END-4", "the game is over")
    if isinstance(move, Stop):
        return None
    if seat is not None and seat != turn.seat:
        name = state.seats[turn.seat].name
        return Refusal(_OWN_TURN.get(type(move), "T-SET-3"), "it is %(who)s's turn", {"who": name})
    if not isinstance(move, Roll) and turn.awaits_roll():
        free = isinstance(move, Irrigate | Improve | Claim)
        return Refusal("T-TURN-4" if free else "T-TURN-1", "the weather die is rolled first")
    if turn.drawn is not None and not isinstance(move, Discard):
        return Refusal("T-OBJ-7", "%(card)s was drawn and is met already: it is discarded first", {"card": turn.drawn})
    return _refusal_in_turn(state, turn, move)


def _refusal_in_turn(state: State, turn: Turn, move: InTurn) -> Refusal | None:
    seat = state.seats[turn.seat]
    match move:
        case Roll():
            return _roll(turn)
        case ChooseWeather():
            return _choose(state, turn, move)
        case Rain():
            return _rain(state, turn, move)
        case Storm():
            return _storm(state, turn, move)
        case Skip():
            return _skip(turn)
        case TakeChip():
            return _take_chip(state, turn, move)
        case LayPlot():
            return _lay(state, turn, seat, move)
        case TakeChannel():
            return _take_channel(state, turn, move)
        case MoveGardener(to):
            return _action(turn, Action.GARDENER) or _walk(state, state.gardener, to)
        case MovePanda(to):
            return _action(turn, Action.PANDA) or _walk(state, state.panda, to)
        case Draw():
            return _draw(state, turn, seat, move)
        case Discard():
            return _discard(state, turn, seat, move)
        case Irrigate():
            return _irrigate(state, seat, move)
        case Improve():
            return _improve(state, seat, move)
        case Claim(card):
            return _claim(state, seat, card)
        case End():
            return _end(state, turn)
        case _:
            assert_never(move)


_OWN_TURN: dict[type, str] = {Irrigate: "T-TURN-4", Improve: "T-TURN-4", Claim: "T-OBJ-1"}
"""Rules that speak of the own turn themselves; for all else it is the order of play (T-SET-3)."""


# Weather


def _roll(turn: Turn) -> Refusal | None:
    if turn.number == 1:
        return Refusal("T-TURN-1", "there is no roll in a player's first turn")
    if turn.weather is not None:
        return Refusal("T-TURN-1", "the weather die was rolled already")
    return None


def _choose(state: State, turn: Turn, move: ChooseWeather) -> Refusal | None:
    rule = "T-WEA-6" if turn.weather is Weather.CLOUDS else "T-WEA-7"
    if turn.weather not in (Weather.CLOUDS, Weather.CHOICE) or not turn.weather_pending:
        return Refusal(rule, "there is no weather to choose now")
    if move.weather is Weather.CHOICE:
        return Refusal(rule, "one of the other five faces is chosen")
    if turn.weather is Weather.CLOUDS:
        if any(state.chips_left()):
            return Refusal(rule, "there are chips in the supply: take one, or skip")
        if move.weather is Weather.CLOUDS:
            return Refusal(rule, "no chip is left: sun, rain, wind or storm is chosen instead")
    return None


def _open_effect(turn: Turn, weather: Weather, rule: str) -> Refusal | None:
    if turn.weather is weather and turn.weather_pending:
        return None
    if turn.weather is weather and turn.actions:
        return Refusal("T-TURN-2", "the weather's effect comes before the actions")
    return Refusal(rule, "there is no effect of the weather to take now: %(weather)s", {"weather": weather.value})


def _rain(state: State, turn: Turn, move: Rain) -> Refusal | None:
    refusal = _open_effect(turn, Weather.RAIN, "T-WEA-2")
    if refusal is not None:
        return refusal
    plot = state.plots.get(move.at)
    if plot is None:
        return Refusal("T-WEA-2", "there is no plot on %(at)s", {"at": str(move.at)})
    if move.at not in state.garden.water.irrigated:
        return Refusal("T-WEA-2", "the plot on %(at)s is not irrigated", {"at": str(move.at)})
    if plot.bamboo >= MAX_GROWTH:
        return Refusal(
            "T-GROW-4", "the bamboo on %(at)s is %(most)s high already", {"at": str(move.at), "most": MAX_GROWTH}
        )
    return None


def _storm(state: State, turn: Turn, move: Storm) -> Refusal | None:
    refusal = _open_effect(turn, Weather.STORM, "T-WEA-4")
    if refusal is not None:
        return refusal
    if move.at not in state.plots:
        return Refusal("T-WEA-4", "there is no plot on %(at)s; the pond is none", {"at": str(move.at)})
    if move.at == state.panda and not state.rules.options.storm_stay:
        return Refusal("T-WEA-4", "the panda stands there already (option storm_stay is off)")
    return None


def _take_chip(state: State, turn: Turn, move: TakeChip) -> Refusal | None:
    refusal = _open_effect(turn, Weather.CLOUDS, "T-WEA-5")
    if refusal is not None:
        return refusal
    left = state.chips_left()
    if not any(left):
        return Refusal("T-WEA-6", "no chip is left: choose sun, rain, wind or storm instead, or skip")
    if not left[IMPROVEMENT_INDEX[move.improvement]]:
        return Refusal(
            "T-WEA-5", "no such chip is left in the supply: %(improvement)s", {"improvement": move.improvement.value}
        )
    if move.at is not None:
        return _chip_place(state, move.at)
    if not state.rules.options.store_chips:
        return Refusal("option", "a chip that is taken must be placed at once (option store_chips is off)")
    return None


def _chip_place(state: State, at: Hex) -> Refusal | None:
    plot = state.plots.get(at)
    if plot is None:
        return Refusal("T-CHIP-1", "there is no plot on %(at)s", {"at": str(at)})
    if plot.improvement is not None:
        return Refusal(
            "T-CHIP-1",
            "the plot on %(at)s has an improvement already: %(improvement)s",
            {"at": str(at), "improvement": plot.improvement.value},
        )
    if plot.bamboo:
        return Refusal("T-CHIP-2", "bamboo stands on %(at)s: a chip goes on a bare plot", {"at": str(at)})
    return None


def _skip(turn: Turn) -> Refusal | None:
    if not turn.weather_pending:
        return Refusal("T-WEA-8", "no weather effect is open that could be declined")
    return None


# Actions


def _action(turn: Turn, action: Action) -> Refusal | None:
    """Whether this action may be taken at all now, whatever it would do."""
    if turn.weather_pending:
        return Refusal("T-WEA-8", "the weather's effect is open: take it, or say skip, before the actions")
    limit = turn.action_limit()
    if len(turn.actions) >= limit:
        return Refusal("T-TURN-3", "all %(limit)s actions of this turn are taken", {"limit": limit})
    if action in turn.actions and turn.weather is not Weather.WIND:
        return Refusal("T-TURN-3", "this action was taken in this turn already: %(action)s", {"action": action.value})
    return None


def _lay(state: State, turn: Turn, seat: SeatState, move: LayPlot) -> Refusal | None:
    refusal = _action(turn, Action.PLOT)
    if refusal is not None:
        return refusal
    land = state.garden.land
    if not any(count > 0 for count in land.left.values()):
        return Refusal("T-PLOT-1", "no plot is left in the box")
    if land.left.get((move.colour, move.improvement), 0) <= 0:
        return Refusal(
            "T-PLOT-3",
            "no such plot is left in the box: %(plot)s",
            {"plot": kind_name((move.colour, move.improvement))},
        )
    if move.at == POND or move.at in land.cells:
        return Refusal("T-PLOT-2", "%(at)s is not empty", {"at": str(move.at)})
    if move.at not in NEAR_POND and sum(cell in land.cells for cell in neighbours(move.at)) < ENOUGH_SIDES:
        return Refusal("T-PLOT-2", "%(at)s touches neither the pond nor two plots by sides", {"at": str(move.at)})
    if move.chip is None:
        return None
    if not state.rules.options.improve_while_laying:
        return Refusal("option", "no chip is put on a plot as it is laid (option improve_while_laying is off)")
    if move.improvement is not None:
        return Refusal(
            "T-CHIP-1", "the plot has an improvement already: %(improvement)s", {"improvement": move.improvement.value}
        )
    return _stored_chip(seat, move.chip)


def _channel_place(state: State, edge: Edge) -> Refusal | None:
    cells = state.garden.land.cells
    if POND in edge and not state.rules.options.channel_on_pond_edge:
        return Refusal("T-CHAN-3", "this is an edge of the pond: %(edge)s", {"edge": str(edge)})
    bare = tuple(str(cell) for cell in edge if cell != POND and cell not in cells)
    if bare:
        return Refusal("T-CHAN-2", "a channel lies between two plots: there is none on %(at)s", {"at": bare})
    if edge in state.channels:
        return Refusal("T-CHAN-5", "a channel lies there already: %(edge)s", {"edge": str(edge)})
    if edge not in state.garden.water.sites():
        return Refusal(
            "T-CHAN-4",
            "this edge joins neither the pond nor another channel at a corner: %(edge)s",
            {"edge": str(edge)},
        )
    return None


def _take_channel(state: State, turn: Turn, move: TakeChannel) -> Refusal | None:
    refusal = _action(turn, Action.CHANNEL)
    if refusal is not None:
        return refusal
    if not state.channels_left():
        return Refusal("T-CHAN-1", "no channel is left in the supply")
    if move.edge is not None:
        return _channel_place(state, move.edge)
    if not state.rules.options.store_channels:
        return Refusal("option", "a channel that is taken must be placed at once (option store_channels is off)")
    return None


def _walk(state: State, start: Hex, to: Hex) -> Refusal | None:
    dq, dr = to.q - start.q, to.r - start.r
    steps = max(abs(dq), abs(dr), abs(dq + dr))
    if not steps:
        return Refusal(
            "T-MOVE-3", "the figure stands on %(at)s already: there is no effect without moving", {"at": str(to)}
        )
    if 0 not in (dq, dr, dq + dr):
        return Refusal(
            "T-MOVE-1", "%(at)s does not lie in a straight line from %(start)s", {"at": str(to), "start": str(start)}
        )
    if to not in state.garden.land.reach(start):
        return Refusal(
            "T-MOVE-2",
            "there is an empty place on the way from %(start)s to %(at)s",
            {"at": str(to), "start": str(start)},
        )
    return None


def _draw(state: State, turn: Turn, seat: SeatState, move: Draw) -> Refusal | None:
    refusal = _action(turn, Action.OBJECTIVE)
    if refusal is not None:
        return refusal
    limit = state.rules.edition.hand_limit
    if seat.cards_in_hand() >= limit:
        return Refusal("T-DRAW-2", "%(who)s holds %(limit)s cards already", {"who": seat.name, "limit": limit})
    if not state.deck_left(move.deck):
        return Refusal("T-DRAW-3", "no card is left to draw: %(deck)s", {"deck": move.deck.value})
    if move.card is not None:
        return _possible(state, move.card)
    return None


# Free at any moment of the own turn


def _stored_chip(seat: SeatState, chip: Improvement) -> Refusal | None:
    if not seat.chips[IMPROVEMENT_INDEX[chip]]:
        return Refusal(
            "T-CHIP-4",
            "%(who)s has no such chip stored: %(improvement)s",
            {"who": seat.name, "improvement": chip.value},
        )
    return None


def _irrigate(state: State, seat: SeatState, move: Irrigate) -> Refusal | None:
    if not seat.channels:
        return Refusal("T-TURN-4", "%(who)s has no channel stored", {"who": seat.name})
    return _channel_place(state, move.edge)


def _improve(state: State, seat: SeatState, move: Improve) -> Refusal | None:
    return _stored_chip(seat, move.improvement) or _chip_place(state, move.at)


def _possible(state: State, card: str) -> Refusal | None:
    """Whether a copy of a card can be where the record does not know it (T-OBJ-2)."""
    if card not in state.rules.edition.cards:
        return Refusal("T-OBJ-2", "there is no card %(card)s in the box", {"card": card})
    if state.copies_left(card) <= 0:
        return Refusal("T-OBJ-2", "every copy of this card is known to be elsewhere: %(card)s", {"card": card})
    return None


def _held(state: State, seat: SeatState, card: str) -> Refusal | None:
    """Whether the seat holds this card, or may hold it for all that the record knows (T-OBJ-2)."""
    if card in seat.hand:
        return None
    refusal = _possible(state, card)
    if refusal is not None:
        return refusal
    if not seat.hidden[DECK_INDEX[state.rules.edition.cards[card].deck]]:
        return Refusal("T-OBJ-2", "%(who)s does not hold this card: %(card)s", {"who": seat.name, "card": card})
    return None


def _unmet(state: State, seat: SeatState, card: Card) -> Refusal | None:
    if isinstance(card, PandaCard):
        if can_pay(seat, card):
            return None
        return Refusal(
            "T-OBJ-6",
            "%(who)s has not eaten the bamboo that this card costs: %(card)s",
            {"who": seat.name, "card": card.id},
        )
    if is_met(state, card):
        return None
    if isinstance(card, GardenerCard):
        if is_grown(state, card):
            return Refusal(
                "T-OBJ-5", "the gardener does not stand on a plot that meets this card: %(card)s", {"card": card.id}
            )
        if tall_enough(state.garden, card):
            return Refusal(
                "T-OBJ-4",
                "this card asks for stalks exactly %(height)s high: %(card)s",
                {"card": card.id, "height": card.height},
            )
    return Refusal("T-OBJ-3", "the garden does not meet this card now: %(card)s", {"card": card.id})


def _claim(state: State, seat: SeatState, card: str) -> Refusal | None:
    return _held(state, seat, card) or _unmet(state, seat, state.rules.edition.cards[card])


def _discard(state: State, turn: Turn, seat: SeatState, move: Discard) -> Refusal | None:
    """Forced where the record knows the drawn card; where it does not, possible right after the draw (T-OBJ-7)."""
    if not state.rules.options.discard_fulfilled_draw:
        return Refusal("T-OBJ-7", "drawn cards are not discarded (option discard_fulfilled_draw is off)")
    if turn.drawn is not None:
        if move.card != turn.drawn:
            return Refusal("T-OBJ-7", "another card was drawn: %(card)s", {"card": turn.drawn})
        return None
    if not turn.actions or turn.actions[-1] is not Action.OBJECTIVE:
        return Refusal("T-OBJ-7", "no objective was drawn just now")
    card = state.rules.edition.cards.get(move.card)
    if card is None or move.card in seat.hand or isinstance(card, PandaCard):
        return Refusal(
            "T-OBJ-7",
            "this is no card that was drawn unseen and can be met by the garden: %(card)s",
            {"card": move.card},
        )
    return _held(state, seat, move.card) or (
        None
        if is_met(state, card)
        else Refusal("T-OBJ-7", "the garden does not meet this card now: %(card)s", {"card": move.card})
    )


# Whenever


def _know(state: State, move: Know, seat: int | None) -> Refusal | None:
    if seat is None:
        seat = state.turn.seat if state.turn is not None else 0
    player = state.seats[seat]
    if move.card in player.hand and not player.hidden[DECK_INDEX[state.rules.edition.cards[move.card].deck]]:
        return Refusal(
            "T-OBJ-2", "%(who)s is known to hold this card already: %(card)s", {"who": player.name, "card": move.card}
        )
    return _possible(state, move.card) or _held_unseen(state, player, move.card)


def _held_unseen(state: State, player: SeatState, card: str) -> Refusal | None:
    deck = state.rules.edition.cards[card].deck
    if not player.hidden[DECK_INDEX[deck]]:
        return Refusal(
            "T-OBJ-2", "%(who)s holds no unknown card of this kind: %(deck)s", {"who": player.name, "deck": deck.value}
        )
    return None


def _end(state: State, turn: Turn) -> Refusal | None:
    if turn.weather_pending:
        return Refusal("T-WEA-8", "the weather's effect is open: take it, or say skip, before the turn ends")
    if not state.rules.options.may_pass_actions:
        left = actions_left(state)
        if left:
            names = tuple(action.value for action in left)
            return Refusal(
                "T-TURN-3", "actions are left (option may_pass_actions is off): %(actions)s", {"actions": names}
            )
    return None
