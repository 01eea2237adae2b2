"""What was surely read wrong once is not carried on for ever: later looks set the record right."""

from dataclasses import replace

from companion.games.takenoko.hexgrid import Hex
from companion.games.takenoko.pieces import Improvement
from companion.games.takenoko.transition import apply
from companion.observation import Marking
from companion.reconcile.correct import seen_instead
from companion.reconcile.evidence import Evidence
from companion.reconcile.follow import Correction, Follower
from companion.reconcile.model import DEFAULT_MODEL
from companion.reconcile.policy import Verdict
from companion.reconcile.posterior import garden_of
from tests.reconcile.tables import GARDEN, perfect_look, position, told

BADGE = Hex(1, 1)
TURNS = (("gardener 1,0", "panda -1,0"), ("gardener 0,1", "panda 0,0"))


def with_marking(look, at, improvement, *, chip):
    """The look of an eye that is sure of another marking on one cell."""
    belief = look.cells[at]
    p = dict.fromkeys(belief.marking_p, 0.0) | {Marking(improvement, chip): 1.0}
    return replace(look, cells={**look.cells, at: replace(belief, marking_p=p)})


def test_a_chip_that_was_read_wrong_when_it_came_is_set_right():
    state = position(GARDEN, chips={"watershed": 1, "enclosure": 1, "fertilizer": 0})
    follower, reports = Follower(state), []
    for turn in range(12):
        moves = ("roll sun", *TURNS[turn % 2], *(("improve 1,1 watershed",) if turn == 0 else ()))
        for text in moves:
            state = apply(state, told(text)[0].move)
        follower.tell(turn % 2, told("roll sun")[0].move)
        look = perfect_look(state)
        follower.look(with_marking(look, BADGE, Improvement.ENCLOSURE, chip=True) if turn < 4 else look, f"{turn}.jpg")
        reports += follower.tell(turn % 2, told("end")[0].move)
        state = apply(state, told("end")[0].move)
    reports += follower.close()
    right = reports[-1].state.plots[BADGE]
    assert right.improvement is Improvement.WATERSHED
    assert reports[-1].decision.verdict is Verdict.ACCEPT
    assert any(isinstance(line, Correction) for report in reports for line in report.lines)


def test_what_is_seen_is_taken_as_far_as_the_box_goes():
    """There is one pink plot with a printed enclosure in the box; two are seen. The record does not give up on it."""
    state = position({**GARDEN, "-1,1": "pink/enclosure 1"})
    really = position({**GARDEN, "-1,1": "pink/watershed 1", "-1,0": "pink/enclosure 1", "-2,1": "pink 0"})
    look = perfect_look(really)
    look = with_marking(look, Hex(-1, 1), Improvement.ENCLOSURE, chip=False)
    changes, found = seen_instead(state, Evidence(look, DEFAULT_MODEL.eye))
    assert changes
    assert set(found.plots) == set(really.plots)
    assert found.plots[Hex(-1, 0)].bamboo == 1
    assert found.gardener == really.gardener


def test_what_agrees_needs_no_change():
    state = position(GARDEN)
    assert seen_instead(state, Evidence(perfect_look(state), DEFAULT_MODEL.eye)) is None


def test_a_figure_that_was_moved_under_a_hand_and_moved_on_is_among_the_choices():
    """The panda ate under the hand and left in the next turn: no look ever showed it there, its bite did."""
    start = state = position(GARDEN)
    follower, reports = Follower(state), []
    truth = []
    for turn, moves in enumerate((("gardener 1,0", "panda -1,0"), ("gardener 0,1", "panda 0,0"))):
        for text in ("roll sun", *moves):
            state = apply(state, told(text)[0].move)
        truth.append(state)
        follower.tell(turn, told("roll sun")[0].move)
        follower.look(perfect_look(state, hand=Hex(-1, 0) if turn == 0 else None), f"{turn}.jpg")
        reports += follower.tell(turn, told("end")[0].move)
        state = apply(state, told("end")[0].move)
    reports += follower.close()
    assert start.plots[Hex(-1, 0)].bamboo - truth[0].plots[Hex(-1, 0)].bamboo == 1
    first = reports[0].decision
    offered = [garden_of(choice.state) for choice in first.choices]
    assert garden_of(truth[0]) in offered
    if first.verdict is Verdict.ACCEPT:
        assert offered[0] == garden_of(truth[0])
    assert garden_of(reports[1].state) == garden_of(truth[1])
