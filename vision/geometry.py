"""Between the picture and the table: the camera's projection, its inverse on a plane, and rectified pictures.

The table frame is in millimetres and right-handed: z points up, the table's surface is z = 0, and seen from above y
lies a quarter turn counter-clockwise of x (x to the right, y away). A tile's top is at z = its thickness. Rectified
pictures are seen from above too, so their rows run against y.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from vision.camera_file import CameraModel

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

ALL_IN_ONE: Any = None
"""The second map of cv2.remap where the first one holds columns and rows together; its stubs do not know of that."""
_FEW_POINTS = 150
"""So many points are projected by one call of cv2, which costs less then than NumPy's many."""
_STRIP_PIXELS = 40_000
_MAP_STEP_PX = 16
"""A rectifying map is computed at every so many pixels and interpolated between: the projection is smooth."""


@dataclass(frozen=True, eq=False)
class View:
    """One camera over one plane table: where it stands and how it pictures points.

    Not slotted: its matrices are computed once, when first asked for.
    """

    camera: CameraModel
    rvec: Floats
    """Rotation vector (3,), table to camera."""
    tvec: Floats
    """Translation (3,), table to camera, millimetres."""

    @cached_property
    def k(self) -> Floats:
        """Camera matrix (3, 3)."""
        c = self.camera
        return np.array([[c.fx, 0.0, c.cx], [0.0, c.fy, c.cy], [0.0, 0.0, 1.0]])

    @cached_property
    def dist(self) -> Floats:
        """Distortion k1 k2 p1 p2 k3."""
        return np.asarray(self.camera.dist, dtype=np.float64)

    @cached_property
    def rotation(self) -> Floats:
        """Rotation matrix (3, 3), table to camera."""
        return np.asarray(cv2.Rodrigues(self.rvec)[0], dtype=np.float64)

    @cached_property
    def eye_mm(self) -> Floats:
        """Where the camera's centre is over the table (3,), millimetres."""
        return np.asarray(-self.rotation.T @ self.tvec, dtype=np.float64)

    def elevation_deg(self) -> float:
        """How steeply the camera looks: 90 is straight down."""
        return float(np.degrees(np.arcsin(np.clip(-self.rotation[2, 2], -1.0, 1.0))))

    def project(self, points_mm: ArrayLike, z_mm: float | None = None) -> Floats:
        """Where table points appear in the picture.

        Args:
            points_mm: (..., 3), or (..., 2) with the height in `z_mm` (default 0).
            z_mm: height for two-dimensional points.

        Returns:
            Pixels (..., 2), x then y. Points behind the camera give numbers without meaning.
        """
        points = np.asarray(points_mm, dtype=np.float64)
        if points.shape[-1] == 2:
            points = np.concatenate([points, np.full((*points.shape[:-1], 1), z_mm or 0.0)], axis=-1)
        flat = points.reshape(-1, 3)
        if len(flat) > _FEW_POINTS:
            px = self._project_many(flat)
        elif len(flat):
            px = np.asarray(cv2.projectPoints(flat[:, None], self.rvec, self.tvec, self.k, self.dist)[0])
        else:
            px = np.zeros((0, 2))
        return px.reshape(*points.shape[:-1], 2)

    def _project_many(self, points: Floats) -> Floats:
        """Pixels (N, 2) of points (N, 3), as of cv2.projectPoints less its costly derivatives."""
        x, y, z = self.rotation @ points.T + self.tvec[:, None]
        z[z == 0.0] = 1.0
        x, y = x / z, y / z
        k1, k2, p1, p2, k3 = self.camera.dist
        r2, xy = x * x + y * y, x * y
        radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
        px = np.empty((len(points), 2))
        px[:, 0] = self.camera.fx * (x * radial + 2.0 * p1 * xy + p2 * (r2 + 2.0 * x * x)) + self.camera.cx
        px[:, 1] = self.camera.fy * (y * radial + 2.0 * p2 * xy + p1 * (r2 + 2.0 * y * y)) + self.camera.cy
        return px

    def to_plane(self, points_px: ArrayLike, z_mm: float = 0.0) -> Floats:
        """Where the rays of picture points (..., 2) meet the plane at height `z_mm`: (..., 2) millimetres.

        Rays that meet the plane behind the camera give NaN.
        """
        rays = self.rays(points_px) @ self.rotation
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = (z_mm - self.eye_mm[2]) / rays[..., 2]
        reach[~(reach > 0)] = np.nan
        return np.asarray((self.eye_mm + rays * reach[..., None])[..., :2])

    def rays(self, points_px: ArrayLike) -> Floats:
        """Directions (..., 3) in the camera's axes, one along z, in which picture points (..., 2) are seen."""
        points = np.asarray(points_px, dtype=np.float64)
        rays = np.ones((*points.shape[:-1], 3))
        if points.size:
            flat = cv2.undistortPoints(points.reshape(-1, 1, 2), self.k, self.dist)
            rays[..., :2] = np.asarray(flat).reshape(points.shape)
        return rays

    def depth_mm(self, points_mm: ArrayLike) -> Floats:
        """Depth of table points (..., 3) before the camera."""
        return np.asarray(np.asarray(points_mm, dtype=np.float64) @ self.rotation[2] + self.tvec[2])

    def px_per_mm(self, point_mm: ArrayLike) -> float:
        """How many pixels a millimetre across the line of sight makes at this table point (3,)."""
        return float(self.camera.fx / max(1.0, float(self.depth_mm(point_mm))))

    def moved(self, origin_mm: tuple[float, float], angle: float) -> View:
        """The same camera in a table frame with its origin at `origin_mm` and x turned by `angle` (radians)."""
        c, s = np.cos(angle), np.sin(angle)
        turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        rvec = cv2.Rodrigues(self.rotation @ turn)[0].reshape(3)
        shift = np.array([origin_mm[0], origin_mm[1], 0.0])
        return View(self.camera, np.asarray(rvec, dtype=np.float64), self.rotation @ shift + self.tvec)

    def rectify(self, image: Image, patch: Patch) -> Image:
        """The plane of `patch` as seen from straight above, uint8 (rows, columns, channels), black outside."""
        rows, columns = patch.shape
        source = image
        if image.ndim == 3:
            # With a fourth channel it takes less than half the time.
            source = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2BGRA), dtype=np.uint8)
        out = np.empty((rows, columns, *image.shape[2:]), dtype=np.uint8)
        nodes = self._nodes(patch)
        # Strip by strip, so that the maps stay in the processor's cache.
        step = max(1, _STRIP_PIXELS // (columns * _MAP_STEP_PX)) * _MAP_STEP_PX
        for top in range(0, rows, step):
            maps = _dense(nodes[top // _MAP_STEP_PX :], (min(step, rows - top), columns))
            seen = cv2.remap(source, maps, ALL_IN_ONE, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
            out[top : top + step] = seen if image.ndim == 2 else cv2.cvtColor(seen, cv2.COLOR_BGRA2BGR)
        return out

    def _nodes(self, patch: Patch) -> NDArray[np.float32]:
        """Where every sixteenth pixel of the patch lies in the picture (rows, columns, 2), over its end if need be."""
        rows, columns = patch.shape
        ys = np.arange(0, rows + _MAP_STEP_PX, _MAP_STEP_PX, dtype=np.float64)
        xs = np.arange(0, columns + _MAP_STEP_PX, _MAP_STEP_PX, dtype=np.float64)
        grid = np.stack(np.meshgrid(xs, ys), axis=-1)
        points = np.concatenate([patch.to_mm(grid), np.full((*grid.shape[:2], 1), patch.z_mm)], axis=-1)
        px = self.project(points).astype(np.float32)
        px[self.depth_mm(points) < 1.0] = -1e6
        return px


def _dense(nodes: NDArray[np.float32], shape: tuple[int, int]) -> NDArray[np.float32]:
    """The map for cv2.remap: for each of some rows and columns of pixels where it lies in the picture."""
    # Node i must land on pixel 16 i: warpAffine by the step does just that.
    scale = np.array([[1.0 / _MAP_STEP_PX, 0.0, 0.0], [0.0, 1.0 / _MAP_STEP_PX, 0.0]])
    dense = cv2.warpAffine(nodes, scale, shape[::-1], flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return np.asarray(dense, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Patch:
    """A rectangle of the table to be rectified: its middle, its turn, its size and its scale."""

    centre_mm: tuple[float, float]
    size_px: tuple[int, int]
    """Columns, rows."""
    mm_per_px: float
    angle: float = 0.0
    """Radians, counter-clockwise: the columns run along this direction of the table frame, the rows a quarter turn
    clockwise of it."""
    z_mm: float = 0.0

    @property
    def shape(self) -> tuple[int, int]:
        """Rows, columns."""
        return self.size_px[1], self.size_px[0]

    def to_mm(self, points_px: ArrayLike) -> Floats:
        """Patch pixels (..., 2) to table millimetres (..., 2)."""
        centred = (np.asarray(points_px, dtype=np.float64) - self._middle()) * (self.mm_per_px, -self.mm_per_px)
        return np.asarray(centred @ rotation_2d(self.angle).T + np.asarray(self.centre_mm))

    def to_px(self, points_mm: ArrayLike) -> Floats:
        """Table millimetres (..., 2) to patch pixels (..., 2)."""
        turned = (np.asarray(points_mm, dtype=np.float64) - np.asarray(self.centre_mm)) @ rotation_2d(self.angle)
        return np.asarray(turned / (self.mm_per_px, -self.mm_per_px) + self._middle())

    def _middle(self) -> Floats:
        return np.array([(self.size_px[0] - 1) / 2.0, (self.size_px[1] - 1) / 2.0])


def rotation_2d(angle: float) -> Floats:
    """The matrix (2, 2) that turns a vector counter-clockwise by `angle` radians."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])
