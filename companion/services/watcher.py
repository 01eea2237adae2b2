"""The live watcher: motion, stillness, a look, what it means, and what to do about it.

A state machine that is stepped: the eye says when the table has come to rest, the mind says what happened, and the
session is told. Nothing is written before the turn's end was told and seen; until then the page shows what is seen.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from companion.errors import CameraError, IllegalMoveError, StaleCommandError, StorageError
from companion.games.takenoko.notation import format_move
from companion.observation import Observation, Status
from companion.reconcile.discrepancy import Discrepancy
from companion.reconcile.live import Judgement, Mind, Waiting, shows_table
from companion.reconcile.look import expected_look
from companion.reconcile.messages import Message as Words
from companion.reconcile.nodes import Told
from companion.reconcile.notices import Notice
from companion.reconcile.policy import Verdict
from companion.reconcile.written import Correction, Lines, written
from companion.remarks import Remark
from companion.services.pending import Choice, Fix, Line, Step
from companion.services.ports import Eye, Message, Mismatch, Sight
from companion.services.session import Session, Snapshot
from companion.signals import Lamp

_log = logging.getLogger(__name__)

POLL_S = 1 / 15
"""Between two small pictures; a table that comes to rest is looked at within half a second."""
STOP_S = 1.0
"""For a look that is being taken when all shall end; every move that counts is on the disk already."""
TROUBLE_S = 1.0
"""Between two tries of a camera that gives no picture, or of a disk that refuses."""


def _nothing() -> None:
    """Nobody wants to know."""


class LiveWatcher:
    """Looks at the table for the running session; `step` is called over and over by one thread."""

    def __init__(
        self,
        session: Callable[[], Session | None],
        eye: Eye,
        *,
        looked: Callable[[], object] = _nothing,
        beat: Callable[[], object] = _nothing,
        mind: Mind | None = None,
    ) -> None:
        """Take what is needed to watch.

        Args:
            session: gives the running session, None while there is none.
            eye: looks at the table.
            looked: called after every look, for whoever shows the picture.
            beat: called at every step, for whoever wants to know that the watcher lives.
            mind: what the looks are judged with.
        """
        self._session = session
        self._eye = eye
        self._looked = looked
        self._beat = beat
        self._mind = mind or Mind()
        self._judged: tuple[Session, int] | None = None
        self._notices: tuple[Notice, ...] = ()
        self._remark: Remark | None = None
        self._p: float | None = None
        self._wanted = threading.Event()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    # The thread.

    def start(self) -> None:
        """Begin to look."""
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
        self._thread.start()

    def look_now(self) -> None:
        """Look at once; returns at once."""
        self._wanted.set()

    def stop(self, patience_s: float = STOP_S) -> bool:
        """Stop looking and wait for the thread, but not for ever: a look may take longer than a stop may.

        Returns:
            Whether it has ended; if not, the camera is still in use.
        """
        asked_before = self._stopping.is_set()
        self._stopping.set()
        if self._thread is None or self._thread is threading.current_thread():
            return True
        self._thread.join(0.0 if asked_before else patience_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._beat()
            self._stopping.wait(self.turn())

    def turn(self) -> float:
        """One step that never fails: what went wrong is told on the page.

        Returns:
            Seconds to wait before the next.
        """
        try:
            self.step()
        except CameraError as error:
            self._report(Message("notice.camera", {"why": str(error)}))
        except StorageError:
            pass  # the session itself says so
        except Exception:  # noqa: BLE001 (whatever fails in a look, the game goes on by hand)
            _log.exception("a look was lost")
            self._report(Message("notice.fault"))
        else:
            return POLL_S
        return TROUBLE_S

    # One step.

    def step(self) -> None:
        """Take one small picture, and a look when it is time for one.

        Raises:
            CameraError: there is no picture; step again later.
            StorageError: what was sure could not be written; step again later.
        """
        session = self._session()
        if session is None:
            return
        snapshot = session.snapshot()
        state = snapshot.game.state
        self._mind.begin(state)
        at_once = self._wanted.is_set()
        self._wanted.clear()
        seen = self._eye.look(expected_look(state, self._mind.anchor), at_once=at_once)
        if seen is not None:
            self._looked()
        # While the eye looked something may have been told: judge what is so now.
        snapshot = session.snapshot()
        try:
            if seen is not None:
                self._see(session, snapshot, seen)
            elif self._mind.has_looked and self._judged != (session, snapshot.version):
                self._judge(session, snapshot)
        except (StaleCommandError, IllegalMoveError) as error:
            # Somebody was faster: the next step sees the new version and judges again.
            _log.info("the game moved on while the table was judged: %s", error)

    def _see(self, session: Session, snapshot: Snapshot, seen: Observation) -> None:
        self._notices = self._mind.take(seen, _waiting(snapshot))
        self._remark = seen.reason if seen.status is Status.NO_TABLE else None
        if seen.status is Status.MOVING:
            self._mind.moved()
            session.report(self._sight(Lamp.LOOKING))
        elif not self._mind.has_looked:
            session.report(self._sight(Lamp.LOOKING))
        else:
            judgement = self._judge(session, snapshot)
            if judgement.ended and judgement.decision.verdict is Verdict.ASK:
                self._look_again(session)

    def _look_again(self, session: Session) -> None:
        """In doubt: one more look at the same stillness; it may spare people the question."""
        snapshot = session.snapshot()
        expected = expected_look(snapshot.game.state, self._mind.anchor)
        seen = self._eye.look(expected, at_once=True)
        if seen is not None and shows_table(seen):
            self._mind.take(seen, _waiting(snapshot))
            self._judge(session, session.snapshot())

    def _judge(self, session: Session, snapshot: Snapshot) -> Judgement:
        """Say what the looks mean, and act on it."""
        waiting = _waiting(snapshot)
        judgement = self._mind.judge(snapshot.game.state, waiting)
        self._judged = (session, snapshot.version)
        if not judgement.ended:
            session.report(self._sight(_lamp(judgement), judgement))
        elif judgement.decision.verdict is Verdict.ACCEPT:
            self._commit(session, snapshot, judgement, waiting)
        else:
            self._ask(session, snapshot, judgement, waiting)
        return judgement

    def _commit(self, session: Session, snapshot: Snapshot, judgement: Judgement, waiting: tuple[Waiting, ...]) -> None:
        self._p = judgement.decision.best.p
        session.commit(snapshot.version, _placed(judgement.lines, waiting), p=self._p)
        after = session.snapshot()
        self._mind.settle(judgement, after.game.state)
        self._judged = (session, after.version)
        lamp = Lamp.DISAGREEMENT if judgement.discrepancies else Lamp.IN_STEP
        session.report(self._sight(lamp, judgement, seen=False))

    def _ask(self, session: Session, snapshot: Snapshot, judgement: Judgement, waiting: tuple[Waiting, ...]) -> None:
        choices = tuple(
            Choice(_placed(written(choice, snapshot.game.state), waiting), round(choice.p, 4))
            for choice in judgement.decision.choices
        )
        question = snapshot.pending.question
        if question is None or question.choices != choices:
            session.ask(snapshot.version, Message("question.which"), choices)
        self._judged = (session, session.snapshot().version)
        session.report(self._sight(Lamp.ASKING, judgement))

    # What is shown.

    def _sight(self, lamp: Lamp, judgement: Judgement | None = None, *, seen: bool = True) -> Sight:
        notices = tuple(Message(f"notice.{notice.value}") for notice in self._notices)
        if self._remark is not None:
            notices += (Message(self._remark.id, self._remark.params),)
        if judgement is None:
            return Sight(lamp, notices=notices, p=self._p)
        steps = [line for line in judgement.lines if not isinstance(line, Correction)]
        moves = tuple(format_move(move) for _, move, told in steps if not told) if seen else ()
        return Sight(lamp, tuple(map(_mismatch, judgement.discrepancies)), notices, moves, self._p)

    def _report(self, trouble: Message) -> None:
        session = self._session()
        if session is not None:
            session.report(Sight(Lamp.TROUBLE, notices=(trouble,), p=self._p))


def _lamp(judgement: Judgement) -> Lamp:
    verdict = judgement.decision.verdict
    if verdict is Verdict.UNEXPLAINED or judgement.discrepancies:
        return Lamp.DISAGREEMENT
    return Lamp.IN_STEP if verdict is Verdict.ACCEPT else Lamp.LOOKING


def _waiting(snapshot: Snapshot) -> tuple[Waiting, ...]:
    return tuple(Waiting(told.id, Told(told.seat, told.move)) for told in snapshot.pending.told)


def _placed(lines: Lines, waiting: tuple[Waiting, ...]) -> tuple[Line, ...]:
    """The lines for the session: told ones name what was told; one that was left out as impossible goes on waiting."""
    left = list(waiting)
    placed: list[Line] = []
    for line in lines:
        if isinstance(line, Correction):
            placed.append(Fix(line.changes, line.reason))
            continue
        seat, move, told = line
        found = next((thing for thing in left if thing.told == Told(seat, move)), None) if told else None
        if found is not None:
            left = left[left.index(found) + 1 :]
        placed.append(Step(seat, move, None if found is None else found.id))
    return tuple(placed)


def _mismatch(found: Discrepancy) -> Mismatch:
    return Mismatch(
        found.kind.value,
        "" if found.at is None else str(found.at),
        found.expected,
        found.observed,
        found.p,
        found.rule,
        _words(found.what),
        _words(found.remedy),
    )


def _words(message: Words) -> Message:
    params = {key: _words(value) if isinstance(value, Words) else value for key, value in message.params.items()}
    return Message(message.id, params)
