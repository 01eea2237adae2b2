"""From marker cards to the table's plane and the camera's place over it.

The cards lie anywhere, flat on the table: only their size is known. Each one alone gives two poses (a small square
seen from afar can be tilted two ways); every pose of every card is a hypothesis, judged by how square and how large
the other cards come out on its plane. The best is refined over all corners of all cards that agree, with every card's
own place and turn unknown. A card that does not agree (a false detection, a card that lies on a book) is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.camera_file import CameraModel
from vision.cards import CardImage
from vision.geometry import Floats, View

AGREES_PX = 4.0
"""A card whose corners miss the common plane by more (root mean square) is left out of it."""
_HUBER_PX = 1.0
_STEPS = 12
_SAME_TILT = 0.02
"""Rotation matrices nearer than this (Frobenius norm; about a degree) are the same pose."""


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """One marker card that lies on the table."""

    id: int
    centre_mm: tuple[float, float]
    angle: float
    """Turn of the card in the table frame, radians counter-clockwise."""
    corners_mm: Floats
    """(4, 2)"""
    error_px: float
    """Root mean square distance between its corners as seen and as refined."""


@dataclass(frozen=True, eq=False)
class TablePose(View):
    """A View found from marker cards, or from the tiles."""

    reprojection_px: float = 0.0
    cards: tuple[Card, ...] = ()
    """The cards that agree."""
    left_out: tuple[int, ...] = ()
    """Ids of cards that were seen and do not lie on the common plane."""
    source: str = "cards"
    """`cards` or `tiles`."""
    others: tuple[TablePose, ...] = ()
    """Further poses that the picture leaves possible, best first (one card: its second tilt)."""


def pose_from_cards(cards: Sequence[CardImage], camera: CameraModel) -> TablePose | None:
    """The table's pose from its cards; None where there is no card.

    The table frame has its origin in the middle of the cards and x along the picture's right.
    """
    if not cards:
        return None
    hypotheses = [view for card in cards for view in _poses_of_square(card, camera)]
    # Each card's miss is capped: one false card must not decide.
    misses = _plane_errors_px(hypotheses, cards)
    top = int((np.minimum(misses, 2 * AGREES_PX) ** 2).sum(axis=1).argmin())
    best = hypotheses[top]
    chosen = [card for card, miss in zip(cards, misses[top], strict=True) if miss <= 2 * AGREES_PX]
    chosen = chosen or [cards[top // 2]]
    view, placed = _refine(best, chosen)
    if len(chosen) > 1:
        keep = [card for card, one in zip(chosen, placed, strict=True) if one.error_px <= AGREES_PX]
        if 0 < len(keep) < len(chosen):
            view, placed = _refine(view, keep)
    left_out = tuple(c.id for c in cards if c.id not in {p.id for p in placed})
    others: tuple[TablePose, ...] = ()
    if len(placed) == 1:
        only = next(card for card in cards if card.id == placed[0].id)
        twins = [_refine(twin, [only]) for twin in _poses_of_square(only, camera)]
        others = tuple(
            _regauge(twin, at, left_out, ())
            for twin, at in twins
            if np.linalg.norm(twin.rotation - view.rotation) > _SAME_TILT
        )
    return _regauge(view, placed, left_out, others)


def square_mm(size_mm: float) -> Floats:
    """Corners (4, 2) of a card about its own centre, clockwise seen from above from its upper left."""
    h = size_mm / 2.0
    return np.array([[-h, h], [h, h], [h, -h], [-h, -h]])


def _poses_of_square(card: CardImage, camera: CameraModel) -> list[View]:
    """Both poses that one card allows (always two entries, so that hypotheses can be traced to their card)."""
    flat = np.column_stack([square_mm(camera.markers.size_mm), np.zeros(4)])
    view = View(camera, np.zeros(3), np.zeros(3))
    _, rvecs, tvecs, _ = cv2.solvePnPGeneric(
        flat, card.corners_px.reshape(4, 1, 2), view.k, view.dist, flags=cv2.SOLVEPNP_IPPE_SQUARE
    )
    views = [
        View(camera, np.asarray(r, dtype=np.float64).reshape(3), np.asarray(t, dtype=np.float64).reshape(3))
        for r, t in zip(rvecs, tvecs, strict=True)
    ]
    return (views * 2)[:2]


def _placed(views: Sequence[View], cards: Sequence[CardImage]) -> tuple[Floats, Floats]:
    """Where N cards lie on the plane of each of V views of one camera, and how badly they fit it.

    Returns:
        Places (V, N, 3): x, y and angle; and by how many mm the corners miss the square (V, N). NaN for a card that
        is seen above the horizon.
    """
    camera_rays = views[0].rays(np.array([card.corners_px for card in cards]))
    rays = np.einsum("nki,vij->vnkj", camera_rays, np.array([view.rotation for view in views]))
    eyes = np.array([view.eye_mm for view in views])[:, None, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = -eyes[..., 2] / rays[..., 2]
    reach[~(reach > 0)] = np.nan
    on_plane = eyes[..., :2] + rays[..., :2] * reach[..., None]
    model = square_mm(views[0].camera.markers.size_mm)
    centres = on_plane.mean(axis=2)
    centred = on_plane - centres[:, :, None]
    # Best turn of one point set onto the other, in complex numbers.
    turn = np.angle((centred @ np.array([1.0, 1.0j])) @ (model @ np.array([1.0, -1.0j])))
    miss = centred - np.einsum("vnij,kj->vnki", _rotations(turn), model)
    return np.concatenate([centres, turn[..., None]], axis=2), np.sqrt((miss**2).sum(axis=3).mean(axis=2))


def _rotations(angles: Floats) -> Floats:
    """The matrices (..., 2, 2) that turn a vector counter-clockwise by angles (...)."""
    c, s = np.cos(angles), np.sin(angles)
    return np.stack([np.stack([c, -s], axis=-1), np.stack([s, c], axis=-1)], axis=-2)


def _plane_errors_px(views: Sequence[View], cards: Sequence[CardImage]) -> Floats:
    """How many pixels the corners of each card miss a square of the known size on each view's plane (V, N)."""
    places, miss_mm = _placed(views, cards)
    flat = np.concatenate([places[..., :2], np.zeros((*places.shape[:2], 1))], axis=2)
    depth = np.array([view.depth_mm(at) for view, at in zip(views, flat, strict=True)])
    miss_px = miss_mm * views[0].camera.fx / np.maximum(depth, 1.0)
    return np.where(np.isfinite(miss_px), miss_px, 1e6)


@dataclass(frozen=True, slots=True, eq=False)
class Anchors:
    """Points whose places on the table are known, beside the cards: they fix the frame."""

    points_mm: Floats
    """(N, 3)"""
    points_px: Floats
    """(N, 2)"""
    weights: Floats
    """(N,) of one pixel's miss, as against a card's corner"""


def refine_with_anchors(pose: TablePose, cards: Sequence[CardImage], anchors: Anchors) -> TablePose:
    """The pose that suits both the cards that agree and points of known place (the tiles of the lattice)."""
    agreeing = {card.id for card in pose.cards}
    view, placed = _refine(pose, [card for card in cards if card.id in agreeing], anchors)
    errors = [card.error_px for card in placed] or [_miss_px(view, anchors)]
    error = float(np.sqrt(np.mean(np.square(errors))))
    return TablePose(view.camera, view.rvec, view.tvec, error, placed, pose.left_out, pose.source)


def _miss_px(view: View, anchors: Anchors) -> float:
    miss = np.linalg.norm(view.project(anchors.points_mm) - anchors.points_px, axis=1)
    return float(np.sqrt(np.average(miss**2, weights=anchors.weights)))


def _refine(view: View, cards: Sequence[CardImage], anchors: Anchors | None = None) -> tuple[View, tuple[Card, ...]]:
    """Levenberg-Marquardt over the camera's pose and the place and turn of every card.

    Without anchors the first card stays where it is (the gauge); the camera moves instead.
    """
    model = square_mm(view.camera.markers.size_mm)
    n = len(cards)
    fixed_mm = np.zeros((0, 3)) if anchors is None else anchors.points_mm
    fixed_px = np.zeros((0, 2)) if anchors is None else anchors.points_px
    trust = np.concatenate([np.ones(4 * n), np.zeros(0) if anchors is None else anchors.weights])
    seen = np.concatenate([*(card.corners_px for card in cards), fixed_px])
    places = np.nan_to_num(_placed([view], cards)[0][0]) if n else np.zeros((0, 3))
    rvec, tvec = view.rvec.copy(), view.tvec.copy()
    damping = 1e-3
    free = np.r_[:6, 9 : 6 + 3 * n]

    def corners(at: Floats) -> Floats:
        flat = np.einsum("nij,kj->nki", _rotations(at[:, 2]), model) + at[:, None, :2]
        return np.concatenate([np.concatenate([flat.reshape(-1, 2), np.zeros((4 * n, 1))], axis=1), fixed_mm])

    def cost_of(residual: Floats) -> float:
        length = np.linalg.norm(residual, axis=1)
        return float((trust * np.where(length < _HUBER_PX, length**2, 2 * _HUBER_PX * length - _HUBER_PX**2)).sum())

    def residual_of(r: Floats, t: Floats, at: Floats) -> tuple[Floats, Floats]:
        px, jacobian = cv2.projectPoints(corners(at), r, t, view.k, view.dist)
        return px.reshape(-1, 2) - seen, np.asarray(jacobian)

    residual, jacobian = residual_of(rvec, tvec, places)
    cost = cost_of(residual)
    for _ in range(_STEPS):
        rotation = cv2.Rodrigues(rvec)[0]
        full = np.zeros((2 * len(seen), 6 + 3 * n))
        full[:, :6] = jacobian[:, :6]
        # Moving a point is moving the camera, seen in the table's axes.
        by_point = (jacobian[: 8 * n, 3:6] @ rotation).reshape(n, 8, 3)
        arm = np.repeat(corners(places)[: 4 * n, :2].reshape(n, 4, 2) - places[:, None, :2], 2, axis=1)
        for i in range(n):
            own = full[8 * i : 8 * i + 8, 6 + 3 * i : 9 + 3 * i]
            own[:, :2] = by_point[i, :, :2]
            own[:, 2] = by_point[i, :, 1] * arm[i, :, 0] - by_point[i, :, 0] * arm[i, :, 1]
        if anchors is None:
            full = full[:, free]
        length = np.linalg.norm(residual, axis=1)
        weight = np.repeat(trust * np.where(length < _HUBER_PX, 1.0, _HUBER_PX / np.maximum(length, 1e-9)), 2)
        weighed = (full * weight[:, None]).T
        normal, gradient = weighed @ full, weighed @ residual.ravel()
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), -gradient)
        new_places = places.copy()
        new_places[(1 if anchors is None else 0) :] += step[6:].reshape(-1, 3)
        new = residual_of(rvec + step[:3], tvec + step[3:6], new_places)
        new_cost = cost_of(new[0])
        if new_cost < cost:
            small = cost - new_cost < 1e-4 * cost + 1e-9
            rvec, tvec, places, (residual, jacobian), cost = (
                rvec + step[:3],
                tvec + step[3:6],
                new_places,
                new,
                new_cost,
            )
            damping = max(damping / 5, 1e-9)
            if small:
                break
        else:
            damping *= 10
    refined = View(view.camera, rvec, tvec)
    points = corners(places)
    errors = [float(np.sqrt((residual[4 * i : 4 * i + 4] ** 2).sum(axis=1).mean())) for i in range(n)]
    return refined, tuple(
        Card(card.id, (float(at[0]), float(at[1])), float(at[2]), points[4 * i : 4 * i + 4, :2].copy(), errors[i])
        for i, (card, at) in enumerate(zip(cards, places, strict=True))
    )


def _regauge(view: View, cards: Sequence[Card], left_out: tuple[int, ...], others: tuple[TablePose, ...]) -> TablePose:
    """Origin in the middle of the cards, x along the picture's right there."""
    centre = np.mean([card.centre_mm for card in cards], axis=0)
    angle = right_angle(view, centre)
    moved = view.moved((float(centre[0]), float(centre[1])), angle)
    c, s = np.cos(angle), np.sin(angle)
    back = np.array([[c, -s], [s, c]])  # row vectors times this: by minus the angle
    placed = []
    for card in cards:
        at = (np.asarray(card.centre_mm) - centre) @ back
        placed.append(
            Card(
                card.id,
                (float(at[0]), float(at[1])),
                card.angle - angle,
                (card.corners_mm - centre) @ back,
                card.error_px,
            )
        )
    error = float(np.sqrt(np.mean([card.error_px**2 for card in cards])))
    return TablePose(view.camera, moved.rvec, moved.tvec, error, tuple(placed), left_out, "cards", others)


def right_angle(view: View, at_mm: Floats) -> float:
    """The direction on the table (radians) whose picture at this point runs to the picture's right."""
    here = np.array([at_mm[0], at_mm[1]])
    px = view.project(here + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    to_px = np.column_stack([px[1] - px[0], px[2] - px[0]])
    along = np.linalg.lstsq(to_px, np.array([1.0, 0.0]), rcond=None)[0]
    return float(np.arctan2(along[1], along[0]))
