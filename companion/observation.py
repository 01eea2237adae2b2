"""The contract between the eye and the game: what one look at the table says, as plain values in game words.

Probabilities are calibrated and under a flat prior, so that a reconciler can use them as likelihoods. A thing that
could not be seen is `hidden`, never absent. `to_json` writes the public format (formats, section 6), which keeps only
the best answers and what is doubtful; inside the process the whole beliefs travel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from companion.games.takenoko.hexgrid import Edge, Hex
from companion.games.takenoko.pieces import Colour, Improvement
from companion.remarks import Remark


class Status(StrEnum):
    """How much of the table this look can speak of."""

    CLEAR = "clear"
    OCCLUDED = "occluded"
    MOVING = "moving"
    NO_TABLE = "no_table"


@dataclass(frozen=True, slots=True)
class Marking:
    """What improves a plot: nothing, a printed badge, or a loose chip."""

    improvement: Improvement | None
    chip: bool = False


NO_MARKING = Marking(None)
MARKINGS: tuple[Marking, ...] = (
    NO_MARKING,
    *(Marking(improvement, chip) for chip in (False, True) for improvement in Improvement),
)
"""All seven, nothing first, then printed, then chips."""


@dataclass(frozen=True, slots=True)
class CellBelief:
    """The belief about one cell of the lattice (not the pond)."""

    at: Hex
    colour_p: Mapping[Colour, float]
    """That a plot of this colour lies here; what is missing to one is the chance that no plot lies here."""
    marking_p: Mapping[Marking, float]
    """Given a plot: sums to one."""
    bamboo_p: tuple[float, float, float, float, float]
    """Given a plot: that 0 to 4 sections stand on it; flat where nothing could be seen."""
    hidden: float = 0.0
    """Share of the cell that could not be seen, 0 to 1."""
    stalk_hidden: float = 0.0
    """Share of the place of a stalk that could not be seen, 0 to 1."""
    centre_px: tuple[float, float] = (0.0, 0.0)
    """Where the cell's centre lies in the picture (x, y)."""
    over_p: float = 0.0
    """Given a plot: that five or more sections stand on it, which no rule allows; `bamboo_p` is given fewer."""

    @property
    def p_absent(self) -> float:
        """That no plot lies here."""
        return max(0.0, 1.0 - sum(self.colour_p.values()))


@dataclass(frozen=True, slots=True)
class EdgeBelief:
    """The belief about one edge: that a channel lies on it."""

    edge: Edge
    p: float
    hidden: float = 0.0


@dataclass(frozen=True, slots=True)
class Pose:
    """Where the camera is over the table: OpenCV's rvec and tvec (mm), table to camera, and the fit's error."""

    rvec: tuple[float, float, float]
    tvec: tuple[float, float, float]
    reprojection_px: float


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A small picture of the table without what was foreign in it, for the eye's next look alone."""

    pixels: bytes
    """Rows by columns by three, BGR."""
    columns: int
    rows: int
    level: int
    """How many times the picture was halved."""
    held: int = 0
    """For how many looks in turn something foreign was kept out of it."""


@dataclass(frozen=True, slots=True)
class LookContext:
    """Where and under what light one look was taken.

    Two looks are compared by it to tell a bumped camera, a moved card, a pushed garden, a switched lamp or a foreign
    object from a move. Everything is optional; nothing is guessed.

    The garden frame: millimetres on the table plane, the pond's centre at 0,0, x towards east (`+1,0`), y a quarter
    turn clockwise from it seen from above (southwards, as the picture's y).
    """

    cards_px: Mapping[int, tuple[float, float]] = field(default_factory=lambda: MappingProxyType({}))
    """The centre of each marker card seen, by id, in the picture (x, y)."""
    cards_mm: Mapping[int, tuple[float, float]] = field(default_factory=lambda: MappingProxyType({}))
    """The centre of each marker card seen, by id, in the garden frame."""
    pond_px: tuple[float, float] | None = None
    """The pond's centre in the picture (x, y)."""
    east_px: tuple[float, float] | None = None
    """The centre of the cell `+1,0` in the picture: with `pond_px` it holds the garden's turn for later looks."""
    luma: float | None = None
    """Median brightness of the picture, 0 to 255, after decoding."""
    chroma: tuple[float, float] | None = None
    """Red over green and blue over green of the picture's (or the cards' white paper's) mean colour."""
    hand_share: float = 0.0
    """Share of the garden and its surroundings that a hand or arm covers, 0 to 1."""
    objects: tuple[tuple[float, float, float], ...] = ()
    """Foreign things on, over or beside the garden: centre (x, y) in the garden frame and radius, millimetres."""
    pond_is_clear: bool = True
    """Whether the pond is surely seen; if not, the garden frame may be a neighbouring cell's."""
    relit: float | None = None
    """How much the light changed since the last good look (natural logarithm); None where the eye could not compare."""
    glimpse: Glimpse | None = None
    """What the eye keeps of this look to tell a hand or a thing in the next."""

    def __post_init__(self) -> None:
        for name in ("cards_px", "cards_mm"):
            object.__setattr__(self, name, _frozen(getattr(self, name)))


def _frozen(mapping: Mapping[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(dict(mapping))


@dataclass(frozen=True, slots=True)
class Observation:
    """One look at the table.

    Cells and edges that are not in the mappings were seen and are empty, unless `hidden_cells` or `hidden_edges`
    name them.
    """

    status: Status
    reason: Remark | None = None
    """Why it shows a part of the table only, or nothing."""
    warnings: tuple[Remark, ...] = ()
    """What makes the eye doubt."""
    ms: float = 0.0
    """From the decoded picture to this value, milliseconds."""
    pose: Pose | None = None
    cells: Mapping[Hex, CellBelief] = field(default_factory=lambda: MappingProxyType({}))
    """Every cell where a plot lies or may lie."""
    edges: Mapping[Edge, EdgeBelief] = field(default_factory=lambda: MappingProxyType({}))
    """Every edge where a channel lies or may lie."""
    gardener_p: Mapping[Hex, float] = field(default_factory=lambda: MappingProxyType({}))
    """By cell, the pond included; what is missing to one: nowhere in the garden, or where it cannot be seen."""
    panda_p: Mapping[Hex, float] = field(default_factory=lambda: MappingProxyType({}))
    hidden_cells: Mapping[Hex, float] = field(default_factory=lambda: MappingProxyType({}))
    hidden_edges: Mapping[Edge, float] = field(default_factory=lambda: MappingProxyType({}))
    context: LookContext | None = None
    """Where the cards, the garden and the light were; None where the eye cannot say."""

    def __post_init__(self) -> None:
        for name in ("cells", "edges", "gardener_p", "panda_p", "hidden_cells", "hidden_edges"):
            object.__setattr__(self, name, _frozen(getattr(self, name)))


@dataclass(frozen=True, slots=True)
class ExpectedPlot:
    """What should lie on one cell."""

    colour: Colour
    marking: Marking
    bamboo: int


@dataclass(frozen=True, slots=True)
class ExpectedLook:
    """The garden that should lie there, or lay there: it tells the eye where to look, never what to believe."""

    plots: Mapping[Hex, ExpectedPlot]
    channels: frozenset[Edge]
    gardener: Hex | None
    panda: Hex | None
    anchor: LookContext | None = None
    """The context of the last good look at the same table: it keeps east where it was when the garden alone cannot
    tell (a bare pond, a symmetrical garden). None before the first look."""
