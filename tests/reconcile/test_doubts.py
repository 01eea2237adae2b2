"""Doubts live on: what covers the garden is no evidence, and what the record cannot explain never becomes certain."""

from dataclasses import replace

import pytest

from companion.games.takenoko.hexgrid import Hex
from companion.games.takenoko.pieces import Colour
from companion.games.takenoko.transition import apply
from companion.observation import Observation, Status
from companion.reconcile.covered import blank, covered_cells, is_lost, other_plots, with_covered
from companion.reconcile.follow import Correction, Follower
from companion.reconcile.model import SlipKind
from companion.reconcile.notices import Notice
from companion.reconcile.policy import Verdict
from companion.reconcile.posterior import garden_of
from companion.reconcile.slips import Slip
from tests.reconcile.tables import GARDEN, perfect_look, position, told

TURNS = (("gardener 1,0", "panda -1,0"), ("gardener 0,1", "panda 0,0"))


def without(look, *cells):
    """The look of an eye that takes cells for bare table and does not say that anything covers them."""
    return replace(look, cells={at: belief for at, belief in look.cells.items() if at not in cells})


def play(follower, state, seat, moves, looks):
    """One turn with its looks, each made from the position at the turn's end."""
    for text in ("roll sun", *moves):
        state = apply(state, told(text)[0].move)
    follower.tell(seat, told("roll sun")[0].move)
    for name, look in looks(state).items():
        follower.look(look, name)
    reports = follower.tell(seat, told("end")[0].move)
    return apply(state, told("end")[0].move), reports


def test_a_plot_that_lies_there_and_is_not_seen_is_covered():
    state = position(GARDEN)
    look = without(perfect_look(state), Hex(1, 0))
    assert covered_cells(look, [state]) == {Hex(1, 0)}
    seen = with_covered(look, covered_cells(look, [state]))
    assert seen.status is Status.OCCLUDED
    assert seen.hidden_cells[Hex(1, 0)] > 0.9


def test_a_plot_that_only_some_positions_have_may_be_absent():
    with_it, without_it = position({**GARDEN, "2,0": "pink 0"}), position(GARDEN)
    assert covered_cells(perfect_look(without_it), [with_it, without_it]) == frozenset()


def test_a_plot_of_another_colour_twice_in_one_place_is_no_hand():
    state, other = position(GARDEN), position({**GARDEN, "1,0": "pink 1"})
    look = perfect_look(other)
    assert covered_cells(look, [state]) == {Hex(1, 0)}
    assert (Hex(1, 0), Colour.PINK) in other_plots(look)
    assert covered_cells(look, [state], other_plots(look)) == frozenset()


def test_a_look_that_shows_half_the_garden_elsewhere_says_nothing():
    state = position(GARDEN)
    look = without(perfect_look(state), Hex(1, 0), Hex(0, 1), Hex(1, 1))
    assert is_lost(look, [state])
    assert not is_lost(without(perfect_look(state), Hex(1, 0)), [state])
    empty = blank(look, [state])
    assert not empty.cells
    assert set(state.plots) <= set(empty.hidden_cells)


def test_a_hand_that_the_eye_does_not_notice_is_noticed_and_moves_nothing():
    state = position(GARDEN)
    follower = Follower(state)
    reports = []
    for seat, moves in enumerate(TURNS):
        state, more = play(
            follower, state, seat, moves,
            lambda end: {"hand.jpg": without(perfect_look(end), Hex(1, 0), Hex(1, 1)), "clear.jpg": perfect_look(end)},
        )  # fmt: skip
        reports += more
    reports += follower.close()
    assert [report.decision.verdict for report in reports] == [Verdict.ACCEPT] * 2
    assert reports[0].notices == (("hand.jpg", Notice.HAND),)
    assert garden_of(reports[-1].state) == garden_of(state)


def test_what_stays_wrong_is_the_records_own_mistake_in_the_end():
    """A stalk is a section too high turn after turn, and nobody mends it: the record is set right, not the people."""
    state = position(GARDEN)
    slip = Slip(SlipKind.EXTRA_SECTION, Hex(1, -1), 1, delta=1)
    follower = Follower(state)
    reports = []
    for turn in range(9):
        state, more = play(follower, state, turn % 2, TURNS[turn % 2], lambda end: {"": perfect_look(end, (slip,))})
        reports += more
    reports += follower.close()
    assert reports[0].decision.verdict is Verdict.ACCEPT
    assert [(d.kind, d.at) for d in reports[0].discrepancies] == [(slip.kind, slip.at)]
    assert reports[-1].state.plots[slip.at].bamboo == state.plots[slip.at].bamboo + 1
    assert any(isinstance(line, Correction) for report in reports for line in report.lines)


@pytest.mark.parametrize("turns", [1, 2])
def test_what_nothing_explains_is_never_accepted(turns):
    state = position(GARDEN)
    other = position({"1,0": "pink 4", "0,1": "pink 0", "1,1": "yellow 0", "-1,0": "green 0", "0,-1": "pink 0"})
    follower = Follower(state)
    follower.tell(0, told("roll sun")[0].move)
    for index in range(turns):
        follower.look(perfect_look(other), f"{index}.jpg")
    reports = follower.tell(0, told("end")[0].move) + follower.close()
    assert [report.decision.verdict for report in reports] != [Verdict.ACCEPT]


def test_a_turn_whose_last_picture_shows_nothing_is_not_taken_as_it_was_in_the_middle():
    """A plot was laid after the last good picture: what the next turn shows may have come before the end as well."""
    state = position(GARDEN)
    follower = Follower(state)
    follower.tell(0, told("roll sun")[0].move)
    state = apply(apply(state, told("roll sun")[0].move), told("gardener 1,0")[0].move)
    follower.look(perfect_look(state), "middle.jpg")
    follower.look(Observation(Status.NO_TABLE), "black.jpg")
    state = apply(apply(state, told("plot pink -1,1")[0].move), told("end")[0].move)
    truth = garden_of(state)
    reports = follower.tell(0, told("end")[0].move)
    follower.tell(1, told("roll sun")[0].move)
    follower.look(perfect_look(state), "next.jpg")
    reports += follower.tell(1, told("end")[0].move) + follower.close()
    first = reports[0].decision
    assert truth in [garden_of(choice.state) for choice in first.choices]
    assert first.verdict is Verdict.ASK or garden_of(reports[0].state) == truth


def watch(start, *turns):
    """Follow turns: one action that a camera sees or none, what is told, and whether the end is in a picture."""
    follower, state, truths, reports = Follower(start), start, [], []
    for index, (seen, lines, pictured) in enumerate(turns):
        for text in ("roll clouds", "chip watershed", *lines, "end"):
            if text == "end":
                state = apply(state, told(seen)[0].move) if seen else state
                if pictured:
                    follower.look(perfect_look(state), f"{index}.jpg")
            move = told(text)[0].move
            state = apply(state, move)
            reports += follower.tell(index % 2, move)
        truths.append(garden_of(state))
    return truths, reports + follower.close()


def test_a_turn_without_any_picture_is_settled_by_the_next_where_nobody_else_can_have_made_its_move():
    """The second seat told of both its actions: the plot must be the first one's."""
    end, reports = watch(
        position(GARDEN), ("plot pink -1,1", ("draw panda",), False), (None, ("draw plot", "channel"), True)
    )
    assert [report.decision.verdict for report in reports] == [Verdict.ACCEPT] * 2
    assert [garden_of(report.state) for report in reports] == end


def test_a_turn_without_any_picture_is_asked_about_where_its_move_may_be_the_next_turns():
    """Either seat may have laid the plot or walked the panda: the picture after both shows no order."""
    end, reports = watch(position(GARDEN), ("plot pink -1,1", (), False), ("panda 0,-1", (), True))
    assert reports[0].decision.verdict is Verdict.ASK
    assert end[0] in [garden_of(choice.state) for choice in reports[0].decision.choices]


@pytest.mark.parametrize("pictured", [True, False])
def test_a_last_turn_without_any_picture_is_never_taken_as_seen(pictured):
    _, reports = watch(
        position(GARDEN), ("plot pink -1,1", ("draw panda",), pictured), ("panda 0,-1", ("draw plot",), False)
    )
    assert reports[0].decision.verdict is (Verdict.ACCEPT if pictured else Verdict.ASK)
    assert reports[1].decision.verdict is Verdict.ASK


@pytest.mark.parametrize("moves", [(), ("gardener 1,0",)])
def test_a_turn_that_leaves_actions_undone_is_taken_for_what_it_is(moves):
    """Who has nothing to gain ends the turn: leaving two actions undone is not much rarer than leaving one."""
    start = state = position(GARDEN)
    follower = Follower(start)
    follower.tell(0, told("roll sun")[0].move)
    for text in ("roll sun", *moves):
        state = apply(state, told(text)[0].move)
    follower.look(perfect_look(state))
    reports = follower.tell(0, told("end")[0].move) + follower.close()
    assert [report.decision.verdict for report in reports] == [Verdict.ACCEPT]
    assert garden_of(reports[0].state) == garden_of(state)
