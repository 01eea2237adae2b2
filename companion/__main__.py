"""`companion` on the command line."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from companion.cli.main import run


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code."""
    return run(sys.argv[1:] if argv is None else list(argv))


if __name__ == "__main__":
    sys.exit(main())
