"""A plot as it lies in the garden, and how it grows and is eaten."""

from __future__ import annotations

from typing import NamedTuple

from companion.errors import MalformedError
from companion.games.takenoko.pieces import COLOURS, IMPROVEMENTS, MAX_GROWTH, Colour, Improvement, Kind, kind_name


class Plot(NamedTuple):
    """One land cell."""

    colour: Colour
    improvement: Improvement | None
    """Printed or laid as a chip."""
    chip: bool
    """The improvement is a chip; never true without one."""
    bamboo: int
    """Sections standing here."""

    @property
    def kind(self) -> Kind:
        """The plot as it lay in the box."""
        return (self.colour, None if self.chip else self.improvement)

    def __str__(self) -> str:
        if self.chip and self.improvement is not None:
            return f"{self.colour.value}+{self.improvement.value} {self.bamboo}"
        return f"{kind_name((self.colour, self.improvement))} {self.bamboo}"


PLOTS: dict[str, Plot] = {
    str(plot): plot
    for plot in (
        Plot(colour, improvement, chip, bamboo)
        for colour in COLOURS
        for improvement, chip in ((None, False), *((i, chip) for chip in (False, True) for i in IMPROVEMENTS))
        for bamboo in range(MAX_GROWTH + 1)
    )
}
"""Every plot that can be, by its notation: the rules hand out these very objects."""

_BY_VALUE: dict[Plot, Plot] = {plot: plot for plot in PLOTS.values()}

GROWN: dict[Plot, Plot] = {
    plot: _BY_VALUE[
        plot._replace(bamboo=min(MAX_GROWTH, plot.bamboo + (2 if plot.improvement is Improvement.FERTILIZER else 1)))
    ]
    for plot in _BY_VALUE
}
"""A plot after one growth: fertilizer gives two sections (T-GROW-3), never above four (T-GROW-4)."""

EATEN: dict[Plot, Plot] = {
    plot: _BY_VALUE[plot._replace(bamboo=plot.bamboo - 1)]
    for plot in _BY_VALUE
    if plot.bamboo and plot.improvement is not Improvement.ENCLOSURE
}
"""A plot after the panda's bite; it has no entry where the panda eats nothing (T-PAND-1)."""

NEW: dict[Kind, Plot] = {plot.kind: plot for plot in _BY_VALUE if not plot.bamboo and not plot.chip}
"""A plot as it comes out of the box."""

IMPROVED: dict[tuple[Colour, Improvement], Plot] = {
    (plot.colour, plot.improvement): plot
    for plot in _BY_VALUE
    if not plot.bamboo and plot.chip and plot.improvement is not None
}
"""A plain bare plot after a chip was laid on it (T-CHIP-1, T-CHIP-2)."""


def with_bamboo(plot: Plot, bamboo: int) -> Plot:
    """The same plot with another height, 0 to 4."""
    return _BY_VALUE[plot._replace(bamboo=bamboo)]


def parse_plot(text: str) -> Plot:
    """Read a plot of a position, such as `green/fertilizer 4` or `green+enclosure 0`.

    Raises:
        MalformedError: if the text is anything else, or the height is not 0 to 4.
    """
    plot = PLOTS.get(" ".join(text.split()))
    if plot is None:
        raise MalformedError(
            f"not a plot: {text[:40]!r} (expected a colour, an improvement after / where printed or + for a chip, "
            f"and a height of 0 to {MAX_GROWTH}, such as green/fertilizer 2)"
        )
    return plot
