"""What the eye has to say about a look besides what lies there: why it saw nothing, and what makes it doubt.

Each remark is an id with parameters. `str` gives its English, which is what `companion observe` writes; the pages say
it in the reader's language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

REMARKS: Mapping[str, str] = MappingProxyType({
    # Why a picture shows nothing.
    "eye.black": "the picture is black",
    "eye.white": "the picture is white",
    "eye.colourless": "the picture has no colours: plots cannot be told from each other",
    "eye.flat": "the picture is empty: one even tone",
    "eye.noise": "the picture is nothing but noise: look at the camera and its cable",
    "eye.out_of_focus": "the picture is out of focus",
    "eye.nothing": "neither marker cards nor a honeycomb of tiles",
    "eye.only_cards": "marker cards lie there, but no tiles",
    "eye.no_tiles": "no tiles are seen on the table",
    "eye.wrong_size": (
        "the picture has {width} x {height} pixels, the camera file speaks of {file_width} x {file_height}: "
        "use the camera file of this camera and mode"
    ),
    "eye.no_look_possible": "no look was possible: {why}",
    # Why it shows a part only.
    "eye.hand": "a hand covers a part of the garden",
    "eye.covered": "something covers a part of the garden",
    "eye.moving": "something moves on the table",
    "eye.hand_rests": "a hand rests on the table",
    "eye.not_seen": "plots that lie there are not seen",
    "eye.elsewhere": "the garden is not seen as it lies there",
    # What makes the eye doubt.
    "eye.scaled": "the camera file speaks of {file_width} x {file_height} pixels: scaled to {width} x {height}",
    "eye.blurred": "the picture is out of focus: marks and stalks are doubtful",
    "eye.no_card": "no marker card is seen: the table is found by the tiles alone",
    "eye.cards_left_out": "left out marker cards that do not lie flat on the table: {cards}",
    "eye.tied": "the expected garden fits in more than one turn: east may be wrong",
    "eye.pond_unclear": "the pond is not seen clearly: all coordinates may be shifted",
    "eye.free_look": "art 'free' tells no look: tiles are read by a look-free profile",
    "eye.no_look": "the camera file names no art: tiles are read by a look-free profile",
    "eye.unknown_look": "no profile for art {art}: tiles are read by a look-free profile",
})  # fmt: skip
"""English by id; parameters stand in braces."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One of `REMARKS` with its parameters.

    Example:
        >>> str(Remark("eye.cards_left_out", {"cards": "1, 3"}))
        'left out marker cards that do not lie flat on the table: 1, 3'
    """

    id: str
    params: Mapping[str, str | int] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        object.__setattr__(self, "params", MappingProxyType(dict(self.params)))
        str(self)  # an unknown id or a missing parameter shows at once

    def __str__(self) -> str:
        return REMARKS[self.id].format_map(self.params)
