"""Real `kill -9` at random moments: whatever was acknowledged is there after the resume."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

from companion.adapters.journal_disk import DiskJournal
from companion.services.library import Library

CHILD = Path(__file__).with_name("crash_child.py")
KILLS = 100


def kept(folder: Path) -> tuple[set[str], int]:
    """The ids of all that a resume finds, and the version."""
    opened = Library(folder, DiskJournal).open("evening")
    opened.journal.close()
    opened.pending_journal.close()
    ids = {event.id for event in opened.game.events} | {told.id for told in opened.pending.told}
    if opened.pending.question is not None:
        ids.add(opened.pending.question.id)
    return ids, opened.game.version + opened.pending.ops


def test_a_hundred_kills_lose_nothing_that_was_acknowledged(tmp_path):
    rng = random.Random(5)
    acknowledged: set[str] = set()
    removed: set[str] = set()
    version = 0
    with subprocess.Popen(
        [sys.executable, CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as player:
        for number in range(KILLS):
            player.stdin.write(f"{tmp_path} {number}\n")
            playing, pid = player.stdout.readline().split()
            assert playing == "playing", f"round {number} could not resume"
            kill_after = rng.randrange(16)
            for heard, line in enumerate(player.stdout):
                word, *rest = line.split()
                if word == "dead":
                    break
                if word == "ack":
                    acknowledged.add(rest[0])
                    version = max(version, int(rest[1]))
                else:
                    removed.add(rest[0])
                if heard == kill_after:
                    os.kill(int(pid), signal.SIGKILL)
            found, version_found = kept(tmp_path)
            assert acknowledged - removed <= found, f"round {number}: lost {acknowledged - removed - found}"
            assert version_found >= version, f"round {number}: the version ran back"
        player.stdin.close()
    assert len(acknowledged) > 3 * KILLS
