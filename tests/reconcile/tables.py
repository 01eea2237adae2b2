"""Made-up tables for the tests: turns of simulated games, and looks at them through a perfect or a poor eye."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from random import Random
from types import MappingProxyType

from companion.bench.evenings import Habits, simulate_evening
from companion.bench.noise import Gross, Noise, NoisyEye
from companion.games.takenoko.hexgrid import parse_edge, parse_hex
from companion.games.takenoko.notation import parse_move
from companion.games.takenoko.position import position_from_json
from companion.games.takenoko.rules import rules_for
from companion.reconcile.nodes import Told
from companion.reconcile.timeline import is_told

PERFECT = Noise(40, 40, 40, 40, 40, poor=0, hidden=0, gross=Gross().scaled(0))
QUIET = Habits(slip=0, mid_look=0, hand=0, known_hands=1)


@lru_cache(maxsize=64)
def turn_of(seed, number, ruleset="classic"):
    """One turn of a simulated game: where it starts, who did what, where it ends."""
    evening = simulate_evening(seed, QUIET, seats=2 + seed % 3, turns=number, ruleset=ruleset)
    return evening.turns[-1]


GARDEN = {
    "1,0": "green 1",
    "0,1": "green 4",
    "1,1": "green 0",
    "-1,0": "pink 2",
    "0,-1": "yellow 3",
    "1,-1": "yellow 1",
}
"""A small garden with every colour."""


def told_in(turn):
    return [Told(seat, move) for seat, move in turn.moves if is_told(move)]


def perfect_look(state, slips=(), hand=None):
    return NoisyEye(PERFECT, Random(1)).look(state, slips, hand)


def with_hidden(observation, cells=(), edges=()):
    """The same look with some cells and edges covered: nothing is said of them."""
    cells, edges = set(cells), set(edges)
    kept = {at: share for at, share in observation.gardener_p.items() if at not in cells}
    panda = {at: share for at, share in observation.panda_p.items() if at not in cells}
    return replace(
        observation,
        cells={at: belief for at, belief in observation.cells.items() if at not in cells},
        edges={edge: belief for edge, belief in observation.edges.items() if edge not in edges},
        gardener_p=kept,
        panda_p=panda,
        hidden_cells=MappingProxyType({**observation.hidden_cells, **dict.fromkeys(cells, 1.0)}),
        hidden_edges=MappingProxyType({**observation.hidden_edges, **dict.fromkeys(edges, 1.0)}),
    )


def position(plots, *, laid=(), gardener="0,0", panda="0,0", turn=None, seats=2, options=None, **store):
    """A position in notation, with the first seat to move; `store` is what that seat has stored or eaten."""
    names = ("Aki", "Oksana", "Jürgen", "Midori")[:seats]
    data = {
        "plots": plots,
        "channels": list(laid),
        "gardener": gardener,
        "panda": panda,
        "seats": [{"name": name, "hidden": {"plot": 1, "gardener": 1, "panda": 1}} for name in names],
        "turn": {"seat": 0, "number": 2, **(turn or {})},
    }
    data["seats"][0].update(store)
    return position_from_json(data, rules_for(options=options), names)


def told(*texts, seat=0):
    return [Told(seat, parse_move(text)) for text in texts]


__all__ = ["Told", "parse_edge", "parse_hex", "perfect_look", "position", "told", "told_in", "turn_of", "with_hidden"]
