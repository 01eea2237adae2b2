"""Axial hexes with pointy tops, seen from above: q grows east, r south-east, the pond at 0,0."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from companion.errors import MalformedError


class Hex(NamedTuple):
    """One cell; the third coordinate -q-r is computed, never stored."""

    q: int
    r: int

    def __str__(self) -> str:
        return f"{self.q},{self.r}"


POND = Hex(0, 0)

_HEX = re.compile(r"([+-]?[0-9]{1,4}),([+-]?[0-9]{1,4})")

DIRECTIONS: tuple[Hex, ...] = (Hex(1, 0), Hex(1, -1), Hex(0, -1), Hex(-1, 0), Hex(-1, 1), Hex(0, 1))
"""E, NE, NW, W, SW, SE: 0 to 5 counter-clockwise from east; the opposite of d is (d + 3) % 6."""


@lru_cache(maxsize=4096)
def neighbours(cell: Hex) -> tuple[Hex, ...]:
    """The six cells that share a side with this one, counter-clockwise from east."""
    q, r = cell
    return (Hex(q + 1, r), Hex(q + 1, r - 1), Hex(q, r - 1), Hex(q - 1, r), Hex(q - 1, r + 1), Hex(q, r + 1))


def distance(a: Hex, b: Hex) -> int:
    """Steps from side to side between two cells."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def turned(cell: Hex, sixths: int) -> Hex:
    """The cell after turning the garden about the pond by sixths of a circle, clockwise seen from above.

    >>> turned(Hex(1, 0), 1)
    Hex(q=0, r=1)
    """
    q, r = cell
    for _ in range(sixths % 6):
        q, r = -r, q + r
    return Hex(q, r)


class Edge(NamedTuple):
    """The border between two neighbouring cells; built only through `of` or `parse_edge`, so that it has one name."""

    a: Hex
    b: Hex

    @classmethod
    def of(cls, one: Hex, other: Hex) -> Edge:
        """The edge between two neighbours, the larger (q, r) first.

        Raises:
            MalformedError: if the two cells are no neighbours.
        """
        if distance(one, other) != 1:
            raise MalformedError(f"{one} and {other} are no neighbours: an edge lies between two that share a side")
        return cls(one, other) if one > other else cls(other, one)

    def __str__(self) -> str:
        return f"{self.a}|{self.b}"


class Corner(NamedTuple):
    """Where three cells meet; named by the sums of their coordinates, so that it has one name."""

    q3: int
    r3: int


@lru_cache(maxsize=4096)
def edge_ends(edge: Edge) -> tuple[Corner, Corner]:
    """The two corners at which an edge ends."""
    a, b = edge
    way = DIRECTIONS.index(Hex(b.q - a.q, b.r - a.r))
    left, right = DIRECTIONS[(way + 1) % 6], DIRECTIONS[(way - 1) % 6]
    q, r = 2 * a.q + b.q, 2 * a.r + b.r
    return Corner(q + left.q, r + left.r), Corner(q + right.q, r + right.r)


NEAR_POND: frozenset[Hex] = frozenset(DIRECTIONS)
"""The six cells that touch the pond by a side."""

POND_CORNERS: frozenset[Corner] = frozenset(corner for cell in DIRECTIONS for corner in edge_ends(Edge.of(POND, cell)))
"""Where every network of channels starts."""


def parse_hex(text: str) -> Hex:
    """Read `1,-1`.

    Raises:
        MalformedError: if the text is anything else.
    """
    found = _HEX.fullmatch(text)
    if found is None:
        raise MalformedError(f"not a hex: {text[:40]!r} (expected two whole numbers such as 1,-1)")
    return Hex(int(found[1]), int(found[2]))


def parse_edge(text: str) -> Edge:
    """Read `1,0|0,1`, either cell first.

    Raises:
        MalformedError: if the text is anything else or the cells are no neighbours.
    """
    one, bar, other = text.partition("|")
    if not bar:
        raise MalformedError(f"not an edge: {text[:40]!r} (expected two neighbouring hexes such as 1,0|0,1)")
    return Edge.of(parse_hex(one), parse_hex(other))
