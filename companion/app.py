"""The only place that builds real things: from a config to a running evening with its pages."""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.adapters.clock import SystemClock
from companion.adapters.journal_disk import DiskJournal, storage_error
from companion.config import Config
from companion.errors import PanelError
from companion.games.takenoko.pieces import Weather
from companion.services.evening import Evening
from companion.services.hub import Hub, Topic
from companion.services.library import Library
from companion.services.ports import DrawnPanel, Panel
from companion.signals import Button
from web.factory import create_app
from web.settings import WebSettings

if TYPE_CHECKING:
    from flask import Flask

    from companion.adapters.panel_gpio import PanelPins
    from vision.live import LiveTable

_log = logging.getLogger(__name__)

TICK_S = 0.5


@dataclass(slots=True)
class House:
    """Everything that runs."""

    config: Config
    evening: Evening
    pages: Flask
    pin: str
    hurried: bool = False
    """Closed while something still ran: the process should end without tidying up under its feet."""
    _stop: threading.Event = field(default_factory=threading.Event)
    _closers: list[Callable[[], None]] = field(default_factory=list)

    def start(self, *, beat: Callable[[], object] = lambda: None) -> None:
        """Let time pass: `beat` is called at every turn of the evening's loop."""

        def loop() -> None:
            while not self._stop.wait(TICK_S):
                try:
                    self.evening.tick()
                except Exception:  # noqa: BLE001 (one bad turn ends no evening)
                    # It gives no sign of life: a fault that stays lets the watchdog start the service anew.
                    _log.exception("a turn of the evening's loop failed")
                    continue
                beat()

        threading.Thread(target=loop, name="evening", daemon=True).start()

    def watch(self, table: LiveTable, *, beat: Callable[[], object] = lambda: None) -> None:
        """Follow the table with a camera, in a thread of its own."""
        from companion.services.watcher import LiveWatcher

        watcher = LiveWatcher(
            lambda: self.evening.session, table, looked=lambda: self.evening.hub.publish(Topic.CAMERA), beat=beat
        )
        self.evening.attach(watcher)
        watcher.start()

        def leave() -> None:
            if watcher.stop():
                table.close()
            else:
                # Two threads must not use one camera; it is let go when the process ends.
                _log.info("a look is still being taken: not waiting for it")
                self.hurried = True

        self.on_close(leave)

    def on_close(self, closer: Callable[[], None]) -> None:
        """Call this before the evening is closed; the latest first."""
        self._closers.append(closer)

    def send_home(self) -> None:
        """End all streams: the first step of an ordered end."""
        self._stop.set()
        self.evening.hub.close()

    def close(self) -> None:
        """Stop looking, let go of files and pins."""
        self.send_home()
        for closer in reversed(self._closers):
            closer()
        self.evening.close()
        if self.evening.panel is not None:
            self.evening.panel.close()


def _kept_secret(path: Path, make: Callable[[], str]) -> str:
    """A secret that outlives the process, readable by this user alone.

    Raises:
        StorageError: it can neither be read nor written.
    """
    try:
        with contextlib.suppress(FileNotFoundError):
            text = path.read_text(encoding="ascii").strip()
            if text:
                return text
        text = make()
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text + "\n")
    except OSError as error:
        raise storage_error(path, error) from error
    return text


def panel_pins(config: Config) -> PanelPins:
    """The panel's pins as its adapter wants them."""
    from companion.adapters.panel_gpio import PanelPins

    panel = config.panel
    return PanelPins(
        buttons={button: getattr(panel, button.value) for button in Button},
        status=(panel.status_red, panel.status_green, panel.status_blue),
        weather={face: getattr(panel, face.value) for face in Weather},
        buzzer=panel.buzzer,
        bounce_s=panel.bounce_ms / 1000,
        hold_s=panel.hold_s,
    )


def real_panel(config: Config, clock: SystemClock) -> Panel:
    """The panel on this machine's pins.

    Raises:
        PanelError: naming every pin that was refused, or what is missing to use pins at all.
    """
    from companion.adapters.panel_gpio import GpioPanel, real_factory

    return GpioPanel(panel_pins(config), real_factory(), clock.monotonic)


def panel_or_reason(config: Config, clock: SystemClock) -> Panel:
    """The panel; where it cannot be had, one that says why: a wrong pin must not keep the game from starting."""
    from companion.adapters.panel_absent import AbsentPanel

    try:
        return real_panel(config, clock)
    except PanelError as error:
        _log.warning("no panel: %s", error)
        return AbsentPanel(str(error))


def drawn_panel(config: Config, clock: SystemClock) -> DrawnPanel:
    """The panel without hardware."""
    from companion.adapters.panel_drawn import DrawnGpioPanel

    return DrawnGpioPanel(panel_pins(config), clock.monotonic)


def table_before(config: Config) -> LiveTable | None:
    """The table before the configured camera; None where there is no camera.

    Raises:
        UsageError: no such camera.
        BadInputError: the camera file cannot be used.
    """
    if config.camera.source == "none":
        return None
    from companion.looking import real_table

    return real_table(config)


def roll_digital_die() -> Weather:
    """A fair face, from the operating system's randomness."""
    return secrets.choice(list(Weather))


def build_house(config: Config, *, demo: bool = False, **parts: Any) -> House:  # noqa: ANN401 (passed on)
    """Build everything but the camera's watcher, and go on with the game that was being played.

    Args:
        config: the config.
        demo: the pages may show the PIN.
        parts: further parts of the `Evening` (`panel`, `drawn`, `camera`, `toy`).

    Raises:
        StorageError: the data folder cannot be used at all.
    """
    clock = SystemClock()
    try:
        config.data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise storage_error(config.data, error) from error
    pin = config.web.pin or _kept_secret(config.data / "pin", lambda: f"{secrets.randbelow(10**6):06d}")
    settings = WebSettings(
        secret_key=_kept_secret(config.data / "secret", lambda: secrets.token_hex(32)).encode(),
        pin=pin,
        upload_max_bytes=config.web.upload_max_kb * 1024,
        demo=demo,
        language=config.table.language,
    )
    if config.panel.enabled and "panel" not in parts and "drawn" not in parts:
        parts["panel"] = panel_or_reason(config, clock)
    evening = Evening(
        Library(config.data, DiskJournal),
        Hub(secrets.token_hex(4), config.web.streams_max),
        clock,
        lambda: secrets.token_hex(8),
        roll_digital_die if config.table.die == "digital" else None,
        **parts,
    )
    if evening.panel is not None:
        evening.panel.listen(evening.press)
    evening.resume_current()
    evening.changed()
    return House(config, evening, create_app(evening, settings), pin)
