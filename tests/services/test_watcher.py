"""The live watcher, stepped by hand in front of scripted looks."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from companion.bench.noise import Gross, Noise, NoisyEye
from companion.errors import CameraError
from companion.games.takenoko.hexgrid import Hex
from companion.games.takenoko.notation import format_move, parse_move
from companion.games.takenoko.pieces import Improvement
from companion.games.takenoko.position import corrected
from companion.games.takenoko.transition import apply
from companion.observation import Marking, Observation, Status
from companion.reconcile.model import SlipKind
from companion.reconcile.slips import Slip
from companion.remarks import Remark
from companion.services.watcher import LiveWatcher
from companion.signals import Lamp

SHARP = Noise(40, 40, 40, 40, 40, poor=0, hidden=0, gross=Gross().scaled(0))
MOVING = Observation(Status.MOVING)


class ScriptedEye:
    """Gives the looks that a test puts before it, one a step; what was expected is kept."""

    def __init__(self) -> None:
        self.script = []
        self.expected = []
        self.at_once = []
        self._eye = NoisyEye(SHARP, Random(1))

    def shows(self, state, *moves, slips=(), hand=None) -> None:
        for text in moves:
            state = apply(state, parse_move(text))
        self.script.append(self._eye.look(state, slips, hand))

    def look(self, expected=None, *, at_once=False):
        self.expected.append(expected)
        self.at_once.append(at_once)
        if not self.script:
            return None
        seen = self.script.pop(0)
        if isinstance(seen, Exception):
            raise seen
        return seen


@pytest.fixture
def table(played):
    class Table:
        def __init__(self):
            self.game = played(watched=True)
            self.eye = ScriptedEye()
            self.watcher = LiveWatcher(lambda: self.game.session, self.eye)

        def steps(self, count=1):
            for _ in range(count):
                self.watcher.step()

        @property
        def sight(self):
            return self.game.session.snapshot().sight

        def recorded(self):
            lines = self.game.journal.lines[1:]
            return [line.split('"do":"')[1].split('"')[0] for line in lines if '"do"' in line]

    return Table()


def test_a_sure_turn_is_written_when_its_end_was_told_and_seen(table):
    table.eye.shows(table.game.state, "plot green 1,0", "gardener 1,0")
    table.steps()
    assert table.recorded() == []
    assert sorted(table.sight.seen) == ["gardener 1,0", "plot green 1,0"]
    table.game.tell("end")
    table.steps()
    assert table.recorded() == ["plot green 1,0", "gardener 1,0", "end"]
    assert table.sight.lamp is Lamp.IN_STEP
    assert '"by":"camera"' in table.game.journal.lines[1]


def test_what_was_told_early_is_put_in_its_place(table):
    table.game.tell("draw panda")
    table.game.tell("end")
    table.eye.shows(table.game.state, "plot green 1,0")
    table.steps()
    assert table.recorded() == ["draw panda", "plot green 1,0", "end"]
    assert not table.game.session.snapshot().pending.told


def test_nothing_is_written_while_something_moves(table):
    table.game.tell("end")
    table.eye.script.append(MOVING)
    table.steps()
    assert table.recorded() == []
    assert table.sight.lamp is Lamp.LOOKING


def test_a_hand_over_the_table_is_a_hand_and_no_move(table):
    table.eye.shows(table.game.state, hand=Hex(0, 0))
    table.steps()
    assert [notice.id for notice in table.sight.notices] == ["notice.hand"]
    assert table.recorded() == []


def test_why_no_table_is_seen_is_said_until_it_is_seen_again(table):
    table.eye.script.append(Observation(Status.NO_TABLE, Remark("eye.out_of_focus")))
    table.steps()
    assert [notice.id for notice in table.sight.notices] == ["eye.out_of_focus"]
    table.eye.shows(table.game.state)
    table.steps()
    assert table.sight.notices == ()


def test_a_slip_is_shown_with_its_remedy_and_the_turn_is_written_all_the_same(table):
    slip = Slip(SlipKind.GROWTH_FORGOTTEN, Hex(1, 0), 1, "T-GARD-1", delta=-1)
    table.eye.shows(table.game.state, "plot green 1,0", "gardener 1,0", slips=(slip,))
    table.game.tell("end")
    table.eye.script.append(table.eye.script[0])
    table.steps()
    assert table.recorded() == ["plot green 1,0", "gardener 1,0", "end"]
    assert table.sight.lamp is Lamp.DISAGREEMENT
    [mismatch] = table.sight.mismatches
    assert (mismatch.kind, mismatch.at, mismatch.rule) == ("growth_forgotten", "1,0", "T-GARD-1")
    assert mismatch.remedy is not None


def test_a_mended_slip_is_no_longer_shown(table):
    slip = Slip(SlipKind.GROWTH_FORGOTTEN, Hex(1, 0), 1, "T-GARD-1", delta=-1)
    table.eye.shows(table.game.state, "plot green 1,0", "gardener 1,0", slips=(slip,))
    table.game.tell("end")
    table.eye.script.append(table.eye.script[0])
    table.steps()
    table.eye.script[:] = [MOVING]
    table.eye.shows(table.game.state)
    table.steps(2)
    assert table.sight.mismatches == ()
    assert table.sight.lamp is Lamp.IN_STEP


def test_a_doubtful_turn_is_asked_and_the_answer_is_written(table):
    table.game.tell("draw panda")
    table.eye.shows(table.game.state, "plot green 1,0", hand=Hex(1, 0))
    table.game.tell("end")
    table.steps()
    question = table.game.session.snapshot().pending.question
    assert question is not None
    assert table.sight.lamp is Lamp.ASKING
    table.game.session.answer(question.id, 0, by="browser")
    assert table.recorded()[-1] == "end"


def test_a_button_looks_at_once(table):
    table.watcher.look_now()
    table.steps(2)
    assert table.eye.at_once == [True, False]


def test_a_camera_without_a_picture_is_said_by_the_thread(table):
    table.eye.script.append(CameraError("no picture: is the cable in?"))
    with pytest.raises(CameraError):
        table.steps()


def test_what_is_entered_by_hand_meanwhile_is_no_news_to_the_camera(table):
    table.eye.shows(table.game.state, "plot green 1,0")
    table.steps()
    assert table.sight.seen == ("plot green 1,0",)
    table.game.tell("plot green 1,0")
    table.eye.shows(table.game.state)
    table.steps()
    assert table.sight.seen == ()


def test_the_eye_is_told_what_should_lie_there(table):
    table.game.tell("plot green 1,0")
    table.steps()
    assert table.eye.expected[-1].plots.keys() == {Hex(1, 0)}


def test_turns_are_followed_one_after_the_other(table):
    for moves in (["plot green 1,0", "gardener 1,0"], ["plot pink 0,1", "panda 1,0"]):
        state = table.game.state
        table.eye.script.append(MOVING)
        table.eye.shows(state, *moves)
        table.game.tell("end")
        table.steps(2)
        assert table.game.state.turn.seat != state.turn.seat
    assert [format_move(parse_move(text)) for text in table.recorded()].count("end") == 2


def with_badge(look, at, plain):
    """The look of an eye that holds a plot for a plain one with this probability, and else for one with a spring."""
    marking_p = dict.fromkeys(look.cells[at].marking_p, 0.0)
    marking_p |= {Marking(None): plain, Marking(Improvement.WATERSHED): 1 - plain}
    return replace(look, cells={**look.cells, at: replace(look.cells[at], marking_p=marking_p)})


def play(table, *moves, seen=lambda look: look):
    """One turn: hands move, the table lies still, `end` is told."""
    table.eye.script.append(MOVING)
    table.eye.shows(table.game.state, *moves)
    table.eye.script.append(seen(table.eye.script.pop()))
    table.game.tell("end")
    table.steps(2)


def test_a_turn_that_was_written_wrong_is_corrected_when_later_looks_show_it(table):
    """A badge was seen badly and taken for none; the looks of the next turn see it well."""
    table.game.tell("channel")
    play(table, "plot green/watershed 1,0", seen=lambda look: with_badge(look, Hex(1, 0), 0.98))
    assert table.game.state.plots[Hex(1, 0)].improvement is None
    table.eye.script.append(MOVING)
    really = corrected(table.game.state, {"plots": {"1,0": "green/watershed 1"}})
    table.eye.shows(really, "plot pink 0,1")
    table.steps(2)
    table.eye.script.append(MOVING)
    table.eye.shows(really, "plot pink 0,1", "panda 1,0")
    table.game.tell("end")
    table.steps(2)
    assert any('"correct"' in line for line in table.game.journal.lines)
    assert table.game.state.plots[Hex(1, 0)].improvement is Improvement.WATERSHED
    assert table.recorded()[-3:] == ["plot pink 0,1", "panda 1,0", "end"]


def test_what_was_entered_by_hand_is_not_judged_again(table):
    """People said how it went: later looks do not overrule them."""
    table.game.tell("plot green 1,0")
    table.game.tell("gardener 1,0")
    play(table)
    play(table, "plot pink 0,1", "panda 1,0")
    assert not any('"correct"' in line for line in table.game.journal.lines)
    assert table.game.state.plots[Hex(1, 0)].bamboo == 1
