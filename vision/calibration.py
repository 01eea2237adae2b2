"""Calibrating a camera from pictures of the kit's ChArUco board.

The board is the one that `companion kit` prints: 7 x 10 squares, so that it knows its own way up. Its markers are of
another dictionary than the table's cards, so that a board left on the table disturbs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import BadInputError
from vision.camera_file import CameraModel

BOARD_SQUARES = (7, 10)
"""Columns and rows."""
SQUARE_MM = 26.0
MARKER_MM = 19.0
BOARD_DICTIONARY = cv2.aruco.DICT_5X5_50
LEAST_CORNERS = 12
"""Of a picture: fewer fix no pose well."""
LEAST_VIEWS = 6
WORST_REPROJECTION_PX = 1.5
"""At 1640 pixels of width: a worse fit is a bent board or a moving one."""
BAD_VIEW_FACTOR = 2.5
"""A picture whose error is this much above the median of all was blurred or the board bent: it is left out."""


def charuco_board(square_mm: float = SQUARE_MM) -> cv2.aruco.CharucoBoard:
    """The kit's board; measured squares of another size (a scaled print) may be given."""
    return cv2.aruco.CharucoBoard(
        BOARD_SQUARES,
        square_mm,
        square_mm * MARKER_MM / SQUARE_MM,
        cv2.aruco.getPredefinedDictionary(BOARD_DICTIONARY),
    )


@dataclass(frozen=True, slots=True, eq=False)
class BoardView:
    """The board's corners in one picture."""

    name: str
    size: tuple[int, int]
    """Width and height of the picture."""
    object_mm: NDArray[np.float32]
    """Corners on the board (n, 3), z = 0."""
    image_px: NDArray[np.float32]
    """The same corners in the picture (n, 2)."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What came out."""

    camera: CameraModel
    reprojection_px: float
    """Root mean square over all corners of the pictures used."""
    used: tuple[str, ...]
    left_out: tuple[str, ...]
    """Pictures whose corners did not fit the others."""
    covered: float
    """Share of a 4 x 4 grid over the picture in which a corner was seen: the edges tell most of the lens."""


class BoardFinder:
    """Finds the board in pictures."""

    def __init__(self, square_mm: float = SQUARE_MM) -> None:
        self._board = charuco_board(square_mm)
        self._detector = cv2.aruco.CharucoDetector(self._board)

    def find(self, image: NDArray[np.uint8], name: str = "") -> BoardView | None:
        """The board's corners, or None where too few are seen.

        Args:
            image: uint8 (H, W, 3), BGR.
            name: the picture's name, for the report.
        """
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        corners, ids, _, _ = self._detector.detectBoard(grey)
        # None where nothing was found, whatever OpenCV's own types say.
        numbers = np.array([] if ids is None else ids, np.intp).ravel()  # type: ignore[redundant-expr]
        if len(numbers) < LEAST_CORNERS:
            return None
        object_mm, image_px = np.asarray(self._board.getChessboardCorners())[numbers], corners
        return BoardView(
            name,
            (image.shape[1], image.shape[0]),
            np.asarray(object_mm, np.float32).reshape(-1, 3),
            np.asarray(image_px, np.float32).reshape(-1, 2),
        )


def calibrate(views: Sequence[BoardView]) -> Calibration:
    """Intrinsics from several views of the board.

    Raises:
        BadInputError: too few views, of different sizes, all from one side, or no good fit; says what to do.
    """
    if len(views) < LEAST_VIEWS:
        raise BadInputError(
            f"the board was found in {len(views)} pictures, {LEAST_VIEWS} are needed: lay it flat, light it evenly, "
            f"show it whole, near and far, tilted to all sides and in the corners of the picture"
        )
    sizes = {view.size for view in views}
    if len(sizes) > 1:
        raise BadInputError(f"the pictures have different sizes {sorted(sizes)}: use one setting of the camera")
    rms, matrix, dist, errors = _solve(views)
    kept = [view for view, error in zip(views, errors, strict=True) if error <= BAD_VIEW_FACTOR * np.median(errors)]
    if LEAST_VIEWS <= len(kept) < len(views):
        rms, matrix, dist, errors = _solve(kept)
    else:
        kept = list(views)
    width, height = views[0].size
    _check(rms, matrix, kept)
    k1, k2, p1, p2, k3 = (float(value) for value in dist.ravel()[:5])
    camera = CameraModel(
        width=width, height=height, fx=float(matrix[0, 0]), fy=float(matrix[1, 1]),
        cx=float(matrix[0, 2]), cy=float(matrix[1, 2]), dist=(k1, k2, p1, p2, k3),
    )  # fmt: skip
    names = {view.name for view in kept}
    left_out = tuple(view.name for view in views if view.name not in names)
    return Calibration(camera, rms, tuple(view.name for view in kept), left_out, _covered(kept))


def like(camera: CameraModel, template: CameraModel) -> CameraModel:
    """New intrinsics with the marker cards, pieces and art of an older camera file."""
    return replace(camera, markers=template.markers, pieces=template.pieces, art=template.art)


def _solve(views: Sequence[BoardView]) -> tuple[float, NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    # k3 is left at zero: a handful of pictures of a narrow lens cannot tell it from k2, and a wild k3 ruins corners.
    rms, matrix, dist, _, _, _, _, errors = cv2.calibrateCameraExtended(
        [view.object_mm for view in views],
        [view.image_px for view in views],
        views[0].size,
        np.zeros((3, 3)),
        np.zeros(5),
        flags=cv2.CALIB_FIX_K3,
    )
    return float(rms), np.asarray(matrix, float), np.asarray(dist, float), np.asarray(errors, float).ravel()


def _check(rms: float, matrix: NDArray[np.float64], views: Sequence[BoardView]) -> None:
    width, height = views[0].size
    if not np.isfinite(rms) or rms > WORST_REPROJECTION_PX * width / 1640:
        raise BadInputError(
            f"the fit is off by {rms:.2f} pixels: glue the board to something flat, keep it still, and hold the focus"
        )
    if not 0.3 < matrix[0, 0] / matrix[1, 1] < 3 or not (0 < matrix[0, 2] < width and 0 < matrix[1, 2] < height):
        raise BadInputError("the pictures do not fix the lens: tilt the board to all sides, not always facing you")
    normals = np.array([_normal(view, matrix) for view in views])
    if np.degrees(np.arccos(np.clip(normals @ normals.T, -1, 1))).max() < 15:
        raise BadInputError("the board always faced the same way: tilt it by 20 to 45 degrees to all sides")


def _normal(view: BoardView, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    _, rvec, _ = cv2.solvePnP(view.object_mm, view.image_px, matrix, np.zeros(5), flags=cv2.SOLVEPNP_IPPE)
    return np.asarray(cv2.Rodrigues(rvec)[0][:, 2], float)


def _covered(views: Iterable[BoardView]) -> float:
    cells = {(int(4 * x / view.size[0]), int(4 * y / view.size[1])) for view in views for x, y in view.image_px}
    return len(cells) / 16
