"""Train both networks on cached crops, fit the temperatures on held-out scenes, and export ONNX files.

    python -m vision.training.train --data DIR --out vision/nets --steps 4000

Everything is seeded; one thread (the two networks train side by side on two cores); progress is logged every few
hundred steps.
"""

from __future__ import annotations

import argparse
import json
import logging
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.training.batches import Variation, cell_batch, edge_batch
from vision.training.export import export_cell, export_edge
from vision.training.figures import cell_figures, edge_figures, fitted_temperatures
from vision.training.losses import cell_loss, edge_loss
from vision.training.model import CellModel, EdgeModel
from vision.training.shards import Table, load_shards

log = logging.getLogger("train")
_Model = TypeVar("_Model", bound=nn.Module)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one network is trained."""

    steps: int
    batch: int
    rate: float = 3e-3
    decay: float = 1e-2
    average: float = 0.998
    """Of the running mean of the weights, which is what gets exported."""
    seed: int = 1


def train_cell(data: Table, recipe: Recipe, start: Path | None, checkpoint: Path) -> CellModel:
    """The cell network, trained."""
    model = CellModel()
    if start is not None and start.exists():
        model.load_state_dict(torch.load(start))

    def batch(rows: NDArray[np.int64], source: Variation) -> Tensor:
        inputs = cell_batch(data, rows, source)
        logits, _ = model(*(_last(part) for part in inputs))
        return cell_loss(logits, truth_of(data, rows))

    return _train(model, data, recipe, batch, checkpoint)


def train_edge(data: Table, recipe: Recipe, start: Path | None, checkpoint: Path) -> EdgeModel:
    """The edge network, trained."""
    model = EdgeModel()
    if start is not None and start.exists():
        model.load_state_dict(torch.load(start))

    def batch(rows: NDArray[np.int64], source: Variation) -> Tensor:
        inputs = edge_batch(data, rows, source)
        return edge_loss(model(*(_last(part) for part in inputs)), truth_of(data, rows))

    return _train(model, data, recipe, batch, checkpoint)


def truth_of(data: Table, rows: NDArray[np.int64]) -> dict[str, Tensor]:
    """The labels of some rows as tensors: classes int64, shares float32."""
    return {
        name: torch.from_numpy(column[rows].astype(np.int64 if name in ("kind", "marking", "height") else np.float32))
        for name, column in data.items()
        if column.ndim == 1 and name != "scene"
    }


def _last(part: Tensor) -> Tensor:
    return part.contiguous(memory_format=torch.channels_last) if part.ndim == 4 else part


def _rows(n: int, size: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    while True:
        order = rng.permutation(n)
        for start in range(0, n - size + 1, size):
            yield np.sort(order[start : start + size])


def _train(
    model: _Model,
    data: Table,
    recipe: Recipe,
    batch: Callable[[NDArray[np.int64], Variation], Tensor],
    checkpoint: Path,
) -> _Model:
    source = Variation.seeded(recipe.seed)
    rows = _rows(len(data["scene"]), recipe.batch, np.random.default_rng(recipe.seed))
    model.to(memory_format=torch.channels_last)
    decayed = [p for p in model.parameters() if p.ndim > 1]
    plain = [p for p in model.parameters() if p.ndim <= 1]
    optimiser = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": recipe.decay}, {"params": plain, "weight_decay": 0.0}], lr=recipe.rate
    )
    mean = {name: value.detach().clone() for name, value in model.state_dict().items()}
    started, running = time.monotonic(), 0.0
    model.train()
    for step in range(recipe.steps):
        warm = min(1.0, (step + 1) / 200)
        for group in optimiser.param_groups:
            group["lr"] = recipe.rate * warm * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * step / recipe.steps)))
        loss = batch(next(rows), source)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        keep = min(recipe.average, (step + 1) / (step + 10))
        with torch.no_grad():
            for name, value in model.state_dict().items():
                if value.dtype.is_floating_point:
                    mean[name].lerp_(value, 1 - keep)
                else:
                    mean[name].copy_(value)
        running = 0.98 * running + 0.02 * loss.item() if step else loss.item()
        if (step + 1) % 200 == 0:
            log.info("step %d loss %.4f %.0f s", step + 1, running, time.monotonic() - started)
            torch.save(mean, checkpoint)
    model.load_state_dict(mean)
    model.eval()
    return model


def predict(model: nn.Module, data: Table, rows: NDArray[np.int64], *, cells: bool) -> Tensor:
    """Logits of some rows, nothing varied."""
    parts = []
    with torch.no_grad():
        for start in range(0, len(rows), 256):
            some = rows[start : start + 256]
            if cells:
                inputs = cell_batch(data, some, None)
                parts.append(model(*inputs)[0])
            else:
                parts.append(model(*edge_batch(data, some, None)))
    return torch.cat(parts)


def main() -> None:
    """Train, report on held-out scenes, export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True, help="folder for checkpoints")
    parser.add_argument("--steps", type=int, default=4000, help="of the cell network")
    parser.add_argument("--edge-steps", type=int, default=3000)
    parser.add_argument("--batch", type=int, default=96)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--start", type=Path, help="folder of checkpoints to go on from")
    parser.add_argument("--only", choices=("cell", "edge"))
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    for folder in (args.work, args.out):
        folder.mkdir(parents=True, exist_ok=True)
    for name in ("edge", "cell"):
        if args.only not in (None, name):
            continue
        cells = name == "cell"
        train, held = load_shards(args.data, name)
        log.info("%s: %d to train on, %d held out", name, len(train["scene"]), len(held["scene"]))
        start = args.start / f"{name}.pt" if args.start else None
        model: nn.Module
        if cells:
            recipe = Recipe(args.steps, args.batch, args.rate, seed=args.seed)
            model = train_cell(train, recipe, start, args.work / "cell.pt")
        else:
            recipe = Recipe(args.edge_steps, 2 * args.batch, args.rate, seed=args.seed)
            model = train_edge(train, recipe, start, args.work / "edge.pt")
        torch.save(model.state_dict(), args.work / f"{name}.pt")
        rows = np.arange(len(held["scene"]))
        logits, truth = predict(model, held, rows, cells=cells), truth_of(held, rows)
        temperatures = fitted_temperatures(logits, truth)
        figures = cell_figures(logits, truth) if cells else edge_figures(logits, truth)
        log.info("%s held out: %s", name, json.dumps({key: round(value, 4) for key, value in figures.items()}))
        (export_cell if cells else export_edge)(model, args.out / f"{name}.onnx", held)
        facts = {"temperatures": temperatures, "held_out": figures, "steps": recipe.steps, "seed": recipe.seed}
        (args.out / f"{name}.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
