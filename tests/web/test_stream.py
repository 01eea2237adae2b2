"""Server-sent events: a listener gets what it missed once, then the news; nobody hears what is not theirs."""

from __future__ import annotations

import json

import pytest

from companion.games.takenoko.notation import parse_move
from companion.services.hub import Hub, HubFullError, Topic
from web.streams import MOST_VIEWS, ViewCache, event_stream


def events(text: str) -> list[dict[str, str]]:
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "event" in fields:
            found.append(fields)
    return found


@pytest.fixture
def hub():
    return Hub("boot", limit=2)


def listen(hub, last=None):
    return event_stream(hub, {Topic.TABLE: lambda revision: f'"view {revision}"'}, last, heartbeat_s=0)


def test_a_newcomer_gets_the_view_at_once(hub):
    hub.publish(Topic.TABLE)
    stream = listen(hub)
    assert "retry:" in next(stream)
    assert events(next(stream)) == [{"id": "boot.1", "event": "table", "data": '"view 1"'}]


def test_a_device_that_slept_gets_the_newest_view_once(hub):
    for _ in range(50):
        hub.publish(Topic.TABLE)
    stream = listen(hub, last="boot.3")
    next(stream)
    assert events(next(stream))[0]["id"] == "boot.50"
    assert events(next(stream))[0]["event"] == "beat"


def test_a_device_that_missed_nothing_gets_nothing_twice(hub):
    hub.publish(Topic.TABLE)
    stream = listen(hub, last="boot.1")
    next(stream)
    assert events(next(stream))[0]["event"] == "beat"


@pytest.mark.parametrize("last", ["other.99", "boot.", "boot.x", "99", "", "boot.-1"])
def test_after_a_restart_or_with_nonsense_the_view_is_sent_anew(hub, last):
    hub.publish(Topic.TABLE)
    stream = listen(hub, last)
    next(stream)
    assert events(next(stream))[0]["id"] == "boot.1"


def test_a_full_house_is_refused_before_anything_is_sent(hub):
    kept = [listen(hub), listen(hub)]
    with pytest.raises(HubFullError):
        listen(hub)
    for stream in kept:
        next(stream)
        stream.close()
    assert hub.listeners == 0


def test_closing_ends_every_stream(hub):
    stream = listen(hub)
    next(stream)
    hub.close()
    assert [event["event"] for event in events("".join(stream))] in ([], ["table"], ["table", "beat"])


def test_a_view_is_made_once_for_all_who_read_the_same():
    cache, made = ViewCache(), []

    def make():
        made.append(1)
        return {"n": len(made)}

    assert cache.text(("table", "en"), 1, make) == cache.text(("table", "en"), 1, make) == '{"n":1}'
    assert cache.text(("table", "ja"), 1, make) == '{"n":2}'
    assert cache.text(("table", "en"), 2, make) == '{"n":3}'


def test_views_of_readers_who_are_gone_are_not_kept_for_ever():
    cache = ViewCache()
    for number in range(MOST_VIEWS * 3):
        assert cache.text(("seat", str(number)), 1, lambda: {"a": 1}) == '{"a":1}'
        assert cache.text(("table", "en"), number, lambda: {"b": 1}) == '{"b":1}'
    assert len(cache) == MOST_VIEWS
    assert cache.text(("seat", "0"), 1, lambda: {"c": 1}) == '{"c":1}'


def first_events(client, path="/stream", headers=None):
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200
    found = {}
    for chunk in answer.response:
        for event in events(chunk.decode() if isinstance(chunk, bytes) else chunk):
            if event["event"] == "beat":
                answer.close()
                return found
            found[event["event"]] = json.loads(event["data"])
    return found


@pytest.fixture
def quick(evening):
    """An app whose streams beat at once when there is no news."""
    from dataclasses import replace

    from tests_web import SETTINGS

    from web.factory import create_app

    return create_app(evening, replace(SETTINGS, heartbeat_s=0.01))


def test_the_stream_sends_the_table_s_view(quick, game):
    found = first_events(quick.test_client())
    assert list(found) == ["table"]
    assert found["table"]["garden"]["plots"][0]["at"] == "1,0"


def test_camera_and_simulated_table_are_not_for_strangers(quick, game):
    assert list(first_events(quick.test_client(), "/stream?topics=camera,toy,panel")) == ["table"]


def test_the_host_hears_what_it_asks_for(quick, game):
    from tests_web import Host

    host = Host(quick)
    assert list(first_events(host.client, "/stream?topics=camera,toy")) == ["table", "camera", "toy"]


def test_each_language_has_its_own_stream(quick, game):
    game.tell(parse_move("draw panda"), seat=None, by="browser")
    english = first_events(quick.test_client(), headers={"Accept-Language": "en"})
    japanese = first_events(quick.test_client(), headers={"Accept-Language": "ja"})
    assert english["table"]["version"] == japanese["table"]["version"]
    assert english["table"]["garden"]["channels"] == japanese["table"]["garden"]["channels"]


def test_a_full_house_is_503(quick, evening):
    with_all = [evening.hub.listen() for _ in range(8)]
    for listening in with_all:
        listening.__enter__()
    assert quick.test_client().get("/stream").status_code == 503
