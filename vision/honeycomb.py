"""Finding the honeycomb in a rectified picture, whatever the tiles look like.

Edges of the picture vote. An edge belongs to the honeycomb if it runs along one of three directions, 60 degrees
apart, and lies where the outline of a tile does; folded into one cell of the lattice the outlines of all tiles come
to lie on each other, while the paintings, the cloth and the shadows spread out. Strength is measured against its own
neighbourhood, so that a dim corner of the table votes as much as a bright one.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.hexgrid import Hex, distance, neighbours
from vision.edges import EdgeField, edge_field
from vision.geometry import Floats, Image, Patch, View
from vision.lattice import Lattice, TilePlace, cells_within, connected_to, fitted
from vision.outlines import glance_at_tiles, measure_tiles

_COARSE = 2.3 / 70.0
"""Tiles a pixel of the coarse search: fine enough for the sides, coarse enough to search a whole table quickly."""
_FINE = (1.0 / 70.0, 1.4 / 70.0)
"""The least and the most tiles a pixel of the fine picture."""
_LEAST_TILE_PX = 36.0
"""Table so far away that a tile would be smaller in the picture is not searched: nothing could be read there."""
_MOST_TILES_WIDE = 21.0
"""The largest stretch of table that is searched; a garden of 27 tiles in a row does not occur."""
_FOLD_BINS = 36
_ANGLES = 5
"""So many turns of the honeycomb are tried in full."""
_VOTERS = 7_000
_NEAR = math.radians(8.0)
"""An edge this near to a direction of the honeycomb votes for it."""


def search_patch(view: View, z_mm: float) -> Patch:
    """The stretch of the tiles' plane that the picture shows, bounded where it runs to the horizon."""
    camera = view.camera
    flats = camera.pieces.tile_across_flats_mm
    mm_per_px = _COARSE * flats
    xs, ys = np.linspace(0, camera.width - 1, 13), np.linspace(0, camera.height - 1, 13)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    points = view.to_plane(grid, z_mm)
    points = points[np.isfinite(points).all(axis=1)]
    if len(points) == 0:
        return Patch((0.0, 0.0), (2, 2), mm_per_px, 0.0, z_mm)
    depth = view.depth_mm(np.column_stack([points, np.full(len(points), z_mm)]))
    points = points[depth <= max(float(depth.min()), camera.fx * flats / _LEAST_TILE_PX)]
    low, high = points.min(axis=0), points.max(axis=0)
    size = np.minimum(high - low, _MOST_TILES_WIDE * flats)
    # Where there is more table than is searched, keep the near part: the far one is small in the picture.
    near = points[np.argmin(np.linalg.norm(points - view.eye_mm[:2], axis=1))]
    centre = np.clip((low + high) / 2.0, near - size / 2.0, near + size / 2.0)
    columns, rows = (max(2, int(side / mm_per_px) + 1) for side in size)
    return Patch((float(centre[0]), float(centre[1])), (columns, rows), mm_per_px, 0.0, z_mm)


@dataclass(frozen=True, slots=True, eq=False)
class _Voters:
    """Edge points that may be sides of tiles."""

    points: Floats
    normals: Floats
    weights: NDArray[np.float32]


def _voters(edges: EdgeField) -> _Voters | None:
    rows, columns = np.nonzero(edges.strength > 0.25)
    if len(rows) < 200:
        return None
    local = np.sqrt(_threefold(edges)[rows, columns])
    if len(rows) > _VOTERS:
        keep = np.argpartition(-local, _VOTERS)[:_VOTERS]
        rows, columns, local = rows[keep], columns[keep], local[keep]
    points = edges.patch.to_mm(np.stack([columns, rows], axis=-1))
    double = edges.double[rows, columns]
    normals = np.arctan2(double[:, 1], double[:, 0]) / 2.0 + edges.patch.angle
    return _Voters(points, normals, edges.strength[rows, columns] * local)


def find_honeycombs(edges: EdgeField, across_flats_mm: float, z_mm: float) -> list[tuple[Lattice, float]]:
    """Lattices whose tile outlines gather many edges, best first, with the strength of their outlines.

    The origin is any one cell: which is the pond is for others to say.
    """
    voters = _voters(edges)
    if voters is None:
        return []
    points, normals, weights = voters.points, voters.normals, voters.weights

    def fold(angle: float, gap: float) -> tuple[float, Lattice]:
        score, origin = _fold(points, normals, weights, angle, across_flats_mm, across_flats_mm + gap)
        return score, Lattice(origin, angle, across_flats_mm + gap, across_flats_mm, z_mm)

    coarse = sorted((fold(angle, _GAPS_MM[1]) for angle in _angle_candidates(normals, weights)), key=lambda f: -f[0])
    fine = []
    for _, one in coarse[:_JUDGED]:
        _, turned = max((fold(one.angle + turn, _GAPS_MM[1]) for turn in _FOLD_TURNS), key=lambda f: f[0])
        fine.append(max((fold(turned.angle, gap) for gap in _GAPS_MM), key=lambda f: f[0])[1])
    return sorted(((one, _outline_strength(edges, one)) for one in fine), key=lambda item: -item[1])


def find_spacing(edges: EdgeField) -> tuple[float, float] | None:
    """The size of a tile across its flats, where nothing but its shape is known, and how strong its outlines are.

    The size is in the field's own millimetres.
    """
    voters = _voters(edges)
    if voters is None:
        return None
    rows, columns = edges.patch.shape
    smallest, largest = 18.0 * edges.patch.mm_per_px, 0.35 * min(rows, columns) * edges.patch.mm_per_px
    sizes = np.exp(np.arange(math.log(smallest), math.log(max(largest, smallest * 1.1)), 0.05))
    trials = []
    for angle in _angle_candidates(voters.normals, voters.weights)[:2]:
        for size in sizes:
            score, origin = _fold(voters.points, voters.normals, voters.weights, angle, size, size * _USUAL_PITCH)
            trials.append((score, Lattice(origin, angle, size * _USUAL_PITCH, size, 0.0)))
    trials.sort(key=lambda trial: -trial[0])
    # Half and double the spacing fold well too; outlines tell them apart.
    judged = [(_outline_strength(edges, lattice), lattice) for _, lattice in trials[:6]]
    strength, lattice = max(judged, key=lambda item: item[0])
    return (lattice.across_flats_mm, strength) if strength > 0 else None


_USUAL_PITCH = 1.02
"""Of hand-laid tiles, as against the tile itself."""
_GAPS_MM = (0.5, 1.5, 2.5)
_FOLD_TURNS = np.radians([-1.8, 0.0, 1.8])
_MOST_TILES = 28
_ABOUT_PX = 40
"""Of the coarse picture: a little more than a tile, so that all its sides count."""
_JUDGED = 3
"""So many of the folded hypotheses are judged tile by tile."""


def _outline_strength(edges: EdgeField, lattice: Lattice) -> float:
    """How much better than the usual place of this table the tiles' outlines show, summed over the best cells."""
    places = glance_at_tiles(edges, lattice, cells_within(lattice, outline_of(edges.patch)))
    if not places:
        return 0.0
    floor = 1.5 * float(np.median([place.strength for place in places.values()]))
    clear = {cell: (place.strength - floor) ** 2 for cell, place in places.items() if place.strength > floor + 0.05}
    best = 0.0
    while clear:
        # A garden hangs together: what lies apart from it (noise in a dark corner, a player's board) does not count.
        joined = connected_to(next(iter(clear)), clear)
        best = max(best, sum(sorted((clear.pop(cell) for cell in joined), reverse=True)[:_MOST_TILES]))
    return best


def outline_of(patch: Patch) -> Floats:
    """The corners (4, 2) of a patch on the table."""
    rows, columns = patch.shape
    return patch.to_mm(np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], dtype=float))


def _threefold(edges: EdgeField) -> NDArray[np.float32]:
    """How much the edges about each pixel run in three directions 60 degrees apart, and not in one (rows, columns).

    Wood grain, cloth and the sides of cards are strong in one direction or in two at right angles; a tile's outline
    has as much of each of its three.
    """
    cos2, sin2 = edges.double[::2, ::2, 0], edges.double[::2, ::2, 1]
    w = np.maximum(edges.strength[::2, ::2], 1e-6)
    c, s = cos2 / w, sin2 / w
    # Six times the angle from twice the angle, by the triple angle formula.
    six = np.stack([w * (4 * c**3 - 3 * c), w * (3 * s - 4 * s**3), cos2, sin2, w], axis=2)
    small = cv2.resize(six, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    mean = cv2.boxFilter(small, -1, (_ABOUT_PX // 4, _ABOUT_PX // 4))
    three, one = np.hypot(mean[..., 0], mean[..., 1]), np.hypot(mean[..., 2], mean[..., 3])
    likeness = np.maximum(three - 0.5 * one, 0.0) / (mean[..., 4] + 0.02)
    rows, columns = edges.strength.shape
    return np.asarray(cv2.resize(likeness.astype(np.float32), (columns, rows), interpolation=cv2.INTER_LINEAR) + 1e-3)


def _angle_candidates(normals: Floats, weights: NDArray[np.float32]) -> list[float]:
    """Turns (radians, within a sixth of a circle) along which many edges run, modulo 60 degrees."""
    sixth = np.pi / 3
    bins = 120
    histogram = np.bincount((np.mod(normals, sixth) / sixth * bins).astype(int) % bins, weights, bins)
    wide = np.convolve(np.concatenate([histogram[-6:], histogram, histogram[:6]]), np.hanning(13), "valid")
    chosen: list[float] = []
    for i in np.argsort(-wide):
        angle = (i + 0.5) / bins * sixth
        if all(abs((angle - other + sixth / 2) % sixth - sixth / 2) > np.radians(5.0) for other in chosen):
            chosen.append(float(angle))
        if len(chosen) == _ANGLES:
            break
    return chosen


def _fold(
    points: Floats, normals: Floats, weights: NDArray[np.float32], angle: float, flats: float, pitch: float
) -> tuple[float, tuple[float, float]]:
    """Fold all edges into one lattice cell and find the shift under which tile outlines gather most of them."""
    u = np.array([np.cos(angle), np.sin(angle)])
    v = np.array([np.cos(angle + np.pi / 3), np.sin(angle + np.pi / 3)])
    inverse = np.linalg.inv(np.column_stack([u, v]) * pitch)
    n = _FOLD_BINS
    off = np.mod(normals - angle + np.pi / 6, np.pi / 3) - np.pi / 6
    mine = np.flatnonzero(np.abs(off) < _NEAR)
    spots = (np.mod(points[mine] @ inverse.T, 1.0) * n).astype(int) % n
    which = np.rint((normals[mine] - angle - off[mine]) / (np.pi / 3)).astype(int) % 3
    index = (which * n + spots[:, 0]) * n + spots[:, 1]
    folded = np.sqrt(np.bincount(index, weights[mine], 3 * n * n).reshape(3, n, n))
    # The root: one long line across the table must not outvote the rest.
    folded -= folded.mean(axis=(1, 2), keepdims=True)
    match = np.fft.irfft2(np.fft.rfft2(folded) * _outlines(round(flats / pitch, 4)), (n, n))
    spread = np.maximum(match.std(axis=(1, 2), keepdims=True), 1e-9)
    weight = np.minimum(1.0, folded.std(axis=(1, 2), keepdims=True))
    total = (np.clip(match / spread, -4.0, 4.0) * weight).sum(axis=0)
    peak = np.unravel_index(int(total.argmax()), total.shape)
    at = np.array(peak) / n
    origin = (at[0] * u + at[1] * v) * pitch
    return float(total.max()), (float(origin[0]), float(origin[1]))


@cache
def _outlines(share: float) -> NDArray[np.complex128]:
    """Spectra (3, n, n / 2 + 1) of a tile's sides, drawn into the folded cell; `share` is the tile over the pitch.

    In the cell's own axes they are the same for every turn of the honeycomb.
    """
    n = _FOLD_BINS
    inverse = np.linalg.inv(np.array([[1.0, 0.5], [0.0, math.sqrt(3.0) / 2.0]]))
    out = np.zeros((3, n, n))
    for k in range(3):
        normal = np.array([np.cos(k * np.pi / 3), np.sin(k * np.pi / 3)])
        along = np.array([-normal[1], normal[0]])
        steps = np.linspace(-0.45, 0.45, 60)[:, None] * share / math.sqrt(3.0) * along
        for side in (-1.0, 1.0):
            for off in (-1.0, 0.0, 1.0):
                spots = (side * (share / 2.0 + off / _FOLD_BINS / 2.0) * normal + steps) @ inverse.T
                cells = np.floor(np.mod(spots, 1.0) * n).astype(int) % n
                np.add.at(out[k], (cells[:, 0], cells[:, 1]), 1.0 if off == 0.0 else 0.5)
    out -= out.mean(axis=(1, 2), keepdims=True)
    return np.asarray(np.conj(np.fft.rfft2(out)))


def likely_tiles(places: Mapping[Hex, TilePlace], usual: float = 0.0) -> dict[Hex, float]:
    """How much each cell looks like a tile by its outline alone: 0 for next to nothing, 1 for the clearest ones.

    Args:
        places: as measured.
        usual: the strength that cells of bare table have in this picture.
    """
    if not places:
        return {}
    strengths = np.array([place.strength for place in places.values()])
    top = float(np.sort(strengths)[-min(6, len(strengths)) :].mean())
    floor = min(max(usual, _BARE * top), 0.5 * top)
    return {cell: max(0.0, (place.strength - floor) / max(top - floor, 1e-6)) for cell, place in places.items()}


_BARE = 0.25
"""Strength of no outline at all, as a share of the clearest: noise finds some match for any outline."""


def garden_patch(lattice: Lattice, cells: Sequence[Hex], mm_per_px: float) -> Patch | None:
    """The stretch of table about the given cells, so far that their outlines lie inside wherever they may be."""
    if not cells:
        return None
    centres = lattice.nominals_mm(cells)
    margin = 0.75 * lattice.pitch_mm
    low, high = centres.min(axis=0) - margin, centres.max(axis=0) + margin
    centre, size = (low + high) / 2.0, (high - low) / mm_per_px
    return Patch(
        (float(centre[0]), float(centre[1])), (int(size[0]) + 1, int(size[1]) + 1), mm_per_px, 0.0, lattice.z_mm
    )


def settle(edges: EdgeField, lattice: Lattice, cells: Sequence[Hex], rounds: int) -> Lattice:
    """Shift, turn and pitch from the tiles, then every tile's own place, for the cells given.

    Args:
        edges: of the rectified picture.
        lattice: nearly right: at most half a tile's side off anywhere.
        cells: to be measured.
        rounds: of fitting, at the most; it ends earlier where nothing changes any more.
    """
    weights = likely_tiles(glance_at_tiles(edges, lattice, cells))
    for _ in range(rounds):
        places = measure_tiles(edges, lattice, weights, rough=True)
        weights = {cell: weight**2 for cell, weight in likely_tiles(places).items()}
        centres = {cell: lattice.nominal_mm(cell) + place.shift_mm for cell, place in places.items()}
        before, lattice = lattice, fitted(lattice, centres, weights)
        if max(abs(lattice.angle - before.angle) * 300.0, abs(lattice.pitch_mm - before.pitch_mm) * 4.0) < 1.0:
            break
    return lattice.with_tiles(measure_tiles(edges, lattice, weights))


def _worth_measuring(places: Mapping[Hex, TilePlace]) -> tuple[Hex, ...]:
    """The cells that look like tiles at a glance, with all about them that may be covered or pale tiles.

    Args:
        places: of all cells in sight, most of them bare table.
    """
    usual = float(np.median([place.strength for place in places.values()])) if places else 0.0
    weights = likely_tiles(places, usual)
    clear = {cell for cell, weight in weights.items() if weight > _CLEAR}
    groups: list[frozenset[Hex]] = []
    left = set(clear)
    while left:
        groups.append(connected_to(left.pop(), clear))
        left -= groups[-1]
    # The garden, and what may belong to it across one gap; not every mark on a large table.
    best = max(groups, key=lambda group: sum(weights[cell] for cell in group), default=frozenset[Hex]())
    kept = {cell for group in groups for cell in group if min((distance(cell, one) for one in best), default=0) <= 2}
    return _with_neighbours(kept)


_CLEAR = 0.3


def _with_neighbours(cells: Collection[Hex]) -> tuple[Hex, ...]:
    return tuple(sorted({*cells, *(other for cell in cells for other in neighbours(cell))}))


@dataclass(frozen=True, slots=True, eq=False)
class Garden:
    """The honeycomb found in one picture."""

    lattice: Lattice
    edges: EdgeField
    """About the garden, fine."""
    rectified: Image
    """The picture of `edges.patch`."""
    strength: float
    """Of the coarse search; under `WEAK` there is hardly a garden."""


WEAK = 0.06


def find_garden(view: View, image: Image, covered: Sequence[Floats] = ()) -> Garden | None:
    """The honeycomb of the tiles in a picture whose table plane is known.

    Args:
        view: the camera over the table.
        image: uint8 (H, W, 3) BGR.
        covered: convex polygons (N, 2) of the table, mm, that are surely not garden (marker cards).
    """
    pieces = view.camera.pieces
    flats, z_mm = pieces.tile_across_flats_mm, pieces.tile_thickness_mm
    coarse = _field(view, image, search_patch(view, z_mm), covered)
    found = find_honeycombs(coarse.edges, flats, z_mm)
    if not found:
        return None
    lattice, strength = found[0]
    in_sight = cells_within(lattice, outline_of(coarse.edges.patch))
    cells = _worth_measuring(glance_at_tiles(coarse.edges, lattice, in_sight))
    lattice = settle(coarse.edges, lattice, cells, 5)
    weights = likely_tiles(lattice.tiles)
    cells = tuple({*cells, *_with_neighbours([cell for cell, weight in weights.items() if weight > _CLEAR])})
    patch = garden_patch(lattice, cells, _fine_scale(view, lattice))
    if patch is None:
        return None
    fine = _field(view, image, patch, covered)
    return Garden(settle(fine.edges, lattice, cells, 2), fine.edges, fine.rectified, strength)


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    edges: EdgeField
    rectified: Image


def _field(view: View, image: Image, patch: Patch, covered: Sequence[Floats]) -> _Seen:
    rectified = view.rectify(image, patch)
    masked = rectified
    if covered:
        masked = rectified.copy()
        for polygon in covered:
            cv2.fillConvexPoly(masked, np.rint(patch.to_px(polygon)).astype(np.int32), (0, 0, 0))
    return _Seen(edge_field(masked, patch), rectified)


def _fine_scale(view: View, lattice: Lattice) -> float:
    """Millimetres a pixel of the fine picture: about what the photo itself resolves at the garden."""
    at = np.append(np.asarray(lattice.origin_mm), lattice.z_mm)
    flats = lattice.across_flats_mm
    return float(np.clip(1.5 / view.px_per_mm(at), _FINE[0] * flats, _FINE[1] * flats))
