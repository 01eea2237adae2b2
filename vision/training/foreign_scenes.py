"""Tables with hands over them and things in the wrong place, and where each of them is: data for `nets.foreign`.

    python -m vision.training.foreign_scenes --out DIR --first 0 --scenes 3000

Every scene is decided by its seed. Unlike on the tables of `generate`, things are also put on the tiles, and the garden
is often small in the picture.
"""

from __future__ import annotations

import argparse
import logging
import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.nets.crops import Pyramid
from vision.nets.foreign import COLUMNS, ROWS, STRIDE, Window
from vision.simulated.chance import chance, uniform
from vision.simulated.random_scene import random_scene
from vision.simulated.render import Rendered, render
from vision.simulated.scene import Clutter, Scene
from vision.training.mistakes import believed_white
from vision.training.shards import save_shard

log = logging.getLogger("foreign")
THINGS = ("mug", "glass", "bowl", "phone", "book", "deck")
"""What is called a thing: it stands or lies there and has a size."""
GAME = ("spare_sections", "spare_channels", "chips", "coin", "die", "pencil", "spare_tiles")
"""Small things and pieces of the game: the network is taught neither to call them things nor not to."""
WIDTH = 560
_OFTEN = 0.45
"""Share of the scenes with a hand."""
Masks = NDArray[np.uint8]


def foreign_scene(seed: int, width: int = WIDTH) -> Scene:
    """A table with a hand over it now and then, and with things on and about the garden."""
    rng = np.random.default_rng((seed, 11))
    plots = int(rng.integers(0, 28)) if chance(rng, 0.8) else int(rng.integers(0, 4))
    fill = uniform(rng, 0.25, 0.95) if chance(rng, 0.6) else None
    scene = random_scene(rng, width=width, height=width * 3 // 4, plots=plots, fill=fill, hand=chance(rng, _OFTEN))
    return replace(scene, clutter=(*scene.clutter, *_put(scene, rng)))


def _put(scene: Scene, rng: np.random.Generator) -> list[Clutter]:
    """Up to three things where they should not be: beside the garden, half on it, or on it."""
    across = scene.camera.pieces.tile_across_flats_mm
    centres = np.array([tile.centre_mm for tile in scene.tiles])
    low, high = centres.min(axis=0) - 2.5 * across, centres.max(axis=0) + 2.5 * across
    # Nothing is put through a stalk or a figure: such a thing would be seen on a simulated table alone.
    standing = [tile.centre_mm for tile in scene.tiles if tile.bamboo]
    standing += [figure.stand_mm for figure in (scene.gardener, scene.panda) if figure is not None]
    laid: list[Clutter] = []
    for _ in range(int(rng.choice([0, 1, 2, 3], p=[0.4, 0.3, 0.2, 0.1]))):
        at = rng.uniform(low, high)
        room = 60.0
        if all(np.hypot(*(at - np.asarray(other))) > room for other in standing):
            kind = str(rng.choice(THINGS))
            laid.append(
                Clutter(kind, (float(at[0]), float(at[1])), uniform(rng, 0, 2 * np.pi), int(rng.integers(2**31)))
            )
    return laid


def window_of(rendered: Rendered, scene: Scene, rng: np.random.Generator) -> Window:
    """The window that the pipeline would take, as wrong as its idea of the garden may be."""
    view, pieces = rendered.view, scene.camera.pieces
    across = pieces.tile_across_flats_mm
    centres = np.array([tile.centre_mm for tile in scene.tiles])
    centres = centres + rng.normal(0.0, 0.3 * across, 2)
    middle = np.append(centres.mean(axis=0), pieces.tile_thickness_mm)
    tile_px = across * view.px_per_mm(middle) * np.exp(rng.normal(0.0, 0.12))
    return Window.about(np.asarray(view.project(centres, pieces.tile_thickness_mm), dtype=np.float64), float(tile_px))


def _shares(mask: NDArray[np.bool_], window: Window) -> Masks:
    """How much of each spot of the window lies in a mask of the picture, 0 to 255."""
    rows, columns = ROWS // STRIDE, COLUMNS // STRIDE
    fine = 4
    spots = np.stack(
        np.meshgrid((np.arange(columns * fine) + 0.5) / fine - 0.5, (np.arange(rows * fine) + 0.5) / fine - 0.5),
        axis=-1,
    )
    at = np.rint(window.to_px(np.asarray(spots, dtype=np.float64))).astype(np.float32)
    seen = cv2.remap(
        mask.astype(np.uint8) * 255, at[..., 0], at[..., 1], cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT
    )
    return np.asarray(cv2.resize(seen, (columns, rows), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def sample(seed: int) -> dict[str, NDArray[np.generic]]:
    """One scene's window with what is there: all columns one entry long."""
    scene = foreign_scene(seed)
    rendered = render(scene, np.random.default_rng((seed, 12)))
    rng = np.random.default_rng((seed, 13))
    window = window_of(rendered, scene, rng)
    white = believed_white(rendered, rendered.view, scene, rng)
    kinds = {f"thing:{index}": thing.kind for index, thing in enumerate(scene.clutter)}
    bodies: dict[str, list[int]] = {"hand": [], "thing": [], "game": []}
    for name, body in rendered.names.items():
        kind = kinds.get(name, "")
        if name == "hand":
            bodies["hand"].append(body)
        elif kind in THINGS:
            bodies["thing"].append(body)
        elif kind in GAME:
            bodies["game"].append(body)
    masks = {name: _shares(np.isin(rendered.ids, ids), window) for name, ids in bodies.items()}
    return {
        "pixels": window.cut(Pyramid(rendered.image))[None],
        "white": white[None],
        "scene": np.array([seed], dtype=np.int64),
        **{name: mask[None] for name, mask in masks.items()},
    }


def main() -> None:
    """Render a run of seeds into shards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--scenes", type=int, default=3000)
    parser.add_argument("--shard", type=int, default=100, help="scenes a shard")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    started = time.monotonic()
    for first in range(args.first, args.first + args.scenes, args.shard):
        columns: dict[str, list[NDArray[np.generic]]] = {}
        for seed in range(first, min(first + args.shard, args.first + args.scenes)):
            for name, value in sample(seed).items():
                columns.setdefault(name, []).append(value)
        folder = args.out / f".{first:06d}"
        save_shard(folder / "foreign", columns)
        folder.replace(args.out / f"{first:06d}")
        log.info("%d scenes, %.0f s", first + args.shard - args.first, time.monotonic() - started)


if __name__ == "__main__":
    main()
