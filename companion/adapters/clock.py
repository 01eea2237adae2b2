"""The system's clocks."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class SystemClock:
    """Real time."""

    def monotonic(self) -> float:
        """Seconds that never jump."""
        return time.monotonic()

    def utc(self) -> datetime:
        """The wall clock, UTC."""
        return datetime.now(UTC)
