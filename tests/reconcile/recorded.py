"""Recorded nights as an eye saw them: small files, so that whole evenings can be followed without pictures.

A file holds a night's header, its timeline, what the eye believed of each picture, and what was true.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path

from companion.games.takenoko.hexgrid import parse_edge, parse_hex
from companion.games.takenoko.pieces import Colour
from companion.games.takenoko.position import position_from_json
from companion.games.takenoko.state import State
from companion.observation import MARKINGS, CellBelief, EdgeBelief, Observation, Status
from companion.reconcile.follow import Follower, TurnReport
from companion.reconcile.timeline import FrameLine, parse_timeline
from companion.record import Game, parse_header

FOLDER = Path(__file__).parent / "nights"
COLOURS = tuple(Colour)


@dataclass(frozen=True, slots=True)
class RecordedNight:
    """One night: the position it starts from, what came, and what was true after each turn."""

    start: State
    timeline: tuple[str, ...]
    looks: dict[str, Observation]
    truth: tuple[State, ...]
    slips: tuple[dict, ...]


def load_night(name):
    with gzip.open(FOLDER / f"{name}.json.gz", "rt", encoding="utf-8") as file:
        data = json.load(file)
    header = parse_header(data["header"].encode())
    start = Game.start(header).state
    truth = [position_from_json(position, start.rules, header.seats) for position in data["truth"]]
    looks = {frame: look_from_json(look) for frame, look in data["looks"].items()}
    return RecordedNight(start, tuple(data["timeline"]), looks, tuple(truth), tuple(data["slips"]))


def follow(night: RecordedNight) -> list[TurnReport]:
    follower = Follower(night.start)
    reports = []
    for item in parse_timeline(night.timeline):
        if isinstance(item, FrameLine):
            follower.look(night.looks[item.path], item.path)
        else:
            reports += follower.tell(item.told.seat, item.told.move)
    return reports + follower.close()


def look_to_json(look):
    return {
        "status": look.status.value,
        "cells": {
            str(at): [
                _short(cell.colour_p.get(colour, 0.0) for colour in COLOURS),
                _short(cell.marking_p.get(marking, 0.0) for marking in MARKINGS),
                _short(cell.bamboo_p),
                round(cell.over_p, 4),
                round(cell.hidden, 2),
            ]
            for at, cell in look.cells.items()
        },
        "edges": {str(edge): round(belief.p, 4) for edge, belief in look.edges.items()},
        "gardener": {str(at): round(p, 5) for at, p in look.gardener_p.items() if p > 1e-4},
        "panda": {str(at): round(p, 5) for at, p in look.panda_p.items() if p > 1e-4},
        "hidden": {str(at): round(share, 2) for at, share in look.hidden_cells.items()},
        "hidden_edges": {str(edge): round(share, 2) for edge, share in look.hidden_edges.items()},
    }


def look_from_json(data):
    cells = {}
    for text, (colours, markings, bamboo, over, hidden) in data["cells"].items():
        at = parse_hex(text)
        cells[at] = CellBelief(
            at,
            dict(zip(COLOURS, colours, strict=True)),
            dict(zip(MARKINGS, markings, strict=True)),
            tuple(bamboo),
            hidden,
            over_p=over,
        )
    edges = {parse_edge(text): EdgeBelief(parse_edge(text), p) for text, p in data["edges"].items()}
    return Observation(
        Status(data["status"]),
        cells=cells,
        edges=edges,
        gardener_p={parse_hex(at): p for at, p in data["gardener"].items()},
        panda_p={parse_hex(at): p for at, p in data["panda"].items()},
        hidden_cells={parse_hex(at): share for at, share in data["hidden"].items()},
        hidden_edges={parse_edge(edge): share for edge, share in data["hidden_edges"].items()},
    )


def _short(shares):
    return [round(share, 5) for share in shares]
