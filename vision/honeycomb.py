"""Finding the honeycomb in a rectified picture, whatever the tiles look like.

Edges of the picture vote for turns and shifts of the honeycomb (`vision.folding`), the best are judged by the outlines
of their tiles (`vision.hypotheses`), and the winner is fitted to them. Strength is measured against its own
neighbourhood, so that a dim corner of the table votes as much as a bright one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.games.takenoko.hexgrid import POND, Hex, distance, neighbours
from vision.edges import EdgeField, edge_field
from vision.geometry import Floats, Image, Patch, View, rotation_2d
from vision.hypotheses import Honeycomb, find_honeycombs
from vision.islands import islands
from vision.lattice import USUAL_GAP_MM, Lattice, TilePlace, connected_to, fitted
from vision.outlines import glance_at_tiles, measure_tiles

_COARSE = 2.3 / 70.0
"""Tiles a pixel of the coarse search: fine enough for the sides, coarse enough to search a whole table quickly."""
_FINE = (1.0 / 70.0, 1.4 / 70.0)
"""The least and the most tiles a pixel of the fine picture."""
_LEAST_TILE_PX = 36.0
"""Table so far away that a tile would be smaller in the picture is not searched: nothing could be read there."""
_MOST_TILES_WIDE = 21.0
"""The largest stretch of table that is searched; a garden of 27 tiles in a row does not occur."""


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


def likely_tiles(places: Mapping[Hex, TilePlace]) -> dict[Hex, float]:
    """How much each measured cell looks like a tile by its outline alone: 0 for next to nothing, 1 for the clearest."""
    return _weighed({cell: place.strength for cell, place in places.items()})


def _weighed(strengths: Mapping[Hex, float]) -> dict[Hex, float]:
    """Strengths of outlines from 0 (as bare table has them) to 1 (the clearest)."""
    shares = _shares(np.array(list(strengths.values())))
    return dict(zip(strengths, shares.tolist(), strict=True))


def _shares(outlines: Floats, usual: float = 0.0) -> Floats:
    """As `_weighed`; `usual` is what bare table has in this picture."""
    if not len(outlines):
        return outlines
    top = float(np.sort(outlines)[-6:].mean())
    floor = min(max(usual, _BARE * top), 0.5 * top)
    return np.maximum(0.0, (outlines - floor) / max(top - floor, 1e-6))


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


def settle(
    edges: EdgeField, lattice: Lattice, weights: Mapping[Hex, float], rounds: int
) -> tuple[Lattice, Mapping[Hex, float]]:
    """Shift, turn and pitch from the tiles, and how surely each cell holds one.

    Args:
        edges: of the rectified picture.
        lattice: nearly right: at most half a tile's side off anywhere.
        weights: how much each cell that is to be measured looks like a tile.
        rounds: of fitting, at the most; it ends earlier where nothing changes any more.
    """
    for _ in range(rounds):
        places = measure_tiles(edges, lattice, weights, rough=True)
        weights = {cell: weight**2 for cell, weight in likely_tiles(places).items()}
        nominals = lattice.nominals_mm(list(places))
        centres = {
            cell: nominal + place.shift_mm for (cell, place), nominal in zip(places.items(), nominals, strict=True)
        }
        before, lattice = lattice, fitted(lattice, centres, weights)
        if max(abs(lattice.angle - before.angle) * 300.0, abs(lattice.pitch_mm - before.pitch_mm) * 4.0) < 1.0:
            break
    return lattice, weights


def _glance(edges: EdgeField, lattice: Lattice, cells: Sequence[Hex]) -> dict[Hex, float]:
    """How much each cell looks like a tile at a glance, 0 to 1."""
    return _weighed(dict(zip(cells, glance_at_tiles(edges, lattice, cells).tolist(), strict=True)))


def _worth_measuring(honeycomb: Honeycomb) -> tuple[Hex, ...]:
    """The cells that look like tiles at a glance, with all about them that may be covered or pale tiles."""
    outlines = honeycomb.outlines
    # Most of the cells in sight are bare table.
    shares = _shares(outlines, float(np.median(outlines)) if len(outlines) else 0.0)
    rows = shares > _CLEAR
    cells = honeycomb.cells[rows].tolist()
    weights = {Hex(*cell): share for cell, share in zip(cells, shares[rows].tolist(), strict=True)}
    clear = set(weights)
    groups: list[frozenset[Hex]] = []
    left = set(clear)
    while left:
        groups.append(connected_to(left.pop(), clear))
        left -= groups[-1]
    # The garden, and what may belong to it across one gap; not every mark on a large table.
    best = max(groups, key=lambda group: sum(weights[cell] for cell in group), default=frozenset[Hex]())
    kept = set(best)
    for cell in clear - best:
        if any(distance(cell, one) <= 2 for one in best):
            kept.add(cell)
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
    best = found[0]
    cells = _worth_measuring(best)
    lattice, weights = settle(coarse.edges, best.lattice, _glance(coarse.edges, best.lattice, cells), 5)
    return _closer(view, image, lattice, _with_likely(weights), best.strength, covered)


def small_gardens(
    view: View, image: Image, seeds: Sequence[tuple[float, float]], covered: Sequence[Floats] = ()
) -> list[Garden]:
    """Where a garden of one or a few tiles may be: about places where a tile may lie; for others to judge.

    Args:
        view: the camera over the table.
        image: uint8 (H, W, 3) BGR.
        seeds: middles of tiles, mm, besides those that stand out from the table by their colour.
        covered: as in `find_garden`.
    """
    pieces = view.camera.pieces
    flats, z_mm = pieces.tile_across_flats_mm, pieces.tile_thickness_mm
    coarse = _field(view, image, search_patch(view, z_mm), covered)
    found = [*seeds, *islands(coarse.rectified, coarse.edges.patch, covered, flats)]
    lattices = (_about_a_tile(coarse.edges, seed, flats, z_mm) for seed in found)
    gardens = (_closer(view, image, lattice, _WITHIN_TWO, 0.0, covered) for lattice in lattices)
    return [garden for garden in gardens if garden is not None]


_WITHIN_TWO = _with_neighbours(_with_neighbours((POND,)))
_TILE_TURNS = np.radians(np.arange(0.0, 60.0, 4.0))
_TILE_SHIFTS = (-0.09, 0.0, 0.09)
"""Of a tile across flats: what is seen of it may be half covered by figures."""


def _about_a_tile(edges: EdgeField, seed: tuple[float, float], flats: float, z_mm: float) -> Lattice:
    """The honeycomb about one tile that lies near a place, turned and shifted as its outline shows best."""
    shifts = [(seed[0] + dx * flats, seed[1] + dy * flats) for dx in _TILE_SHIFTS for dy in _TILE_SHIFTS]
    trials = [Lattice(at, float(turn), flats + USUAL_GAP_MM, flats, z_mm) for at in shifts for turn in _TILE_TURNS]
    return max(trials, key=lambda lattice: float(glance_at_tiles(edges, lattice, (POND,))[0]))


def look_again(view: View, image: Image, garden: Garden, lattice: Lattice, covered: Sequence[Floats] = ()) -> Garden:
    """The garden as it lies under a view that was corrected a little; `garden` itself where nothing is in sight.

    Args:
        view: the corrected camera over the table.
        image: uint8 (H, W, 3) BGR.
        garden: as found under the view before.
        lattice: nearly right under the corrected view.
        covered: as in `find_garden`.
    """
    weights = {cell: weight**2 for cell, weight in likely_tiles(garden.lattice.tiles).items()}
    return _closer(view, image, lattice, _with_likely(weights), garden.strength, covered) or garden


def clear_cells(lattice: Lattice) -> tuple[Hex, ...]:
    """The measured cells whose outline is clearly a tile's."""
    return tuple(cell for cell, weight in likely_tiles(lattice.tiles).items() if weight > _CLEAR)


def measured_about(lattice: Lattice) -> bool:
    """Whether all cells beside those that look like tiles were measured, so that nothing can have grown beyond them."""
    return lattice.tiles.keys() >= set(_with_neighbours(clear_cells(lattice)))


def _closer(
    view: View, image: Image, lattice: Lattice, cells: Sequence[Hex], strength: float, covered: Sequence[Floats]
) -> Garden | None:
    patch = garden_patch(lattice, cells, _fine_scale(view, lattice))
    if patch is None:
        return None
    fine = _field(view, image, patch, covered)
    lattice, weights = settle(fine.edges, lattice, _glance(fine.edges, lattice, cells), 2)
    measured = measure_tiles(fine.edges, lattice, weights)
    for _ in range(_TURNINGS):
        turned = _turned_as_its_tiles(lattice, measured)
        if turned is None:
            break
        lattice, measured = turned, measure_tiles(fine.edges, turned, weights)
    return Garden(lattice.with_tiles(measured), fine.edges, fine.rectified, strength)


_TURNINGS = 3
_TURNED = np.radians(0.5)
_AS_CLEAR = 0.6
"""Where few tiles lie, what is fainter than this share of the clearest outline is a mark of the table."""


def _turned_as_its_tiles(lattice: Lattice, places: Mapping[Hex, TilePlace]) -> Lattice | None:
    """The lattice turned as its one or two tiles are: their middles say nothing, or little, of its turn.

    None where more tiles lie there, or where they are turned as it is.
    """
    most = max((place.strength for place in places.values()), default=0.0)
    clear = [cell for cell, place in places.items() if place.strength > _AS_CLEAR * most]
    if not 1 <= len(clear) <= 2:
        return None
    strengths = np.array([places[cell].strength for cell in clear])
    turn = float(np.average([places[cell].turn for cell in clear], weights=strengths))
    if abs(turn) < _TURNED:
        return None
    pivot = lattice.with_tiles(places).centre_mm(clear[int(strengths.argmax())])
    origin = pivot + rotation_2d(turn) @ (np.asarray(lattice.origin_mm) - pivot)
    return replace(lattice, origin_mm=(float(origin[0]), float(origin[1])), angle=lattice.angle + turn)


def _with_likely(weights: Mapping[Hex, float]) -> tuple[Hex, ...]:
    """All measured cells, and all beside those that look like tiles."""
    return tuple({*weights, *_with_neighbours([cell for cell, weight in weights.items() if weight > _CLEAR**2])})


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
