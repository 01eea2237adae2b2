"""News: nobody misses a change, nobody's queue overflows, nobody waits for another."""

from __future__ import annotations

import threading

import pytest

from companion.services.hub import Hub, HubFullError, Topic


def test_a_listener_hears_that_a_topic_changed_with_its_newest_number(hub):
    with hub.listen() as mailbox:
        hub.publish(Topic.TABLE)
        hub.publish(Topic.PANEL)
        hub.publish(Topic.TABLE)
        assert mailbox.take(0) == {Topic.TABLE: 3, Topic.PANEL: 2}
        assert mailbox.take(0) == {}


def test_a_sleeper_s_mailbox_does_not_grow(hub):
    with hub.listen() as mailbox:
        for _ in range(10_000):
            hub.publish(Topic.TABLE)
        assert mailbox.take(0) == {Topic.TABLE: 10_000}


def test_no_more_listeners_than_can_be_served():
    hub = Hub("boot", limit=1)
    with hub.listen():
        with pytest.raises(HubFullError), hub.listen():
            pass
        assert hub.listeners == 1
    with hub.listen():
        assert hub.listeners == 1


def test_closing_wakes_those_who_wait_and_admits_nobody(hub):
    woken = threading.Event()

    def wait():
        with hub.listen() as mailbox:
            mailbox.take(30)
            woken.set()

    listener = threading.Thread(target=wait)
    listener.start()
    while not hub.listeners:
        pass
    hub.close()
    listener.join(5)
    assert woken.is_set()
    with pytest.raises(HubFullError), hub.listen():
        pass
