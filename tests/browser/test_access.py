"""Every page for everyone: axe-core finds nothing in both themes, and in no language is a word left in English."""

from __future__ import annotations

import re
from importlib import resources

import pytest
from playwright.sync_api import expect

from companion.games.takenoko.notation import parse_move
from companion.record import Header
from companion.services.pending import Choice, Step
from companion.services.ports import Message, Mismatch, Sight
from companion.signals import Lamp

pytestmark = pytest.mark.browser

HANDS = (
    ("plot-green-line", "gardener-pink-plain", "panda-green"),
    ("plot-pink-line", "gardener-green-group", "panda-mixed"),
)
AXE = (resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

PUBLIC = ["/", "/host", "/join", "/rules", "/rules?q=water", "/nights", "/nights/NIGHT", "/watch", "/no-such-page"]
HOSTED = ["/", "/host", "/games/", "/games/new", "/join", "/camera/", "/simulated/"]
PHONE = ["/seat/0", "/join"]


class Camera:
    """What the camera page shows."""

    def picture(self, _overlay):
        return None

    def status(self):
        return {"source": "simulated", "open": True, "error": None, "cards": [0, 1], "advice": [{"id": "notice.hand"}]}

    def recalibrate(self):
        """Nothing to forget."""


class Toy:
    """What the simulated table's page shows."""

    def look(self):
        return {"plots": {"1,0": "green 2"}, "channels": [], "gardener": "0,0", "panda": "0,0", "hand": False,
                "lamp": False, "bumped": False}  # fmt: skip

    def put(self, what, at, value):
        """Nothing moves."""

    def disturb(self, what):
        """Nothing is disturbed."""


@pytest.fixture
def night(house):
    """A game with something of everything on its pages."""
    evening = house.evening
    evening.camera, evening.toy = Camera(), Toy()
    evening.begin(Header(seats=("Aki", "Oksana"), hands=HANDS, at="2026-11-28T18:00:00Z"))
    for text in ("plot green 1,0", "panda 1,0", "end", "plot pink 0,1", "draw plot", "end", "roll storm"):
        evening.tell(parse_move(text), seat=None, by="phone")
    session = evening.session
    session.correct({"bamboo": {"1,0": 1}}, "Aki, Oksana", by="host")
    session.watch(True)
    slip = Mismatch("growth_forgotten", "0,1", "bamboo 1", "bamboo 0", 0.96, "T-GARD-1", Message("notice.light"),
                    Message("notice.hand"))  # fmt: skip
    session.report(Sight(Lamp.DISAGREEMENT, (slip,), (Message("notice.hand"),), ("storm 1,0",), 0.97))
    steps = (Step(0, parse_move("storm 0,1")),), (Step(0, parse_move("skip")),)
    choices = [Choice(each, 0.5) for each in steps]
    session.ask(session.snapshot().version, Message("question.which"), choices)
    return evening


def violations(page):
    page.evaluate(AXE)
    found = page.evaluate("tags => axe.run({runOnly: tags, resultTypes: ['violations']})", TAGS)
    return [
        f"{page.url}: {each['id']}: {each['help']}: {[node['html'][:160] for node in each['nodes'][:3]]}"
        for each in found["violations"]
    ]


def too_wide(page):
    """What makes a page scroll sideways."""
    return page.evaluate(
        "document.documentElement.scrollWidth <= innerWidth + 1 ? [] : [...document.body.querySelectorAll('*')]"
        ".filter((node) => node.getBoundingClientRect().right > innerWidth + 1 && !node.children.length)"
        ".sort((a, b) => b.getBoundingClientRect().right - a.getBoundingClientRect().right).slice(0, 3)"
        ".map((node) => node.outerHTML.slice(0, 160))"
    )


def settled(page):
    page.wait_for_load_state("load")
    page.evaluate("document.fonts.ready.then(() => null)")


def sit(page, house, seat):
    page.goto(f"{house.url}/join")
    page.click(f'button[name="seat"][value="{seat}"]')
    page.wait_for_url(f"{house.url}/seat/{seat}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page(house, night, open_page, scheme):
    found = []
    visits = (
        (open_page(scheme=scheme, reduced_motion="reduce"), PUBLIC),
        (open_page(scheme=scheme, reduced_motion="reduce", host=True), HOSTED),
        (open_page(scheme=scheme, reduced_motion="reduce", width=390, height=844), PHONE),
    )
    sit(visits[2][0], house, 0)
    for page, paths in visits:
        for path in paths:
            page.goto(house.url + path.replace("NIGHT", night.name))
            settled(page)
            found += violations(page)
    phone = visits[2][0]
    phone.goto(f"{house.url}/seat/0")
    phone.click("details summary")
    phone.click("#show-qr")
    found += violations(phone)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_any_dialog(house, open_page, scheme):
    evening = house.evening
    evening.begin(Header(seats=("Aki", "Oksana"), options={"discard_fulfilled_draw": True}))
    phone = open_page(scheme=scheme, reduced_motion="reduce", width=390, height=844)
    sit(phone, house, 0)
    phone.click('[data-key="draw panda"]')
    found = violations(phone)
    evening.tell(parse_move("plot green 1,0"), seat=0, by="browser")
    evening.session.correct({"plots": {"0,1": "yellow 4"}, "bamboo": {"1,0": 4}}, "grown", by="host")
    evening.tell(parse_move("draw gardener"), seat=0, by="browser")
    host = open_page(scheme=scheme, reduced_motion="reduce", host=True)
    host.click('[data-verb="discard"]')
    found += violations(host)
    host.click("#covered button.primary")
    found += violations(host)
    host.click("#covered button.quiet")
    host.click('.g-cell[data-at="1,0"]')
    expect(host.locator("#correct")).to_be_visible()
    found += violations(host)
    assert not found, "\n".join(found)


# What stands in Latin letters in every language: names, signs of the machine, and the languages' own names.
SAME = (
    r"Aki|Oksana|English|PDF|QR|PIN|pin|UTC|jsonl|simulated|format|position|option|"
    r"Board Game Arena|T-[A-Z]+-\d+|[a-z]+(?:_[a-z0-9]+)+|http\S+"
)
LATIN = re.compile(r"[A-Za-z]{3,}")


@pytest.mark.parametrize(("code", "locale"), [("ja", "ja-JP"), ("uk", "uk-UA")])
def test_no_page_leaves_a_word_in_english(house, night, open_page, shot, code, locale):
    phone = open_page(width=390, height=844, locale=locale)
    screen = open_page(locale=locale)
    controls = open_page(locale=locale, host=True)
    sit(phone, house, 0)
    left = []
    for page, paths in ((screen, PUBLIC), (controls, HOSTED), (phone, PHONE)):
        for path in paths:
            page.goto(house.url + path.replace("NIGHT", night.name))
            settled(page)
            assert page.locator("html").get_attribute("lang") == code
            words = page.locator("body").inner_text()
            attributes = page.evaluate(
                "[...document.querySelectorAll('[aria-label], [alt], [title], [placeholder]')].flatMap((node) => "
                "['aria-label', 'alt', 'title', 'placeholder'].map((name) => node.getAttribute(name) ?? ''))"
            )
            text = re.sub(SAME, " ", " ".join([words, *attributes]))
            left += [f"{path}: {word}" for word in dict.fromkeys(LATIN.findall(text))]
            left += [f"{path}: too wide: {each}" for each in too_wide(page)]
        shot(page, f"{code}-{paths[0].strip('/').replace('/', '-') or 'table'}-{page.viewport_size['width']}")
    assert not left, "\n".join(left)


def test_large_text_needs_no_sideways_scrolling_on_a_phone(house, night, open_page):
    """Text twice as large (200 %) on a narrow phone: the lines wrap, nothing is cut off."""
    phone = open_page(width=390, height=844)
    sit(phone, house, 0)
    for path in ("/seat/0", "/join", "/rules", "/nights", "/watch"):
        phone.goto(house.url + path)
        phone.evaluate("document.documentElement.style.fontSize = '200%'")
        assert not too_wide(phone), path


def test_a_seat_page_is_light_and_works_by_keyboard(house, night, open_page):
    phone = open_page(width=390, height=844)
    sizes = []
    phone.on("response", lambda answer: sizes.append(len(answer.body())) if "stream" not in answer.url else None)
    sit(phone, house, 0)
    sizes.clear()
    phone.reload()
    expect(phone.locator("#hand img")).to_have_count(3)
    phone.evaluate("Promise.all([...document.querySelectorAll('#hand img')].map((image) => image.decode()))")
    assert 10_000 < sum(sizes) < 150_000
    phone.keyboard.press("Tab")
    assert phone.evaluate("document.activeElement.className") == "skip"
    phone.locator("#peek").focus()
    phone.keyboard.press("Enter")
    expect(phone.locator("#hand")).to_be_hidden()
    phone.keyboard.press("Enter")
    expect(phone.locator("#hand")).to_be_visible()
