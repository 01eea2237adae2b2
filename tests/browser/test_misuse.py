"""Pages under hasty fingers, sleepy phones and hostile records, in a real Chromium."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from test_phones import HANDS, NAMES, sit

from companion.games.takenoko.moves import Draw
from companion.games.takenoko.notation import parse_move
from companion.record import Do, Game, Header, write_header, write_line
from companion.signals import Button

pytestmark = pytest.mark.browser

MARKUP = '"><img src=x onerror=alert(1)><b>'
SCRIPT = "</script><script>alert(2)</script>"


def draws(house):
    events = [event for _, event in house.evening.session.snapshot().game.standing()]
    return sum(isinstance(event, Do) and isinstance(event.move, Draw) for event in events)


def test_two_taps_at_once_draw_one_card(house, open_page):
    house.evening.begin(Header(seats=NAMES, hands=HANDS))
    screen = open_page(host=True)
    screen.evaluate(
        """async () => {
          const token = document.querySelector('meta[name="csrf-token"]').content;
          const body = JSON.stringify({ do: "draw panda", version: 1 });
          const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
          const both = [1, 2, 3].map(() => fetch("/moves", { method: "POST", headers, body }));
          window.statuses = (await Promise.all(both)).map((answer) => answer.status).sort();
        }"""
    )
    assert screen.evaluate("window.statuses") == [200, 409, 409]
    assert draws(house) == 1


def test_a_trembling_finger_on_a_phone_draws_one_card(house, open_page):
    house.evening.begin(Header(seats=NAMES))
    phone = open_page(width=390, height=844)
    sit(phone, house, 0)
    phone.locator('[data-key="draw panda"]').click()
    phone.locator("#chooser-secret").dblclick()
    expect(phone.locator("#undo")).to_be_visible()
    expect(phone.locator("#log")).to_contain_text("draws a card")
    assert draws(house) == 1


def test_names_reasons_and_records_with_markup_stay_text(house, open_page, tmp_path):
    """A record from elsewhere may hold anything: nothing of it runs, on any page."""
    header = Header(seats=(MARKUP, SCRIPT), hands=(HANDS[0], None), id=MARKUP)
    game = Game.start(header).append(Do(0, parse_move("plot green 1,0"), by="import", id=SCRIPT))
    path = tmp_path / "evil.jsonl"
    path.write_text(write_header(header) + "".join(write_line(event) for event in game.events), encoding="utf-8")
    host = open_page("/games/", host=True)
    host.goto(f"{house.url}/games/")
    host.set_input_files('input[type="file"]', path)
    host.locator('form[action="/games/import"] button').click()
    host.wait_for_url(f"{house.url}/")
    house.evening.session.correct({"bamboo": {"1,0": 3}}, MARKUP + SCRIPT, by="host")
    phone = open_page(width=390, height=844)
    sit(phone, house, 0)
    popped = []
    for page in (host, phone):
        page.on("dialog", lambda dialog: (popped.append(dialog.message), dialog.dismiss()))
    night = house.evening.name
    for page, paths in (
        (host, ("/", "/games/", "/join", "/nights", f"/nights/{night}", "/watch")),
        (phone, ("/seat/0", "/join")),
    ):
        for path in paths:
            page.goto(house.url + path)
            page.wait_for_load_state("networkidle" if path.startswith(("/nights", "/games", "/join")) else "load")
            assert page.locator("main img[onerror], main script:not([src]):not([type])").count() == 0, path
            expect(page.locator("main")).to_contain_text("onerror=alert(1)")
    assert popped == []


def test_a_phone_that_slept_an_hour_asks_anew_when_it_wakes(house, open_page):
    """Its connection may be dead without its knowing: it opens another and is right at once."""
    house.evening.begin(Header(seats=NAMES, hands=HANDS))
    phone = open_page(width=390, height=844)
    sit(phone, house, 1)
    expect(phone.locator("#turn")).to_contain_text("It is Aki's turn.")
    streams = []
    phone.on("request", lambda asked: streams.append(asked.url) if asked.url.endswith("/stream") else None)
    house.evening.tell(parse_move("plot green 1,0"), seat=0, by="browser")
    phone.evaluate(
        "() => { const now = Date.now; Date.now = () => now() + 3600e3;"
        " document.dispatchEvent(new Event('visibilitychange')); }"
    )
    expect(phone.locator("#log")).to_contain_text("lays a green plot")
    expect(phone.locator("#offline")).to_be_hidden()
    assert len(streams) == 1


def test_the_log_is_read_aloud_only_when_wished_and_mute_stops_it(house, open_page):
    house.evening.begin(Header(seats=NAMES, hands=HANDS))
    phone = open_page(width=390, height=844)
    phone.add_init_script(
        "window.said = []; window.stopped = 0;"
        "Object.defineProperty(window, 'speechSynthesis', { value: {"
        " speak: (each) => { said.push([each.lang, each.text]);"
        " document.documentElement.dataset.said = said.map((one) => one.join(': ')).join(' | '); },"
        " cancel: () => { stopped += 1; } } });"
    )
    sit(phone, house, 1)
    house.evening.tell(parse_move("plot green 1,0"), seat=0, by="browser")
    expect(phone.locator("#log")).to_contain_text("green plot")
    assert phone.evaluate("said") == []
    phone.click("#speak")
    expect(phone.locator("#speak")).to_have_attribute("aria-pressed", "true")
    house.evening.tell(parse_move("panda 1,0"), seat=0, by="browser")
    expect(phone.locator("html")).to_have_attribute("data-said", re.compile(r"en: [^|]*panda"))
    phone.click("#speak")
    assert phone.evaluate("stopped") == 1
    count = len(phone.evaluate("said"))
    house.evening.tell(parse_move("end"), seat=0, by="browser")
    expect(phone.locator("#turn")).to_contain_text("It is your turn.")
    assert len(phone.evaluate("said")) == count


def test_with_reduced_motion_nothing_moves(house, open_page):
    house.evening.begin(Header(seats=NAMES, hands=HANDS))
    screen = open_page("/", reduced_motion="reduce")
    house.evening.tell(parse_move("plot green 1,0"), seat=0, by="browser")
    expect(screen.locator(".g-plot")).to_have_count(1)
    longest = screen.evaluate(
        "Math.max(0, ...document.getAnimations().map((each) => each.effect.getComputedTiming().duration))"
    )
    assert longest <= 1


def test_a_drawn_card_that_is_met_goes_back_under_cover(house, open_page, shot):
    evening = house.evening
    evening.begin(Header(seats=NAMES, options={"discard_fulfilled_draw": True}))
    evening.tell(parse_move("plot green 1,0"), seat=None, by="browser")
    evening.session.correct({"plots": {"0,1": "yellow 4"}, "bamboo": {"1,0": 4}}, "grown", by="host")
    host = open_page("/", host=True)
    watching = open_page("/")
    evening.tell(parse_move("draw gardener"), seat=None, by="browser")
    host.click('[data-verb="discard"]')
    expect(host.locator("#covered")).to_be_visible()
    expect(host.locator("#covered [data-value]").first).to_be_hidden()
    shot(host, "table-put-back-covered")
    host.click("#covered button.primary")
    expect(host.locator("#covered [data-value]")).to_have_count(2)
    host.click('#covered [data-value="gardener-green-plain"]')
    expect(host.locator("#covered")).to_be_hidden()
    expect(watching.locator("#log")).to_contain_text("Aki puts the drawn card back: it is met already.")
    assert not re.search("Green, 4 high", watching.locator("#log").inner_text())


def test_a_claim_by_hand_is_chosen_among_several_cards(house, open_page):
    evening = house.evening
    evening.begin(Header(seats=NAMES))
    evening.tell(parse_move("plot green 1,0"), seat=None, by="browser")
    evening.session.correct({"plots": {"0,1": "yellow 4"}, "bamboo": {"1,0": 4}}, "grown", by="host")
    host = open_page("/", host=True)
    host.click('[data-verb="claim"]')
    expect(host.locator("#options-list")).to_contain_text("Yellow, 4 high, without improvement")
    host.click('#options-list [data-value="gardener-yellow-plain"]')
    expect(host.locator("#log")).to_contain_text("Aki fulfils an objective")


def test_a_shared_tablet_names_no_card_while_covered_and_still_fulfils_one(house, open_page, shot):
    evening = house.evening
    evening.begin(Header(seats=NAMES, hands=HANDS, options={"discard_fulfilled_draw": True}))
    tablet = open_page(width=820, height=1180)
    sit(tablet, house, 1)
    sit(tablet, house, 0)
    tablet.click('[data-key="fulfil"]')
    expect(tablet.locator("#chooser-none")).to_be_visible()
    tablet.click("#chooser-cancel")
    evening.session.correct(
        {"plots": {"1,0": "green 4"}, "seats": [{"bamboo": {"green": 2}}, {}, {}]}, "grown", by="host"
    )
    evening.tell(parse_move("draw gardener gardener-green-plain"), seat=0, by="phone")
    put_back = tablet.locator('[data-key="put back"]')
    expect(put_back).to_be_visible()
    assert not re.search("2 green sections|Green, 4 high", tablet.locator("main").inner_text())
    shot(tablet, "hot-seat-covered")
    put_back.click()
    expect(tablet.locator("#log")).to_contain_text("puts the drawn card back")
    tablet.click('[data-key="fulfil"]')
    expect(tablet.locator("#chooser-cards li")).to_have_count(1)
    shot(tablet, "hot-seat-fulfil")
    tablet.click("#chooser-cards button")
    expect(tablet.locator("#claimed")).to_contain_text("2 green sections")


def test_a_card_told_early_is_not_named_on_a_covered_page(house, open_page):
    evening = house.evening
    evening.begin(Header(seats=NAMES, hands=HANDS))
    phone = open_page(width=390, height=844)
    sit(phone, house, 0)
    evening.session.watch(True)
    evening.tell(parse_move("claim gardener-pink-plain"), seat=0, by="phone")
    evening.tell(parse_move("draw panda panda-pink"), seat=0, by="phone")
    expect(phone.locator("#pending")).to_contain_text("2 pink sections")
    phone.click("#peek")
    expect(phone.locator("#pending")).to_contain_text("draws a card")
    assert "2 pink sections" not in phone.locator("#pending").inner_text()


def test_a_refused_button_is_said_on_every_page_with_the_way_to_its_rule(house, open_page):
    house.evening.begin(Header(seats=NAMES, hands=HANDS))
    screen = open_page("/")
    phone = open_page(width=390, height=844)
    sit(phone, house, 0)
    house.evening.press(Button.ROLL)
    for page in (screen, phone):
        expect(page.locator("#toast")).to_contain_text("there is no roll in a player's first turn")
    screen.click("#toast a")
    screen.wait_for_url("**/rules#T-TURN-1")
    expect(screen.locator("#T-TURN-1")).to_be_visible()
