"""What covers the garden that is no part of the game, in the garden's own terms: cells, edges, stalks, and where it is.

The network's map says which spots of the picture show a hand or a thing; here the places of the garden are looked up in
it. A hand comes from beyond: what does not reach the border of what is looked at, and is small, is none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.hexgrid import POND, Hex, neighbours
from companion.remarks import Remark
from vision.geometry import Floats, View, rotation_2d
from vision.lattice import Lattice
from vision.nets.behind import lost, with_hidden
from vision.nets.blobs import Blob
from vision.nets.classify import CellGuesses
from vision.nets.foreign import COLUMNS, ROWS, STRIDE, ForeignMap

_LOW, _HIGH = 0.3, 0.7
"""A spot counts as covered in part between these, wholly from the second on."""
_SPOT = 0.5
_LEAST_TILES = 0.12
"""A thing that covers less of a tile's area in the picture is noise."""
_HAND_TILES = 0.25
"""A hand's least size, in tiles, where it reaches the border."""
_LOOSE_TILES = 2.5
"""A hand's least size, in tiles, where no arm is seen to lead to it."""
_BORDER = 2
"""So many spots from the border of the window or of the picture an arm counts as coming from beyond."""
_SECTIONS = 4


_BLIND_FROM, _BLIND_FOR = 0.5, 0.35
"""What so much of a cell is covered is doubted from the one on, and not believed at all that much later."""
NOT_SEEN = 0.85
"""A cell that is covered by so much was not seen."""
_FEWEST_SPOTS = 3
_HAND_ON = 0.15
"""Share of a cell that a hand must cover to be said to cover a part of the garden."""
_AMID = 3
"""A cell with so many plots beside it is the garden's own: one may well lie there, unseen."""


def _hexagon_points() -> Floats:
    """Points (37, 2) spread evenly over a hexagon with the circumradius 1, corners up."""
    steps = [Hex(q, r) for q in range(-3, 4) for r in range(-3, 4) if abs(q + r) <= 3]
    east, south = np.array([1.0, 0.0]), np.array([0.5, np.sqrt(0.75)])
    return np.asarray([(q * east + r * south) * 0.25 for q, r in steps]) @ rotation_2d(np.pi / 6).T


_HEXAGON = _hexagon_points()
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Cover:
    """What covers the garden in one look."""

    map: ForeignMap
    view: View

    def of_cells(self, lattice: Lattice, cells: Sequence[Hex]) -> tuple[Floats, Floats]:
        """Share of each tile's place (N,) that a hand covers, and that anything foreign covers."""
        if not cells:
            return np.zeros(0), np.zeros(0)
        radius = lattice.across_flats_mm / np.sqrt(3.0)
        about = radius * _HEXAGON @ rotation_2d(lattice.angle + np.pi / 6).T
        points = lattice.nominals_mm(cells)[:, None] + about[None]
        return self._shares(points, lattice.z_mm)

    def about(self, lattice: Lattice, cells: Iterable[Hex]) -> dict[Hex, tuple[float, float]]:
        """For these cells and those beside them: the share that a hand covers, and that anything foreign covers."""
        near = sorted({other for cell in cells for other in (cell, *neighbours(cell))})
        hand, either = self.of_cells(lattice, near)
        return {cell: (float(h), float(e)) for cell, h, e in zip(near, hand, either, strict=True)}

    def of_edges(self, middles_mm: Floats, along: Floats, length_mm: float) -> Floats:
        """Share of each edge's place (M,) that anything foreign covers."""
        if len(middles_mm) == 0:
            return np.zeros(0)
        ahead = np.stack([np.cos(along), np.sin(along)], axis=-1)
        places = np.linspace(-0.4, 0.4, 5) * length_mm
        points = middles_mm[:, None] + places[None, :, None] * ahead[:, None]
        return self._shares(points, self.view.camera.pieces.tile_thickness_mm)[1]

    def of_stalks(self, lattice: Lattice, cells: Sequence[Hex]) -> Floats:
        """Share of the place of each cell's stalk (N,) that anything foreign covers, from foot to the fourth top."""
        if not cells:
            return np.zeros(0)
        pieces = self.view.camera.pieces
        heights = lattice.z_mm + pieces.section_height_mm * np.linspace(0.0, _SECTIONS, 6)
        feet = np.array([lattice.centre_mm(cell) for cell in cells])
        points = np.concatenate(
            [
                np.repeat(feet[:, None], len(heights), axis=1),
                np.broadcast_to(heights[None, :, None], (len(feet), 6, 1)),
            ],
            axis=2,
        )
        return self._shares(points, 0.0)[1]

    def over(self, guesses: CellGuesses, lattice: Lattice, cells: Sequence[Hex]) -> CellGuesses:
        """What the networks say of cells, with what is covered taken back: they may take a sleeve for a tile.

        Args:
            guesses: of these cells.
            lattice: the honeycomb.
            cells: in the order of the guesses.
        """
        shares, stalks = self.of_cells(lattice, cells)[1], self.of_stalks(lattice, cells)
        blind, stalk_blind = (np.clip((share - _BLIND_FROM) / _BLIND_FOR, 0.0, 1.0) for share in (shares, stalks))
        flat = np.full(guesses.height_p.shape[1], 1.0 / guesses.height_p.shape[1])
        return replace(
            guesses,
            kind_p=_mixed(guesses.kind_p, np.array([0.5, 0.15, 0.15, 0.15, 0.05]), blind),
            marking_p=with_hidden(guesses.marking_p, lost(np.zeros(len(shares)), shares)),
            height_p=_mixed(guesses.height_p, flat, stalk_blind),
            gardener_p=_single(guesses.gardener_p * (1.0 - blind)),
            panda_p=_single(guesses.panda_p * (1.0 - blind)),
            hidden=_single(np.maximum(guesses.hidden, shares)),
            stalk_hidden=_single(np.maximum(guesses.stalk_hidden, stalks)),
        )

    def things_mm(self, lattice: Lattice) -> tuple[tuple[float, float, float], ...]:
        """Things that lie or stand in sight: centre (x, y) and radius, millimetres, in the garden frame."""
        found = []
        for inside in _pieces(self.map.thing_p):
            rows, columns = np.nonzero(inside)
            px = self.map.window.to_px(np.column_stack([columns, rows]).astype(np.float64))
            table = self.view.to_plane(px)
            table = table[np.isfinite(table).all(axis=1)]
            if len(table) < _FEWEST_SPOTS:
                continue
            away = table.mean(axis=0) - self.view.eye_mm[:2]
            away = away / max(float(np.linalg.norm(away)), 1e-6)
            aside = np.array([-away[1], away[0]])
            # What stands high hides the table behind it: its near side and its breadth are its own.
            far, wide = table @ away, table @ aside
            low, high = np.percentile(wide, [4.0, 96.0])
            radius = float(high - low) / 2.0
            middle = (float(np.percentile(far, 4.0)) + radius) * away + (low + high) / 2.0 * aside
            x, y = middle - np.asarray(lattice.origin_mm)
            c, s = np.cos(lattice.angle), np.sin(lattice.angle)
            found.append((float(c * x + s * y), float(s * x - c * y), radius))
        return tuple(found)

    def _shares(self, points_mm: Floats, z_mm: float) -> tuple[Floats, Floats]:
        if not (self.map.hand_p.any() or self.map.thing_p.any()):
            return np.zeros(len(points_mm)), np.zeros(len(points_mm))
        hand, thing = self.map.read(self.view.project(points_mm, z_mm))
        hand, thing = (np.clip((p - _LOW) / (_HIGH - _LOW), 0.0, 1.0) for p in (hand, thing))
        return np.asarray(hand.mean(axis=1)), np.asarray(np.maximum(hand, thing).mean(axis=1))


def cover_of(found: ForeignMap, view: View, tile_px: float, picture_px: tuple[int, int]) -> Cover:
    """The map with only those hands left in it that reach in from beyond, and things that are no specks.

    Args:
        found: what the network says.
        view: the camera over the table.
        tile_px: how wide a tile is in the picture.
        picture_px: columns and rows of the picture.
    """
    if max(found.hand_p.max(), found.thing_p.max()) <= _SPOT:
        return Cover(replace(found, hand_p=np.zeros_like(found.hand_p), thing_p=np.zeros_like(found.thing_p)), view)
    tile = 0.75 * (tile_px * found.window.scale / STRIDE) ** 2
    spots = np.stack(np.meshgrid(np.arange(COLUMNS // STRIDE), np.arange(ROWS // STRIDE)), axis=-1)
    px = found.window.to_px(spots.astype(np.float64))
    reach = _BORDER * STRIDE / found.window.scale
    inner = np.asarray((px >= reach).all(axis=-1) & (px <= np.array(picture_px) - 1.0 - reach).all(axis=-1))
    inner[:_BORDER] = inner[-_BORDER:] = False
    inner[:, :_BORDER] = inner[:, -_BORDER:] = False

    def is_hand(inside: Mask) -> bool:
        return bool(inside.sum() >= (_HAND_TILES if (inside & ~inner).any() else _LOOSE_TILES) * tile)

    hand = _kept(found.hand_p, is_hand)
    thing = _kept(found.thing_p, lambda inside: bool(inside.sum() >= _LEAST_TILES * tile))
    return Cover(replace(found, hand_p=hand, thing_p=thing), view)


def _pieces(p: Blob) -> list[Mask]:
    """The connected regions of what is likelier than not."""
    count, labels = cv2.connectedComponents((p > _SPOT).astype(np.uint8))
    return [np.asarray(labels == label) for label in range(1, count)]


def _kept(p: Blob, is_real: Callable[[Mask], bool]) -> Blob:
    """The map with nothing left but the real regions and their soft rims."""
    real = [piece for piece in _pieces(p) if is_real(piece)]
    if not real:
        return np.zeros_like(p)
    rims = cv2.dilate(np.any(real, axis=0).astype(np.uint8), np.ones((3, 3), np.uint8))
    return np.asarray(p * rims, dtype=np.float32)


def _mixed(p: Blob, flat: Floats, share: Floats) -> Blob:
    return _single(p * (1.0 - share[:, None]) + flat * share[:, None])


def _single(values: NDArray[np.floating[Any]]) -> Blob:
    return np.asarray(values, dtype=np.float32)


def why_covered(
    covered: Mapping[Hex, tuple[float, float]], by_pieces: Iterable[Hex], plots: Collection[Hex]
) -> Remark | None:
    """Why the look speaks of a part of the garden only; None if it speaks of all of it.

    A thing that stands beside the garden hides what may be laid there, and no more: the look is clear.

    Args:
        covered: of every cell the share that a hand covers, and that anything foreign covers.
        by_pieces: cells that are covered by what is not known to be foreign.
        plots: where plots are seen.
    """
    garden = {POND, *plots}

    def beside(at: Hex) -> int:
        return sum(other in garden for other in neighbours(at))

    if any(hand >= _HAND_ON and (at in garden or beside(at)) for at, (hand, _) in covered.items()):
        return Remark("eye.hand")
    on_garden = any(share >= _SPOT and (at in garden or beside(at) >= _AMID) for at, (_, share) in covered.items())
    if on_garden or any(at in garden or beside(at) for at in by_pieces):
        return Remark("eye.covered")
    return None
