"""What may lie where on a table and what it measures, in game words, for the eye.

A table holds boards: lattices of places, on which pieces may lie. The eye learns from here how the places lie to each
other, which sorts of pieces can lie on which sort of place, and how big they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType


class Lattice(StrEnum):
    """How the places of a board lie to each other."""

    HEXES = "hexes"
    """Six-sided cells, side by side."""
    GRID = "grid"
    """Rows and columns."""


class Place(StrEnum):
    """Where on a board a piece can lie."""

    CELL = "cell"
    """The piece makes up the cell: a tile, a card."""
    ON_CELL = "on_cell"
    """It lies or stands on what makes up the cell."""
    EDGE = "edge"
    """It lies between two neighbouring cells."""
    BORDER = "border"
    """It lies beside the outermost cells."""
    SEVERAL = "several"
    """It covers several cells at once, turned at will (see `PieceSort.cells`)."""


@dataclass(frozen=True, slots=True)
class Board:
    """One lattice of places."""

    name: str
    lattice: Lattice
    shape: tuple[int, int] | None = None
    """Columns and rows; None: it grows during the game."""
    fixed: Mapping[tuple[int, int], str] = field(default_factory=lambda: MappingProxyType({}))
    """Cells that are the same in every game, with the word for what lies there."""


@dataclass(frozen=True, slots=True)
class PieceSort:
    """One sort of piece."""

    name: str
    board: str
    """The name of the board on which it lies."""
    place: Place
    size_mm: tuple[float, float, float]
    """Length, width, height of one; of a hexagon: across its sides twice, then its thickness."""
    looks: tuple[str, ...] = ()
    """The words among which the eye has to decide: colours, suits, numbers."""
    most: int = 1
    """How many may be stacked on one place."""
    total: int | None = None
    """How many the box holds, where it is known."""
    cells: tuple[tuple[int, int], ...] = ()
    """For `several`: the cells that it covers, as steps along the lattice from one of them."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What one title lays on a table."""

    boards: tuple[Board, ...]
    pieces: tuple[PieceSort, ...]
