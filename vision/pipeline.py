"""The eye: from one picture to an Observation.

Cards give the table, edges the honeycomb, the networks and the colour of the rings what lies on each cell, and the
rules of every garden (it hangs together, one pond, one gardener, one panda) bring the cells together. All of it is
under a flat prior: what a position expects orients the garden and says where to look, nothing more.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from companion.games.takenoko.hexgrid import POND, Edge, Hex, neighbours
from companion.observation import (
    MARKINGS,
    CellBelief,
    EdgeBelief,
    ExpectedLook,
    Observation,
    Status,
)
from companion.remarks import Remark
from vision.camera_file import CameraModel
from vision.cards import find_cards
from vision.changes import Changes
from vision.figures import one_figure
from vision.foreign import NOT_SEEN, Cover, why_covered
from vision.geometry import Floats, Image
from vision.lattice import Lattice
from vision.locating import Locator
from vision.nets.classify import CellGuesses, CellNet, EdgeGuesses, EdgeNet, Look
from vision.orient import orientation
from vision.plots import GardenBelief
from vision.pose import TablePose
from vision.profiles.load import profile_for
from vision.reading import CellReader, GardenReader, tile_px
from vision.telling import cell_belief, context_of, pose_of
from vision.usable import (
    BLURRED,
    DOUBTFUL,
    NOISE,
    NOTHING_READ,
    blur_px,
    camera_for,
    grey_of,
    is_colourless,
    why_useless,
)

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
        profile, self._warning = profile_for(camera.art, profiles)
        self._locator = Locator()
        self._edges = edges if edges is not None else EdgeNet()
        self._reader = GardenReader(profile, cells if cells is not None else CellNet())

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
                Status.NO_TABLE, reason, tuple(warnings), _ms_since(start), None if pose is None else pose_of(pose)
            )
            return Sighting(observation, pose)

        camera, remark = camera_for(self._camera, image.shape[1], image.shape[0])
        if camera is None:
            return nothing(remark)
        warnings += [remark] if remark else []
        grey = grey_of(image)
        useless = why_useless(grey)
        if useless is not None and useless != NOISE:
            return nothing(useless)
        if is_colourless(image):
            return nothing(Remark("eye.colourless"))
        cards = find_cards(grey, camera, self._locator.cards)
        if useless is not None and not cards:
            return nothing(useless)
        found = self._locator.locate(image, camera, cards, warnings)
        blur = blur_px(grey)
        if found is None:
            if blur > BLURRED * max(image.shape[:2]):
                return nothing(Remark("eye.out_of_focus"))
            return nothing(Remark("eye.only_cards" if cards else "eye.nothing"))
        pose, garden = found
        blur /= tile_px(pose, garden.lattice)
        if blur > NOTHING_READ:
            return nothing(Remark("eye.out_of_focus"), pose)
        if blur > DOUBTFUL:
            warnings.append(Remark("eye.blurred"))
        look = Look.of(image, pose, [card.corners_mm for card in pose.cards])
        read = self._reader.read(image, look, pose, garden, expected, self._locator.settle_on)
        belief, guesses = read.belief, read.guesses
        there = float(belief.plot_p().sum() + belief.kind_p[:, 4].max(initial=0.0))
        if there < _NO_TILES:
            return nothing(Remark("eye.no_tiles"), pose)
        lattice = read.garden.lattice
        return self._tell(look, pose, lattice, belief, guesses, expected, read.cover, read.since, warnings, start)

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
            cells[at] = cell_belief(at, colour_p, guesses, row, tuple(centres_px[row]))
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
            pose_of(pose, lattice),
            cells,
            edges,
            gardener,
            panda,
            hidden_cells,
            hidden_edges,
            context_of(look, pose, lattice, cover, covered, since, pond_is_clear=pond_p >= 0.5),
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


def _ms_since(start: float) -> float:
    return (time.perf_counter() - start) * 1000.0
