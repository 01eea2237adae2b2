"""A made-up eye for measuring the reconciler: what it would say of a known table, wrong as often as it says it is.

Each part of each place is measured on a scale with unit noise; the belief is the exact posterior of that measurement
under a flat prior, so that it is calibrated by construction. Real eyes are not quite that honest: `Gross` makes some
measurements wrong however sure they look, and `persistent` makes part of the noise stay as long as nothing changes.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import exp, sqrt
from random import Random
from typing import TypeVar

from companion.games.takenoko.hexgrid import POND, Edge, Hex, distance, neighbours
from companion.games.takenoko.pieces import Colour, Figure
from companion.games.takenoko.state import State
from companion.observation import MARKINGS, CellBelief, EdgeBelief, LookContext, Marking, Observation, Status
from companion.reconcile.slips import Slips, has_physical_channel, physical_cell, physical_figure

T = TypeVar("T", bound=Hashable)

_COLOURS: tuple[Colour | None, ...] = (*Colour, None)


@dataclass(frozen=True, slots=True)
class Gross:
    """Shares of parts that are wrong however sure they look, as the real eye was on rendered nights."""

    colour: float = 0.0005
    marking: float = 0.0005
    bamboo: float = 0.0015
    channel: float = 0.0005
    figure: float = 0.0005
    marking_under_figure: float = 0.01
    bamboo_under_figure: float = 0.005
    stays: float = 0.8
    """That such a part is wrong in the next look too; under a figure it always is, until the figure leaves."""

    def scaled(self, factor: float) -> Gross:
        """All shares multiplied."""
        return Gross(
            self.colour * factor, self.marking * factor, self.bamboo * factor, self.channel * factor,
            self.figure * factor, self.marking_under_figure * factor, self.bamboo_under_figure * factor, self.stays,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Noise:
    """How well the made-up eye sees: distances between values in units of the noise (6 is nearly perfect)."""

    colour: float = 9.0
    marking: float = 7.0
    bamboo: float = 7.0
    channel: float = 7.0
    figure: float = 8.0
    poor: float = 0.08
    """Share of stalks and badges that are half hidden: their distances are divided by 2.5."""
    hidden: float = 0.02
    """Share of cells, and of edges, of which nothing can be seen."""
    gross: Gross = Gross()
    persistent: float = 0.6
    """Share of the noise (variance) that stays between looks at an unchanged part."""

    def scaled(self, factor: float) -> Noise:
        """An eye that sees worse by a factor: all distances divided by it, all shares of trouble multiplied."""
        return Noise(
            self.colour / factor, self.marking / factor, self.bamboo / factor, self.channel / factor,
            self.figure / factor, min(0.5, self.poor * factor), min(0.3, self.hidden * factor),
            self.gross.scaled(factor), self.persistent,
        )  # fmt: skip


@dataclass(slots=True)
class _Kept:
    """What stays between looks at one part."""

    truth: Hashable
    under: bool
    noise: list[float]
    gross: float
    """Which wrong value is seen, as a share of all wrong ones; 0 where the part is seen right."""


class NoisyEye:
    """Looks at known tables; what stays between looks is remembered, so one eye serves one evening."""

    def __init__(self, noise: Noise, rng: Random) -> None:
        """Take the noise, and the source of chance."""
        self._noise = noise
        self._rng = rng
        self._kept: dict[Hashable, _Kept] = {}

    def look(self, state: State, slips: Slips = (), hand: Hex | None = None) -> Observation:
        """What the eye says of a table on which `state` lies, but for `slips`, with a hand over one cell."""
        rng, noise, gross = self._rng, self._noise, self._noise.gross
        stand = {figure: physical_figure(slips, state, figure) for figure in Figure}
        cells = set(state.plots) | {slip.seen for slip in slips if isinstance(slip.seen, Hex) and slip.figure is None}
        frontier = {near for cell in (*cells, POND) for near in neighbours(cell)} - cells - {POND}
        covered = set() if hand is None else {hand, *neighbours(hand)}
        beliefs: dict[Hex, CellBelief] = {}
        hidden_cells: dict[Hex, float] = {}
        for at in sorted(cells | frontier):
            plot, height = physical_cell(slips, state, at)
            if at in covered or rng.random() < noise.hidden:
                if at in cells or at in covered:
                    hidden_cells[at] = 1.0
                continue
            poor = 2.5 if rng.random() < noise.poor else 1.0
            under = at in stand.values()
            laid = None if plot is None else plot.colour
            colour = self._categories((at, 0), _COLOURS, laid, noise.colour, gross.colour)
            if plot is None and colour[None] > 0.98:
                continue
            marking = Marking(None) if plot is None else Marking(plot.improvement, plot.chip)
            colour_p = {key: p for key, p in colour.items() if key is not None}
            wrong = gross.marking_under_figure if under else gross.marking
            marking_p = self._categories((at, 1), MARKINGS, marking, noise.marking / poor, wrong, under=under)
            wrong = gross.bamboo_under_figure if under else gross.bamboo
            heights = self._line((at, 2), height, noise.bamboo / poor, wrong, under=under)
            over = heights.pop()
            total = sum(heights) or 1.0
            a, b, c, d, e = (p / total for p in heights)
            beliefs[at] = CellBelief(at, colour_p, marking_p, (a, b, c, d, e), over_p=over)
        edges: dict[Edge, EdgeBelief] = {}
        hidden_edges: dict[Edge, float] = {}
        for edge in sorted({Edge.of(a, b) for a in cells for b in neighbours(a) if b in cells or b == POND}):
            if edge.a in covered or edge.b in covered or rng.random() < noise.hidden:
                hidden_edges[edge] = 1.0
                continue
            lies = has_physical_channel(slips, state, edge)
            p = self._categories((edge, 0), (True, False), lies, noise.channel, gross.channel)[True]
            if p > 0.02:
                edges[edge] = EdgeBelief(edge, p)
        figures: list[dict[Hex, float]] = []
        for figure, at in stand.items():
            if at in covered:
                figures.append({})
                continue
            near = tuple(sorted(cell for cell in (*cells, POND) if distance(cell, at) <= 1))
            figures.append(self._categories((figure, 0), near, at, noise.figure, gross.figure))
        status = Status.CLEAR if hand is None else Status.OCCLUDED
        return Observation(
            status,
            cells=beliefs,
            edges=edges,
            gardener_p=figures[0],
            panda_p=figures[1],
            hidden_cells=hidden_cells,
            hidden_edges=hidden_edges,
            context=LookContext(hand_share=0.0 if hand is None else 0.1),
        )

    def _measured(self, part: Hashable, truth: Hashable, count: int, gross: float, *, under: bool) -> _Kept:
        """Unit noise on each scale, some of it as at the look before; and whether the part is grossly wrong."""
        rng, stays = self._rng, self._noise.persistent
        kept = self._kept.get(part)
        if kept is None or (kept.truth, kept.under, len(kept.noise)) != (truth, under, count):
            noise = [rng.gauss(0, 1) for _ in range(count)]
            kept = self._kept[part] = _Kept(truth, under, noise, self._wrong(gross))
        elif not under and rng.random() > self._noise.gross.stays:
            kept.gross = self._wrong(gross)
        fresh = sqrt(1 - stays)
        return _Kept(truth, under, [sqrt(stays) * old + fresh * rng.gauss(0, 1) for old in kept.noise], kept.gross)

    def _wrong(self, gross: float) -> float:
        return self._rng.random() if self._rng.random() < gross else 0.0

    def _categories(
        self, part: Hashable, values: Sequence[T], truth: T, apart: float, gross: float, *, under: bool = False
    ) -> dict[T, float]:
        seen = self._measured(part, truth, len(values), gross, under=under)
        others = [value for value in values if value != truth]
        shown = others[int(seen.gross * len(others))] if seen.gross and others else truth
        logits = [apart * (apart * (value == shown) + error) for value, error in zip(values, seen.noise, strict=True)]
        return dict(zip(values, _softmax(logits), strict=True))

    def _line(self, part: Hashable, truth: int, apart: float, gross: float, *, under: bool) -> list[float]:
        seen = self._measured(part, truth, 1, gross, under=under)
        shown = (truth + 1 if truth < 4 else truth - 1) if seen.gross else truth
        measured = shown * apart + seen.noise[0]
        return _softmax([-((measured - value * apart) ** 2) / 2 for value in range(6)])


def _softmax(logits: Sequence[float]) -> list[float]:
    top = max(logits)
    shares = [exp(value - top) for value in logits]
    total = sum(shares)
    return [share / total for share in shares]
