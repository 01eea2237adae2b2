"""Draws many small faces into a picture of face numbers, far ones first, with shading per face."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import View
from vision.simulated.scene import Lamp, Lighting
from vision.simulated.solids import Mesh

SUPERSAMPLING = 2
_SHIFT = 4
_LARGEST_BODY_PX = 6000
_NEAR_MM = 20.0
_FIELD = 1.5
"""How far beyond the picture's corners bodies are still drawn, of the corners' distance from the middle."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceBuffer:
    """Which face is seen where, at `SUPERSAMPLING` times the picture's resolution.

    Attributes:
        faces: (S H, S W) int32, 0 where there is none, else a face's number plus one.
        owner: (N + 1,) for each face (shifted by one) the number of its body; 0 for none.
    """

    faces: NDArray[np.int32]
    owner: NDArray[np.int32]

    def bodies(self) -> NDArray[np.int32]:
        """The number of the body seen at each pixel of the picture, (H, W), 0 for none."""
        return self.owner[self.faces[::SUPERSAMPLING, ::SUPERSAMPLING]]


def _project(view: View, points: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Pixels (N, 2) and depth (N,) in single precision: half of a rendering is spent on vertices.

    Points far outside the picture get no depth: there the lens's polynomial would fold them back into it.
    """
    camera = view.camera
    in_camera = points @ view.rotation.T.astype(np.float32) + view.tvec.astype(np.float32)
    depth = np.maximum(in_camera[:, 2], 1.0)
    x, y = in_camera[:, 0] / depth, in_camera[:, 1] / depth
    k1, k2, p1, p2, k3 = (np.float32(v) for v in camera.dist)
    r2 = x * x + y * y
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    xd = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
    yd = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
    px = np.stack([camera.fx * xd + camera.cx, camera.fy * yd + camera.cy], axis=1).astype(np.float32)
    wide = max(camera.cx, camera.width - camera.cx) / camera.fx
    high = max(camera.cy, camera.height - camera.cy) / camera.fy
    return px, np.where(r2 > (_FIELD * _FIELD) * (wide * wide + high * high), np.float32(0), in_camera[:, 2])


def draw_faces(view: View, mesh: Mesh, owner: NDArray[np.int32], size: tuple[int, int]) -> FaceBuffer:
    """Draw the faces that look at the camera.

    Args:
        view: the camera over the table.
        mesh: all bodies as one.
        owner: (N,) the number of each face's body, from 1.
        size: rows and columns of the picture.
    """
    height, width = size[0] * SUPERSAMPLING, size[1] * SUPERSAMPLING
    faces = np.zeros((height, width), np.int32)
    lookup = np.concatenate([[0], owner]).astype(np.int32)
    if not len(owner):
        return FaceBuffer(faces, lookup)
    eye = view.eye_mm.astype(np.float32)
    centres = mesh.quads.mean(axis=1)
    facing, corner, depth = _facing(view, mesh, centres)
    inside = (
        (depth > _NEAR_MM)
        & (corner[..., 0].max(axis=1) > 0)
        & (corner[..., 0].min(axis=1) < width)
        & (corner[..., 1].max(axis=1) > 0)
        & (corner[..., 1].min(axis=1) < height)
    )
    facing, corner = facing[inside], corner[inside]
    distance = np.linalg.norm(centres[facing] - eye, axis=1)
    order = np.argsort(-distance, kind="stable")
    fixed = np.ascontiguousarray(np.round(corner[order] * (1 << _SHIFT)), np.int32)
    fill = cv2.fillConvexPoly
    for number, quad in zip((facing[order] + 1).tolist(), fixed, strict=True):
        fill(faces, quad, number, cv2.LINE_8, _SHIFT)
    return FaceBuffer(faces, lookup)


def _facing(
    view: View, mesh: Mesh, centres: NDArray[np.float32]
) -> tuple[NDArray[np.intp], NDArray[np.float32], NDArray[np.float32]]:
    """The faces that look at the camera: their numbers, corners in fine pixels (N, 4, 2), and least depths (N,)."""
    eye = view.eye_mm.astype(np.float32)
    facing = np.flatnonzero(np.einsum("ij,ij->i", mesh.normals, eye - centres) > 0)
    pixels, depth = _project(view, mesh.quads[facing].reshape(-1, 3))
    corner = pixels.reshape(-1, 4, 2) * SUPERSAMPLING + (SUPERSAMPLING - 1) / 2
    return facing, corner.astype(np.float32), depth.reshape(-1, 4).min(axis=1)


def whole_areas(view: View, mesh: Mesh, owner: NDArray[np.int32]) -> NDArray[np.float64]:
    """How many fine pixels each body would cover if nothing hid it and the picture had no end; index 0 is unused."""
    areas = np.zeros(int(owner.max()) + 1)
    facing, corner, depth = _facing(view, mesh, mesh.quads.mean(axis=1))
    facing, corner = facing[depth > _NEAR_MM], corner[depth > _NEAR_MM]
    starts = np.searchsorted(facing, [start for start, _ in mesh.hulls])
    stops = np.searchsorted(facing, [stop for _, stop in mesh.hulls])
    outlines: dict[int, list[NDArray[np.float32]]] = {}
    for (first, _), start, stop in zip(mesh.hulls, starts.tolist(), stops.tolist(), strict=True):
        if stop > start:
            hull = np.asarray(cv2.convexHull(corner[start:stop].reshape(-1, 2)), np.float32)[:, 0]
            outlines.setdefault(int(owner[first]), []).append(hull)
    for body, hulls in outlines.items():
        low = np.min([h.min(axis=0) for h in hulls], axis=0)
        span = np.ceil(np.max([h.max(axis=0) for h in hulls], axis=0) - low).astype(int) + 2
        if span.max() > _LARGEST_BODY_PX:
            continue
        mask = np.zeros((int(span[1]), int(span[0])), np.uint8)
        for hull in hulls:
            cv2.fillConvexPoly(mask, np.round((hull - low) * (1 << _SHIFT)).astype(np.int32), 1, cv2.LINE_8, _SHIFT)
        areas[body] = float(cv2.countNonZero(mask))
    return areas


def _occlusion(
    points: NDArray[np.float32],
    to_lamp: NDArray[np.float32],
    owner: NDArray[np.int32],
    mesh: Mesh,
    capsule_owner: NDArray[np.int32],
    softness: float,
) -> NDArray[np.float32]:
    """How much of a lamp each point sees past the other bodies' capsules, (N,), 0 to 1."""
    light = np.ones(len(points), np.float32)
    for capsule, body in zip(mesh.capsules, capsule_owner, strict=True):
        a, b, radius = capsule[0:3], capsule[3:6], capsule[6]
        along = b - a
        start = points - a
        # Only points from which the lamp lies roughly behind the capsule can be shadowed.
        middle = (a + b) / 2 - points
        ahead = np.einsum("ij,ij->i", middle, to_lamp)
        reach = float(np.linalg.norm(along)) / 2 + radius
        off = np.einsum("ij,ij->i", middle, middle) - ahead * ahead
        near = np.flatnonzero(
            (ahead > -reach) & (off < (reach + softness * np.maximum(ahead, 0)) ** 2) & (owner != body)
        )
        if not len(near):
            continue
        d, w = to_lamp[near], start[near]
        dv = d @ along
        dw = np.einsum("ij,ij->i", d, w)
        vw = w @ along
        vv = float(along @ along)
        denominator = np.maximum(vv - dv * dv, 1e-6)
        s = np.clip((vw - dw * dv) / denominator, 0.0, 1.0) if vv > 1e-6 else np.zeros(len(near), np.float32)
        t = np.maximum(s * dv - dw, 0.0)
        gap = w + d * t[:, None] - s[:, None] * along
        distance = np.sqrt(np.einsum("ij,ij->i", gap, gap))
        blur = np.maximum(softness * t, 0.4)
        light[near] *= np.clip((distance - radius) / blur * 0.5 + 0.5, 0.0, 1.0)
    return light


def lamp_at(lamp: Lamp, points: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Unit vectors to the lamp (N, 3) and the fall-off with distance (N,), 1 at the table's middle."""
    position = np.asarray(lamp.position_mm, np.float32)
    to_lamp = position - points
    distance = np.linalg.norm(to_lamp, axis=-1)
    fall = (float(np.linalg.norm(position)) / np.maximum(distance, 1.0)) ** 2
    return to_lamp / np.maximum(distance, 1.0)[..., None], fall.astype(np.float32)


def shade_faces(
    view: View,
    mesh: Mesh,
    owner: NDArray[np.int32],
    capsule_owner: NDArray[np.int32],
    lighting: Lighting,
    ground: NDArray[np.float32],
    windows: NDArray[np.float32],
) -> NDArray[np.float32]:
    """The light each face sends to the camera, (N, 3) linear BGR.

    Args:
        view: the camera over the table.
        mesh: all bodies as one.
        owner: (N,) body of each face.
        capsule_owner: (M,) body of each capsule.
        lighting: all light.
        ground: (3,) mean colour of what lies below, for light from beneath.
        windows: (lamps, N) how much of each lamp passes its window bars.
    """
    centres = mesh.quads.mean(axis=1)
    to_eye = view.eye_mm.astype(np.float32) - centres
    to_eye /= np.linalg.norm(to_eye, axis=1, keepdims=True)
    up = mesh.normals[:, 2]
    ambient = np.asarray(lighting.ambient, np.float32)
    near_ground = np.clip(centres[:, 2] / 14.0, 0.0, 1.0)
    open_sky = (0.5 + 0.5 * up) * (0.65 + 0.35 * near_ground)
    received = open_sky[:, None] * ambient + (0.5 - 0.5 * up)[:, None] * ambient * ground
    shine = np.zeros((len(centres), 3), np.float32)
    visible = np.einsum("ij,ij->i", mesh.normals, to_eye) > 0
    for number, lamp in enumerate(lighting.lamps):
        to_lamp, fall = lamp_at(lamp, centres)
        strength = np.asarray(lamp.strength, np.float32) / max(0.15, float(to_lamp[:, 2].mean()))
        cosine = np.einsum("ij,ij->i", mesh.normals, to_lamp)
        light = np.zeros(len(centres), np.float32)
        lit = np.flatnonzero((cosine > 0) & visible)
        light[lit] = _occlusion(
            centres[lit] + mesh.normals[lit] * 0.5, to_lamp[lit], owner[lit], mesh, capsule_owner, max(lamp.size, 0.01)
        )
        light *= fall * windows[number]
        soft = np.clip((cosine + lamp.size * 0.5) / (1 + lamp.size * 0.5), 0.0, 1.0)
        received += (light * soft)[:, None] * strength
        # Light thrown back by the lit ground on the sides.
        received += (0.25 * (0.5 - 0.5 * up) * fall)[:, None] * strength * ground
        half = to_lamp + to_eye
        half /= np.maximum(np.linalg.norm(half, axis=1, keepdims=True), 1e-6)
        glance = np.clip(np.einsum("ij,ij->i", mesh.normals, half), 0.0, 1.0)
        shine += (mesh.gloss[:, 0] * light * glance ** mesh.gloss[:, 1])[:, None] * strength
    grazing = 1 - np.clip(np.einsum("ij,ij->i", mesh.normals, to_eye), 0.0, 1.0)
    sheen = np.clip(mesh.gloss[:, 0], 0, 1) * (0.04 + 0.5 * grazing**5)
    return np.asarray(mesh.colours * received + shine + sheen[:, None] * ambient, np.float32)
