"""What `companion doctor` does: look at everything that an evening stands on, and name a remedy for what is wrong."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from companion.adapters.clock import SystemClock
from companion.adapters.journal_disk import DiskJournal
from companion.cli.running import configured
from companion.config import Config
from companion.errors import CompanionError

LEAST_FREE_MB = 200
"""A whole evening's record is far below one; pictures and logs are not."""
SLOW_FSYNC_MS = 250.0
"""Slower than this, every event is felt at the table."""
BUILT = datetime.fromisoformat("2026-01-01T00:00:00+00:00")
"""A clock before this has not been set: the program itself is younger."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one thing."""

    part: str
    ok: bool
    what: str
    remedy: str = ""


def examine(path: Path | None, *, data: Path | None, camera: str | None, as_json: bool) -> int:
    """Look at all parts and print what was found.

    Returns:
        0 if all is well, 1 if something needs a remedy.
    """
    try:
        config = configured(path, data=data, camera=camera)
    except CompanionError as error:
        findings = [Finding("config", False, str(error), "mend the file, then ask again")]
    else:
        findings = [Finding("config", True, str(path) if path else "the defaults"), *_examined(config)]
    if as_json:
        print(json.dumps([asdict(finding) for finding in findings]))
    else:
        for finding in findings:
            print(f"{'ok ' if finding.ok else 'BAD'} {finding.part:8} {finding.what}")
            if finding.remedy and not finding.ok:
                print(f"             -> {finding.remedy}")
    return 0 if all(finding.ok for finding in findings) else 1


def _examined(config: Config) -> Iterator[Finding]:
    for part, look in (("disk", _disk), ("clock", _clock), ("buttons", _buttons), ("camera", _camera)):
        yield from _guarded(part, look, config)


def _guarded(part: str, look: Callable[[Config], Iterator[Finding]], config: Config) -> Iterator[Finding]:
    try:
        yield from look(config)
    except (CompanionError, OSError) as error:
        yield Finding(part, False, str(error), "see the line itself")


def _disk(config: Config) -> Iterator[Finding]:
    config.data.mkdir(parents=True, exist_ok=True)
    probe = config.data / "doctor"
    journal = DiskJournal(probe)
    try:
        begun = time.monotonic()
        journal.append(["a line\n"])
        took_ms = (time.monotonic() - begun) * 1000
    finally:
        journal.close()
        probe.unlink(missing_ok=True)
    free_mb = shutil.disk_usage(config.data).free // 2**20
    yield Finding(
        "disk",
        free_mb >= LEAST_FREE_MB and took_ms <= SLOW_FSYNC_MS,
        f"{config.data}: {free_mb} MB free, an event is written in {took_ms:.0f} ms",
        "free some space, or use a faster card: every event waits for it",
    )


def _clock(_config: Config) -> Iterator[Finding]:
    now = SystemClock().utc()
    yield Finding(
        "clock",
        now >= BUILT,
        f"{now:%Y-%m-%d %H:%M} UTC",
        "set the time or join a network: games go on without it, only their dates are wrong",
    )


def _buttons(config: Config) -> Iterator[Finding]:
    if not config.panel.enabled:
        yield Finding("buttons", True, "no panel (panel.enabled = false): the page has all buttons")
        return
    from companion.app import real_panel

    panel = real_panel(config, SystemClock())
    try:
        trouble = panel.trouble()
    finally:
        panel.close()
    yield Finding("buttons", not trouble, "; ".join(trouble) or "all pins answer", "check the wiring")


def _camera(config: Config) -> Iterator[Finding]:
    source = config.camera.source
    if source == "none":
        yield Finding("camera", True, "none: moves are entered by hand")
        return
    if source == "simulated":
        yield Finding("camera", True, "simulated: for the demo")
        return
    from companion.looking import camera_model
    from vision.cameras.choice import open_camera
    from vision.cards import find_cards
    from vision.pose import pose_from_cards
    from vision.usable import why_useless

    model = camera_model(config)
    camera = open_camera(source, size=(model.width, model.height))
    try:
        image = camera.grab().image
    finally:
        camera.close()
    height, width = image.shape[:2]
    useless = why_useless(image)
    yield Finding(
        "camera",
        useless is None,
        f"{source}: a picture of {width} x {height}" + (f", but {useless}" if useless else ""),
        "look at the lens, the light and the focus",
    )
    cards = find_cards(image, model)
    pose = pose_from_cards(cards, model)
    found = ", ".join(str(card.id) for card in cards) or "none"
    missing = sorted(set(model.markers.ids) - {card.id for card in cards})
    yield Finding(
        "markers",
        pose is not None and len(cards) > 1,
        f"cards found: {found}" + (f"; not found: {', '.join(map(str, missing))}" if missing else ""),
        "lay at least two cards flat where the camera sees them; print them with companion kit",
    )
