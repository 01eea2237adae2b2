"""A whole evening with three phones and the table's screen, in a real Chromium: dealt cards, claims, hand-over."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import expect

from companion.games.takenoko.legality import legal_moves
from companion.games.takenoko.moves import Claim, Draw, End, LayPlot, Roll, Skip, Stop
from companion.games.takenoko.notation import parse_move
from companion.record import Header

pytestmark = pytest.mark.browser

NAMES = ("Aki", "Oksana", "Ren")
HANDS = (
    ("plot-green-line", "gardener-pink-plain", "panda-green"),
    ("plot-pink-line", "gardener-green-group", "panda-mixed"),
    ("plot-yellow-line", "gardener-yellow-group", "panda-yellow"),
)


def sit(page, house, seat):
    page.goto(f"{house.url}/join")
    page.click(f'button[name="seat"][value="{seat}"]')
    page.wait_for_url(f"{house.url}/seat/{seat}")


def test_an_evening_with_three_phones_and_a_table(house, open_page, shot):
    """From the new game to the final scores: the phones draw and fulfil, the table shows and never tells a secret."""
    screen = open_page("/games/new", host=True)
    screen.goto(f"{house.url}/games/new")
    for index, name in enumerate(NAMES):
        screen.fill(f"#name{index}", name)
    screen.check('input[name="deal"]')
    screen.click("main form.page button.primary")
    screen.wait_for_url(f"{house.url}/")
    phones = [open_page(width=390, height=844) for _ in NAMES]
    for seat, phone in enumerate(phones):
        sit(phone, house, seat)
        expect(phone.locator("#hand > li")).to_have_count(3)
    expect(phones[0].locator("#turn")).to_contain_text("It is your turn.")
    expect(phones[1].locator("#turn")).to_contain_text("It is Aki's turn.")
    phones[0].click('[data-key="draw panda"]')
    expect(phones[0].locator("#hand > li")).to_have_count(4)
    expect(screen.locator("#log")).to_contain_text("Aki draws a card: panda objective.")
    phones[0].click("#undo")
    expect(phones[0].locator("#hand > li")).to_have_count(3)
    shot(phones[0], "seat-own-turn")
    rng, evening = Random(11), house.evening
    fulfilled = 0
    for _ in range(400):
        state = evening.session.snapshot().game.state
        if state.turn is None or fulfilled >= 3:
            break
        if state.turn.awaits_roll():
            evening.roll_digital(by="button")
            continue
        moves = [move for move in legal_moves(state) if not isinstance(move, Stop | Roll | Skip)]
        claims = [move for move in moves if isinstance(move, Claim)]
        if claims:
            phone = phones[state.turn.seat]
            # A tap on what is no longer so is refused: people tap what they see.
            version = evening.session.snapshot().version
            expect(phone.locator("#seat")).to_have_attribute("data-version", str(version))
            phone.locator(f'[data-key="claim {claims[0].card}"]').first.click()
            expect(phone.locator("#undo")).to_be_visible()
            fulfilled += 1
            continue
        acts = [move for move in moves if not isinstance(move, End | Draw)]
        plots = [move for move in acts if isinstance(move, LayPlot)]
        move = rng.choice(plots if plots and len(state.plots) < 8 else acts or moves)
        evening.tell(move, seat=None, by="browser")
    assert fulfilled == 3
    evening.tell(parse_move("stop"), seat=None, by="host")
    for phone in phones:
        expect(phone.locator("#turn")).to_contain_text("The game is over.")
    expect(screen.locator("#end")).to_be_visible()
    shot(phones[1], "seat-over")
    # The words of all kinds of cards are the same on every table's page.
    page = re.sub(r'<script id="words".*?</script>', "", screen.content(), flags=re.DOTALL)
    assert not any(card in page for seat in evening.session.snapshot().game.state.seats for card in seat.hand)


def test_a_phone_that_lost_its_seat_gets_it_back_and_hands_it_over(house, open_page):
    house.evening.begin(Header(seats=NAMES, hands=HANDS))
    first = open_page(width=390, height=844)
    sit(first, house, 0)
    first.click("details summary")
    code = first.locator("#code").inner_text()
    second = open_page(f"/join?code={code}", width=390, height=844)
    second.click('form[action="/join/code"] button')
    second.wait_for_url(f"{house.url}/seat/0")
    expect(second.locator("#hand > li")).to_have_count(3)
    first.wait_for_url(f"{house.url}/join")
    expect(second.locator("#code")).not_to_have_text(code)


def test_on_a_shared_tablet_cards_show_only_while_held(house, open_page):
    house.evening.begin(Header(seats=NAMES, hands=HANDS))
    tablet = open_page(width=820, height=1180)
    sit(tablet, house, 0)
    sit(tablet, house, 1)
    expect(tablet.locator("#hand")).to_be_hidden()
    box = tablet.locator("#peek").bounding_box()
    tablet.mouse.move(box["x"] + 10, box["y"] + 10)
    tablet.mouse.down()
    expect(tablet.locator("#hand")).to_be_visible()
    tablet.mouse.up()
    expect(tablet.locator("#hand")).to_be_hidden()
    tablet.locator("#peek").focus()
    tablet.keyboard.down(" ")
    expect(tablet.locator("#hand")).to_be_visible()
    tablet.keyboard.up(" ")
    expect(tablet.locator("#hand")).to_be_hidden()


def test_a_paper_card_is_named_from_its_picture(house, open_page, shot):
    house.evening.begin(Header(seats=NAMES))
    phone = open_page(width=390, height=844)
    sit(phone, house, 0)
    phone.click('[data-key="draw panda"]')
    expect(phone.locator("#chooser-cards li")).to_have_count(4)
    shot(phone, "seat-chooser")
    phone.click("#chooser-cards li:nth-child(2) button")
    expect(phone.locator("#hand > li")).to_have_count(1)
    phone.click('[data-key="know plot"]')
    phone.click("#chooser-cards li:nth-child(1) button")
    expect(phone.locator("#hand > li")).to_have_count(2)


def test_a_phone_finds_its_way_back_when_the_companion_restarts(house, open_page):
    house.evening.begin(Header(seats=NAMES, hands=HANDS))
    phone = open_page(width=390, height=844)
    sit(phone, house, 1)
    house.shut()
    expect(phone.locator("#offline")).to_be_visible()
    house.evening.tell(parse_move("plot green 1,0"), seat=0, by="browser")
    house.open()
    expect(phone.locator("#offline")).to_be_hidden()
    expect(phone.locator("#log")).to_contain_text("Aki lays a green plot")
    expect(phone.locator("#hand > li")).to_have_count(3)


def test_the_replay_moves_by_slider_and_keys(house, open_page, shot):
    evening = house.evening
    evening.begin(Header(seats=NAMES, hands=HANDS))
    for text in ("plot green 1,0", "panda 1,0", "end"):
        evening.tell(parse_move(text), seat=None, by="browser")
    page = open_page(f"/nights/{evening.name}", width=1000, height=900)
    expect(page.locator("#step-words")).to_have_text("Aki ends the turn.")
    page.locator("#slider").focus()
    page.keyboard.press("Home")
    expect(page.locator("#garden .g-plot")).to_have_count(0)
    page.click("#forward")
    expect(page.locator("#garden .g-plot")).to_have_count(1)
    shot(page, "night")
