"""An art profile from a few photos of tiles that were laid in a shown order.

A flower of seven: the pond in the middle, six tiles around it, named from the picture's right, counter-clockwise as
the picture shows them. Marker cards must lie beside it, since their white tells what the lamps do to the colours.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.errors import BadInputError
from companion.games.takenoko.hexgrid import Hex, neighbours
from companion.games.takenoko.pieces import Colour, Improvement
from vision.camera_file import CameraModel
from vision.cards import find_cards
from vision.colour import ring_samples, white_chroma
from vision.geometry import View
from vision.honeycomb import find_garden, likely_tiles
from vision.lattice import Lattice
from vision.nets.white import white_of_cards
from vision.pose import pose_from_cards
from vision.profiles.load import Profile, Prototype
from vision.usable import camera_for

Image = NDArray[np.uint8]
Kind = tuple[str, str]
"""A tile's colour (or `pond`) and its painting (an improvement, or nothing)."""

_C, _I = Colour, Improvement
FLOWERS: tuple[tuple[tuple[Colour, Improvement | None], ...], ...] = (
    ((_C.GREEN, None), (_C.YELLOW, None), (_C.PINK, None), (_C.GREEN, None), (_C.YELLOW, None), (_C.PINK, None)),
    (
        (_C.GREEN, _I.WATERSHED), (_C.YELLOW, _I.WATERSHED), (_C.PINK, _I.WATERSHED),
        (_C.GREEN, _I.ENCLOSURE), (_C.YELLOW, _I.ENCLOSURE), (_C.PINK, _I.ENCLOSURE),
    ),
    (
        (_C.GREEN, _I.FERTILIZER), (_C.YELLOW, _I.FERTILIZER), (_C.PINK, _I.FERTILIZER),
        (_C.GREEN, None), (_C.YELLOW, None), (_C.PINK, None),
    ),
)  # fmt: skip
"""The tiles around the pond, photo by photo; the first alone makes a profile, the others make it better."""
LEAST_TILE = 0.3
"""Edge strength under which no tile lies there."""
LEAST_READABLE = 0.3
"""Share of a tile's ring that must be readable."""
LEAST_SPREAD = 0.05
"""Of a painting, in log chromaticity: a flat print has less, but no lamp is so even as not to move it."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One photo and what lies around its pond."""

    name: str
    tiles: tuple[tuple[Colour, Improvement | None], ...]


def read_flower(image: Image, camera: CameraModel, lesson: Lesson) -> list[tuple[Kind, NDArray[np.float64]]]:
    """The ring pixels of the seven tiles of one photo.

    Args:
        image: uint8 (H, W, 3) BGR.
        camera: the camera file.
        lesson: what lies there.

    Returns:
        Kind and chromaticities (n, 2) relative to the cards' white, the pond first.

    Raises:
        BadInputError: no card, no flower of seven, or a tile that cannot be read; names the photo and the remedy.
    """
    fitting, remark = camera_for(camera, image.shape[1], image.shape[0])
    if fitting is None:
        raise BadInputError(f"{lesson.name}: {remark}")
    pose = pose_from_cards(find_cards(image, fitting), fitting)
    corners = [] if pose is None else [card.corners_mm for card in pose.cards]
    white = None if pose is None else white_of_cards(image, pose, corners)
    if pose is None or white is None:
        raise BadInputError(f"{lesson.name}: no marker card is seen: lay one beside the tiles, since it shows white")
    garden = find_garden(pose, image, corners)
    pond = None if garden is None else _middle(garden.lattice)
    if garden is None or pond is None:
        raise BadInputError(
            f"{lesson.name}: no pond with six tiles around it is seen: lay them close, and nothing on them"
        )
    cells = [pond, *_around(pose, garden.lattice, pond)]
    samples = ring_samples(image, pose, garden.lattice, cells)
    kinds: list[Kind] = [("pond", ""), *((colour.value, improvement or "") for colour, improvement in lesson.tiles)]
    read: list[tuple[Kind, NDArray[np.float64]]] = []
    for kind, chroma, readable in zip(kinds, samples.chroma, samples.readable, strict=True):
        if readable < LEAST_READABLE:
            said = " ".join(part for part in kind if part)
            raise BadInputError(f"{lesson.name}: the {said} tile is too bright, too dark or covered: light it evenly")
        relative = np.asarray(chroma, float) - white_chroma(white)
        read.append((kind, relative[np.isfinite(relative).all(axis=1)]))
    return read


def learn(name: str, source: str, lessons: Iterable[list[tuple[Kind, NDArray[np.float64]]]]) -> Profile:
    """A profile from what was read of the photos.

    Raises:
        BadInputError: tiles of one colour differ more from each other than from another colour's: they were probably
            not laid in the shown order.
    """
    tiles: dict[Kind, list[NDArray[np.float64]]] = defaultdict(list)
    for lesson in lessons:
        for kind, pixels in lesson:
            tiles[kind].append(pixels)
    _check_order(tiles)
    prototypes = [_prototype(kind, np.concatenate(pixels)) for kind, pixels in tiles.items()]
    return Profile(name, source, tuple(prototypes))


def _middle(lattice: Lattice) -> Hex | None:
    """The cell that lies in the middle of a flower: the weakest of the seven outlines is the strongest there is."""
    strength = dict(likely_tiles(dict(lattice.tiles)))
    flowers = {cell: min(strength.get(part, 0.0) for part in (cell, *neighbours(cell))) for cell in strength}
    best = max(flowers, key=lambda cell: flowers[cell], default=None)
    return best if best is not None and flowers[best] >= LEAST_TILE else None


def _around(view: View, lattice: Lattice, pond: Hex) -> Sequence[Hex]:
    """The six neighbours, from the picture's right, counter-clockwise on the picture."""
    cells = neighbours(pond)
    places = view.project(np.array([lattice.nominal_mm(cell) for cell in (pond, *cells)]), lattice.z_mm)
    to_right = places[1:] - places[0]
    turn = np.arctan2(-to_right[:, 1], to_right[:, 0])
    first = int(np.argmin(np.abs(turn)))
    order = np.argsort((turn - turn[first]) % (2 * np.pi))
    return [cells[index] for index in order]


def _prototype(kind: Kind, pixels: NDArray[np.float64]) -> Prototype:
    middle = np.median(pixels, axis=0)
    # From the median deviation, so that a stone or a leaf does not widen it.
    spread = np.maximum(1.4826 * np.median(np.abs(pixels - middle), axis=0), LEAST_SPREAD)
    return Prototype(kind[0], (float(middle[0]), float(middle[1])), (float(spread[0]), float(spread[1])), kind[1])


def _check_order(tiles: dict[Kind, list[NDArray[np.float64]]]) -> None:
    plain: dict[str, list[NDArray[np.float64]]] = {
        kind[0]: [np.median(pixels, axis=0) for pixels in read] for kind, read in tiles.items() if not kind[1]
    }
    for colour, middles in plain.items():
        others = [middle for other, found in plain.items() if other != colour for middle in found]
        for middle in middles:
            own = [float(np.linalg.norm(middle - other)) for other in middles if other is not middle]
            foreign = min(float(np.linalg.norm(middle - other)) for other in others)
            if own and min(own) > foreign:
                raise BadInputError(
                    f"the {colour} tiles look less alike than tiles of different colours do: "
                    f"were they laid in the shown order, from the picture's right, counter-clockwise?"
                )
