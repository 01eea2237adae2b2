"""Where two gardens differ: asked for every node, so it is found quickly and remembered."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import compress, islice
from operator import is_, is_not

from companion.games.takenoko.hexgrid import Hex
from companion.games.takenoko.plot import Plot

Plots = Mapping[Hex, Plot]


def changed_cells(now: Plots, then: Plots) -> list[Hex]:
    """Cells on which another plot lies, or the same one with another height; a plot may only be missing in `then`.

    Equal plots that are not the same object count as changed: the rules hand out the same objects.
    """
    # A garden that comes from another names its cells in the same order, later ones behind.
    if all(map(is_, now, then)):
        changed = [*compress(now, map(is_not, now.values(), then.values()))]
        return changed if len(now) == len(then) else [*changed, *islice(now, len(then), None)]
    return [at for at, plot in now.items() if then.get(at) is not plot]


class Changes:
    """What changed between gardens, remembered by the gardens themselves."""

    def __init__(self) -> None:
        """Begin with nothing known."""
        self._known: dict[tuple[int, int], tuple[Plots, Plots, frozenset[tuple[Hex, Plot]]]] = {}
        """The gardens are kept, so that their ids stay their own."""

    def of(self, now: Plots, then: Plots) -> frozenset[tuple[Hex, Plot]]:
        """The changed cells, each with the plot that lies there now."""
        key = (id(now), id(then))
        known = self._known.get(key)
        if known is None:
            changes = frozenset([(at, now[at]) for at in changed_cells(now, then)])
            known = self._known[key] = (now, then, changes)
        return known[2]
