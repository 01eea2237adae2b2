"""Between picture and table and back, within hundredths of pixels and millimetres."""

from __future__ import annotations

import numpy as np
import pytest

from vision.camera_file import CameraModel
from vision.geometry import Patch, View

CAMERA = CameraModel(
    width=1640, height=1232, fx=1300.0, fy=1304.0, cx=815.0, cy=620.0, dist=(-0.05, 0.01, 0.0004, -0.0003, 0.0)
)


def oblique_view() -> View:
    """A camera 600 mm from the table's origin, 50 degrees above it, upright."""
    el = np.radians(50.0)
    forward = np.array([0.0, np.cos(el), -np.sin(el)])
    right = np.array([1.0, 0.0, 0.0])
    down = np.cross(forward, right)
    rotation = np.stack([right, down, forward])
    eye = -600.0 * forward
    import cv2

    rvec = np.asarray(cv2.Rodrigues(rotation)[0], dtype=np.float64).reshape(3)
    return View(CAMERA, rvec, -rotation @ eye)


def test_a_point_of_the_plane_comes_back_from_the_picture():
    view = oblique_view()
    points = np.array([[0.0, 0.0], [120.0, -80.0], [-200.0, 150.0]])
    for z in (0.0, 2.0, 74.0):
        assert view.to_plane(view.project(points, z), z) == pytest.approx(points, abs=0.01)


def test_many_points_appear_where_each_of_them_does():
    view = oblique_view()
    points = np.random.default_rng(2).uniform(-200.0, 200.0, (30, 10, 3))
    each = np.array([view.project(some) for some in points])
    assert view.project(points) == pytest.approx(each, abs=1e-8)


def test_the_camera_is_where_it_was_put():
    view = oblique_view()
    assert view.elevation_deg() == pytest.approx(50.0, abs=1e-6)
    assert np.linalg.norm(view.eye_mm) == pytest.approx(600.0)
    assert view.eye_mm[2] > 0


def test_height_goes_up_in_the_picture():
    view = oblique_view()
    foot, top = view.project(np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 72.0]]))
    assert top[1] < foot[1] - 30


def test_rays_above_the_horizon_meet_no_table():
    view = oblique_view()
    sky = np.array([[820.0, -4000.0]])
    assert np.isnan(view.to_plane(sky)).all()


def test_moving_the_frame_moves_no_picture_point():
    view = oblique_view()
    moved = view.moved((40.0, -25.0), 0.7)
    c, s = np.cos(0.7), np.sin(0.7)
    inside = np.array([13.0, 57.0])
    outside = np.array([40.0, -25.0]) + np.array([[c, -s], [s, c]]) @ inside
    assert moved.project(inside, 2.0) == pytest.approx(view.project(outside, 2.0), abs=1e-6)


def test_a_patch_is_seen_from_above_its_rows_running_towards_the_viewer():
    patch = Patch((10.0, 20.0), (101, 51), 2.0)
    assert patch.to_mm(np.array([50.0, 25.0])) == pytest.approx([10.0, 20.0])
    assert patch.to_mm(np.array([51.0, 25.0])) == pytest.approx([12.0, 20.0])
    assert patch.to_mm(np.array([50.0, 26.0])) == pytest.approx([10.0, 18.0])


def test_patch_pixels_and_millimetres_are_inverse_also_when_turned():
    patch = Patch((10.0, 20.0), (101, 51), 1.7, angle=0.9)
    points = np.array([[0.0, 0.0], [100.0, 50.0], [33.0, 7.0]])
    assert patch.to_px(patch.to_mm(points)) == pytest.approx(points, abs=1e-9)


def test_rectifying_puts_a_mark_where_the_patch_says():
    view = oblique_view()
    image = np.zeros((1232, 1640, 3), np.uint8)
    x, y = np.rint(view.project(np.array([30.0, 40.0]), 2.0)).astype(int)
    image[y - 3 : y + 4, x - 3 : x + 4] = 255
    patch = Patch((0.0, 0.0), (200, 200), 1.0, z_mm=2.0)
    rectified = view.rectify(image, patch)
    rows, columns = np.nonzero(rectified[..., 0] > 128)
    assert patch.to_mm(np.array([columns.mean(), rows.mean()])) == pytest.approx([30.0, 40.0], abs=1.0)
