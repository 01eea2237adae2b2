"""The appliance run itself needs root and minutes; here is tried that it counts right and never says well in vain."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

APPLIANCE = Path(__file__).resolve().parents[2] / "deploy/appliance"


@pytest.fixture
def tools(monkeypatch):
    monkeypatch.syspath_prepend(str(APPLIANCE))
    import tools

    return tools


def test_lines_of_checks_are_counted_and_noise_is_not(tools, tmp_path, capsys):
    tally = tools.Tally()
    script = "echo noise; echo PASS one; echo '  FAIL two: why'; echo NOTE three; echo PASSED"
    tools.stream(tally, tmp_path / "log", "sh", "-c", script)
    assert (tally.passed, tally.failed) == (2, 1)  # that they ended in time is one more
    assert (tmp_path / "log").read_text().splitlines()[0] == "noise"
    assert "noise" not in capsys.readouterr().out


def test_checks_that_hang_are_ended_with_all_that_they_started_and_have_failed(tools, tmp_path):
    tally = tools.Tally()
    tools.stream(tally, tmp_path / "log", "sh", "-c", "echo PASS one; sleep 1000 & wait", timeout=0.3)
    assert (tally.passed, tally.failed) == (1, 1)


def test_a_part_that_breaks_has_failed_and_the_next_one_runs(tools, tmp_path):
    import run

    tally = tools.Tally()

    def broken(_folder, _tally, _photo):
        raise FileNotFoundError("qemu")

    def sound(_folder, tally, _photo):
        tally.that("sound", True)

    run.guarded(tally, (broken, sound), tmp_path, None)
    assert (tally.passed, tally.failed) == (1, 1)


def test_its_options_are_told_without_root():
    done = subprocess.run(
        [sys.executable, APPLIANCE / "run.py", "--help"], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0
    assert "install,nspawn,uml,remove,debian12,arm64" in done.stdout
