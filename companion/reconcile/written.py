"""What is reported of a turn, and what of it goes into the record, in a legal order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.takenoko.legality import why_illegal
from companion.games.takenoko.moves import End, Irrigate
from companion.games.takenoko.position import corrected
from companion.games.takenoko.state import State
from companion.games.takenoko.transition import apply_legal
from companion.reconcile.amend import with_channel, with_eaten
from companion.reconcile.correct import difference
from companion.reconcile.discrepancy import Discrepancy
from companion.reconcile.nodes import Step, Told
from companion.reconcile.notices import Notice
from companion.reconcile.policy import Decision
from companion.reconcile.posterior import Explanation

LATER = "what came later showed another position"
"""Why a garden that was followed wrongly is set right."""


@dataclass(frozen=True, slots=True)
class Correction:
    """Facts to set outside the rules, keyed as in a record's `correct`."""

    changes: dict[str, object]
    reason: str


@dataclass(frozen=True, slots=True)
class TurnReport:
    """What is said of one turn."""

    turn: int
    """All turns counted from 1."""
    seat: int
    decision: Decision
    lines: tuple[Step | Correction, ...]
    """What goes into the record, in a legal order."""
    discrepancies: tuple[Discrepancy, ...]
    notices: tuple[tuple[str, Notice], ...]
    """The name of the frame, and what was noticed in it."""
    state: State
    """The position after the turn, as written."""


Lines = tuple[Step | Correction, ...]


def written(best: Explanation, before: State) -> Lines:
    """The lines of a turn as they go into the record.

    A store that proved wrong is set right before it is used; a garden that was followed wrongly before the turn ends.

    Args:
        best: the explanation that is taken.
        before: the position that the record has so far.
    """
    lines: list[Step | Correction] = []
    if best.start != before:
        changes = difference(before, best.start)
        if changes:
            lines.append(Correction(changes, LATER))
    found = with_stores_set(best.steps, best.start)
    assert found is not None  # the search followed these very steps
    lines += found[0]
    state = found[1]
    if state != best.state:
        _set_right(lines, difference(state, best.state))
    return tuple(lines)


def with_stores_set(steps: Sequence[Step], start: State) -> tuple[Lines, State] | None:
    """The steps, each store that proves wrong set right before it is used, and the position after them.

    None where a step is illegal all the same.
    """
    lines: list[Step | Correction] = []
    state = start
    for seat, move, told in steps:
        if why_illegal(state, move, seat) is not None:
            amended = with_channel(state) if isinstance(move, Irrigate) else with_eaten(state, Told(seat, move))
            if amended is None or why_illegal(amended, move, seat) is not None:
                return None
            lines.append(Correction(difference(state, amended), "the store was another than the record had it"))
            state = amended
        lines.append((seat, move, told))
        state = apply_legal(state, move, seat)
    return tuple(lines), state


def _set_right(lines: list[Step | Correction], changes: dict[str, object]) -> None:
    """Put a correction before the end of the turn, so that the position after the turn is right."""
    ends = bool(lines) and isinstance(lines[-1], tuple) and isinstance(lines[-1][1], End)
    lines.insert(len(lines) - ends, Correction(changes, "the table has shown something else for too long"))


def position_after(lines: Sequence[Step | Correction], before: State) -> State:
    """The position that the record has after some lines."""
    state = before
    for line in lines:
        match line:
            case Correction(changes):
                state = corrected(state, changes)
            case (seat, move, _):
                state = apply_legal(state, move, seat)
    return state
