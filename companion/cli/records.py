"""`companion replay`, `companion legal` and `companion met`: what a record says."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import BadInputError

if TYPE_CHECKING:
    from companion.record import Game, ReadResult

_Commands = argparse._SubParsersAction  # the only name that argparse gives it


def register(commands: _Commands[argparse.ArgumentParser]) -> None:
    """Add the commands of this module."""
    replay = commands.add_parser("replay", help="replay records and say where each one ends")
    replay.add_argument("records", nargs="+", metavar="RECORD")
    replay.add_argument("--json", action="store_true", help="one JSON object a record")
    replay.set_defaults(handler=_replay)
    legal = commands.add_parser("legal", help="list every legal move in a record's final position")
    legal.add_argument("record", metavar="RECORD")
    legal.add_argument("--json", action="store_true", help="one JSON object")
    legal.set_defaults(handler=_legal)
    met = commands.add_parser("met", help="list the objectives that a record's final position meets")
    met.add_argument("record", metavar="RECORD")
    met.add_argument("--json", action="store_true", help="one JSON object")
    met.set_defaults(handler=_met)


def _replay(args: argparse.Namespace) -> int:
    from companion.record import read_record

    all_ok = True
    for name in args.records:
        try:
            report = _report(name, read_record(Path(name)))
        except (OSError, ValueError) as error:  # ValueError: a name that no file can have
            report = _refused(name, 1, "format", f"the file cannot be read: {error}")
        all_ok = all_ok and report["ok"]
        print(json.dumps(report) if args.json else _told(report), flush=True)
    return 0 if all_ok else 1


def _refused(name: str, line: int, rule: str, message: str) -> dict[str, Any]:
    return {"file": name, "ok": False, "line": line, "rule": rule, "message": message}


def _report(name: str, result: ReadResult) -> dict[str, Any]:
    if result.fault is not None or result.game is None:
        fault = result.fault
        assert fault is not None  # without a game there is a fault
        return _refused(name, fault.line, fault.rule, fault.message)
    title, state = result.game.header.title, result.game.state
    report = {
        "file": name,
        "ok": True,
        "position": title.position_to_json(state),
        "scores": list(title.scores(state)),
        "winners": list(title.winners(state)),
        "over": title.seat_to_move(state) is None,
        **title.derived(state),
    }
    return report | {"torn": True} if result.torn else report


def _told(report: dict[str, Any]) -> str:
    """A report for people."""
    if not report["ok"]:
        return f"{report['file']}: line {report['line']}: {report['message']} ({report['rule']})"
    names = [seat["name"] for seat in report["position"]["seats"]]
    points = ", ".join(f"{names[score['seat']]} {score['total']}" for score in report["scores"])
    if not report["over"]:
        turn = report["position"]["turn"]
        state = f"turn {turn['number']} of {names[turn['seat']]}"
    else:
        state = "over, won by " + " and ".join(names[seat] for seat in report["winners"])
    torn = " (the last line was torn and is dropped)" if report.get("torn") else ""
    return f"{report['file']}: {points}; {state}{torn}"


def _game(name: str) -> Game:
    """The game of a record that is right to its end.

    Raises:
        BadInputError: naming the line and the rule, if it is not.
        OSError: if the file cannot be read.
    """
    from companion.record import read_record

    try:
        result = read_record(Path(name))
    except ValueError as error:  # a name that no file can have
        raise BadInputError(f"{name!r} cannot be read: {error}") from None
    if result.game is None or result.fault is not None:
        fault = result.fault
        assert fault is not None  # without a game there is a fault
        raise BadInputError(f"{name}: line {fault.line}: {fault.message} ({fault.rule})")
    if result.torn:
        print(f"{name}: the last line is torn and was dropped", file=sys.stderr)
    return result.game


def _legal(args: argparse.Namespace) -> int:
    game = _game(args.record)
    title = game.header.title
    moves = [title.format_move(move) for move in title.legal_moves(game.state)]
    print(json.dumps({"moves": moves}) if args.json else "\n".join(moves))
    return 0


def _met(args: argparse.Namespace) -> int:
    game = _game(args.record)
    title, state = game.header.title, game.state
    cards = list(title.met(state))
    payable = [list(names) for names in title.payable(state)]
    if args.json:
        print(json.dumps({"met": cards, "payable": payable}))
        return 0
    print("met:", ", ".join(cards) or "none")
    for name, names in zip(game.header.seats, payable, strict=True):
        print(f"{name} can pay:", ", ".join(names) or "none")
    return 0
