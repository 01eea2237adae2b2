"""What a hand still needs: for one card, met now or what is missing, the nearest way first.

Hints speak of what everybody sees (the garden, the seat's own bamboo) about a card that only its seat may know: they
are for that seat alone. Words are made elsewhere, from an id and parameters in the public notation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from companion.games.takenoko.edition import Card, GardenerCard, PandaCard, PlotCard
from companion.games.takenoko.hexgrid import POND, POND_CORNERS, Corner, Edge, Hex, edge_ends, neighbours
from companion.games.takenoko.objectives import can_claim, is_grown, is_present, serving_plots
from companion.games.takenoko.pieces import COLOURS, Colour, Improvement
from companion.games.takenoko.plot import EATEN, Plot
from companion.games.takenoko.state import SeatState, State
from companion.games.takenoko.water import orientations

_FAR = 99


@dataclass(frozen=True, slots=True)
class Need:
    """One thing that is missing."""

    id: str
    """Such as `hint.plot_missing`."""
    params: Mapping[str, str | int] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Hint:
    """What a seat is told about one of its cards."""

    card: str
    met: bool
    needs: tuple[Need, ...]
    """Empty when it is met."""


def hint(state: State, seat: int, card: Card) -> Hint:
    """What a card needs now, were it in this seat's hand."""
    player = state.seats[seat]
    if can_claim(state, player, card):
        return Hint(card.id, True, ())
    if isinstance(card, PandaCard):
        needs = tuple(_panda_needs(player, card))
    elif isinstance(card, GardenerCard):
        needs = tuple(_gardener_needs(state, card))
    else:
        needs = tuple(_plot_needs(state, card))
    return Hint(card.id, False, needs)


def hand_hints(state: State, seat: int) -> tuple[Hint, ...]:
    """A hint for every known card in a seat's hand, in the hand's order."""
    cards = state.rules.edition.cards
    return tuple(hint(state, seat, cards[card]) for card in state.seats[seat].hand)


def _need(name: str, **params: str | int) -> Need:
    return Need(f"hint.{name}", MappingProxyType(params))


# Panda


def _panda_needs(player: SeatState, card: PandaCard) -> Iterator[Need]:
    for colour, price, eaten in zip(COLOURS, card.pay, player.bamboo, strict=True):
        if eaten < price:
            yield _need("eat", colour=colour.value, num=price - eaten)


# Gardener


def _gardener_needs(state: State, card: GardenerCard) -> Iterator[Need]:
    if is_grown(state, card) and not is_present(state, card):
        yield _need("gardener_away", at=str(serving_plots(state.garden, card)[0]))
        return
    standing = len(serving_plots(state.garden, card))
    near = sorted(_candidates(state, card))[: card.stalks - standing]
    if card.stalks > 1:
        yield _need("stalks", have=standing, num=card.stalks, height=card.height)
    for _, at in near:
        yield from _stalk_needs(state, card, at)
    if len(near) < card.stalks - standing:
        yield from _new_plot_needs(state, card)


def _candidates(state: State, card: GardenerCard) -> Iterator[tuple[int, Hex]]:
    """Plots that can still come to serve, with how far each is from it."""
    water = state.garden.water
    for at, plot in state.plots.items():
        if plot.colour is not card.colour or plot.bamboo == card.height or not _fits(card, plot):
            continue
        if plot.bamboo > card.height and plot not in EATEN:
            continue
        yield abs(card.height - plot.bamboo) + (0 if at in water.irrigated else 3), at


def _fits(card: GardenerCard, plot: Plot) -> bool:
    return card.any_improvement or plot.improvement is card.improvement


def _stalk_needs(state: State, card: GardenerCard, at: Hex) -> Iterator[Need]:
    bamboo = state.plots[at].bamboo
    if bamboo > card.height:
        yield _need("too_tall", at=str(at), num=bamboo - card.height)
        return
    if at not in state.garden.water.irrigated:
        yield from _water_needs(state, at)
    yield _need("grow", at=str(at), num=card.height - bamboo)


def _new_plot_needs(state: State, card: GardenerCard) -> Iterator[Need]:
    """No plot in the garden can serve: a chip on one of the colour, or a new plot."""
    colour = card.colour.value
    if card.improvement is not None:
        for at, plot in state.plots.items():
            if plot.colour is card.colour and plot.improvement is None and not plot.bamboo:
                yield _need("chip", at=str(at), improvement=card.improvement.value)
                return
        yield _need("no_plot_with", plot_colour=colour, improvement=card.improvement.value)
    elif card.any_improvement:
        yield _need("no_plot", plot_colour=colour)
    else:
        yield _need("no_plot_without", plot_colour=colour)


# Plots


def _plot_needs(state: State, card: PlotCard) -> Iterator[Need]:
    best = min(_placements(state, card), default=None)
    if best is None:
        yield _need("pattern_impossible")
        return
    _, cells = best
    dry = [at for at, _ in cells if at in state.plots and at not in state.garden.water.irrigated]
    missing = [(at, colour) for at, colour in cells if at not in state.plots]
    yield _need("pattern", have=len(cells) - len(dry) - len(missing), num=len(cells))
    frontier = state.garden.land.frontier
    for at, colour in missing:
        if at in frontier:
            yield _need("plot_here", plot_colour=colour.value, at=str(at))
    for at in dry:
        yield from _water_needs(state, at)
    for at, colour in missing:
        if at not in frontier:
            yield _need("plot_later", plot_colour=colour.value, at=str(at))


def _placements(state: State, card: PlotCard) -> Iterator[tuple[int, tuple[tuple[Hex, Colour], ...]]]:
    """Where the pattern lies or could come to lie, with how much is missing there."""
    plots, land = state.plots, state.garden.land
    left = {colour: sum(n for kind, n in land.left.items() if kind[0] is colour) for colour in COLOURS}
    starts = {*plots, *land.frontier}
    seen = set()
    for shape in orientations(card, state.rules.options.mirror_patterns):
        for start in starts:
            for step_q, step_r, _ in shape:
                origin = Hex(start.q - step_q, start.r - step_r)
                cells = tuple((Hex(origin.q + q, origin.r + r), colour) for q, r, colour in shape)
                if cells in seen:
                    continue
                seen.add(cells)
                cost = _placement_cost(state, cells, left)
                if cost is not None:
                    yield cost, cells


def _placement_cost(state: State, cells: tuple[tuple[Hex, Colour], ...], left: Mapping[Colour, int]) -> int | None:
    cost = 0
    wanted = dict.fromkeys(COLOURS, 0)
    for at, colour in cells:
        plot = state.plots.get(at)
        if at == POND or (plot is not None and plot.colour is not colour):
            return None
        if plot is None:
            wanted[colour] += 1
            # A plot that can be laid now, and has water at once, is nearer than one that needs others first.
            cost += 4 if at in state.garden.land.frontier else 7
            cost += 0 if at in neighbours(POND) else 2
        elif at not in state.garden.water.irrigated:
            cost += 2 * min(channels_needed(state, at)[0], 3)
    return None if any(wanted[colour] > left[colour] for colour in COLOURS) else cost


# Water


def channels_needed(state: State, at: Hex) -> tuple[int, Edge | None]:
    """How many channels bring water to a dry plot, and the first of them; a large number and None if none can yet."""
    garden = state.garden
    network = set(POND_CORNERS)
    for channel in garden.channels:
        network.update(edge_ends(channel))
    free = [(edge, one, other) for edge, one, other in garden.land.edges if edge not in garden.channels]
    first: dict[Corner, Edge | None] = dict.fromkeys(network)
    reached = list(network)
    for count in range(1, len(free) + 1):
        following: list[Corner] = []
        fresh: dict[Corner, Edge | None] = {}
        ends = set(reached)
        for edge, one, other in free:
            for here, there in ((one, other), (other, one)):
                if here in ends:
                    begun = first[here] or edge
                    if at in edge:
                        return count, begun
                    if there not in first and there not in fresh:
                        fresh[there] = begun
                        following.append(there)
        if not following:
            break
        first.update(fresh)
        reached = following
    return _FAR, None


def _water_needs(state: State, at: Hex) -> Iterator[Need]:
    count, edge = channels_needed(state, at)
    plot = state.plots[at]
    if count == 1 and edge is not None:
        yield _need("water_edge", at=str(at), edge=str(edge))
    elif edge is not None:
        yield _need("water_channels", at=str(at), num=count, edge=str(edge))
    elif plot.improvement is None and not plot.bamboo:
        yield _need("water_chip", at=str(at), improvement=Improvement.WATERSHED.value)
    else:
        yield _need("water_later", at=str(at))
