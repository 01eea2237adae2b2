"""What is reported of a turn, as the public formats have it: lines of output and lines of a record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.games.events import Correct, Do, Event
from companion.games.takenoko.notation import format_move
from companion.reconcile.apart import told_apart
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
    """One turn as in formats, section 7; `events` are the moves that nobody told, in a legal order.

    Where choices have the same events, `apart` says beside them what differs on the table.
    """
    decision = report.decision
    best, *others = zip(decision.choices, _apart(decision.choices), strict=True)
    return {
        "turn": report.turn,
        "seat": report.seat,
        "status": _STATUS[decision.verdict],
        **_choice_to_json(*best),
        "alternatives": [_choice_to_json(*other) for other in others],
        "discrepancies": [discrepancy.to_json() for discrepancy in report.discrepancies],
        "notices": [{"frame": frame, "kind": notice.value} for frame, notice in report.notices],
    }


def _choice_to_json(choice: Explanation, apart: Sequence[str]) -> dict[str, Any]:
    facts = {"events": _events(choice), "p": round(choice.p, 4)}
    return {**facts, "apart": list(apart)} if apart else facts


def _apart(choices: Sequence[Explanation]) -> list[list[str]]:
    """For each choice what must be said of it besides its moves."""
    found = told_apart([choice.state for choice in choices], [_events(choice) for choice in choices])
    return [[say(message) for message in messages] for messages in found]


def _events(explanation: Explanation) -> list[str]:
    return [format_move(move) for move in explanation.unseen]


def report_in_words(report: TurnReport, name: str) -> str:
    """One turn in a line for people, with a further line for each discrepancy."""
    decision = report.decision
    choices = decision.choices[:1] if decision.verdict is Verdict.ACCEPT else decision.choices
    lead, status = f"turn {report.turn}, {name}: ", f"{_STATUS[decision.verdict]}, "
    lines = []
    for choice, apart in zip(choices, _apart(choices), strict=True):
        moves = ", ".join(_events(choice)) or "nothing"
        lines.append(" ".join((f"{lead}{moves} ({status}{choice.p:.0%})", *apart)))
        lead, status = "    or ", ""
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
