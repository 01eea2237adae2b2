"""From marker cards to the table's plane and the camera's place over it.

The cards lie anywhere, flat on the table: only their size is known. Each one alone gives two poses (a small square
seen from afar can be tilted two ways); every pose of every card is a hypothesis, judged by how square and how large
the other cards come out on its plane. The best is refined over all corners of all cards that agree, with every card's
own place and turn unknown. A card that does not agree (a false detection, a card that lies on a book) is left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.camera_file import CameraModel
from vision.geometry import Floats, Image, View

AGREES_PX = 4.0
"""A card whose corners miss the common plane by more (root mean square) is left out of it."""
_HUBER_PX = 1.0
_STEPS = 12
_SAME_TILT = 0.02
"""Rotation matrices nearer than this (Frobenius norm; about a degree) are the same pose."""


@dataclass(frozen=True, slots=True, eq=False)
class CardImage:
    """One marker card found in the picture."""

    id: int
    corners_px: Floats
    """(4, 2), clockwise in the card's own reading direction."""


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


def find_cards(image: Image, camera: CameraModel) -> tuple[CardImage, ...]:
    """All marker cards of the camera file's dictionary and ids in a picture, each id at most once (the largest).

    A shrunk picture is searched first, which takes a tenth of the time and finds nearly all cards; only where it shows
    fewer than two is the picture itself searched. Corners are refined in the picture itself in any case.

    Args:
        image: uint8 (H, W, 3) BGR or (H, W).
        camera: names the dictionary and the ids.
    """
    grey = np.asarray(image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    shrink = min(1.0, _SEARCH_SIDE_PX / max(grey.shape))
    found: dict[int, Floats] = {}
    for scale, window in ((shrink, 9), (1.0, 15), (1.0, 31)):
        if len(found) < _ENOUGH_CARDS:
            for number, quad in _detected(grey, camera, scale, window).items():
                found.setdefault(number, quad)
    return tuple(CardImage(number, _sharpened(grey, quad)) for number, quad in sorted(found.items()))


_SEARCH_SIDE_PX = 820
_ENOUGH_CARDS = 2
_SMALL_SIDE_PX = 9.0
"""A detection smaller than this, in the picture that is searched, is noise: its bits would be a pixel wide."""


def _detected(grey: Image, camera: CameraModel, scale: float, window: int) -> dict[int, Floats]:
    """Corners (4, 2) of the cards found in a scaled copy of the picture, by id, in the picture's own pixels."""
    small = grey if scale == 1.0 else cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, camera.markers.dictionary))
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = window
    parameters.minMarkerPerimeterRate = 4 * _SMALL_SIDE_PX / max(small.shape)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(small)
    numbers: list[int] = [int(number) for number in np.ravel(ids)] if len(corners) > 0 else []
    found: dict[int, Floats] = {}
    for one, number in zip(corners, numbers, strict=True):
        quad = (np.asarray(one, dtype=np.float64).reshape(4, 2) + 0.5) / scale - 0.5
        wanted = not camera.markers.ids or number in camera.markers.ids
        if wanted and (number not in found or _area(quad) > _area(found[number])):
            found[number] = quad
    return found


def _sharpened(grey: Image, quad: Floats) -> Floats:
    """Corners (4, 2) where lines through the four sides cross; as they were where no sides are found.

    The sides are longer than the corners are sharp: a blurred corner is off by pixels, a line along forty is not.
    """
    for reach in (0.1, 0.05):
        side = math.sqrt(max(_area(quad), 1.0))
        offsets = np.linspace(-1.0, 1.0, 25) * max(1.5, reach * side)
        ahead = np.roll(quad, -1, axis=0) - quad
        length = np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-9)
        # Outwards: the corners run clockwise in the picture (y down).
        outward = np.stack([ahead[:, 1], -ahead[:, 0]], axis=1) / length
        stations = quad[:, None] + np.linspace(0.12, 0.88, 16)[None, :, None] * ahead[:, None]
        points = (stations[:, :, None] + offsets[None, None, :, None] * outward[:, None, None]).astype(np.float32)
        flat = points.reshape(64, 25, 2)
        values = cv2.remap(grey, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        # Black inside, white outside: only a rise counts. Its centre of mass is where the side runs.
        rise = np.maximum(np.diff(cv2.GaussianBlur(values.astype(np.float32), (5, 1), 1.0), axis=1), 0.0)
        peak = rise.argmax(axis=1)
        near = np.abs(np.arange(24)[None] - peak[:, None]) <= 4
        mass = (rise**2 * near).astype(np.float64)
        middles = (offsets[1:] + offsets[:-1]) / 2.0
        shift = (mass @ middles) / np.maximum(mass.sum(axis=1), 1e-9)
        trust = np.sqrt(mass.sum(axis=1)).reshape(4, 16)
        corners = _crossings(_lines(stations, outward, shift.reshape(4, 16), trust))
        if not np.isfinite(corners).all() or np.linalg.norm(corners - quad, axis=1).max() > max(3.0, 0.2 * side):
            return quad
        quad = np.asarray(corners, dtype=np.float64)
    return quad


def _lines(stations: Floats, outward: Floats, shift: Floats, weight: Floats) -> Floats:
    """Of each of N sides the line a x + b y = c, (N, 3), through its edge points, outliers weighed down.

    Args:
        stations: (N, S, 2) along the sides.
        outward: (N, 2) the sides' normals.
        shift: (N, S) how far outwards of its station each edge point lies.
        weight: (N, S) of the edge points.
    """
    at = np.linspace(-1.0, 1.0, shift.shape[1])
    trust = weight
    middle, slope = np.zeros((2, len(shift)))
    for _ in range(3):
        # Straight lines by least squares, in closed form.
        sums = [(trust * part).sum(axis=1) for part in (np.ones_like(shift), at, at**2, shift, at * shift)]
        total, first, second, off, slant = sums[0] + 1e-9, sums[1], sums[2] + 1e-9, sums[3], sums[4]
        spread = total * second - first**2
        middle, slope = (second * off - first * slant) / spread, (total * slant - first * off) / spread
        trust = weight / (1.0 + ((shift - middle[:, None] - slope[:, None] * at) / 0.5) ** 2)
    ends = stations[:, [0, -1]] + np.stack([middle - slope, middle + slope], axis=1)[..., None] * outward[:, None]
    along = ends[:, 1] - ends[:, 0]
    normal = np.stack([along[:, 1], -along[:, 0]], axis=1)
    normal = normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)
    return np.column_stack([normal, (normal * ends[:, 0]).sum(axis=1)])


def _crossings(lines: Floats) -> Floats:
    """Where each of N lines (N, 3) crosses the one before it, (N, 2); NaN where they are parallel."""
    (a, b, c), (d, e, f) = np.roll(lines, 1, axis=0).T, lines.T
    area = a * e - b * d
    area = np.where(np.abs(area) < 1e-6, np.nan, area)
    return np.stack([(c * e - b * f) / area, (a * f - c * d) / area], axis=1)


def pose_from_cards(cards: Sequence[CardImage], camera: CameraModel) -> TablePose | None:
    """The table's pose from its cards; None where there is no card.

    The table frame has its origin in the middle of the cards and x along the picture's right.
    """
    if not cards:
        return None
    hypotheses = [view for card in cards for view in _poses_of_square(card, camera)]
    # Each card's miss is capped: one false card must not decide.
    misses = [np.minimum(_plane_errors_px(view, cards), 2 * AGREES_PX) for view in hypotheses]
    top = min(range(len(hypotheses)), key=lambda i: float((misses[i] ** 2).sum()))
    best = hypotheses[top]
    chosen = [card for card, miss in zip(cards, _plane_errors_px(best, cards), strict=True) if miss <= 2 * AGREES_PX]
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


def _area(quad: Floats) -> float:
    return float(abs(cv2.contourArea(quad.astype(np.float32))))


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


def _placed(view: View, cards: Sequence[CardImage]) -> tuple[Floats, Floats]:
    """Where N cards lie on the view's plane, (N, 3) x, y and angle, and by how many mm their corners miss the square.

    NaN for a card that is seen above the horizon.
    """
    on_plane = view.to_plane(np.array([card.corners_px for card in cards]))
    model = square_mm(view.camera.markers.size_mm)
    centres = on_plane.mean(axis=1)
    centred = on_plane - centres[:, None]
    # Best turn of one point set onto the other, in complex numbers.
    turn = np.angle((centred @ np.array([1.0, 1.0j])) @ (model @ np.array([1.0, -1.0j])))
    miss = centred - np.einsum("nij,kj->nki", _rotations(turn), model)
    return np.column_stack([centres, turn]), np.sqrt((miss**2).sum(axis=2).mean(axis=1))


def _rotations(angles: Floats) -> Floats:
    """The matrices (N, 2, 2) that turn a vector counter-clockwise by angles (N,)."""
    c, s = np.cos(angles), np.sin(angles)
    return np.stack([np.stack([c, -s], axis=-1), np.stack([s, c], axis=-1)], axis=-2)


def _plane_errors_px(view: View, cards: Sequence[CardImage]) -> Floats:
    """How many pixels the corners of each card (N,) miss a square of the known size on the view's plane."""
    places, miss_mm = _placed(view, cards)
    depth = view.depth_mm(np.column_stack([places[:, :2], np.zeros(len(cards))]))
    miss_px = miss_mm * view.camera.fx / np.maximum(depth, 1.0)
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
    places = np.nan_to_num(_placed(view, cards)[0]) if n else np.zeros((0, 3))
    rvec, tvec = view.rvec.copy(), view.tvec.copy()
    damping = 1e-3

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
        by_point = jacobian[:, 3:6] @ rotation  # moving a point is moving the camera, seen in the table's axes
        points = corners(places)
        for i in range(n):
            rows = slice(8 * i, 8 * i + 8)
            full[rows, 6 + 3 * i : 8 + 3 * i] = by_point[rows, :2]
            arm = np.repeat(points[4 * i : 4 * i + 4, :2] - places[i, :2], 2, axis=0)
            full[rows, 8 + 3 * i] = by_point[rows, 0] * -arm[:, 1] + by_point[rows, 1] * arm[:, 0]
        if anchors is None:
            full = np.delete(full, [6, 7, 8], axis=1)
        length = np.linalg.norm(residual, axis=1)
        weight = np.repeat(trust * np.where(length < _HUBER_PX, 1.0, _HUBER_PX / np.maximum(length, 1e-9)), 2)
        normal = (full * weight[:, None]).T @ full
        gradient = (full * weight[:, None]).T @ residual.ravel()
        step = np.linalg.lstsq(normal + damping * np.diag(np.diag(normal) + 1e-12), -gradient, rcond=None)[0]
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
