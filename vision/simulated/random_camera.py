"""Cameras drawn at random: their intrinsics, and where they stand so that they see the garden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.camera_file import CameraModel, Markers, Pieces
from vision.geometry import View
from vision.simulated.chance import chance, uniform
from vision.simulated.scene import (
    TilePiece,
    Vector,
)


def random_camera(rng: np.random.Generator, width: int, height: int, pieces: Pieces, art: str) -> CameraModel:
    """Intrinsics of a plausible camera."""
    focal = width * float(np.exp(rng.uniform(np.log(0.6), np.log(1.25))))
    bent = chance(rng, 0.7)
    dictionary = str(rng.choice(["DICT_4X4_50", "DICT_APRILTAG_36h11"]))
    return CameraModel(
        width=width,
        height=height,
        fx=focal,
        fy=focal * uniform(rng, 0.997, 1.003),
        cx=width * (0.5 + float(rng.normal(0, 0.008))) - 0.5,
        cy=height * (0.5 + float(rng.normal(0, 0.008))) - 0.5,
        dist=(
            float(rng.normal(0, 0.05)) if bent else 0.0,
            float(rng.normal(0, 0.02)) if bent else 0.0,
            float(rng.normal(0, 0.0006)),
            float(rng.normal(0, 0.0006)),
            0.0,
        ),
        markers=Markers(dictionary, uniform(rng, 30, 60) if chance(rng, 0.5) else 40.0, (0, 1, 2, 3)),
        pieces=pieces,
        art=art,
    )


def calibrated(camera: CameraModel, rng: np.random.Generator) -> CameraModel:
    """The same camera as a calibration would find it: a few tenths of a percent off."""
    k1, k2, p1, p2, k3 = camera.dist
    stretch = float(rng.normal(1, 0.002))
    return replace(
        camera,
        fx=round(camera.fx * stretch, 2),
        fy=round(camera.fy * stretch * float(rng.normal(1, 0.0005)), 2),
        cx=round(camera.cx + float(rng.normal(0, 2.0)), 2),
        cy=round(camera.cy + float(rng.normal(0, 2.0)), 2),
        dist=(k1 + float(rng.normal(0, 0.002)), k2 + float(rng.normal(0, 0.002)), p1, p2, k3),
    )


def look_at(eye: np.ndarray, target: np.ndarray, roll: float) -> tuple[Vector, Vector]:
    """Rotation vector and translation of a camera at `eye` that looks at `target`."""
    forward = target - eye
    forward = forward / np.linalg.norm(forward)
    side = np.cross(forward, [0.0, 0.0, 1.0])
    side = side / np.linalg.norm(side) if np.linalg.norm(side) > 1e-6 else np.array([1.0, 0.0, 0.0])
    down = np.cross(forward, side)
    c, s = np.cos(roll), np.sin(roll)
    rotation = np.stack([c * side + s * down, -s * side + c * down, forward])
    rvec = cv2.Rodrigues(rotation)[0].reshape(3)
    tvec = -rotation @ eye
    return (float(rvec[0]), float(rvec[1]), float(rvec[2])), (float(tvec[0]), float(tvec[1]), float(tvec[2]))


def random_pose(
    camera: CameraModel,
    tiles: Sequence[TilePiece],
    rng: np.random.Generator,
    elevation_deg: float | None,
    fill: float | None,
    centred: bool = False,
) -> tuple[Vector, Vector]:
    """A camera that sees the garden, filling about `fill` of the picture."""
    choice = rng.uniform()
    if elevation_deg is None:
        elevation_deg = (
            uniform(rng, 35, 90) if choice < 0.4 else uniform(rng, 36, 62) if choice < 0.85 else uniform(rng, 78, 90)
        )
    fill = fill if fill is not None else uniform(rng, 0.4, 0.95)
    points = np.array([t.centre_mm for t in tiles])
    reach = camera.pieces.tile_across_flats_mm * 0.6
    low, high = points.min(axis=0) - reach, points.max(axis=0) + reach
    middle = np.append((low + high) / 2, 0.0)
    turn, roll = uniform(rng, 0, 2 * np.pi), float(rng.normal(0, np.radians(4)))
    if elevation_deg > 75 and chance(rng, 0.5):
        roll = uniform(rng, 0, 2 * np.pi)
    c, s = np.cos(np.radians(elevation_deg)), np.sin(np.radians(elevation_deg))
    aim = np.array([c * np.cos(turn), c * np.sin(turn), s])
    corners = np.array([(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (0.0, 40.0)])
    span = float(np.hypot(*(high - low)))
    distance = span * camera.fx / camera.width / fill
    rvec, tvec = look_at(middle + aim * distance, middle, roll)
    for _ in range(4):
        view = View(camera, np.asarray(rvec), np.asarray(tvec))
        px = view.project(corners)
        used = max(
            (px[:, 0].max() - px[:, 0].min()) / camera.width, (px[:, 1].max() - px[:, 1].min()) / camera.height, 0.05
        )
        distance = float(np.clip(distance * used / fill, 220.0, 2600.0))
        # Nobody aims perfectly: shift so that the garden stays inside.
        rvec, tvec = look_at(middle + aim * distance, middle, roll)
    slack = 0.0 if centred else max(0.0, 1 - fill) * 0.35
    aside = np.array([rng.uniform(-slack, slack) * camera.width, rng.uniform(-slack, slack) * camera.height])
    shift = aside / camera.fx * distance
    return rvec, (tvec[0] + float(shift[0]), tvec[1] + float(shift[1]), tvec[2])
