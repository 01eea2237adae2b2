"""The evening: which game is being played, the panel and its lamps, and the news that pages listen to."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.errors import BadInputError, CompanionError, IllegalMoveError, StaleCommandError, StorageError
from companion.games.takenoko.moves import Claim, End, Move, Roll, Stop
from companion.games.takenoko.objectives import met
from companion.games.takenoko.pieces import Weather
from companion.record import Do, Event, Game, Header, write_header, write_line
from companion.services.hub import Hub, Topic
from companion.services.library import Library
from companion.services.pictures import PictureKeeper
from companion.services.ports import Camera, Clock, DrawnPanel, Message, Panel, ToyTable, Watcher
from companion.services.seat_helper import SeatHelper
from companion.services.session import Session, Snapshot
from companion.signals import Button, Lamp, Lights, Sound

_log = logging.getLogger(__name__)

MET_SHOWN_S = 5.0
"""How long the weather lamps tell how many cards are met after Check."""

NEXT_AGAIN_S = 1.5
"""Nobody takes a whole turn in so short a time: a second press of Next is meant for the first turn."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something to say once on the page: a refused button, a resumed game."""

    number: int
    """Grows with every note."""
    message: Message
    bad: bool


class Evening:
    """One per process."""

    def __init__(
        self,
        library: Library,
        hub: Hub,
        clock: Clock,
        new_id: Callable[[], str],
        die: Callable[[], Weather] | None,
        panel: Panel | None = None,
        drawn: DrawnPanel | None = None,
        camera: Camera | None = None,
        toy: ToyTable | None = None,
    ) -> None:
        """Put the parts together.

        Args:
            library: the folder of games.
            hub: where the news goes out.
            clock: time.
            new_id: makes ids of events.
            die: rolls the digital die; None: the table has a real one, and its face is asked for.
            panel: the buttons at the table.
            drawn: the same panel where it is drawn on a page; then `panel` is left out.
            camera: what the camera page shows.
            toy: the simulated table of the demo.
        """
        self.library = library
        self.hub = hub
        self.clock = clock
        self.camera = camera
        self.toy = toy
        self.panel: Panel | None = panel or drawn
        self.drawn = drawn
        self._new_id = new_id
        self._die = die
        self._lock = threading.RLock()
        self._session: Session | None = None
        self._name: str | None = None
        self._watcher: Watcher | None = None
        self._note: Note | None = None
        self._checks = 0
        self._next_pressed_s = float("-inf")
        self._met_until_s: float | None = None
        self._face_asked = False
        self._trouble: tuple[str, ...] = ()
        self.seat_helper: SeatHelper | None = None
        """Deals and claims for seats; None where no phones can join."""
        self.pictures = PictureKeeper(library)

    # Which game.

    @property
    def session(self) -> Session | None:
        """The running game."""
        with self._lock:
            return self._session

    @property
    def name(self) -> str | None:
        """The running game's name."""
        with self._lock:
            return self._name

    def need_session(self) -> Session:
        """The running game.

        Raises:
            StaleCommandError: no game is running.
        """
        session = self.session
        if session is None:
            raise StaleCommandError("no game is running: begin or resume one")
        return session

    def begin(self, header: Header, lines: Sequence[Event | None] = ()) -> str:
        """Begin a new game, or go on with one that was played elsewhere.

        Args:
            header: of the record.
            lines: further lines of it, None for a blank one.

        Returns:
            The new game's name.

        Raises:
            StorageError: it could not be written.
        """
        written = [write_header(header), *("\n" if event is None else write_line(event) for event in lines)]
        with self._lock:
            name = self.library.free_name(self.clock.utc())
            self.library.create(name, written)
            self._open(name)
        return name

    def resume(self, name: str) -> None:
        """Go on with a game of the library.

        Raises:
            BadInputError: there is no such game, or it cannot be read.
            StorageError: the choice could not be written down.
        """
        with self._lock:
            if not self.library.path_of(name).exists():
                raise BadInputError(f"no game is called {name}")
            if name != self._name:
                self._open(name)
                self.library.make_current(name)

    def resume_current(self) -> None:
        """After a start: go on with the game that was being played, if there is one."""
        name = self.library.current()
        if name is None:
            return
        try:
            with self._lock:
                self._open(name)
                torn = self._note is not None
            if not torn:  # what a power cut took is the greater news
                self.say(Message("log.resume"))
        except (CompanionError, OSError) as error:
            _log.error("cannot resume %s: %s", name, error)
            self.say(Message("trouble.resume", {"name": name, "reason": str(error)}), bad=True)

    def _open(self, name: str) -> None:
        opened = self.library.open(name)
        if self._session is not None:
            self._session.close()
        self._session = Session(
            opened.game,
            opened.journal,
            opened.pending,
            opened.pending_journal,
            self.clock,
            self._new_id,
            self.changed,
            trouble=opened.trouble,
            claims=lambda game, seat: self._claims_before_end(name, game, seat),
        )
        self._session.watch(self._watcher is not None)
        self._name = name
        if opened.torn:
            self.say(Message("trouble.torn"), bad=True)
        self.changed()

    # The camera's watcher.

    def attach(self, watcher: Watcher | None) -> None:
        """A watcher begins or ceases to look at the table."""
        with self._lock:
            self._watcher = watcher
            session = self._session
        if session is not None:
            session.watch(watcher is not None)

    # Buttons.

    def press(self, button: Button) -> None:
        """What a button of the panel does, real or drawn; never raises what a person's finger can cause."""
        try:
            {
                Button.ROLL: self._roll,
                Button.CHECK: self.check,
                Button.NEXT: self._next,
                Button.UNDO: self._undo,
            }[button]()
        except IllegalMoveError as error:
            self.refuse(Message("refused.rule", {"rule": error.rule, "reason": Message(error.text, error.params)}))
        except StorageError as error:
            self.refuse(Message("trouble.disk", {"reason": str(error)}))
        except CompanionError as error:
            self.refuse(Message("refused.other", {"reason": str(error)}))

    def push(self, button: Button, down: bool) -> None:
        """A finger on a button of a page: on the drawn panel's pins where there are some, else as a press."""
        if self.drawn is not None:
            self.drawn.push(button, down)
        elif down:
            self.press(button)

    def retry_disk(self) -> None:
        """Try again whether the disk takes writes.

        Raises:
            BadInputError: the record cannot be read any more.
        """
        with self._lock:
            if self._session is None or self._name is None:
                return
            if self._session.is_refusing:
                self._open(self._name)
            self._session.probe()

    def roll(self, face: Weather, *, by: str, version: int | None = None) -> None:
        """The face of the weather die, rolled here or read from the real one.

        Raises:
            CompanionError: as `Session.tell`.
        """
        session = self.need_session()
        seat = self._seat(session.snapshot())
        self._face_asked = False
        session.tell(seat, Roll(face), by=by, version=version)

    def roll_digital(self, *, by: str, version: int | None = None) -> None:
        """Roll the digital die.

        Raises:
            CompanionError: as `Session.tell`; or the table has a real die.
        """
        if self._die is None:
            raise StaleCommandError("this table rolls a real die: name its face")
        self.roll(self._die(), by=by, version=version)

    def tell(self, move: Move, *, seat: int | None, by: str, version: int | None = None) -> None:
        """Something told on the page; the seat is the one whose turn it is unless another is named.

        Raises:
            CompanionError: as `Session.tell`.
        """
        session, name = self.need_session(), self.name
        snapshot = session.snapshot()
        if self.seat_helper is not None and name is not None:
            move = self.seat_helper.prepared(name, snapshot, move)
        session.tell(self._seat(snapshot) if seat is None else seat, move, by=by, version=version)
        if isinstance(move, End):
            self._look()

    def check(self) -> None:
        """Look at the table now, and light up what the garden meets."""
        self.need_session()
        self._look()
        with self._lock:
            self._checks += 1
            self._met_until_s = self.clock.monotonic() + MET_SHOWN_S
        if self.panel is not None:
            self.panel.sound(Sound.ACCEPTED)
        self.changed()

    def _roll(self) -> None:
        if self._die is None:
            self._face_asked = True
            self.changed()
        else:
            self.roll_digital(by="button")

    def _next(self) -> None:
        now_s = self.clock.monotonic()
        if now_s - self._next_pressed_s < NEXT_AGAIN_S:
            return  # a trembling finger, not a second turn
        self._next_pressed_s = now_s
        self.tell(End(), seat=None, by="button")

    def _undo(self) -> None:
        self.need_session().undo_last(by="button")

    def _look(self) -> None:
        with self._lock:
            watcher = self._watcher
        if watcher is not None:
            watcher.look_now()

    @staticmethod
    def _seat(snapshot: Snapshot) -> int:
        if snapshot.seat is None:
            raise StaleCommandError("the game is over")
        return snapshot.seat

    # What pages and lamps show.

    @property
    def note(self) -> Note | None:
        """The newest thing to say once."""
        with self._lock:
            return self._note

    @property
    def checks(self) -> int:
        """How often Check was pressed: pages let what is met light up when it grows."""
        with self._lock:
            return self._checks

    @property
    def face_asked(self) -> bool:
        """Whether the face of the real die is awaited."""
        with self._lock:
            return self._face_asked

    @property
    def has_digital_die(self) -> bool:
        """Whether Roll rolls here."""
        return self._die is not None

    def trouble(self) -> tuple[str, ...]:
        """What is wrong with the machine, in plain words."""
        with self._lock:
            session, others = self._session, self._trouble
        disk = session.snapshot().trouble if session is not None else None
        return (*((disk,) if disk else ()), *others)

    def say(self, message: Message, *, bad: bool = False) -> None:
        """Say something once on every page."""
        with self._lock:
            self._note = Note((self._note.number if self._note else 0) + 1, message, bad)
        self.changed()

    def refuse(self, message: Message) -> None:
        """A button asked for something that cannot be."""
        if self.panel is not None:
            self.panel.sound(Sound.REFUSED)
        self.say(message, bad=True)

    def tick(self) -> None:
        """The passing of time: call it about twice a second."""
        over = False
        trouble = self.panel.trouble() if self.panel is not None else ()
        with self._lock:
            if self._met_until_s is not None and self.clock.monotonic() >= self._met_until_s:
                self._met_until_s, over = None, True
            if trouble != self._trouble:
                self._trouble, over = trouble, True
        if over:
            self.changed()

    def changed(self) -> None:
        """Claim for those who wish it, light the lamps and tell the pages."""
        session, name = self.session, self.name
        if self.seat_helper is not None and session is not None and name is not None:
            self.seat_helper.claim_for(name, session)
            self._keep_picture(name, session.snapshot())
        if self.panel is not None:
            self.panel.show(self.lights())
            self.hub.publish(Topic.PANEL)
        self.hub.publish(Topic.TABLE)

    def _claims_before_end(self, name: str, game: Game, seat: int) -> tuple[Claim, ...]:
        helper = self.seat_helper
        return () if helper is None else helper.claims_before_end(name, game, seat)

    def _keep_picture(self, name: str, snapshot: Snapshot) -> None:
        """One picture after each turn, where the host allows it and a camera looks."""
        camera, helper = self.camera, self.seat_helper
        if camera is None or helper is None or not helper.seating.of(name, len(snapshot.game.state.seats)).pictures:
            return
        standing = snapshot.game.standing()
        if standing and isinstance(standing[-1][1], Do) and isinstance(standing[-1][1].move, End | Stop):
            self.pictures.keep(name, standing[-1][0], lambda: camera.picture(overlay=False))

    def lamp(self) -> Lamp:
        """The one lamp."""
        session = self.session
        if self.trouble():
            return Lamp.TROUBLE
        if session is None:
            return Lamp.BY_HAND
        snapshot = session.snapshot()
        if not snapshot.watched:
            return Lamp.BY_HAND
        if snapshot.pending.question is not None:
            return Lamp.ASKING
        # Answered meanwhile: the watcher will look again.
        return Lamp.LOOKING if snapshot.sight.lamp is Lamp.ASKING else snapshot.sight.lamp

    def lights(self) -> Lights:
        """What the panel shows now."""
        session = self.session
        if session is None:
            return Lights(self.lamp())
        snapshot = session.snapshot()
        with self._lock:
            shows_met = self._met_until_s is not None
        if shows_met:
            count = len(met(snapshot.game.state))
            return Lights(self.lamp(), frozenset(list(Weather)[:count]))
        rolled = [told.move.face for told in snapshot.pending.told if isinstance(told.move, Roll)]
        turn = snapshot.game.state.turn
        weather = rolled[-1] if rolled else (turn.weather if turn else None)
        return Lights(self.lamp(), frozenset() if weather is None else frozenset({weather}))

    def close(self) -> None:
        """Stop looking, let the files go."""
        with self._lock:
            watcher, self._watcher = self._watcher, None
            session, self._session = self._session, None
        if watcher is not None:
            watcher.stop()
        if session is not None:
            session.close()
