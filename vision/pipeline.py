"""The eye: from one picture to an Observation.

Cards give the table, edges the honeycomb, the networks and the colour of the rings what lies on each cell, and the
rules of every garden (it hangs together, one pond, one gardener, one panda) bring the cells together. All of it is
under a flat prior: what a position expects orients the garden and says where to look, nothing more.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.hexgrid import POND, Edge, Hex, neighbours
from companion.games.takenoko.pieces import Colour
from companion.observation import (
    MARKINGS,
    CellBelief,
    EdgeBelief,
    ExpectedLook,
    LookContext,
    Observation,
    Pose,
    Status,
)
from companion.remarks import Remark
from vision.bare import bare_cells
from vision.camera_file import CameraModel
from vision.cards import find_cards
from vision.changes import Changes, changes, last_glimpse, pieces_px
from vision.choosing import BETTER, held_cells, is_doubtful, plausibility
from vision.colour import colour_evidence, ring_samples, white_chroma
from vision.figures import one_figure
from vision.foreign import NOT_SEEN, Cover, cover_of, why_covered
from vision.geometry import Floats, Image, rotation_2d
from vision.ground import with_ground
from vision.honeycomb import Garden, likely_tiles, small_gardens
from vision.lattice import Lattice
from vision.locating import Locator, covered_by_cards
from vision.nets.classify import CellGuesses, CellNet, EdgeGuesses, EdgeNet, Look
from vision.nets.foreign import ForeignNet, Window
from vision.orient import orientation
from vision.plots import COLOURS, GardenBelief, candidate_cells, with_outlines
from vision.pose import TablePose
from vision.profiles.load import profile_for
from vision.usable import BLURRED, DOUBTFUL, NOTHING_READ, blur_px, camera_for, grey_of, why_useless

_TOLD = 0.002
"""A plot or channel less likely than this is not mentioned at all."""
_HIDDEN_TOLD = 0.3
_COVERED = 0.75
"""A cell of which so much is hidden is covered by something larger than a piece."""
_RING_TRUST = 0.35
"""Share of the ring's evidence that is new beside the network's, which sees the same pixels."""
_LIKELY = 0.5
"""A cell with so clear an outline belongs to the garden as far as can be told at first."""
_MAYBE_TILE = 0.25
"""A cell with so much of an outline may hold a tile, and what stands on one."""
_NO_TILES = 0.5
"""With less than this much expected to lie there (plots and pond together) there is no garden in the picture."""


class CellReader(Protocol):
    """Says what lies on cells; `CellNet` does."""

    def classify(self, look: Look, centres_mm: Floats, angle: float | Floats) -> CellGuesses:
        """See `CellNet.classify`."""


class EdgeReader(Protocol):
    """Says where channels lie; `EdgeNet` does."""

    def classify(self, look: Look, middles_mm: Floats, along: Floats) -> EdgeGuesses:
        """See `EdgeNet.classify`."""


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """One observation with what it rests on, for the overlay and for measuring."""

    observation: Observation
    pose: TablePose | None = None
    lattice: Lattice | None = None
    """In the garden's own names: 0,0 is the pond."""


@dataclass(frozen=True, slots=True, eq=False)
class _Reading:
    """What lies on the cells of one honeycomb."""

    garden: Garden
    cover: Cover
    since: Changes
    belief: GardenBelief
    guesses: CellGuesses

    def kind_p(self) -> Floats:
        return np.asarray(self.guesses.kind_p, dtype=np.float64)

    def plausibility(self) -> float:
        return plausibility(self.garden.lattice, self.belief.cells, self.kind_p())


class Eye:
    """One camera over one table. Not for use by two threads at once."""

    def __init__(
        self,
        camera: CameraModel,
        *,
        profiles: Path | None = None,
        cells: CellReader | None = None,
        edges: EdgeReader | None = None,
    ) -> None:
        """Load what is needed to look.

        Args:
            camera: intrinsics, cards, sizes of the pieces, look of the tiles.
            profiles: folder of profiles that were taught.
            cells: reads cells; by default the project's network.
            edges: reads edges; by default the project's network.
        """
        self._camera = camera
        self._profile, self._warning = profile_for(camera.art, profiles)
        self._locator = Locator()
        self._cells = cells if cells is not None else CellNet()
        self._edges = edges if edges is not None else EdgeNet()
        self._foreign = ForeignNet()

    def observe(self, image: Image, expected: ExpectedLook | None = None) -> Observation:
        """Look once.

        Args:
            image: uint8 (H, W, 3) BGR.
            expected: the garden that should lie there or lay there.
        """
        return self.sight(image, expected).observation

    def sight(self, image: Image, expected: ExpectedLook | None = None) -> Sighting:
        """Look once, and keep what the observation rests on."""
        start = time.perf_counter()
        warnings = [self._warning] if self._warning else []

        def nothing(reason: Remark | None, pose: TablePose | None = None) -> Sighting:
            observation = Observation(
                Status.NO_TABLE, reason, tuple(warnings), _ms_since(start), None if pose is None else _pose(pose)
            )
            return Sighting(observation, pose)

        camera, remark = camera_for(self._camera, image.shape[1], image.shape[0])
        if camera is None:
            return nothing(remark)
        warnings += [remark] if remark else []
        grey = grey_of(image)
        useless = why_useless(grey)
        if useless is not None:
            return nothing(useless)
        cards = find_cards(grey, camera)
        found = self._locator.locate(image, camera, cards, warnings)
        blur = blur_px(grey)
        if found is None:
            if blur > BLURRED * max(image.shape[:2]):
                return nothing(Remark("eye.out_of_focus"))
            return nothing(Remark("eye.only_cards" if cards else "eye.nothing"))
        pose, garden = found
        blur /= _tile_px(pose, garden.lattice)
        if blur > NOTHING_READ:
            return nothing(Remark("eye.out_of_focus"), pose)
        if blur > DOUBTFUL:
            warnings.append(Remark("eye.blurred"))
        look = Look.of(image, pose, [card.corners_mm for card in pose.cards])
        read = self._read(image, look, pose, garden, expected)
        belief, guesses = read.belief, read.guesses
        there = float(belief.plot_p().sum() + belief.kind_p[:, 4].max(initial=0.0))
        if there < _NO_TILES:
            return nothing(Remark("eye.no_tiles"), pose)
        lattice = read.garden.lattice
        return self._tell(look, pose, lattice, belief, guesses, expected, read.cover, read.since, warnings, start)

    def _read(
        self, image: Image, look: Look, pose: TablePose, garden: Garden, expected: ExpectedLook | None
    ) -> _Reading:
        """What lies on the cells; where few tiles leave it in doubt where the honeycomb is, the one that suits best."""
        best = self._reading(image, look, pose, garden, expected)
        if not pose.cards or not is_doubtful(garden.lattice, best.belief.cells, best.kind_p()):
            return best
        held = held_cells(best.belief.cells, best.kind_p())
        seeds = [(float(x), float(y)) for x, y in garden.lattice.centres_mm(held)]
        for rival in small_gardens(pose, image, seeds, covered_by_cards(pose)):
            other = self._reading(image, look, pose, rival, expected)
            if other.plausibility() > best.plausibility() + BETTER:
                best = other
                self._locator.settle_on(rival)
        return best
        for rival in small_gardens(pose, image, covered_by_cards(pose)):
            other = self._reading(image, look, pose, rival, expected)
            if other.plausibility() > best.plausibility() + BETTER:
                best = other
                self._locator.settle_on(rival)
        return best

    def _reading(
        self, image: Image, look: Look, pose: TablePose, garden: Garden, expected: ExpectedLook | None
    ) -> _Reading:
        cover, since = self._cover(look, pose, garden.lattice, None if expected is None else expected.anchor)
        return _Reading(garden, cover, since, *self._read_cells(image, look, pose, garden, expected, cover))

    def _cover(
        self, look: Look, pose: TablePose, lattice: Lattice, anchor: LookContext | None
    ) -> tuple[Cover, Changes]:
        """What lies over the garden that is no part of the game, and what changed since the last look."""
        weights = likely_tiles(lattice.tiles)
        cells = [cell for cell, weight in weights.items() if weight > _LIKELY] or [POND]
        tile_px = _tile_px(pose, lattice)
        picture = look.pyramid.level(0)
        window = Window.about(pose.project(lattice.nominals_mm(cells), lattice.z_mm), tile_px)
        network = cache(lambda: self._foreign.look(look.pyramid, look.white, window))
        tiles = [cell for cell, weight in weights.items() if weight > _MAYBE_TILE]
        since = changes(look.pyramid, tile_px, last_glimpse(anchor, pose), pieces_px(pose, lattice, tiles), network)
        return cover_of(since.on(window, network), pose, tile_px, (picture.shape[1], picture.shape[0])), since

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

    def _tell(
        self,
        look: Look,
        pose: TablePose,
        fitted: Lattice,
        belief: GardenBelief,
        guesses: CellGuesses,
        expected: ExpectedLook | None,
        cover: Cover,
        since: Changes,
        warnings: list[Remark],
        start: float,
    ) -> Sighting:
        rows = {cell: row for row, cell in enumerate(belief.cells)}

        def details(cell: Hex, at: Hex) -> float:
            row = rows.get(cell)
            plot = None if expected is None else expected.plots.get(at)
            if row is None or plot is None:
                return 0.0
            marking = float(guesses.marking_p[row, MARKINGS.index(plot.marking)])
            height = float(guesses.height_p[row, min(plot.bamboo, 4)])
            return 0.5 * (math.log(0.05 + 0.95 * marking) + math.log(0.05 + 0.95 * height))

        chosen = orientation(pose, fitted, belief, expected, details)
        lattice = fitted.rebased(chosen.pond, chosen.sixths)
        names = {cell: lattice.cell_at(fitted.nominal_mm(cell)) for cell in belief.cells}
        centres_px = pose.project(fitted.centres_mm(belief.cells), fitted.z_mm).tolist()
        if chosen.is_tied:
            warnings.append(Remark("eye.tied"))
        pond_row = rows.get(chosen.pond)
        pond_p = 0.0 if pond_row is None else float(belief.kind_p[pond_row, 4])
        if pond_p < 0.5:
            warnings.append(Remark("eye.pond_unclear"))
        cells: dict[Hex, CellBelief] = {}
        hidden_cells: dict[Hex, float] = {}
        covered = cover.about(lattice, (POND, *names.values()))
        for cell, colour_p in belief.colour_p(chosen.pond).items():
            row, at = rows[cell], names[cell]
            hidden = float(guesses.hidden[row])
            if hidden >= _HIDDEN_TOLD:
                hidden_cells[at] = hidden
            if sum(colour_p.values()) < _TOLD or covered[at][1] >= NOT_SEEN:
                continue
            cells[at] = _cell_belief(at, colour_p, guesses, row, tuple(centres_px[row]))
        unseen = {at: share for at, (_, share) in covered.items() if share >= _HIDDEN_TOLD and at != POND}
        hidden_cells = {at: max(unseen.get(at, 0.0), hidden_cells.get(at, 0.0)) for at in unseen | hidden_cells}
        edges, hidden_edges = self._read_edges(look, lattice, cells, cover, unseen)
        gardener, panda = (
            one_figure({names[cell]: float(p) for cell, p in zip(belief.cells, column, strict=True)})
            for column in (guesses.gardener_p, guesses.panda_p)
        )
        by_pieces = [
            at for cell, at in names.items() if guesses.hidden[rows[cell]] >= _COVERED and covered[at][1] < _HIDDEN_TOLD
        ]
        reason = why_covered(covered, by_pieces, {at for at, cell in cells.items() if cell.p_absent < 0.5})
        status = Status.CLEAR if reason is None else Status.OCCLUDED
        observation = Observation(
            status,
            reason,
            tuple(warnings),
            _ms_since(start),
            _pose(pose, lattice),
            cells,
            edges,
            gardener,
            panda,
            hidden_cells,
            hidden_edges,
            _context(look, pose, lattice, cover, covered, since, pond_is_clear=pond_p >= 0.5),
        )
        return Sighting(observation, pose, lattice)

    def _read_edges(
        self,
        look: Look,
        lattice: Lattice,
        cells: Mapping[Hex, CellBelief],
        cover: Cover,
        unseen: Mapping[Hex, float],
    ) -> tuple[dict[Edge, EdgeBelief], dict[Edge, float]]:
        held = {at for at, cell in cells.items() if cell.p_absent < 0.7} | {POND}
        candidates = sorted({Edge.of(at, other) for at in held - {POND} for other in neighbours(at)})
        places = [lattice.edge_mm(edge) for edge in candidates]
        middles = np.array([place[0] for place in places]).reshape(-1, 2)
        guesses = self._edges.classify(look, middles, np.array([place[1] for place in places]))
        edges: dict[Edge, EdgeBelief] = {}
        hidden: dict[Edge, float] = {}
        length_mm = lattice.across_flats_mm / math.sqrt(3.0)
        foreign = cover.of_edges(middles, np.array([place[1] for place in places]), length_mm)
        shares = np.maximum(guesses.hidden, foreign)
        for edge, p, share in zip(candidates, guesses.channel_p, shares, strict=True):
            if share >= _HIDDEN_TOLD:
                hidden[edge] = float(share)
            if p >= _TOLD:
                edges[edge] = EdgeBelief(edge, float(p), float(share))
        for edge in {
            Edge.of(at, other) for at, share in unseen.items() if share >= NOT_SEEN for other in neighbours(at)
        }:
            if POND not in edge:
                hidden.setdefault(edge, 1.0)
        return edges, hidden


def _tile_px(pose: TablePose, lattice: Lattice) -> float:
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


def _cell_belief(
    at: Hex, colour_p: Mapping[Colour, float], guesses: CellGuesses, row: int, centre_px: tuple[float, float]
) -> CellBelief:
    h = np.asarray(guesses.height_p[row], dtype=np.float64)
    h = h / max(float(h.sum()), 1e-9)
    return CellBelief(
        at,
        {colour: float(colour_p[colour]) for colour in COLOURS},
        guesses.marking(row),
        (float(h[0]), float(h[1]), float(h[2]), float(h[3]), float(h[4])),
        float(guesses.hidden[row]),
        float(guesses.stalk_hidden[row]),
        centre_px,
    )


def _pose(pose: TablePose, lattice: Lattice | None = None) -> Pose:
    """The pose in the garden's own frame where there is one: origin at the pond's centre, x to the east."""
    view = pose if lattice is None else pose.moved(lattice.origin_mm, lattice.angle)
    r, t = view.rvec, view.tvec
    return Pose(
        (float(r[0]), float(r[1]), float(r[2])), (float(t[0]), float(t[1]), float(t[2])), float(pose.reprojection_px)
    )


def _context(
    look: Look,
    pose: TablePose,
    lattice: Lattice,
    cover: Cover,
    covered: Mapping[Hex, tuple[float, float]],
    since: Changes,
    *,
    pond_is_clear: bool,
) -> LookContext:
    """Where the cards and the garden were and how bright it was."""
    cards_px = {card.id: pose.project(np.array([card.centre_mm]), 0.0)[0] for card in pose.cards}
    c, s = math.cos(lattice.angle), math.sin(lattice.angle)
    cards_mm = {}
    for card in pose.cards:
        x, y = card.centre_mm[0] - lattice.origin_mm[0], card.centre_mm[1] - lattice.origin_mm[1]
        # The garden frame of a LookContext has y to the south.
        cards_mm[card.id] = (c * x + s * y, s * x - c * y)
    pond, east = pose.project(np.array([lattice.nominal_mm(POND), lattice.nominal_mm(Hex(1, 0))]), lattice.z_mm)
    small = look.pyramid.level(4)
    mean = small.reshape(-1, 3).mean(axis=0) if not pose.cards else np.asarray(look.white, dtype=np.float64)
    luma = float(np.median(small @ np.array([0.114, 0.587, 0.299])))
    green = max(float(mean[1]), 1.0)
    return LookContext(
        {card: (float(px[0]), float(px[1])) for card, px in cards_px.items()},
        cards_mm,
        (float(pond[0]), float(pond[1])),
        (float(east[0]), float(east[1])),
        luma,
        (float(mean[2]) / green, float(mean[0]) / green),
        float(np.mean([hand for hand, _ in covered.values()])),
        cover.things_mm(lattice),
        pond_is_clear,
        since.relit,
        since.glimpse,
    )


def _ms_since(start: float) -> float:
    return (time.perf_counter() - start) * 1000.0
