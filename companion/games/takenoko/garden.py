"""The common garden: plots and channels are its facts; land and water are what follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from companion.games.takenoko.hexgrid import Edge, Hex
from companion.games.takenoko.land import Land, land_of
from companion.games.takenoko.pieces import MAX_GROWTH, Improvement, Kind
from companion.games.takenoko.plot import EATEN, GROWN, IMPROVED, NEW, Plot
from companion.games.takenoko.rules import Rules
from companion.games.takenoko.water import Water

TALL = 3
"""The least height that any objective of any edition asks for; a test compares it with the tables.

A plot's first growth stays below it, even with fertilizer: only later growth and bites change the tall stalks."""


@dataclass(frozen=True, slots=True)
class Garden:
    """What lies on the table, figures apart."""

    plots: MappingProxyType[Hex, Plot]
    """Read-only, the pond not among them."""
    channels: frozenset[Edge]
    land: Land = field(compare=False, repr=False)
    water: Water = field(compare=False, repr=False)
    _tall: tuple[Plot, ...] | None = field(default=None, compare=False, repr=False)
    """What `tall` computed, once it was asked; carried along while no tall stalk changes."""

    def __hash__(self) -> int:
        return hash((frozenset(self.plots.items()), self.channels))

    def laid(self, at: Hex, kind: Kind, chip: Improvement | None = None) -> Garden:
        """One more plot, grown at once if it has water (T-GROW-1); a chip is put on it before it grows."""
        plot = NEW[kind] if chip is None else IMPROVED[kind[0], chip]
        plots = self.plots | {at: plot}
        land = self.land.laid(at, kind)
        water = self.water.with_plot(at, plots, land)
        if at in water.irrigated:
            plots[at] = GROWN[plot]
        return Garden(MappingProxyType(plots), self.channels, land, water, self._tall)

    def with_channel(self, edge: Edge) -> Garden:
        """One more channel; a plot that gets water for the first time grows (T-GROW-1)."""
        water = self.water.with_channel(edge, self.plots)
        plots = self.plots
        dry = [cell for cell in edge if cell in plots and cell not in self.water.irrigated]
        if dry:
            plots = MappingProxyType(plots | {cell: GROWN[plots[cell]] for cell in dry})
        return Garden(plots, water.channels, self.land, water, self._tall)

    def improved(self, at: Hex, chip: Improvement) -> Garden:
        """A chip on a bare plain plot; a watershed on a dry one starts growth (T-CHIP-4)."""
        plot = IMPROVED[self.plots[at].colour, chip]
        plots = self.plots | {at: plot}
        water = self.water
        if chip is Improvement.WATERSHED:
            water = self.water.with_plot(at, plots, self.land)
            if at not in self.water.irrigated:
                plots[at] = GROWN[plot]
        return Garden(MappingProxyType(plots), self.channels, self.land, water, self._tall)

    def grown(self, cells: tuple[Hex, ...]) -> Garden:
        """One growth on each of these irrigated plots, up to four sections."""
        plots = self.plots
        taller = {cell: GROWN[plots[cell]] for cell in cells}
        tall = self._tall
        for plot in taller.values():
            if plot[3] >= TALL:
                tall = None
        return Garden(MappingProxyType(plots | taller), self.channels, self.land, self.water, tall)

    def eaten(self, at: Hex) -> Garden | None:
        """One section less here; None where the panda eats nothing."""
        plots = self.plots
        plot = plots.get(at)
        if plot is None or (left := EATEN.get(plot)) is None:
            return None
        tall = None if plot[3] >= TALL else self._tall
        return Garden(MappingProxyType(plots | {at: left}), self.channels, self.land, self.water, tall)

    def tall(self) -> tuple[Plot, ...]:
        """The plots whose stalks are high enough for any objective."""
        tall = self._tall
        if tall is None:
            tall = tuple([plot for plot in self.plots.values() if plot[3] >= TALL])
            object.__setattr__(self, "_tall", tall)
        return tall

    def share(self) -> None:
        """Let gardens that come from this one by the same piece share what follows: worth it where much is tried."""
        self.land.share()
        self.water.share()

    def can_rain_on(self) -> tuple[Hex, ...]:
        """Irrigated plots that can still grow (T-WEA-2)."""
        plots = self.plots
        return tuple([cell for cell in self.water.irrigated if plots[cell].bamboo < MAX_GROWTH])

    def open_to_chips(self) -> tuple[Hex, ...]:
        """Plots without an improvement and without bamboo (T-CHIP-1, T-CHIP-2)."""
        return tuple([at for at, plot in self.plots.items() if not plot.bamboo and plot.improvement is None])


def garden_of(rules: Rules, plots: Mapping[Hex, Plot], channels: frozenset[Edge]) -> Garden:
    """The garden with these facts; nothing grows."""
    frozen = MappingProxyType(dict(plots))
    land = land_of(rules, ((at, plot.kind) for at, plot in frozen.items()))
    return Garden(frozen, channels, land, Water(land, frozen, channels))
