"""Gathers every body of a scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.simulated import bodies, clutter, hands
from vision.simulated.clutter import Decal
from vision.simulated.light import Casters, casters
from vision.simulated.scene import Clutter, Scene
from vision.simulated.solids import Mesh, joined


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """Every body of a scene as one mesh, and whose each face is.

    Attributes:
        mesh: all faces, or None where nothing stands on the table.
        owner: (N,) body of each face, from 1.
        capsule_owner: (M,) body of each capsule.
        casters: what throws shadows.
        names: body numbers by name: `stalk:1,0`, `channel:1,0|0,1`, `gardener`, `panda`, `hand`, `thing:0`.
        decals: pictures lying flat.
        topped: pictures lying on a body, with its number.
    """

    mesh: Mesh | None
    owner: NDArray[np.int32]
    capsule_owner: NDArray[np.int32]
    casters: Casters | None
    names: Mapping[str, int]
    decals: tuple[Decal, ...]
    topped: tuple[tuple[int, Decal], ...]


@dataclass(slots=True)
class Workshop:
    """Makes bodies, and keeps those of the last scene: between two looks most of them stand still."""

    _made: dict[str, tuple[object, Mesh | None, tuple[Decal, ...]]]

    def __init__(self) -> None:
        self._made = {}

    def gather(self, scene: Scene) -> Bodies:
        """Every body of the scene."""
        fresh: dict[str, tuple[object, Mesh | None, tuple[Decal, ...]]] = {}
        box = (scene.camera.pieces, scene.piece_look)
        for name, value in _wanted(scene):
            kept = self._made.get(name)
            key = (value, *box)
            fresh[name] = kept if kept is not None and kept[0] == key else (key, *_make(name, value, scene))
        self._made = fresh
        meshes = [(name, mesh) for name, (_, mesh, _) in fresh.items() if mesh is not None]
        names = {name: number + 1 for number, (name, _) in enumerate(meshes)}
        decals: list[Decal] = []
        topped: list[tuple[int, Decal]] = []
        for name, (made_of, _, pictures) in fresh.items():
            lying = made_of[0] if isinstance(made_of, tuple) else None
            if isinstance(lying, Clutter) and lying.kind in clutter.TOPPED:
                topped.extend((names[name], picture) for picture in pictures)
            else:
                decals.extend(pictures)
        if not meshes:
            none = np.zeros(0, np.int32)
            return Bodies(None, none, none, None, names, tuple(decals), ())
        numbers = np.arange(1, len(meshes) + 1, dtype=np.int32)
        owner = np.repeat(numbers, [len(m.quads) for _, m in meshes])
        capsule_owner = np.repeat(numbers, [len(m.capsules) for _, m in meshes])
        whole = joined([m for _, m in meshes])
        return Bodies(whole, owner, capsule_owner, casters(whole, _parts(meshes)), names, tuple(decals), tuple(topped))


def _parts(meshes: list[tuple[str, Mesh]]) -> list[int]:
    """Where the parts that throw one shadow each begin; a standing stalk is one part, for its waists are slight."""
    starts: list[int] = []
    offset = 0
    for name, mesh in meshes:
        if name.startswith("stalk:") and len(mesh.capsules) == 1:
            starts.append(offset)
        else:
            starts.extend(offset + start for start, _ in mesh.hulls)
        offset += len(mesh.quads)
    return starts


def _wanted(scene: Scene) -> list[tuple[str, object]]:
    """Names and values of all that has a body, in a fixed order."""
    wanted: list[tuple[str, object]] = [(f"stalk:{t.at}", t) for t in scene.tiles if t.bamboo + t.lying]
    wanted.extend((f"channel:{c.edge}", c) for c in scene.channels)
    if scene.gardener is not None:
        wanted.append(("gardener", scene.gardener))
    if scene.panda is not None:
        wanted.append(("panda", scene.panda))
    wanted.extend((f"thing:{number}", thing) for number, thing in enumerate(scene.clutter))
    if scene.hand is not None:
        wanted.append(("hand", scene.hand))
    return wanted


def _make(name: str, value: object, scene: Scene) -> tuple[Mesh | None, tuple[Decal, ...]]:
    pieces, look = scene.camera.pieces, scene.piece_look
    if isinstance(value, Clutter):
        thing = clutter.build(value, pieces, look, scene.look)
        return thing.mesh, thing.decals
    if name == "gardener" and scene.gardener is not None:
        return bodies.gardener(scene.gardener, pieces, look), ()
    if name == "panda" and scene.panda is not None:
        return bodies.panda(scene.panda, pieces, look), ()
    if name == "hand" and scene.hand is not None:
        return hands.hand_body(scene.hand), ()
    kind, _, _ = name.partition(":")
    if kind == "stalk":
        tile = next(t for t in scene.tiles if t is value)
        return bodies.stalk(tile, pieces, look, np.random.default_rng((tile.seed, 1))), ()
    piece = next(c for c in scene.channels if c is value)
    # A channel rests on the edges of its two tiles.
    rng = np.random.default_rng([abs(v) for cell in piece.edge for v in cell])
    return bodies.channel(piece, pieces, look, pieces.tile_thickness_mm, rng), ()
