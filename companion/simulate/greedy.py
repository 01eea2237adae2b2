"""A player that works at its own cards: it looks one move ahead and takes what brings its hand furthest.

It sees what its seat may see: the table and its own hand.
"""

from __future__ import annotations

from random import Random

from companion.games.takenoko.edition import Card, GardenerCard, PandaCard, PlotCard
from companion.games.takenoko.garden import Garden
from companion.games.takenoko.moves import (
    ChooseWeather,
    Claim,
    Draw,
    End,
    LegalMoves,
    Move,
    Skip,
    Stop,
)
from companion.games.takenoko.pieces import Deck, Weather
from companion.games.takenoko.state import SeatState, State
from companion.games.takenoko.transition import apply_legal
from companion.games.takenoko.water import anchored_shapes

# Worths are in points of objectives. Those of what is not on a card yet are guesses that make games of about the
# length that people play; no claim is made that they are the best.
STORED_CHANNEL = 0.25
STORED_CHIP = 0.2
SECTION = 0.15
"""One eaten section that no card in the hand asks for."""
GREEN_PLACE = 0.02
"""One irrigated plot more."""
CARD = {Deck.PLOT: 1.0, Deck.GARDENER: 0.9, Deck.PANDA: 1.3}
"""A card drawn unseen into an empty hand; each card held makes the next one worth less."""
CARDS_WANTED = 5
REPEATED_DRAW = 0.3
"""What every further draw of a turn is worth less."""
DRY = 0.5
"""What a plot without water counts in a pattern."""
TOO_TALL = 0.4
"""What a stalk above the height of a group card counts: the panda may still shorten it."""
WEATHERS = {Weather.SUN: 0.9, Weather.WIND: 0.3, Weather.CLOUDS: 0.4, Weather.RAIN: 0.5, Weather.STORM: 0.45}


class GreedyPlayer:
    """Takes the move after which its own cards stand best; equal ones by lot."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._turn = (-1, 0)
        self._draws = 0
        """Cards drawn in this turn: a drawn card that must be discarded does not spend the action (T-OBJ-7), so a deck
        of nothing but fulfilled cards could be drawn from for ever."""

    def choose(self, state: State, legal: LegalMoves) -> Move:
        """See `companion.simulate.players.Player`."""
        turn = state.turn
        if turn is None:
            raise ValueError("the game is over: there is nothing to choose")
        claims = [move for move in legal if isinstance(move, Claim)]
        if claims:
            return max(claims, key=lambda move: state.rules.edition.cards[move.card].points)
        if self._turn != (turn.seat, turn.number):
            self._turn, self._draws = (turn.seat, turn.number), 0
        now = self._worth(state, turn.seat)
        best, best_gain = [], float("-inf")
        for move in legal:
            if isinstance(move, Stop):
                continue
            gain = self._gain(state, turn.seat, move, now)
            if gain > best_gain + 1e-9:
                best, best_gain = [move], gain
            elif gain > best_gain - 1e-9:
                best.append(move)
        chosen = self._rng.choice(best)
        self._draws += isinstance(chosen, Draw)
        return chosen

    def _gain(self, state: State, seat: int, move: Move, now: float) -> float:
        match move:
            case End():
                # Ending costs what a needless action would at the worst; any action that does not harm is taken first.
                return -0.5
            case Skip():
                return 0.0
            case ChooseWeather(weather):
                return WEATHERS[weather]
            case Draw(deck):
                wanted = CARDS_WANTED - state.seats[seat].cards_in_hand()
                return CARD[deck] * wanted / CARDS_WANTED - REPEATED_DRAW * self._draws
            case _:
                return self._worth(apply_legal(state, move), seat) - now

    def _worth(self, state: State, seat: int) -> float:
        """What a seat's store and hand promise."""
        player = state.seats[seat]
        cards = state.rules.edition.cards
        worth = STORED_CHANNEL * player.channels + STORED_CHIP * sum(player.chips) + SECTION * sum(player.bamboo)
        worth += GREEN_PLACE * len(state.garden.water.irrigated)
        for name in player.hand:
            card = cards[name]
            progress = _progress(state.garden, player, card)
            # Squared: nearly done is worth more than twice half done, so one card is finished before the next.
            worth += card.points * progress * progress
        return worth


def _progress(garden: Garden, player: SeatState, card: Card) -> float:
    """How far a card has come, 0 to 1."""
    if isinstance(card, PandaCard):
        paid = sum(min(price, eaten) for price, eaten in zip(card.pay, player.bamboo, strict=True))
        return paid / sum(card.pay)
    if isinstance(card, GardenerCard):
        return _stalks(garden, card)
    return _pattern(garden, card)


def _stalks(garden: Garden, card: GardenerCard) -> float:
    heights = []
    for plot in garden.plots.values():
        if card.would_serve(plot):
            heights.append(TOO_TALL if plot.bamboo > card.height else plot.bamboo / card.height)
    heights.sort(reverse=True)
    return sum(heights[: card.stalks]) / card.stalks


def _pattern(garden: Garden, card: PlotCard) -> float:
    """The best shape that can still be completed: an irrigated plot counts one, a dry one `DRY`, no plot nothing."""
    plots, wet = garden.plots, garden.water.irrigated
    anchored = anchored_shapes(card, garden.land.rules.options.mirror_patterns)
    best = 0.0
    for at, plot in plots.items():
        start = 1.0 if at in wet else DRY
        for others in anchored.get(plot.colour, ()):
            sum_ = start
            for dq, dr, colour in others:
                cell = (at.q + dq, at.r + dr)
                other = plots.get(cell)  # type: ignore[call-overload]  # a Hex equals its pair
                if other is not None:
                    if other.colour is not colour:
                        break
                    sum_ += 1.0 if cell in wet else DRY
                elif cell == (0, 0):
                    break
            else:
                best = max(best, sum_)
    return best / len(card.cells)
