"""What may lie where on a table and what it measures, in game words, for the eye.

A table is a lattice of places, and pieces that may lie on them. The eye knows how to find the three lattices that our
titles use; it learns from here which sorts of pieces can lie on which sort of place, and how big they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType


class Lattice(StrEnum):
    """How the places of a table lie to each other."""

    HEXES = "hexes"
    """Six-sided tiles side by side, growing from a middle one."""
    GRID = "grid"
    """Rows and columns, as many as `Layout.shape` says."""


class Place(StrEnum):
    """Where on the lattice a piece can lie."""

    CELL = "cell"
    """The piece makes up the cell: a tile, a card."""
    ON_CELL = "on_cell"
    """It lies or stands on what makes up the cell."""
    EDGE = "edge"
    """It lies between two neighbouring cells."""
    BORDER = "border"
    """It lies beside the outermost cells."""
    FREE = "free"
    """It covers several cells at once, turned at will (see `cells`)."""


@dataclass(frozen=True, slots=True)
class PieceSort:
    """One sort of piece."""

    name: str
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
    """For `free`: the cells that it covers, as steps along the lattice from one of them."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What one title lays on a table."""

    lattice: Lattice
    pieces: tuple[PieceSort, ...]
    shape: tuple[int, int] | None = None
    """Columns and rows of a grid; None: it grows during the game."""
    fixed: Mapping[tuple[int, int], str] = field(default_factory=lambda: MappingProxyType({}))
    """Cells that are the same in every game, with the word for what lies there."""

    def sort(self, name: str) -> PieceSort:
        """The sort of this name.

        Raises:
            KeyError: if the title has no such piece.
        """
        for piece in self.pieces:
            if piece.name == name:
                return piece
        raise KeyError(name)
