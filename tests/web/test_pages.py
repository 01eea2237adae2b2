"""Pages answer in every state; games begin, are resumed and imported; the log tells the public story."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest
from tests_web import SETTINGS

from companion.games.takenoko.notation import parse_move
from companion.record import Header
from web.factory import create_app

FORM = {"name": ["Aki", "Oksana", "", ""], "first": "1", "ruleset": "bga", "edition": "base"}
BGA = ["channel_on_pond_edge", "gardener_presence", "discard_fulfilled_draw", "improve_while_laying",
       "may_pass_actions", "store_channels", "store_chips"]  # fmt: skip


@pytest.mark.parametrize(
    "path", ["/", "/host", "/games/", "/games/new", "/camera/", "/simulated/", "/table.json", "/health"]
)
def test_every_page_answers_with_and_without_a_game(host, path, evening):
    assert host.get(path).status_code == 200
    evening.begin(Header(seats=("Aki", "Oksana")))
    assert host.get(path).status_code == 200


@pytest.mark.parametrize("code", ["en", "ja", "uk"])
@pytest.mark.parametrize("path", ["/", "/games/new", "/table.json"])
def test_every_page_answers_in_every_language(host, game, path, code):
    assert host.get(path, headers={"Accept-Language": code}).status_code == 200


def test_the_house_s_language_is_spoken_where_the_browser_asks_for_none_that_we_have(evening):
    client = create_app(evening, replace(SETTINGS, language="uk")).test_client()
    assert '<html lang="uk">' in client.get("/", headers={"Accept-Language": "fr"}).text
    assert '<html lang="ja">' in client.get("/", headers={"Accept-Language": "ja"}).text


def test_what_is_not_there_is_404_as_page_and_as_json(stranger):
    assert stranger.get("/nothing").status_code == 404
    assert stranger.get("/nothing.json").json["status"] == 404


def test_a_new_game_is_written_as_the_form_says(host, evening):
    answer = host.form("/games/new", **FORM, option=BGA)
    assert answer.status_code == 303
    header = evening.session.snapshot().game.header
    assert (header.seats, header.first, header.ruleset) == (("Aki", "Oksana"), 1, "bga")
    assert dict(header.options) == {}


def test_an_option_switched_over_stands_in_the_header(host, evening):
    host.form("/games/new", **FORM, option=[*BGA, "storm_stay"])
    assert dict(evening.session.snapshot().game.header.options) == {"storm_stay": True}
    host.form("/games/new", **FORM, option=BGA[1:])
    assert dict(evening.session.snapshot().game.header.options) == {"channel_on_pond_edge": False}


@pytest.mark.parametrize(
    "wrong",
    [{"name": ["Aki"]}, {"name": ["Aki", "Aki"]}, {"name": ["Aki", "x" * 41]}, {"first": "3"}, {"ruleset": "house"},
     {"edition": "none"}, {"name": ["Aki", "\u202eOksana\n"]}],
)  # fmt: skip
def test_a_form_that_cannot_be_is_given_back_with_what_was_typed(host, evening, wrong):
    answer = host.form("/games/new", **(FORM | wrong), option=BGA)
    assert answer.status_code == 400
    assert "Aki" in answer.text
    assert evening.session is None


def record(*moves, header='{"record":1,"game":"takenoko","ruleset":"classic","seats":["Aki","Oksana"]}'):
    return "\n".join([header, *moves, ""]).encode()


def import_file(host, data):
    return host.form("/games/import", record=(io.BytesIO(data), "evening.jsonl"))


def test_a_record_is_imported_line_by_line(host, evening, view):
    data = record('{"seat":0,"do":"plot green 1,0"}', '{"seat":0,"do":"draw panda"}', '{"undo_to":2}')
    assert import_file(host, data).status_code == 303
    assert evening.session.snapshot().game.version == 4
    assert [row["kind"] for row in view(host)["log"]] == ["", "", "undone", "note"]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (record('{"seat":0,"do":"plot green 5,5"}'), "T-PLOT-2"),
        (record('{"seat":0,"do":"fly"}'), "2:"),
        (b"\xff\xfe\x00rubbish", "1:"),
        (b"", "1:"),
        (record(header='{"record":1,"game":"chess"}'), "1:"),
    ],
)
def test_a_bad_record_is_refused_by_line_and_nothing_is_kept(host, evening, data, says):
    answer = import_file(host, data)
    assert answer.status_code == 400
    assert says in answer.text
    assert evening.library.games() == []


def test_a_game_is_resumed_from_the_list(host, evening):
    host.form("/games/new", **FORM, option=BGA)
    first = evening.name
    host.form("/games/new", **FORM, option=BGA)
    assert first in host.get("/games/").text
    assert host.form("/games/resume", name=first).status_code == 303
    assert evening.name == first
    assert host.form("/games/resume", name="../secret").status_code == 400


def test_the_log_hides_what_was_drawn_and_known(host, stranger, evening, view):
    hands = (("plot-green-line", "gardener-pink-plain", "panda-green"), None)
    evening.begin(Header(seats=("Aki", "Oksana"), hands=hands))
    evening.tell(parse_move("draw panda panda-mixed"), seat=0, by="phone")
    evening.tell(parse_move("know panda-yellow"), seat=1, by="phone")
    for client in (stranger, host):
        for path in ("/", "/table.json"):
            text = client.get(path).text.split('id="words"')[0]
            for card in (*hands[0], "panda-mixed", "panda-yellow"):
                assert card not in text
    assert [row["words"] for row in view(stranger)["log"]][1:] == ["Aki draws a card: panda objective."]


def test_the_end_is_told_with_winners_and_the_points_over_time(host, game, view):
    host.post("/correct", {"changes": {"bamboo": {"1,0": 4}}, "reason": "grown"})
    host.post("/moves", {"do": "claim gardener-green-plain"})
    host.post("/moves", {"do": "end"})
    host.post("/moves", {"do": "stop"})
    shown = view(host)
    assert shown["turn"] is None
    assert shown["result"]["words"] == "Aki wins with 5 points"
    assert shown["result"]["rows"][0] == ["Aki", 0, 5, 0, 0, 5]
    assert shown["result"]["chart"]["series"][0]["points"] == [0, 5, 5]


def test_camera_and_simulated_table_hear_the_host(host, game):
    assert host.get("/camera/picture.jpg?overlay=1").data.endswith(b"with overlay")
    assert host.get("/camera/status.json").json["advice"] == ["A hand is over the table."]
    assert host.post("/camera/recalibrate").status_code == 200
    assert game.camera.recalibrated == 1
    host.post("/simulated/put", {"what": "bamboo", "at": "1,0", "value": "3"})
    host.post("/simulated/disturb", {"what": "hand"})
    assert game.toy.calls == [("put", "bamboo", "1,0", "3"), ("disturb", "hand")]


def test_the_page_carries_the_view_so_that_it_is_painted_at_once(stranger, game, view):
    page = stranger.get("/").text
    data = page.split('<script id="view" type="application/json">')[1].split("</script>")[0]
    assert json.loads(data)["garden"] == view(stranger)["garden"]
