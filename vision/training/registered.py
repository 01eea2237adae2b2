"""The table's pose and lattice of a photo, by the pipeline's own parts, for measuring the networks alone."""

from __future__ import annotations

import numpy as np

from companion.games.takenoko.hexgrid import Hex
from vision.camera_file import CameraModel
from vision.cards import find_cards
from vision.geometry import Floats, Image, View
from vision.honeycomb import find_garden
from vision.lattice import Lattice
from vision.pose import pose_from_cards
from vision.unmarked import pose_from_tiles


def registered(image: Image, camera: CameraModel) -> tuple[View, list[Floats], Lattice, tuple[Hex, ...]] | None:
    """View, card corners on the table, lattice and the cells whose centre is in the picture; None without a garden."""
    pose = pose_from_cards(find_cards(image, camera), camera)
    garden = None
    if pose is not None:
        garden = find_garden(pose, image, [card.corners_mm for card in pose.cards])
    elif (found := pose_from_tiles(image, camera)) is not None:
        pose, garden = found
    if pose is None or garden is None:
        return None
    lattice = garden.lattice
    cells = tuple(lattice.tiles)
    px = pose.project(np.array([lattice.centre_mm(cell) for cell in cells]), lattice.z_mm)
    inside = np.asarray((px >= 0).all(axis=1) & (px < (camera.width, camera.height)).all(axis=1))
    corners = [card.corners_mm for card in pose.cards]
    return pose, corners, lattice, tuple(cell for cell, ok in zip(cells, list(inside), strict=True) if ok)
