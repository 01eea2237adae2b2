"""Whether a position can occur: every reason why not, at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from companion.games.takenoko.edition import PandaCard
from companion.games.takenoko.hexgrid import NEAR_POND, POND, POND_CORNERS, Edge, Hex, edge_ends, neighbours
from companion.games.takenoko.land import ENOUGH_SIDES
from companion.games.takenoko.objectives import is_met
from companion.games.takenoko.pieces import DECKS, IMPROVEMENTS, Action, Weather, kind_name
from companion.games.takenoko.plot import Plot
from companion.games.takenoko.setup import table_problems
from companion.games.takenoko.state import State, Turn


def problems(state: State) -> tuple[str, ...]:
    """Every reason why this position cannot occur; empty where it can.

    Each reason is one line that begins with the id of the rule where one speaks of it.
    """
    names = [seat.name for seat in state.seats]
    reasons = [*table_problems(state.rules, names, state.first)]
    reasons += _garden_problems(state)
    reasons += _supply_problems(state)
    reasons += _card_problems(state)
    if len(names) in state.rules.edition.players:
        reasons += _emperor_problems(state)
    if state.turn is not None:
        reasons += _turn_problems(state, state.turn)
    return tuple(reasons)


def _garden_problems(state: State) -> Iterator[str]:
    plots, channels = state.plots, state.channels
    laid = Counter(plot.kind for plot in plots.values())
    for kind, count in laid.items():
        held = state.rules.plots[kind]
        if count > held:
            yield f"T-PLOT-3: {count} plots {kind_name(kind)} lie, but the box has {held}"
    if POND in plots:
        yield "T-PLOT-2: a plot lies on the pond"
    unreached = sorted(set(plots) - _layable(plots) - {POND})
    if unreached:
        yield f"T-PLOT-2: no order of laying gets plots to {_listed(unreached)}"
    for edge in sorted(channels):
        if POND in edge and not state.rules.options.channel_on_pond_edge:
            yield f"T-CHAN-3: the channel on {edge} lies on an edge of the pond"
        if any(cell != POND and cell not in plots for cell in edge):
            yield f"T-CHAN-2: the channel on {edge} does not lie between two plots"
    loose = sorted(channels - _joined(channels))
    if loose:
        yield f"T-CHAN-4: no network from the pond reaches the channels on {_listed(loose)}"
    for at, plot in plots.items():
        if plot.bamboo and at != POND and at not in state.garden.water.irrigated:
            yield f"T-GROW-1: bamboo stands on {at}, which never had water"
    for who, cell in (("gardener", state.gardener), ("panda", state.panda)):
        if cell != POND and cell not in plots:
            yield f"T-MOVE-2: the {who} stands on {cell}, where no plot lies"


def _listed(things: Sequence[Hex] | Sequence[Edge]) -> str:
    return " ".join(map(str, things))


def _layable(plots: Mapping[Hex, Plot]) -> set[Hex]:
    """The plots that can have been laid in some order by T-PLOT-2."""
    sides = dict.fromkeys(NEAR_POND, ENOUGH_SIDES)
    laid: set[Hex] = set()
    ready = [cell for cell in NEAR_POND if cell in plots]
    while ready:
        cell = ready.pop()
        laid.add(cell)
        for other in neighbours(cell):
            sides[other] = sides.get(other, 0) + 1
            # Exactly when the count is reached, so that each cell is met once; beside the pond it was met at the start.
            if sides[other] == ENOUGH_SIDES and other in plots and other != POND:
                ready.append(other)
    return laid


def _joined(channels: frozenset[Edge]) -> set[Edge]:
    """The channels that a network from the pond reaches (T-CHAN-4)."""
    network, joined = set(POND_CORNERS), set[Edge]()
    waiting = set(channels)
    while found := {edge for edge in waiting if not network.isdisjoint(edge_ends(edge))}:
        joined |= found
        waiting -= found
        network.update(chain.from_iterable(edge_ends(edge) for edge in found))
    return joined


def _supply_problems(state: State) -> Iterator[str]:
    for seat in state.seats:
        if min((seat.channels, *seat.bamboo, *seat.chips, *seat.hidden)) < 0:
            yield f"{seat.name} holds less than nothing"
    if state.channels_left() < 0:
        yield f"T-CHAN-1: {-state.channels_left()} channels more than the box has"
    for improvement, left in zip(IMPROVEMENTS, state.chips_left(), strict=True):
        if left < 0:
            yield f"T-WEA-5: {-left} {improvement.value} chips more than the box has"


def _card_problems(state: State) -> Iterator[str]:
    cards = state.rules.edition.cards
    held = Counter(chain.from_iterable((*seat.hand, *seat.claimed) for seat in state.seats))
    for card, count in held.items():
        if count > cards[card].copies:
            yield f"T-OBJ-2: {count} copies of {card}, but the box has {cards[card].copies}"
    for deck in DECKS:
        left = state.deck_left(deck)
        if left < 0:
            yield f"T-DRAW-3: {-left} {deck.value} cards more than the deck has"
    limit = state.rules.edition.hand_limit
    for seat in state.seats:
        if seat.cards_in_hand() > limit:
            yield f"T-DRAW-2: {seat.name} holds {seat.cards_in_hand()} cards, but {limit} at the most"


def _emperor_problems(state: State) -> Iterator[str]:
    threshold = state.rules.edition.thresholds[len(state.seats)]
    holders = [seat for seat in state.seats if seat.emperor]
    if len(holders) > 1:
        yield "T-END-1: there is one Emperor, but several seats hold it"
    for seat in holders:
        if len(seat.claimed) < threshold:
            yield f"T-END-1: {seat.name} holds the Emperor with {len(seat.claimed)} of {threshold} objectives"
    if not holders and any(len(seat.claimed) >= threshold for seat in state.seats):
        yield f"T-END-1: {threshold} objectives are claimed, but nobody holds the Emperor"


def _turn_problems(state: State, turn: Turn) -> Iterator[str]:
    if not 0 <= turn.seat < len(state.seats):
        yield f"T-SET-3: it is the turn of seat {turn.seat}, but there are the seats 0 to {len(state.seats) - 1}"
        return
    if turn.number < 1:
        yield f"T-TURN-1: turns count from 1, not {turn.number}"
    if turn.number == 1 and turn.weather is not None:
        yield "T-TURN-1: there is no weather in a player's first turn"
    if turn.awaits_roll() and turn.actions:
        yield "T-TURN-1: actions were taken before the roll"
    if turn.weather_pending and turn.actions:
        yield "T-TURN-2: actions were taken before the weather's effect"
    if turn.weather_pending and turn.weather in (None, Weather.SUN, Weather.WIND):
        yield "T-WEA-8: no effect can be open"
    if len(turn.actions) > turn.action_limit():
        yield f"T-TURN-3: {len(turn.actions)} actions were taken, but {turn.action_limit()} at the most"
    if turn.weather is not Weather.WIND and len(set(turn.actions)) < len(turn.actions):
        yield "T-TURN-3: one action was taken twice without wind"
    if turn.drawn is not None:
        yield from _drawn_problems(state, turn, turn.drawn)


def _drawn_problems(state: State, turn: Turn, name: str) -> Iterator[str]:
    if not state.rules.options.discard_fulfilled_draw:
        yield "T-OBJ-7: drawn cards are not discarded (option discard_fulfilled_draw is off)"
    if name not in state.seats[turn.seat].hand or turn.actions[-1:] != (Action.OBJECTIVE,):
        yield f"T-OBJ-7: {name} was not drawn just now"
    card = state.rules.edition.cards[name]
    if isinstance(card, PandaCard) or not is_met(state, card):
        yield f"T-OBJ-7: the garden does not meet {name}"
