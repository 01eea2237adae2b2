"""The session: nothing is acknowledged that was not written, nothing stale is obeyed, nothing told is lost."""

from __future__ import annotations

import pytest

from companion.errors import IllegalMoveError, RecordError, StaleCommandError, StorageError
from companion.games.takenoko.notation import format_move, parse_move
from companion.services.pending import Choice, Fix, Step
from companion.services.ports import Message, Sight
from companion.signals import Lamp

FIRST_TURN = ("plot green 1,0", "draw panda")


def steps(*moves: str, seat: int = 0) -> tuple[Step, ...]:
    return tuple(Step(seat, parse_move(text)) for text in moves)


def told_moves(snapshot) -> list[str]:
    return [format_move(told.move) for told in snapshot.pending.told]


def test_what_is_told_is_on_the_disk_before_it_counts(played):
    game = played("plot green 1,0")
    assert game.resumed()[0].state == game.state
    assert '"do":"plot green 1,0"' in game.journal.lines[-1]
    assert '"by":"browser"' in game.journal.lines[-1]


def test_a_stale_command_is_refused_and_changes_nothing(played):
    game = played("plot green 1,0")
    seen = game.snapshot.version
    game.tell("draw panda", version=seen)
    lines = list(game.journal.lines)
    with pytest.raises(StaleCommandError):
        game.tell("end", version=seen)
    assert game.journal.lines == lines


def test_two_taps_on_end_end_one_turn(played):
    game = played(*FIRST_TURN)
    seen = game.snapshot.version
    game.tell("end", version=seen)
    with pytest.raises(StaleCommandError):
        game.tell("end", version=seen)
    assert game.state.turn.seat == 1


def test_two_taps_on_end_end_one_turn_also_while_a_camera_looks(played):
    game = played(*FIRST_TURN, watched=True)
    seen = game.snapshot.version
    game.tell("end", version=seen)
    with pytest.raises(StaleCommandError):
        game.tell("end", version=seen)
    assert told_moves(game.snapshot) == ["end"]


def test_a_refused_move_leaves_no_trace(played):
    game = played("plot green 1,0")
    with pytest.raises(IllegalMoveError) as refused:
        game.tell("plot green 5,5")
    assert refused.value.rule == "T-TURN-3"
    assert len(game.journal.lines) == 2
    assert game.snapshot.trouble is None


def test_a_full_disk_is_said_and_nothing_is_acknowledged(played):
    game = played("plot green 1,0")
    before = game.snapshot
    news = game.news
    game.journal.refuse = "the disk is full"
    with pytest.raises(StorageError):
        game.tell("draw panda")
    assert game.state == before.game.state
    assert game.snapshot.version == before.version
    assert game.snapshot.trouble == "the disk is full"
    assert game.news > news
    game.journal.refuse = None
    game.tell("draw panda")
    assert game.snapshot.trouble is None


def test_probe_says_when_the_disk_is_well_again(played):
    game = played("plot green 1,0")
    game.journal.refuse = game.pending.refuse = "the disk is read-only"
    with pytest.raises(StorageError):
        game.tell("draw panda")
    game.session.probe()
    assert game.snapshot.trouble == "the disk is read-only"
    game.journal.refuse = game.pending.refuse = None
    game.session.probe()
    assert game.snapshot.trouble is None


def test_without_a_camera_an_end_ends_the_turn_at_once(played):
    game = played(*FIRST_TURN, "end")
    assert game.state.turn.seat == 1
    assert game.snapshot.pending.told == ()


def test_with_a_camera_an_end_waits_for_the_table_to_be_seen(played):
    game = played(watched=True)
    game.tell("end")
    assert game.state.turn.seat == 0
    assert told_moves(game.snapshot) == ["end"]
    assert game.snapshot.seat == 1
    assert game.resumed()[1].told == game.snapshot.pending.told


def test_a_claim_told_before_its_moves_waits_for_them(played):
    game = played(watched=True)
    game.tell("claim gardener-green-plain")
    assert told_moves(game.snapshot) == ["claim gardener-green-plain"]
    assert game.snapshot.game.version == 1


def test_what_no_move_can_mend_is_refused_at_once_even_early(played):
    game = played(hands=(("plot-green-line", "gardener-pink-plain", "panda-green"), None), watched=True)
    with pytest.raises(IllegalMoveError) as refused:
        game.tell("claim gardener-green-plain")
    assert refused.value.rule == "T-OBJ-2"
    assert game.snapshot.pending.told == ()


def test_a_claim_told_before_makes_room_for_a_draw_and_a_draw_for_a_claim(played):
    first = ("plot green 1,0", "draw panda", "end", "plot green 0,1", "draw panda", "end")
    second = ("roll wind", "draw panda", "panda 1,0", "end", "roll wind", "draw panda", "end")
    game = played(*first, *second, "roll wind", watched=True)
    assert game.state.seats[0].cards_in_hand() == 5
    with pytest.raises(IllegalMoveError):
        game.tell("draw gardener")
    game.tell("claim panda-green", "draw gardener", "claim gardener-green-plain")
    assert told_moves(game.snapshot) == ["claim panda-green", "draw gardener", "claim gardener-green-plain"]


def test_the_watcher_puts_what_was_told_in_its_place(played):
    game = played(watched=True)
    game.tell("draw panda", "end")
    assert told_moves(game.snapshot) == ["end"]
    end = game.snapshot.pending.told[0]
    turn = (*steps("plot green 1,0"), Step(0, end.move, end.id))
    game.session.commit(game.snapshot.version, turn, p=0.98)
    assert game.state.turn.seat == 1
    assert game.snapshot.pending.told == ()
    written = "".join(game.journal.lines[-2:])
    assert '"by":"camera","p":0.98' in written
    assert f'"id":"{end.id}"' in written


def test_a_commit_upon_an_older_version_is_refused(played):
    game = played(watched=True)
    seen = game.snapshot.version
    game.tell("draw panda")
    with pytest.raises(StaleCommandError):
        game.session.commit(seen, steps("plot green 1,0"), p=0.9)


def test_a_commit_is_written_whole_or_not_at_all(played):
    game = played(watched=True)
    with pytest.raises(IllegalMoveError):
        game.session.commit(game.snapshot.version, steps("plot green 1,0", "plot green 0,1"), p=0.9)
    assert game.snapshot.game.version == 1


def test_a_power_cut_between_the_two_journals_loses_and_doubles_nothing(played):
    game = played(watched=True)
    game.tell("end")
    end = game.snapshot.pending.told[0]
    game.pending.refuse = "the plug was pulled here"
    game.session.commit(game.snapshot.version, (*steps("plot green 1,0"), Step(0, end.move, end.id)), p=0.9)
    assert game.snapshot.pending.told == ()
    from companion.services.pending import unsettled

    written, pending = game.resumed()
    assert [told.id for told in pending.told] == [end.id]
    pending, _operations = unsettled(pending, (event.id for event in written.events), written.version)
    assert pending.told == ()


def test_a_question_is_kept_answered_and_closed(played):
    game = played(watched=True)
    choices = (Choice(steps("plot green 1,0"), 0.6), Choice(steps("plot green 0,1"), 0.3))
    game.session.ask(game.snapshot.version, Message("question.which"), choices)
    question = game.snapshot.pending.question
    assert game.resumed()[1].question == question
    game.session.answer(question.id, 1, by="browser")
    assert list(map(str, game.state.plots)) == ["0,1"]
    assert game.snapshot.pending.question is None
    with pytest.raises(StaleCommandError):
        game.session.answer(question.id, 0, by="browser")


def test_an_answer_sets_facts_right_where_its_choice_says_so(played):
    """The record had gone astray: the choice that people take mends it before the end of the turn."""
    game = played(watched=True)
    fix = Fix({"plots": {"1,0": "pink/watershed 1"}}, "the table has shown something else for too long")
    game.session.ask(
        game.snapshot.version,
        Message("question.which"),
        (Choice((*steps("plot green 1,0"), fix, *steps("panda 1,0")), 0.6),),
    )
    assert game.resumed()[1].question == game.snapshot.pending.question
    game.session.answer(game.snapshot.pending.question.id, 0, by="browser")
    assert {str(at): str(plot) for at, plot in game.state.plots.items()} == {"1,0": "pink/watershed 0"}
    assert any('"correct"' in line for line in game.journal.lines)


def test_none_of_the_choices_closes_the_question_and_writes_nothing(played):
    game = played(watched=True)
    game.session.ask(game.snapshot.version, Message("question.which"), (Choice(steps("plot green 1,0"), 0.6),))
    game.session.answer(game.snapshot.pending.question.id, None, by="browser")
    assert game.snapshot.pending.question is None
    assert game.snapshot.game.version == 1


def test_choices_that_were_all_wrong_are_not_offered_again_until_something_happens(played):
    game = played(watched=True)
    choices = (Choice(steps("plot green 1,0"), 0.6),)
    game.session.ask(game.snapshot.version, Message("question.which"), choices)
    game.session.answer(game.snapshot.pending.question.id, None, by="browser")
    game.session.ask(game.snapshot.version, Message("question.which"), choices)
    assert game.snapshot.pending.question is None
    game.tell("draw panda")
    game.session.ask(game.snapshot.version, Message("question.which"), choices)
    assert game.snapshot.pending.question is not None


def test_what_found_no_place_in_a_turn_goes_with_its_end(played):
    game = played(watched=True)
    game.tell("claim gardener-green-plain", "end", "roll sun")
    claim, end, roll = game.snapshot.pending.told
    game.session.commit(game.snapshot.version, (*steps("plot green 1,0"), Step(0, end.move, end.id)), p=0.9)
    assert game.snapshot.pending.told == (roll,)
    assert claim.id not in [event.id for event in game.snapshot.game.events]


def test_something_told_can_be_taken_back_by_itself(played):
    game = played(watched=True)
    game.tell("claim gardener-green-plain", "end")
    game.session.drop_told(game.snapshot.pending.told[0].id)
    assert told_moves(game.snapshot) == ["end"]
    with pytest.raises(StaleCommandError):
        game.session.drop_told("no such thing")


@pytest.mark.parametrize("choice", [-1, 2])
def test_an_answer_that_was_not_offered_is_refused(played, choice):
    game = played(watched=True)
    game.session.ask(game.snapshot.version, Message("question.which"), (Choice(steps("plot green 1,0"), 0.6),))
    with pytest.raises(StaleCommandError):
        game.session.answer(game.snapshot.pending.question.id, choice, by="browser")


def test_undo_takes_back_what_was_told_last_then_the_last_event(played):
    game = played("plot green 1,0", watched=True)
    game.tell("end")
    game.session.undo_last(by="button")
    assert game.snapshot.pending.told == ()
    game.session.undo_last(by="button")
    assert game.state.plots == {}
    with pytest.raises(StaleCommandError):
        game.session.undo_last(by="button")


def test_undo_twice_goes_back_two_events_not_to_and_fro(played):
    game = played("plot green 1,0", "draw panda")
    game.session.undo_last(by="button")
    assert len(game.state.plots) == 1
    game.session.undo_last(by="button")
    assert len(game.state.plots) == 0


def test_undo_to_a_line_takes_the_told_things_and_the_question_with_it(played):
    game = played("plot green 1,0", "draw panda", watched=True)
    game.tell("end")
    game.session.ask(game.snapshot.version, Message("question.which"), ())
    game.session.undo_to(2, by="host")
    assert game.snapshot.pending.told == ()
    assert game.snapshot.pending.question is None
    assert game.resumed()[1].told == ()


def test_undo_to_a_line_that_is_not_there_is_refused(played):
    game = played("plot green 1,0")
    with pytest.raises(RecordError):
        game.session.undo_to(99, by="host")


def test_a_correction_is_an_event_with_its_reason(played):
    game = played("plot green 1,0")
    game.session.correct({"bamboo": {"1,0": 3}}, "miscounted", by="host")
    assert next(iter(game.state.plots.values())).bamboo == 3
    assert '"reason":"miscounted"' in game.journal.lines[-1]


def test_an_impossible_correction_leaves_no_trace(played):
    game = played("plot green 1,0")
    with pytest.raises(RecordError):
        game.session.correct({"plots": {"3,3": "green 1"}}, "a slip of the finger", by="host")
    assert game.snapshot.game.version == 2


def test_something_told_can_be_entered_by_hand_in_its_place(played):
    game = played(*FIRST_TURN, watched=True)
    game.tell("end")
    game.session.place_told(game.snapshot.pending.told[0].id)
    assert game.state.turn.seat == 1
    assert game.snapshot.pending.told == ()


def test_the_version_grows_with_every_change_over_restarts(played):
    game = played(watched=True)
    seen = [game.snapshot.version]
    for move in ("draw panda", "end"):
        game.tell(move)
        seen.append(game.snapshot.version)
    game.session.undo_last(by="button")
    seen.append(game.snapshot.version)
    game.session.probe()  # rewrites the pending journal
    assert seen == sorted(set(seen))
    written, pending = game.resumed()
    assert written.version + pending.ops == seen[-1]


def test_the_turn_s_clock_starts_anew_with_the_turn(played):
    game = played("plot green 1,0")
    game.clock.pass_s(30)
    game.tell("draw panda")
    assert game.clock.now_s - game.snapshot.turn_since_s == 30
    game.tell("end")
    assert game.snapshot.turn_since_s == game.clock.now_s


def test_what_is_seen_is_told_once(played):
    game = played(watched=True)
    news = game.news
    game.session.report(Sight(Lamp.LOOKING))
    game.session.report(Sight(Lamp.LOOKING))
    assert game.news == news + 1


def test_a_move_seen_by_the_camera_may_still_be_entered_by_hand(played):
    game = played(watched=True)
    game.tell("plot green 1,0")
    assert len(game.state.plots) == 1
    with pytest.raises(IllegalMoveError):
        game.tell("plot green 4,4")
    assert game.snapshot.pending.told == ()


def test_a_roll_for_the_next_turn_waits_behind_the_end_before_it(played):
    turn = ("draw panda", "plot green 1,0", "end", "draw panda", "plot green 0,1", "end")
    game = played(*turn, watched=True)
    game.tell("roll sun")
    assert game.state.turn.weather is not None
    game.tell("end", "roll rain")
    assert told_moves(game.snapshot) == ["end", "roll rain"]
    assert [told.seat for told in game.snapshot.pending.told] == [0, 1]
