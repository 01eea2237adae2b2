"""The level parts of a scene: the table, its mat and cards, the tiles and chips, drawn from above and then warped."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.pieces import Improvement
from vision.art.look import BadgeLook, Look
from vision.art.symbols import over, pasted, premultiplied
from vision.art.tiles import badge, plot_tile, pond_tile, tile_mask
from vision.geometry import View, rotation_2d
from vision.simulated.clutter import Decal
from vision.simulated.scene import MarkerCard, Mat, Scene, TableTop, TilePiece
from vision.simulated.textures import coloured, noise, table_texture

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
_STEP = 16
_SIDE_PX = 0.8
"""Sides of tiles that show fewer pixels than this are drawn once, not twice."""
CHIP_MM = 1.8
"""How thick a loose chip is."""
_TABLE_MM = 2000.0
_TABLE_PPM = 0.6


@dataclass(frozen=True, slots=True, eq=False)
class Canvas:
    """A picture of a level rectangle seen from above, its rows running against y.

    Attributes:
        picture: BGR or premultiplied BGRA.
        left_mm: x of the left edge.
        top_mm: y of the upper edge.
        ppm: pixels per millimetre.
        z_mm: height above the table.
        turn: radians by which the rectangle is turned about the table's origin, counter-clockwise.
    """

    picture: Image
    left_mm: float
    top_mm: float
    ppm: float
    z_mm: float
    turn: float = 0.0

    def to_px(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Column and row of a table point."""
        return (x_mm - self.left_mm) * self.ppm - 0.5, (self.top_mm - y_mm) * self.ppm - 0.5


def empty_canvas(bounds: tuple[float, float, float, float], ppm: float, z_mm: float) -> Canvas:
    """A clear BGRA canvas over left, bottom, right, top (mm)."""
    left, bottom, right, top = bounds
    shape = (max(2, int((top - bottom) * ppm)), max(2, int((right - left) * ppm)), 4)
    return Canvas(np.zeros(shape, np.uint8), left, top, ppm, z_mm)


def plane_map(view: View, canvas: Canvas, roi: tuple[int, int, int, int], shrink: int = 1) -> Floats:
    """For each pixel of the picture's region (x0, y0, x1, y1), where it falls on the canvas: (h, w, 2).

    With `shrink` only every so many pixels are answered.
    """
    x0, y0, x1, y1 = roi
    step = _STEP // shrink
    columns, rows = -(-(x1 - x0) // shrink), -(-(y1 - y0) // shrink)
    middle = (shrink - 1) / 2
    xs = (np.arange(0, columns + step, step) * shrink + x0 + middle).astype(np.float64)
    ys = (np.arange(0, rows + step, step) * shrink + y0 + middle).astype(np.float64)
    at = view.to_plane(np.stack(np.meshgrid(xs, ys), axis=-1), canvas.z_mm)
    if canvas.turn:
        at = at @ rotation_2d(canvas.turn)
    px = np.stack(
        [(at[..., 0] - canvas.left_mm) * canvas.ppm - 0.5, (canvas.top_mm - at[..., 1]) * canvas.ppm - 0.5], axis=-1
    )
    px = np.nan_to_num(px, nan=-1e5).clip(-1e5, 1e5).astype(np.float32)
    # Node i must land on pixel step * i: a warp by the step does just that.
    scale = np.array([[1.0 / step, 0.0, 0.0], [0.0, 1.0 / step, 0.0]])
    return np.asarray(cv2.warpAffine(px, scale, (columns, rows), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP))


def remapped(picture: NDArray[Any], at: Floats, border: int, outside: tuple[int, int, int] = (0, 0, 0)) -> NDArray[Any]:
    """The picture's values at the places `at` (H, W, 2), interpolated."""
    taken = cv2.remap(picture, at, None, cv2.INTER_LINEAR, borderMode=border, borderValue=outside)  # type: ignore[call-overload]
    return np.asarray(taken)


def seen_part(view: View, canvas: Canvas) -> tuple[int, int, int, int] | None:
    """The picture's region (x0, y0, x1, y1) that a canvas can reach, or None."""
    h, w = canvas.picture.shape[:2]
    right, bottom = canvas.left_mm + w / canvas.ppm, canvas.top_mm - h / canvas.ppm
    xs, ys = np.linspace(canvas.left_mm, right, 5), np.linspace(bottom, canvas.top_mm, 5)
    corners = np.array([(x, y, canvas.z_mm) for x in xs for y in ys])
    if view.depth_mm(corners).min() < 10:
        return 0, 0, view.camera.width, view.camera.height
    px = view.project(corners)
    x0, y0 = np.floor(px.min(axis=0)).astype(int) - 2
    x1, y1 = np.ceil(px.max(axis=0)).astype(int) + 3
    region = max(0, int(x0)), max(0, int(y0)), min(view.camera.width, int(x1)), min(view.camera.height, int(y1))
    return region if region[2] > region[0] and region[3] > region[1] else None


@lru_cache(maxsize=4)
def _table_canvas(table: TableTop) -> Canvas:
    size = int(_TABLE_MM * _TABLE_PPM)
    texture = table_texture(table.kind, table.seed, size, _TABLE_PPM)
    left, bottom, right, upper = (int(np.clip((v + _TABLE_MM / 2) * _TABLE_PPM, 0, size)) for v in table.extent_mm)
    if (left, bottom, right, upper) != (0, 0, size, size):
        rng = np.random.default_rng(table.seed + 1)
        floor = np.asarray(table.room, np.float32) * np.exp(0.3 * noise((60, 60), (8, 3), rng))[..., None]
        whole = np.asarray(cv2.resize(np.clip(floor, 0, 255).astype(np.uint8), (size, size)), np.uint8)
        rows, columns = slice(size - upper, size - bottom), slice(left, right)
        whole[rows, columns] = texture[rows, columns]
        texture = whole
    return Canvas(texture, -_TABLE_MM / 2, _TABLE_MM / 2, _TABLE_PPM, 0.0, table.angle)


def _paste_mat(canvas: Canvas, mat: Mat) -> None:
    rng = np.random.default_rng(mat.seed)
    w, h = (max(2, int(v * canvas.ppm)) for v in mat.size_mm)
    light = np.float32(mat.texture) * (
        0.5 * noise((h, w), (1.3 * canvas.ppm, 1.3 * canvas.ppm), rng)
        + 0.5 * noise((h, w), (50 * canvas.ppm, 50 * canvas.ppm), rng)
    )
    sheet = np.asarray(cv2.cvtColor(coloured(mat.colour, light), cv2.COLOR_BGR2BGRA), np.uint8)
    if mat.line is not None:
        inset = int(rng.uniform(4, 10) * canvas.ppm)
        cv2.rectangle(sheet, (inset, inset), (w - inset, h - inset), (*mat.line, 255), max(1, round(0.5 * canvas.ppm)))
    sheet = np.asarray(cv2.copyMakeBorder(sheet, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=(0, 0, 0, 0)), np.uint8)
    pasted(canvas.picture, sheet, canvas.to_px(*mat.centre_mm), sheet.shape[1], mat.angle)


@lru_cache(maxsize=64)
def marker_picture(dictionary: str, marker: int, size_mm: float, card_mm: float) -> Image:
    """One marker, on its white card where it has one: BGRA."""
    code = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    cells = code.markerSize + 2
    black = np.asarray(cv2.aruco.generateImageMarker(code, marker, cells * 12, borderBits=1))
    margin = 2 if card_mm <= size_mm else round(len(black) * (card_mm / size_mm - 1) / 2)
    grey = cv2.copyMakeBorder(black, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=255)
    picture = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGRA)
    # Ink is never quite black and paper never quite white.
    picture[..., :3] = np.where(picture[..., :3] < 128, 28, 240)
    if card_mm <= size_mm:
        picture[:2, :, 3] = picture[-2:, :, 3] = 0
        picture[:, :2, 3] = picture[:, -2:, 3] = 0
    return np.asarray(cv2.copyMakeBorder(picture, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=(0, 0, 0, 0)), np.uint8)


def _paste_marker(canvas: Canvas, card: MarkerCard, scene: Scene) -> None:
    markers = scene.camera.markers
    picture = marker_picture(markers.dictionary, card.marker, markers.size_mm, card.card_mm)
    cells = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, markers.dictionary)).markerSize + 2
    width_mm = picture.shape[1] * markers.size_mm / (cells * 12)
    pasted(canvas.picture, picture, canvas.to_px(*card.centre_mm), width_mm * canvas.ppm, card.angle)


@lru_cache(maxsize=512)
def _tile_picture(look: _Keyed, tile: TilePiece, across: float, ppm: float) -> Image:
    rng = np.random.default_rng(tile.seed)
    printed: Improvement | None = None if tile.chip else tile.improvement
    if tile.colour is None:
        art = pond_tile(look.look, across, ppm, rng)
    else:
        art = plot_tile(look.look, tile.colour, printed, across, ppm, rng, tile.badge_turn)
    return np.dstack([art, tile_mask(across, ppm)])


class _Keyed:
    """A look under the key that is passed beside it, so that drawn tiles can be kept."""

    __slots__ = ("look",)

    def __init__(self, look: Look) -> None:
        self.look = look

    def __hash__(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Keyed) and other.look is self.look


def _bare(tile: TilePiece) -> TilePiece:
    """The tile without what stands or lies on it, for the key of its picture."""
    printed = None if tile.chip else tile.improvement
    return TilePiece(tile.at, (0.0, 0.0), 0.0, tile.colour, printed, seed=tile.seed, badge_turn=tile.badge_turn)


def _paste_chip(canvas: Canvas, tile: TilePiece, look: BadgeLook, style: str, chip_mm: float, flat: bool) -> None:
    if tile.improvement is None:
        return
    picture = badge(look, tile.improvement, style)
    if flat:
        picture = picture.copy()
        frame = np.asarray(look.frame[tile.improvement], np.float32) * 0.75
        picture[..., :3] = frame.astype(np.uint8)
    at = tile.centre_mm[0] + tile.chip_at_mm[0], tile.centre_mm[1] + tile.chip_at_mm[1]
    pasted(canvas.picture, picture, canvas.to_px(*at), chip_mm / 0.97 * canvas.ppm, tile.chip_turn)


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """One level picture and how much it shines."""

    canvas: Canvas
    gloss: float


def _ramp(colour: Floats) -> Image:
    """A table from bytes of alpha to premultiplied BGRA of one colour, (1, 256, 4)."""
    share = np.arange(256, dtype=np.float32)[:, None] / 255
    return np.asarray(share * np.append(colour, 255.0), np.uint8)[None]


def _bounds(points: list[tuple[float, float]], margin: float) -> tuple[float, float, float, float]:
    at = np.asarray(points)
    (left, bottom), (right, top) = at.min(axis=0) - margin, at.max(axis=0) + margin
    return float(left), float(bottom), float(right), float(top)


def build_layers(scene: Scene, view: View) -> list[Layer]:
    """All level pictures from the table upwards; the first is opaque."""
    pieces = scene.camera.pieces
    across, thick = pieces.tile_across_flats_mm, pieces.tile_thickness_mm
    garden = [t.centre_mm for t in scene.tiles]
    middle = np.asarray(garden).mean(axis=0)
    scale = view.px_per_mm((float(middle[0]), float(middle[1]), 0.0)) * 1.1
    gloss = scene.table.gloss[0]
    tile_gloss = gloss * 0.3 + scene.piece_look.gloss[0] * 0.25
    layers = [Layer(_table_canvas(scene.table), gloss)]
    corner = across / np.sqrt(3)
    paper: list[tuple[float, float]] = [c.centre_mm for c in scene.markers]
    reach = scene.camera.markers.size_mm * 1.3
    if scene.mat is not None:
        c, s = np.cos(scene.mat.angle), np.sin(scene.mat.angle)
        half = np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]]) * np.asarray(scene.mat.size_mm) / 2
        paper.extend(map(tuple, (half @ np.array([[c, s], [-s, c]]) + scene.mat.centre_mm).tolist()))
    bounds = _bounds(garden, corner + 12)
    ground = empty_canvas(_bounds([*paper, *garden], max(reach, corner + 12)), scale, 0.0)
    if scene.mat is not None:
        _paste_mat(ground, scene.mat)
    for card in scene.markers:
        _paste_marker(ground, card, scene)
    tops = empty_canvas(bounds, scale, thick)
    for tile in scene.tiles:
        picture = _tile_picture(_Keyed(scene.look), _bare(tile), across, scale)
        pasted(tops.picture, picture, tops.to_px(*tile.centre_mm), float(picture.shape[1]), tile.turn)
    # The tiles' sides: their outlines in the edge's colour, on the table and half way up. A thin dark seam runs
    # around each tile, for the table gets little light there.
    outline = np.ascontiguousarray(tops.picture[..., 3])
    edge = np.asarray(scene.look.edge, np.float32) * 0.7
    side = np.asarray(cv2.LUT(cv2.merge([outline] * 4), _ramp(edge)), np.uint8)
    seam = np.zeros_like(side)
    seam[..., 3] = cv2.convertScaleAbs(cv2.GaussianBlur(outline, (0, 0), 1.6 * scale), alpha=0.55)
    column, row = (round(v) for v in ground.to_px(tops.left_mm, tops.top_mm))
    below = ground.picture[row : row + side.shape[0], column : column + side.shape[1]]
    for patch in (seam, side):
        over(below, np.ascontiguousarray(patch[: below.shape[0], : below.shape[1]]))
    layers.append(Layer(ground, 0.02 + 0.2 * gloss))
    if thick * scale * np.cos(np.radians(view.elevation_deg())) > _SIDE_PX:
        layers.append(Layer(Canvas(side, tops.left_mm, tops.top_mm, scale, thick * 0.5), 0.0))
    layers.append(Layer(tops, tile_gloss))
    with_chip = [t for t in scene.tiles if t.chip and t.improvement is not None]
    if with_chip:
        chip_bounds = _bounds([t.centre_mm for t in with_chip], corner)
        for height, flat in ((thick + 0.6, True), (thick + CHIP_MM, False)):
            chips = empty_canvas(chip_bounds, scale, height)
            for tile in with_chip:
                if tile.improvement is not None:
                    _paste_chip(
                        chips, tile, scene.look.chip, scene.look.symbols[tile.improvement], pieces.chip_mm, flat
                    )
            layers.append(Layer(chips, 0.02))
    return layers


def lay(albedo: Image, gloss: Image, view: View, layer: Layer) -> None:
    """Warp one layer onto the picture of surface colours and onto that of gloss (bytes), in place."""
    canvas = layer.canvas
    if canvas.picture.shape[2] == 3:
        whole = (0, 0, albedo.shape[1], albedo.shape[0])
        b, g, r = (int(v) for v in canvas.picture[0, 0])
        albedo[:] = remapped(canvas.picture, plane_map(view, canvas, whole), cv2.BORDER_CONSTANT, (b, g, r))
        gloss[:] = min(255, round(layer.gloss * 255))
        return
    roi = seen_part(view, canvas)
    if roi is None:
        return
    x0, y0, x1, y1 = roi
    warped = np.asarray(remapped(canvas.picture, plane_map(view, canvas, roi), cv2.BORDER_CONSTANT), np.uint8)
    blend(albedo[y0:y1, x0:x1], gloss[y0:y1, x0:x1], warped, layer.gloss)


def blend(albedo: Image, gloss: Image, patch: Image, shine: float) -> None:
    """Premultiplied BGRA over a picture and its gloss, in place."""
    alpha = np.ascontiguousarray(patch[..., 3])
    over(albedo, patch)
    gloss[:] = cv2.addWeighted(cv2.multiply(gloss, 255 - alpha, scale=1 / 255), 1.0, alpha, shine, 0.0)


def decal_warped(view: View, decal: Decal, size: tuple[int, int]) -> tuple[tuple[int, int, int, int], Image] | None:
    """A decal in the picture: its region (x0, y0, x1, y1) and premultiplied BGRA there; None if out of sight."""
    h, w = decal.picture.shape[:2]
    half = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * (decal.width_mm / 2, decal.width_mm * h / w / 2)
    c, s = np.cos(decal.angle), np.sin(decal.angle)
    corners = np.column_stack([half @ np.array([[c, s], [-s, c]]) + decal.centre_mm, np.full(4, decal.z_mm)])
    if view.depth_mm(corners).min() < 20:
        return None
    px = view.project(corners)
    x0, y0 = np.maximum(np.floor(px.min(axis=0)).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(px.max(axis=0)).astype(int) + 1, (size[1], size[0]))
    if x1 <= x0 or y1 <= y0:
        return None
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, (px - (x0, y0)).astype(np.float32))
    region = (int(x1 - x0), int(y1 - y0))
    warped = np.asarray(
        cv2.warpPerspective(premultiplied(decal.picture), matrix, region, flags=cv2.INTER_LINEAR), np.uint8
    )
    return (int(x0), int(y0), int(x1), int(y1)), warped
