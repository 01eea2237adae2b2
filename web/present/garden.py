"""The garden as the scripts draw it: plain values made from the public position."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from companion.games.takenoko.plot import Plot, parse_plot
from web.present import words
from web.texts import _, ngettext


def garden_view(facts: Mapping[str, Any], irrigated: Container[str]) -> dict[str, Any]:
    """All that lies in the garden.

    Args:
        facts: `plots`, `channels`, `gardener` and `panda` as in a position.
        irrigated: the plots that have water.
    """
    return {
        "plots": [_plot(at, parse_plot(text), at in irrigated) for at, text in facts["plots"].items()],
        "channels": list(facts["channels"]),
        "gardener": facts["gardener"],
        "panda": facts["panda"],
    }


def _plot(at: str, plot: Plot, irrigated: bool) -> dict[str, Any]:
    parts = [words.colour_name(plot.colour), words.place(at)]
    if plot.improvement is not None:
        parts.append(words.improvement_name(plot.improvement))
    parts.append(ngettext("%(num)s section", "%(num)s sections", plot.bamboo))
    parts.append(_("irrigated") if irrigated else _("dry"))
    return {
        "at": at,
        "colour": plot.colour.value,
        "improvement": None if plot.improvement is None else plot.improvement.value,
        "chip": plot.chip,
        "bamboo": plot.bamboo,
        "irrigated": irrigated,
        "label": ", ".join(parts),
    }


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Cells and edges where two gardens (as in a position) differ, for marks in a drawing."""
    plots = {*before["plots"], *after["plots"]}
    found = {at for at in plots if before["plots"].get(at) != after["plots"].get(at)}
    found |= set(before["channels"]) ^ set(after["channels"])
    found |= {after[figure] for figure in ("gardener", "panda") if before[figure] != after[figure]}
    return sorted(found)
