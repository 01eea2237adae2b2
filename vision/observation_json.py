"""The public form of an observation (formats, section 6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.takenoko.hexgrid import Hex
from companion.games.takenoko.pieces import Colour
from companion.observation import NO_MARKING, CellBelief, Marking, Observation

_MENTIONED = 0.02
"""What is less likely is not mentioned among `maybe`."""
_HIDDEN_MENTIONED = 0.25
"""A share hidden that is smaller is not mentioned for a cell or edge by itself."""


def observation_to_json(observation: Observation, image: str) -> dict[str, Any]:
    """One JSON object: the best answers, what is doubtful, and what could not be seen.

    Args:
        observation: what the eye says.
        image: the picture's name.
    """
    plots = [cell for cell in observation.cells.values() if cell.p_absent < 0.5]
    doubtful = [cell for cell in observation.cells.values() if cell not in plots and 1 - cell.p_absent >= _MENTIONED]
    sure_edges = [edge for edge in observation.edges.values() if edge.p > 0.5]
    unsure_edges = [edge for edge in observation.edges.values() if _MENTIONED <= edge.p <= 0.5]
    gardener, panda = _figure(observation.gardener_p), _figure(observation.panda_p)
    return {
        "image": image,
        "status": observation.status.value,
        "reason": None if observation.reason is None else str(observation.reason),
        "warnings": [str(warning) for warning in observation.warnings],
        "ms": round(observation.ms, 1),
        "pose": None
        if observation.pose is None
        else {
            "rvec": [round(value, 6) for value in observation.pose.rvec],
            "tvec": [round(value, 3) for value in observation.pose.tvec],
            "reprojection_px": round(observation.pose.reprojection_px, 3),
        },
        "plots": [_plot(cell) for cell in sorted(plots, key=lambda cell: cell.at)],
        "channels": [{"edge": str(one.edge), "p": _p(one.p)} for one in sorted(sure_edges, key=lambda e: e.edge)],
        "gardener": gardener,
        "panda": panda,
        "maybe": {
            "plots": [_maybe(cell) for cell in sorted(doubtful, key=lambda cell: cell.at)],
            "channels": [{"edge": str(one.edge), "p": _p(one.p)} for one in sorted(unsure_edges, key=lambda e: e.edge)],
            "gardener": _others(observation.gardener_p, gardener),
            "panda": _others(observation.panda_p, panda),
        },
        "hidden": {
            "cells": {str(at): _p(share) for at, share in sorted(observation.hidden_cells.items())},
            "edges": {str(edge): _p(share) for edge, share in sorted(observation.hidden_edges.items())},
        },
    }


def _p(value: float) -> float:
    return round(min(max(float(value), 0.0), 1.0), 4)


def _plot(cell: CellBelief) -> dict[str, Any]:
    colour = max(cell.colour_p, key=lambda one: cell.colour_p[one])
    marking = max(cell.marking_p, key=lambda one: cell.marking_p[one])
    height = max(range(5), key=lambda sections: cell.bamboo_p[sections])
    name = None if marking.improvement is None else marking.improvement.value
    return {
        "at": str(cell.at),
        "colour": colour.value,
        "p": _p(cell.colour_p[colour]),
        "improvement": None if marking.chip else name,
        "chip": name if marking.chip else None,
        "improvement_p": _p(cell.marking_p.get(marking, 0.0)),
        "bamboo": height,
        "bamboo_p": [_p(p) for p in cell.bamboo_p],
        "hidden": _p(cell.hidden),
        "centre_px": [round(cell.centre_px[0], 1), round(cell.centre_px[1], 1)],
    }


def _maybe(cell: CellBelief) -> dict[str, Any]:
    return {
        "at": str(cell.at),
        "p_absent": _p(cell.p_absent),
        "colour_p": {colour.value: _p(cell.colour_p.get(colour, 0.0)) for colour in Colour},
    }


def _figure(p_by_cell: Mapping[Hex, float]) -> dict[str, Any] | None:
    if not p_by_cell:
        return None
    at = max(p_by_cell, key=lambda cell: p_by_cell[cell])
    return {"at": str(at), "p": _p(p_by_cell[at])} if p_by_cell[at] > 0.5 else None


def _others(p_by_cell: Mapping[Hex, float], chosen: dict[str, Any] | None) -> list[dict[str, Any]]:
    named = None if chosen is None else chosen["at"]
    rest = sorted(((p, at) for at, p in p_by_cell.items() if str(at) != named and p >= _MENTIONED), reverse=True)
    return [{"at": str(at), "p": _p(p)} for p, at in rest]


def plain_marking(marking: Marking) -> str:
    """A marking in a word or two, for pictures and messages."""
    if marking == NO_MARKING or marking.improvement is None:
        return "plain"
    return f"{marking.improvement.value} chip" if marking.chip else marking.improvement.value
