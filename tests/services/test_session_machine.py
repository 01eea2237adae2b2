"""Random people and a random watcher on one session: what it says is what the disk would say after a power cut."""

from __future__ import annotations

from contextlib import suppress

from conftest import Played
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from companion.errors import CompanionError, StorageError
from companion.games.takenoko.legality import legal_moves
from companion.games.takenoko.notation import parse_move
from companion.services.pending import Choice, Step, unsettled
from companion.services.ports import Message

TOLD = ("end", "draw panda", "draw plot", "claim gardener-green-plain", "roll sun", "roll rain", "channel", "stop")


class Evenings(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.game = Played()
        self.version = self.game.snapshot.version

    @rule(pick=st.integers(0, 10_000))
    def play(self, pick):
        moves = [m for m in legal_moves(self.game.state) if str(m) != "Stop()"]
        if moves:
            with suppress(CompanionError):
                self.game.session.tell(self.game.state.turn.seat, moves[pick % len(moves)], by="browser")

    @rule(text=st.sampled_from(TOLD), seat=st.integers(0, 1))
    def tell_anything(self, text, seat):
        with suppress(CompanionError):
            self.game.session.tell(seat, parse_move(text), by="phone")

    @rule(watched=st.booleans())
    def watch(self, watched):
        self.game.session.watch(watched)

    @rule()
    def undo(self):
        with suppress(CompanionError):
            self.game.session.undo_last(by="button")

    @rule(line=st.integers(0, 60))
    def undo_to(self, line):
        with suppress(CompanionError):
            self.game.session.undo_to(line, by="host")

    @rule(height=st.integers(0, 5))
    def correct(self, height):
        with suppress(CompanionError):
            self.game.session.correct({"bamboo": {"1,0": height}}, "seen", by="host")

    @precondition(lambda self: self.game.snapshot.pending.told)
    @rule(p=st.floats(0, 1))
    def commit(self, p):
        told = self.game.snapshot.pending.told[0]
        with suppress(CompanionError):
            self.game.session.commit(self.game.snapshot.version, [Step(told.seat, told.move, told.id)], p=p)

    @rule(pick=st.integers(0, 10_000))
    def ask(self, pick):
        moves = list(legal_moves(self.game.state))
        if moves:
            step = Step(self.game.state.turn.seat, moves[pick % len(moves)])
            self.game.session.ask(self.game.snapshot.version, Message("question.which"), [Choice((step,), 0.5)])

    @precondition(lambda self: self.game.snapshot.pending.question is not None)
    @rule(choice=st.sampled_from([None, 0, 1]))
    def answer(self, choice):
        with suppress(CompanionError):
            self.game.session.answer(self.game.snapshot.pending.question.id, choice, by="browser")

    @rule(stale=st.integers(1, 5))
    def stale(self, stale):
        before = self.game.snapshot
        with suppress(CompanionError):
            self.game.session.undo_last(by="host", version=before.version - stale)
        assert self.game.snapshot == before

    @rule(text=st.sampled_from(TOLD))
    def on_a_full_disk(self, text):
        self.game.journal.refuse = self.game.pending.refuse = "the disk is full"
        before = self.game.snapshot
        try:
            self.game.session.tell(0, parse_move(text), by="phone")
        except StorageError:
            assert self.game.snapshot.trouble == "the disk is full"
        except CompanionError:
            assert self.game.snapshot.trouble == before.trouble
        else:
            raise AssertionError("acknowledged without being written")
        finally:
            self.game.journal.refuse = self.game.pending.refuse = None
        after = self.game.snapshot
        assert (after.game, after.pending, after.version) == (before.game, before.pending, before.version)

    @invariant()
    def the_disk_says_the_same(self):
        now = self.game.snapshot
        game, pending = self.game.resumed()
        pending, _ = unsettled(pending, (event.id for event in game.events), game.version)
        assert game.state == now.game.state
        assert game.version == now.game.version
        assert (pending.told, pending.question) == (now.pending.told, now.pending.question)

    @invariant()
    def the_version_never_runs_back(self):
        assert self.game.snapshot.version >= self.version
        self.version = self.game.snapshot.version


Evenings.TestCase.settings = settings(max_examples=25, stateful_step_count=30, deadline=None)
TestEvenings = Evenings.TestCase
