"""Phones: taking, losing and handing over a seat; telling, claiming and taking back; what a device may see."""

import json
import re

import pytest
from tests_web import meta_token, view_of

from companion.games.takenoko.notation import parse_move
from companion.record import Header
from web.seats import COOKIE

HANDS = (
    ("plot-green-line", "gardener-pink-plain", "panda-green"),
    ("plot-pink-line", "gardener-green-group", "panda-mixed"),
)


class Phone:
    """A phone's browser."""

    def __init__(self, app):
        self.client = app.test_client()

    def token(self):
        return meta_token(self.client.get("/join").text)

    def sit(self, seat):
        return self.client.post("/join/seat", data={"csrf_token": self.token(), "seat": seat})

    def type_code(self, code):
        return self.client.post("/join/code", data={"csrf_token": self.token(), "code": code})

    def post(self, path, **body):
        return self.client.post(path, json=body, headers={"X-CSRFToken": self.token()})

    def view(self, seat):
        answer = self.client.get(f"/seat/{seat}/view.json")
        assert answer.status_code == 200
        return json.loads(answer.data)


@pytest.fixture
def dealt_hands(evening):
    evening.begin(Header(seats=("Aki", "Oksana"), hands=HANDS))
    return evening


@pytest.fixture
def phones(app, dealt_hands):
    made = [Phone(app), Phone(app)]
    for seat, phone in enumerate(made):
        assert phone.sit(seat).status_code == 303
    return made


def test_a_phone_sits_down_and_sees_its_own_cards_only(phones):
    assert [card["card"] for card in phones[0].view(0)["hand"]] == list(HANDS[0])
    assert phones[0].client.get("/seat/1/view.json", headers={"Accept": "application/json"}).status_code == 403
    assert phones[0].client.get("/seat/1").headers["Location"] == "/join"
    page = phones[0].client.get("/seat/0").text
    assert "panda-mixed" not in re.sub(r'<script id="choices".*?</script>', "", page, flags=re.DOTALL)


def test_the_cookie_is_kept_from_scripts_and_other_sites(app, dealt_hands):
    answer = Phone(app).sit(0)
    (cookie,) = [line for line in answer.headers.getlist("Set-Cookie") if line.startswith(f"{COOKIE}=")]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie
    secure = app.test_client().post("/join/seat", base_url="https://table.local/")
    assert secure.status_code == 400


def test_a_taken_seat_is_refused_and_its_code_brings_it_over(app, phones):
    other = Phone(app)
    assert other.sit(0).status_code == 409
    code = phones[0].view(0)["code"]
    assert other.type_code("ZZZZ9").status_code == 400
    assert other.type_code(code).status_code == 303
    assert [card["card"] for card in other.view(0)["hand"]] == list(HANDS[0])
    assert phones[0].client.get("/seat/0/view.json", headers={"Accept": "application/json"}).status_code == 403
    assert other.view(0)["code"] != code


def test_wrong_codes_are_counted(app, dealt_hands):
    phone = Phone(app)
    codes = [phone.type_code(f"QQ{n:02d}").status_code for n in range(12)]
    assert codes[:10] == [400] * 10
    assert codes[10:] == [429] * 2


def test_a_stream_that_was_open_ends_with_the_seat(app, phones):
    """The old phone's stream says that the seat is gone; nothing made for the new phone goes down it."""
    stream = phones[0].client.get("/seat/0/stream", headers={"Accept": "text/event-stream"})
    text = iter(stream.response)
    first = [next(text) for _ in range(2)]
    assert b"plot-green-line" in b"".join(part if isinstance(part, bytes) else part.encode() for part in first)
    code = phones[0].view(0)["code"]
    Phone(app).type_code(code)
    following = next(text)
    following = following if isinstance(following, bytes) else following.encode()
    assert b'"gone":true' in following
    assert b"plot-green-line" not in following
    stream.close()


def test_a_draw_is_told_and_taken_back_by_its_own_phone_only(phones, dealt_hands):
    view = phones[0].view(0)
    assert phones[0].post("/seat/0/moves", do="draw panda panda-pink", version=view["version"]).status_code == 200
    assert phones[0].view(0)["hand"][-1]["card"] == "panda-pink"
    assert phones[1].view(1)["undo"] is None
    assert phones[1].post("/seat/1/undo").status_code == 409
    assert phones[0].post("/seat/0/undo").status_code == 200
    assert len(phones[0].view(0)["hand"]) == 3


def test_what_is_stale_or_illegal_changes_nothing(phones, dealt_hands):
    version = dealt_hands.session.snapshot().version
    assert phones[0].post("/seat/0/moves", do="draw panda", version=version - 1).status_code == 409
    assert phones[0].post("/seat/0/moves", do="claim panda-green", version=version).status_code == 422
    assert phones[1].post("/seat/1/moves", do="draw panda", version=version).status_code == 422
    assert phones[0].post("/seat/0/moves", do="fly to the moon", version=version).status_code == 400
    assert phones[0].post("/seat/0/moves", do="stop", version=version).status_code == 400
    assert dealt_hands.session.snapshot().version == version


def test_a_met_card_is_told_to_its_seat_and_not_to_the_table(phones, dealt_hands, stranger):
    for move in ("plot green 1,0", "panda 1,0", "end", "plot green 0,1", "panda 0,0"):
        dealt_hands.tell(parse_move(move), seat=None, by="browser")
    hand = {card["card"]: card for card in phones[0].view(0)["hand"]}
    assert not hand["panda-green"]["met"]
    assert "1 more green section" in hand["panda-green"]["needs"][0]
    table = view_of(stranger)
    assert "needs" not in json.dumps(table)


def test_auto_claim_claims_in_the_own_turn_and_only_when_wished(phones, dealt_hands):
    moves = ("plot green 1,0", "panda 1,0", "end", "plot pink 0,1", "gardener 1,0", "end")
    for move in moves:
        dealt_hands.tell(parse_move(move), seat=None, by="browser")
    phones[0].post("/seat/0/wish", auto_claim=True)
    dealt_hands.tell(parse_move("roll clouds"), seat=None, by="browser")
    dealt_hands.tell(parse_move("skip"), seat=None, by="browser")
    dealt_hands.tell(parse_move("panda 0,0"), seat=None, by="browser")
    assert phones[0].view(0)["claimed"] == []
    seats = dealt_hands.session.snapshot().game.state.seats
    assert seats[0].bamboo == (1, 0, 0)


def test_auto_claim_claims_what_has_just_been_met(app, evening):
    evening.begin(
        Header(seats=("Aki", "Oksana"), hands=(("plot-green-line", "gardener-pink-plain", "panda-green"), None))
    )
    phone = Phone(app)
    phone.sit(0)
    phone.post("/seat/0/wish", auto_claim=True)
    evening.tell(parse_move("plot green 1,0"), seat=None, by="browser")
    evening.tell(parse_move("panda 1,0"), seat=None, by="browser")
    for move in ("end", "plot pink 0,1", "panda 0,0", "end", "roll wind", "gardener 1,0", "panda 1,0"):
        evening.tell(parse_move(move), seat=None, by="browser")
    view = phone.view(0)
    assert len(view["claimed"]) == 1
    assert view["score"] == "3 points"


def test_a_table_without_paper_cards_is_dealt_by_the_companion(app, host, evening):
    usual = ["may_pass_actions", "store_channels", "store_chips"]
    answer = host.form("/games/new", name=["Aki", "Oksana"], ruleset="classic", edition="base", deal="on", option=usual)
    assert answer.status_code == 303
    phones = [Phone(app), Phone(app)]
    for seat, phone in enumerate(phones):
        phone.sit(seat)
    hands = [[card["card"] for card in phone.view(seat)["hand"]] for seat, phone in enumerate(phones)]
    assert [len(hand) for hand in hands] == [3, 3]
    assert phones[0].post("/seat/0/moves", do="draw panda panda-pink").status_code == 400
    assert phones[0].post("/seat/0/moves", do="draw panda").status_code == 200
    drawn = phones[0].view(0)["hand"][-1]["card"]
    assert drawn.startswith("panda-")
    evening.tell(parse_move("end"), seat=None, by="host")
    evening.tell(parse_move("draw plot"), seat=None, by="host")
    assert phones[1].view(1)["hand"][-1]["card"].startswith("plot-")


def test_a_paper_card_is_named_when_it_is_shown(app, evening):
    """Nothing is known of the hand: the cards that the garden meets are offered, and a claim names one."""
    evening.begin(Header(seats=("Aki", "Oksana")))
    phone = Phone(app)
    phone.sit(0)
    for move in ("plot green 1,0", "panda 1,0", "end", "plot pink 0,1", "panda 0,0", "end"):
        evening.tell(parse_move(move), seat=None, by="browser")
    for move in ("roll wind", "gardener 1,0", "panda 1,0"):
        evening.tell(parse_move(move), seat=None, by="browser")
    assert [claim["card"] for claim in phone.view(0)["claims"]] == ["panda-green"]
    assert phone.post("/seat/0/moves", do="claim panda-green").status_code == 200
    assert phone.view(0)["undo"] is not None


def test_the_host_can_free_a_seat_and_everybody_is_told(host, phones, dealt_hands, stranger):
    assert stranger.post("/join/free", data={"seat": 0}).status_code == 400
    assert host.form("/join/free", seat=0).status_code == 303
    assert view_of(stranger)["note"]["words"] == "The host has freed the seat of Aki: anyone can take it now."
    assert phones[0].client.get("/seat/0").headers["Location"] == "/join"


def test_pictures_of_cards_are_drawn_and_their_addresses_tell_nothing(phones):
    for index, card in enumerate(phones[0].view(0)["hand"]):
        address = f"/seat/0/hand/{index}.svg?v={card['picture']}"
        assert card["card"] not in address
        answer = phones[0].client.get(address)
        assert answer.mimetype == "image/svg+xml"
        assert answer.data.startswith(b"<svg")
        assert phones[1].client.get(address, headers={"Accept": "application/json"}).status_code == 403
    assert phones[0].client.get("/seat/0/hand/9.svg").status_code == 404
    assert phones[0].client.get("/cards/base/panda-mixed.svg").data.startswith(b"<svg")
    assert phones[0].client.get("/cards/base/nothing.svg").status_code == 404
    assert phones[0].client.get("/cards/nowhere/panda-mixed.svg").status_code == 404
    assert phones[0].client.get("/cards/back/panda.svg").data.startswith(b"<svg")


def test_qr_codes_are_for_the_network_not_for_this_machine_alone(app, phones):
    page = phones[0].client.get("/join/qr.svg", base_url="http://192.168.1.20:8080/")
    assert page.mimetype == "image/svg+xml"
    assert phones[0].client.get("/seat/0/code.svg").status_code == 200
    assert phones[1].client.get("/seat/0/code.svg", headers={"Accept": "application/json"}).status_code == 403


def test_a_tablet_for_two_has_both_seats(app, dealt_hands):
    tablet = Phone(app)
    tablet.sit(0)
    tablet.sit(1)
    page = tablet.client.get("/seat/1").text
    assert 'data-hot="yes"' in page
    assert "/seat/0" in page


@pytest.mark.parametrize("path", ["/seat", "/join", "/seat/0", "/seat/7"])
def test_without_a_game_there_is_nothing_to_sit_at(stranger, path):
    answer = stranger.get(path)
    assert answer.status_code in (200, 303)
    assert answer.headers.get("Location", "/join") == "/join"
