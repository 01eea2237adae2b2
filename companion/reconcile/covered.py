"""Plots that are known to lie there and are not seen: something covers them, whatever the eye says of their cells.

No rule takes a plot away. An eye that does not notice a sleeve or a mug calls the cells below it bare, or bare of
bamboo; taken at its word it would speak against every turn there is. Where much of the garden is not seen the eye has
lost its way: such a look says nothing at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from companion.games.takenoko.hexgrid import POND, Edge, Hex, neighbours
from companion.games.takenoko.pieces import Colour
from companion.games.takenoko.state import State
from companion.observation import CellBelief, Observation, Status
from companion.remarks import Remark

Plots = frozenset[tuple[Hex, Colour]]
"""Cells with the colour of what is seen there."""

_GONE = 0.05
"""A plot that an eye believes in by less is not seen."""
_ANOTHER = 0.8
"""From here on a plot is surely seen."""
_LOST = 0.4
"""Where so large a share of the plots is not seen in its colour, the eye has taken something else for the garden."""
_COVERED = 0.98
"""Share of such a cell that is taken to be hidden."""
_RINGS = 2
"""How far from the garden plots may be laid in a turn, in cells."""
_ASIDE = 0.5
"""Share of what the eye says of the stalks beside it, and of the figures, that is not believed."""


def other_plots(observation: Observation) -> Plots:
    """Where a plot is surely seen, and its colour."""
    return frozenset(
        (at, colour)
        for at, belief in observation.cells.items()
        for colour, p in belief.colour_p.items()
        if p >= _ANOTHER
    )


def covered_cells(observation: Observation, states: Iterable[State], before: Plots = frozenset()) -> frozenset[Hex]:
    """Cells on which a plot lies in every one of the positions, and is not seen.

    Args:
        observation: the look.
        states: what may lie on the table; plots that only some of them have say nothing.
        before: the plots that the look before surely showed: a hand may look like a plot of another colour, but not
            twice in one place.
    """
    stays = {at for at, _ in before & other_plots(observation)}
    gone: set[Hex] | None = None
    for state in states:
        here = {at for at, plot in state.plots.items() if at not in stays and _is_gone(observation, at, plot.colour)}
        gone = here if gone is None else gone & here
    return frozenset(gone or ())


def _is_gone(observation: Observation, at: Hex, colour: Colour) -> bool:
    belief = observation.cells.get(at)
    if belief is None:
        return observation.hidden_cells.get(at, 0.0) < _ASIDE
    return belief.colour_p.get(colour, 0.0) < _GONE


def is_lost(observation: Observation, states: Sequence[State]) -> bool:
    """Whether a look shows so little of the garden as it must lie there that nothing in it can be believed.

    Args:
        observation: the look.
        states: what may lie on the table.
    """
    return bool(states) and all(_strange_share(observation, state) > _LOST for state in states)


def _strange_share(observation: Observation, state: State) -> float:
    strange = 0
    for at, plot in state.plots.items():
        belief = observation.cells.get(at)
        if belief is None:
            strange += observation.hidden_cells.get(at, 0.0) < _ASIDE
        else:
            strange += belief.colour_p.get(plot.colour, 0.0) < _GONE
    return strange / len(state.plots) if strange > 1 else 0.0


def blank(observation: Observation, states: Iterable[State]) -> Observation:
    """A look that says nothing of the garden and of what may be laid at it."""
    cells = {POND, *(at for state in states for at in state.plots)}
    for _ in range(_RINGS):
        cells |= {near for at in cells for near in neighbours(at)}
    edges = {Edge.of(at, near) for at in cells for near in neighbours(at)}
    return Observation(
        Status.OCCLUDED,
        Remark("eye.elsewhere"),
        observation.warnings,
        observation.ms,
        hidden_cells=dict.fromkeys(cells - {POND}, 1.0),
        hidden_edges=dict.fromkeys(edges, 1.0),
    )


def with_covered(observation: Observation, cells: frozenset[Hex]) -> Observation:
    """The look with nothing said of covered cells and their edges, and less of what stands beside them."""
    if not cells:
        return observation
    beside = {near for at in cells for near in neighbours(at)}
    edges = {Edge.of(at, near) for at in cells for near in neighbours(at)}
    return replace(
        observation,
        status=Status.OCCLUDED,
        reason=Remark("eye.not_seen"),
        cells={
            at: _doubted(belief) if at in beside else belief
            for at, belief in observation.cells.items()
            if at not in cells
        },
        edges={edge: belief for edge, belief in observation.edges.items() if edge not in edges},
        hidden_edges={**observation.hidden_edges, **dict.fromkeys(edges, 1.0)},
        hidden_cells={**observation.hidden_cells, **dict.fromkeys(cells, _COVERED)},
        gardener_p=_less(observation.gardener_p, cells),
        panda_p=_less(observation.panda_p, cells),
    )


def _doubted(belief: CellBelief) -> CellBelief:
    a, b, c, d, e = (share * (1 - _ASIDE) + _ASIDE / 5 for share in belief.bamboo_p)
    return replace(belief, bamboo_p=(a, b, c, d, e))


def _less(figure_p: Mapping[Hex, float], cells: frozenset[Hex]) -> dict[Hex, float]:
    """A figure that is held has no place yet: what is taken off stands for where it cannot be seen."""
    return {at: p * (1 - _ASIDE) for at, p in figure_p.items() if at not in cells}
