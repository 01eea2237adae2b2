"""A whole table as values: what lies where, how it is lit, and how the camera takes it.

Millimetres in the table frame (z up, the table's surface is z = 0, x to the right and y away seen from above).
Colours of light and of bodies are linear, BGR, 0 to 1; colours that are drawn are sRGB bytes, BGR.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from companion.games.takenoko.hexgrid import Edge, Hex
from companion.games.takenoko.pieces import Colour, Improvement
from vision.art.look import Bgr, Look
from vision.camera_file import CameraModel

Vector = tuple[float, float, float]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Grid:
    """Where the hexagon lattice truly lies: the pond's centre, the direction of east, and the pitch."""

    origin_mm: Point
    angle: float
    """Radians, counter-clockwise seen from above, from the table's x to the garden's east."""
    pitch_mm: float
    """From centre to centre of two neighbours."""

    def centre_mm(self, cell: Hex) -> Point:
        """The ideal centre of a cell."""
        x = self.pitch_mm * (cell.q + cell.r / 2)
        y = -self.pitch_mm * cell.r * np.sqrt(3) / 2
        c, s = np.cos(self.angle), np.sin(self.angle)
        return float(self.origin_mm[0] + c * x - s * y), float(self.origin_mm[1] + s * x + c * y)


@dataclass(frozen=True, slots=True)
class TilePiece:
    """One tile and what stands on it; the pond has no colour."""

    at: Hex
    centre_mm: Point
    turn: float
    """Radians: where the tile's own right points; its printed badge lies at its own bottom (or bottom side)."""
    colour: Colour | None
    improvement: Improvement | None = None
    chip: bool = False
    bamboo: int = 0
    seed: int = 0
    badge_turn: float = 0.0
    foot_mm: Point = (0.0, 0.0)
    """Of the stalk, from the tile's centre."""
    steps_mm: tuple[Point, ...] = ()
    """How far each section lies beside the one below."""
    lying: int = 0
    """Sections that lie on their sides on the tile: a stalk that was knocked over."""
    chip_at_mm: Point = (0.0, 0.0)
    chip_turn: float = 0.0


@dataclass(frozen=True, slots=True)
class ChannelPiece:
    """One channel on an edge."""

    edge: Edge
    centre_mm: Point
    angle: float


@dataclass(frozen=True, slots=True)
class FigurePiece:
    """The gardener or the panda, standing on a tile."""

    at: Hex
    stand_mm: Point
    turn: float


@dataclass(frozen=True, slots=True)
class PieceLook:
    """How the wooden or plastic pieces of one box look."""

    bamboo: Mapping[Colour, Vector]
    channel: Vector
    gloss: tuple[float, float]
    profile: str
    """Of a section: `spool`, `flare`, `knuckle`, `cylinder`, `barrel` or `foot`."""
    hole: bool
    """Whether the top is open, with a dark round hole."""
    stamp: bool
    channel_bevel: float
    around: int
    gardener: str
    """`cone_hat`, `topknot` or `cone`."""
    gardener_body: Vector
    gardener_hat: Vector
    panda: str
    """`seated` or `standing`."""
    panda_base: bool
    mottle: float


@dataclass(frozen=True, slots=True)
class MarkerCard:
    """One marker lying on the table."""

    marker: int
    centre_mm: Point
    angle: float
    card_mm: float
    """The white card's side; 0 where the marker is printed on the mat."""


@dataclass(frozen=True, slots=True)
class Mat:
    """A printed sheet or playing mat under the garden."""

    centre_mm: Point
    angle: float
    size_mm: Point
    colour: Bgr
    line: Bgr | None
    seed: int
    texture: float


@dataclass(frozen=True, slots=True)
class TableTop:
    """The table and the room behind it."""

    kind: str
    seed: int
    angle: float
    gloss: tuple[float, float]
    extent_mm: tuple[float, float, float, float]
    """Left, bottom, right, top of the table's rectangle before it is turned by `angle`."""
    room: Bgr


@dataclass(frozen=True, slots=True)
class Clutter:
    """Anything else on the table; its details are drawn from its own seed."""

    kind: str
    centre_mm: Point
    angle: float
    seed: int


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand and arm reaching over the table."""

    target_mm: Vector
    """Where the fingertips are."""
    angle: float
    """Radians: where the arm comes from, seen from above."""
    seed: int


@dataclass(frozen=True, slots=True)
class Lamp:
    """One light; far ones act as the sun."""

    position_mm: Vector
    strength: Vector
    """Light on a level patch below it, linear BGR."""
    size: float
    """How large it looks from the table: radius over distance; 0 throws hard shadows."""
    window: tuple[float, float, float, float] | None = None
    """Bars that cut the light: period mm, share of dark, angle, softness mm; None for a bare lamp."""


@dataclass(frozen=True, slots=True)
class Lighting:
    """All light on the table."""

    lamps: tuple[Lamp, ...]
    ambient: Vector


@dataclass(frozen=True, slots=True)
class Imaging:
    """What the camera does to the light."""

    exposure: float = 1.0
    white_balance: Vector = (1.0, 1.0, 1.0)
    gamma: float = 2.2
    vignette: float = 0.1
    defocus_px: float = 0.5
    motion_px: Point = (0.0, 0.0)
    sharpen: float = 0.0
    noise: float = 2.0
    """Standard deviation of the brightness noise in mid grey, in bytes."""
    chroma_noise: float = 1.0
    noise_blur_px: float = 0.4
    jpeg: int | None = 90


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that decides one picture but its noise."""

    camera: CameraModel
    """The true camera; its pieces are the true sizes."""
    rvec: Vector
    tvec: Vector
    grid: Grid
    look: Look
    piece_look: PieceLook
    tiles: tuple[TilePiece, ...]
    """The pond first."""
    channels: tuple[ChannelPiece, ...]
    gardener: FigurePiece | None
    panda: FigurePiece | None
    markers: tuple[MarkerCard, ...]
    mat: Mat | None
    table: TableTop
    clutter: tuple[Clutter, ...]
    hand: Hand | None
    lighting: Lighting
    imaging: Imaging = field(default_factory=Imaging)
