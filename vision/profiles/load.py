"""Art profiles: what the tiles of one edition look like, as chromaticities measured or computed elsewhere.

A profile is a TOML file: `name`, `source` (where the figures come from) and any number of `[[prototype]]` with `kind`
(green, yellow, pink, pond), optionally `painting`, `chroma` (the mean of log R/G and log B/G in the tile's ring, as
against the white of a marker card) and `spread` (standard deviation of single pixels). Several prototypes of a kind
are different paintings of it.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import BadInputError
from companion.remarks import Remark

KINDS = ("green", "yellow", "pink", "pond")
LOOK_FREE = "free"
INSTALLED = Path("/etc/gamenight-companion/profiles")
"""Profiles of this machine, for the service too."""
_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Prototype:
    """One painting's colour in the ring of the tile."""

    kind: str
    chroma: tuple[float, float]
    """log R/G and log B/G relative to white, natural logarithms of values as stored (0 to 255)."""
    spread: tuple[float, float]
    painting: str = ""


@dataclass(frozen=True, slots=True)
class Profile:
    """The look of one edition's tiles."""

    name: str
    source: str
    prototypes: tuple[Prototype, ...]

    @property
    def is_look_free(self) -> bool:
        """Whether this is the profile for tiles of unknown look."""
        return self.name == LOOK_FREE


def shipped_profiles() -> tuple[str, ...]:
    """Names of the profiles that come with the project."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


def profile_for(art: str | None, folder: Path | None = None) -> tuple[Profile, Remark | None]:
    """The profile that a camera file's `art` names, and a warning where it names none.

    Args:
        art: the name, or None.
        folder: where profiles made by `companion teach` lie; searched first, then `taught_folder()` and the
            installation's own.

    Returns:
        The profile (look-free when the name is missing, unknown or `free`) and the warning, or None.
    """
    name = (art or "").strip().lower()
    if name != LOOK_FREE and name.replace("-", "").replace("_", "").isalnum():
        for place in (folder, taught_folder(), INSTALLED, _FOLDER):
            if place is not None and (place / f"{name}.toml").is_file():
                return load_profile(place / f"{name}.toml"), None
    free = load_profile(_FOLDER / f"{LOOK_FREE}.toml")
    if name == LOOK_FREE:
        return free, Remark("eye.free_look")
    if not name:
        return free, Remark("eye.no_look")
    return free, Remark("eye.unknown_look", {"art": repr(name[:40])})


def taught_folder() -> Path:
    """Where `companion teach` puts profiles: `COMPANION_PROFILES`, else a folder of the user's own."""
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    return Path(os.environ.get("COMPANION_PROFILES") or data / "gamenight-companion" / "profiles")


def load_profile(path: Path) -> Profile:
    """Read a profile.

    Raises:
        BadInputError: naming the file and what is wrong in it.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        prototypes = tuple(_prototype(item) for item in data["prototype"])
        if not prototypes:
            raise ValueError("it has no prototype")
        return Profile(str(data["name"]), str(data.get("source", "")), prototypes)
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise BadInputError(f"{path}: not a profile: {error}; make it anew with `companion teach`") from None


def profile_to_toml(profile: Profile) -> str:
    """The text of a profile's file."""
    lines = [f"name = {_quoted(profile.name)}", f"source = {_quoted(profile.source)}"]
    for one in profile.prototypes:
        lines += ["", "[[prototype]]", f"kind = {_quoted(one.kind)}"]
        lines += [f"painting = {_quoted(one.painting)}"] if one.painting else []
        lines += [f"chroma = [{one.chroma[0]:.3f}, {one.chroma[1]:.3f}]"]
        lines += [f"spread = [{one.spread[0]:.3f}, {one.spread[1]:.3f}]"]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    clean = "".join(c if c.isprintable() else " " for c in text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{clean}"'


def _prototype(item: dict[str, Any]) -> Prototype:
    kind = str(item["kind"])
    if kind not in KINDS:
        raise ValueError(f"kind {kind!r} is none of {', '.join(KINDS)}")
    (u, v), (su, sv) = item["chroma"], item["spread"]
    if not (0 < float(su) < 5 and 0 < float(sv) < 5 and abs(float(u)) < 10 and abs(float(v)) < 10):
        raise ValueError(f"chroma or spread of {kind} is out of range")
    return Prototype(kind, (float(u), float(v)), (float(su), float(sv)), str(item.get("painting", "")))
