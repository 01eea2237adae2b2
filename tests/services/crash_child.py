"""Plays on a real disk until it is killed: forked anew for every line of its standard input (folder and seed).

It says `ack ID VERSION` after the session acknowledged an event, a thing told or a question, and `removing ID` before
it does something that may remove one. The process that reads standard input only forks and waits, so that the imports
are paid for once.
"""

from __future__ import annotations

import contextlib
import os
import random
import sys
from pathlib import Path

from companion.adapters.clock import SystemClock
from companion.adapters.journal_disk import DiskJournal
from companion.errors import IllegalMoveError
from companion.games.takenoko.legality import legal_moves
from companion.games.takenoko.moves import Discard, Stop
from companion.record import Header, write_header
from companion.services.library import Library
from companion.services.pending import Choice, Step
from companion.services.ports import Message
from companion.services.session import Session


def say(text: str) -> None:
    os.write(1, f"{text}\n".encode())


def play(folder: Path, seed: str) -> None:
    rng = random.Random(seed)
    library = Library(folder, DiskJournal)
    name = library.current()
    if name is None:
        name = "evening"
        library.create(name, [write_header(Header(seats=("Aki", "Oksana")))])
    opened = library.open(name)
    made: list[str] = []

    def new_id() -> str:
        made.append(f"{seed}.{len(made)}")
        return made[-1]

    session = Session(
        opened.game, opened.journal, opened.pending, opened.pending_journal, SystemClock(), new_id, lambda: None
    )
    say(f"playing {os.getpid()}")
    while True:
        session.watch(rng.random() < 0.6)
        with contextlib.suppress(IllegalMoveError):  # what was told early need not fit any more
            step(session, rng, made)


def step(session: Session, rng: random.Random, made: list[str]) -> None:
    """One thing that people or the watcher do."""
    now = session.snapshot()
    state, pending = now.game.state, now.pending
    before = len(made)
    if pending.question is not None:
        say(f"removing {pending.question.id}")
    if state.turn is None:
        for told in pending.told:
            say(f"removing {told.id}")
        session.undo_to(1, by="host")
        return
    moves = [move for move in legal_moves(state) if not isinstance(move, Stop | Discard)]
    move, kind = rng.choice(moves), rng.random()
    if pending.question is not None and kind < 0.7:
        session.answer(pending.question.id, rng.choice([None, 0]), by="browser")
    elif pending.told and kind < 0.5:
        told = pending.told[0]
        session.commit(now.version, [Step(told.seat, told.move, told.id)], p=0.9)
    elif pending.told and kind < 0.8:
        say(f"removing {pending.told[-1].id}")
        session.undo_last(by="button")
    elif pending.told:
        session.probe()
    elif kind < 0.15:
        session.ask(now.version, Message("question.which"), [Choice((Step(state.turn.seat, move),), 0.5)])
    else:
        session.tell(state.turn.seat, move, by="browser")
    version = session.snapshot().version
    if pending.question is None or kind >= 0.7:
        for event_id in made[before:]:
            say(f"ack {event_id} {version}")


def main() -> None:
    for line in sys.stdin:
        folder, seed = line.split()
        child = os.fork()
        if child == 0:
            play(Path(folder), seed)
        os.waitpid(child, 0)
        say("dead")


if __name__ == "__main__":
    main()
