"""The host's commands over HTTP: each refusal has its number, and a refused one leaves no trace."""

from __future__ import annotations

import pytest

from companion.adapters.journal_disk import DiskJournal
from companion.errors import StorageError
from companion.games.takenoko.notation import parse_move
from companion.record import Header
from companion.services.pending import Choice, Fix, Step
from companion.services.ports import Message


def version(evening):
    return evening.session.snapshot().version


def plots(evening):
    return {str(at): str(plot) for at, plot in evening.session.snapshot().game.state.plots.items()}


def test_a_move_is_told_and_shown_to_everyone(host, stranger, game, view):
    answer = host.post("/moves", {"do": "draw panda", "version": version(game)})
    assert answer.status_code == 200
    shown = view(stranger)
    assert shown["version"] == answer.json["version"]
    assert [row["id"] for row in shown["turn"]["used"]] == ["plot", "objective"]


def test_a_stale_move_is_409(host, game):
    answer = host.post("/moves", {"do": "draw panda", "version": version(game) - 1})
    assert answer.status_code == 409


def test_an_illegal_move_is_422_with_its_rule(host, game):
    answer = host.post("/moves", {"do": "plot green 0,1"})
    assert (answer.status_code, answer.json["rule"]) == (422, "T-TURN-3")


@pytest.mark.parametrize(
    "body",
    [[], {}, {"do": 7}, {"do": "fly away"}, {"do": "end", "version": "x"}, {"do": "end", "seat": True},
     {"do": "plot green 1,0" + "0" * 500}],
)  # fmt: skip
def test_what_cannot_be_read_is_400(host, game, body):
    before = version(game)
    assert host.post("/moves", body).status_code == 400
    assert version(game) == before


def test_without_a_game_a_move_is_409(host):
    assert host.post("/moves", {"do": "end"}).status_code == 409


def test_a_full_disk_is_503_and_shown_at_once(host, stranger, game, view, monkeypatch):
    def refuse(_journal, _lines):
        raise StorageError("the disk is full: delete something, then try again")

    monkeypatch.setattr(DiskJournal, "append", refuse)
    before = version(game)
    answer = host.post("/moves", {"do": "draw panda"})
    assert answer.status_code == 503
    assert version(game) == before
    assert view(stranger)["trouble"] == ["the disk is full: delete something, then try again"]
    assert view(stranger)["lamp"]["id"] == "trouble"
    assert stranger.get("/health").status_code == 503


def test_the_choices_are_legal_and_name_no_hidden_card(host, evening):
    evening.begin(
        Header(seats=("Aki", "Oksana"), hands=(("plot-green-line", "gardener-pink-plain", "panda-green"), None))
    )
    choices = host.get("/moves").json
    assert "plot green 1,0" in choices["moves"]
    assert choices["version"] == version(evening)
    assert not [move for move in choices["moves"] if move.startswith(("claim", "know", "discard"))]


def test_a_card_that_the_garden_meets_may_be_claimed_from_a_paper_hand(host, stranger, game, view):
    host.post("/correct", {"changes": {"bamboo": {"1,0": 4}}, "reason": "grown"})
    assert [card["id"] for card in view(stranger)["met"]] == ["gardener-green-plain"]
    assert "claim gardener-green-plain" in host.get("/moves").json["moves"]
    assert host.post("/moves", {"do": "claim gardener-green-plain"}).status_code == 200
    assert view(stranger)["seats"][0]["claimed_words"] == "1 objective"


def test_undo_by_one_and_to_a_line(host, game):
    host.post("/moves", {"do": "draw panda"})
    assert host.post("/undo").status_code == 200
    assert host.post("/undo", {"line": 1}).status_code == 200
    assert plots(game) == {}
    assert host.post("/undo", {"line": 2}).status_code == 200
    assert plots(game) == {"1,0": "green 1"}
    assert host.post("/undo", {"line": 99}).status_code == 400


@pytest.mark.parametrize("reason", ["", "   ", "x" * 201])
def test_a_correction_needs_a_reason(host, game, reason):
    assert host.post("/correct", {"changes": {"bamboo": {"1,0": 2}}, "reason": reason}).status_code == 400


def test_an_impossible_correction_is_refused_with_the_reason(host, game):
    answer = host.post("/correct", {"changes": {"bamboo": {"1,0": 7}}, "reason": "a slip"})
    assert answer.status_code == 400
    assert answer.json["message"]
    assert plots(game) == {"1,0": "green 1"}


def test_a_question_is_answered_with_one_tap(host, stranger, game, view):
    game.session.watch(True)
    choices = [Choice((Step(0, parse_move(f"gardener {at}")),), p) for at, p in (("1,0", 0.6),)]
    choices.append(Choice((Step(0, parse_move("panda 1,0")),), 0.3))
    game.session.ask(version(game), Message("question.which"), choices)
    question = view(stranger)["question"]
    assert question["choices"][0]["diffs"] == ["1,0"]
    assert question["choices"][1]["garden"]["panda"] == "1,0"
    assert host.post("/answer", {"id": question["id"], "choice": 1}).status_code == 200
    assert view(stranger)["question"] is None
    assert str(game.session.snapshot().game.state.panda) == "1,0"
    assert host.post("/answer", {"id": question["id"], "choice": 0}).status_code == 409


def test_choices_that_read_alike_say_what_differs_on_the_table(game, view, stranger):
    game.session.watch(True)
    gardener, panda = (Step(0, parse_move(f"{figure} 1,0")) for figure in ("gardener", "panda"))
    fell = Fix({"bamboo": {"1,0": 1}}, "a section fell")
    choices = [Choice(lines, 0.3) for lines in ((gardener,), (panda,), (gardener, fell))]
    game.session.ask(version(game), Message("question.which"), choices)
    shown = view(stranger)["question"]["choices"]
    assert all(choice["is_possible"] for choice in shown)
    first, second, third = (choice["words"] for choice in shown)
    assert first[0] == third[0]
    assert first[1:] == ["2 green section(s) should stand on the place right of the pond."]
    assert third[1:] == ["1 green section(s) should stand on the place right of the pond."]
    assert len(second) == 1


def test_the_digital_die_and_the_face_of_a_real_one(host, game):
    for move in ("draw panda", "end", "plot green 0,1", "draw panda", "end"):
        host.post("/moves", {"do": move})
    assert host.post("/roll", {"face": "snow"}).status_code == 400
    assert host.post("/roll").status_code == 200
    assert game.session.snapshot().game.state.turn.weather == "sun"
    assert host.post("/roll").status_code == 422


def test_a_drawn_button_is_pressed(host, game):
    assert host.post("/buttons/undo", {"down": True}).status_code == 200
    assert plots(game) == {}
    assert host.post("/buttons/fire", {"down": True}).status_code == 400


def test_what_was_told_early_can_be_taken_back_by_itself(host, stranger, game, view):
    game.session.watch(True)
    host.post("/moves", {"do": "claim panda-green"})
    [waiting] = view(stranger)["pending"]
    assert host.post("/told", {"id": waiting["id"], "drop": True}).status_code == 200
    assert view(stranger)["pending"] == []
    assert host.post("/told", {"id": waiting["id"]}).status_code == 409


def test_the_whole_log_can_be_read_by_everyone(host, stranger, game, view):
    for _ in range(30):
        host.post("/moves", {"do": "draw panda"})
        host.post("/undo")
    assert view(stranger)["log"][0]["line"] > 1
    rows = stranger.get("/log.json").json
    assert [row["line"] for row in rows] == list(range(1, len(rows) + 1))
    assert rows[-1] == view(stranger)["log"][-1]


def test_what_was_told_early_can_be_entered_now(host, stranger, game, view):
    game.session.watch(True)
    host.post("/moves", {"do": "end"})
    [waiting] = view(stranger)["pending"]
    assert host.post("/told", {"id": waiting["id"]}).status_code == 200
    assert view(stranger)["turn"]["name"] == "Oksana"
