"""Refusals in the reader's language: every particular translated, and none that tells of another's hand."""

import itertools
import json
import re
from io import BytesIO

import pytest
from flask import Flask
from flask_babel import force_locale
from strategies import random_game
from test_seat import Phone

from companion.errors import IllegalMoveError
from companion.games.takenoko.legality import why_illegal
from companion.games.takenoko.notation import parse_move
from companion.games.takenoko.pieces import DECKS
from companion.record import Header, read_text, write_header
from companion.services.evening import Evening
from companion.services.ports import Message, Mismatch, Sight
from companion.signals import Button, Lamp
from web import catalogues
from web.i18n import init_languages
from web.present.messages import say
from web.present.refusals import fault_words, linked, refusal_words

# What stays in Latin letters: names, options, rules' ids.
SAME = re.compile(r"\bT-[A-Z]+-\d+|\b[a-z]+(?:_[a-z0-9]+)+|seat \d|Aki|Oksana|\(option\)")
LATIN = re.compile(r"[A-Za-z]{3,}")
CELLS = ("0,0", "1,0", "0,1", "2,0", "1,-1", "-1,1", "5,5")
EDGES = ("1,0|0,1", "1,0|0,0", "5,5|5,4", "1,0|1,-1", "2,0|1,0")
MOVES = [
    *(f"plot {kind} {at}" for kind in ("green", "pink/watershed") for at in CELLS), "plot green 1,-1 +enclosure",
    *(f"{verb} {at}" for verb in ("gardener", "panda", "rain", "storm") for at in CELLS),
    *(f"{verb} {edge}" for verb in ("channel", "irrigate") for edge in EDGES),
    *(f"improve {at} enclosure" for at in CELLS), *(f"chip enclosure {at}" for at in CELLS),
    *(f"draw {deck.value}" for deck in DECKS), *(f"weather {face}" for face in ("sun", "clouds", "choice")),
    *(f"{verb} {card}" for verb in ("claim", "discard", "know")
      for card in ("panda-green", "gardener-green-plain", "gardener-green-group", "plot-green-line", "panda-mixed")),
    "draw panda panda-green", "channel", "chip enclosure", "roll sun", "skip", "end",
]  # fmt: skip


@pytest.fixture(scope="module")
def words():
    app = Flask(__name__)
    init_languages(app)
    with app.test_request_context("/"):
        yield


def refusals():
    """What is refused in some games, with what each is in English: by message, an error."""
    found = {}
    games = [(seed, steps) for seed in range(2) for steps in (1, 9, 90)]
    for (seed, steps), ruleset in itertools.product(games, ("classic", "bga")):
        state = random_game(seed, steps, ruleset=ruleset).state
        for text, seat in itertools.product(MOVES, (None, 0)):
            refusal = why_illegal(state, parse_move(text), seat)
            if refusal is not None:
                found.setdefault(refusal.text, IllegalMoveError(refusal.rule, refusal.text, refusal.params))
    return found


@pytest.mark.parametrize("code", catalogues.CODES)
def test_every_refusal_is_translated_with_its_particulars(words, code):
    found = refusals()
    assert len(found) >= 30
    for error in found.values():
        with force_locale(code):
            said = refusal_words(error)
        assert not LATIN.findall(SAME.sub("", said)), said
        assert said != f"{error.message} ({error.rule})"


def test_in_english_places_and_cards_are_told_in_words(words):
    error = IllegalMoveError("T-PLOT-2", "%(at)s is not empty", {"at": "1,0"})
    assert refusal_words(error) == "the place 1 step east of the pond is not empty (T-PLOT-2)"
    assert str(error) == "1,0 is not empty (T-PLOT-2)"
    error = IllegalMoveError("T-CHAN-2", "there is none on %(at)s", {"at": ("1,0", "0,0")})
    assert refusal_words(error) == "there is none on the place 1 step east of the pond and the pond (T-CHAN-2)"


def test_every_message_of_the_rules_is_in_the_catalogues():
    """The literal messages of refusal.py are what Babel found there: a message built another way would be missed."""
    source = (catalogues.ROOT / "companion/games/takenoko/refusal.py").read_text(encoding="utf-8")
    built = re.findall(r"Refusal\(\s*(?!rule)[^)]*?f\"", source)
    assert built == []
    found = [each for each in catalogues.extract() if any("refusal.py" in name for name, _ in each.locations)]
    assert len(found) >= 50


@pytest.mark.parametrize(
    ("code", "says"), [("ja", "一直線上にありません"), ("uk", "не лежить на прямій"), ("en", "in a straight line")]
)
def test_a_refused_move_is_answered_in_the_reader_s_language(app, game, code, says):
    client = app.test_client()
    client.get(f"/language/{code}")
    phone = Phone(app)
    phone.client = client
    phone.sit(0)
    answer = phone.post("/seat/0/moves", do="panda 2,1")
    assert answer.status_code == 422
    assert says in answer.json["message"]
    assert answer.json["rule"] == "T-MOVE-1"


@pytest.mark.parametrize(("code", "says"), [("ja", "先へ進みました"), ("uk", "пішла далі"), ("en", "moved on")])
def test_a_stale_command_is_answered_in_the_reader_s_language(app, game, code, says):
    phone = Phone(app)
    phone.client.get(f"/language/{code}")
    phone.sit(0)
    answer = phone.post("/seat/0/moves", do="panda 1,0", version=1)
    assert answer.status_code == 409
    assert says in answer.json["message"]


def test_a_button_s_refusal_is_said_in_each_language(words, game):
    game.press(Button.NEXT)
    game.press(Button.ROLL)
    note = game.note.message
    with force_locale("ja"):
        assert "最初の手番" in say(note)
    assert "first turn" in say(note)


def test_what_is_wrong_in_an_imported_line_is_told_by_its_rule(words):
    text = write_header(Header(("A", "B"))) + '{"seat":0,"do":"plot green 5,5"}\n'
    fault = read_text(text.encode()).fault
    assert fault is not None
    with force_locale("uk"):
        assert not LATIN.findall(SAME.sub("", fault_words(fault)))
    assert fault.message in fault_words(fault)


class TestSecrets:
    """Refusals that follow from others' cards."""

    HANDS = (("plot-green-line", "gardener-pink-plain", "panda-green"), None)

    @pytest.fixture
    def phones(self, app, evening):
        evening.begin(Header(seats=("Aki", "Oksana"), hands=self.HANDS))
        made = [Phone(app), Phone(app)]
        for seat, phone in enumerate(made):
            phone.sit(seat)
        return made

    def test_a_card_that_another_hand_holds_is_refused_without_saying_so_and_everyone_is_told(
        self, phones, evening: Evening
    ):
        answer = phones[1].post("/seat/1/moves", do="know plot-green-line")
        assert answer.status_code == 422
        assert "elsewhere" not in answer.json["message"]
        assert "Aki" not in answer.json["message"]
        assert evening.note is not None
        assert evening.note.message == Message("notice.cards_differ", {"who": "Oksana"})

    def test_a_card_that_everyone_sees_elsewhere_is_refused_plainly(self, phones, evening):
        evening.session.correct({"seats": [{"hand": list(self.HANDS[0][1:]), "claimed": ["plot-green-line"]}, {}]},
                                "shown", by="host")  # fmt: skip
        answer = phones[1].post("/seat/1/moves", do="know plot-green-line")
        assert answer.status_code == 422
        assert "known to be elsewhere" in answer.json["message"]
        assert evening.note is None

    def test_the_host_cannot_try_out_a_known_hand_even_where_no_device_holds_the_seat(self, host, evening):
        evening.begin(Header(seats=("Aki", "Oksana"), hands=self.HANDS))
        evening.tell(parse_move("plot green 1,0"), seat=None, by="browser")
        evening.session.correct({"bamboo": {"1,0": 4}}, "grown", by="host")
        replies = {
            json.dumps(host.post("/moves", {"do": f"claim {card}"}).json)
            for card in ("gardener-green-plain", "gardener-pink-plain", "plot-green-line", "plot-pink-line")
        }
        assert len(replies) == 1
        assert "T-OBJ-1" in replies.pop()

    def test_the_host_may_claim_for_a_seat_that_shows_its_hand(self, host, phones, evening):
        phones[0].post("/seat/0/wish", shown=True)
        for move in ("plot green 1,0", "panda 1,0", "end", "plot pink 0,1", "panda 0,0", "end", "roll wind"):
            evening.tell(parse_move(move), seat=None, by="phone")
        for move in ("gardener 1,0", "panda 1,0"):
            evening.tell(parse_move(move), seat=None, by="phone")
        assert host.post("/moves", {"do": "claim panda-green"}).status_code == 200

    @pytest.mark.usefixtures("phones")
    def test_a_told_thing_that_is_refused_is_shown_without_its_card(self, stranger, evening, view):
        what = Message("told.refused", {"move": "draw plot plot-pink-line", "seat": 1, "why": "plot-pink-line is not"})
        slip = Mismatch("other", "", "", "draw plot plot-pink-line", 1.0, "T-DRAW-2", what, Message("mend.told"))
        evening.session.watch(True)
        evening.session.report(Sight(Lamp.DISAGREEMENT, (slip,)))
        page = stranger.get("/").text + json.dumps(view(stranger)) + stranger.get("/feed/state.json").text
        assert "Oksana draws a card: plot objective." in page
        assert "plot-pink-line" not in re.sub(r'<script id="words".*?</script>', "", page, flags=re.DOTALL)


class TestPuttingBack:
    """A drawn card that is met already goes back under its deck (T-OBJ-7), and nobody sees which it was."""

    def grown(self, evening, hands=None):
        evening.begin(Header(seats=("Aki", "Oksana"), hands=hands, options={"discard_fulfilled_draw": True}))
        evening.tell(parse_move("plot green 1,0"), seat=None, by="browser")
        evening.session.correct({"bamboo": {"1,0": 4}}, "grown", by="host")

    def test_a_paper_card_is_chosen_among_all_that_are_met(self, host, stranger, evening, view):
        self.grown(evening)
        assert not any(move.startswith("discard") for move in host.get("/moves").json["moves"])
        host.post("/moves", {"do": "draw gardener"})
        offered = [move for move in host.get("/moves").json["moves"] if move.startswith("discard")]
        assert offered == ["discard gardener-green-plain"]
        assert host.post("/moves", {"do": offered[0]}).status_code == 200
        shown = view(stranger)
        assert "Aki puts the drawn card back: it is met already." in shown["log"][-1]["words"]
        assert "gardener-green-plain" not in json.dumps(shown["log"])
        assert len(shown["turn"]["used"]) == 1

    def test_a_card_that_the_companion_dealt_goes_back_by_its_deck_alone(self, host, stranger, evening, view):
        self.grown(evening, hands=(("plot-green-line", "gardener-pink-plain", "panda-green"), None))
        evening.tell(parse_move("draw gardener gardener-green-plain"), seat=None, by="phone")
        offered = [move for move in host.get("/moves").json["moves"] if move.startswith("discard")]
        assert offered == ["discard gardener"]
        assert host.post("/moves", {"do": "discard gardener"}).status_code == 200
        assert "gardener-green-plain" not in json.dumps(view(stranger)["log"])
        assert host.post("/moves", {"do": "discard gardener"}).status_code == 409

    def test_a_wrong_card_is_refused_in_one_way(self, host, evening):
        self.grown(evening, hands=(("plot-green-line", "gardener-pink-plain", "panda-green"), None))
        host.post("/moves", {"do": "draw gardener"})
        cards = ("gardener-pink-plain", "gardener-yellow-plain", "plot-green-line")
        replies = {host.post("/moves", {"do": f"discard {card}"}).json["message"] for card in cards}
        assert len(replies) == 1


def test_every_rule_that_a_page_names_leads_to_its_plain_words():
    shown = linked("3: <b>no</b> plot (T-PLOT-2), or (option) and (nothing)")
    assert shown == (
        '3: &lt;b&gt;no&lt;/b&gt; plot (<a href="/rules#T-PLOT-2">T-PLOT-2</a>), or'
        ' (<a href="/rules#option">option</a>) and (nothing)'
    )


def test_a_refused_import_links_its_rule(host):
    record = write_header(Header(("A", "B"))) + '{"seat":0,"do":"plot green 5,5"}\n'
    page = host.form("/games/import", record=(BytesIO(record.encode()), "night.jsonl")).text
    assert '<a href="/rules#T-PLOT-2">' in page


def test_what_is_said_once_reaches_phones_and_table_with_its_rule(app, game, stranger, view):
    phone = Phone(app)
    phone.sit(0)
    game.press(Button.NEXT)
    game.press(Button.ROLL)
    note = phone.view(0)["note"]
    assert note == view(stranger)["note"]
    assert note["rule"] == "T-TURN-1"
