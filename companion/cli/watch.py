"""`companion watch`: follow a recorded night from its pictures and what was told, and say what happened."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from companion.reconcile.follow import TurnReport


def register(commands: Any) -> None:  # noqa: ANN401  # argparse names no type for its sub-parsers
    """Add `watch`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "watch",
        help="follow a recorded night and say what happened, turn by turn",
        description="Follow a recorded night: its pictures and what the table was told. One report a turn.",
    )
    parser.add_argument(
        "night", type=Path, metavar="NIGHT", help="folder with header.json, camera.json, timeline.jsonl"
    )
    parser.add_argument("--record", type=Path, metavar="OUT.jsonl", help="write the record here")
    parser.add_argument("--json", action="store_true", help="one JSON object a turn")
    parser.set_defaults(handler=watch)


def watch(args: argparse.Namespace) -> int:
    """Follow the night; what was found before an interruption is in the record.

    Raises:
        BadInputError: naming the file and the line that cannot be used.
        OSError: a file cannot be read or written.
    """
    from companion.nights import follow_night, header_of
    from companion.reconcile.follow import Follower
    from companion.record import Game, write_header

    header = header_of(args.night)
    start = Game.start(header).state
    follower = Follower(start)
    reports = follow_night(args.night, follower, oriented=bool(start.plots), remark=_remark)
    if args.record is None:
        for report in reports:
            _show(report, header.seats, as_json=args.json)
        return 0
    with args.record.open("w", encoding="utf-8") as record:
        record.write(write_header(header))
        for report in reports:
            _write(record, report)
            _show(report, header.seats, as_json=args.json)
    return 0


def _remark(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _write(record: TextIO, report: TurnReport) -> None:
    """One turn at a time, so that an interrupted record is a record all the same."""
    from companion.reconcile.report import record_events
    from companion.record import write_line

    for event in record_events(report):
        record.write(write_line(event))
    record.flush()


def _show(report: TurnReport, names: tuple[str, ...], *, as_json: bool) -> None:
    from companion.reconcile.report import report_in_words, report_to_json

    if as_json:
        print(json.dumps(report_to_json(report), ensure_ascii=False), flush=True)
    else:
        print(report_in_words(report, names[report.seat]), flush=True)
