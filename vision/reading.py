"""What lies on the cells of a honeycomb: networks, rings, outlines and the bare table brought together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.hexgrid import POND, Hex
from companion.observation import ExpectedLook, LookContext
from vision.bare import bare_cells
from vision.changes import Changes, changes, last_glimpse, pieces_px
from vision.choosing import BETTER, held_cells, is_doubtful, plausibility
from vision.colour import colour_evidence, ring_samples, white_chroma
from vision.foreign import Cover, cover_of
from vision.geometry import Floats, Image, rotation_2d
from vision.ground import with_ground
from vision.honeycomb import Garden, likely_tiles, small_gardens
from vision.lattice import Lattice
from vision.locating import covered_by_cards
from vision.nets.classify import CellGuesses, Look
from vision.nets.foreign import ForeignNet, Window
from vision.plots import GardenBelief, candidate_cells, with_outlines
from vision.pose import TablePose
from vision.profiles.load import Profile

_RING_TRUST = 0.35
"""Share of the ring's evidence that is new beside the network's, which sees the same pixels."""
_LIKELY = 0.5
"""A cell with so clear an outline belongs to the garden as far as can be told at first."""
_MAYBE_TILE = 0.25
"""A cell with so much of an outline may hold a tile, and what stands on one."""


class CellReader(Protocol):
    """Says what lies on cells; `CellNet` does."""

    def classify(self, look: Look, centres_mm: Floats, angle: float | Floats) -> CellGuesses:
        """See `CellNet.classify`."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What lies on the cells of one honeycomb."""

    garden: Garden
    cover: Cover
    since: Changes
    belief: GardenBelief
    guesses: CellGuesses

    def kind_p(self) -> Floats:
        """(N, 5) by the networks alone: nothing, the three colours, the pond."""
        return np.asarray(self.guesses.kind_p, dtype=np.float64)

    def plausibility(self) -> float:
        """How well the honeycomb suits: see `vision.choosing`."""
        figures_p = np.stack([self.guesses.gardener_p, self.guesses.panda_p], axis=1).astype(np.float64)
        return plausibility(self.garden.lattice, self.belief.cells, self.kind_p(), figures_p)


class GardenReader:
    """Reads what lies on the cells; not for use by two threads at once."""

    def __init__(self, profile: Profile, cells: CellReader) -> None:
        """Take the colours of the tiles' look, and what reads single cells."""
        self._profile = profile
        self._cells = cells
        self._foreign = ForeignNet()

    def read(
        self,
        image: Image,
        look: Look,
        pose: TablePose,
        garden: Garden,
        expected: ExpectedLook | None,
        chosen: Callable[[Garden], None],
    ) -> Reading:
        """What lies on the cells; where few tiles leave it in doubt where the honeycomb is, the one that suits best.

        Args:
            image: uint8 (H, W, 3) BGR.
            look: the same, ready to be cut into crops.
            pose: the camera over the table.
            garden: the honeycomb that was found.
            expected: the garden that should lie there or lay there.
            chosen: told of every other honeycomb that suits better.
        """
        best = self._reading(image, look, pose, garden, expected)
        if not pose.cards or not is_doubtful(garden.lattice, best.belief.cells, best.kind_p()):
            return best
        held = held_cells(best.belief.cells, best.kind_p())
        seeds = [(float(x), float(y)) for x, y in garden.lattice.centres_mm(held)]
        for rival in small_gardens(pose, image, seeds, covered_by_cards(pose)):
            other = self._reading(image, look, pose, rival, expected)
            if other.plausibility() > best.plausibility() + BETTER:
                best = other
                chosen(rival)
        return best

    def _reading(
        self, image: Image, look: Look, pose: TablePose, garden: Garden, expected: ExpectedLook | None
    ) -> Reading:
        cover, since = self._cover(look, pose, garden.lattice, None if expected is None else expected.anchor)
        return Reading(garden, cover, since, *self._read_cells(image, look, pose, garden, expected, cover))

    def _cover(
        self, look: Look, pose: TablePose, lattice: Lattice, anchor: LookContext | None
    ) -> tuple[Cover, Changes]:
        """What lies over the garden that is no part of the game, and what changed since the last look."""
        weights = likely_tiles(lattice.tiles)
        cells = [cell for cell, weight in weights.items() if weight > _LIKELY] or [POND]
        size = tile_px(pose, lattice)
        picture = look.pyramid.level(0)
        window = Window.about(pose.project(lattice.nominals_mm(cells), lattice.z_mm), size)
        network = cache(lambda: self._foreign.look(look.pyramid, look.white, window))
        tiles = [cell for cell, weight in weights.items() if weight > _MAYBE_TILE]
        since = changes(look.pyramid, size, last_glimpse(anchor, pose), pieces_px(pose, lattice, tiles), network)
        return cover_of(since.on(window, network), pose, size, (picture.shape[1], picture.shape[0])), since

    def _read_cells(
        self,
        image: Image,
        look: Look,
        pose: TablePose,
        garden: Garden,
        expected: ExpectedLook | None,
        cover: Cover,
    ) -> tuple[GardenBelief, CellGuesses]:
        lattice = garden.lattice
        weights = likely_tiles(lattice.tiles)
        bare = bare_cells(garden, weights) if expected is None else frozenset[Hex]()
        cells = tuple(cell for cell in candidate_cells(weights) if cell not in bare)
        guesses = cover.over(self._guess(look, lattice, cells), lattice, cells)
        kind_p = np.asarray(guesses.kind_p, dtype=np.float64)
        samples = ring_samples(image, pose, lattice, cells)
        white = white_chroma(look.white)
        sure = kind_p[:, 1:].sum(axis=1)
        rings = colour_evidence(samples, white, self._profile, sure, white_is_seen=bool(pose.cards))
        both = _with_rings(kind_p, rings.log_likelihood, samples.readable.astype(np.float64))
        outlines = np.array([weights.get(cell, 0.0) for cell in cells])
        carded = _card_on(lattice.centres_mm(cells), lattice.across_flats_mm, pose)
        hidden = np.asarray(guesses.hidden, dtype=np.float64)
        outlined = with_outlines(both, outlines, hidden, carded)
        return GardenBelief(cells, with_ground(outlined, garden, cells, weights)), guesses

    def _guess(self, look: Look, lattice: Lattice, cells: Sequence[Hex]) -> CellGuesses:
        return self._cells.classify(
            look, lattice.centres_mm(cells), np.array([lattice.turn_of(cell) for cell in cells])
        )


def tile_px(pose: TablePose, lattice: Lattice) -> float:
    """How wide a tile is in the picture, at the middle of the garden."""
    weights = likely_tiles(lattice.tiles)
    middle = np.average(
        lattice.nominals_mm(list(weights)), axis=0, weights=[weight + 1e-6 for weight in weights.values()]
    )
    return lattice.across_flats_mm * pose.px_per_mm(np.append(middle, lattice.z_mm))


def _card_on(centres_mm: Floats, across_flats_mm: float, pose: TablePose) -> NDArray[np.bool_]:
    """Whether the black square of a marker card reaches well into each cell, (N,); centres are (N, 2)."""
    on = np.zeros(len(centres_mm), dtype=bool)
    half = pose.camera.markers.size_mm / 2.0
    for card in pose.cards:
        # The square's nearest point to a cell's centre, in the card's own axes.
        to_cell = (centres_mm - card.centre_mm) @ rotation_2d(card.angle)
        on |= np.linalg.norm(to_cell - np.clip(to_cell, -half, half), axis=1) < 0.42 * across_flats_mm
    return on


def _with_rings(kind_p: Floats, log_likelihood: Floats, readable: Floats) -> Floats:
    """The network's beliefs times what the rings say of the colour, given that a tile lies there."""
    evidence = np.where(np.isfinite(log_likelihood), log_likelihood, -40.0)
    best = evidence.max(axis=1, keepdims=True)
    # Rings that fit no kind of tile say nothing: the look may be another than the profile's.
    trust = _RING_TRUST * np.asarray(readable)[:, None] / (1.0 + np.exp(-(best + 8.0) / 3.0))
    share = np.exp(trust * (evidence - best))
    tiles = kind_p[:, 1:] * share
    total = tiles.sum(axis=1, keepdims=True)
    tiles = np.where(total > 1e-12, tiles * (kind_p[:, 1:].sum(axis=1, keepdims=True) / np.maximum(total, 1e-12)), 0.0)
    return np.concatenate([kind_p[:, :1], tiles], axis=1)
