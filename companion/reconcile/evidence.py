"""What one look says, as natural logs of likelihood, place by place.

The beliefs of an Observation are posteriors under a flat prior, so they are likelihoods up to a constant: the best
value of each place counts 0 and all others less. Each is mixed with an outlier floor, so that no bad cell vetoes the
truth; what is hidden counts 0 whatever lies there. Places are summed, so their order says nothing.

A place has parts that change apart from each other: a cell's plot (absent or a colour), its marking and its bamboo.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Mapping
from dataclasses import replace

from companion.games.takenoko.hexgrid import POND, Edge, Hex
from companion.games.takenoko.pieces import Colour, Figure, Improvement
from companion.games.takenoko.state import State
from companion.observation import MARKINGS, CellBelief, Observation, Status
from companion.reconcile.model import EyeTrust, PartTrust
from companion.reconcile.parts import OVER, Again, FigurePart, Heights, Part, Says, doubt

MarkingKey = tuple[Improvement | None, bool]
"""Improvement and whether it is a chip: what a Marking says, cheap to build and to look up."""
_NO_PLOT = 0.9
_FIGURE_THERE = 0.3
_OVERLOOKED = 0.0015
"""That a plot of one colour lies where an eye mentions nothing: one plot in two hundred is overlooked outright."""
_BLIND = 0.4
"""A place hidden by more was not seen."""

_MARKING_KEYS: tuple[MarkingKey, ...] = tuple((marking.improvement, marking.chip) for marking in MARKINGS)
Place = tuple[Hex | Edge | Figure, int]
"""A place and the index of one of its parts."""


class Cell:
    """The three parts of a cell."""

    __slots__ = ("bamboo", "marking", "plot")

    def __init__(self, plot: Part, marking: Part, bamboo: Part) -> None:
        self.plot = plot
        self.marking = marking
        self.bamboo = bamboo

    def parts(self) -> tuple[Part, Part, Part]:
        """In the order in which scores name them."""
        return self.plot, self.marking, self.bamboo


class Evidence:
    """One look, ready to be asked how well values explain it."""

    def __init__(self, observation: Observation, trust: EyeTrust, previous: Evidence | None = None) -> None:
        """Prepare a look.

        Args:
            observation: the look; the eye's expected look never raised a probability in it.
            trust: how far the eye is believed.
            previous: the look before at the same table: what this one merely repeats weighs less.
        """
        self.observation = observation
        self.trust = trust
        self._before = previous
        self._cells = {at: self._cell_of(belief) for at, belief in observation.cells.items()}
        self._unmentioned: dict[Hex, Cell] = {}
        self._edges = {edge: self._edge_part(belief.p) for edge, belief in observation.edges.items()}
        self._seen_no_edge = self._edge_part(0.0)
        self._unmentioned_edges: dict[Edge, Part] = {
            edge: self._edge_part(0.5 * hidden) for edge, hidden in observation.hidden_edges.items()
        }
        self.figures = {
            Figure.GARDENER: self._figure_part(observation.gardener_p),
            Figure.PANDA: self._figure_part(observation.panda_p),
        }
        self._again: dict[Place, Again] = {}
        if previous is not None:
            # What was seen before and is hidden now must not be forgotten: everything is compared at once.
            for place in (*self._places(), *previous._again):
                self.unchanged(place)

    def _places(self) -> Iterable[Place]:
        """Every part that the look speaks of."""
        yield from ((at, index) for at in self._cells for index in range(3))
        yield from ((edge, 0) for edge in self._edges)
        yield from ((figure, 0) for figure in self.figures)

    # The parts.

    def cell(self, at: Hex) -> Cell:
        """The parts of a cell; one that the look does not mention was seen and is empty, or is hidden."""
        found = self._cells.get(at) or self._unmentioned.get(at)
        if found is None:
            hidden = self.observation.hidden_cells.get(at, 0.0)
            found = self._unmentioned[at] = self._empty_cell(hidden)
        return found

    def edge(self, edge: Edge) -> Part:
        """The belief that a channel lies on an edge, over True and False."""
        return self._edges.get(edge) or self._unmentioned_edges.get(edge) or self._seen_no_edge

    def cells(self) -> Iterable[Hex]:
        """The cells that the look mentions."""
        return self._cells.keys()

    def edges(self) -> Iterable[Edge]:
        """The edges that the look mentions."""
        return self._edges.keys()

    def has_blind_spots(self, known: Container[Hex]) -> bool:
        """Whether some cell or edge was not seen well enough to say what was laid there.

        Args:
            known: cells where a plot lay already: what is printed on it is no question any more.
        """
        seen = self.observation
        if seen.status is Status.OCCLUDED or any(share > _BLIND for share in seen.hidden_edges.values()):
            return True
        if any(share > _BLIND and at not in seen.cells for at, share in seen.hidden_cells.items()):
            return True
        return any(
            min(cell.plot.surest, cell.marking.surest) < 1 - _BLIND
            for at, cell in self._cells.items()
            if at not in known and cell.plot.of(None) < 0.0
        )

    def doubt(self) -> float:
        """The log likelihood that the truth would have if the eye is as honest as it says."""
        total = sum(
            doubt(part, self.unchanged((at, index)))
            for at, cell in self._cells.items()
            for index, part in enumerate(cell.parts())
            if index == 0 or cell.plot.of(None) < 0.0
        )
        total += sum(doubt(part, self.unchanged((edge, 0))) for edge, part in self._edges.items())
        return total + sum(doubt(part, self.unchanged((figure, 0))) for figure, part in self.figures.items())

    # Looks at what did not change.

    def unchanged(self, place: Place) -> Says:
        """What this look adds about a part that did not change since the look before."""
        if self._before is None:
            return self._part(place)
        found = self._again.get(place)
        if found is None:
            base, direct = self._before.sharpest(place)
            found = self._again[place] = Again(self._part(place), base, self._part_trust(place), direct=direct)
        return found

    def cost_of(self, place: Hex | Edge | Figure, state: State) -> float | None:
        """What this look cost a position at a plot or channel that did not change, as a gain to be given back.

        None where a figure stands: it covers a badge more often than an eye knows.
        """
        if isinstance(place, Edge):
            return -self.unchanged((place, 0)).of(place in state.channels)
        if not isinstance(place, Hex) or place in (state.gardener, state.panda):
            return None
        plot = state.plots.get(place)
        cost = self.unchanged((place, 0)).of(None if plot is None else plot.colour)
        if plot is not None:
            cost += self.unchanged((place, 1)).of((plot.improvement, plot.chip))
        return -cost

    def sharpest(self, place: Place) -> tuple[Part, bool]:
        """The sharpest look at a part so far that later ones do not contradict, and whether it is this very one."""
        found = self._again.get(place)
        return (self._part(place), True) if found is None else (found.base, found.is_sharpest())

    def _part(self, place: Place) -> Part:
        at, index = place
        if isinstance(at, Hex):
            return self.cell(at).parts()[index]
        return self.edge(at) if isinstance(at, Edge) else self.figures[at]

    def _part_trust(self, place: Place) -> PartTrust:
        at, index = place
        if isinstance(at, Hex):
            return (self.trust.colour, self.trust.marking, self.trust.bamboo)[index]
        return self.trust.channel if isinstance(at, Edge) else self.trust.figure

    def forget_previous(self) -> None:
        """Let go of the look before, so that an evening is not one long chain; it is not scored again."""
        self._before = None

    # Building.

    def _cell_of(self, belief: CellBelief) -> Cell:
        plot: dict[Hashable, float] = {colour: belief.colour_p.get(colour, 0.0) for colour in Colour}
        plot[None] = belief.p_absent
        marking = {(key.improvement, key.chip): p for key, p in belief.marking_p.items()}
        full: dict[Hashable, float] = {key: marking.get(key, 0.0) for key in _MARKING_KEYS}
        seen = self.observation
        figure = max(seen.gardener_p.get(belief.at, 0.0), seen.panda_p.get(belief.at, 0.0)) > _FIGURE_THERE
        return Cell(
            Part(plot, self.trust.colour),
            Part(full, self.trust.marking_under_figure if figure else self.trust.marking),
            Heights(belief.bamboo_p, belief.over_p, self.trust.bamboo_under_figure if figure else self.trust.bamboo),
        )

    def _empty_cell(self, hidden: float) -> Cell:
        share = max(min(hidden, 1.0) / 4, _OVERLOOKED)
        plot: dict[Hashable, float] = dict.fromkeys(Colour, share)
        plot[None] = 1.0 - 3 * share
        nothing = dict.fromkeys(_MARKING_KEYS, 1 / len(_MARKING_KEYS))
        return Cell(
            Part(plot, replace(self.trust.colour, weight=1.0)),
            Part(dict(nothing), self.trust.marking),
            Heights([1 / OVER] * OVER, 0.0, self.trust.bamboo),
        )

    def _edge_part(self, p: float) -> Part:
        return Part({True: p, False: 1.0 - p}, self.trust.channel)

    def _figure_part(self, belief: Mapping[Hex, float]) -> Part:
        """Spread what is missing to one over where the figure cannot be seen, a little of it anywhere.

        Where surely no plot lies no figure can stand: what the eye takes for it there is something else.
        """
        cells = self.observation.cells
        belief = {
            at: share
            for at, share in belief.items()
            if at == POND or at in self.observation.hidden_cells or (at in cells and cells[at].p_absent < _NO_PLOT)
        }
        missing = max(0.0, 1.0 - sum(belief.values()))
        unseen = {at: share for at, share in self.observation.hidden_cells.items() if share > 0.0}
        for at, cell in self.observation.cells.items():
            if cell.hidden > 0.0:
                unseen[at] = max(unseen.get(at, 0.0), cell.hidden)
        total = sum(unseen.values())
        anywhere = missing * (0.1 if total else 1.0) / (len(self.observation.cells) + len(unseen) + 1)
        p: dict[Hashable, float] = {at: share + anywhere for at, share in belief.items()}
        for at, share in unseen.items():
            p[at] = p.get(at, anywhere) + missing * 0.9 * share / total
        return FigurePart(p, self.trust.figure, anywhere)
