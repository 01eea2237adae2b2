"""What the web app needs to know, as one frozen value; the process builds it from the config."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

HOST_STAYS = timedelta(days=30)
"""How long a device keeps the controls."""


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Settings of the pages."""

    secret_key: bytes
    """Signs the sessions."""
    pin: str
    """The host's PIN, digits."""
    upload_max_bytes: int = 2 * 1024 * 1024
    heartbeat_s: float = 5.0
    """A comment goes down every stream this often: dead connections show, sleeping proxies stay awake."""
    language: str = "en"
    """Where a browser asks for none that we have."""
    demo: bool = False
    """Shows the PIN to everyone, and the simulated table to the host."""
    pin_attempts: str = "5 per minute; 30 per hour"
    """Wrong PINs that one address may try."""
