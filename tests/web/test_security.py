"""Who may do what, and the headers that keep a page to itself."""

from __future__ import annotations

import re

import pytest

from web.factory import create_app
from web.settings import WebSettings

HOST_PAGES = ["/games/", "/games/new", "/camera/", "/simulated/"]
HOST_DATA = ["/moves", "/camera/picture.jpg", "/camera/status.json"]
HOST_POSTS = [
    "/moves", "/roll", "/told", "/undo", "/correct", "/answer", "/check", "/probe", "/buttons/roll", "/games/new",
    "/games/resume", "/games/import", "/camera/recalibrate", "/simulated/put", "/simulated/disturb",
]  # fmt: skip


def test_every_route_that_changes_anything_is_for_the_host(app):
    """A new route has to be named here, or be open on purpose."""
    changing = {rule.rule for rule in app.url_map.iter_rules() if "POST" in rule.methods}
    shown = {re.sub("<.*>", "roll", rule) for rule in changing}
    assert set(HOST_POSTS) <= shown


@pytest.mark.parametrize("path", HOST_PAGES)
def test_a_stranger_is_led_from_a_host_s_page_to_the_pin(stranger, game, path):
    answer = stranger.get(path)
    assert answer.status_code == 303
    assert answer.headers["Location"].startswith("/host?next=")


@pytest.mark.parametrize("path", HOST_DATA)
def test_a_stranger_gets_no_picture_and_no_host_s_data(stranger, game, path):
    answer = stranger.get(path, headers={"Accept": "application/json"})
    assert answer.status_code == 403
    assert b"picture" not in answer.data


@pytest.mark.parametrize("path", HOST_POSTS)
def test_a_stranger_with_a_good_token_may_still_change_nothing(app, game, path):
    from tests_web import meta_token

    client = app.test_client()
    token = meta_token(client.get("/").text)
    before = game.session.snapshot().version
    answer = client.post(path, json={}, headers={"X-CSRFToken": token})
    assert answer.status_code == 403
    assert game.session.snapshot().version == before


@pytest.mark.parametrize("path", HOST_POSTS)
def test_without_a_csrf_token_nothing_is_changed_even_by_the_host(host, game, path):
    before = game.session.snapshot().version
    answer = host.client.post(path, json={"do": "draw panda"})
    assert answer.status_code == 400
    assert game.session.snapshot().version == before


def test_wrong_pins_are_counted_and_then_refused_even_if_right(stranger):
    from tests_web import PIN, form_token

    token = form_token(stranger.get("/host").text)
    answers = [stranger.post("/host", data={"csrf_token": token, "pin": "000000"}).status_code for _ in range(7)]
    assert answers == [403] * 5 + [429] * 2
    assert stranger.post("/host", data={"csrf_token": token, "pin": PIN}).status_code == 429


def test_a_new_pin_takes_the_controls_from_everyone(evening, game, host):
    other = create_app(evening, WebSettings(secret_key=b"not a secret in tests", pin="999999"))
    cookie = host.client.get_cookie("companion")
    client = other.test_client()
    client.set_cookie("companion", cookie.value)
    assert client.get("/moves", headers={"Accept": "application/json"}).status_code == 403


def test_the_controls_can_be_given_back(host, game):
    host.form("/host/out")
    assert host.get("/moves", headers={"Accept": "application/json"}).status_code == 403


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "\n/x"]
)
def test_the_pin_leads_nowhere_but_home(stranger, target):
    from tests_web import PIN, form_token

    token = form_token(stranger.get("/host").text)
    answer = stranger.post("/host", data={"csrf_token": token, "pin": PIN, "next": target})
    assert answer.headers["Location"] == "/"


@pytest.mark.parametrize("path", ["/", "/host", "/table.json", "/nothing-here", "/health"])
def test_every_answer_forbids_inline_scripts_frames_and_sniffing(stranger, path):
    headers = stranger.get(path).headers
    assert "script-src 'self';" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/", "/host", "/games/new", "/games/", "/camera/", "/simulated/"])
def test_no_page_holds_inline_scripts_styles_or_foreign_addresses(host, game, path):
    page = host.get(path).text
    for script in re.findall(r"<script\b([^>]*)>", page):
        assert "src=" in script or 'type="application/json"' in script
    assert not re.search(r'\sstyle="|\son[a-z]+="|<style', page)
    assert not re.search(r'(src|href)="(https?:)?//', page)


def test_the_session_cookie_is_kept_from_scripts_and_other_sites(stranger):
    cookie = stranger.get("/").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_a_request_that_is_too_large_is_refused(host, game):
    answer = host.client.post(
        "/moves", data=b"x" * 3_000_000, content_type="application/json", headers={"X-CSRFToken": host.token}
    )
    assert answer.status_code == 413


def test_a_name_with_markup_stays_text(host, evening):
    host.form("/games/new", name=["</script><img src=x>", "B"], first="0", ruleset="classic", edition="base")
    page = host.get("/").text
    assert "<img src=x>" not in page
    assert "</script><img" not in page


OPEN_POSTS = ["/join/seat", "/join/code", "/seat/0/moves", "/seat/0/undo", "/seat/0/wish", "/seat/0/leave"]
"""For whoever sits there."""


def test_every_route_that_changes_anything_is_named_in_these_tests(app):
    changing = {rule.rule for rule in app.url_map.iter_rules() if "POST" in rule.methods}
    known = {*HOST_POSTS, *OPEN_POSTS, "/host", "/host/out", "/join/free", "/nights/NIGHT/pictures"}
    shown = {re.sub("<int:seat>", "0", re.sub("<name>", "NIGHT", rule)).replace("buttons/NIGHT", "buttons/roll")
             for rule in changing}  # fmt: skip
    assert shown == known


@pytest.mark.parametrize("path", [*OPEN_POSTS, "/host", "/join/free"])
def test_without_a_csrf_token_nothing_is_changed_at_a_seat_either(app, game, path):
    from test_seat import Phone

    phone = Phone(app)
    phone.sit(0)
    before = (game.session.snapshot().version, phone.view(0))
    answers = [phone.client.post(path, json={"do": "draw panda", "shown": True}),
               phone.client.post(path, data={"seat": 1, "pin": "271828", "code": "AAAA"})]  # fmt: skip
    assert [answer.status_code for answer in answers] == [400, 400]
    assert (game.session.snapshot().version, phone.view(0)) == before


@pytest.mark.parametrize("path", [*OPEN_POSTS, "/moves", "/games/import"])
def test_a_huge_body_is_refused_everywhere(app, host, game, path):
    from test_seat import Phone

    phone = Phone(app)
    phone.sit(0)
    for client, token in ((phone.client, phone.token()), (host.client, host.token)):
        answer = client.post(
            path, data=b"x" * 3_000_000, content_type="application/json", headers={"X-CSRFToken": token}
        )
        assert answer.status_code in (403, 413)
    assert host.get("/").status_code == 200


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"null", b"{", b'{"do":1}', b'{"do":"draw panda","version":"1"}',
     b'{"do":"draw panda","version":1e999}',
     b'{"do":"x"}', b'{"do":"plot green 99999999999,0"}', b'{"do":"\\u0000"}', b"[" * 50_000, b"\xff\xfe"],
)  # fmt: skip
def test_nonsense_is_refused_with_one_line_and_never_an_error_of_ours(app, game, body):
    from test_seat import Phone

    phone = Phone(app)
    phone.sit(0)
    before = game.session.snapshot().version
    headers = {"X-CSRFToken": phone.token()}
    answer = phone.client.post("/seat/0/moves", data=body, content_type="application/json", headers=headers)
    assert answer.status_code in (400, 409, 422)
    assert "\n" not in answer.json["message"]
    assert game.session.snapshot().version == before


@pytest.mark.parametrize(
    "record",
    [b"", b"\xff\xfe\x00", b"{" * 100_000, b"[" * 100_000,
     b'{"record":1,"game":"takenoko","seats":["A","B"],"position":{"plots":{"1,0":"green 99"}}}',
     b'{"record":1,"game":"../../etc/passwd","seats":["A","B"]}',
     b'{"record":1,"game":"takenoko","seats":["' + b"A" * 9000 + b'","B"]}',
     b'{"record":1,"game":"takenoko","edition":"../base","seats":["A","B"]}',
     b'{"record":1,"game":"takenoko","seats":["A","B"]}\n{"undo_to":99999999999999999999}\n',
     b'{"record":1,"game":"takenoko","seats":["A","B"]}\n{"correct":{"bamboo":{"1,0":1e308}},"reason":"x"}\n'],
)  # fmt: skip
def test_a_malicious_import_is_refused_and_the_running_game_goes_on(host, game, record):
    from io import BytesIO

    name, files = game.name, sorted(game.library.folder.iterdir())
    answer = host.form("/games/import", record=(BytesIO(record), "../../../etc/cron.d/evil"))
    assert answer.status_code == 400
    assert game.name == name
    assert sorted(game.library.folder.iterdir()) == files
    assert host.get("/").status_code == 200


@pytest.mark.parametrize(
    "path",
    ["/static/../settings.py", "/static/%2e%2e/settings.py", "/static/..%2fsettings.py", "/static//etc/passwd",
     "/nights/../secret", "/nights/..%2fsecret/record.jsonl", "/cards/base/..%2f..%2fpin.svg", "/cards/../base/x.svg"],
)  # fmt: skip
def test_no_address_leads_out_of_the_pages(stranger, game, path):
    answer = stranger.get(path)
    assert answer.status_code in (404, 308)
    assert b"secret_key" not in answer.data
    assert b"root:" not in answer.data
