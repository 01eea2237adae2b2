"""The one writer of a game: every change goes through here, is on the disk before it is acknowledged, and is told.

Commands carry the version that they saw; a stale one is refused, because two phones and a camera race. What is told
before the moves that it rests on are known waits in the pending journal; the watcher (or a person) puts it in place.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from companion.errors import IllegalMoveError, StaleCommandError, StorageError
from companion.games.takenoko.legality import why_illegal
from companion.games.takenoko.moves import Claim, Draw, End, Know, Move, Stop
from companion.games.takenoko.notation import format_move
from companion.record import Correct, Do, Event, Game, UndoTo, write_line
from companion.services.pending import Choice, Fix, Line, Pending, Question, Step, Told, line_of
from companion.services.ports import Clock, Journal, Message, Sight
from companion.signals import Lamp

HOPELESS = frozenset({"T-OBJ-2", "T-DRAW-2", "T-DRAW-3"})
"""Rules about cards: no move that a camera sees can mend what breaks them, only a draw or a claim told before."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything about the running game at one moment."""

    game: Game
    pending: Pending
    sight: Sight
    watched: bool
    """Whether a camera looks: then an end waits until the table was seen."""
    trouble: str | None
    """Why nothing can be written, in plain words."""
    turn_since_s: float
    """Monotonic time at which this turn began."""

    @property
    def version(self) -> int:
        """Grows with every change, also over a restart."""
        return self.game.version + self.pending.ops

    @property
    def seat(self) -> int | None:
        """Whose turn it is for the people at the table: an end that waits counts."""
        turn = self.game.state.turn
        if turn is None:
            return None
        ends = sum(isinstance(told.move, End) for told in self.pending.told)
        return (turn.seat + ends) % len(self.game.state.seats)


class Session:
    """One running game."""

    def __init__(
        self,
        game: Game,
        journal: Journal,
        pending: Pending,
        pending_journal: Journal,
        clock: Clock,
        new_id: Callable[[], str],
        changed: Callable[[], None],
        trouble: str | None = None,
        claims: Callable[[Game, int], Sequence[Claim]] = lambda _game, _seat: (),
    ) -> None:
        """Take over a game as read from the disk.

        Args:
            game: the record.
            journal: where it is written.
            pending: what was told early.
            pending_journal: where that is written.
            clock: time.
            new_id: makes ids of events.
            changed: called after every change.
            trouble: why nothing can be written.
            claims: what a seat claims by itself before its turn ends; all of it legal one after the other.
        """
        self._game = game
        self._journal = journal
        self._pending = pending
        self._pending_journal = pending_journal
        self._clock = clock
        self._new_id = new_id
        self._changed = changed
        self._claims = claims
        self._sight = Sight()
        self._declined: Sequence[Choice] | None = None
        self._watched = False
        self._trouble = trouble
        self._turn_since_s = clock.monotonic()
        self._lock = threading.RLock()

    def snapshot(self) -> Snapshot:
        """The present moment."""
        with self._lock:
            return Snapshot(self._game, self._pending, self._sight, self._watched, self._trouble, self._turn_since_s)

    @property
    def is_refusing(self) -> bool:
        """Whether the disk refuses at the moment."""
        with self._lock:
            return self._trouble is not None

    # What people do.

    def tell(self, seat: int, move: Move, *, by: str, version: int | None = None) -> None:
        """A person says what happened: written at once where it can be, kept as told early where it cannot yet.

        Args:
            seat: who did it.
            move: what.
            by: `button`, `browser`, `phone`, `host` or `simulated`.
            version: what the person saw; None for a button, which shows nothing that could be stale.

        Raises:
            StaleCommandError: the game has moved on.
            IllegalMoveError: the rules refuse it, whatever else happened on the table.
            StorageError: it could not be written, so it did not happen.
        """
        with self._changing():
            self._check(version)
            if self._must_wait(seat, move):
                told = Told(self._new_id(), seat, move, by, self._now())
                self._note({"told": told.to_json()})
            else:
                self._write([Do(seat, move, at=self._now(), by=by, id=self._new_id())])

    def place_told(self, told_id: str, *, version: int | None = None) -> None:
        """Write something told early into the record now: a person says that all before it is entered.

        Raises:
            StaleCommandError: it does not wait any more, or the game has moved on.
            IllegalMoveError: the rules refuse it here.
            StorageError: it could not be written.
        """
        with self._changing():
            self._check(version)
            told = next((told for told in self._pending.told if told.id == told_id), None)
            if told is None:
                raise StaleCommandError("this does not wait any more")
            self._write(self._with_claims([Do(told.seat, told.move, at=told.at, by=told.by, id=told.id)]))
            self._settle({"settled": [told.id]})

    def drop_told(self, told_id: str, *, version: int | None = None) -> None:
        """Take back something told early.

        Raises:
            StaleCommandError: it does not wait any more, or the game has moved on.
            StorageError: it could not be written.
        """
        with self._changing():
            self._check(version)
            if all(told.id != told_id for told in self._pending.told):
                raise StaleCommandError("this does not wait any more")
            self._note({"settled": [told_id]})

    def undo_last(self, *, by: str, version: int | None = None) -> None:
        """Take back the newest thing: what was told last, else the last event that counts.

        Raises:
            StaleCommandError: there is nothing to take back, or the game has moved on.
            StorageError: it could not be written.
        """
        with self._changing():
            self._check(version)
            if self._pending.told:
                self._note({"settled": [self._pending.told[-1].id]})
            else:
                standing = self._game.standing()
                if not standing:
                    raise StaleCommandError("there is nothing to take back")
                line = standing[-2][0] if len(standing) > 1 else 1
                self._write([UndoTo(line, at=self._now(), by=by)])

    def undo_to(self, line: int, *, by: str, version: int | None = None) -> None:
        """Let the state after a line of the record count again; what was told early is taken back with it.

        Raises:
            StaleCommandError: the game has moved on.
            BadInputError: there is no such line.
            StorageError: it could not be written.
        """
        with self._changing():
            self._check(version)
            self._write([UndoTo(line, at=self._now(), by=by)])
            if self._pending.told:
                self._settle({"settled": [told.id for told in self._pending.told]})

    def correct(self, changes: Mapping[str, Any], reason: str, *, by: str, version: int | None = None) -> None:
        """Set facts outside the rules, shown to everyone.

        Raises:
            StaleCommandError: the game has moved on.
            BadInputError: the outcome would be no possible position, or the changes cannot be read.
            StorageError: it could not be written.
        """
        with self._changing():
            self._check(version)
            self._write([Correct.of(changes, reason, at=self._now(), by=by)])

    def answer(self, question_id: str, choice: int | None, *, by: str, version: int | None = None) -> None:
        """Answer the open question; None means that none of the choices is right.

        Raises:
            StaleCommandError: the question is not open any more.
            IllegalMoveError: the choice does not fit the game any more.
            StorageError: it could not be written.
        """
        with self._changing():
            self._check(version)
            question = self._pending.question
            if question is None or question.id != question_id:
                raise StaleCommandError("this question is not open any more")
            if choice is None:
                self._note({"question": None})
                self._declined = question.choices
            else:
                if not 0 <= choice < len(question.choices):
                    raise StaleCommandError("this question has no such answer")
                chosen = question.choices[choice]
                self._write_lines(chosen.lines, by=by, p=None)
                self._sight = Sight(Lamp.LOOKING)

    def probe(self) -> None:
        """Try whether the disk takes writes again; the page's warning follows the answer."""
        with self._changing():
            try:
                self._pending_journal.replace(self._pending.lines())
                self._trouble = None
            except StorageError as error:
                self._trouble = str(error)

    # What the watcher does.

    def watch(self, watched: bool) -> None:
        """A camera begins or ceases to look."""
        with self._lock:
            if self._watched == watched:
                return
            self._watched = watched
            if not watched:
                self._sight = Sight()
        self._changed()

    def report(self, sight: Sight) -> None:
        """What is seen now, for the lamp and the page."""
        with self._lock:
            if sight == self._sight:
                return
            self._sight = sight
        self._changed()

    def commit(self, version: int, lines: Sequence[Line], *, p: float, by: str = "camera") -> None:
        """Write what the watcher is sure of, all of it or nothing; told things among the lines are settled.

        Raises:
            StaleCommandError: the game has moved on since `version`: look again.
            IllegalMoveError: the rules refuse a step.
            StorageError: nothing was written.
        """
        with self._changing():
            self._check(version)
            self._write_lines(lines, by=by, p=p)

    def ask(self, version: int, text: Message, choices: Sequence[Choice]) -> None:
        """Open a question about the turn; it outlives a power cut.

        The same choices are not offered again after people said that none of them is right.

        Raises:
            StaleCommandError: the game has moved on since `version`.
            StorageError: it could not be written.
        """
        with self._changing():
            self._check(version)
            if self._declined is not None and _same_moves(choices, self._declined):
                return
            question = Question(self._new_id(), self._game.version, text, tuple(choices))
            self._note({"question": question.to_json()})

    def close(self) -> None:
        """Let go of the files."""
        with self._lock:
            self._journal.close()
            self._pending_journal.close()

    # How it is done.

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """One writer at a time; the news goes out after the lock was let go, whether it went well or not."""
        try:
            with self._lock:
                yield
        finally:
            self._changed()

    def _check(self, version: int | None) -> None:
        if version is not None and version != self._game.version + self._pending.ops:
            raise StaleCommandError("the game has moved on: look at the page again")

    def _now(self) -> str:
        return self._clock.utc().isoformat(timespec="seconds").replace("+00:00", "Z")

    def _must_wait(self, seat: int, move: Move) -> bool:
        """Whether something told has to wait for the moves that it rests on.

        Raises:
            IllegalMoveError: no move could make it right.
            StaleCommandError: it is an end, and one waits already.
        """
        if not self._watched or isinstance(move, Know):
            return False
        if isinstance(move, End) and self._pending.told and isinstance(self._pending.told[-1].move, End):
            # An impatient second press must not end the turn of the next player.
            raise StaleCommandError("the end is noted already: the table is being looked at")
        refusal = why_illegal(self._game.state, move, seat=seat)
        waits = isinstance(move, End | Stop) or bool(self._pending.told) or refusal is not None
        cards_told = any(isinstance(told.move, Draw | Claim) for told in self._pending.told)
        if refusal is not None and refusal.rule in HOPELESS and not cards_told:
            raise IllegalMoveError(refusal.rule, refusal.text, refusal.params)
        if waits and not _untouchable(move):
            # The camera sees it, or the rules refuse it: entered by hand it must be right as it stands.
            if refusal is not None:
                raise IllegalMoveError(refusal.rule, refusal.text, refusal.params)
            return False
        return waits

    def _write_lines(self, lines: Sequence[Line], *, by: str, p: float | None) -> None:
        told = {told.id: told for told in self._pending.told}
        events: list[Event] = []
        steps: list[Step] = []
        for line in lines:
            if isinstance(line, Fix):
                events.append(Correct.of(line.changes, line.reason, at=self._now(), by=by))
                continue
            steps.append(line)
            source = None if line.told is None else told.get(line.told)
            if line.told is not None and source is None:
                raise StaleCommandError("something told was taken back meanwhile")
            if source is None:
                rounded = None if p is None else round(p, 4)
                events.append(Do(line.seat, line.move, at=self._now(), by=by, p=rounded, id=self._new_id()))
            else:
                events.append(Do(source.seat, source.move, at=source.at, by=source.by, id=source.id))
        self._write(self._with_claims(events))
        settled = {step.told for step in steps if step.told is not None}
        ended = [i for i, t in enumerate(self._pending.told) if t.id in settled and isinstance(t.move, End | Stop)]
        # What was told in a turn that is over now and found no place in it never will.
        settled |= {each.id for each in self._pending.told[: max(ended, default=0)]}
        if settled:
            self._settle({"settled": sorted(settled)})

    def _with_claims(self, events: Sequence[Event]) -> list[Event]:
        """The events, and before each end of a turn what its seat claims by itself.

        With a camera the moves of a turn enter the record together with its end: before that nobody knows what is met.

        Raises:
            IllegalMoveError: the rules refuse an event.
        """
        game, found = self._game, list[Event]()
        for event in events:
            if isinstance(event, Do) and isinstance(event.move, End):
                for claim in self._claims(game, event.seat):
                    found.append(Do(event.seat, claim, at=self._now(), by="phone", id=self._new_id()))
                    game = game.append(found[-1])
            found.append(event)
            game = game.append(event)
        return found

    def _write(self, events: Sequence[Event]) -> None:
        """Check, write, and only then believe."""
        game = self._game
        for event in events:
            game = game.append(event)
        try:
            self._journal.append([write_line(event) for event in events])
        except StorageError as error:
            self._trouble = str(error)
            raise
        before, after = self._game.state.turn, game.state.turn
        if (before and (before.seat, before.number)) != (after and (after.seat, after.number)):
            self._turn_since_s = self._clock.monotonic()
        self._game, self._trouble, self._declined = game, None, None
        # A question about another position is void.
        self._void_question()

    def _note(self, operation: dict[str, Any]) -> None:
        pending = self._pending.after(operation)
        try:
            self._pending_journal.append([line_of(operation)])
        except StorageError as error:
            self._trouble = str(error)
            raise
        self._pending, self._trouble = pending, None

    def _settle(self, operation: dict[str, Any]) -> None:
        """Note what follows from the record: where the disk refuses, the next start finds it out from the record."""
        self._pending = self._pending.after(operation)
        try:
            self._pending_journal.append([line_of(operation)])
        except StorageError as error:
            self._trouble = str(error)

    def _void_question(self) -> None:
        if self._pending.question is not None:
            self._settle({"question": None})


def _same_moves(some: Sequence[Choice], others: Sequence[Choice]) -> bool:
    return [choice.lines for choice in some] == [choice.lines for choice in others]


def _untouchable(move: Move) -> bool:
    """Whether no camera can see this move: then it may be told before the moves that it rests on."""
    verb, *rest = format_move(move).split(" ")
    if verb in {"channel", "chip"}:
        return len(rest) < (1 if verb == "channel" else 2)
    return isinstance(move, Draw) or verb in {"claim", "discard", "end", "stop", "roll", "weather"}
