"""Numbers of an evening, from records written by hand."""

import itertools
import random

import pytest

from companion.games.takenoko.legality import legal_moves
from companion.games.takenoko.moves import Stop
from companion.games.takenoko.notation import parse_move
from companion.games.takenoko.pieces import Weather
from companion.games.takenoko.scoring import scores
from companion.record import Correct, Do, Game, Header, UndoTo, write_header
from companion.services.pending import Choice, Step, read_pending
from companion.services.ports import Message
from companion.services.statistics import chi_square_tail, die_test, statistics

# Critical values of chi-square with five degrees of freedom (standard tables).
CRITICAL = [(0.0, 1.0), (4.3515, 0.5), (9.2364, 0.1), (11.0705, 0.05), (15.0863, 0.01), (20.5150, 0.001)]


@pytest.mark.parametrize(("statistic", "p_value"), CRITICAL)
def test_the_tail_agrees_with_the_tables(statistic, p_value):
    assert chi_square_tail(statistic) == pytest.approx(p_value, abs=2e-5)


def test_a_loaded_die_is_seen_and_a_fair_one_is_not():
    fair = die_test(list(Weather) * 10)
    assert fair.statistic == 0
    assert fair.p_value == 1
    loaded = die_test([Weather.SUN] * 30 + list(Weather) * 5)
    assert loaded.enough
    assert loaded.p_value < 1e-6


def test_few_rolls_say_nothing():
    assert not die_test([Weather.RAIN] * 3).enough
    assert die_test([]).statistic == 0


def play(lines):
    game = Game.start(Header(("Aki", "Oksana")))
    for seat, text, at, by in lines:
        game = game.append(Do(seat, parse_move(text), at=at, by=by))
    return game


def first_two_turns():
    return play(
        [
            (0, "plot green 1,0", "2026-11-30T19:00:00Z", "camera"),
            (0, "panda 1,0", "2026-11-30T19:00:30Z", "camera"),
            (0, "end", "2026-11-30T19:01:00Z", "button"),
            (1, "plot pink 0,1", "2026-11-30T19:02:00Z", "camera"),
            (1, "draw panda", "2026-11-30T19:02:10Z", "phone"),
            (1, "end", "2026-11-30T19:03:30Z", "button"),
            (0, "roll rain", "2026-11-30T19:03:40Z", "button"),
        ]
    )


def test_turns_are_timed_from_the_end_of_the_one_before():
    found = statistics(first_two_turns())
    assert found.turns == 2
    assert [times.total_s for times in found.times] == [60.0, 150.0]
    assert found.times[0].mean_s == 60.0
    assert found.sources == {"camera": 3, "button": 3, "phone": 1}
    assert found.die.faces[Weather.RAIN] == 1


def test_what_was_undone_does_not_count_but_the_undoing_is_told():
    game = first_two_turns().append(UndoTo(7)).append(Correct.of({"bamboo": {"1,0": 1}}, "a section fell"))
    found = statistics(game)
    assert found.die.rolls == 0
    assert found.undone == 1
    assert found.corrected == 1


def test_a_record_without_times_is_no_trouble():
    game = play([(0, "plot green 1,0", None, None), (0, "end", None, None), (1, "plot pink 0,1", None, None)])
    found = statistics(game)
    assert [times.turns for times in found.times] == [0, 0]
    assert found.times[0].mean_s == 0
    assert found.sources == {"unknown": 3}


def test_points_over_time_end_at_the_scores():
    rng = random.Random(7)
    cards = (
        ("plot-green-line", "gardener-pink-plain", "panda-green"),
        ("plot-pink-line", "gardener-green-group", "panda-mixed"),
    )
    game = Game.start(Header(("Aki", "Oksana"), hands=cards))
    for _ in range(160):
        groups = [group for group in legal_moves(game.state).groups if not isinstance(group[0], Stop)]
        seat = game.state.turn.seat
        game = game.append(Do(seat, rng.choice(rng.choice(groups))))
    points = statistics(game).points
    assert points[0] == (0, 0)
    assert points[-1] == tuple(score.total for score in scores(game.state))
    assert all(a <= b for before, after in itertools.pairwise(points) for a, b in zip(before, after, strict=True))


def test_questions_are_counted_over_undo_answers_and_a_new_start(played):
    game = played("plot green 1,0", watched=True)
    choices = [Choice((Step(0, parse_move(text)),), 0.5) for text in ("panda 1,0", "gardener 1,0")]
    for text in ("question.which", "question.which"):
        session = game.session
        session.ask(game.snapshot.version, Message(text), choices)
        session.answer(game.snapshot.pending.question.id, 0, by="host")
        session.undo_last(by="host")
    assert game.snapshot.pending.asked == 2
    _, pending = game.resumed()
    assert pending.asked == 2
    assert read_pending("".join(pending.lines()))[0] == pending
    assert statistics(game.snapshot.game, pending.asked).questions == 2


def test_an_open_question_is_counted_once_over_a_new_start(played):
    game = played("plot green 1,0", watched=True)
    choices = [Choice((Step(0, parse_move("panda 1,0")),), 0.5)]
    game.session.ask(game.snapshot.version, Message("question.which"), choices)
    _, pending = game.resumed()
    assert read_pending("".join(pending.lines()))[0].asked == 1


def test_the_library_tells_the_questions_of_a_past_night(library):
    library.create("night", [write_header(Header(("Aki", "Oksana")))])
    assert library.questions_asked("night") is None
    library.pending_path("night").write_text('{"pending":1,"ops":7,"asked":3}\n', encoding="utf-8")
    assert library.questions_asked("night") == 3
    library.pending_path("night").write_text('{"pending":1,"ops":"many"}\n{}\n', encoding="utf-8")
    assert library.questions_asked("night") is None
