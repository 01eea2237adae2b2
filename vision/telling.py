"""What is told of a look: beliefs about cells, the pose, and where cards and garden were."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from companion.games.takenoko.hexgrid import POND, Hex
from companion.games.takenoko.pieces import Colour
from companion.observation import CellBelief, LookContext, Pose
from vision.changes import Changes
from vision.foreign import Cover
from vision.lattice import Lattice
from vision.nets.classify import CellGuesses, Look
from vision.plots import COLOURS
from vision.pose import TablePose


def cell_belief(
    at: Hex, colour_p: Mapping[Colour, float], guesses: CellGuesses, row: int, centre_px: tuple[float, float]
) -> CellBelief:
    """What is believed of one cell, from the row that the networks have for it."""
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


def pose_of(pose: TablePose, lattice: Lattice | None = None) -> Pose:
    """The pose in the garden's own frame where there is one: origin at the pond's centre, x to the east."""
    view = pose if lattice is None else pose.moved(lattice.origin_mm, lattice.angle)
    r, t = view.rvec, view.tvec
    return Pose(
        (float(r[0]), float(r[1]), float(r[2])), (float(t[0]), float(t[1]), float(t[2])), float(pose.reprojection_px)
    )


def context_of(
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
