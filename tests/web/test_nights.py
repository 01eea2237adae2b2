"""Past games: list, replay, exports, the sheet; and the feed for those who only watch."""

import io
import itertools
import json
import re

import pytest
from pypdf import PdfReader
from test_seat import HANDS, Phone

from companion.games.takenoko.notation import parse_move
from companion.record import Header, read_text
from companion.services.pending import Choice, Step
from companion.services.ports import Message

SEATS = ("Aki", "Оксана")


@pytest.fixture
def night(evening):
    """A game in progress with a hand, some moves, and something that was undone."""
    evening.begin(Header(seats=SEATS, hands=HANDS, at="2026-11-28T18:00:00Z"))
    for move in ("plot green 1,0", "panda 1,0", "end", "plot pink 0,1", "draw plot plot-yellow-line", "end"):
        evening.tell(parse_move(move), seat=None, by="phone")
    evening.tell(parse_move("roll storm"), seat=None, by="button")
    evening.session.undo_last(by="host")
    return evening


def test_the_list_names_every_game_with_date_and_players(stranger, night):
    page = stranger.get("/nights").text
    assert "November 28, 2026" in page
    assert "Aki, Оксана" in page


def test_a_night_can_be_replayed_line_by_line(stranger, night):
    page = stranger.get(f"/nights/{night.name}").text
    steps = json.loads(re.search(r'<script id="steps" type="application/json">(.*?)</script>', page).group(1))
    assert [step["line"] for step in steps][:3] == [1, 2, 3]
    assert not any("Storm" in step["words"] and "rolls" in step["words"] for step in steps)
    gardens = [stranger.get(f"/nights/{night.name}/step/{step['line']}.json").json for step in steps]
    assert [len(garden["plots"]) for garden in gardens[:2]] == [0, 1]
    assert gardens[1]["plots"][0]["bamboo"] == 1
    assert gardens[2]["plots"][0]["bamboo"] == 0
    assert stranger.get(f"/nights/{night.name}/step/99.json").status_code == 404


@pytest.mark.parametrize("name", ["nothing", "..", "%2e%2e%2fsecret", "a" * 80, "current"])
def test_a_name_never_leads_out_of_the_folder(stranger, night, name):
    for path in (f"/nights/{name}", f"/nights/{name}/record.jsonl", f"/nights/{name}/evening.pdf"):
        assert stranger.get(path).status_code == 404


def test_before_the_end_only_the_public_or_the_own_record_is_given(app, stranger, night):
    public = stranger.get(f"/nights/{night.name}/record.jsonl")
    assert "plot-yellow-line" not in public.text
    assert not any(card in public.text for hand in HANDS for card in hand)
    assert read_text(public.data).game.version == night.session.snapshot().game.version
    phone = Phone(app)
    phone.sit(1)
    own = phone.client.get(f"/nights/{night.name}/record.jsonl?seat=1").text
    assert "plot-yellow-line" in own
    assert HANDS[0][0] not in own
    other = phone.client.get(f"/nights/{night.name}/record.jsonl?seat=0", headers={"Accept": "application/json"})
    assert other.status_code == 403


def test_after_the_end_the_whole_record_is_given(stranger, night):
    night.tell(parse_move("stop"), seat=None, by="host")
    whole = stranger.get(f"/nights/{night.name}/record.jsonl")
    assert read_text(whole.data).game == night.session.snapshot().game
    assert whole.headers["Content-Disposition"] == f'attachment; filename="{night.name}.jsonl"'


@pytest.mark.parametrize(("code", "word"), [("en", "The weather die"), ("ja", "天候ダイス"), ("uk", "Кубик погоди")])
def test_the_sheet_is_one_page_with_its_fonts_inside(stranger, night, code, word):
    stranger.set_cookie("language", code)
    answer = stranger.get(f"/nights/{night.name}/evening.pdf")
    assert answer.mimetype == "application/pdf"
    reader = PdfReader(io.BytesIO(answer.data))
    assert len(reader.pages) == 1
    text = reader.pages[0].extract_text()
    assert word in text
    assert "Оксана" in text
    fonts = reader.pages[0]["/Resources"]["/Font"].values()
    used = [font.get_object() for font in fonts]
    assert all("/FontDescriptor" in font and "/FontFile2" in font["/FontDescriptor"] for font in used)
    assert all("+" in font["/BaseFont"] for font in used)
    assert len(answer.data) < 400_000


def test_a_broken_record_is_no_night(stranger, night, tmp_path):
    (tmp_path / "2020-01-01-000000.jsonl").write_bytes(b"\xff\x00 not a record")
    assert stranger.get("/nights").status_code == 200
    assert stranger.get("/nights/2020-01-01-000000").status_code == 404


def test_names_that_look_like_code_stay_names(stranger, evening):
    evening.begin(Header(seats=("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>')))
    for path in ("/", "/join", "/nights", f"/nights/{evening.name}", "/watch"):
        page = stranger.get(path).text
        assert "<script>alert" not in page
        assert "<img src=x" not in page
    assert stranger.get(f"/nights/{evening.name}/evening.pdf").status_code == 200


# Those who only watch.


def matches(schema, value, root):
    """Whether a value fits a schema, for the few words of JSON Schema that the description uses."""
    if "$ref" in schema:
        schema = root["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    if "enum" in schema and value not in schema["enum"]:
        return f"{value!r} is none of {schema['enum']}"
    if "const" in schema and value != schema["const"]:
        return f"{value!r} is not {schema['const']}"
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}
    wanted = schema.get("type")
    if wanted is not None:
        names = [wanted] if isinstance(wanted, str) else wanted
        if not any(isinstance(value, kinds[name]) for name in names):
            return f"{value!r} is no {wanted}"
    if isinstance(value, dict):
        for name in schema.get("required", ()):
            if name not in value:
                return f"{name} is missing in {sorted(value)}"
        if "properties" in schema:
            for name, each in value.items():
                if name not in schema["properties"]:
                    return f"{name} is not described"
                if found := matches(schema["properties"][name], each, root):
                    return f"{name}: {found}"
    if isinstance(value, list) and "items" in schema:
        return next((found for each in value if (found := matches(schema["items"], each, root))), None)
    return None


def test_the_feed_is_as_its_description_says(stranger, night):
    description = stranger.get("/feed/openapi.json").json
    for path in description["paths"]:
        assert stranger.get(path).status_code == 200
    state = stranger.get("/feed/state.json")
    assert state.headers["Access-Control-Allow-Origin"] == "*"
    schema = description["components"]["schemas"]["State"]
    assert matches(schema, state.json, description) is None
    assert state.json["events"][-1]["undo_to"] == 7


def test_the_feed_without_a_game_says_so(stranger):
    assert stranger.get("/feed/state.json").json == {"feed": 1, "lamp": "by_hand", "running": False}


def test_the_feed_s_stream_carries_the_same(stranger, night):
    stream = stranger.get("/feed/events")
    parts = itertools.islice(stream.response, 2)
    text = "".join(part.decode() if isinstance(part, bytes) else part for part in parts)
    stream.close()
    data = next(line for line in text.splitlines() if line.startswith("data: "))
    assert json.loads(data.removeprefix("data: ")) == stranger.get("/feed/state.json").json


def test_the_watching_page_has_no_controls(stranger, night):
    page = stranger.get("/watch").text
    assert "<form" not in page
    assert page.count("<button") == 1


@pytest.mark.parametrize("code", ["en", "ja", "uk"])
def test_rules_are_shown_searched_and_anchored(stranger, code):
    stranger.set_cookie("language", code)
    page = stranger.get("/rules").text
    assert 'id="T-PLOT-2"' in page
    found = stranger.get("/rules?q=T-PLOT-2").text
    assert 'id="T-PLOT-2"' in found
    assert 'id="T-PLOT-1"' not in found
    assert stranger.get("/rules?q=zzzznothing").status_code == 200
    assert "&lt;script&gt;" in stranger.get("/rules?q=<script>").text


def test_rules_are_found_by_their_words_in_the_reader_s_language(stranger):
    stranger.set_cookie("language", "uk")
    assert 'id="T-WEA-4"' in stranger.get("/rules?q=буря огорожа").text


def test_pictures_are_kept_only_where_the_host_allows_it_and_shown_to_the_host(host, stranger, night):
    address = f"/nights/{night.name}"
    night.tell(parse_move("roll sun"), seat=None, by="button")
    night.tell(parse_move("gardener 1,0"), seat=None, by="browser")
    night.tell(parse_move("end"), seat=None, by="button")
    assert night.pictures.lines(night.name) == []
    assert host.form(f"{address}/pictures", allow="yes").status_code == 303
    for move in ("roll sun", "gardener 0,0", "end"):
        night.tell(parse_move(move), seat=None, by="button")
    lines = night.pictures.lines(night.name)
    line = lines[-1]
    assert len(lines) == 2, "the table as it was when the host allowed it, and after the turn"
    assert host.get(f"{address}/pictures/{line}.jpg").data.startswith(b"\xff\xd8")
    assert stranger.get(f"{address}/pictures/{line}.jpg").status_code == 303
    assert 'data-pictures=""' in stranger.get(address).text
    assert f'data-pictures="{lines[0]} {line}"' in host.get(address).text
    assert host.form(f"{address}/pictures").status_code == 303
    assert night.pictures.lines(night.name) == []


def test_a_night_tells_how_often_the_companion_asked(stranger, night):
    session = night.session
    session.watch(True)
    assert "0 questions asked" in stranger.get(f"/nights/{night.name}").text
    choices = [Choice((Step(0, parse_move("roll sun")),), 0.5)]
    session.ask(session.snapshot().version, Message("question.which"), choices)
    assert "1 question asked" in stranger.get(f"/nights/{night.name}").text
