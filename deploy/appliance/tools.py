"""What all parts of the appliance run share: how they count, run, and reach into a tree. Standard library only."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]


class Tally:
    """Counts the lines that checks print."""

    def __init__(self) -> None:
        self.passed = self.failed = 0
        self._lock = threading.Lock()

    def line(self, text: str) -> None:
        text = text.strip()
        if not re.match(r"(PASS|FAIL|NOTE) ", text):
            return
        with self._lock:
            self.passed += text.startswith("PASS")
            self.failed += text.startswith("FAIL")
            print(f"  {text}", flush=True)

    def that(self, what: str, good: object, why: object = "") -> None:
        self.line(f"PASS {what}" if good else f"FAIL {what}: {str(why)[-600:]}")


def call(*words: str | Path, timeout: float = 900) -> subprocess.CompletedProcess[str]:
    """Run to its end; output and errors together."""
    return subprocess.run(
        [str(word) for word in words],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, timeout=timeout,
        check=False,
    )  # fmt: skip


def inside(tree: Path, *words: str, timeout: float = 900) -> subprocess.CompletedProcess[str]:
    """Run in the tree, not booted, as on an image that is being made."""
    quiet = ("env", "-u", "PIP_FIND_LINKS", "DEBIAN_FRONTEND=noninteractive")
    return call(
        "systemd-nspawn", "-q", "-D", tree, "--register=no", "--keep-unit", "--pipe", *quiet, *words, timeout=timeout
    )


def stream(tally: Tally, log: Path, *words: str, timeout: float = 600) -> None:
    """Run, keep what it prints, and count lines as they come; at the end of patience it is killed, and has failed."""
    late = threading.Event()
    with (
        log.open("w") as file,
        subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
            errors="replace", start_new_session=True,
        ) as run,
    ):  # fmt: skip
        assert run.stdout is not None

        def give_up() -> None:
            late.set()
            os.killpg(run.pid, 9)

        timer = threading.Timer(timeout, give_up)
        timer.start()
        for line in run.stdout:
            file.write(line)
            file.flush()
            tally.line(line)
        timer.cancel()
    tally.that("these checks end in time", not late.is_set(), f"killed after {timeout:.0f} s, see {log}")


@contextmanager
def copied_project() -> Iterator[Path]:
    """A copy to build from: building leaves its traces in the folder."""
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / "project"
        keep = shutil.ignore_patterns("__pycache__", "*.egg-info", ".venv", ".git", "build")
        copy.mkdir()
        for entry in ("companion", "vision", "web"):
            shutil.copytree(PROJECT / entry, copy / entry, ignore=keep)
        for entry in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(PROJECT / entry, copy)
        yield copy


def a_photo() -> Path | None:
    """A shared photo of a table, where there is one."""
    shared = Path(os.environ.get("COMPANION_SHARED", PROJECT.parent / "shared"))
    return next(iter(sorted((shared / "photos/tables").glob("medium_*.jpg"))), None)
