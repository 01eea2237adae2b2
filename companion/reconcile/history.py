"""The turn before the running one, as it went into the record, so that later looks can speak of it too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.takenoko.position import position_to_json
from companion.games.takenoko.state import State
from companion.observation import Observation
from companion.reconcile.correct import Changes, difference, possible
from companion.reconcile.nodes import Step, Told
from companion.reconcile.posterior import Explanation, garden_of
from companion.reconcile.slips import Slip
from companion.reconcile.written import LATER, Correction, Lines, with_stores_set

Store = int | dict[str, int]
Stores = dict[str, Store]
"""Of one seat, as a position writes them."""


@dataclass(frozen=True, slots=True)
class Committed:
    """One turn that is in the record."""

    start: State
    """The position that it started from."""
    lying: Sequence[tuple[Slip, float]]
    """Slips that lay there before, each with its probability."""
    items: tuple[Told | Observation, ...]
    """What was told and seen, in its order."""
    after: State
    """The position that it was taken to lead to."""


def continued(record: State, committed: Committed, best: Explanation) -> tuple[Lines, State] | None:
    """What goes into the record for a turn that follows a committed one, the record set right first where need be.

    Args:
        record: the position of the record.
        committed: the turn before, as it went into the record.
        best: how the running turn went, from a start that may be another than the record has.

    Returns:
        The lines and the position after them; None where they lead elsewhere than the explanation says.
    """
    lines: list[Step | Correction] = []
    changes = revision(record, committed.after, best.start)
    if changes:
        right = possible(record, changes)
        if right is None:
            return None
        record = right
        lines.append(Correction(changes, LATER))
    found = with_stores_set(best.steps, record)
    if found is None or garden_of(found[1]) != garden_of(best.state):
        return None
    return (*lines, *found[0]), found[1]


def revision(record: State, taken: State, now: State) -> Changes:
    """What to set right in a record whose last turn proves to have gone otherwise; empty where nothing has to be.

    What no camera sees stays as the record has it: cards and claims; stores change by as much as they differ.

    Args:
        record: the position of the record.
        taken: the position that the turn was taken to lead to.
        now: the position that it led to as it seems now.
    """
    changes = difference(taken, now)
    if changes.pop("seats", None) is not None:
        then, after, here = (position_to_json(state)["seats"] for state in (taken, now, record))
        seats = [_stores(*seat) for seat in zip(here, then, after, strict=True)]
        if any(seats):
            changes["seats"] = seats
    return changes


def _stores(here: Stores, then: Stores, now: Stores) -> Stores:
    """The stores of one seat that differ."""
    return {
        key: _moved(here[key], then[key], now[key]) for key in ("bamboo", "channels", "chips") if then[key] != now[key]
    }


def _moved(here: Store, then: Store, now: Store) -> Store:
    """A store changed by as much as two others differ, of one kind of piece or of several."""
    if isinstance(here, int) or isinstance(then, int) or isinstance(now, int):
        return max(_number(here) + _number(now) - _number(then), 0)
    return {key: max(count + now[key] - then[key], 0) for key, count in here.items()}


def _number(store: Store) -> int:
    assert isinstance(store, int)  # a position writes one store in one way
    return store
