"""Render tables and cut their cells and edges into shards of crops with truth.

    python -m vision.training.generate --out DIR --first 0 --scenes 600 [--hard]

Every scene is decided by its seed. Pose and lattice are shifted as the pipeline's own errors would shift them, the
camera file is a little wrong, and white is now and then guessed although a card lies there. Figures are kept once more
as cut-outs, to be set before other stalks (`cut_outs`).
"""

from __future__ import annotations

import argparse
import logging
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.hexgrid import DIRECTIONS, POND, Edge, Hex
from companion.games.takenoko.pieces import Colour
from companion.observation import MARKINGS, Marking
from vision.geometry import Floats, View
from vision.nets.crops import Pyramid, edge_crops, tall_crops, tile_crops
from vision.simulated.random_scene import random_scene
from vision.simulated.render import Rendered, render
from vision.simulated.scene import Scene, TilePiece
from vision.simulated.truth import seen_share, tile_outline
from vision.training.hard_scenes import hard_scene
from vision.training.landmarks import body_masks, halved, landmarks
from vision.training.mistakes import believed_white, misjudged, placed
from vision.training.shards import save_shard

log = logging.getLogger("generate")
COLOURS = tuple(Colour)
EDGES = 34
"""Edges kept of one scene: all with a channel, the rest at random."""
FAR = 4
"""Empty cells kept of one scene that touch no tile."""
FRONTIER = 10
"""Empty cells kept of one scene that touch a tile."""
WIDTHS, WIDTHS_P = (1024, 1280, 1640), (0.15, 0.35, 0.5)
"""Of the pictures, pixels."""
Columns = dict[str, list[NDArray[Any]]]


def crops_of(seed: int, hard: bool = False) -> tuple[Columns, Columns, Columns]:
    """Render one scene and cut its cells, its edges and the cut-outs of its figures, all columns one entry long."""
    rng = np.random.default_rng((seed, 7))
    # Larger gardens give more crops for the same rendering; small ones are kept in for their wide surroundings.
    plots = int(rng.integers(1, 28)) if rng.random() < 0.25 else int(rng.integers(12, 28))
    width = int(rng.choice(WIDTHS, p=WIDTHS_P))
    draw = np.random.default_rng(seed)
    if hard:
        scene = hard_scene(draw, width=WIDTHS[-1])
    else:
        scene = random_scene(draw, width=width, height=width * 3 // 4, plots=plots)
    rendered = render(scene, np.random.default_rng((seed, 8)))
    view = misjudged(rendered.view, scene, rng)
    white = believed_white(rendered, view, scene, rng)
    pyramid = Pyramid(rendered.image)
    centres, places = placed(scene, rng)
    cells, figures = _cells(scene, rendered, view, pyramid, centres, places, rng)
    edges = _edges(scene, rendered, view, pyramid, centres, rng)
    for columns in (cells, edges, figures):
        n = len(columns["view"][0])
        columns["white"] = [np.repeat(white[None], n, axis=0)]
        columns["scene"] = [np.full(n, seed, dtype=np.int64)]
    return cells, edges, figures


def _cells(
    scene: Scene, rendered: Rendered, view: View, pyramid: Pyramid, centres: dict[Hex, Floats],
    places: dict[Hex, TilePiece], rng: np.random.Generator,
) -> tuple[Columns, Columns]:  # fmt: skip
    touching = [
        at for at in centres if at not in places and any(Hex(at.q + d.q, at.r + d.r) in places for d in DIRECTIONS)
    ]
    far = [at for at in centres if at not in places and at not in touching]
    rng.shuffle(touching)
    rng.shuffle(far)
    size = (rendered.view.camera.width, rendered.view.camera.height)
    chosen = [*places, *(Hex(*at) for at in touching[:FRONTIER]), *(Hex(*at) for at in far[:FAR])]
    middles = view.project(np.array([centres[at] for at in chosen]), scene.camera.pieces.tile_thickness_mm)
    inside = np.asarray((middles > -20).all(axis=1) & (middles < np.array(size) + 20).all(axis=1))
    chosen = [at for at, ok in zip(chosen, list(inside), strict=True) if ok]
    pieces = scene.camera.pieces
    angle = scene.grid.angle + rng.normal(0.0, 0.01)
    angles = np.array([
        (places[at].turn if at in places and rng.random() < 0.7 else angle) + rng.normal(0.0, 0.015) for at in chosen
    ])  # fmt: skip
    middles_mm = np.array([centres[at] for at in chosen]).reshape(-1, 2)
    tiles = tile_crops(pyramid, view, middles_mm, angles)
    upright = tall_crops(pyramid, view, middles_mm, angles)
    icon_at, foot_at, top_at = landmarks(scene, view, chosen, middles_mm, places)
    stalks = [rendered.names.get(f"stalk:{at}", 0) for at in chosen]
    body = halved(body_masks(rendered.ids, stalks, view, middles_mm))
    labels: dict[str, list[float]] = {name: [] for name in (
        "kind", "marking", "height", "gardener", "panda", "visible", "icon_visible", "stalk_visible")}  # fmt: skip
    plots, true = rendered.truth["plots"], rendered.view
    figures = {name: (scene.gardener if name == "gardener" else scene.panda) for name in ("gardener", "panda")}
    for at in chosen:
        tile = places.get(at) or TilePiece(at, scene.grid.centre_mm(at), scene.grid.angle, None)
        outline = tile_outline(tile, pieces.tile_across_flats_mm)
        visible = seen_share(true.project(outline, pieces.tile_thickness_mm), rendered.ids)
        kind, marking, height, icon, stalk = 0, 0, 0, visible, visible
        if at == POND:
            kind = 4
        elif at in places and tile.colour is not None:
            plot = plots[str(at)]
            kind = 1 + COLOURS.index(tile.colour)
            marking = MARKINGS.index(Marking(tile.improvement, tile.chip and tile.improvement is not None))
            height = tile.bamboo
            icon = plot.get("icon_visible", visible)
            middle = np.asarray(tile.centre_mm) + (outline - np.asarray(tile.centre_mm)) * 0.3
            stood_on = any(figure is not None and figure.at == at for figure in figures.values())
            place = visible if stood_on else (
                visible + seen_share(true.project(middle, pieces.tile_thickness_mm), rendered.ids)) / 2.0  # fmt: skip
            stalk = plot.get("bamboo_visible", place)
        values: dict[str, float] = {
            "kind": kind, "marking": marking, "height": height, "visible": visible, "icon_visible": icon,
            "stalk_visible": stalk,
        }  # fmt: skip
        for name, figure in figures.items():
            here = figure is not None and figure.at == at
            # A figure that cannot be seen cannot be asked for.
            values[name] = float(here and rendered.truth[name]["visible"] >= 0.1)
        for name, value in values.items():
            labels[name].append(value)
    whole = ("kind", "marking", "height")
    alone = [
        (i, name)
        for i in range(len(chosen))
        for name, other in (("gardener", "panda"), ("panda", "gardener"))
        if labels[name][i] > 0.5 and not labels[other][i] and rendered.truth[name]["visible"] > 0.5
    ]
    stands_mm = np.array([figure.stand_mm for _, name in alone if (figure := figures[name]) is not None]).reshape(-1, 2)
    looks = tall_crops(pyramid, view, stands_mm, angles[np.array([i for i, _ in alone], dtype=np.intp)])
    cut_outs: Columns = {
        "tall": [looks.pixels], "view": [looks.view],
        "shape": [body_masks(rendered.ids, [rendered.names[name] for _, name in alone], view, stands_mm)],
        "panda": [np.array([name == "panda" for _, name in alone], np.float32)],
    }  # fmt: skip
    return {
        "tile": [tiles.pixels], "tile_mask": [tiles.mask], "tall": [upright.pixels], "tall_mask": [upright.mask],
        "view": [tiles.view], "icon_at": [icon_at], "foot_at": [foot_at], "top_at": [top_at],
        "body": [body], "rises": [upright.rises],
        **{name: [np.array(column, np.int64 if name in whole else np.float32)] for name, column in labels.items()},
    }, cut_outs  # fmt: skip


def _edges(
    scene: Scene, rendered: Rendered, view: View, pyramid: Pyramid, centres: dict[Hex, Floats], rng: np.random.Generator
) -> Columns:
    tiles = {tile.at for tile in scene.tiles}
    channels = {str(c["edge"]): float(c["visible"]) for c in rendered.truth["channels"]}
    every = sorted({Edge.of(at, Hex(at.q + d.q, at.r + d.r)) for at in tiles for d in DIRECTIONS})
    with_channel = [edge for edge in every if str(edge) in channels]
    without = [edge for edge in every if str(edge) not in channels]
    rng.shuffle(without)
    chosen = [*with_channel, *(Edge(Hex(*a), Hex(*b)) for a, b in without[: max(8, EDGES - len(with_channel))])]
    pieces = scene.camera.pieces
    length, width, _ = pieces.channel_mm
    middles, along, shares = [], [], []
    for edge in chosen:
        one, other = centres[edge.a], centres[edge.b]
        across = one - other
        middles.append((one + other) / 2.0)
        along.append(float(np.arctan2(across[1], across[0]) + np.pi / 2.0))
        a, b = (np.asarray(scene.grid.centre_mm(cell)) for cell in (edge.a, edge.b))
        normal = (a - b) / np.linalg.norm(a - b)
        ahead = np.array([-normal[1], normal[0]])
        strip = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2.0 * (length, width)
        outline = (a + b) / 2.0 + strip[:, :1] * ahead + strip[:, 1:] * normal
        bare = seen_share(rendered.view.project(outline, pieces.tile_thickness_mm), rendered.ids)
        shares.append(channels.get(str(edge), bare))
    crops = edge_crops(pyramid, view, np.array(middles), np.array(along))
    lies = np.array([str(edge) in channels for edge in chosen], np.float32)
    return {
        "pixels": [crops.pixels], "view": [crops.view], "channel": [lies], "visible": [np.array(shares, np.float32)],
    }  # fmt: skip


def main() -> None:
    """Render a run of seeds into shards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--scenes", type=int, default=600)
    parser.add_argument("--shard", type=int, default=100, help="scenes a shard")
    parser.add_argument("--hard", action="store_true", help="from steeply above, or a figure in front of a stalk")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    started = time.monotonic()
    for first in range(args.first, args.first + args.scenes, args.shard):
        cells: Columns = {}
        edges: Columns = {}
        figures: Columns = {}
        for seed in range(first, min(first + args.shard, args.first + args.scenes)):
            for columns, new in zip((cells, edges, figures), crops_of(seed, args.hard), strict=True):
                for name, parts in new.items():
                    columns.setdefault(name, []).extend(parts)
        folder = args.out / f".{first:06d}"
        save_shard(folder / "cell", cells)
        save_shard(folder / "edge", edges)
        save_shard(folder / "figure", figures)
        folder.replace(args.out / f"{first:06d}")
        log.info("%d scenes, %.0f s", first + args.shard - args.first, time.monotonic() - started)


if __name__ == "__main__":
    main()
