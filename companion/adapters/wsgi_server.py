"""The production server: one process with a thread for every open stream, and an own end on SIGTERM.

Measured (see docs): waitress with at least as many threads as streams holds two hundred of them in 44 MB; with its four
default threads it serves four phones and then hangs.
"""

from __future__ import annotations

import errno
import os
import signal
import socket
from collections.abc import Callable
from typing import Any

from waitress.server import create_server

from companion.errors import CompanionError

SPARE_THREADS = 16
"""For everything that is no stream."""
DEAF_CLIENT_MS = 20_000
"""A client that takes no data for so long is cut off, so that it cannot hold a thread for ever."""
_TCP_USER_TIMEOUT = getattr(socket, "TCP_USER_TIMEOUT", 18)


class WsgiServer:
    """Serves one WSGI app until it is told to stop."""

    def __init__(self, app: Any, host: str, port: int, streams: int, body_bytes: int) -> None:  # noqa: ANN401 (WSGI)
        """Bind the address.

        Raises:
            CompanionError: it cannot be used; names the remedy.
        """
        options = [
            (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
            (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
            (socket.IPPROTO_TCP, _TCP_USER_TIMEOUT, DEAF_CLIENT_MS),
        ]
        sockets: dict[int, Any] = {}
        try:
            self._server = create_server(
                app,
                map=sockets,
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
            )
        except OSError as error:
            reasons = {
                errno.EADDRINUSE: "something is using it already: stop that, or give another web.port",
                errno.EACCES: "ports below 1024 need rights: give another web.port",
            }
            reason = reasons.get(error.errno or 0, str(error))
            raise CompanionError(f"cannot listen on {host}:{port}: {reason}") from error
        for listener in sockets.values():
            if hasattr(listener, "adj"):
                listener.adj.socket_options = options

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
        self._server.run()
        self._server.close()
