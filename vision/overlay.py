"""The picture with what was seen drawn into it, and how surely, for a person to judge."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from companion.games.takenoko.hexgrid import POND, Hex
from companion.games.takenoko.pieces import Colour
from companion.observation import CellBelief, Observation
from vision.geometry import Floats, Image
from vision.labels import WHITE, Ink, Labels, Line
from vision.lattice import Lattice
from vision.pipeline import Sighting
from vision.pose import TablePose
from vision.reading import tile_px

_INK = {Colour.GREEN: (60, 200, 60), Colour.YELLOW: (40, 220, 250), Colour.PINK: (190, 110, 255)}
_WATER, _DOUBT, _DOUBTFUL_WORDS = (255, 160, 40), (60, 60, 255), (90, 225, 255)
_SURE = 0.97
"""What is held less surely is drawn as a doubt."""
_LETTER = 0.1
"""How high letters are, as a share of a tile's width."""
_LEAST_PX, _MOST_PX = 7.0, 30.0
"""Smaller letters cannot be read, larger ones hide the tiles."""
_HEAD = 0.009
"""How high the letters of the remarks are, as a share of the picture's width."""


def overlay(image: Image, sighting: Sighting) -> Image:
    """A copy of the picture with plots, stalks, marks, channels, figures, cards and doubts drawn in.

    A plot's outline has its colour; a second, red outline tells that something about it is doubtful. `1,0: 3` is the
    plot on 1,0 with three sections; `/watershed` is printed, `+watershed` a chip, as in the notation. What is doubtful
    is written in yellow, with a question mark and its probability.

    Args:
        image: uint8 (H, W, 3) BGR.
        sighting: of this picture.
    """
    canvas = np.array(image, dtype=np.uint8)
    seen, pose, lattice = sighting.observation, sighting.pose, sighting.lattice
    labels = Labels(canvas)
    if pose is not None and lattice is not None:
        _draw_lines(canvas, seen, pose, lattice)
    status = seen.status.value + (f": {seen.reason}" if seen.reason else "")
    labels.head([status, *map(str, seen.warnings)], max(_LEAST_PX, _HEAD * image.shape[1]))
    if pose is not None and lattice is not None:
        letter = float(np.clip(_LETTER * tile_px(pose, lattice), _LEAST_PX, _MOST_PX))
        for lines, at in _words(seen, pose, lattice):
            labels.put(lines, at, letter)
    labels.draw()
    return canvas


def _draw_lines(canvas: Image, seen: Observation, pose: TablePose, lattice: Lattice) -> None:
    line = max(1, round(tile_px(pose, lattice) / 40))
    for card in pose.cards:
        _outline(canvas, pose.project(card.corners_mm, 0.0), WHITE, line)
    _outline(canvas, pose.project(lattice.corners_mm(POND, scale=0.94), lattice.z_mm), _WATER, line)
    for at, cell in seen.cells.items():
        if cell.p_absent < 0.5:
            colour = _INK[max(cell.colour_p, key=lambda one: cell.colour_p[one])]
            _outline(canvas, pose.project(lattice.corners_mm(at, scale=0.94), lattice.z_mm), colour, line)
            if any(ink != WHITE for _, ink in _of_plot(cell)):
                _outline(canvas, pose.project(lattice.corners_mm(at, scale=0.86), lattice.z_mm), _DOUBT, 1)
        elif _may_lie(cell):
            _outline(canvas, pose.project(lattice.corners_mm(at, scale=0.8), lattice.z_mm), _DOUBT, 1)
    half = pose.camera.pieces.channel_mm[0] / 2.0
    for edge, belief in seen.edges.items():
        if belief.p < 1 - _SURE:
            continue
        middle, along = lattice.edge_mm(edge)
        step = half * np.array([np.cos(along), np.sin(along)])
        ends = pose.project(np.array([middle - step, middle + step]), lattice.z_mm)
        colour, width = (_WATER if belief.p > 0.5 else _DOUBT), (2 * line if belief.p > _SURE else line)
        cv2.line(canvas, _whole(ends[0]), _whole(ends[1]), colour, width, cv2.LINE_AA)
    pond, east = _centre(pose, lattice, POND), _centre(pose, lattice, Hex(1, 0))
    cv2.arrowedLine(canvas, _whole(pond), _whole((pond + east) / 2), WHITE, line, cv2.LINE_AA, 0, 0.3)


def _words(seen: Observation, pose: TablePose, lattice: Lattice) -> Iterator[tuple[list[Line], Floats]]:
    """What is written where; the first ones stand at their place, later ones give way."""
    for at, cell in seen.cells.items():
        if cell.p_absent < 0.5:
            hidden = [(f"hidden {seen.hidden_cells[at]:.1f}", WHITE)] if at in seen.hidden_cells else []
            yield [*_of_plot(cell), *hidden], np.asarray(cell.centre_px)
    for at, cell in seen.cells.items():
        if cell.p_absent >= 0.5 and _may_lie(cell):
            yield [_line(str(at), 1 - cell.p_absent)], np.asarray(cell.centre_px)
    for name, chances in (("gardener", seen.gardener_p), ("panda", seen.panda_p)):
        if chances:
            at = max(chances, key=lambda cell: chances[cell])
            yield [_line(name, chances[at])], _centre(pose, lattice, at)
    for edge, belief in seen.edges.items():
        if 1 - _SURE <= belief.p <= _SURE:
            yield [_line("", belief.p)], pose.project(lattice.edge_mm(edge)[0][None], lattice.z_mm)[0]
    for at, share in seen.hidden_cells.items():
        if at not in seen.cells or seen.cells[at].p_absent >= 0.5:
            yield [(f"hidden {share:.1f}", WHITE)], _centre(pose, lattice, at)
    yield [("east", WHITE)], (_centre(pose, lattice, POND) + _centre(pose, lattice, Hex(1, 0))) / 2
    for card in pose.cards:
        yield [(f"card {card.id}", WHITE)], pose.project(np.array([card.centre_mm]), 0.0)[0]


def _of_plot(cell: CellBelief) -> list[Line]:
    """Its place and height, its mark, and its colour where that is doubtful."""
    colour = max(cell.colour_p, key=lambda one: cell.colour_p[one])
    marking = max(cell.marking_p, key=lambda one: cell.marking_p[one])
    height = int(np.argmax(cell.bamboo_p))
    lines = [_line(f"{cell.at}: {height}", cell.bamboo_p[height])]
    if marking.improvement is not None:
        lines.append(_line(("+" if marking.chip else "/") + marking.improvement.value, cell.marking_p[marking]))
    elif cell.marking_p[marking] <= _SURE:
        lines.append(_line("no mark", cell.marking_p[marking]))
    if cell.colour_p[colour] <= _SURE:
        lines.append(_line(colour.value, cell.colour_p[colour]))
    return lines


def _line(text: str, p: float) -> Line:
    return (text, WHITE) if p > _SURE else (f"{text}? {p:.2f}", _DOUBTFUL_WORDS)


def _may_lie(cell: CellBelief) -> bool:
    return cell.p_absent < 1 - _SURE / 2


def _centre(pose: TablePose, lattice: Lattice, at: Hex) -> Floats:
    return np.asarray(pose.project(lattice.centre_mm(at)[None], lattice.z_mm)[0])


def _whole(point: Floats) -> tuple[int, int]:
    x, y = np.clip(np.nan_to_num(np.asarray(point, dtype=np.float64)), -30_000, 30_000)
    return round(float(x)), round(float(y))


def _outline(canvas: Image, corners_px: Floats, colour: Ink, width: int) -> None:
    cv2.polylines(canvas, [np.array([_whole(one) for one in corners_px], np.int32)], True, colour, width, cv2.LINE_AA)
