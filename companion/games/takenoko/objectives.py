"""When an objective is met, and what a seat can pay."""

from __future__ import annotations

from companion.games.takenoko.edition import Card, GardenerCard, PandaCard, PlotCard
from companion.games.takenoko.garden import Garden
from companion.games.takenoko.hexgrid import Hex
from companion.games.takenoko.state import SeatState, State


def serving_plots(garden: Garden, card: GardenerCard) -> tuple[Hex, ...]:
    """The plots whose stalks count for a gardener card now; heights are exact (T-OBJ-4)."""
    return tuple(at for at, plot in garden.plots.items() if plot in card.serving)


def tall_enough(garden: Garden, card: GardenerCard) -> bool:
    """Whether the card would be met if taller stalks counted too: why a claim fails by T-OBJ-4 alone."""
    taller = [plot for plot in garden.plots.values() if plot.bamboo >= card.height and card.would_serve(plot)]
    return len(taller) >= card.stalks


def is_grown(state: State, card: GardenerCard) -> bool:
    """Whether the stalks of a gardener card stand, wherever the gardener is."""
    tall = state.garden.tall()
    if len(tall) < card.stalks:
        return False
    serving = card.serving
    return len([plot for plot in tall if plot in serving]) >= card.stalks


def is_met(state: State, card: PlotCard | GardenerCard) -> bool:
    """Whether the garden meets a plot or gardener card now, the gardener's presence included where asked for."""
    if type(card) is PlotCard:
        return state.garden.water.has_pattern(card)
    assert type(card) is GardenerCard  # there is no third
    if not is_grown(state, card):
        return False
    return not state.rules.options.gardener_presence or is_present(state, card)


def is_present(state: State, card: GardenerCard) -> bool:
    """Whether the gardener stands on a plot whose stalk counts for the card (T-OBJ-5)."""
    return state.garden.plots.get(state.gardener) in card.serving


def can_pay(seat: SeatState, card: PandaCard) -> bool:
    """Whether a seat has eaten what a panda card costs (T-OBJ-6)."""
    (a, b, c), (x, y, z) = seat.bamboo, card.pay
    return a >= x and b >= y and c >= z


def can_claim(state: State, seat: SeatState, card: Card) -> bool:
    """Whether the condition of a card holds for a seat, whoever holds the card (T-OBJ-3)."""
    return can_pay(seat, card) if isinstance(card, PandaCard) else is_met(state, card)


def claimable(state: State, seat: SeatState) -> list[str]:
    """The cards in a hand that could be claimed now, copies of one card once; asked for before every move."""
    found: list[str] = []
    cards, water = state.rules.edition.cards, state.garden.water
    presence = state.rules.options.gardener_presence
    a, b, c = seat.bamboo
    for name in seat.hand:
        card = cards[name]
        if type(card) is PlotCard:
            can = water.has_pattern(card)
        elif type(card) is GardenerCard:
            can = is_grown(state, card) and (not presence or is_present(state, card))
        else:
            x, y, z = card.pay  # type: ignore[union-attr]  # the third sort
            can = a >= x and b >= y and c >= z
        if can and name not in found:
            found.append(name)
    return found


def met(state: State) -> tuple[str, ...]:
    """Every plot and gardener card whose condition the garden meets now."""
    cards = state.rules.edition.cards.values()
    return tuple(card.id for card in cards if not isinstance(card, PandaCard) and is_met(state, card))


def payable(state: State, seat: int) -> tuple[str, ...]:
    """Every panda card that a seat could pay."""
    cards = state.rules.edition.cards.values()
    return tuple(card.id for card in cards if isinstance(card, PandaCard) and can_pay(state.seats[seat], card))
