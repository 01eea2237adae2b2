"""Bodies made of small four-cornered faces: turned profiles, ellipsoids, boxes and limbs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Faces with their outward normals and colours, all in table millimetres.

    Attributes:
        quads: (N, 4, 3) corners in order around each face; a triangle names a corner twice.
        normals: (N, 3) unit vectors.
        colours: (N, 3) linear light, BGR, 0 to 1.
        gloss: (N, 2) strength and exponent of the highlight.
        capsules: (M, 7) the body again, coarsely, for shadows on other bodies: two ends and a radius each.
        hulls: groups of face indices (start, stop); each group's convex hull throws one shadow.
    """

    quads: Floats
    normals: Floats
    colours: Floats
    gloss: Floats
    capsules: Floats
    hulls: tuple[tuple[int, int], ...]


def joined(meshes: Sequence[Mesh]) -> Mesh:
    """Several bodies as one."""
    hulls: list[tuple[int, int]] = []
    start = 0
    for mesh in meshes:
        hulls.extend((start + a, start + b) for a, b in mesh.hulls)
        start += len(mesh.quads)
    return Mesh(
        np.concatenate([m.quads for m in meshes]),
        np.concatenate([m.normals for m in meshes]),
        np.concatenate([m.colours for m in meshes]),
        np.concatenate([m.gloss for m in meshes]),
        np.concatenate([m.capsules for m in meshes]),
        tuple(hulls),
    )


def moved(mesh: Mesh, rotation: ArrayLike, shift: ArrayLike) -> Mesh:
    """The body turned by a (3, 3) rotation and then shifted."""
    turn = np.asarray(rotation, np.float32)
    offset = np.asarray(shift, np.float32)
    capsules = mesh.capsules.copy()
    capsules[:, 0:3] = capsules[:, 0:3] @ turn.T + offset
    capsules[:, 3:6] = capsules[:, 3:6] @ turn.T + offset
    return Mesh(mesh.quads @ turn.T + offset, mesh.normals @ turn.T, mesh.colours, mesh.gloss, capsules, mesh.hulls)


def turn_about_z(angle: float) -> NDArray[np.float32]:
    """Rotation matrix about the vertical, counter-clockwise seen from above."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], np.float32)


def turn_towards(direction: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float32]:
    """A rotation matrix that takes the vertical to the given direction."""
    w = np.asarray(direction, np.float64)
    w = w / np.linalg.norm(w)
    helper = np.array([1.0, 0.0, 0.0]) if abs(w[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    u = np.cross(helper, w)
    u /= np.linalg.norm(u)
    return np.stack([u, np.cross(w, u), w], axis=1).astype(np.float32)


def _shade(colours: object, count: int) -> Floats:
    return np.broadcast_to(np.asarray(colours, np.float32), (count, 3)).copy()


def _gloss(gloss: tuple[float, float], count: int) -> Floats:
    return np.broadcast_to(np.asarray(gloss, np.float32), (count, 2)).copy()


def turned_body(
    profile: Sequence[tuple[float, float]],
    colour: object,
    gloss: tuple[float, float] = (0.0, 20.0),
    around: int = 24,
    ring_colours: Sequence[object] | None = None,
    hull_rings: Sequence[tuple[int, int]] | None = None,
    capsule: tuple[float, float, float] | None = None,
) -> Mesh:
    """A body of revolution about the vertical.

    Args:
        profile: (radius, height) from the bottom to the top, millimetres; a radius of 0 closes the body.
        colour: linear BGR of the whole body.
        gloss: strength and exponent of the highlight.
        around: faces around the axis.
        ring_colours: a colour for each ring between two profile points instead.
        hull_rings: (first, last) rings that are convex together; default all.
        capsule: (from height, to height, radius) for shadows on other bodies.
    """
    points = np.asarray(profile, np.float32)
    angles = np.linspace(0.0, 2.0 * np.pi, around + 1, dtype=np.float32)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    middle = (angles[:-1] + angles[1:]) / 2
    facing = np.stack([np.cos(middle), np.sin(middle)], axis=1)
    rings = len(points) - 1
    radius, height = points[:, 0], points[:, 1]
    grid = np.empty((rings + 1, around + 1, 3), np.float32)
    grid[..., :2] = radius[:, None, None] * circle
    grid[..., 2] = height[:, None]
    quads = np.stack([grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]], axis=2).reshape(-1, 4, 3)
    run, rise = np.diff(radius), np.diff(height)
    length = np.maximum(np.hypot(run, rise), 1e-6)
    normals = np.empty((rings, around, 3), np.float32)
    normals[..., :2] = (rise / length)[:, None, None] * facing
    normals[..., 2] = (-run / length)[:, None]
    count = rings * around
    colours = _shade(colour, count)
    if ring_colours is not None:
        colours = np.repeat(np.asarray(ring_colours, np.float32), around, axis=0)
    groups = hull_rings if hull_rings is not None else [(0, rings)]
    low, high, width = capsule if capsule is not None else (height.min(), height.max(), radius.max() * 0.9)
    bar = np.array([[0, 0, min(low + width, high), 0, 0, max(high - width, low), width]], np.float32)
    hulls = tuple((a * around, b * around) for a, b in groups)
    return Mesh(quads, normals.reshape(-1, 3), colours, _gloss(gloss, count), bar, hulls)


def ellipsoid(
    centre: Sequence[float],
    radii: Sequence[float],
    colour: object,
    gloss: tuple[float, float] = (0.0, 20.0),
    around: int = 20,
    rings: int = 10,
) -> Mesh:
    """An ellipsoid with its axes along x, y and z."""
    angle = np.linspace(-np.pi / 2, np.pi / 2, rings + 1)
    ball = turned_body([(float(np.cos(a)), float(np.sin(a))) for a in angle], colour, gloss, around)
    scale = np.asarray(radii, np.float32)
    normals = ball.normals / scale
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    middle = np.asarray(centre, np.float32)
    size = float(np.cbrt(np.prod(scale)))
    capsule = np.concatenate([middle, middle, [size]])[None].astype(np.float32)
    return Mesh(ball.quads * scale + middle, normals, ball.colours, ball.gloss, capsule, ball.hulls)


def limb(
    start: ArrayLike,
    end: ArrayLike,
    start_radius: float,
    end_radius: float,
    colour: object,
    gloss: tuple[float, float] = (0.0, 20.0),
    around: int = 16,
    rings: int = 6,
    flatten: float = 1.0,
) -> Mesh:
    """A capsule with two radii: fingers, arms, sleeves, pencils. `flatten` scales it across one side."""
    a, b = np.asarray(start, np.float64), np.asarray(end, np.float64)
    length = float(np.linalg.norm(b - a))
    if length < 1e-6:
        return ellipsoid(a.tolist(), (start_radius,) * 3, colour, gloss)
    cap = np.linspace(np.pi / 2, 0.0, 5)
    profile = [(start_radius * float(np.cos(t)), -start_radius * float(np.sin(t))) for t in cap]
    along = np.linspace(0.0, 1.0, rings + 1)[1:-1]
    profile += [(start_radius + (end_radius - start_radius) * float(t), length * float(t)) for t in along]
    profile += [(end_radius * float(np.cos(t)), length + end_radius * float(np.sin(t))) for t in cap[::-1]]
    body = turned_body(profile, colour, gloss, around)
    squeeze = np.array([1.0, flatten, 1.0], np.float32)
    normals = body.normals / squeeze
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    flat = Mesh(body.quads * squeeze, normals, body.colours, body.gloss, body.capsules, body.hulls)
    placed = moved(flat, turn_towards(b - a), start)
    capsule = np.array([[*a, *b, (start_radius + end_radius) / 2 * min(1.0, (1 + flatten) / 2)]], np.float32)
    return Mesh(placed.quads, placed.normals, placed.colours, placed.gloss, capsule, placed.hulls)


def box(
    size: Sequence[float],
    colour: object,
    gloss: tuple[float, float] = (0.0, 20.0),
    bevel: float = 0.0,
    pieces: int = 1,
    top_colour: object | None = None,
) -> Mesh:
    """A box standing on z = 0 about the origin, without a bottom; its upper edges may be bevelled.

    Args:
        size: along x, y and z, millimetres.
        colour: linear BGR.
        gloss: strength and exponent of the highlight.
        bevel: width of the bevel along the top, millimetres.
        pieces: how many lengths each long face is cut into, so that faces sort well by distance.
        top_colour: another colour for the top.
    """
    hx, hy, z = size[0] / 2, size[1] / 2, size[2]
    low = z - bevel
    bottom = np.array([[-hx, -hy, 0], [hx, -hy, 0], [hx, hy, 0], [-hx, hy, 0]], np.float32)
    shoulder = bottom + np.array([0, 0, low], np.float32)
    inset = np.array([1 - bevel / hx, 1 - bevel / hy, 1], np.float32)
    top = bottom * inset + np.array([0, 0, z], np.float32)
    faces: list[NDArray[np.float32]] = []
    tops: list[bool] = []
    for lower, upper in ((bottom, shoulder), (shoulder, top)) if bevel > 0 else ((bottom, top),):
        for i in range(4):
            j = (i + 1) % 4
            faces.append(np.stack([lower[i], lower[j], upper[j], upper[i]]))
            tops.append(False)
    faces.append(top)
    tops.append(True)
    cut: list[NDArray[np.float32]] = []
    is_top: list[bool] = []
    for face, flag in zip(faces, tops, strict=True):
        edges = np.linalg.norm(face[1] - face[0]), np.linalg.norm(face[2] - face[1])
        lengthwise = face if edges[0] >= edges[1] else np.roll(face, -1, axis=0)
        steps = np.linspace(0.0, 1.0, pieces + 1, dtype=np.float32)[:, None]
        near = lengthwise[0] + (lengthwise[1] - lengthwise[0]) * steps
        far = lengthwise[3] + (lengthwise[2] - lengthwise[3]) * steps
        cut.extend(np.stack([near[i], near[i + 1], far[i + 1], far[i]]) for i in range(pieces))
        is_top.extend([flag] * pieces)
    quads = np.stack(cut).astype(np.float32)
    normals = np.cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    colours = _shade(colour, len(quads))
    if top_colour is not None:
        colours[np.array(is_top)] = np.asarray(top_colour, np.float32)
    radius = min(hx, hy, z / 2)
    along = max(hx, hy) - radius
    ends = (along, 0.0) if hx >= hy else (0.0, along)
    capsule = np.array([[-ends[0], -ends[1], z / 2, ends[0], ends[1], z / 2, radius]], np.float32)
    return Mesh(quads, normals.astype(np.float32), colours, _gloss(gloss, len(quads)), capsule, ((0, len(quads)),))


def mottled(mesh: Mesh, strength: float, rng: np.random.Generator) -> Mesh:
    """The body with uneven colour, face by face."""
    factor = np.exp(rng.normal(0.0, strength, (len(mesh.quads), 1))).astype(np.float32)
    return Mesh(mesh.quads, mesh.normals, mesh.colours * factor, mesh.gloss, mesh.capsules, mesh.hulls)
