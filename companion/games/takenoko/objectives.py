"""When an objective is met, and what a seat can pay."""

from __future__ import annotations

from functools import cache
from typing import assert_never

from companion.games.takenoko.edition import Card, Edition, GardenerCard, PandaCard, PlotCard
from companion.games.takenoko.garden import Garden
from companion.games.takenoko.hexgrid import Hex
from companion.games.takenoko.plot import Plot
from companion.games.takenoko.state import SeatState, State


def _serves(card: GardenerCard, plot: Plot, height: int) -> bool:
    """Whether a stalk on this plot counts for the card, were it of this height."""
    return (
        plot.bamboo == height
        and plot.colour is card.colour
        and (card.any_improvement or plot.improvement is card.improvement)
    )


def serving_plots(garden: Garden, card: GardenerCard) -> tuple[Hex, ...]:
    """The plots whose stalks count for a gardener card now; heights are exact (T-OBJ-4)."""
    return tuple(at for at, plot in garden.plots.items() if _serves(card, plot, card.height))


def tall_enough(garden: Garden, card: GardenerCard) -> bool:
    """Whether the card would be met if taller stalks counted too: why a claim fails by T-OBJ-4 alone."""
    taller = sum(_serves(card, plot, plot.bamboo) for plot in garden.plots.values() if plot.bamboo >= card.height)
    return taller >= card.stalks


@cache
def gardener_cards(edition: Edition) -> tuple[GardenerCard, ...]:
    """The gardener cards of a box."""
    return tuple(card for card in edition.cards.values() if isinstance(card, GardenerCard))


def _grown_cards(garden: Garden, edition: Edition) -> frozenset[str]:
    """The gardener cards whose stalks stand, wherever the gardener is; computed once a garden."""
    known = garden._notes.get("gardener")
    if known is None:
        least = min(card.height for card in gardener_cards(edition))
        tall = [plot for plot in garden.plots.values() if plot.bamboo >= least]
        known = frozenset(
            [
                card.id
                for card in gardener_cards(edition)
                if len(tall) >= card.stalks and sum([_serves(card, plot, card.height) for plot in tall]) >= card.stalks
            ]
        )
        garden._notes["gardener"] = known
    return known  # type: ignore[return-value]  # this key holds names of cards


def is_met(state: State, card: PlotCard | GardenerCard) -> bool:
    """Whether the garden meets a plot or gardener card now, the gardener's presence included where asked for."""
    garden = state.garden
    if isinstance(card, PlotCard):
        return garden.water.has_pattern(card)
    if card.id not in _grown_cards(garden, state.rules.edition):
        return False
    return not state.rules.options.gardener_presence or is_present(state, card)


def is_grown(state: State, card: GardenerCard) -> bool:
    """Whether the stalks of a gardener card stand, wherever the gardener is."""
    return card.id in _grown_cards(state.garden, state.rules.edition)


def is_present(state: State, card: GardenerCard) -> bool:
    """Whether the gardener stands on a plot whose stalk counts for the card (T-OBJ-5)."""
    plot = state.garden.plots.get(state.gardener)
    return plot is not None and _serves(card, plot, card.height)


def can_pay(seat: SeatState, card: PandaCard) -> bool:
    """Whether a seat has eaten what a panda card costs (T-OBJ-6)."""
    (a, b, c), (x, y, z) = seat.bamboo, card.pay
    return a >= x and b >= y and c >= z


def can_claim(state: State, seat: SeatState, card: Card) -> bool:
    """Whether the condition of a card holds for a seat, whoever holds the card (T-OBJ-3)."""
    match card:
        case PandaCard():
            return can_pay(seat, card)
        case PlotCard() | GardenerCard():
            return is_met(state, card)
        case _:
            assert_never(card)


def met(state: State) -> tuple[str, ...]:
    """Every plot and gardener card whose condition the garden meets now."""
    cards = state.rules.edition.cards.values()
    return tuple(card.id for card in cards if not isinstance(card, PandaCard) and is_met(state, card))


def payable(state: State, seat: int) -> tuple[str, ...]:
    """Every panda card that a seat could pay."""
    cards = state.rules.edition.cards.values()
    return tuple(card.id for card in cards if isinstance(card, PandaCard) and can_pay(state.seats[seat], card))
