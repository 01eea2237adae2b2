"""Setting facts right outside the rules: what a record's `correct` has to say."""

from __future__ import annotations

from typing import Any

from companion.errors import ImpossiblePositionError
from companion.games.takenoko.hexgrid import Hex
from companion.games.takenoko.pieces import MAX_GROWTH, Colour, Figure
from companion.games.takenoko.plot import Plot
from companion.games.takenoko.position import corrected, position_to_json
from companion.games.takenoko.state import State
from companion.observation import MARKINGS
from companion.reconcile.evidence import Evidence

Changes = dict[str, Any]
"""Facts, keyed as in a record's `correct`."""

SURE_NATS = -4.0
"""A value this much worse than what is seen (natural log) is set right."""


def difference(before: State, after: State) -> Changes:
    """What has to be set right to come from one position to another; empty where nothing has."""
    then, now = position_to_json(before), position_to_json(after)
    changes: Changes = {key: now[key] for key in ("channels", "gardener", "panda", "seats") if now[key] != then[key]}
    plots = {at: now["plots"].get(at) for at in {*then["plots"], *now["plots"]}}
    plots = {at: plot for at, plot in sorted(plots.items()) if plot != then["plots"].get(at)}
    if plots:
        changes["plots"] = plots
    return changes


def seen_instead(state: State, look: Evidence) -> tuple[Changes, State] | None:
    """What is surely seen and does not agree with a position, and the position with that set right.

    Where all of it together cannot be a position, the stalks and the figures alone are set right; where that cannot be
    either, or nothing is sure, None.
    """
    bamboo, plots = _cells(state, look)
    figures: Changes = {}
    for figure, stands in ((Figure.GARDENER, state.gardener), (Figure.PANDA, state.panda)):
        part = look.figures[figure]
        if part.of(stands) < SURE_NATS:
            figures[figure.value] = str(max(part.logs, key=part.of))
    channels = {edge for edge in state.channels if look.edge(edge).of(True) >= SURE_NATS}
    channels |= {edge for edge in look.edges() if look.edge(edge).of(False) < SURE_NATS}
    laid: Changes = {"plots": plots} if plots else {}
    if channels != state.channels:
        laid["channels"] = [str(edge) for edge in sorted(channels)]
    stalks: Changes = {"bamboo": bamboo} if bamboo else {}
    for changes in ({**laid, **stalks, **figures}, {**stalks, **figures}, stalks):
        if changes:
            try:
                return changes, corrected(state, changes)
            except ImpossiblePositionError:
                continue
    return None


def _cells(state: State, look: Evidence) -> tuple[Changes, Changes]:
    """Heights and plots that are surely other than the position has them."""
    bamboo: Changes = {}
    plots: Changes = {}
    for at in sorted({*state.plots, *look.cells()}):
        cell = look.cell(at)
        plot = state.plots.get(at)
        if cell.plot.of(None if plot is None else plot.colour) < SURE_NATS:
            plots[str(at)] = _plot_seen(look, at)
        elif plot is not None and cell.bamboo.of(plot.bamboo) < SURE_NATS:
            bamboo[str(at)] = max(range(MAX_GROWTH + 1), key=cell.bamboo.of)
    return bamboo, plots


def _plot_seen(look: Evidence, at: Hex) -> str | None:
    cell = look.cell(at)
    colour = max(Colour, key=cell.plot.of)
    if cell.plot.of(None) > cell.plot.of(colour):
        return None
    marking = max(MARKINGS, key=lambda mark: cell.marking.of((mark.improvement, mark.chip)))
    height = max(range(MAX_GROWTH + 1), key=cell.bamboo.of)
    return str(Plot(colour, marking.improvement, marking.chip, height))
