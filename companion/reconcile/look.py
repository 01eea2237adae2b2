"""What a position looks like to the eye."""

from __future__ import annotations

from types import MappingProxyType

from companion.games.takenoko.state import State
from companion.observation import ExpectedLook, ExpectedPlot, LookContext, Marking


def expected_look(state: State, anchor: LookContext | None = None) -> ExpectedLook:
    """The garden that should lie on the table in this position.

    Args:
        state: the position.
        anchor: the context of the last good look, which holds east in place.
    """
    plots = {
        at: ExpectedPlot(plot.colour, Marking(plot.improvement, plot.chip), plot.bamboo)
        for at, plot in state.plots.items()
    }
    return ExpectedLook(MappingProxyType(plots), state.channels, state.gardener, state.panda, anchor)
