"""Train the network that maps hands and things over the garden.

    python -m vision.training.foreign --data DIR --work WORK --out vision/nets --steps 4000

`DIR` was filled by `vision.training.foreign_scenes`.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.nets.blobs import balanced
from vision.nets.white import WHITE_LEVEL
from vision.training.batches import Variation
from vision.training.export import export_plain
from vision.training.fit import Recipe, fitted
from vision.training.model import convolution
from vision.training.shards import Table, load_shards

log = logging.getLogger("foreign")
_RECIPE = Recipe(steps=2500, batch=24, rate=4e-3, average=0.995)
_CROP = 96
"""Side of the crops of the windows that are trained on: most of a window is bare table, or beyond the picture."""
_ABOUT_THINGS = 0.5
_RARE = 2.0
"""How much more a covered spot counts than a free one."""
_SURE = 200
"""Of 255: a spot that is covered by so much is told as covered in the figures."""
_GREY = np.arange(256, dtype=np.float32)


class ForeignModel(nn.Module):  # type: ignore[misc,unused-ignore]
    """Down to a sixteenth and up to half the window's size: what a forearm is shows only from afar."""

    def __init__(self) -> None:
        super().__init__()
        self.at_half = nn.Sequential(convolution(3, 12, 2), convolution(12, 12))
        self.at_quarter = nn.Sequential(convolution(12, 24, 2), convolution(24, 24))
        self.at_eighth = nn.Sequential(convolution(24, 40, 2), convolution(40, 40))
        self.at_sixteenth = nn.Sequential(convolution(40, 64, 2), convolution(64, 64), convolution(64, 40))
        self.up_eighth = convolution(80, 24)
        self.up_quarter = convolution(48, 12)
        self.up_half = nn.Sequential(convolution(24, 12), nn.Conv2d(12, 2, 1))
        self.wider = nn.Upsample(scale_factor=2, mode="nearest")

    def forward(self, window: Tensor) -> Tensor:
        """(N, 3, ROWS, COLUMNS) to logits of hand and thing (N, 2, ROWS / 2, COLUMNS / 2)."""
        half = self.at_half(window)
        quarter = self.at_quarter(half)
        eighth = self.at_eighth(quarter)
        deep = self.wider(self.at_sixteenth(eighth))
        deep = self.wider(self.up_eighth(torch.cat([deep, eighth], 1)))
        deep = self.wider(self.up_quarter(torch.cat([deep, quarter], 1)))
        logits: Tensor = self.up_half(torch.cat([deep, half], 1))
        return logits


def _varied(pixels: NDArray[np.uint8], white: NDArray[np.float32], source: Variation) -> NDArray[np.float32]:
    """A window (H, W, 3) under another light, (3, H, W); beyond the picture it stays black."""
    rng = source.rng
    beyond = pixels.max(axis=2) == 0
    gain = WHITE_LEVEL / white * np.exp(rng.normal(0.0, 0.12, 3) + rng.normal(0.0, 0.3))
    table = (np.minimum(_GREY[:, None] * gain, 1.5) ** np.exp(rng.normal(0.0, 0.2))).astype(np.float32)
    rows, columns = pixels.shape[:2]
    soft = rng.random()
    if soft < 0.3:
        pixels = np.asarray(cv2.GaussianBlur(pixels, (3, 3), 0.4 + soft), dtype=np.uint8)
    lit = np.stack([table[:, channel][pixels[..., channel]] for channel in range(3)])
    grey = lit.mean(axis=0)
    lit = grey + (lit - grey) * np.float32(rng.uniform(0.6, 1.4))
    y, x = rng.integers(0, source.bank.shape[0] - rows), rng.integers(0, source.bank.shape[1] - columns)
    lit += np.float32(0.06 * rng.random() ** 2) * source.bank[y : y + rows, x : x + columns].transpose(2, 0, 1)
    lit = np.clip(lit, 0.0, 1.5) - 0.5
    lit[:, beyond] = -0.5
    return np.asarray(lit, dtype=np.float32)


def _corner(layers: NDArray[np.uint8], pixels: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.intp]:
    """Where a crop begins, in spots: mostly about something foreign, else anywhere in the picture."""
    there = layers[..., :2].max(axis=2) > 127 if rng.random() < _ABOUT_THINGS else pixels[::2, ::2].max(axis=2) > 0
    spots = np.argwhere(there)
    middle = spots[rng.integers(len(spots))] if len(spots) else np.array(there.shape) // 2
    corner = middle - rng.integers(_CROP // 8, _CROP * 3 // 8, 2)
    return np.asarray(np.clip(corner, 0, np.array(there.shape) - _CROP // 2), dtype=np.intp)


def _batch(data: Table, rows: NDArray[np.int64], source: Variation) -> tuple[Tensor, Tensor, Tensor]:
    """Crops of windows, shares of hand and thing, and where each counts: varied, shifted, zoomed and mirrored."""
    rng = source.rng
    images, targets, counts = [], [], []
    for row in rows:
        layers = np.stack([data[name][row] for name in ("hand", "thing", "game")], axis=-1)
        pixels = data["pixels"][row]
        if rng.random() < 0.6:
            # A garden that is found a tile beside its place, or held for larger than it is.
            zoom = float(np.exp(rng.normal(0.1, 0.2)))
            shift = rng.normal(0.0, 8.0, 2)
            h, w = pixels.shape[:2]
            move = np.array([[zoom, 0.0, (1 - zoom) * (w - 1) / 2 + shift[0]],
                             [0.0, zoom, (1 - zoom) * (h - 1) / 2 + shift[1]]])  # fmt: skip
            half = move.copy()
            half[:, 2] = (move[:, :2].sum(axis=1) * 0.5 + move[:, 2] - 0.5) / 2.0
            pixels = np.asarray(cv2.warpAffine(pixels, move, (w, h)), dtype=np.uint8)
            layers = np.asarray(cv2.warpAffine(layers, half, (w // 2, h // 2)), dtype=np.uint8)
        y, x = _corner(layers, pixels, rng)
        layers = layers[y : y + _CROP // 2, x : x + _CROP // 2]
        pixels = pixels[2 * y : 2 * y + _CROP, 2 * x : 2 * x + _CROP]
        image = _varied(pixels, data["white"][row], source)
        target = layers.transpose(2, 0, 1).astype(np.float32) / 255.0
        if rng.random() < 0.5:
            image, target = image[..., ::-1], target[..., ::-1]
        images.append(image)
        targets.append(target[:2])
        counts.append(np.stack([np.ones_like(target[2]), 1.0 - target[2]]))
    parts = [torch.from_numpy(np.ascontiguousarray(np.stack(some))) for some in (images, targets, counts)]
    return parts[0], parts[1], parts[2]


def _told(model: nn.Module, held: Table) -> dict[str, float]:
    """Of the held-out scenes: spots found and rightly named, and whole windows with and without a hand."""
    said = []
    with torch.no_grad():
        for row in range(len(held["scene"])):
            blob = balanced(held["pixels"][row][None], held["white"][row])
            said.append(torch.sigmoid(model(torch.from_numpy(blob)))[0].numpy())
    p = np.stack(said)
    facts: dict[str, float] = {}
    for channel, name in enumerate(("hand", "thing")):
        there, told = held[name] >= _SURE, p[:, channel] > 0.5
        facts[f"{name}_spots_found"] = round(float(told[there].mean()), 4)
        facts[f"{name}_spots_true"] = round(float((held[name] > 0)[told].mean()), 4)
    return facts


def train(data: Path, work: Path, out: Path, recipe: Recipe, start: Path | None = None) -> None:
    """Train, report on held-out scenes, export; go on from a checkpoint if one is given."""
    torch.set_num_threads(1)
    torch.manual_seed(recipe.seed)
    work.mkdir(parents=True, exist_ok=True)
    source = Variation.seeded(recipe.seed)
    learn, held = load_shards(data, "foreign", "foreign")
    log.info("%d to train on, %d held out", len(learn["scene"]), len(held["scene"]))
    model: nn.Module = ForeignModel().to(memory_format=torch.channels_last)
    if start is not None:
        model.load_state_dict(torch.load(start))

    def next_loss() -> Tensor:
        rows = source.rng.choice(len(learn["scene"]), recipe.batch, replace=False)
        image, target, count = _batch(learn, rows, source)
        logits = model(image.contiguous(memory_format=torch.channels_last))
        every = nn.functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
        loss: Tensor = (every * count * (1.0 + _RARE * target)).mean()
        return loss

    model = fitted(model, recipe, next_loss, work / "foreign.pt")
    facts: dict[str, Any] = _told(model, held)
    log.info("held out: %s", facts)
    blob = balanced(held["pixels"][:1], held["white"][0])
    export_plain(model, torch.from_numpy(blob), out / "foreign.onnx")
    note = {"temperatures": {}, "held_out": facts, "steps": recipe.steps, "seed": recipe.seed}
    (out / "foreign.json").write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Train on shards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="checkpoint to go on from")
    parser.add_argument("--steps", type=int, default=_RECIPE.steps)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    recipe = Recipe(args.steps, _RECIPE.batch, _RECIPE.rate, average=_RECIPE.average, seed=args.seed)
    train(args.data, args.work, args.out, recipe, args.start)


if __name__ == "__main__":
    main()
