"""What is reported of a turn, as the public formats have it: lines of output and lines of a record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.events import Correct, Do, Event
from companion.games.takenoko.notation import format_move
from companion.reconcile.follow import Correction, TurnReport
from companion.reconcile.messages import say
from companion.reconcile.policy import Verdict
from companion.reconcile.posterior import Explanation

_STATUS = {
    Verdict.ACCEPT: "accepted",
    Verdict.ASK: "asked",
    Verdict.WAIT: "asked",
    Verdict.UNEXPLAINED: "unexplained",
}


def report_to_json(report: TurnReport) -> dict[str, Any]:
    """One turn as in formats, section 7; `events` are the moves that nobody told, in a legal order."""
    decision = report.decision
    return {
        "turn": report.turn,
        "seat": report.seat,
        "status": _STATUS[decision.verdict],
        "events": _events(decision.best),
        "p": round(decision.best.p, 4),
        "alternatives": [
            {"events": _events(choice), "p": round(choice.p, 4)}
            for choice in decision.choices
            if choice is not decision.best
        ],
        "discrepancies": [discrepancy.to_json() for discrepancy in report.discrepancies],
        "notices": [{"frame": frame, "kind": notice.value} for frame, notice in report.notices],
    }


def _events(explanation: Explanation) -> list[str]:
    return [format_move(move) for move in explanation.unseen]


def report_in_words(report: TurnReport, name: str) -> str:
    """One turn in a line for people, with a further line for each discrepancy."""
    decision = report.decision
    moves = ", ".join(_events(decision.best)) or "nothing"
    lines = [f"turn {report.turn}, {name}: {moves} ({_STATUS[decision.verdict]}, {decision.best.p:.0%})"]
    lines += [f"    or {', '.join(_events(choice)) or 'nothing'} ({choice.p:.0%})"
              for choice in decision.choices[1:] if decision.verdict is not Verdict.ACCEPT]  # fmt: skip
    lines += [f"    {say(found.what)} {say(found.remedy)}" for found in report.discrepancies]
    return "\n".join(lines)


def record_events(report: TurnReport) -> Iterator[Event]:
    """The lines of a record, in a legal order: what was seen is by the camera, with its posterior."""
    p = round(report.decision.best.p, 4)
    for line in report.lines:
        if isinstance(line, Correction):
            yield Correct.of(line.changes, line.reason, by="camera")
        else:
            seat, move, told = line
            yield Do(seat, move) if told else Do(seat, move, by="camera", p=p)
