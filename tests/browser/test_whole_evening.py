"""A whole evening on the table's screen, from the new game to the final scores, in a real Chromium."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import Page, expect

from companion.games.takenoko.legality import legal_moves
from companion.games.takenoko.moves import Claim, Draw, End, LayPlot, Roll, Skip, Stop
from companion.games.takenoko.notation import parse_move
from companion.games.takenoko.objectives import met, payable
from companion.services.pending import Choice, Step
from companion.services.ports import Message, Mismatch, Sight
from companion.signals import Lamp

pytestmark = pytest.mark.browser


def ready(page: Page, house) -> None:
    """Wait until the host's page shows the newest state: a tap on an older one is refused, as it should be."""
    version = str(house.evening.session.snapshot().version)
    expect(page.locator("body")).to_have_attribute("data-version", version)
    expect(page.locator("#verbs")).to_have_attribute("data-version", version)


def press(page: Page, house, button: str) -> None:
    """Tap a button of the newest state."""
    ready(page, house)
    page.click(button)


def choose(page: Page, house, verb: str, *taps: str) -> None:
    """Enter a move by hand: a verb, then places in the garden and buttons."""
    press(page, house, f'[data-verb="{verb}"]')
    for tap in taps:
        if "," in tap:
            page.click(f'[data-key="spot {tap}"]')
        else:
            page.click(f'#options-list [data-value="{tap}"]')


def used(page: Page, count: int) -> None:
    expect(page.locator("#pips li.used")).to_have_count(count)


def begin(page: Page, house, *names: str) -> None:
    page.goto(f"{house.url}/games/new")
    for index, name in enumerate(names):
        page.fill(f"#name{index}", name)
    page.click("main button.primary")
    page.wait_for_url(f"{house.url}/")
    expect(page.locator("#who")).to_have_text(names[0])


def play_on(house, turns: int, rng: Random) -> None:
    """The people play some turns; all is told by hand through the session, as the page does it."""
    evening = house.evening
    for _ in range(turns):
        while True:
            state = evening.session.snapshot().game.state
            if state.turn is None:
                return
            if state.turn.awaits_roll():
                evening.roll_digital(by="browser")
                continue
            cards = [*met(state), *payable(state, state.turn.seat)]
            held = [card for card in cards if hidden(state, card)]
            moves = [move for move in legal_moves(state) if not isinstance(move, Stop | Roll | Skip | Claim)]
            acts = [move for move in moves if not isinstance(move, End)]
            plots = [move for move in acts if isinstance(move, LayPlot)]
            draws = [move for move in acts if isinstance(move, Draw)]
            move = Claim(held[0]) if held else rng.choice(draws or plots or acts or moves)
            evening.tell(move, seat=None, by="browser")
            if isinstance(move, End):
                break


def hidden(state, card: str) -> int:
    """Whether the seat may hold the card, as far as the record knows."""
    seat = state.seats[state.turn.seat]
    return seat.hidden[["plot", "gardener", "panda"].index(card.split("-")[0])] and state.copies_left(card)


def test_a_whole_evening_on_the_table_s_screen(house, open_page, shot):
    host = open_page(host=True)
    shot(host, "table-no-game")
    host.goto(f"{house.url}/games/new")
    shot(host, "new-game")
    begin(host, house, "Aki", "Oksana")
    watching = open_page()
    expect(watching.locator("#roll")).to_have_count(0)

    # Two turns by hand: the rules offer what is legal.
    choose(host, house, "plot", "1,0", "green")
    used(host, 1)
    choose(host, house, "gardener")
    shot(host, "table-choosing-a-place")
    host.click('[data-key="spot 1,0"]')
    used(host, 2)
    expect(watching.locator('.g-plot[data-at="1,0"] .count')).to_have_text("2")
    press(host, house, "#next")
    expect(watching.locator("#who")).to_have_text("Oksana")
    choose(host, house, "plot", "0,1", "pink/watershed")
    used(host, 1)
    choose(host, house, "draw", "panda")
    used(host, 2)
    press(host, house, "#next")
    expect(host.locator("#who")).to_have_text("Aki")

    # The die.
    press(host, house, "#roll")
    expect(watching.locator("#die")).not_to_contain_text("not rolled")
    press(host, house, "#undo")
    expect(watching.locator("#die")).to_contain_text("not rolled")

    # Undo to a named event, and forward again.
    host.on("dialog", lambda dialog: dialog.accept())
    press(host, house, '[data-key="line 2"]')
    expect(watching.locator(".g-plot")).to_have_count(1)
    expect(watching.locator("#log .undone").first).to_be_visible()
    shot(watching, "table-after-undo")
    house.evening.session.undo_to(7, by="host")
    expect(watching.locator("#who")).to_have_text("Aki")

    # The camera disagrees; the slip and its remedy are named; a correction mends the record.
    session = house.evening.session
    session.watch(True)
    what = Message("slip.extra_section", {"at": "1,0", "expected": "2", "observed": "3"})
    session.report(Sight(Lamp.DISAGREEMENT, (Mismatch("extra_section", "1,0", "2", "3", 0.97, "T-GROW-4", what),)))
    expect(watching.locator("#lamp")).to_have_attribute("data-lamp", "disagreement")
    expect(watching.locator("#mismatches")).to_be_visible()
    expect(watching.locator(".g-mark")).to_have_count(1)
    shot(watching, "table-disagreement")
    press(host, house, '.g-cell[data-at="1,0"]')
    host.select_option("#c-bamboo", "3")
    host.fill("#c-reason", "miscounted")
    shot(host, "table-correcting")
    host.click('#correct button[value="save"]')
    expect(watching.locator('.g-plot[data-at="1,0"] .count')).to_have_text("3")
    expect(watching.locator("#log .note").last).to_contain_text("miscounted")
    session.report(Sight(Lamp.IN_STEP))
    expect(watching.locator("#mismatches")).to_be_hidden()

    # The companion asks; one tap answers.
    press(host, house, "#roll")
    expect(host.locator("#roll")).to_be_hidden()
    session.undo_last(by="host")
    house.evening.tell(parse_move("roll wind"), seat=None, by="host")
    choices = [Choice((Step(0, parse_move("panda 1,0")),), 0.6), Choice((Step(0, parse_move("panda 0,1")),), 0.3)]
    session.ask(session.snapshot().version, Message("question.which"), choices)
    expect(host.locator("#question button")).to_have_count(3)
    expect(watching.locator("#lamp")).to_have_attribute("data-lamp", "asking")
    shot(host, "table-question")
    press(host, house, '[data-key="answer 0"]')
    expect(watching.locator("#question")).to_be_hidden()
    expect(watching.locator("#log")).to_contain_text("panda")

    # An end waits until the table was seen; without a camera it can be entered.
    press(host, house, "#next")
    expect(watching.locator("#pending li")).to_have_count(1)
    press(host, house, "#pending button")
    expect(watching.locator("#who")).to_have_text("Oksana")
    session.watch(False)

    # The companion goes away and comes back; meanwhile the game went on.
    house.shut()
    expect(watching.locator("#lamp")).to_have_attribute("data-lamp", "offline")
    play_on(house, 6, Random(1))
    house.open()
    expect(watching.locator("#lamp")).to_have_attribute("data-lamp", "by_hand")
    plots = len(house.evening.session.snapshot().game.state.plots)
    expect(watching.locator(".g-plot")).to_have_count(plots)
    shot(watching, "table-midgame")

    # To the end.
    play_on(house, 200, Random(2))
    if house.evening.session.snapshot().game.state.turn is not None:
        house.evening.tell(parse_move("stop"), seat=None, by="host")
    expect(watching.locator("#end .winner")).to_be_visible()
    expect(watching.locator("#end .chart polyline")).to_have_count(2)
    expect(watching.locator("#end tbody tr")).to_have_count(2)
    shot(watching, "table-final-scores")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1920])
def test_every_page_fits_its_screen_in_both_themes(house, open_page, shot, width, scheme):
    first = open_page(host=True, width=width, height=844 if width < 800 else 1080, scheme=scheme)
    begin(first, house, "Aki", "Oksana", "Jürgen")
    play_on(house, 8, Random(4))
    for name, path in (("table", "/"), ("new", "/games/new"), ("games", "/games/"), ("host", "/host")):
        first.goto(f"{house.url}{path}")
        expect(first.locator("main")).to_be_visible()
        box = first.locator("body").bounding_box()
        assert first.evaluate("document.documentElement.scrollWidth") <= width, f"{path} is wider than the screen"
        assert box["width"] <= width
        shot(first, f"{name}-{width}-{scheme}")


def test_the_table_is_entered_by_keyboard_alone(house, open_page):
    host = open_page(host=True)
    begin(host, house, "Aki", "Oksana")
    ready(host, house)
    host.focus('[data-verb="plot"]')
    host.keyboard.press("Enter")
    host.focus('[data-key="spot 1,0"]')
    host.keyboard.press("Enter")
    host.focus('#options-list [data-value="yellow"]')
    host.keyboard.press("Space")
    expect(host.locator('.g-plot[data-at="1,0"]')).to_have_count(1)
    ready(host, house)
    host.focus('[data-verb="gardener"]')
    host.keyboard.press("Enter")
    host.keyboard.press("Escape")
    expect(host.locator(".g-spot")).to_have_count(0)


def test_a_page_whose_question_went_unheard_asks_again(house, open_page):
    host = open_page(host=True)
    begin(host, house, "Aki", "Oksana")
    host.route("**/moves", lambda route: route.abort())
    house.evening.tell(parse_move("draw panda"), seat=None, by="browser")
    used(host, 1)
    host.unroute("**/moves")
    house.evening.tell(parse_move("plot yellow 1,0"), seat=None, by="browser")
    expect(host.locator('[data-verb="draw"]')).to_have_count(0)


def test_the_table_s_page_is_light(house, open_page):
    page = open_page(host=True)
    begin(page, house, "Aki", "Oksana")
    play_on(house, 8, Random(4))
    fresh = open_page()
    expect(fresh.locator(".g-plot").first).to_be_visible()
    # How soon it is painted is measured by the bench, where nothing else runs.
    size = fresh.evaluate(
        """() => [performance.getEntriesByType("navigation")[0], ...performance.getEntriesByType("resource")]
            .reduce((sum, entry) => sum + entry.transferSize, 0)"""
    )
    assert 10_000 < size < 300_000
