"""Marker cards in a picture: which are there, and where exactly their corners lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.camera_file import CameraModel
from vision.geometry import ALL_IN_ONE, Floats, Image
from vision.usable import grey_of


@dataclass(frozen=True, slots=True, eq=False)
class CardImage:
    """One marker card found in the picture."""

    id: int
    corners_px: Floats
    """(4, 2), clockwise in the card's own reading direction."""


def find_cards(image: Image, camera: CameraModel, seen: Sequence[CardImage] = ()) -> tuple[CardImage, ...]:
    """All marker cards of the camera file's dictionary and ids in a picture, each id at most once (the largest).

    A shrunk picture is searched first, which takes a tenth of the time and finds nearly all cards; only where it shows
    fewer than two is the picture itself searched. Corners are refined in the picture itself in any case.

    Args:
        image: uint8 (H, W, 3) BGR or (H, W).
        camera: names the dictionary and the ids.
        seen: cards of a look before. Where all that the camera file names are among them and none has moved, nothing
            is searched.
    """
    grey = grey_of(image)
    still = _still_there(grey, camera, seen)
    if still is not None:
        return still
    shrink = min(1.0, _SEARCH_SIDE_PX / max(grey.shape))
    found: dict[int, Floats] = {}
    for scale, window in ((shrink, 9), (1.0, 15), (1.0, 31)):
        if len(found) < _ENOUGH_CARDS:
            for number, quad in _detected(grey, camera, scale, window).items():
                found.setdefault(number, quad)
    if not found:
        return ()
    numbers = sorted(found)
    corners = _sharpened(grey, np.array([found[number] for number in numbers]))
    return tuple(CardImage(number, quad) for number, quad in zip(numbers, corners, strict=True))


def _still_there(grey: Image, camera: CameraModel, seen: Sequence[CardImage]) -> tuple[CardImage, ...] | None:
    """The cards seen before as they appear now, if there can be no others and each is read where it was."""
    if not seen or {card.id for card in seen} != set(camera.markers.ids):
        return None
    before = np.array([card.corners_px for card in seen])
    corners = _sharpened(grey, before)
    if np.linalg.norm(corners - before, axis=2).max() > STILL_PX:
        return None
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, camera.markers.dictionary))
    if any(_read(grey, quad, dictionary) != card.id for card, quad in zip(seen, corners, strict=True)):
        return None
    return tuple(CardImage(card.id, quad) for card, quad in zip(seen, corners, strict=True))


STILL_PX = 1.0
"""A card none of whose corners moved farther has not moved: noise moves them by a third of it."""
_CELL_PX, _LEAST_CONTRAST = 4, 24.0
"""A card's cells are read from so many pixels square; black and white lie at least so many grey levels apart."""


def _read(grey: Image, quad: Floats, dictionary: cv2.aruco.Dictionary) -> int | None:
    """The number of the card whose corners (4, 2) these are, in its reading direction; None if there is none."""
    cells = dictionary.markerSize + 2
    last = cells * _CELL_PX - 0.5
    square = np.array([[-0.5, -0.5], [last, -0.5], [last, last], [-0.5, last]], dtype=np.float32)
    to_px = cv2.getPerspectiveTransform(square, quad.astype(np.float32))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    card = cv2.warpPerspective(grey, to_px, (cells * _CELL_PX, cells * _CELL_PX), flags=flags)
    each = card.reshape(cells, _CELL_PX, cells, _CELL_PX)[:, 1:-1, :, 1:-1].mean(axis=(1, 3))
    if np.ptp(each) < _LEAST_CONTRAST:
        return None
    bits = (each > (each.min() + each.max()) / 2.0).astype(np.uint8)
    inner = np.ascontiguousarray(bits[1:-1, 1:-1])
    if bits.sum() > inner.sum():
        return None  # its frame is not black all round
    told, number, turns = dictionary.identify(inner, 1.0)
    return int(number) if told and turns == 0 else None


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


def _sharpened(grey: Image, quads: Floats) -> Floats:
    """Corners (N, 4, 2) where lines through the four sides cross; as they were where no sides are found.

    The sides are longer than the corners are sharp: a blurred corner is off by pixels, a line along forty is not.
    """
    quads, lost = quads.copy(), np.zeros(len(quads), dtype=bool)
    for reach in (0.1, 0.05):
        sides = np.sqrt([max(_area(quad), 1.0) for quad in quads])
        offsets = np.linspace(-1.0, 1.0, _ACROSS) * np.maximum(1.5, reach * sides)[:, None]
        ahead = np.roll(quads, -1, axis=1) - quads
        length = np.maximum(np.linalg.norm(ahead, axis=2, keepdims=True), 1e-9)
        # Outwards: the corners run clockwise in the picture (y down).
        outward = np.stack([ahead[..., 1], -ahead[..., 0]], axis=2) / length
        stations = quads[:, :, None] + np.linspace(0.12, 0.88, _ALONG)[:, None] * ahead[:, :, None]
        points = stations[:, :, :, None] + offsets[:, None, None, :, None] * outward[:, :, None, None]
        flat = points.astype(np.float32).reshape(-1, _ACROSS, 2)
        values = cv2.remap(grey, flat, ALL_IN_ONE, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        # Black inside, white outside: only a rise counts. Its centre of mass is where the side runs.
        rise = np.maximum(np.diff(cv2.GaussianBlur(values.astype(np.float32), (5, 1), 1.0), axis=1), 0.0)
        near = np.abs(np.arange(_ACROSS - 1) - rise.argmax(axis=1)[:, None]) <= 4
        mass = (rise**2 * near).astype(np.float64).reshape(len(quads), -1, _ACROSS - 1)
        total = mass.sum(axis=2)
        middles = (offsets[:, 1:] + offsets[:, :-1]) / 2.0
        shift = np.einsum("nsa,na->ns", mass, middles) / np.maximum(total, 1e-9)
        by_side = (4 * len(quads), _ALONG)
        lines = _lines(
            stations.reshape(*by_side, 2),
            outward.reshape(-1, 2),
            shift.reshape(by_side),
            np.sqrt(total).reshape(by_side),
        )
        corners = _crossings(lines.reshape(-1, 4, 3))
        with np.errstate(invalid="ignore"):
            moved = np.linalg.norm(corners - quads, axis=2).max(axis=1)
            lost |= ~(moved <= np.maximum(3.0, 0.2 * sides))
        quads[~lost] = corners[~lost]
    return quads


_ACROSS, _ALONG = 25, 16
"""Grey values read across a side, and how many times along it."""


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
    """Where each of the four lines (N, 4, 3) crosses the one before it, (N, 4, 2); NaN where they are parallel."""
    a, b, c = np.moveaxis(np.roll(lines, 1, axis=1), 2, 0)
    d, e, f = np.moveaxis(lines, 2, 0)
    area = a * e - b * d
    area = np.where(np.abs(area) < 1e-6, np.nan, area)
    return np.stack([(c * e - b * f) / area, (a * f - c * d) / area], axis=2)


def _area(quad: Floats) -> float:
    return float(abs(cv2.contourArea(quad.astype(np.float32))))
