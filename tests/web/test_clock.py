"""The wall clock of a machine without one: years off, until a network sets it right in the middle of an evening."""

from __future__ import annotations

import re
import time

import pytest
from tests_web import PIN, form_token

YEARS = 365.0 * 24 * 3600


@pytest.fixture
def clock(monkeypatch):
    """Sets the wall clock forward or back."""
    real = time.time

    def jump(seconds: float) -> None:
        monkeypatch.setattr(time, "time", lambda: real() + seconds)

    return jump


def sign_in(client, pin=PIN):
    return client.post("/host", data={"csrf_token": form_token(client.get("/host").text), "pin": pin})


@pytest.mark.parametrize("years", [10, -20])
def test_the_host_keeps_the_controls_and_a_phone_its_seat(app, game, clock, years):
    host, phone = app.test_client(), app.test_client()
    sign_in(host)
    phone.post("/join/seat", data={"csrf_token": form_token(phone.get("/join").text), "seat": 0})
    clock(years * YEARS)
    assert host.get("/moves").status_code == 200
    assert phone.get("/seat/0").status_code == 200
    assert host.post("/host/out", data={"csrf_token": form_token(host.get("/host").text)}).status_code == 303


def test_a_browser_is_told_how_long_to_keep_the_controls_never_until_when(app):
    """A date by a clock that stands in the past would have the browser throw the cookie away at once."""
    (cookie,) = sign_in(app.test_client()).headers.getlist("Set-Cookie")
    assert re.search(r"; Max-Age=2592000(;|$)", cookie)
    assert "Expires" not in cookie


def test_a_cookie_that_is_not_ours_gives_no_controls(app, game):
    client = app.test_client()
    client.set_cookie("companion", "eyJob3N0Ijp0cnVlfQ.aaaaaa.bbbbbbbbbbbbbbbbbbbb")
    assert client.get("/moves").headers["Location"].startswith("/host")


def test_who_mistyped_the_pin_before_the_clock_was_set_back_may_type_it_again(app, clock):
    client = app.test_client()
    while sign_in(client, "000000").status_code == 403:
        pass
    assert sign_in(client).status_code == 429
    clock(-20 * YEARS)
    assert sign_in(client).status_code == 303
