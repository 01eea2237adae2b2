"""Train one network on cached crops, fit its temperatures on held-out scenes, and export an ONNX file.

    python -m vision.training.train tile --data DIR --work DIR --out vision/nets --steps 4000

Everything is seeded; one thread (two networks train side by side on two cores); progress is logged every few
hundred steps.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.nets.crops import VIEW_SIZE
from vision.nets.upright import SECTION_ROWS, SURE, TALLEST
from vision.training.batches import Variation, batch_of
from vision.training.cut_outs import CutOuts, with_figures
from vision.training.export import export
from vision.training.figures import figures_of, fitted_temperatures
from vision.training.fit import Recipe, fitted, mean_of
from vision.training.losses import HEIGHT, edge_loss, icon_loss, map_loss, tall_loss, tile_loss
from vision.training.model import EdgeModel, TallModel, TileModel, measured, pairs_of
from vision.training.shards import Table, load_shards
from vision.training.shifted import with_shifts

log = logging.getLogger("train")


_STEEP = 0.95
"""Sine of the elevation from which a stalk counts as seen from steeply above."""
MODELS: Mapping[str, Callable[[], nn.Module]] = {"tile": TileModel, "tall": TallModel, "edge": EdgeModel}


def loss_of(name: str, model: nn.Module, part: Table, source: Variation) -> Tensor:
    """The loss of one batch, whose rows are these."""
    rows = np.arange(len(part["scene"]))
    crops, view, mirrored = batch_of(name, part, rows, source)
    crops = crops.contiguous(memory_format=torch.channels_last)
    truth = truth_of(part, rows)
    if name == "edge":
        return edge_loss(model(crops, view), truth)
    width = float(crops.shape[3] - 1)
    for key in ("icon_at", "foot_at", "top_at"):
        at = part[key].astype(np.float32)
        at[mirrored, 0] = width - at[mirrored, 0]
        truth[key] = torch.from_numpy(at)
    if name == "tile":
        logits, _, icons = model.learn(crops, view)
        return tile_loss(logits, truth) + icon_loss(icons, truth)
    body = part["body"].copy()
    body[mirrored] = body[mirrored, :, ::-1]
    truth["body"] = torch.from_numpy(body.astype(np.float32) / 255.0)
    logits, maps = model.learn(crops, view)
    return tall_loss(with_geometry(logits, pairs_of(maps), view), truth) + map_loss(maps, truth)


def with_geometry(logits: Tensor, pairs: Tensor, view: Tensor) -> Tensor:
    """The upright network's logits with what foot and top say of the heights, as `classify` adds them."""
    said = measured(pairs, view[:, VIEW_SIZE:] * SECTION_ROWS)
    return logits + functional.pad(said, (1, logits.shape[1] - 1 - TALLEST))


def truth_of(data: Table, rows: NDArray[np.int64]) -> dict[str, Tensor]:
    """The labels of some rows as tensors: classes int64, shares float32; `sine` is of the elevation."""
    truth = {
        name: torch.from_numpy(column[rows].astype(np.int64 if name in ("kind", "marking", "height") else np.float32))
        for name, column in data.items()
        if column.ndim == 1 and name != "scene"
    }
    truth["sine"] = torch.from_numpy(data["view"][rows, 0].astype(np.float32))
    return truth


def _wanted(name: str, data: Table) -> NDArray[np.float64]:
    """How often a row is taken in one pass: figures are rare, empty table is easy, heights from above are hard."""
    if name == "edge":
        return np.ones(len(data["scene"]))
    often = np.select([data["kind"] == 0, data["kind"] == 4], [0.3 if name == "tall" else 0.6, 0.7], 1.0)
    often = often * np.where((data["gardener"] + data["panda"]) > 0.5, 4.0, 1.0)
    steep = (data["view"][:, 0] > _STEEP) & (data["height"] > 0) & (name == "tall")
    return np.asarray(often * np.where(steep, 2.0, 1.0), dtype=np.float64)


def _rows(wanted: NDArray[np.float64], size: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    while True:
        times = np.floor(wanted + rng.random(len(wanted))).astype(int)
        order = rng.permutation(np.repeat(np.arange(len(wanted)), times))
        for start in range(0, len(order) - size + 1, size):
            yield np.sort(order[start : start + size])


def trained(
    name: str, data: Table, figures: CutOuts, recipe: Recipe, start: Sequence[Path], checkpoint: Path
) -> nn.Module:
    """One network, trained; it goes on from the mean of the checkpoints in `start`, if any."""
    model = MODELS[name]()
    if start:
        # Parts that the checkpoints do not know yet begin as they are made.
        model.load_state_dict(mean_of([torch.load(path) for path in start]), strict=False)
    source = Variation.seeded(recipe.seed)
    rows = _rows(_wanted(name, data), recipe.batch, np.random.default_rng(recipe.seed))
    model.to(memory_format=torch.channels_last)

    def next_loss() -> Tensor:
        these = next(rows)
        part = {key: column[these] for key, column in data.items()}
        if name == "tall":
            part = with_shifts(with_figures(part, figures, source.rng), source.rng)
        return loss_of(name, model, part, source)

    return fitted(model, recipe, next_loss, checkpoint)


def predicted(name: str, model: nn.Module, data: Table) -> Tensor:
    """Logits of all rows, nothing varied; doubtful heights are looked at again in the mirror, as in use."""

    def asked(crops: Tensor, view: Tensor) -> Tensor:
        out = model(crops.contiguous(memory_format=torch.channels_last), view)
        if name == "tall":
            return with_geometry(out[0], out[1], view)
        return out[0] if name == "tile" else out

    parts = []
    with torch.no_grad():
        for start in range(0, len(data["scene"]), 256):
            rows = np.arange(start, min(start + 256, len(data["scene"])))
            crops, view, _ = batch_of(name, data, rows, None)
            said = asked(crops, view)
            if name == "tall":
                doubtful = torch.softmax(said[:, HEIGHT], dim=1).amax(1) < SURE
                if doubtful.any():
                    said[doubtful] = (said[doubtful] + asked(crops[doubtful].flip(3), view[doubtful])) / 2.0
            parts.append(said)
    return torch.cat(parts)


def main() -> None:
    """Train, report on held-out scenes, export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("network", choices=tuple(MODELS))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True, help="folder for checkpoints")
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, nargs="+", default=[], help="checkpoints whose mean to go on from")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    name: str = args.network
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    for folder in (args.work, args.out):
        folder.mkdir(parents=True, exist_ok=True)
    train, held = load_shards(args.data, "edge" if name == "edge" else "cell", name)
    log.info("%s: %d to train on, %d held out", name, len(train["scene"]), len(held["scene"]))
    recipe = Recipe(args.steps, args.batch, args.rate, seed=args.seed)
    checkpoint = args.work / f"{name}.pt"
    figures = CutOuts.load(args.data)
    model = trained(name, train, figures, recipe, args.start, checkpoint)
    torch.save(model.state_dict(), checkpoint)
    logits, truth = predicted(name, model, held), truth_of(held, np.arange(len(held["scene"])))
    rates = {key: round(value, 4) for key, value in figures_of(name, logits, truth).items()}
    log.info("%s held out: %s", name, json.dumps(rates))
    export(name, model, args.out / f"{name}.onnx", held)
    facts = {
        "temperatures": fitted_temperatures(name, logits, truth),
        "held_out": rates,
        "steps": args.steps,
        "seed": args.seed,
    }
    (args.out / f"{name}.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
