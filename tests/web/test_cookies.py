"""Cookies over TLS and over plain HTTP: always hidden from scripts and other sites, Secure wherever that can be."""

import re

import pytest
from tests_web import PIN, form_token

HOME, TLS = "http://table.local:8080", "https://table.local"


def set_cookies(answer):
    return {line.split("=")[0]: line for line in answer.headers.getlist("Set-Cookie")}


@pytest.mark.parametrize("base", [HOME, TLS])
def test_every_cookie_is_hidden_from_scripts_and_from_other_sites(app, game, base):
    client = app.test_client()
    answers = [client.get("/", base_url=base), client.get("/language/ja", base_url=base)]
    answers.append(sit(client, base))
    kept = {name: line for answer in answers for name, line in set_cookies(answer).items()}
    assert len(kept) == 3
    for name, line in kept.items():
        assert "HttpOnly" in line
        assert "SameSite=Lax" in line
        assert "Path=/" in line
        assert "Domain" not in line
        assert ("Secure" in line) == (base == TLS)
        assert name.startswith("__Host-") == (base == TLS)


def sit(client, base):
    page = client.get("/join", base_url=base).text
    referer = {"Referer": f"{base}/join"}
    return client.post("/join/seat", data={"csrf_token": form_token(page), "seat": 0}, base_url=base, headers=referer)


@pytest.mark.parametrize("base", [HOME, TLS])
def test_a_seat_and_the_controls_are_kept_either_way(app, game, base):
    client = app.test_client()
    assert sit(client, base).status_code == 303
    assert client.get("/seat/0", base_url=base).status_code == 200
    token = form_token(client.get("/host", base_url=base).text)
    referer = {"Referer": f"{base}/host"}
    data = {"csrf_token": token, "pin": PIN}
    assert client.post("/host", data=data, base_url=base, headers=referer).status_code == 303
    assert client.get("/moves", base_url=base).status_code == 200


def test_who_came_over_tls_can_still_keep_a_seat_over_plain_http(app, game):
    """Browsers let no plain page replace a Secure cookie: under one name the seat would be lost at every visit."""
    client = app.test_client()
    assert sit(client, TLS).status_code == 303
    kept = set(set_cookies(sit_by_code(client, HOME, code(client))))
    assert not any(name.startswith("__Host-") for name in kept)
    assert client.get("/seat/0", base_url=HOME).status_code == 200


def code(client):
    return client.get("/seat/0/view.json", base_url=TLS).json["code"]


def sit_by_code(client, base, typed):
    page = client.get("/join", base_url=base).text
    token = re.search(r'name="csrf_token" value="([^"]+)"', page).group(1)
    return client.post("/join/code", data={"csrf_token": token, "code": typed}, base_url=base)
