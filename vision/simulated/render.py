"""From a scene to its picture and to the truth about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import View
from vision.simulated import bodies, clutter, hands
from vision.simulated.clutter import Decal
from vision.simulated.imaging import developed, noisy
from vision.simulated.light import light_canvas, light_in_picture, on_ground, shine_in_picture, window_light
from vision.simulated.planes import blend, build_layers, decal_warped, lay
from vision.simulated.raster import SUPERSAMPLING, FaceBuffer, draw_faces, shade_faces
from vision.simulated.scene import Grid, Scene
from vision.simulated.solids import Mesh, joined
from vision.simulated.truth import scene_truth

Image = NDArray[np.uint8]

_TO_LINEAR = ((np.arange(256) / 255.0) ** 2.2).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """Every body of a scene as one mesh, and whose each face is.

    Attributes:
        mesh: all faces.
        owner: (N,) body of each face, from 1.
        capsule_owner: (M,) body of each capsule.
        names: body numbers by name: `stalk:1,0`, `channel:1,0|0,1`, `gardener`, `panda`, `hand`, `thing:0`.
        decals: pictures lying flat.
        topped: pictures lying on a body, with its number.
    """

    mesh: Mesh | None
    owner: NDArray[np.int32]
    capsule_owner: NDArray[np.int32]
    names: Mapping[str, int]
    decals: tuple[Decal, ...]
    topped: tuple[tuple[int, Decal], ...]


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


def build_bodies(scene: Scene) -> Bodies:
    """Make every body of the scene."""
    pieces, look = scene.camera.pieces, scene.piece_look
    parts: list[tuple[str, Mesh]] = []
    decals: list[Decal] = []
    topped: list[tuple[str, Decal]] = []
    for tile in scene.tiles:
        body = bodies.stalk(tile, pieces, look, np.random.default_rng((tile.seed, 1)))
        if body is not None:
            parts.append((f"stalk:{tile.at}", body))
    for number, piece in enumerate(scene.channels):
        rng = np.random.default_rng((abs(hash(piece.edge)) % 2**31, number))
        # A channel rests on both tiles' edges or in the gap between them.
        parts.append((f"channel:{piece.edge}", bodies.channel(piece, pieces, look, pieces.tile_thickness_mm, rng)))
    if scene.gardener is not None:
        parts.append(("gardener", bodies.gardener(scene.gardener, pieces, look)))
    if scene.panda is not None:
        parts.append(("panda", bodies.panda(scene.panda, pieces, look)))
    for number, lying in enumerate(scene.clutter):
        thing = clutter.build(lying, pieces, look, scene.look)
        name = f"thing:{number}"
        if thing.mesh is not None:
            parts.append((name, thing.mesh))
        for decal in thing.decals:
            if thing.mesh is not None and lying.kind in ("deck", "spare_tiles"):
                topped.append((name, decal))
            else:
                decals.append(decal)
    if scene.hand is not None:
        parts.append(("hand", hands.hand_body(scene.hand)))
    names = {name: number + 1 for number, (name, _) in enumerate(parts)}
    if not parts:
        empty = np.zeros(0, np.int32)
        return Bodies(None, empty, empty, names, tuple(decals), ())
    owner = np.repeat(np.arange(1, len(parts) + 1), [len(m.quads) for _, m in parts]).astype(np.int32)
    capsule_owner = np.repeat(np.arange(1, len(parts) + 1), [len(m.capsules) for _, m in parts]).astype(np.int32)
    on_top = tuple((names[name], decal) for name, decal in topped)
    return Bodies(joined([m for _, m in parts]), owner, capsule_owner, names, tuple(decals), on_top)


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


def render_light(scene: Scene) -> tuple[NDArray[np.float32], FaceBuffer, Bodies, View]:
    """The light that reaches the sensor, (H, W, 3) linear BGR, and what is seen where."""
    view = view_of(scene)
    size = (scene.camera.height, scene.camera.width)
    things = build_bodies(scene)
    albedo: Image = np.zeros((*size, 3), np.uint8)
    gloss: Image = np.zeros(size, np.uint8)
    for layer in build_layers(scene, view):
        lay(albedo, gloss, view, layer)
    for decal in things.decals:
        placed = decal_warped(view, decal, size)
        if placed is not None:
            (x0, y0, x1, y1), over = placed
            blend(albedo[y0:y1, x0:x1], gloss[y0:y1, x0:x1], over, 0.02)
    thick = scene.camera.pieces.tile_thickness_mm
    falling = light_in_picture(view, light_canvas(things.mesh, scene.lighting, scene.grid.origin_mm, thick), size)
    surface = np.asarray(cv2.LUT(albedo, _TO_LINEAR), np.float32)
    light = np.asarray(cv2.multiply(surface, falling), np.float32)
    shine = shine_in_picture(view, scene.lighting, scene.table.gloss[1], size)
    light += cv2.multiply(shine, cv2.merge([gloss.astype(np.float32) / 255] * 3))
    empty = FaceBuffer(
        np.zeros((size[0] * SUPERSAMPLING, size[1] * SUPERSAMPLING), np.int32), np.zeros(1, np.int32), np.zeros(1)
    )
    if things.mesh is None:
        return light, empty, things, view
    buffer = draw_faces(view, things.mesh, things.owner, size)
    centres = things.mesh.quads.mean(axis=1)
    windows = np.stack([window_light(lamp, on_ground(lamp, centres)) for lamp in scene.lighting.lamps])
    ground = np.asarray(surface[::8, ::8].mean(axis=(0, 1)), np.float32)
    colours = shade_faces(view, things.mesh, things.owner, things.capsule_owner, scene.lighting, ground, windows)
    _paint_faces(light, buffer, colours)
    owners = buffer.owner[buffer.faces[::SUPERSAMPLING, ::SUPERSAMPLING]]
    for body, decal in things.topped:
        placed = decal_warped(view, decal, size)
        if placed is not None:
            (x0, y0, x1, y1), over = placed
            share = over[..., 3:].astype(np.float32) / 255 * (owners[y0:y1, x0:x1, None] == body)
            face = cv2.LUT(np.ascontiguousarray(over[..., :3]), _TO_LINEAR) * falling[y0:y1, x0:x1]
            light[y0:y1, x0:x1] = light[y0:y1, x0:x1] * (1 - share) + face * share
    return light, buffer, things, view


def render(scene: Scene, rng: np.random.Generator) -> Rendered:
    """One picture of the scene, with fresh noise, and its truth."""
    light, buffer, things, view = render_light(scene)
    clean = developed(light, scene.imaging)
    image = noisy(clean, scene.imaging, rng)
    ids = buffer.owner[buffer.faces[::SUPERSAMPLING, ::SUPERSAMPLING]]
    truth = scene_truth(scene, view, buffer, ids, things.names)
    return Rendered(image, clean, truth, view, scene.grid, ids, things.names)
