"""The demo's people: they play a whole game by the rules, with hands, pieces and words.

All that the companion learns of it is what they tell and what its camera sees. They own the truth; the record is the
companion's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from types import MappingProxyType
from typing import Any, Protocol

from companion.errors import BadInputError, CompanionError
from companion.games.takenoko.hexgrid import POND, Edge, Hex
from companion.games.takenoko.moves import (
    Draw,
    End,
    Move,
    Roll,
    Skip,
    Stop,
)
from companion.games.takenoko.setup import new_game
from companion.games.takenoko.state import State
from companion.observation import ExpectedLook
from companion.reconcile.look import expected_look
from companion.reconcile.timeline import is_told
from companion.record import Do, Game, Header
from companion.services.evening import Evening
from companion.services.hub import Topic
from companion.services.ports import ToyTable
from companion.services.session import Snapshot
from companion.signals import Button
from companion.simulate.dealer import Dealer
from companion.simulate.greedy import GreedyPlayer
from companion.simulate.table import moves_of_a_game

HAND_S = 1.2
"""How long a hand moves a piece."""
THINK_S = 2.5
"""Between two things that a person does."""
ANSWER_AFTER_S = 30.0
"""When nobody answers the companion's question, the people do."""
MEND_AFTER_S = 12.0
"""When the companion has said what is wrong, the people put it right."""
SLIP_CHANCE = 0.12
"""Of a growth being forgotten by itself."""


class PlayTable(ToyTable, Protocol):
    """The simulated table as hands and the camera see it."""

    @property
    def expected(self) -> ExpectedLook:
        """What truly lies there."""

    def lay(self, look: ExpectedLook) -> None:
        """Let this lie there."""

    def reach(self, at: Hex | None) -> None:
        """A hand over a cell, or none."""


def look_after(now: ExpectedLook, before: ExpectedLook, after: ExpectedLook) -> ExpectedLook:
    """What lies there once a person has done what leads from one look to another; all else stays as it lies."""
    plots = dict(now.plots)
    for at in {*before.plots, *after.plots}:
        if before.plots.get(at) != after.plots.get(at):
            if at in after.plots:
                plots[at] = after.plots[at]
            else:
                plots.pop(at, None)
    channels: frozenset[Edge] = (now.channels - (before.channels - after.channels)) | (after.channels - before.channels)
    return replace(
        now,
        plots=MappingProxyType(plots),
        channels=channels,
        gardener=after.gardener if after.gardener != before.gardener else now.gardener,
        panda=after.panda if after.panda != before.panda else now.panda,
    )


def touched(before: ExpectedLook, after: ExpectedLook) -> Hex:
    """Where the hand reaches for it."""
    for figure in ("panda", "gardener"):
        place = getattr(after, figure)
        if place != getattr(before, figure) and place is not None:
            return Hex(*place)
    changed = [at for at in after.plots if before.plots.get(at) != after.plots[at]]
    if changed:
        return changed[0]
    edges = sorted(after.channels - before.channels)
    return edges[0].a if edges else POND


def told_form(move: Move) -> Move:
    """A move as it is told: cards are on paper, only their deck is said."""
    return Draw(move.deck) if isinstance(move, Draw) else move


class ButtonDealer(Dealer):
    """A dealer whose die is the companion's, once there is one: it is rolled with the button."""

    press: Callable[[], Roll | None] | None = None

    def roll(self) -> Roll:
        """Press Roll and read the face; where the companion refuses, roll a real die."""
        face = None if self.press is None else self.press()
        return super().roll() if face is None else face


class People:
    """Plays one game at one simulated table, in its own thread."""

    def __init__(self, names: Sequence[str], rng: Random, table: PlayTable, wait: Callable[[float], bool]) -> None:
        """Sit down.

        Args:
            names: of the players, clockwise.
            rng: of the deal, the plots and their choices.
            table: where the pieces lie.
            wait: sleeps so many seconds; true when it is time to go home.
        """
        self._rng = rng
        self._table = table
        self._wait = wait
        rules = new_game(names).rules
        self._dealer = ButtonDealer(rng, rules)
        self._players = [GreedyPlayer(rng) for _ in names]
        self.state = new_game(names, hands=self._dealer.deal(len(names)))
        self.header = Header(seats=tuple(names))
        self.playing = True
        self.slip_wanted = False
        self._rolled = False
        self._forgotten: Hex | None = None

    def play_ahead(self, turns: int) -> list[Do]:
        """Play some turns before the companion was switched on: what its record holds of them."""
        events: list[Do] = []
        game = Game.start(self.header)
        for seat, move, state in moves_of_a_game(self.state, self._dealer, self._players):
            self.state = state
            events.append(Do(seat, told_form(move), by="simulated"))
            game = game.append(events[-1])
            turns -= isinstance(move, End)
            if turns == 0:
                break
        self._table.lay(expected_look(self.state))
        return events

    def play(self, evening: Evening) -> None:
        """Play until the end of the game, or until it is time to go home."""
        self._dealer.press = lambda: self._press_roll(evening)
        while not self._wait(THINK_S):
            session = evening.session
            if session is None or not self.playing:
                continue
            snapshot = session.snapshot()
            if snapshot.pending.told or not snapshot.watched:
                continue
            if self._sat_down_again(snapshot):
                return
            for seat, move, state in moves_of_a_game(self.state, self._dealer, self._players):
                if self._do(evening, seat, move, state):
                    return
                if isinstance(move, End | Stop) or state.turn is None:
                    break
            if self._until_accepted(evening):
                return

    def _sat_down_again(self, snapshot: Snapshot) -> bool:
        """Go on from the record where a visitor has changed it; true when the game is over."""
        recorded = snapshot.game.state
        if expected_look(recorded) != expected_look(self.state) or recorded.turn != self.state.turn:
            self.state = recorded
        return recorded.turn is None

    def _do(self, evening: Evening, seat: int, move: Move, state: State) -> bool:
        """One move, with hands and words; true when it is time to go home."""
        before, after = expected_look(self.state), expected_look(state)
        self.state = state
        if before != after:
            at = touched(before, after)
            self._table.reach(at)
            evening.hub.publish(Topic.TOY)
            if self._wait(HAND_S):
                return True
            self._table.lay(self._with_slip(look_after(self._table.expected, before, after), before, after))
            self._table.reach(None)
            evening.hub.publish(Topic.TOY)
        elif isinstance(move, Skip) or (isinstance(move, Roll) and self._rolled):
            return False
        if is_told(move):
            try:
                if isinstance(move, End):
                    self._click(evening, Button.NEXT)
                else:
                    evening.tell(told_form(move), seat=seat, by="simulated")
            except CompanionError:
                # The companion refuses it now: people shrug and play on; it will ask.
                return self._wait(THINK_S)
        return self._wait(THINK_S)

    def _press_roll(self, evening: Evening) -> Roll | None:
        self._rolled = False
        session = evening.session
        if session is None:
            return None
        self._click(evening, Button.ROLL)
        turn = session.snapshot().game.state.turn
        if turn is None or turn.weather is None:
            return None
        self._rolled = True
        return Roll(turn.weather)

    def _click(self, evening: Evening, button: Button) -> None:
        evening.push(button, True)
        self._wait(0.2)
        evening.push(button, False)

    def _with_slip(self, look: ExpectedLook, before: ExpectedLook, after: ExpectedLook) -> ExpectedLook:
        """Sometimes a growth is forgotten."""
        grown = [
            at
            for at, plot in after.plots.items()
            if at in before.plots and plot.bamboo == before.plots[at].bamboo + 1 and before.gardener != after.gardener
        ]
        if self._forgotten is not None or len(grown) < 2:
            return look
        if not self.slip_wanted and self._rng.random() >= SLIP_CHANCE:
            return look
        self.slip_wanted = False
        self._forgotten = self._rng.choice(grown)
        plots = dict(look.plots) | {self._forgotten: before.plots[self._forgotten]}
        return replace(look, plots=MappingProxyType(plots))

    def _until_accepted(self, evening: Evening) -> bool:
        """Wait until the companion has followed; answer what it asks, mend what it names."""
        asked_s = 0.0
        while True:
            session = evening.session
            if session is None:
                return self._wait(THINK_S)
            snapshot = session.snapshot()
            if self._forgotten is not None and snapshot.sight.mismatches and self._mend(evening):
                return True
            if not snapshot.pending.told and snapshot.pending.question is None:
                return False
            if snapshot.pending.question is not None:
                asked_s += 1.0
                if asked_s >= ANSWER_AFTER_S:
                    self._answer(snapshot, evening)
                    asked_s = 0.0
            if self._wait(1.0):
                return True

    def _mend(self, evening: Evening) -> bool:
        if self._wait(MEND_AFTER_S):
            return True
        at, self._forgotten = self._forgotten, None
        look, truth = self._table.expected, expected_look(self.state)
        if at is not None and at in truth.plots and at in look.plots:
            self._table.lay(replace(look, plots=MappingProxyType(dict(look.plots) | {at: truth.plots[at]})))
            evening.hub.publish(Topic.TOY)
        return False

    def _answer(self, snapshot: Snapshot, evening: Evening) -> None:
        question, session = snapshot.pending.question, evening.session
        if question is None or session is None:
            return
        truth = expected_look(self.state)
        right = None
        for index, choice in enumerate(question.choices):
            game = snapshot.game
            try:
                for event in choice.events():
                    game = game.append(event)
            except CompanionError:
                continue
            if expected_look(game.state) == truth:
                right = index
                break
        try:
            session.answer(question.id, right, by="simulated")
        except CompanionError:
            return  # somebody else was quicker


class PlayedTable:
    """The demo's table on its page: pieces, disturbances, and the people."""

    def __init__(self, table: PlayTable, people: People, changed: Callable[[], None]) -> None:
        self._table = table
        self._people = people
        self._changed = changed

    def look(self) -> Mapping[str, Any]:
        """What truly lies on it, and whether the people play."""
        return {**self._table.look(), "people": self._people.playing}

    def put(self, what: str, at: str, value: str | None) -> None:
        """A visitor moves a piece; the people wait and watch.

        Raises:
            BadInputError: for what cannot be done with these pieces.
        """
        self._table.put(what, at, value)
        self._people.playing = False
        self._changed()

    def disturb(self, what: str) -> None:
        """`hand`, `lamp`, `bump`; `people` pauses them or lets them go on, `slip` makes them forget a growth.

        Raises:
            BadInputError: for anything else.
        """
        if what == "people":
            self._people.playing = not self._people.playing
        elif what == "slip":
            self._people.slip_wanted = True
        elif what in ("hand", "lamp", "bump"):
            self._table.disturb(what)
        else:
            raise BadInputError(f"disturb: {what[:20]!r} is none of hand, lamp, bump, people, slip")
        self._changed()
