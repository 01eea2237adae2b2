"""Markers and the calibration board as black boxes, so that they print sharp at any resolution. Millimetres, y down."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.calibration import BOARD_SQUARES, SQUARE_MM, charuco_board
from vision.camera_file import Markers


@dataclass(frozen=True, slots=True)
class BlackBox:
    """One black rectangle."""

    left: float
    top: float
    width: float
    height: float


def marker_boxes(markers: Markers, marker_id: int) -> tuple[BlackBox, ...]:
    """One marker, its black border included: the top left corner of the border at the origin.

    Args:
        markers: dictionary and size of the black square.
        marker_id: which.
    """
    dictionary = cv2.aruco.getPredefinedDictionary(int(getattr(cv2.aruco, markers.dictionary)))
    return _boxes(dictionary, marker_id, markers.size_mm)


def board_boxes() -> tuple[BlackBox, ...]:
    """The calibration board, its top left corner at the origin."""
    board = charuco_board()
    columns, rows = BOARD_SQUARES
    boxes: list[BlackBox] = []
    taken = set()
    for corners, marker_id in zip(board.getObjPoints(), np.asarray(board.getIds()).ravel(), strict=True):
        left, top = (float(value) for value in np.asarray(corners)[0][:2])
        side = float(np.asarray(corners)[1][0]) - left
        taken.add((int(left // SQUARE_MM), int(top // SQUARE_MM)))
        for box in _boxes(board.getDictionary(), int(marker_id), side):
            boxes.append(BlackBox(left + box.left, top + box.top, box.width, box.height))
    boxes += [
        BlackBox(column * SQUARE_MM, row * SQUARE_MM, SQUARE_MM, SQUARE_MM)
        for row in range(rows)
        for column in range(columns)
        if (column, row) not in taken
    ]
    return tuple(boxes)


def _boxes(dictionary: cv2.aruco.Dictionary, marker_id: int, side_mm: float) -> tuple[BlackBox, ...]:
    """Runs of black modules, row by row; a run reaches a little into the next row so that no white hairline shows."""
    modules = dictionary.markerSize + 2
    image = np.asarray(cv2.aruco.generateImageMarker(dictionary, marker_id, modules, borderBits=1))
    step = side_mm / modules
    boxes = []
    for row in range(modules):
        column = 0
        while column < modules:
            end = column
            while end < modules and image[row, end] == 0:
                end += 1
            if end > column:
                below = row + 1 < modules and bool((image[row + 1, column:end] == 0).all())
                boxes.append(BlackBox(column * step, row * step, (end - column) * step, step * (1.05 if below else 1)))
            column = end + 1
    return tuple(boxes)
