"""Human slips: found with their kind and place, said in words, followed until they are mended."""

import pytest

from companion.games.takenoko.hexgrid import Hex, parse_edge
from companion.games.takenoko.notation import format_move
from companion.games.takenoko.pieces import Figure
from companion.games.takenoko.transition import apply
from companion.reconcile.discrepancy import of_slip
from companion.reconcile.explain import reconcile
from companion.reconcile.follow import Follower
from companion.reconcile.messages import ENGLISH, say
from companion.reconcile.model import SlipKind
from companion.reconcile.notices import Notice
from companion.reconcile.policy import Verdict, decide
from companion.reconcile.posterior import Explanation, Kind, Posterior, garden_of
from companion.reconcile.slips import Slip
from tests.reconcile.tables import GARDEN, perfect_look, position, told


def after(start, *texts):
    for text in texts:
        start = apply(start, told(text)[0].move)
    return start


DRY = Slip(SlipKind.GROWTH_WITHOUT_WATER, Hex(1, 1), 1, delta=1)
CASES = {
    "growth_forgotten": (("gardener 1,0", "panda -1,0"), Slip(SlipKind.GROWTH_FORGOTTEN, Hex(1, 0), 1, delta=-1)),
    "growth_without_water": (
        ("gardener 1,0", "panda -1,0"),
        Slip(SlipKind.GROWTH_WITHOUT_WATER, Hex(1, 1), 1, delta=1),
    ),
    "five_sections": (("gardener 1,0", "panda -1,0"), Slip(SlipKind.FIVE_SECTIONS, Hex(0, 1), 1, delta=1)),
    "extra_section": (("gardener 0,-1", "panda -1,0"), Slip(SlipKind.EXTRA_SECTION, Hex(1, -1), 1, delta=1)),
    "bite_doubled": (("gardener 1,0", "panda 0,-1"), Slip(SlipKind.BITE_DOUBLED, Hex(0, -1), 1, delta=-1)),
    "bite_forgotten": (("gardener 1,0", "panda -1,0"), Slip(SlipKind.BITE_FORGOTTEN, Hex(-1, 0), 1, delta=1)),
    "knocked_over": (("gardener 1,0", "panda -1,0"), Slip(SlipKind.KNOCKED_OVER, Hex(0, -1), 1, delta=-3)),
    "channel_off": (
        ("channel 1,0|0,1", "panda -1,0"),
        Slip(SlipKind.CHANNEL_OFF, parse_edge("1,0|0,1"), 1, seen=parse_edge("1,0|1,1")),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_slip_is_found_with_its_kind_and_place(name):
    moves, slip = CASES[name]
    start = position(GARDEN)
    end = after(start, "roll sun", *moves, "draw panda", "end")
    lines = told("roll sun", "draw panda", "end")
    look = perfect_look(end, (slip,))
    posterior = reconcile(start, lines, look)
    decision = decide(posterior)
    assert garden_of(posterior.best.state) == garden_of(end)
    assert [(found.kind, found.at) for found, _ in decision.slips] == [(slip.kind, slip.at)]
    assert posterior.best.kind is Kind.SLIP


@pytest.mark.parametrize(
    ("moves", "edge", "kind", "rule", "words"),
    [
        (("gardener 1,0", "panda -1,0"), "1,0|0,0", SlipKind.OTHER, "T-CHAN-3", "the sides of the pond bear none"),
        (("gardener 1,0", "panda -1,0"), "1,0|1,1", SlipKind.CHANNEL_NOT_JOINED, "T-CHAN-4", "does not join the water"),
        (("channel 1,0|0,1", "panda -1,0"), "1,0|0,0", SlipKind.CHANNEL_OFF, "T-CHAN-3", "lies one edge off"),
    ],
)
def test_a_channel_where_none_may_lie_is_named_by_the_rule_that_keeps_it_from_there(moves, edge, kind, rule, words):
    """It does end at the water: to say that it is not joined would send people looking for another place for it."""
    start = position(GARDEN)
    end = after(start, "roll sun", *moves, "draw panda", "end")
    lies = parse_edge(edge)
    at = parse_edge(moves[0].split()[1]) if kind is SlipKind.CHANNEL_OFF else lies
    look = perfect_look(end, (Slip(kind, at, 1, rule, seen=lies),))
    posterior = reconcile(start, told("roll sun", "draw panda", "end"), look)
    assert garden_of(posterior.best.state) == garden_of(end)
    [found] = [of_slip(slip, p, end) for slip, p in decide(posterior).slips]
    assert (found.kind, found.at, found.rule) == (kind, at, rule)
    assert words in say(found.what)
    assert say(found.remedy)


def test_at_the_pond_a_channel_may_lie_where_the_option_says_so():
    start = position(GARDEN, options={"channel_on_pond_edge": True})
    end = after(start, "roll sun", "channel 1,0|0,0", "panda -1,0", "end")
    posterior = reconcile(start, told("roll sun", "end"), perfect_look(end))
    assert garden_of(posterior.best.state) == garden_of(end)
    assert not decide(posterior).slips


def test_a_figure_off_its_line_is_found_by_what_it_did_where_it_should_stand():
    start = position({**GARDEN, "1,-2": "pink 0", "2,-2": "pink 0"})
    end = after(start, "roll sun", "gardener 1,0", "panda 0,-1", "draw panda", "end")
    slip = Slip(SlipKind.FIGURE_OFF_LINE, Hex(0, -1), 1, figure=Figure.PANDA, seen=Hex(1, -2))
    decision = decide(reconcile(start, told("roll sun", "draw panda", "end"), perfect_look(end, (slip,))))
    assert [(found.kind, found.at) for found, _ in decision.slips] == [(SlipKind.FIGURE_OFF_LINE, Hex(0, -1))]
    [found] = [of_slip(slip, p, end) for slip, p in decision.slips]
    assert say(found.remedy).startswith("Move the panda to the yellow plot above and left of the pond")


def test_the_words_name_the_place_the_rule_and_the_remedy():
    end = after(position(GARDEN), "roll sun", "gardener 1,0")
    found = of_slip(Slip(SlipKind.GROWTH_FORGOTTEN, Hex(1, 0), 1, "T-GARD-1", delta=-1), 0.96, end)
    assert found.to_json() == {
        "kind": "growth_forgotten",
        "at": "1,0",
        "expected": "bamboo 2",
        "observed": "bamboo 1",
        "p": 0.96,
        "rule": "T-GARD-1",
        "what": "Growth was forgotten on the green plot right of the pond: 2 expected, 1 seen.",
        "remedy": "Put 1 green section(s) on the green plot right of the pond: the gardener grows his own plot and "
        "every neighbour of its colour that has water.",
    }


@pytest.mark.parametrize("kind", SlipKind)
def test_every_kind_has_words(kind):
    assert f"slip.{kind.value}" in ENGLISH


@pytest.mark.parametrize("name", CASES)
def test_every_slip_can_be_said(name):
    moves, slip = CASES[name]
    found = of_slip(slip, 0.9, after(position(GARDEN), "roll sun", *moves))
    assert "{" not in say(found.what) + say(found.remedy)
    assert found.kind is slip.kind


def test_a_slip_is_named_each_turn_until_it_is_mended():
    start = position(GARDEN)
    slip = Slip(SlipKind.KNOCKED_OVER, Hex(0, -1), 1, delta=-3)
    follower = Follower(start)
    reports, state = [], start
    for seat, (moves, lying) in enumerate(
        [(("gardener 1,0", "panda -1,0"), (slip,)), (("gardener 0,1", "panda 0,0"), (slip,)),
         (("gardener 1,0", "panda -1,0"), ()), (("gardener 0,1", "panda 0,0"), ())]
    ):  # fmt: skip
        seat %= 2
        for text in ("roll sun", *moves):
            state = apply(state, told(text)[0].move)
        follower.tell(seat, told("roll sun")[0].move)
        follower.look(perfect_look(state, lying), f"{seat}.jpg")
        reports += follower.tell(seat, told("end")[0].move)
        state = apply(state, told("end")[0].move)
    reports += follower.close()
    assert [report.decision.verdict for report in reports] == [Verdict.ACCEPT] * 4
    assert [[str(found.at) for found in report.discrepancies] for report in reports] == [["0,-1"], ["0,-1"], [], []]
    assert garden_of(reports[-1].state) == garden_of(state)


def test_what_was_moved_and_taken_back_is_nothing():
    start = position(GARDEN)
    moved = after(start, "roll sun", "gardener 1,0")
    follower = Follower(start)
    follower.tell(0, told("roll sun")[0].move)
    follower.look(perfect_look(moved))
    follower.look(perfect_look(start))
    assert follower.running().best.kind is Kind.TAKEN_BACK
    assert garden_of(follower.running().best.state) == garden_of(start)


def test_a_hand_in_the_last_look_is_a_notice_and_the_next_look_settles_the_turn():
    start = position(GARDEN)
    end = after(start, "roll sun", "gardener 1,0")
    follower = Follower(start)
    follower.tell(0, told("roll sun")[0].move)
    follower.look(perfect_look(end, hand=Hex(1, 1)), "hand.jpg")
    reports = follower.tell(0, told("end")[0].move)
    follower.look(perfect_look(after(end, "end")), "clear.jpg")
    follower.tell(1, told("roll sun")[0].move)
    reports += follower.tell(1, told("end")[0].move) + follower.close()
    assert reports[0].notices == (("hand.jpg", Notice.HAND),)
    assert [format_move(move) for move in reports[0].decision.best.unseen] == ["gardener 1,0"]
    assert reports[0].decision.verdict is Verdict.ACCEPT


def test_a_slip_in_another_garden_than_the_likeliest_is_not_named():
    """The stalk that may be too high stands on a plot that most likely is not there at all."""
    start = position(GARDEN)
    other = position({**GARDEN, "-1,1": "pink 1"})
    slip = Slip(SlipKind.EXTRA_SECTION, Hex(-1, 1), 1, delta=1)
    choices = (
        Explanation(Kind.TURN, (), start, (), 0.9, start),
        Explanation(Kind.SLIP, (), other, (slip,), 0.1, start),
    )
    assert decide(Posterior(choices, {slip: 0.1})).slips == ()


def test_a_slip_that_would_not_show_is_not_named():
    """Sections too few on a stalk that has none in the likeliest garden: nothing to see, nothing to mend."""
    start = position(GARDEN)
    slip = Slip(SlipKind.GROWTH_FORGOTTEN, Hex(1, 1), 1, delta=-1)
    assert start.plots[Hex(1, 1)].bamboo == 0
    assert decide(Posterior((Explanation(Kind.TURN, (), start, (), 1.0, start),), {slip: 0.2})).slips == ()
