"""The picture with what was seen drawn into it, and how surely, for a person to judge."""

from __future__ import annotations

import cv2
import numpy as np

from companion.games.takenoko.hexgrid import POND, Hex
from companion.games.takenoko.pieces import Colour
from companion.observation import NO_MARKING, CellBelief
from vision.geometry import Floats, Image
from vision.lattice import Lattice
from vision.observation_json import plain_marking
from vision.pipeline import Sighting
from vision.pose import TablePose

_INK = {Colour.GREEN: (60, 200, 60), Colour.YELLOW: (40, 220, 250), Colour.PINK: (190, 110, 255)}
_WATER, _WHITE, _BLACK, _DOUBT = (255, 160, 40), (255, 255, 255), (0, 0, 0), (60, 60, 255)
_SURE = 0.97
"""What is held less surely is drawn as a doubt."""


def overlay(image: Image, sighting: Sighting) -> Image:
    """A copy of the picture with plots, stalks, marks, channels, figures, cards and doubts drawn in.

    A plot's outline has its colour; a second, red outline tells that something about it is doubtful, and the text says
    what. `3` beside a stalk is its height, `3?` a doubtful one.

    Args:
        image: uint8 (H, W, 3) BGR.
        sighting: of this picture.
    """
    canvas = np.array(image, dtype=np.uint8)
    seen = sighting.observation
    banner = seen.status.value + (f": {seen.reason}" if seen.reason else "")
    if sighting.pose is not None and sighting.lattice is not None:
        _draw_garden(canvas, sighting, sighting.pose, sighting.lattice)
    for row, line in enumerate((banner, *map(str, seen.warnings))):
        _text(canvas, line, (12, 28 + 26 * row), 0.7)
    return canvas


def _draw_garden(canvas: Image, sighting: Sighting, pose: TablePose, lattice: Lattice) -> None:
    seen = sighting.observation
    for card in pose.cards:
        _outline(canvas, pose.project(card.corners_mm, 0.0), _WHITE, 2)
        _text(canvas, f"card {card.id}", pose.project(np.array([card.centre_mm]), 0.0)[0], 0.5)
    _outline(canvas, pose.project(lattice.corners_mm(POND, scale=0.94), lattice.z_mm), _WATER, 3)
    for at, cell in seen.cells.items():
        if cell.p_absent < 0.5:
            _draw_plot(canvas, pose, lattice, cell)
        elif cell.p_absent < 1 - _SURE / 2:
            _outline(canvas, pose.project(lattice.corners_mm(at, scale=0.8), lattice.z_mm), _DOUBT, 1)
            _text(canvas, f"{at}: {1 - cell.p_absent:.2f}?", cell.centre_px, 0.45)
    half = pose.camera.pieces.channel_mm[0] / 2.0
    for edge, belief in seen.edges.items():
        if belief.p < 1 - _SURE:
            continue
        middle, along = lattice.edge_mm(edge)
        step = half * np.array([np.cos(along), np.sin(along)])
        ends = pose.project(np.array([middle - step, middle + step]), lattice.z_mm)
        colour = _WATER if belief.p > 0.5 else _DOUBT
        cv2.line(canvas, _whole(ends[0]), _whole(ends[1]), colour, 5 if belief.p > _SURE else 2, cv2.LINE_AA)
        if belief.p <= _SURE:
            _text(canvas, f"{belief.p:.2f}", ends.mean(axis=0), 0.4)
    for name, chances, row in (("gardener", seen.gardener_p, 0), ("panda", seen.panda_p, 1)):
        if chances:
            at = max(chances, key=lambda cell: chances[cell])
            centre = pose.project(lattice.centre_mm(at)[None], lattice.z_mm)[0]
            sure = "" if chances[at] > _SURE else f" {chances[at]:.2f}?"
            _text(canvas, name + sure, centre, 0.5, (-30, -34 - 16 * row))
    for at, share in seen.hidden_cells.items():
        _text(canvas, f"hidden {share:.1f}", _centre(pose, lattice, at), 0.4, (-30, 26))
    arrow = np.array([_centre(pose, lattice, POND), _centre(pose, lattice, Hex(1, 0))])
    cv2.arrowedLine(canvas, _whole(arrow[0]), _whole(arrow.mean(axis=0)), _WHITE, 2, cv2.LINE_AA, 0, 0.3)
    _text(canvas, "east", arrow.mean(axis=0), 0.45)


def _draw_plot(canvas: Image, pose: TablePose, lattice: Lattice, cell: CellBelief) -> None:
    colour = max(cell.colour_p, key=lambda one: cell.colour_p[one])
    marking = max(cell.marking_p, key=lambda one: cell.marking_p[one])
    height = int(np.argmax(cell.bamboo_p))
    _outline(canvas, pose.project(lattice.corners_mm(cell.at, scale=0.94), lattice.z_mm), _INK[colour], 3)
    doubts = [
        f"{colour.value[0]} {cell.colour_p[colour]:.2f}" if cell.colour_p[colour] < _SURE else "",
        f"{height} {cell.bamboo_p[height]:.2f}" if cell.bamboo_p[height] < _SURE else "",
        f"{plain_marking(marking)} {cell.marking_p[marking]:.2f}" if cell.marking_p[marking] < _SURE else "",
    ]
    doubt = ", ".join(text for text in doubts if text)
    if doubt:
        _outline(canvas, pose.project(lattice.corners_mm(cell.at, scale=0.86), lattice.z_mm), _DOUBT, 1)
        _text(canvas, doubt + "?", cell.centre_px, 0.4, (-34, 16))
    name = f"{cell.at} {height}" + ("" if marking == NO_MARKING else f" {plain_marking(marking)}")
    _text(canvas, name, cell.centre_px, 0.45, (-34, 0))


def _centre(pose: TablePose, lattice: Lattice, at: Hex) -> Floats:
    return np.asarray(pose.project(lattice.centre_mm(at)[None], lattice.z_mm)[0])


def _whole(point: Floats) -> tuple[int, int]:
    x, y = np.clip(np.nan_to_num(np.asarray(point, dtype=np.float64)), -30_000, 30_000)
    return round(float(x)), round(float(y))


def _outline(canvas: Image, corners_px: Floats, colour: tuple[int, int, int], width: int) -> None:
    cv2.polylines(canvas, [np.array([_whole(one) for one in corners_px], np.int32)], True, colour, width, cv2.LINE_AA)


def _text(
    canvas: Image, text: str, at: Floats | tuple[float, float], size: float, off: tuple[int, int] = (0, 0)
) -> None:
    x, y = _whole(np.asarray(at))
    place = (x + off[0], y + off[1])
    for ink, width in ((_BLACK, 3), (_WHITE, 1)):
        cv2.putText(canvas, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, ink, width, cv2.LINE_AA)
