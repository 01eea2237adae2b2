"""`companion bench notices`: rendered nights on which something happens besides the game, and what is noticed of it.

For every kind of disturbance some short nights are written (once: a folder keeps them), followed as `companion watch`
follows them, and compared with what truly happened in which picture.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.bench.nights import DISTURBANCES, NightPlan, can_show, write_night
from companion.games.takenoko.hexgrid import Edge, Hex, parse_edge, parse_hex, turned
from companion.games.takenoko.position import position_to_json
from companion.nights import follow_night, header_of
from companion.reconcile.follow import Follower, TurnReport
from companion.reconcile.policy import Verdict
from companion.record import Game

KINDS = (*DISTURBANCES, "hand")
_OFTEN = 0.2
"""That something happens between two pictures; hands are in more of them."""
_HANDS = 0.3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the bench."""
    parser.add_argument("--nights", type=int, default=2, help="nights of each kind (default 2)")
    parser.add_argument("--turns", type=int, default=12, help="turns of a night (default 12)")
    parser.add_argument("--seed", type=int, default=9100, help="of the first night (default 9100)")
    parser.add_argument("--width", type=int, default=1280, help="columns of the pictures (default 1280)")
    parser.add_argument("--kind", choices=KINDS, action="append", help="only this kind; may be given again")
    parser.add_argument("--folder", type=Path, help="where the nights are kept; by default they are thrown away")


@dataclass(slots=True)
class Tally:
    """What was counted over some nights."""

    happened: Counter[str] = field(default_factory=Counter)
    noticed: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    false: list[str] = field(default_factory=list)
    turns: int = 0
    right: int = 0
    asked: int = 0
    silent: int = 0

    def add(self, night: Path) -> None:
        """Follow one night and count."""
        start = Game.start(header_of(night)).state
        reports = list(follow_night(night, Follower(start), oriented=bool(start.plots)))
        true = {(line["frame"], line["kind"]) for line in _lines(night / "truth_notices.jsonl")}
        told = {(frame, notice.value) for report in reports for frame, notice in report.notices}
        self.happened.update(kind for _, kind in true)
        self.noticed.update(kind for _, kind in true & told)
        self.missed += [f"{night.name}/{frame} {kind}" for frame, kind in sorted(true - told)]
        self.false += [f"{night.name}/{frame} {kind}" for frame, kind in sorted(told - true)]
        true_gardens = {line["turn"]: _Garden.of(line["position"]) for line in _lines(night / "truth_positions.jsonl")}
        judged = [(report, _Garden.of(position_to_json(report.state))) for report in reports]
        judged = [(report, garden) for report, garden in judged if report.turn in true_gardens]
        # Which of the six sides is called east nobody can know: it is the one that fits the night best.
        rights = [[true_gardens[r.turn].turned(sixths) == garden for r, garden in judged] for sixths in range(6)]
        for (report, _), right in zip(judged, max(rights, key=sum), strict=True):
            self._judge(report, right)

    def _judge(self, report: TurnReport, right: bool) -> None:
        """The nights have no slips: an accepted turn with another garden is silently wrong."""
        accepted = report.decision.verdict is Verdict.ACCEPT
        self.turns += 1
        self.right += right and accepted
        self.asked += report.decision.verdict is Verdict.ASK
        self.silent += accepted and not right


@dataclass(frozen=True, slots=True)
class _Garden:
    """What a camera sees of a position."""

    plots: frozenset[tuple[Hex, str]]
    channels: frozenset[Edge]
    figures: tuple[Hex, Hex]

    @classmethod
    def of(cls, position: dict[str, Any]) -> _Garden:
        """From a position as JSON."""
        plots = frozenset((parse_hex(at), json.dumps(plot, sort_keys=True)) for at, plot in position["plots"].items())
        channels = frozenset(parse_edge(text) for text in position["channels"])
        return cls(plots, channels, (parse_hex(position["gardener"]), parse_hex(position["panda"])))

    def turned(self, sixths: int) -> _Garden:
        """The same garden with another side as east."""
        gardener, panda = (turned(at, sixths) for at in self.figures)
        return _Garden(
            frozenset((turned(at, sixths), plot) for at, plot in self.plots),
            frozenset(Edge.of(*(turned(cell, sixths) for cell in edge)) for edge in self.channels),
            (gardener, panda),
        )


def run(args: argparse.Namespace) -> dict[str, Any]:
    """The figures by name."""
    with TemporaryDirectory() as thrown_away:
        return _measured(args, args.folder or Path(thrown_away))


def _measured(args: argparse.Namespace, root: Path) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    tally = Tally()
    for kind in args.kind or KINDS:
        for night in _nights(kind, args, root):
            tally.add(night)
        figures[f"{kind}_noticed"] = f"{tally.noticed[kind]} of {tally.happened[kind]}"
    return figures | {
        "missed": tally.missed,
        "false": tally.false,
        "turns": tally.turns,
        "right_unasked": tally.right,
        "asked": tally.asked,
        "silent_wrong": tally.silent,
    }


def _nights(kind: str, args: argparse.Namespace, root: Path) -> Iterator[Path]:
    """Nights on which this may happen, written where they are not kept from before."""
    found, seed = 0, args.seed
    while found < args.nights:
        plan = NightPlan(
            seed,
            turns=args.turns,
            hand=_HANDS if kind == "hand" else 0.0,
            disturbance=0.0 if kind == "hand" else _OFTEN,
            kinds=DISTURBANCES if kind == "hand" else (kind,),
            width=args.width,
            height=args.width * 3 // 4,
        )
        seed += 1
        night = root / f"{kind}-{plan.seed}-{plan.turns}-{plan.width}"
        if not (night / "truth.jsonl").is_file():
            if not can_show(plan):
                continue
            write_night(night, plan)
        found += 1
        yield night


def _lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
