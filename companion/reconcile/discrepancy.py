"""Where the table and the rules disagree, in words: what was expected, what is seen, which rule, how to mend it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.games.takenoko.hexgrid import DIRECTIONS, POND, Edge, Hex, distance
from companion.games.takenoko.legality import Refusal
from companion.games.takenoko.notation import format_move
from companion.games.takenoko.state import Plot, State
from companion.reconcile.messages import Message, say
from companion.reconcile.model import SlipKind
from companion.reconcile.nodes import Told
from companion.reconcile.slips import Slip, physical_cell

_LIKELY = 0.5
"""What is less likely is said as a thing to look at, not as a fact."""


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """One place where the table and the rules disagree."""

    kind: SlipKind
    at: Hex | Edge | None
    """Where the rules expect the piece; None where it is no place."""
    expected: str
    observed: str
    p: float
    rule: str | None
    what: Message
    remedy: Message

    def to_json(self) -> dict[str, object]:
        """As in formats, section 7."""
        return {
            "kind": self.kind.value,
            "at": None if self.at is None else str(self.at),
            "expected": self.expected,
            "observed": self.observed,
            "p": round(self.p, 4),
            "rule": self.rule,
            "what": say(self.what),
            "remedy": say(self.remedy),
        }


def where(state: State, at: Hex) -> Message:
    """A cell in words: by its side of the pond, or by a neighbour nearer to the pond."""
    if at == POND:
        return Message("where.pond")
    plot = state.plots.get(at)
    if plot is None:
        return Message("where.bare", {"at": str(at)})
    colour = _colour(plot)
    if distance(at, POND) == 1:
        return Message("where.ring", {"colour": colour, "side": Message(f"side.{DIRECTIONS.index(at)}")})
    for way, step in enumerate(DIRECTIONS):
        near = Hex(at.q - step.q, at.r - step.r)
        other = state.plots.get(near)
        if other is not None and distance(near, POND) < distance(at, POND):
            side = Message(f"side.{way}")
            params: dict[str, str | int | Message] = {
                "colour": colour,
                "at": str(at),
                "side": side,
                "other": _colour(other),
                "near": str(near),
            }
            return Message("where.beyond", params)
    return Message("where.bare", {"at": str(at)})


def _colour(plot: Plot) -> Message:
    return Message(f"colour.{plot.colour.value}")


def where_edge(state: State, edge: Edge) -> Message:
    """An edge in words: by the two cells that it parts."""
    return Message("where.edge", {"one": where(state, edge.a), "other": where(state, edge.b)})


def of_slip(slip: Slip, p: float, state: State) -> Discrepancy:
    """A slip that lies on the table of a position, in words; an unlikely one is something to look at.

    Args:
        slip: what is wrong.
        p: that something is wrong at its place.
        state: the rules' position.
    """
    found = _of_slip(slip, p, state)
    if p >= _LIKELY:
        return found
    what, remedy = Message("slip.perhaps", {"what": found.what}), Message("mend.perhaps", {"remedy": found.remedy})
    return replace(found, what=what, remedy=remedy)


def _of_slip(slip: Slip, p: float, state: State) -> Discrepancy:
    if slip.figure is not None and isinstance(slip.seen, Hex) and isinstance(slip.at, Hex):
        return _figure(slip, p, state, slip.at, slip.seen)
    if isinstance(slip.at, Edge):
        return _channel(slip, p, state, slip.at)
    if isinstance(slip.seen, Hex):
        where_to, seen = where(state, slip.at), Message("where.bare", {"at": str(slip.seen)})
        what = Message(f"slip.{slip.kind.value}", {"where": where_to, "seen": seen})
        plot = str(state.plots.get(slip.at, "plot")).split()[0]
        return Discrepancy(
            slip.kind, slip.at, f"plot {plot} {slip.at}", f"plot {plot} {slip.seen}", p, slip.rule, what,
            Message("mend.plot", {"where": where_to}),
        )  # fmt: skip
    return _stalk(slip, p, state, slip.at)


def _stalk(slip: Slip, p: float, state: State, at: Hex) -> Discrepancy:
    plot = state.plots[at]
    _, height = physical_cell((slip,), state, at)
    place = where(state, at)
    reason = {
        SlipKind.GROWTH_WITHOUT_WATER: "dry",
        SlipKind.KNOCKED_OVER: "fallen",
        SlipKind.EXTRA_SECTION: "none",
    }.get(slip.kind, slip.rule or "none")
    remedy = Message(
        "mend.put" if height < plot.bamboo else "mend.take",
        {
            "count": abs(plot.bamboo - height),
            "colour": _colour(plot),
            "where": place,
            "because": Message(f"because.{reason}"),
        },
    )
    what = Message(f"slip.{slip.kind.value}", {"where": place, "expected": plot.bamboo, "observed": height})
    return Discrepancy(slip.kind, at, f"bamboo {plot.bamboo}", f"bamboo {height}", p, slip.rule, what, remedy)


def _figure(slip: Slip, p: float, state: State, at: Hex, seen: Hex) -> Discrepancy:
    assert slip.figure is not None  # told apart by the caller
    figure = Message(f"figure.{slip.figure.value}")
    place = where(state, at)
    if slip.kind is SlipKind.FIGURE_OFF_LINE:
        what = Message("slip.figure_off_line", {"figure": figure, "where": place, "seen": where(state, seen)})
    else:
        what = Message("slip.other", {"where": place, "expected": figure, "observed": where(state, seen)})
    return Discrepancy(
        slip.kind, at, f"{slip.figure.value} {at}", f"{slip.figure.value} {seen}", p, slip.rule, what,
        Message("mend.figure", {"figure": figure, "where": place}),
    )  # fmt: skip


def _channel(slip: Slip, p: float, state: State, at: Edge) -> Discrepancy:
    place = where_edge(state, at)
    if isinstance(slip.seen, Edge) and slip.seen != at:
        what = Message(f"slip.{slip.kind.value}", {"where": place, "seen": where_edge(state, slip.seen)})
        remedy = Message("mend.channel", {"where": place})
        return Discrepancy(slip.kind, at, f"channel {at}", f"channel {slip.seen}", p, slip.rule, what, remedy)
    what = Message("slip.channel_at_pond" if POND in at else "slip.channel_not_joined", {"where": place})
    remedy = Message("mend.channel_away", {"where": place})
    return Discrepancy(slip.kind, at, "no channel", f"channel {at}", p, slip.rule, what, remedy)


def of_refused(told: Told, refusal: Refusal) -> Discrepancy:
    """A told line that the rules refuse however the turn went, in words.

    `seat` says whose it is: what the table may not see of it (a drawn card) is left out where it is shown.
    """
    text = format_move(told.move)
    what = Message("told.refused", {"move": text, "why": refusal.message, "seat": told.seat})
    return Discrepancy(SlipKind.OTHER, None, "", text, 1.0, refusal.rule, what, Message("mend.told"))
