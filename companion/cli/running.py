"""What `companion run` does: build the house, serve it, end in order."""

from __future__ import annotations

import logging
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.adapters.wsgi_server import WsgiServer
from companion.app import House, build_house, drawn_panel, table_before
from companion.config import Config, load_config, load_config_to_run

if TYPE_CHECKING:
    from companion.demo import Demo

LOOPBACK = "127.0.0.1"


def configured(
    path: Path | None, *, data: Path | None, camera: str | None, port: int | None = None, host: str | None = None
) -> Config:
    """The config with what the command line puts in its place.

    Raises:
        BadInputError: the file or a value cannot be used.
    """
    return _overridden(load_config(path), data=data, camera=camera, port=port, host=host)


def _overridden(config: Config, *, data: Path | None, camera: str | None, port: int | None, host: str | None) -> Config:
    web = {key: value for key, value in (("port", port), ("host", host)) if value is not None}
    parts: dict[str, Any] = {}
    if data is not None:
        parts["data"] = data.expanduser()
    if web:
        parts["web"] = config.web.model_copy(update=web)
    if camera is not None:
        parts["camera"] = config.camera.model_copy(update={"source": camera})
    # A copy is not checked by itself.
    return Config.model_validate(config.model_copy(update=parts).model_dump())


def run(
    path: Path | None, *, data: Path | None, camera: str | None, port: int | None, host: str | None, demo: bool
) -> int:
    """Run until SIGTERM or Ctrl-C.

    Raises:
        CompanionError: it cannot start; names the remedy.
    """
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    # A page that is closed is no news.
    logging.getLogger("waitress").setLevel(logging.WARNING)
    if not demo:
        config, panel_wrong = load_config_to_run(path)
        config = _overridden(config, data=data, camera=camera, port=port, host=host)
        return _serve(config, demo=False, panel_wrong=panel_wrong)
    with tempfile.TemporaryDirectory(prefix="companion-demo-") as folder:
        # The demo keeps nothing and is for this machine alone, unless one asks for more.
        config = configured(
            path, data=data or Path(folder), camera=camera or "simulated", port=port, host=host or LOOPBACK
        )
        return _serve(config, demo=True)


def _serve(config: Config, *, demo: bool, panel_wrong: str = "") -> int:
    from companion.adapters.clock import SystemClock
    from companion.adapters.panel_absent import AbsentPanel
    from companion.adapters.systemd import Heartbeat, Notifier

    clock, notifier = SystemClock(), Notifier()
    laid = _lay_demo() if demo and config.camera.source == "simulated" else None
    table = laid.live() if laid is not None else table_before(config)
    heart = Heartbeat(notifier, ("evening",) if table is None else ("evening", "watcher"), clock.monotonic)

    def stopping() -> None:
        notifier.stopping()
        house.send_home()

    parts: dict[str, Any] = {"drawn": drawn_panel(config, clock)} if demo else {}
    if panel_wrong:
        logging.getLogger(__name__).warning("no panel: %s", panel_wrong)
        parts["panel"] = AbsentPanel(panel_wrong)
    house = build_house(config, demo=demo, camera=table, **parts)
    try:
        web = config.web
        body_bytes = web.upload_max_kb * 1024 + 65536
        server = WsgiServer(house.pages, web.host, web.port, web.streams_max, body_bytes, web.trusted_proxy)
        # The watchdog lives on the loops that matter: they take the session's lock, so a jam anywhere stops the signs.
        house.start(beat=lambda: heart.beat("evening"))
        if table is not None:
            house.watch(table, beat=lambda: heart.beat("watcher"))
        if laid is not None:
            laid.start(house.evening)
            house.on_close(laid.stop)
        _greet(house, demo)
        notifier.ready(f"serving port {web.port}")
        server.run(stopping)
    finally:
        house.close()
        if house.hurried:
            logging.shutdown()
            sys.stdout.flush()
            os._exit(0)
    return 0


def _lay_demo() -> Demo:
    from companion.demo import Demo

    return Demo.lay()


def _greet(house: House, demo: bool) -> None:
    web = house.config.web
    name = "localhost" if web.host in ("0.0.0.0", LOOPBACK, "::") else web.host
    print(f"The table: http://{name}:{web.port}/", flush=True)
    if demo:
        print(f"The host's PIN in this demo: {house.pin}", flush=True)
    else:
        print(f"The host's PIN is in {house.config.data / 'pin'}" if web.pin is None else "", flush=True)
