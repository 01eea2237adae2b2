"""Messages in the reader's language: parameters in words, plurals, and nothing that breaks a page."""

import pytest
from flask import Flask
from flask_babel import force_locale
from hypothesis import given
from hypothesis import strategies as st

from companion.games.takenoko.edition import edition_names, load_edition
from companion.games.takenoko.hexgrid import DIRECTIONS, POND, Edge, Hex
from companion.reconcile.messages import ENGLISH
from companion.reconcile.messages import Message as Slip
from companion.remarks import REMARKS, Remark
from companion.services.ports import Message
from web.i18n import LANGUAGES, init_languages
from web.present.messages import TEXTS, say, say_id
from web.present.words import card_name, place


@pytest.fixture(scope="module")
def app():
    app = Flask(__name__)
    init_languages(app)
    return app


@pytest.fixture(autouse=True)
def _context(app):
    with app.test_request_context("/"):
        yield


def test_a_place_is_told_from_the_pond():
    assert place("0,0") == "the pond"
    assert place("1,0") == "the place 1 step east of the pond"
    assert place("3,-1") == "the place 2 steps east and 1 step north-east of the pond"
    with force_locale("ja"):
        assert place("3,-1") == "池から東へ2歩、北東へ1歩の場所"
    with force_locale("uk"):
        assert place("3,-1") == "2 кроки на схід і 1 крок на північний схід від ставка"


@given(st.integers(-14, 14), st.integers(-14, 14))
def test_the_way_that_is_told_leads_there(q, r):
    """Reading the words back as steps ends on the cell they were made from."""
    names = ("east", "north-east", "north-west", "west", "south-west", "south-east")
    app = Flask(__name__)
    init_languages(app)
    with app.test_request_context("/"):
        words = place(Hex(q, r)).replace(" of the pond", "").removeprefix("the place ")
    at = POND
    for part in words.split(" and ") if (q, r) != POND else ():
        count, _, name = part.split()
        way = DIRECTIONS[names.index(name)]
        at = Hex(at.q + int(count) * way.q, at.r + int(count) * way.r)
    assert at == (q, r)


def test_an_edge_is_told_by_its_two_places():
    said = place(Edge.of(Hex(1, 0), Hex(0, 1)))
    assert said == "between the place 1 step east of the pond and the place 1 step south-east of the pond"


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_card_of_every_edition_has_a_name(code):
    with force_locale(code):
        for edition in edition_names():
            names = [card_name(card) for card in load_edition(edition).cards]
            assert not set(names) & set(load_edition(edition).cards)
            assert len(set(names)) == len(names)


def test_parameters_are_put_into_words():
    message = Message("log.plot", {"who": "Aki", "plot_colour": "green", "at": "1,0"})
    assert say(message) == "Aki lays a green plot on the place 1 step east of the pond."
    with force_locale("uk"):
        assert say(message) == "Aki розміщує зелену ділянку (1 крок на схід від ставка)."
    with force_locale("ja"):
        assert say(message) == "Akiさんが緑の区画を池から東へ1歩の場所に置きました。"


def test_numbers_take_the_right_form():
    with force_locale("uk"):
        said = [say_id("hint.eat", {"num": n, "colour": "pink"}) for n in (1, 2, 5)]
    assert [text.split()[5] for text in said] == ["сегмент", "сегменти", "сегментів"]


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", TEXTS)
def test_no_message_breaks_even_without_its_parameters(code, name):
    with force_locale(code):
        assert "%(" not in say_id(name, {})


def test_an_unknown_id_is_shown_as_it_is():
    assert say_id("log.something_new", {"who": "Aki"}) == "log.something_new"


def test_the_browser_s_wish_is_followed_until_the_device_chose():
    app = Flask(__name__)
    init_languages(app)

    @app.get("/greeting")
    def greeting():
        return say_id("hint.met", {})

    client = app.test_client()
    assert client.get("/greeting", headers={"Accept-Language": "uk-UA,uk;q=0.9,en;q=0.5"}).text == "Виконано вже зараз."
    assert client.get("/greeting", headers={"Accept-Language": "fr"}).text == "Met now."
    answer = client.get("/language/ja?next=/greeting")
    assert answer.status_code == 303
    assert answer.location == "/greeting"
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    assert "SameSite=Lax" in answer.headers["Set-Cookie"]
    assert client.get("/greeting", headers={"Accept-Language": "uk"}).text == "今、達成できます。"


@pytest.mark.parametrize(
    "target", ["//evil.example/", "https://evil.example/", "/\\evil.example", "evil", "/a\r\nX: y"]
)
def test_the_switch_never_leads_away(app, target):
    answer = app.test_client().get("/language/uk", query_string={"next": target})
    assert answer.location == "/"


def test_an_unknown_language_is_not_found(app):
    assert app.test_client().get("/language/xx").status_code == 404


def test_the_reconciler_s_messages_nest_and_are_translated():
    """A slip names its place by the colour and the side of the pond; both are messages of their own."""
    place_words = Slip("where.ring", {"colour": Slip("colour.pink"), "side": Slip("side.3")})
    message = Slip("mend.put", {"count": 1, "colour": Slip("colour.pink"), "where": place_words,
                                "because": Slip("because.none")})  # fmt: skip
    assert say(message) == "Put 1 pink section(s) on the pink plot left of the pond."
    with force_locale("uk"):
        assert say(message) == "Додайте сегменти (рожевий, 1): ділянка (рожевий) ліворуч від ставка."
    with force_locale("ja"):
        assert say(message) == "池の左にある桃の区画に桃の竹を1節置いてください。"


def test_what_the_eye_remarks_is_said_in_the_reader_s_language():
    remark = Remark("eye.cards_left_out", {"cards": "2, 3"})
    assert say(remark) == "Left out marker cards that do not lie flat on the table: 2, 3"
    with force_locale("uk"):
        assert say(remark) == "Не враховано картки-мітки, що не лежать рівно на столі: 2, 3"
    with force_locale("ja"):
        assert say(remark) == "テーブルに平らに置かれていない目印カードは使いません：2, 3"


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", [*ENGLISH, *REMARKS])
def test_no_message_of_the_reconciler_or_the_eye_breaks(code, name):
    with force_locale(code):
        assert "{" not in say_id(name, {})
