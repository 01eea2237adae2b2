"""Nobody learns another's cards: every route, stream, error page, export and log line is walked as everyone.

The cards of the box get unique names for these tests, so that a secret shows wherever it slips out.
"""

from __future__ import annotations

import json
import logging
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_seat import Phone
from tests_web import meta_token

from companion.games.takenoko import edition as editions
from companion.games.takenoko import notation
from companion.games.takenoko.notation import parse_move
from companion.record import Header

SEATS = ("Aki", "Oksana", "Ren")
SECRET = re.compile(r"zq\d\dxj")


def token(number):
    """A word that stands nowhere else."""
    return f"zq{number:02d}xj"


def forget_editions():
    editions.load_edition.cache_clear()
    notation._card_names.cache_clear()


@pytest.fixture
def cards(monkeypatch):
    """The box with its cards renamed to the deck and a token; by deck."""
    table = dict(editions.edition_table("base"))
    table["objectives"] = {
        deck: [{**row, "id": f"{deck}-{token(number)}"} for number, row in enumerate(rows, start=20 * index)]
        for index, (deck, rows) in enumerate(table["objectives"].items())
    }
    with monkeypatch.context() as patch:
        patch.setattr(editions, "edition_table", lambda _name: table)
        forget_editions()
        yield {deck: [row["id"] for row in rows] for deck, rows in table["objectives"].items()}
    forget_editions()


@pytest.fixture
def owned(app, evening, cards):
    """A running game with secrets in every corner; by seat, the tokens that this seat alone may see.

    Dealt hands, a draw, a draw that was taken back, a hidden card that was named, a hand that was corrected, and a
    draw told early that waits for the camera.
    """
    plot, gardener, panda = cards["plot"], cards["gardener"], cards["panda"]
    dealt = tuple((plot[i], gardener[i], panda[i]) for i in range(3))
    evening.begin(Header(seats=SEATS, hands=(*dealt[:2], None), ruleset="bga"))
    session = evening.session

    def tell(text, seat=None):
        evening.tell(parse_move(text), seat=seat, by="phone")

    tell("plot green 1,0")
    tell(f"draw plot {plot[10]}")
    session.undo_to(2, by="host")
    tell(f"draw gardener {gardener[10]}")
    tell("end")
    tell("plot pink 0,1")
    tell(f"draw plot {plot[11]}")
    tell(f"know {plot[2]}", seat=2)
    tell("end")
    hands = [list(seat.hand) for seat in session.snapshot().game.state.seats]
    hands[0].append(plot[12])
    session.correct({"seats": [{"hand": hands[0]}, {}, {}]}, "a card was overlooked", by="host")
    session.watch(True)
    tell(f"draw panda {panda[3]}")
    by_seat = (
        {*dealt[0], plot[10], gardener[10], plot[12]},
        {*dealt[1], plot[11]},
        {plot[2], panda[3]},
    )
    return [{SECRET.search(card).group() for card in names} for names in by_seat]


@pytest.fixture
def visitors(app, host, owned):
    """Everyone who may look: by name, a client, and the tokens that it may see."""
    phones = {}
    for seat in range(3):
        phone = Phone(app)
        phone.sit(seat)
        phones[f"seat {seat}"] = (phone.client, owned[seat])
    return {**phones, "host": (host.client, set()), "stranger": (app.test_client(), set())}


def without_chooser(text):
    """A page without the list of all kinds of cards, from which everybody names a paper card."""
    return re.sub(r'<script id="choices" type="application/json">.*?</script>', "", text, flags=re.DOTALL)


def places(app):
    """Every address of the app, with whatever its variables may be."""
    values = {
        "seat": ["0", "1", "2"], "index": ["0", "1"], "code": ["ja"], "edition": ["base"], "card": ["none"],
        "deck": ["panda"], "name": ["current", "roll"], "filename": ["css/base.css"], "line": ["1", "9"], "path": ["x"],
        "kind": ["x"],
    }  # fmt: skip
    for rule in app.url_map.iter_rules():
        if rule.endpoint == "static":
            continue
        paths = [rule.rule]
        for variable in rule.arguments:
            paths = [re.sub(rf"<(\w+:)?{variable}>", value, path) for path in paths for value in values[variable]]
        for path in paths:
            yield path, rule.methods


def said(answer, most=3):
    """All that an answer says: its headers and its body, of a stream the first parts."""
    head = str(answer.headers)
    if answer.mimetype == "text/event-stream":
        parts = iter(answer.response)
        body = b"".join(
            part if isinstance(part, bytes) else part.encode() for _, part in zip(range(most), parts, strict=False)
        )
        answer.close()
        return head + body.decode()
    return head + answer.get_data().decode("utf-8", "replace")


NOT_POSTED = ("/leave", "/free", "/out", "/resume", "/undo", "/new", "/probe")
"""What would end the game or the visitor's own role in it."""


def requests(client, path, methods, csrf):
    """Good and bad requests for one address, each sent when it is asked for."""
    if "GET" in methods:
        yield lambda: client.get(path)
        yield lambda: client.get(path, headers={"Accept": "application/json"})
    if "POST" in methods and not path.endswith(NOT_POSTED):
        token = {"X-CSRFToken": csrf}
        yield lambda: client.post(path, json={}, headers=token)
        yield lambda: client.post(path, json={"do": "draw panda", "version": 1}, headers=token)
        yield lambda: client.post(path, data={"csrf_token": csrf, "seat": "1", "code": "x", "line": "3"})
        yield lambda: client.post(path, data=b"\xff{", content_type="application/json", headers=token)


def test_no_route_tells_a_secret_to_anybody_else(app, evening, visitors, owned, caplog):
    caplog.set_level(logging.DEBUG)
    name = evening.name
    everything = set().union(*owned)
    shown = {visitor: set() for visitor in visitors}
    for visitor, (client, may_see) in visitors.items():
        csrf = meta_token(client.get("/rules").text)
        for path, methods in places(app):
            for request in requests(client, path.replace("current", name), methods, csrf):
                seen = set(SECRET.findall(without_chooser(said(request())))) & everything
                assert seen <= may_see, f"{visitor} learns {seen - may_see} from {path}"
                shown[visitor] |= seen
    assert SECRET.findall(caplog.text) == []
    for seat in range(3):
        # The walk has really seen secrets: each phone has its own hand, so silence elsewhere means something.
        assert len(shown[f"seat {seat}"]) >= 1


def test_a_refusal_tells_the_host_nothing_of_a_hand(host, visitors, evening, cards):
    """The host tries every card as a claim and as a draw: the answer does not depend on who holds it."""
    evening.session.watch(False)
    turn = evening.session.snapshot().seat
    for seat in range(3):
        answers = set()
        for card in (*cards["plot"], *cards["gardener"], *cards["panda"]):
            answer = host.post("/moves", {"do": f"claim {card}", "seat": seat})
            assert answer.status_code == 422
            answers.add((card.split("-")[0], answer.json["rule"], answer.json["message"]))
            assert host.post("/moves", {"do": f"draw panda {card}", "seat": turn}).status_code == 400
            assert host.post("/moves", {"do": f"know {card}", "seat": seat}).status_code == 400
        assert len(answers) == 3, "one answer for each deck"


def hands_without(cards, kept):
    """Strategies of hands for the two other seats, from what seat 0 does not hold."""
    left = {deck: [name for name in names if name not in kept] for deck, names in cards.items()}
    one = st.tuples(*(st.sampled_from(left[deck]) for deck in ("plot", "gardener", "panda")))
    return st.tuples(one, one).filter(lambda pair: not set(pair[0][:2]) & set(pair[1][:2]))


ALL = {
    deck: [name for name in editions.load_edition("base").cards if name.startswith(deck)]
    for deck in ("plot", "gardener", "panda")
}
MINE = ("plot-green-line", "gardener-pink-plain", "panda-green")
OTHERS = hands_without(ALL, MINE)


def seen_by_seat_0(app, evening, others):
    evening.begin(Header(seats=SEATS, hands=(MINE, *others)))
    for text, card in (("plot green 1,0", None), ("panda 1,0", None), ("end", None), ("draw plot", others[0][0])):
        evening.tell(parse_move(text), seat=None, by="phone")
        if card is not None:
            evening.session.undo_last(by="phone")
    phone = Phone(app)
    phone.sit(0)
    views = [phone.view(0), json.loads(phone.client.get("/table.json").data)]
    for view in views:
        for changing in ("code", "name"):
            view.pop(changing, None)
        if isinstance(view.get("turn"), dict):
            view["turn"].pop("elapsed_s", None)
    return json.dumps(views, sort_keys=True)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(OTHERS, OTHERS)
def test_a_seat_s_bytes_do_not_change_with_another_seat_s_secrets(app, evening, one, other):
    assert seen_by_seat_0(app, evening, one) == seen_by_seat_0(app, evening, other)
