"""What makes the search fast must not change what it finds."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.takenoko.transition import apply, apply_legal
from companion.reconcile.candidates import Candidates
from companion.reconcile.changes import Changes, changed_cells
from companion.reconcile.evidence import Evidence
from companion.reconcile.follow import Follower
from companion.reconcile.model import DEFAULT_MODEL
from companion.reconcile.nodes import Node, Variant
from companion.reconcile.promise import Promise
from companion.reconcile.scoring import Scorer
from companion.reconcile.slips import Slip, SlipKind
from companion.reconcile.stages import Stages
from companion.reconcile.window import Window
from tests.reconcile.tables import parse_hex, perfect_look, position, told, told_in, turn_of, with_hidden

seeds = st.integers(0, 40)
numbers = st.integers(1, 24)
STORM = {"1,0": "green 4", "0,1": "green 0", "1,-1": "pink 2", "-1,0": "yellow+fertilizer 1", "1,1": "green 0"}


def looks_of(turn):
    return Evidence(perfect_look(turn.start), DEFAULT_MODEL.eye), Evidence(perfect_look(turn.state), DEFAULT_MODEL.eye)


@pytest.mark.parametrize("weather", ["sun", "rain", "wind", "storm", "clouds"])
@given(st.sets(st.sampled_from(sorted(STORM)), max_size=3), st.sampled_from(sorted(STORM)), st.integers(-1, 1))
@settings(max_examples=12, deadline=None)
def test_no_move_raises_a_rank_by_more_than_it_promised(weather, hidden, lying, delta):
    start = position(STORM, laid=("1,0|0,1",), channels=1, chips={"watershed": 1, "fertilizer": 1})
    state = apply(start, told(f"roll {weather}")[0].move)
    look = Evidence(with_hidden(perfect_look(state), map(parse_hex, hidden)), DEFAULT_MODEL.eye)
    slip = Slip(SlipKind.OTHER, parse_hex(lying), 1, delta=delta)
    node = Node(state, state, start, variants={Variant(): 0.0, Variant(lying=(slip,)): -1.0})
    scorer = Scorer(look)
    promise, rank = Promise(scorer), scorer.rank(node)
    tried = list(Candidates(Window((look,), figures_move_on=True), DEFAULT_MODEL.play).of(state))
    assert tried
    for move, _ in tried:
        after = apply_legal(state, move)
        child = Node(after, state, start, variants=node.variants)
        assert scorer.rank(child) - rank <= promise.of(node, move) + 1e-9


@given(seeds, numbers)
@settings(max_examples=20, deadline=None)
def test_changed_cells_are_those_that_a_comparison_finds(seed, number):
    turn = turn_of(seed, number)
    now, then = turn.state.plots, turn.start.plots
    changed = {at for at, plot in now.items() if then.get(at) is not plot}
    assert set(changed_cells(now, then)) == changed
    shuffled = Random(seed).sample(sorted(now), len(now))
    assert set(changed_cells({at: now[at] for at in shuffled}, then)) == changed
    assert Changes().of(now, then) == {(at, now[at]) for at in changed}


@given(seeds, st.integers(2, 12))
@settings(max_examples=10, deadline=None)
def test_a_turn_searched_again_with_one_more_look_is_what_it_is_when_searched_once(seed, number):
    turn = turn_of(seed, number)
    lines, roots = told_in(turn)[:1], [Node(turn.start, turn.start, None)]
    items = [*lines, *looks_of(turn)]
    again = Stages()
    for count in [*range(len(items)), len(items), len(items)]:
        search = again.search(roots, items[:count], (), DEFAULT_MODEL, number, ended=False)
    once = Stages().search(roots, items, (), DEFAULT_MODEL, number, ended=False)
    found, wanted = ([(node.state, node.score, node.variants) for node in each.nodes] for each in (search, once))
    assert found == wanted


def test_what_goes_on_from_a_stage_leaves_the_stage_as_it_is():
    start = position({"1,0": "green 1", "0,1": "green 1"})
    look = Evidence(perfect_look(start), DEFAULT_MODEL.eye)
    stages, roots, items = Stages(), [Node(start, start, None)], [*told("roll sun"), look]
    first = stages.search(roots, items, (), DEFAULT_MODEL, 1, ended=False)
    scores = [node.score for node in first.nodes]
    first.tell(told("end")[0])
    first.end()
    for node in first.nodes:
        node.score -= 1.0
    assert scores == [node.score for node in stages.search(roots, items, (), DEFAULT_MODEL, 1, ended=False).nodes]


def test_other_positions_at_the_start_are_searched_anew():
    start, other = position({"1,0": "green 1"}), position({"1,0": "green 2"})
    look = Evidence(perfect_look(start), DEFAULT_MODEL.eye)
    stages = Stages()
    for state in (start, other):
        search = stages.search([Node(state, state, None)], [look], (), DEFAULT_MODEL, 1, ended=False)
        assert {node.start for node in search.nodes} == {state}


def test_asking_what_is_expected_changes_nothing_of_what_is_reported():
    turn = turn_of(3, 9)
    reports = []
    for asks in (False, True):
        follower = Follower(turn.start)
        found = []
        for line in told_in(turn)[:-1]:
            found += follower.tell(line.seat, line.move)
            if asks:
                follower.expected()
        for _ in range(2):
            follower.look(perfect_look(turn.state))
            if asks:
                follower.running()
        for line in told_in(turn)[-1:]:
            found += follower.tell(line.seat, line.move)
        reports.append(found + follower.close())
    assert reports[0] == reports[1]
