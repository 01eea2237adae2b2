"""The production server: one process with a thread for every open stream, and an own end on SIGTERM.

Measured (see docs): waitress with at least as many threads as streams holds two hundred of them in 44 MB; with its four
default threads it serves four phones and then hangs. What waitress itself does not bound is bounded here: how long a
request may take to arrive, how long a client may take no data, and how many connections one device may hold.
"""

from __future__ import annotations

import errno
import os
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import create_server

from companion.errors import CompanionError

SPARE_THREADS = 16
"""For everything that is no stream."""
DEAF_CLIENT_MS = 20_000
"""A client that takes no data for so long is cut off, so that it cannot hold a thread for ever."""
REQUEST_S = 60.0
"""A request must have arrived whole after so long; the largest import takes seconds on a poor wireless link."""
PROXY_HEADERS = frozenset({"x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"})
"""Believed of the configured proxy alone."""
_TCP_USER_TIMEOUT = getattr(socket, "TCP_USER_TIMEOUT", 18)
_TURN_S = 1.0
STOP_S = 1.0
"""For answers that are being given when all shall end."""


@dataclass(frozen=True, slots=True)
class ClientLimits:
    """What one client may have."""

    connections: int
    """Open at once from one address: a device that runs wild must not shut out the others."""
    request_s: float = REQUEST_S
    """How long a request may take to arrive."""
    deaf_ms: int = DEAF_CLIENT_MS
    """How long it may take no data."""


class Channel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """A connection that is closed when its client is too slow, or has too many of them."""

    def __init__(self, server: Any, sock: Any, addr: Any, adj: Any, map: Any = None, *, limits: ClientLimits) -> None:  # noqa: ANN401 (waitress's signature)
        self._limits = limits
        self._begun_s: float | None = None
        others = sum(each.addr[0] == addr[0] for each in server.active_channels.values())
        super().__init__(server, sock, addr, adj, map=map)
        # Behind a trusted proxy stand many devices.
        if others >= limits.connections and addr[0] != adj.trusted_proxy:
            self.will_close = True

    def received(self, data: bytes) -> bool:
        """Take in what came, and note since when an unfinished request is arriving."""
        if self.request is None:
            self._begun_s = time.monotonic()
        done = bool(super().received(data))
        if self.request is None:
            self._begun_s = None
        return done

    def readable(self) -> bool:
        """Whether more may be read; asked at every turn of the loop."""
        if self._begun_s is not None and time.monotonic() - self._begun_s > self._limits.request_s:
            self.will_close = True
        return bool(super().readable())


class WsgiServer:
    """Serves one WSGI app until it is told to stop."""

    def __init__(
        self,
        app: Any,  # noqa: ANN401 (WSGI)
        host: str,
        port: int,
        streams: int,
        body_bytes: int,
        proxy: str | None = None,
        *,
        limits: ClientLimits | None = None,
    ) -> None:
        """Bind the address.

        Args:
            app: the WSGI app.
            host: address to listen on.
            port: 0: any free one.
            streams: how many may be open at once.
            body_bytes: the largest body of a request.
            proxy: address of the proxy that is believed what it says of its clients.
            limits: of one client; by default a quarter of the streams.

        Raises:
            CompanionError: the address cannot be used; names the remedy.
        """
        limits = limits or ClientLimits(max(SPARE_THREADS, streams // 4))
        options = [
            (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
            (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
            (socket.IPPROTO_TCP, _TCP_USER_TIMEOUT, limits.deaf_ms),
        ]
        trust = {} if proxy is None else {"trusted_proxy": proxy, "trusted_proxy_headers": PROXY_HEADERS}
        self._sockets: dict[int, Any] = {}
        try:
            self._server = create_server(
                app,
                map=self._sockets,
                host=host,
                port=port,
                threads=streams + SPARE_THREADS,
                connection_limit=streams * 2 + 100,
                channel_timeout=30,
                cleanup_interval=10,
                max_request_body_size=body_bytes,
                outbuf_high_watermark=1 << 18,
                ident="",
                clear_untrusted_proxy_headers=True,
                **trust,
            )
        except OSError as error:
            reasons = {
                errno.EADDRINUSE: "something is using it already: stop that, or give another web.port",
                errno.EACCES: "ports below 1024 need rights: give another web.port",
            }
            reason = reasons.get(error.errno or 0, str(error))
            raise CompanionError(f"cannot listen on {host}:{port}: {reason}") from error
        self.port = port
        for listener in self._sockets.values():
            if hasattr(listener, "adj"):
                listener.adj.socket_options = options
                listener.channel_class = partial(Channel, limits=limits)
                self.port = int(listener.effective_port)

    def run(self, stopping: Callable[[], None]) -> None:
        """Serve until SIGTERM or SIGINT; `stopping` is called first, to send the streams home."""
        ended = False

        def end(_signal: int, _frame: object) -> None:
            nonlocal ended
            if ended:
                # Asked twice: somebody is in a hurry, and the disk needs nothing more from us.
                os._exit(1)
            ended = True
            stopping()
            raise SystemExit

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, end)
        try:
            self.serve_while(lambda: True)
        except (SystemExit, KeyboardInterrupt):
            self.close()

    def serve_while(self, going: Callable[[], bool]) -> None:
        """Serve as long as it is so; asked about once a second."""
        while going():
            wasyncore.loop(timeout=_TURN_S, use_poll=True, map=self._sockets, count=1)

    def close(self) -> None:
        """Let the threads finish, then close every connection."""
        self._server.task_dispatcher.shutdown(timeout=STOP_S)
        wasyncore.close_all(self._sockets)
