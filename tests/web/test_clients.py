"""Slow, deaf, half-open and greedy clients on the real server: they cost themselves, never the others at the table."""

from __future__ import annotations

import json
import socket
import threading
import time
from contextlib import contextmanager
from dataclasses import replace

import pytest
from test_seat import Phone
from tests_web import SETTINGS

from companion.adapters.wsgi_server import ClientLimits, WsgiServer
from companion.games.takenoko.notation import parse_move
from web.factory import create_app

STREAMS = 8
SOON_S = 10.0
"""Far more than any answer takes here; a test that waits so long has failed."""


@contextmanager
def served(app, limits=None, proxy=None):
    """Serves an app until the block ends.

    Yields:
        The port.
    """
    server = WsgiServer(app, "127.0.0.1", 0, STREAMS, 1 << 16, proxy, limits=limits or ClientLimits(100))
    leave = threading.Event()
    thread = threading.Thread(target=server.serve_while, args=(lambda: not leave.is_set(),), daemon=True)
    thread.start()
    try:
        yield server.port
    finally:
        leave.set()
        with client(server.port):  # wakes the loop
            thread.join(SOON_S)
        server.close()


@contextmanager
def client(port, text=None, source="127.0.0.1", **headers):
    """A raw connection; `text` is a path to ask for at once."""
    with socket.create_connection(("127.0.0.1", port), SOON_S, (source, 0)) as made:
        if text is not None:
            made.sendall(request(text, **headers))
        yield made


def request(path, **headers):
    lines = [f"GET {path} HTTP/1.1", "Host: table", *(f"{name.replace('_', '-')}: {headers[name]}" for name in headers)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def read_until(sock, end):
    """What comes until `end`, or until the server hangs up."""
    got = b""
    while end not in got:
        data = sock.recv(65536)
        if not data:
            return got
        got += data
    return got


def is_closed_by_server(sock):
    """Whether the server hangs up, however much is still to be read."""
    try:
        while sock.recv(65536):
            pass
    except ConnectionResetError:
        pass
    except TimeoutError:
        return False
    return True


def answers(port, path="/health", source="127.0.0.1"):
    with client(port, path, source) as asker:
        return read_until(asker, b"listeners").startswith(b"HTTP/1.1 200")


@pytest.fixture
def quick(evening):
    """An app whose streams beat so often that the dead are found at once."""
    return create_app(evening, replace(SETTINGS, heartbeat_s=0.05))


@pytest.fixture
def phone(quick, game):
    sat = Phone(quick)
    sat.sit(0)
    return sat


def cookie(phone):
    return f"device={phone.client.get_cookie('device').value}"


def test_clients_that_never_finish_asking_hold_nobody_up(quick, game):
    with served(quick) as port:
        slow = [socket.create_connection(("127.0.0.1", port), SOON_S) for _ in range(STREAMS * 4)]
        for each in slow:
            each.sendall(b"GET /seat/0/stream HTTP/1.1\r\nHost: ta")
        assert answers(port)
        for each in slow:
            each.close()


def test_a_client_that_sends_byte_by_byte_is_hung_up_on_in_the_end(quick, game):
    """Each byte is activity: only the time that the whole request may take bounds it."""
    text = request("/seat/0/view.json", X="y" * 5000)
    with served(quick, ClientLimits(100, request_s=0.3)) as port, client(port) as slow:
        slow.settimeout(0.02)
        end, sent = time.monotonic() + SOON_S, 0
        while time.monotonic() < end:
            try:
                slow.sendall(text[sent : sent + 1])
                sent += 1
                if slow.recv(1) == b"":
                    break
            except TimeoutError:
                continue
            except ConnectionError:
                break
        else:
            pytest.fail("the server waits for ever")
        assert 0 < sent < len(text)


def test_a_body_that_never_comes_whole_is_hung_up_on(quick, game):
    with served(quick, ClientLimits(100, request_s=0.3)) as port, client(port) as slow:
        slow.sendall(b"POST /seat/0/moves HTTP/1.1\r\nHost: table\r\nContent-Length: 9000\r\n\r\n{")
        assert is_closed_by_server(slow)
        assert answers(port)


def test_a_client_that_never_reads_its_stream_holds_nobody_up(phone, quick, game):
    with served(quick) as port, client(port, "/seat/0/stream", Cookie=cookie(phone)), client(port, "/stream") as hears:
        for number in range(60):
            game.session.correct({"bamboo": {"1,0": number % 3}}, f"number {number}. " + "x" * 150, by="host")
        assert b"number 59." in read_until(hears, b"number 59.")
        game.tell(parse_move("draw panda"), seat=None, by="phone")
        assert b"draws a card" in read_until(hears, b"draws a card")
        assert answers(port)


class Flood:
    """An app that would write without end."""

    CHUNK = 1 << 16

    def __init__(self):
        self.chunks = 0
        self.more, self.ended = threading.Event(), threading.Event()

    def __call__(self, environ, start_response):
        if environ["PATH_INFO"] != "/flood":
            start_response("200 OK", [("Content-Type", "text/plain")])
            return [b"listeners"]
        start_response("200 OK", [("Content-Type", "text/plain")])
        return self._chunks()

    def _chunks(self):
        try:
            while True:
                self.chunks += 1
                self.more.set()
                yield b"x" * self.CHUNK
        finally:
            self.ended.set()

    def until_it_waits(self):
        while self.more.wait(0.5):
            self.more.clear()


def test_what_waits_for_a_client_that_never_reads_is_bounded():
    flood = Flood()
    with served(flood) as port, client(port, "/flood"):
        flood.until_it_waits()
        assert flood.chunks * flood.CHUNK < 16_000_000  # most of it in the kernel's own buffers
        assert answers(port)


def test_a_client_that_never_reads_is_cut_off_and_its_thread_is_free_again():
    flood = Flood()
    with served(flood, ClientLimits(100, deaf_ms=300)) as port, client(port, "/flood"):
        flood.until_it_waits()
        assert flood.ended.wait(SOON_S)


def test_a_client_that_goes_away_frees_its_place(phone, quick, game):
    with served(quick) as port:
        for _ in range(STREAMS * 3):
            with client(port, "/seat/0/stream", Cookie=cookie(phone)) as gone:
                assert b"200 OK" in read_until(gone, b"event: table")
            end = time.monotonic() + SOON_S
            while game.hub.listeners and time.monotonic() < end:
                assert answers(port)
            assert game.hub.listeners == 0


def test_a_client_that_closed_its_own_half_still_gets_its_answer_and_its_news(phone, quick, game):
    with served(quick) as port:
        with client(port, "/seat/0/view.json", Cookie=cookie(phone)) as half:
            half.shutdown(socket.SHUT_WR)
            body = read_until(half, b'"dealt":false}').split(b"\r\n\r\n", 1)[1]
            assert json.loads(body)["name"] == "Aki"
        with client(port, "/seat/0/stream", Cookie=cookie(phone)) as half:
            half.shutdown(socket.SHUT_WR)
            read_until(half, b"event: table")
            game.tell(parse_move("draw panda"), seat=0, by="phone")
            assert b"draws a card" in read_until(half, b"draws a card")


def test_more_streams_than_the_house_serves_are_refused_and_the_others_go_on(phone, quick, game):
    with served(quick) as port, client(port, "/stream") as first:
        read_until(first, b"event: table")
        others = [socket.create_connection(("127.0.0.1", port), SOON_S) for _ in range(STREAMS + 3)]
        replies = []
        for each in others:
            each.sendall(request("/seat/0/stream", Cookie=cookie(phone)))
            replies.append(read_until(each, b"\r\n\r\n").split(b" ")[1])
        assert replies.count(b"503") >= 4
        game.tell(parse_move("draw panda"), seat=0, by="phone")
        assert b"draws a card" in read_until(first, b"draws a card")
        for each in others:
            each.close()


def test_one_device_cannot_take_all_connections(quick, game):
    with served(quick, ClientLimits(5)) as port:
        greedy = [socket.create_connection(("127.0.0.1", port), SOON_S, ("127.0.0.2", 0)) for _ in range(9)]
        for each in greedy[5:]:
            assert is_closed_by_server(each)
        assert answers(port, source="127.0.0.3")
        greedy[0].sendall(request("/health"))
        assert read_until(greedy[0], b"listeners").startswith(b"HTTP/1.1 200")
        for each in greedy:
            each.close()


def test_devices_behind_the_trusted_proxy_are_not_counted_as_one(quick, game):
    with served(quick, ClientLimits(2), proxy="127.0.0.2") as port:
        many = [socket.create_connection(("127.0.0.1", port), SOON_S, ("127.0.0.2", 0)) for _ in range(6)]
        assert answers(port, source="127.0.0.2")
        for each in many:
            each.close()


@pytest.mark.parametrize(("proxy", "secure"), [("127.0.0.1", True), ("127.0.0.9", False), (None, False)])
def test_only_the_trusted_proxy_is_believed_that_it_speaks_tls(quick, game, proxy, secure):
    with served(quick, proxy=proxy) as port, client(port, "/", X_Forwarded_Proto="https", X_Forwarded_For="::7") as far:
        head = read_until(far, b"\r\n\r\n")
    assert (b"Secure" in head) == secure
    assert (b"__Host-companion=" in head) == secure
