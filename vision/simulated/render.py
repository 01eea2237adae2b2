"""From a scene to its picture and to the truth about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import View
from vision.simulated.assemble import Bodies, Workshop
from vision.simulated.imaging import developed, noisy
from vision.simulated.light import light_canvas, light_in_picture, on_ground, shine_in_picture, window_light
from vision.simulated.planes import blend, build_layers, decal_warped, lay
from vision.simulated.raster import SUPERSAMPLING, FaceBuffer, draw_faces, shade_faces
from vision.simulated.scene import Grid, Scene
from vision.simulated.truth import scene_truth

Image = NDArray[np.uint8]

_TO_LINEAR = ((np.arange(256) / 255.0) ** 2.2).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Rendered:
    """One picture and all that is true about it.

    Attributes:
        image: (H, W, 3) uint8 BGR.
        clean: the same before noise and JPEG.
        truth: as in `NAME.truth.json`.
        view: the true camera over the table.
        grid: the true lattice.
        ids: (H, W) int32: 0 for level parts, else a body's number.
        names: body numbers by name.
    """

    image: Image
    clean: Image
    truth: dict[str, Any]
    view: View
    grid: Grid
    ids: NDArray[np.int32]
    names: Mapping[str, int]


def view_of(scene: Scene) -> View:
    """The scene's camera over its table."""
    return View(scene.camera, np.asarray(scene.rvec, np.float64), np.asarray(scene.tvec, np.float64))


def _paint_faces(light: NDArray[np.float32], buffer: FaceBuffer, colours: NDArray[np.float32]) -> None:
    """Put the shaded faces over the level parts, smoothing their edges, in place."""
    s = SUPERSAMPLING
    rows = np.flatnonzero(buffer.faces.any(axis=1))
    if not len(rows):
        return
    top, bottom = int(rows[0]) // s, int(rows[-1]) // s + 1
    part = buffer.faces[top * s : bottom * s]
    corners = [part[i::s, j::s] for i in range(s) for j in range(s)]
    touched = corners[0] | corners[1] | corners[2] | corners[3]
    at = np.flatnonzero(touched)
    table = np.concatenate(
        [np.zeros((1, 4), np.float32), np.column_stack([colours, np.ones(len(colours), np.float32)])]
    )
    table = table.astype(np.float32)
    total = np.zeros((len(at), 4), np.float32)
    for corner in corners:
        total += table[corner.reshape(-1)[at]]
    total /= s * s
    flat = light[top:bottom].reshape(-1, 3)
    flat[at] = flat[at] * (1 - total[:, 3:]) + total[:, :3]


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """The level parts in the picture.

    Attributes:
        surface: (H, W, 3) float32, the share of light they send back, linear BGR.
        gleam: (H, W, 3) float32, what they mirror of the lamps, whatever lies in shadow.
        mean: (3,) mean of the surface.
    """

    surface: NDArray[np.float32]
    gleam: NDArray[np.float32]
    mean: NDArray[np.float32]


def _level(scene: Scene, view: View, things: Bodies) -> Level:
    size = (scene.camera.height, scene.camera.width)
    albedo: Image = np.zeros((*size, 3), np.uint8)
    gloss: Image = np.zeros(size, np.uint8)
    for layer in build_layers(scene, view):
        lay(albedo, gloss, view, layer)
    for decal in things.decals:
        placed = decal_warped(view, decal, size)
        if placed is not None:
            (x0, y0, x1, y1), patch = placed
            blend(albedo[y0:y1, x0:x1], gloss[y0:y1, x0:x1], patch, 0.02)
    surface = np.asarray(cv2.LUT(albedo, _TO_LINEAR), np.float32)
    shine = shine_in_picture(view, scene.lighting, scene.table.gloss[1], size)
    gleam = cv2.multiply(shine, cv2.merge([gloss] * 3), scale=1 / 255, dtype=cv2.CV_32F)
    mean = np.asarray(surface[::8, ::8].mean(axis=(0, 1)), np.float32)
    return Level(surface, np.asarray(gleam, np.float32), mean)


def _level_key(scene: Scene) -> tuple[object, ...]:
    """All that the level parts depend on."""
    bare = tuple(replace(tile, bamboo=0, lying=0) for tile in scene.tiles)
    return (
        scene.camera, scene.rvec, scene.tvec, scene.look, bare, scene.markers, scene.mat, scene.table, scene.clutter,
        scene.lighting,
    )  # fmt: skip


class Renderer:
    """Renders scenes one after another, and keeps what the last one left unchanged."""

    def __init__(self) -> None:
        self._workshop = Workshop()
        self._key: tuple[object, ...] | None = None
        self._level: Level | None = None

    def light(self, scene: Scene) -> tuple[NDArray[np.float32], FaceBuffer, Bodies, View]:
        """The light that reaches the sensor, (H, W, 3) linear BGR, and what is seen where."""
        view = view_of(scene)
        size = (scene.camera.height, scene.camera.width)
        things = self._workshop.gather(scene)
        key = _level_key(scene)
        if self._level is None or key != self._key:
            self._level, self._key = _level(scene, view, things), key
        level = self._level
        thick = scene.camera.pieces.tile_thickness_mm
        falling = light_in_picture(
            view, light_canvas(things.casters, scene.lighting, scene.grid.origin_mm, thick), size
        )
        light = np.asarray(cv2.multiply(level.surface, falling), np.float32)
        cv2.add(light, level.gleam, light)
        if things.mesh is None:
            rows, columns = size[0] * SUPERSAMPLING, size[1] * SUPERSAMPLING
            nothing = FaceBuffer(np.zeros((rows, columns), np.int32), np.zeros(1, np.int32))
            return light, nothing, things, view
        buffer = draw_faces(view, things.mesh, things.owner, size)
        centres = things.mesh.quads.mean(axis=1)
        windows = np.stack([window_light(lamp, on_ground(lamp, centres)) for lamp in scene.lighting.lamps])
        colours = shade_faces(
            view, things.mesh, things.owner, things.capsule_owner, scene.lighting, level.mean, windows
        )
        _paint_faces(light, buffer, colours)
        owners = buffer.bodies() if things.topped else None
        for body, decal in things.topped:
            placed = decal_warped(view, decal, size)
            if placed is not None and owners is not None:
                (x0, y0, x1, y1), patch = placed
                share = patch[..., 3:].astype(np.float32) / 255 * (owners[y0:y1, x0:x1, None] == body)
                face = cv2.LUT(np.ascontiguousarray(patch[..., :3]), _TO_LINEAR) * falling[y0:y1, x0:x1]
                light[y0:y1, x0:x1] = light[y0:y1, x0:x1] * (1 - share) + face * share
        return light, buffer, things, view

    def render(self, scene: Scene, rng: np.random.Generator) -> Rendered:
        """One picture of the scene, with fresh noise, and its truth."""
        light, buffer, things, view = self.light(scene)
        clean = developed(light, scene.imaging)
        image = noisy(clean, scene.imaging, rng)
        truth = scene_truth(scene, view, buffer, things)
        return Rendered(image, clean, truth, view, scene.grid, buffer.bodies(), things.names)


def render(scene: Scene, rng: np.random.Generator) -> Rendered:
    """One picture of the scene, with fresh noise, and its truth."""
    return Renderer().render(scene, rng)
