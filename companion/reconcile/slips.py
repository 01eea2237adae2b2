"""A human slip as a value: how what lies on the table differs from the rules' position."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.takenoko.hexgrid import Edge, Hex
from companion.games.takenoko.pieces import Figure
from companion.games.takenoko.state import Plot, State
from companion.reconcile.model import SlipKind
from companion.reconcile.parts import OVER

Place = Hex | Edge | Figure
"""Where something lies or stands: a cell, an edge, or wherever a figure is."""


@dataclass(frozen=True, slots=True)
class Slip:
    """One slip; what it does to the look of the table follows from its fields."""

    kind: SlipKind
    at: Hex | Edge
    """Where the rules expect the piece."""
    turn: int
    """The turn in which it was made, all turns counted from 1."""
    rule: str | None = None
    """The rule that it breaks, where there is one."""
    delta: int = 0
    """Sections too many (or, below 0, too few) on `at`; they stay too many when the stalk grows or is eaten."""
    figure: Figure | None = None
    """The figure that stands on `seen` instead of `at`."""
    seen: Hex | Edge | None = None
    """Where the piece really lies."""

    def __hash__(self) -> int:
        # Slips key the hottest dictionaries: what tells most of them apart is enough.
        return hash((self.at, self.turn, self.delta, self.seen))

    def is_plot(self) -> bool:
        """Whether a plot lies in another place."""
        return self.figure is None and isinstance(self.seen, Hex)

    def places(self) -> tuple[Place, ...]:
        """The places that look different from the rules' position."""
        if self.figure is not None:
            return (self.figure,)
        if self.seen is None or self.seen == self.at:
            return (self.at,)
        return (self.at, self.seen)


Slips = tuple[Slip, ...]


def physical_cell(slips: Slips, state: State, at: Hex) -> tuple[Plot | None, int]:
    """The plot and the sections that really lie on a cell: sections beyond four count as `OVER`."""
    plot = state.plots.get(at)
    for slip in slips:
        if slip.figure is None and slip.seen is not None and isinstance(slip.at, Hex):
            if at == slip.seen:
                plot = state.plots.get(slip.at)
            elif at == slip.at:
                plot = None
    if plot is None:
        return None, 0
    height = plot.bamboo + sum(slip.delta for slip in slips if slip.at == at)
    return plot, min(max(height, 0), OVER)


def has_physical_channel(slips: Slips, state: State, edge: Edge) -> bool:
    """Whether a channel really lies on an edge."""
    lies = edge in state.channels
    for slip in slips:
        if isinstance(slip.seen, Edge):
            if edge == slip.seen:
                lies = True
            elif edge == slip.at:
                lies = False
    return lies


def physical_figure(slips: Slips, state: State, figure: Figure) -> Hex:
    """Where a figure really stands."""
    for slip in slips:
        if slip.figure is figure and isinstance(slip.seen, Hex):
            return slip.seen
    return state.gardener if figure is Figure.GARDENER else state.panda
