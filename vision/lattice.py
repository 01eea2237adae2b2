"""The hexagon lattice of the garden: where its cells lie on the table, and how each hand-laid tile departs from it.

People leave gaps of 1 to 3 mm and turn tiles by a degree or two, so three things are found in turn: which way and
where the honeycomb lies (all edges of the picture vote, whatever the tiles look like), how wide its pitch is, and by
how much each tile is shifted and turned. Nothing here knows colours.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.hexgrid import DIRECTIONS, Edge, Hex
from vision.geometry import Floats, rotation_2d

Point = tuple[float, float]
_ROOT3 = math.sqrt(3.0)
USUAL_GAP_MM = 1.5
"""Between hand-laid tiles."""
MAX_GAP_MM = 4.0
"""People lay tiles closer than this."""


@dataclass(frozen=True, slots=True)
class TilePlace:
    """How one tile departs from the lattice, and how surely: shift (table frame, mm) and turn (radians)."""

    shift_mm: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0
    strength: float = 0.0
    """Mean edge response along its outline, 0 (nothing there) to 1."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """Cells of a pointy-top honeycomb on the table; `tiles` departs from it where tiles were measured."""

    origin_mm: tuple[float, float]
    """Centre of cell 0,0 in the table frame."""
    angle: float
    """Direction of east (+1,0) in the table frame, radians counter-clockwise."""
    pitch_mm: float
    """From centre to centre of neighbours: the tile across its flats plus the gap."""
    across_flats_mm: float
    """Of one tile."""
    z_mm: float
    """Height of the tiles' upper faces."""
    tiles: Mapping[Hex, TilePlace] = field(default_factory=lambda: MappingProxyType({}))

    def nominal_mm(self, cell: Hex) -> Floats:
        """Centre (2,) of a cell by the lattice alone."""
        return np.array(self._nominal(cell))

    def nominals_mm(self, cells: Sequence[Hex] | NDArray[np.intp]) -> Floats:
        """Centres (N, 2) of many cells by the lattice alone."""
        east, north = rotation_2d(self.angle).T
        q, r = np.asarray(cells, dtype=np.float64).reshape(-1, 2).T
        steps = (q + r / 2.0)[:, None] * east - (r * (_ROOT3 / 2.0))[:, None] * north
        return np.asarray(np.asarray(self.origin_mm) + self.pitch_mm * steps)

    def centre_mm(self, cell: Hex) -> Floats:
        """Centre (2,) of the tile on a cell: measured if it was, else by the lattice."""
        return np.array(self._centre(cell))

    def centres_mm(self, cells: Sequence[Hex]) -> Floats:
        """Centres (N, 2) of the tiles on many cells."""
        return np.array([self._centre(cell) for cell in cells]).reshape(-1, 2)

    def turn_of(self, cell: Hex) -> float:
        """Direction of east on this cell's tile, radians."""
        place = self.tiles.get(cell)
        return self.angle if place is None else self.angle + place.turn

    def point_mm(self, cell: Hex, u: float, v: float) -> Floats:
        """A point (2,) of a cell's tile, `u` mm to its east and `v` mm to its north (seen from above)."""
        return np.asarray(self.centre_mm(cell) + rotation_2d(self.turn_of(cell)) @ np.array([u, v]))

    def corners_mm(self, cell: Hex, *, scale: float = 1.0) -> Floats:
        """Corners (6, 2) of the tile on a cell, counter-clockwise from the one between east and north-east."""
        radius = scale * self.across_flats_mm / _ROOT3
        turns = self.turn_of(cell) + np.pi / 6 + np.arange(6) * np.pi / 3
        return np.asarray(self.centre_mm(cell) + radius * np.stack([np.cos(turns), np.sin(turns)], axis=-1))

    def edge_mm(self, edge: Edge) -> tuple[Floats, float]:
        """Middle (2,) of an edge, between the two tiles as measured, and the direction along it (radians)."""
        one, other = self._centre(edge.a), self._centre(edge.b)
        across = math.atan2(one[1] - other[1], one[0] - other[0])
        return np.array([(one[0] + other[0]) / 2.0, (one[1] + other[1]) / 2.0]), across + math.pi / 2.0

    def cell_at(self, point_mm: Floats | Point) -> Hex:
        """The cell whose lattice centre is nearest to a point (2,)."""
        x, y = float(point_mm[0]) - self.origin_mm[0], float(point_mm[1]) - self.origin_mm[1]
        c, s = math.cos(self.angle) / self.pitch_mm, math.sin(self.angle) / self.pitch_mm
        r = -(c * y - s * x) * 2.0 / _ROOT3
        return round_hex(c * x + s * y - r / 2.0, r)

    def rebased(self, pond: Hex, sixths: int) -> Lattice:
        """The same honeycomb with cell `pond` as 0,0 and east turned counter-clockwise by sixths of a circle."""
        angle = self.angle + sixths * np.pi / 3
        bare = replace(self, origin_mm=self._nominal(pond), angle=angle, tiles=MappingProxyType({}))
        tiles = {bare.cell_at(self._nominal(cell)): place for cell, place in self.tiles.items()}
        return replace(bare, tiles=MappingProxyType(tiles))

    def with_tiles(self, tiles: Mapping[Hex, TilePlace]) -> Lattice:
        """The same lattice with these measured tiles."""
        return replace(self, tiles=MappingProxyType(dict(tiles)))

    # Plain numbers: an array a cell would cost many times as much, and looks ask for hundreds of cells.

    def _nominal(self, cell: Hex) -> Point:
        q, r = cell
        x, y = self.pitch_mm * (q + r / 2.0), -self.pitch_mm * r * _ROOT3 / 2.0
        c, s = math.cos(self.angle), math.sin(self.angle)
        return self.origin_mm[0] + c * x - s * y, self.origin_mm[1] + s * x + c * y

    def _centre(self, cell: Hex) -> Point:
        x, y = self._nominal(cell)
        place = self.tiles.get(cell)
        return (x, y) if place is None else (x + place.shift_mm[0], y + place.shift_mm[1])


def round_hex(q: float, r: float) -> Hex:
    """The cell that holds a point given in fractional axial coordinates."""
    s = -q - r
    whole_q, whole_r, whole_s = round(q), round(r), round(s)
    miss_q, miss_r, miss_s = abs(whole_q - q), abs(whole_r - r), abs(whole_s - s)
    if miss_q > miss_r and miss_q > miss_s:
        whole_q = -whole_r - whole_s
    elif miss_r > miss_s:
        whole_r = -whole_q - whole_s
    return Hex(whole_q, whole_r)


def connected_to(start: Hex, cells: Iterable[Hex]) -> frozenset[Hex]:
    """The cells that can be reached from `start` from side to side through `cells` (`start` included)."""
    left = set(cells)
    reached = {start}
    border = [start]
    while border:
        q, r = border.pop()
        for dq, dr in DIRECTIONS:
            cell = Hex(q + dq, r + dr)
            if cell in left and cell not in reached:
                reached.add(cell)
                border.append(cell)
    return frozenset(reached)


def fitted(lattice: Lattice, centres_mm: Mapping[Hex, Floats], weights: Mapping[Hex, float]) -> Lattice:
    """The lattice (shift, turn, pitch) that comes nearest to measured tile centres, outliers weighed down.

    With fewer than three tiles only the shift follows; the pitch stays between the tile and the tile plus `MAX_GAP_MM`.
    """
    cells = [cell for cell in centres_mm if weights.get(cell, 0.0) > 0]
    if not cells:
        return lattice
    # In complex numbers the honeycomb is centre = origin + slope * position, where slope is pitch and turn in one.
    model = np.array([complex(q + r / 2.0, -r * _ROOT3 / 2.0) for q, r in cells])
    seen = np.array([complex(*centres_mm[cell]) for cell in cells])
    weight = np.array([weights[cell] for cell in cells])
    slope = lattice.pitch_mm * complex(math.cos(lattice.angle), math.sin(lattice.angle))
    origin = complex(*lattice.origin_mm)
    low, high = lattice.across_flats_mm * 0.99, lattice.across_flats_mm + MAX_GAP_MM
    for _ in range(6):
        miss = np.abs(seen - origin - slope * model)
        w = weight / (1.0 + (miss / 1.5) ** 2)
        total = w.sum()
        mean_model, mean_seen = (w * model).sum() / total, (w * seen).sum() / total
        spread = (w * np.abs(model - mean_model) ** 2).sum()
        if len(cells) >= 3 and spread > 1e-6:
            slope = (w * (seen - mean_seen) * np.conj(model - mean_model)).sum() / spread
            slope *= min(max(abs(slope), low), high) / max(abs(slope), 1e-9)
        origin = mean_seen - slope * mean_model
    return replace(
        lattice, origin_mm=(origin.real, origin.imag), angle=float(np.angle(slope)), pitch_mm=float(abs(slope))
    )


def cells_within(lattice: Lattice, region_mm: Floats) -> NDArray[np.intp]:
    """All cells (N, 2) whose centre lies inside a convex polygon (N, 2) of the table; q and r, as they may be many."""
    if len(region_mm) < 3:
        return np.zeros((0, 2), dtype=np.intp)
    centre = lattice.cell_at(region_mm.mean(axis=0))
    reach = int(np.linalg.norm(region_mm - region_mm.mean(axis=0), axis=1).max() / (lattice.pitch_mm * 0.8)) + 2
    q, r = np.mgrid[-reach : reach + 1, -reach : reach + 1].reshape(2, -1)
    near = np.abs(q + r) <= reach
    cells = np.stack([centre.q + q[near], centre.r + r[near]], axis=1)
    points = lattice.nominals_mm(cells)
    ahead = np.roll(region_mm, -1, axis=0) - region_mm
    to_points = points[:, None, :] - region_mm[None]
    side = ahead[None, :, 0] * to_points[..., 1] - ahead[None, :, 1] * to_points[..., 0]
    inside = np.asarray((side >= 0).all(axis=1) | (side <= 0).all(axis=1))
    return np.asarray(cells[inside], dtype=np.intp)
