"""A look: how the tiles of one box are painted, as plain data. Colours are sRGB bytes in BGR order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from companion.games.takenoko.pieces import Colour, Improvement

Bgr = tuple[int, int, int]
COLOURS = tuple(Colour)
IMPROVEMENTS = tuple(Improvement)


class Ground(StrEnum):
    """How the middle of a tile is filled."""

    STROKES = "strokes"
    FLAT = "flat"
    PAINTING = "painting"
    SPECKLE = "speckle"


class Border(StrEnum):
    """What runs along a tile's sides."""

    PATH = "path"
    LINE = "line"
    RIM = "rim"
    NONE = "none"


class Shape(StrEnum):
    """The outline of a badge or chip; BARE is the symbol alone."""

    DISC = "disc"
    HEX = "hex"
    SQUARE = "square"
    BARE = "bare"


@dataclass(frozen=True, slots=True)
class BadgeLook:
    """How one sort of badge (printed, or a chip) is drawn."""

    shape: Shape
    face: Mapping[Improvement, Bgr]
    frame: Mapping[Improvement, Bgr]
    fill: Mapping[Improvement, Bgr]
    line: Mapping[Improvement, Bgr]
    frame_width: float = 0.1
    """Of the badge's radius."""
    rim: Bgr | None = None
    """A second thin line inside the frame."""


@dataclass(frozen=True, slots=True)
class Look:
    """How the tiles of one box are painted."""

    name: str
    ground: Ground
    plot: Mapping[Colour, Bgr]
    """The main colour of each ground."""
    shade: Mapping[Colour, Bgr]
    """Its darker second colour."""
    border: Border
    border_colour: Mapping[Colour, Bgr]
    border_width: float
    """Of the distance from the centre to a side."""
    rim_line: Bgr | None
    """A thin line along the sides."""
    pond: Bgr
    pond_shade: Bgr
    pond_border: Bgr
    pond_design: str
    """`swirl`, `waves`, `rings`, `pavilion` or `plain`."""
    printed: BadgeLook
    chip: BadgeLook
    symbols: Mapping[Improvement, str]
    badge_size: float = 0.25
    """Across a printed badge, of the distance across flats."""
    badge_at: float = 0.6
    """How far from the centre, of the corner's radius (corner) or the side's (side)."""
    badge_on_side: bool = False
    texture: float = 0.5
    """How strong strokes or speckles are, 0 to 1."""
    grain: float = 1.0
    """How coarse they are."""
    leaves: int = 6
    stones: int = 40
    centre_spot: float = 0.4
    """Share of tiles with a dark round spot in the middle."""
    pips: bool = False
    """Dots for the colour-blind: one on green, two on yellow, three on pink."""
    edge: Bgr = (120, 140, 150)
    """The card seen from the side."""
    own_scene: bool = False
    """Whether the painting itself tells the improvement (pond, fence, shed)."""
    back: Bgr = field(default=(90, 130, 175))


def _same(value: Bgr) -> dict[Improvement, Bgr]:
    return dict.fromkeys(IMPROVEMENTS, value)


def _each(watershed: Bgr, enclosure: Bgr, fertilizer: Bgr) -> dict[Improvement, Bgr]:
    return dict(zip(IMPROVEMENTS, (watershed, enclosure, fertilizer), strict=True))


def _by_colour(green: Bgr, yellow: Bgr, pink: Bgr) -> dict[Colour, Bgr]:
    return dict(zip(COLOURS, (green, yellow, pink), strict=True))


_CREAM = (180, 222, 236)
_BROWN = (35, 70, 110)
_ICON_LINE = _each((110, 50, 15), (25, 60, 110), (25, 60, 95))
_ICON_FILL = _each((215, 120, 40), (45, 95, 160), (80, 150, 195))

PAINTED = Look(
    name="painted",
    ground=Ground.STROKES,
    plot=_by_colour((40, 150, 88), (50, 185, 225), (130, 120, 215)),
    shade=_by_colour((22, 95, 50), (20, 115, 165), (75, 65, 150)),
    border=Border.PATH,
    border_colour=_by_colour((40, 70, 55), (45, 90, 130), (65, 60, 115)),
    border_width=0.17,
    rim_line=(25, 35, 40),
    pond=(195, 115, 30),
    pond_shade=(140, 75, 15),
    pond_border=(75, 85, 75),
    pond_design="swirl",
    printed=BadgeLook(Shape.DISC, _same(_CREAM), _same(_BROWN), _ICON_FILL, _ICON_LINE, 0.1, None),
    chip=BadgeLook(Shape.DISC, _same(_CREAM), _same((50, 85, 120)), _ICON_FILL, _ICON_LINE, 0.16, _BROWN),
    symbols={Improvement.WATERSHED: "drop", Improvement.ENCLOSURE: "fence", Improvement.FERTILIZER: "sack"},
    badge_size=0.24,
    badge_at=0.58,
)

FLAT = Look(
    name="flat",
    ground=Ground.FLAT,
    plot=_by_colour((45, 150, 25), (15, 190, 240), (140, 95, 225)),
    shade=_by_colour((40, 140, 20), (10, 180, 230), (130, 85, 215)),
    border=Border.LINE,
    border_colour=_by_colour((30, 105, 15), (5, 130, 190), (100, 60, 170)),
    border_width=0.06,
    rim_line=(250, 250, 250),
    pond=(195, 110, 20),
    pond_shade=(190, 105, 15),
    pond_border=(150, 75, 10),
    pond_design="waves",
    printed=BadgeLook(Shape.BARE, _same((255, 255, 255)), _same((255, 255, 255)), _same((250, 250, 250)), _ICON_LINE),
    chip=BadgeLook(
        Shape.DISC,
        _each((120, 80, 45), (30, 65, 110), (35, 40, 48)),
        _each((100, 65, 35), (25, 55, 95), (25, 30, 36)),
        _same((245, 245, 245)),
        _each((120, 80, 45), (30, 65, 110), (35, 40, 48)),
        0.1,
        (245, 245, 245),
    ),
    symbols={Improvement.WATERSHED: "drop", Improvement.ENCLOSURE: "fence", Improvement.FERTILIZER: "sack"},
    badge_size=0.2,
    badge_at=0.55,
    texture=0.02,
    leaves=0,
    stones=0,
    centre_spot=0.0,
    pips=True,
    edge=(40, 60, 70),
)

_PRINTED_BADGE = BadgeLook(
    Shape.HEX,
    _same((200, 225, 235)),
    _each((176, 105, 52), (54, 74, 175), (125, 143, 140)),
    _ICON_FILL,
    _ICON_LINE,
    0.2,
)

PRINTED = Look(
    name="printed",
    ground=Ground.PAINTING,
    # From the measured Lab table of the published game: light and dark about the plain paintings' rings.
    plot=_by_colour((115, 163, 139), (111, 203, 238), (153, 159, 220)),
    shade=_by_colour((37, 69, 51), (40, 100, 127), (60, 67, 122)),
    border=Border.RIM,
    border_colour=_by_colour((89, 139, 115), (91, 177, 206), (101, 108, 168)),
    border_width=0.13,
    rim_line=(190, 205, 210),
    pond=(157, 142, 124),
    pond_shade=(83, 73, 58),
    pond_border=(97, 104, 98),
    pond_design="pavilion",
    printed=_PRINTED_BADGE,
    chip=_PRINTED_BADGE,
    symbols={Improvement.WATERSHED: "sprout", Improvement.ENCLOSURE: "panda", Improvement.FERTILIZER: "bucket"},
    badge_size=0.25,
    badge_at=0.72,
    texture=0.7,
    leaves=0,
    stones=0,
    centre_spot=0.0,
    edge=(175, 195, 205),
    own_scene=True,
)

KIT = Look(
    name="kit",
    ground=Ground.SPECKLE,
    plot=_by_colour((85, 175, 120), (80, 200, 245), (160, 150, 240)),
    shade=_by_colour((60, 140, 85), (55, 165, 215), (125, 110, 210)),
    border=Border.LINE,
    border_colour=_by_colour((50, 110, 60), (40, 135, 190), (95, 80, 180)),
    border_width=0.08,
    rim_line=(245, 250, 250),
    pond=(210, 150, 70),
    pond_shade=(185, 120, 45),
    pond_border=(150, 90, 30),
    pond_design="rings",
    printed=BadgeLook(
        Shape.HEX,
        _same((240, 248, 250)),
        _each((190, 110, 30), (45, 60, 190), (60, 95, 125)),
        _each((215, 130, 45), (60, 80, 200), (80, 150, 195)),
        _ICON_LINE,
        0.16,
    ),
    chip=BadgeLook(
        Shape.HEX,
        _same((240, 248, 250)),
        _each((190, 110, 30), (45, 60, 190), (60, 95, 125)),
        _each((215, 130, 45), (60, 80, 200), (80, 150, 195)),
        _ICON_LINE,
        0.2,
    ),
    symbols={Improvement.WATERSHED: "drop", Improvement.ENCLOSURE: "pickets", Improvement.FERTILIZER: "sack"},
    badge_size=0.26,
    badge_at=0.62,
    texture=0.25,
    leaves=5,
    stones=0,
    centre_spot=0.0,
    pips=True,
    edge=(225, 230, 235),
)

LOOKS: Mapping[str, Look] = {look.name: look for look in (PAINTED, FLAT, PRINTED, KIT)}
"""The looks that have a name."""
