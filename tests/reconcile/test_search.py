"""What the search over legal turns promises."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.takenoko.legality import legal_moves, why_illegal
from companion.games.takenoko.moves import End, Know, Stop
from companion.games.takenoko.transition import apply, apply_legal
from companion.reconcile.evidence import Evidence
from companion.reconcile.explain import reconcile
from companion.reconcile.follow import Follower
from companion.reconcile.model import DEFAULT_MODEL
from companion.reconcile.policy import Verdict, decide
from companion.reconcile.posterior import Kind, garden_of
from companion.reconcile.scoring import Scorer
from companion.reconcile.timeline import is_told
from tests.reconcile.tables import perfect_look, position, told, told_in, turn_of, with_hidden

seeds = st.integers(0, 40)
numbers = st.integers(1, 24)


@given(seeds, numbers, st.sampled_from(["classic", "bga"]))
@settings(max_examples=40, deadline=None)
def test_a_noiseless_look_at_a_legal_successor_ranks_first_a_turn_that_leads_there(seed, number, ruleset):
    turn = turn_of(seed, number, ruleset)
    posterior = reconcile(turn.start, told_in(turn), perfect_look(turn.state))
    assert garden_of(posterior.best.state) == garden_of(turn.state)


@given(seeds, numbers)
@settings(max_examples=20, deadline=None)
def test_the_best_explanation_is_a_legal_turn_with_the_told_lines_in_their_order(seed, number):
    turn = turn_of(seed, number)
    lines = told_in(turn)
    best = reconcile(turn.start, lines, perfect_look(turn.state)).best
    state = turn.start
    for seat, move, _ in best.steps:
        state = apply(state, move, seat)
    assert state == best.state
    assert [move for _, move, was_told in best.steps if was_told] == [line.move for line in lines]


@given(seeds, numbers)
@settings(max_examples=20, deadline=None)
def test_probabilities_sum_to_one(seed, number):
    turn = turn_of(seed, number)
    posterior = reconcile(turn.start, told_in(turn), perfect_look(turn.state))
    assert sum(explanation.p for explanation in posterior.explanations) == pytest.approx(1.0)


@given(seeds, numbers, st.data())
@settings(max_examples=50, deadline=None)
def test_a_hidden_mask_never_makes_a_wrong_answer_sure(seed, number, data):
    turn = turn_of(seed, number)
    changed = [at for at, plot in turn.state.plots.items() if turn.start.plots.get(at) is not plot]
    cells = data.draw(st.sets(st.sampled_from(sorted({*turn.state.plots, turn.state.gardener})), max_size=4))
    cells |= data.draw(st.sets(st.sampled_from(changed), max_size=2)) if changed else set()
    edges = turn.state.channels - turn.start.channels
    look = with_hidden(perfect_look(turn.state), cells, data.draw(st.sampled_from([edges, frozenset()])))
    decision = decide(reconcile(turn.start, told_in(turn), look))
    right = garden_of(decision.best.state) == garden_of(turn.state)
    assert right or decision.verdict is not Verdict.ACCEPT


@given(seeds, numbers, st.randoms(use_true_random=False))
@settings(max_examples=15, deadline=None)
def test_scores_do_not_depend_on_the_order_of_cells(seed, number, rng):
    turn = turn_of(seed, number)
    look = perfect_look(turn.state)
    cells, edges = list(look.cells.items()), list(look.edges.items())
    rng.shuffle(cells)
    rng.shuffle(edges)
    shuffled = replace(look, cells=dict(cells), edges=dict(edges))
    one = Scorer(Evidence(look, DEFAULT_MODEL.eye)).total(turn.start)
    other = Scorer(Evidence(shuffled, DEFAULT_MODEL.eye)).total(turn.start)
    assert one == pytest.approx(other)


@given(seeds, numbers)
@settings(max_examples=15, deadline=None)
def test_differences_add_up_to_what_a_look_scores_from_scratch(seed, number):
    turn = turn_of(seed, number)
    look = Evidence(perfect_look(turn.state), DEFAULT_MODEL.eye)
    assert Scorer(look).score(turn.state, turn.start) == pytest.approx(Scorer(look).total(turn.state))


SMALL = {
    "two dry actions": position({"1,0": "green 1", "0,1": "green 0"}),
    "a store": position({"1,0": "green 1", "0,1": "pink 0"}, channels=1, chips={"watershed": 1}),
    "figures out": position({"1,0": "yellow 3", "0,1": "yellow 1"}, gardener="1,0", panda="0,1"),
}


@pytest.mark.parametrize("weather", ["sun", "rain", "wind", "storm", "clouds"])
@pytest.mark.parametrize("name", SMALL)
def test_the_search_finds_every_turn_that_a_complete_enumerator_finds(name, weather):
    start = SMALL[name]
    lines = told(f"roll {weather}", "end")
    ends = complete_ends(start, lines)
    assert len(ends) > 100
    for garden in Random(weather).sample(sorted(ends, key=repr), 6):
        best = reconcile(start, lines, perfect_look(ends[garden])).best
        assert garden_of(best.state) == garden


def complete_ends(start, lines):
    """Every garden that a legal turn with these told lines can end in, by trying everything."""
    seen, ends, todo = set(), {}, [(start, 0)]
    while todo:
        state, index = todo.pop()
        key = (garden_of(state), state.seats, state.turn and (state.turn.weather, state.turn.weather_pending),
               state.turn and tuple(sorted(state.turn.actions)), index)  # fmt: skip
        if key in seen:
            continue
        seen.add(key)
        if index == len(lines):
            ends.setdefault(garden_of(state), state)
            continue
        line = lines[index]
        if why_illegal(state, line.move, line.seat) is None:
            todo.append((apply_legal(state, line.move, line.seat), index + 1))
        if state.turn is not None and index:
            todo += [(apply_legal(state, move), index) for move in legal_moves(state) if not is_told(move)]
    return ends


def test_a_figure_that_moved_twice_in_the_wind_shows_by_both_its_effects():
    start = position({"1,0": "green 1", "0,1": "green 1", "1,-1": "pink 1", "-1,0": "pink 1"})
    lines = told("roll wind", "end")
    wanted = start
    for line in (lines[0], *told("gardener 1,-1", "gardener 1,0"), lines[1]):
        wanted = apply(wanted, line.move, line.seat)
    best = reconcile(start, lines, perfect_look(wanted)).best
    assert garden_of(best.state) == garden_of(wanted)
    assert best.kind is Kind.TURN


def test_nothing_moved_is_nothing_and_half_a_turn_is_half_a_turn():
    start = position({"1,0": "green 1", "0,1": "green 1"})
    assert reconcile(start, told("roll sun"), perfect_look(start)).best.kind is Kind.NOTHING
    moved = apply(apply(start, told("roll sun")[0].move), told("gardener 1,0")[0].move)
    assert reconcile(start, told("roll sun"), perfect_look(moved)).best.kind is Kind.MID_TURN


def test_a_claim_proves_the_bite_that_it_rests_on():
    start = position({"1,0": "green 2", "0,1": "green 2"}, bamboo={"green": 1})
    lines = told("roll sun", "claim panda-green", "end")
    bitten = apply(apply(start, lines[0].move), told("panda 1,0")[0].move)
    look = with_hidden(perfect_look(bitten), bitten.plots)
    best = reconcile(start, lines, look).best
    assert any(text.startswith("MovePanda") for text in map(str, best.unseen))


def test_what_nothing_explains_is_unexplained():
    start = position({"1,0": "green 1", "0,1": "green 1", "1,-1": "pink 1", "-1,0": "pink 1"})
    other = position({"1,0": "green 4", "0,1": "green 4", "1,-1": "pink 4", "-1,0": "pink 4", "0,-1": "pink 4"})
    posterior = reconcile(start, told("roll sun", "end"), perfect_look(other))
    assert posterior.best.kind is Kind.UNEXPLAINED
    assert decide(posterior).verdict is Verdict.UNEXPLAINED


def test_a_told_line_that_cannot_be_so_is_left_out_and_said():
    start = position({"1,0": "green 1"})
    best = reconcile(start, told("roll sun", "claim gardener-green-plain", "end"), perfect_look(start)).best
    assert [line.move for line, _ in best.refused] == [told("claim gardener-green-plain")[0].move]
    assert best.refused[0][1].rule == "T-OBJ-3"


def test_know_may_be_told_in_the_turn_of_another():
    start = position({"1,0": "green 1"})
    lines = [*told("roll sun"), *told("know panda-green", seat=1), *told("end")]
    best = reconcile(start, lines, perfect_look(start)).best
    assert not best.refused
    assert any(isinstance(move, Know) for _, move, _ in best.steps)
    assert isinstance(best.steps[-1][1], End)
    assert not any(isinstance(move, Stop) for _, move, _ in best.steps)


def test_weather_told_after_the_last_look_is_declined_where_nothing_was_seen_of_it():
    start = position({"1,0": "green 1"})
    follower = Follower(start)
    follower.look(perfect_look(start))
    for line in told("roll rain", "end"):
        reports = follower.tell(line.seat, line.move)
    [report] = reports + follower.close()
    assert [str(move) for move in report.decision.best.unseen] == ["Skip()"]
