"""A recorded night as a camera: its stills at their own times, and what the table was told between them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.errors import CameraError
from vision.cameras.files import StillsCamera
from vision.cameras.port import Clock


class NightCamera(StillsCamera):
    """The camera of a recorded night (formats, section 7).

    Args:
        folder: the night.
        clock: monotonic seconds; a faster clock shows the night faster.

    Raises:
        CameraError: the timeline is absent or a line of it cannot be used; names file and line.
    """

    def __init__(self, folder: Path, clock: Clock) -> None:
        stills, self._told = _read_timeline(folder)
        first = stills[0][0]
        super().__init__(f"night:{folder}", tuple((t - first, path) for t, path in stills), clock)
        self._told = [(max(0.0, t - first), line) for t, line in self._told]

    def due(self) -> tuple[Mapping[str, Any], ...]:
        """What the table was told since the last call: lines such as `{"seat":0,"do":"roll rain"}`, in order.

        A told line has no time of its own; it is due once the still before it is on.
        """
        now = self.elapsed()
        due = [line for t, line in self._told if t <= now]
        self._told = self._told[len(due) :]
        return tuple(due)


def _read_timeline(folder: Path) -> tuple[list[tuple[float, Path]], list[tuple[float, Mapping[str, Any]]]]:
    path = folder / "timeline.jsonl"
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CameraError(f"{path}: cannot be read ({error})") from error
    stills: list[tuple[float, Path]] = []
    told: list[tuple[float, Mapping[str, Any]]] = []
    now = 0.0
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            line = json.loads(text)
            if "frame" in line:
                now = max(now, float(line["t"]))
                stills.append((now, _inside(folder, str(line["frame"]))))
            else:
                told.append((now, {"seat": int(line["seat"]), "do": str(line["do"])}))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise CameraError(f"{path}: line {number} cannot be used ({error})") from error
    if not stills:
        raise CameraError(f"{path}: names no frame")
    return stills, told


def _inside(folder: Path, name: str) -> Path:
    """A file of the night; a name that leads out of its folder is refused."""
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise ValueError(f"frame {name!r} lies outside the night")
    return path
