"""One TOML file, one frozen value. Unknown keys are refused, and every complaint names file, key and remedy.

`deploy/config.example.toml` shows every key with its default.
"""

from __future__ import annotations

import difflib
import ipaddress
import os
import tomllib
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from companion.errors import BadInputError

DEFAULT_FOLDER = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "gamenight-companion"

Gpio = Annotated[int, Field(ge=2, le=27)]
"""A pin by its GPIO number (BCM), not by its place on the header; 0 and 1 belong to the HAT's memory."""


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class WebConfig(_Section):
    """The page."""

    host: str = "0.0.0.0"  # the page is for the phones in the house
    """Address to listen on; 127.0.0.1 keeps it to this machine."""
    port: int = Field(default=8080, ge=1, le=65535)
    pin: str | None = Field(default=None, pattern=r"^\d{4,12}$")
    """The host's PIN, digits; without one a PIN is made at the first start and kept in the data folder."""
    streams_max: int = Field(default=240, ge=8, le=1000)
    """How many pages may be open at once; each needs a thread."""
    upload_max_kb: int = Field(default=2048, ge=16, le=65536)
    trusted_proxy: str | None = None
    """Address of the proxy that adds TLS: what it says of its clients (X-Forwarded-For, -Proto, -Host) is believed."""

    @field_validator("trusted_proxy")
    @classmethod
    def _is_address(cls, value: str | None) -> str | None:
        if value is not None:
            try:
                ipaddress.ip_address(value)
            except ValueError:
                raise ValueError(f"{value[:40]!r} is no IP address: name the proxy's own, such as 127.0.0.1") from None
        return value


class CameraConfig(_Section):
    """What looks at the table."""

    source: str = "none"
    """picamera2, webcam:0, files:DIR, video:FILE, night:DIR, simulated or none."""
    file: Path | None = None
    """The camera file (JSON); `companion calibrate` writes one."""


class PanelConfig(_Section):
    """Buttons, lamps and buzzer, by GPIO number; a lamp that is left out is not there."""

    enabled: bool = False
    roll: Gpio = 5
    check: Gpio = 6
    next: Gpio = 13
    undo: Gpio = 19
    status_red: Gpio = 17
    status_green: Gpio = 27
    status_blue: Gpio = 22
    sun: Gpio = 23
    rain: Gpio = 24
    wind: Gpio = 25
    storm: Gpio = 12
    clouds: Gpio = 16
    choice: Gpio = 20
    buzzer: Gpio = 21
    bounce_ms: float = Field(default=30.0, ge=0, le=500)
    hold_s: float = Field(default=1.0, ge=0.2, le=10)

    @model_validator(mode="after")
    def _pins_differ(self) -> PanelConfig:
        seen: dict[int, str] = {}
        for name in PIN_NAMES:
            pin = getattr(self, name)
            if pin in seen:
                raise ValueError(f"{name} and {seen[pin]} both use GPIO {pin}: give one of them another pin")
            seen[pin] = name
        return self


PIN_NAMES = (
    "roll", "check", "next", "undo", "status_red", "status_green", "status_blue",
    "sun", "rain", "wind", "storm", "clouds", "choice", "buzzer",
)  # fmt: skip


class TableConfig(_Section):
    """How the table plays."""

    die: str = Field(default="digital", pattern="^(digital|real)$")
    """digital: Roll rolls the die here; real: the page asks for the face of the real die."""
    language: str = Field(default="en", pattern="^(en|ja|uk)$")
    """Of the table page where the browser asks for none that we have."""


class Config(_Section):
    """All of it."""

    data: Path = DEFAULT_FOLDER
    """The folder of records."""
    web: WebConfig = WebConfig()
    camera: CameraConfig = CameraConfig()
    panel: PanelConfig = PanelConfig()
    table: TableConfig = TableConfig()


def _known_keys(section: tuple[str, ...]) -> list[str]:
    model: type[BaseModel] = Config
    for name in section:
        field = model.model_fields.get(name)
        if field is None or not (isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)):
            return []
        model = field.annotation
    return list(model.model_fields)


def _remedy(kind: str, location: tuple[str, ...], message: str) -> str:
    if kind == "extra_forbidden":
        known = _known_keys(location[:-1])
        close = difflib.get_close_matches(location[-1], known, n=1)
        return f"unknown key; did you mean {close[0]!r}?" if close else f"unknown key; known are: {', '.join(known)}"
    return message.removeprefix("Value error, ")


def _paths_from_text(data: dict[str, Any], base: Path) -> dict[str, Any]:
    """TOML has no paths: read them relative to the file, `~` included."""

    def path(value: object) -> object:
        return base / Path(value).expanduser() if isinstance(value, str) and value else value

    out = dict(data)
    if "data" in out:
        out["data"] = path(out["data"])
    if isinstance(out.get("camera"), dict) and "file" in out["camera"]:
        out["camera"] = {**out["camera"], "file": path(out["camera"]["file"])}
    return out


def parse_config(text: str, *, name: str, base: Path) -> Config:
    """Read a config.

    Args:
        text: TOML.
        name: what to call it in complaints.
        base: where relative paths start.

    Raises:
        BadInputError: one line for each thing that is wrong: file, key, remedy.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInputError(f"{name}: not TOML: {error}") from error
    try:
        return Config.model_validate(_paths_from_text(data, base))
    except ValidationError as error:
        lines = []
        for problem in error.errors():
            location = tuple(str(part) for part in problem["loc"])
            key = ".".join(location) or "file"
            lines.append(f"{name}: {key}: {_remedy(problem['type'], location, problem['msg'])}")
        raise BadInputError("\n".join(lines)) from error


def load_config_to_run(path: Path | None) -> tuple[Config, str]:
    """Read a config file so that a game can start: pins that cannot be are left out, with the panel.

    Returns:
        The config, and what was wrong with its panel (empty: nothing).

    Raises:
        BadInputError: anything else is wrong.
    """
    try:
        return load_config(path), ""
    except BadInputError as error:
        if path is None:
            raise
        wrong = str(error).splitlines()
        if not all(line.startswith(f"{path}: panel") for line in wrong):
            raise
        text = path.read_text(encoding="utf-8")
        rest = {key: value for key, value in tomllib.loads(text).items() if key != "panel"}
        return Config.model_validate(_paths_from_text(rest, path.parent.absolute())), "; ".join(wrong)


def load_config(path: Path | None) -> Config:
    """Read a config file; None gives the defaults.

    Raises:
        BadInputError: if it cannot be read or used; names file, key and remedy.
    """
    if path is None:
        return Config()
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise BadInputError(f"{path}: no such file; copy deploy/config.example.toml there") from error
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"{path}: cannot read it: {error}") from error
    return parse_config(text, name=str(path), base=path.parent.absolute())
