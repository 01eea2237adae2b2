"""One table for a whole evening: everything that stays while the pieces move, and scenes laid upon it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.games.takenoko.hexgrid import POND, Hex, distance
from companion.games.takenoko.pieces import Figure
from companion.observation import ExpectedLook
from vision.art.look import LOOKS, Look
from vision.camera_file import CameraModel, Pieces
from vision.geometry import View
from vision.simulated.chance import uniform
from vision.simulated.placing import channel_between, stable_tile, standing_place
from vision.simulated.random_scene import random_scene
from vision.simulated.scene import (
    Clutter,
    FigurePiece,
    Grid,
    Hand,
    Imaging,
    Lamp,
    Lighting,
    MarkerCard,
    Mat,
    PieceLook,
    Point,
    Scene,
    TableTop,
    TilePiece,
    Vector,
)


@dataclass(frozen=True, slots=True)
class Setting:
    """Everything of a scene that stays from turn to turn."""

    seed: int
    """Decides how each tile lies, where its stalk stands, and so on: the same hex always gets the same tile."""
    camera: CameraModel
    rvec: Vector
    tvec: Vector
    grid: Grid
    look: Look
    piece_look: PieceLook
    markers: tuple[MarkerCard, ...]
    mat: Mat | None
    table: TableTop
    clutter: tuple[Clutter, ...]
    lighting: Lighting
    imaging: Imaging
    loose_mm: float
    """How far tiles lie from their ideal places (standard deviation)."""
    loose_turn: float
    """How far they are turned (standard deviation, radians)."""


def disc(radius: int) -> tuple[Hex, ...]:
    """The pond and every cell within so many steps."""
    span = range(-radius, radius + 1)
    return tuple(Hex(q, r) for q in span for r in span if distance(POND, Hex(q, r)) <= radius)


def calm(imaging: Imaging, rng: np.random.Generator) -> Imaging:
    """The imaging of a camera that was set up with some care."""
    return replace(
        imaging,
        exposure=uniform(rng, 0.55, 1.0),
        defocus_px=min(imaging.defocus_px, 0.7),
        motion_px=(0.0, 0.0),
        noise=min(imaging.noise, 4.0),
        chroma_noise=min(imaging.chroma_noise, 2.0),
        jpeg=92,
    )


_CARDS_WANTED = 3
_TRIES = 30


def _cards_in_sight(scene: Scene) -> int:
    """How many marker cards lie wholly in the picture, whatever may stand before them."""
    view = View(scene.camera, np.asarray(scene.rvec), np.asarray(scene.tvec))
    reach = scene.camera.markers.size_mm * 0.75
    count = 0
    for card in scene.markers:
        square = np.asarray(card.centre_mm) + reach * np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]])
        px = view.project(square, 0.0)
        count += bool((px > 0).all() and (px < (scene.camera.width, scene.camera.height)).all())
    return count


def random_setting(
    rng: np.random.Generator,
    cells: Sequence[Hex],
    *,
    width: int = 1640,
    height: int = 1232,
    look: str | None = None,
    elevation_deg: float | None = None,
    pieces: Pieces | None = None,
    fill: float | None = None,
    centred: bool = False,
) -> Setting:
    """A table drawn at random whose camera sees all of these cells (the pond among them) and, mostly, three cards."""

    def drawn() -> Scene:
        return random_scene(
            rng,
            width=width,
            height=height,
            cells=cells,
            look=look,
            elevation_deg=elevation_deg if elevation_deg is not None else uniform(rng, 44, 64),
            fill=fill if fill is not None else uniform(rng, 0.6, 0.9),
            hand=False,
            pieces=pieces,
            centred=centred,
        )

    scene, tries = drawn(), 1
    while _cards_in_sight(scene) < _CARDS_WANTED and tries < _TRIES:
        scene, tries = drawn(), tries + 1
    return Setting(
        seed=int(rng.integers(2**31)),
        camera=scene.camera,
        rvec=scene.rvec,
        tvec=scene.tvec,
        grid=scene.grid,
        look=scene.look,
        piece_look=scene.piece_look,
        markers=scene.markers,
        mat=scene.mat,
        table=scene.table,
        clutter=scene.clutter,
        lighting=scene.lighting,
        imaging=calm(scene.imaging, rng),
        loose_mm=uniform(rng, 0.1, 0.8),
        loose_turn=float(np.radians(uniform(rng, 0.2, 1.2))),
    )


def plain_setting(seed: int = 1, *, width: int = 1280, height: int = 960, look: str = "painted") -> Setting:
    """The friendly table of the demo: soft light, a calm camera at about 52 degrees, loose marker cards.

    Args:
        seed: another table each.
        width: columns of the picture.
        height: rows of the picture.
        look: a name of `vision.art.look.LOOKS`.
    """
    rng = np.random.default_rng(seed)
    setting = random_setting(
        rng,
        disc(3),
        width=width,
        height=height,
        look=look,
        elevation_deg=52.0,
        fill=0.82,
        pieces=Pieces(),
        centred=True,
    )
    view = View(setting.camera, np.asarray(setting.rvec), np.asarray(setting.tvec))
    # Cards lie where a garden seldom comes: near the picture's corners.
    inset = np.array([[0.13, 0.12], [0.87, 0.12], [0.9, 0.86], [0.1, 0.86]]) * (width, height)
    cards = tuple(
        MarkerCard(number, (float(x), float(y)), uniform(rng, 0, 2 * np.pi), setting.camera.markers.size_mm * 1.35)
        for number, (x, y) in enumerate(view.to_plane(inset).tolist())
    )
    eye = view.eye_mm / np.linalg.norm(view.eye_mm)
    beside = np.array([-eye[1], eye[0], 0.0]) * 1100 + eye * (200, 200, 0) + (0, 0, 1500)
    lamp = Lamp((float(beside[0]), float(beside[1]), float(beside[2])), (0.5, 0.55, 0.6), 0.035)
    return replace(
        setting,
        look=LOOKS[look],
        # Fewer faces: the demo needs ten pictures a second while pieces move.
        piece_look=replace(setting.piece_look, around=16, gardener="cone_hat", panda="seated"),
        markers=cards,
        mat=None,
        table=replace(setting.table, kind="wood", gloss=(0.05, 30.0), extent_mm=(-2000.0, -2000.0, 2000.0, 2000.0)),
        clutter=(),
        lighting=Lighting((lamp,), (0.4, 0.4, 0.4)),
        imaging=Imaging(exposure=0.85, defocus_px=0.5, noise=1.6, chroma_noise=0.8, noise_blur_px=0.4, jpeg=None),
    )


def _tile(setting: Setting, at: Hex) -> TilePiece:
    rng = np.random.default_rng((setting.seed, at.q + 100, at.r + 100))
    return stable_tile(at, setting.grid, setting.camera.pieces, rng, setting.loose_mm, setting.loose_turn)


def _figure(
    setting: Setting, which: Figure, at: Hex | None, tiles: Mapping[Hex, TilePiece], taken: Sequence[Point]
) -> FigurePiece | None:
    """A figure on its tile, always at the same place there and clear of where a stalk stands or will stand."""
    if at is None or at not in tiles:
        return None
    rng = np.random.default_rng((setting.seed, at.q + 100, at.r + 100, list(Figure).index(which)))
    pieces = setting.camera.pieces
    reach = pieces.gardener_mm * 0.25 if which is Figure.GARDENER else pieces.panda_mm * 0.35
    tile = tiles[at] if at == POND else replace(tiles[at], bamboo=1)
    return FigurePiece(at, standing_place(tile, pieces, reach, rng, taken), uniform(rng, 0, 2 * np.pi))


def scene_from_look(
    look: ExpectedLook, setting: Setting, *, hand: Hand | None = None, lying: Mapping[Hex, int] | None = None
) -> Scene:
    """The garden that this look describes, laid on the setting's table.

    Args:
        look: what lies there; up to five sections may stand on a plot.
        setting: the table.
        hand: a hand that reaches in.
        lying: by cell, how many sections lie on their sides there.
    """
    tiles = {POND: _tile(setting, POND)}
    for at, plot in sorted(look.plots.items()):
        tiles[at] = replace(
            _tile(setting, at),
            colour=plot.colour,
            improvement=plot.marking.improvement,
            chip=plot.marking.chip,
            bamboo=plot.bamboo,
            lying=(lying or {}).get(at, 0),
        )
    channels = []
    for edge in sorted(look.channels):
        rng = np.random.default_rng((setting.seed, *(v + 100 for cell in edge for v in cell)))
        ends = [tiles.get(cell) or _tile(setting, cell) for cell in edge]
        channels.append(channel_between(ends[0], ends[1], edge, rng))
    gardener = _figure(setting, Figure.GARDENER, look.gardener, tiles, ())
    panda = _figure(setting, Figure.PANDA, look.panda, tiles, () if gardener is None else (gardener.stand_mm,))
    return Scene(
        camera=setting.camera,
        rvec=setting.rvec,
        tvec=setting.tvec,
        grid=setting.grid,
        look=setting.look,
        piece_look=setting.piece_look,
        tiles=tuple(tiles.values()),
        channels=tuple(channels),
        gardener=gardener,
        panda=panda,
        markers=setting.markers,
        mat=setting.mat,
        table=setting.table,
        clutter=setting.clutter,
        hand=hand,
        lighting=setting.lighting,
        imaging=setting.imaging,
    )


def reaching_hand(setting: Setting, at: Hex, rng: np.random.Generator) -> Hand:
    """A hand over a cell, coming from somewhere around the table."""
    x, y = setting.grid.centre_mm(at)
    return Hand((x, y, uniform(rng, 5, 45)), uniform(rng, 0, 2 * np.pi), int(rng.integers(2**31)))
