"""How well and how fast turns are explained: whole simulated evenings behind a made-up eye of known noise.

`--curve` makes the table of docs/reconcile.md: the same evenings behind eyes that see worse and worse. With `--night`
the real eye looks at a recorded night, and the time from a still table to the answer is that of eye and search.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from companion.bench.evenings import Evening, Habits, TurnTruth, simulate_evening
from companion.bench.noise import Noise, NoisyEye
from companion.reconcile.follow import Follower, TurnReport
from companion.reconcile.nodes import Told
from companion.reconcile.policy import Verdict
from companion.reconcile.posterior import garden_of

CURVE = (0.5, 0.75, 1.0, 1.25, 1.5)
"""Factors of the noise in the curve."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be chosen."""
    parser.add_argument("--evenings", type=int, default=6, help="simulated evenings (default 6)")
    parser.add_argument("--turns", type=int, default=30, help="most turns of each (default 30)")
    parser.add_argument("--noise", type=float, default=1.0, help="factor of the eye's noise (default 1)")
    parser.add_argument("--slips", type=float, default=0.03, help="chance of a slip in a turn (default 0.03)")
    parser.add_argument("--hands", type=float, default=0.03, help="chance of a hand in a picture (default 0.03)")
    parser.add_argument("--seed", type=int, default=1000, help="of the first evening (default 1000)")
    parser.add_argument("--curve", action="store_true", help="the figures for several factors of noise")
    parser.add_argument("--night", type=Path, action="append", default=[], help="a recorded night for the real eye")
    parser.add_argument("--misses", action="store_true", help="print every turn that went wrong")


def run(args: argparse.Namespace) -> dict[str, Any]:
    """Follow the evenings and give the figures; times are those of one core, in milliseconds."""
    habits = Habits(slip=args.slips, hand=args.hands)
    seeds = range(args.seed, args.seed + args.evenings)
    if args.curve:
        curve = {}
        for factor in CURVE:
            curve[str(factor)] = _figures(_follow_all(seeds, habits, Noise().scaled(factor), args.turns, misses=False))
        return {"curve": curve}
    tally = _follow_all(seeds, habits, Noise().scaled(args.noise), args.turns, misses=args.misses)
    waits = [wait for night in args.night for wait in _waits(night)]
    answers = [1000 * seconds for seconds in tally.searches]
    figures = _figures(tally)
    figures |= {
        "still_to_answer_ms_median": median(waits or answers),
        "still_to_answer_ms_worst": max(waits or answers),
        "still_to_answer_with": "the eye" if waits else "beliefs made up",
    }
    return figures


@dataclass(slots=True)
class Tally:
    """What came of some evenings."""

    counts: Counter[str] = field(default_factory=Counter)
    searches: list[float] = field(default_factory=list)
    """Seconds of the processor from a look to the belief about the running turn: two searches, since the turn before
    is searched anew with the look."""


def _follow_all(seeds: Sequence[int], habits: Habits, noise: Noise, turns: int, *, misses: bool) -> Tally:
    tally = Tally()
    for seed in seeds:
        evening = simulate_evening(seed, habits, seats=2 + seed % 3, turns=turns)
        reports = follow(evening, NoisyEye(noise, Random(seed + 1)), tally)  # a game, no secret
        judge(evening.turns, reports, tally.counts, f"{seed}" if misses else None)
    return tally


def follow(evening: Evening, eye: NoisyEye, tally: Tally | None = None) -> list[TurnReport]:
    """Follow one evening from its start to its end."""
    follower = Follower(evening.start)
    reports: list[TurnReport] = []
    for item in evening.items:
        began = time.process_time()
        if isinstance(item, Told):
            reports += follower.tell(item.seat, item.move)
        else:
            seen = eye.look(item.state, item.slips, item.hand)
            began = time.process_time()
            follower.look(seen)
            follower.running()
            if tally is not None:
                tally.searches.append(time.process_time() - began)
    return reports + follower.close()


def judge(truths: Sequence[TurnTruth], reports: Sequence[TurnReport], counts: Counter[str], label: str | None) -> None:
    """Compare reports with the truth as the score of recorded nights does; with a label, print what went wrong."""
    for index, (truth, report) in enumerate(zip(truths, reports, strict=True)):
        verdict = report.decision.verdict
        right = garden_of(report.state) == garden_of(truth.state)
        offered = any(garden_of(choice.state) == garden_of(truth.state) for choice in report.decision.choices)
        swallowed = bool(truth.slips) and not report.discrepancies
        counts["turns"] += 1
        counts["asked"] += verdict is Verdict.ASK
        if verdict is Verdict.ACCEPT:
            outcome = "silent_slip" if swallowed else "right" if right else "silent_wrong"
        else:
            outcome = "right_asked" if right else "right_offered" if offered else f"wrong_{verdict.value}"
        counts[outcome] += 1
        counts["false_alarms"] += bool(report.discrepancies) and not truth.slips
        if truth.new is not None:
            sought = (truth.new.kind, truth.new.at)
            found = any((d.kind, d.at) == sought for later in reports[index : index + 2] for d in later.discrepancies)
            counts["slips"] += 1
            counts["slips_found"] += found
            counts[f"missed {truth.new.kind}"] += not found
        if label is not None and outcome != "right":
            events = [str(move) for move in report.decision.best.unseen]
            shown = [(d.kind.value, str(d.at), round(d.p, 2)) for d in report.discrepancies]
            lying = [(slip.kind.value, str(slip.at)) for slip in truth.slips]
            print(label, report.turn, outcome, f"{report.decision.best.p:.3f}", events, "lying", lying, "shown", shown)  # noqa: T201


def _figures(tally: Tally) -> dict[str, Any]:
    counts, turns = tally.counts, max(tally.counts["turns"], 1)
    search = [1000 * seconds for seconds in tally.searches]
    right_asked = counts["right_asked"] + counts["right_offered"]
    return {
        "turns": counts["turns"],
        "right_unasked": counts["right"] / turns,
        "asked": counts["asked"] / turns,
        "right_or_offered": (counts["right"] + right_asked) / turns,
        "silent_wrong": (counts["silent_wrong"] + counts["silent_slip"]) / turns,
        "unexplained": counts["wrong_unexplained"] / turns,
        "slips": counts["slips"],
        "slips_found": counts["slips_found"] / max(counts["slips"], 1),
        "missed": {key.removeprefix("missed "): n for key, n in counts.items() if key.startswith("missed ") and n},
        "false_alarms": counts["false_alarms"] / turns,
        "search_ms_median": median(search),
        "search_ms_worst": max(search),
    }


def _waits(night: Path) -> list[float]:
    """Milliseconds of the processor from a decoded picture to the belief about the running turn, with the real eye."""
    from companion.nights import eye_of, header_of
    from companion.reconcile.look import expected_look
    from companion.reconcile.timeline import FrameLine, parse_timeline, timeline_lines
    from companion.record import Game

    follower = Follower(Game.start(header_of(night)).state)
    eye = eye_of(night)
    waits: list[float] = []
    lines, _ = timeline_lines((night / "timeline.jsonl").read_bytes())
    for item in parse_timeline(lines):
        if isinstance(item, FrameLine):
            expected = expected_look(follower.expected(), follower.anchor) if follower.has_looked else None
            observation = eye(night / item.path, expected)
            began = time.process_time()
            follower.look(observation, item.path)
            follower.running()
            waits.append(observation.ms + 1000 * (time.process_time() - began))
        else:
            follower.tell(item.told.seat, item.told.move)
    return waits
