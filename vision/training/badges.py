"""Train the two networks of badges: one finds the badge on a tile, one tells what it is.

    python -m vision.training.badges draw --data DIR --first 0 --looks 500
    python -m vision.training.badges render --data DIR --first 500000 --looks 600
    python -m vision.training.badges train --data DIR --work DIR --out vision/nets

Tiles are drawn (`vision.training.badge_samples`) or cut from rendered tables (`vision.training.badge_renders`), every
look by its own seed; a shard in ten is held out.
"""

from __future__ import annotations

import argparse
import json
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.nets.badge_crops import FINE_PX, HEAT, PEAKS, badge_pictures, peaks, search_pictures
from vision.nets.badges import together
from vision.nets.blobs import balanced
from vision.nets.white import WHITE_LEVEL
from vision.training.badge_renders import samples_of_scene
from vision.training.badge_samples import VISIBLE, Sample, samples_of_look
from vision.training.export import export_plain
from vision.training.figures import best_temperature
from vision.training.fit import Recipe, fitted, mean_of
from vision.training.model import convolution

log = logging.getLogger("badges")
_TILES, _VIEWS = 5, 6
_SHARD = 25
"""Looks in one shard."""
_RECIPE = Recipe(steps=0, batch=96, rate=4e-3, average=0.997, warm=100)
_BLURRED = 0.35
"""Share of the crops that are blurred further."""
_HELD = 10
"""One shard in so many is held out."""
_INSIDE = 0.8
"""The circle inside the tile, of half the crop's side."""
_SPREAD = 0.8
"""Of the wanted heat about the badge's middle, cells of the map."""
Table = dict[str, NDArray[Any]]


class FindModel(nn.Module):  # type: ignore[misc,unused-ignore]
    """A tile from above to a map of where its badge is."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = nn.Sequential(
            convolution(3, 12, 2, 4), convolution(12, 24, 2), convolution(24, 32), convolution(32, 24),
            nn.Conv2d(24, 1, 1),
        )  # fmt: skip

    def forward(self, tile: Tensor) -> Tensor:
        """Logits (N, HEAT * HEAT)."""
        return self.seen(tile).flatten(1)


class BadgeModel(nn.Module):  # type: ignore[misc,unused-ignore]
    """The surroundings of a point of a tile to a marking."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = nn.Sequential(
            convolution(3, 16, 2, 4), convolution(16, 32, 2), convolution(32, 48), convolution(48, 64, 2),
            convolution(64, 64),
        )  # fmt: skip
        self.out = nn.Sequential(nn.Linear(64 * 3, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 7))

    def forward(self, badge: Tensor) -> Tensor:
        """Logits (N, 7) in the order of `MARKINGS`."""
        seen = self.seen(badge)
        # The badge is in the middle: what is there counts by itself, beside the whole.
        return self.out(torch.cat([seen.mean((2, 3)), seen.amax((2, 3)), seen[:, :, 2:5, 2:5].mean((2, 3))], dim=1))


def _drawn(seed: int) -> list[Sample]:
    return samples_of_look(np.random.default_rng((seed, 31)), _TILES, _VIEWS)


def draw(folder: Path, first: int, looks: int, samples_of: Callable[[int], list[Sample]]) -> None:
    """Draw or render looks by their seeds, `_SHARD` to a shard."""
    folder.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    for shard in range(first, first + looks, _SHARD):
        samples = [sample for seed in range(shard, shard + _SHARD) for sample in samples_of(seed)]
        np.savez(
            folder / f"badges-{shard:06d}.tmp.npz",
            crop=np.stack([s.crop for s in samples]),
            marking=np.array([s.marking for s in samples], dtype=np.int64),
            at=np.array([s.at_px for s in samples], dtype=np.float32),
            visible=np.array([s.visible for s in samples], dtype=np.float32),
        )
        (folder / f"badges-{shard:06d}.tmp.npz").rename(folder / f"badges-{shard:06d}.npz")
        log.info("%d looks, %.0f s", shard + _SHARD - first, time.monotonic() - started)


def load(folder: Path) -> tuple[Table, Table]:
    """All shards: to train on, and held out."""
    shards = [np.load(path) for path in sorted(folder.glob("badges-*[0-9].npz"))]
    parts = [s for k, s in enumerate(shards) if k % _HELD], [s for k, s in enumerate(shards) if k % _HELD == 0]
    train, held = ({key: np.concatenate([s[key] for s in part]) for key in shards[0].files} for part in parts)
    return train, held


def _varied(pixels: NDArray[np.uint8], rng: np.random.Generator | None, mirror: bool = True) -> NDArray[np.float32]:
    """Crops (N, H, W, 3) as input; with a generator under another light each, some mirrored."""
    plain = np.full(3, WHITE_LEVEL * 255.0, dtype=np.float32)
    if rng is None:
        return balanced(pixels, plain)
    parts = []
    for one in pixels:
        if rng.random() < _BLURRED:
            # From a flat angle a picture's pixel is longer along the line of sight: so is its blur.
            across = float(rng.uniform(0.4, 1.5))
            one = cv2.GaussianBlur(one, (0, 0), across, None, across * float(rng.uniform(1.0, 2.0)))
        lit = balanced(one[None], (plain * np.exp(rng.normal(0, 0.07, 3) + rng.normal(0, 0.15))).astype(np.float32))[0]
        mean = lit.mean(axis=0)
        lit = mean + (lit - mean) * np.float32(rng.uniform(0.7, 1.25))
        lit = np.float32(rng.uniform(0.8, 1.2)) * (lit + 0.5) - 0.5
        lit += rng.normal(0, 0.04 * rng.random() ** 2, lit.shape).astype(np.float32)
        parts.append(lit[:, :, ::-1] if mirror and rng.random() < 0.5 else lit)
    return np.ascontiguousarray(np.stack(parts), dtype=np.float32)


def _search_truth(data: Table) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Wanted heat (N, HEAT * HEAT) and which samples teach anything."""
    cell = (data["at"] + 0.5) * HEAT / FINE_PX - 0.5
    y, x = np.mgrid[:HEAT, :HEAT]
    away = (x[None] - cell[:, 0, None, None]) ** 2 + (y[None] - cell[:, 1, None, None]) ** 2
    heat = np.exp(-away / (2 * _SPREAD**2)) * (data["marking"] > 0)[:, None, None]
    clear = (data["marking"] == 0) | (data["visible"] >= VISIBLE)
    return heat.reshape(len(heat), -1).astype(np.float32), clear


def _in_parts(model: nn.Module, pixels: NDArray[np.uint8]) -> Tensor:
    with torch.no_grad():
        return torch.cat([
            model(torch.from_numpy(_varied(pixels[k : k + 128], None))) for k in range(0, len(pixels), 128)
        ])  # fmt: skip


def _found(model: nn.Module, data: Table) -> NDArray[np.float64]:
    """Where the search finds each sample's badge, fine pixels, the hottest place first (N, PEAKS, 2)."""
    heat = _in_parts(model, search_pictures(data["crop"])).numpy().reshape(-1, HEAT, HEAT)
    # The circle inside the tile stands for the tile, whose turn is not kept: beyond it lie the neighbours' badges.
    y, x = np.mgrid[:HEAT, :HEAT] - (HEAT - 1) / 2.0
    inside = np.hypot(x, y) <= HEAT / 2.0 * _INSIDE
    return peaks(heat, np.broadcast_to(inside, heat.shape))


def train(data: Path, work: Path, out: Path, steps: int, seed: int, start: Sequence[Path] = ()) -> None:
    """Train both, report on looks that were held out, export; go on from the mean of the folders in `start`, if any."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    work.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    learn, held = load(data)
    log.info("%d to train on, %d held out", len(learn["marking"]), len(held["marking"]))
    facts: dict[str, Mapping[str, Any]] = {}
    heat, clear = _search_truth(learn)
    small = search_pictures(learn["crop"])
    rows = np.flatnonzero(clear)
    searching = replace(_RECIPE, steps=steps // 5 if start else steps // 2, batch=64)
    telling = replace(_RECIPE, steps=steps)

    def batch(recipe: Recipe) -> NDArray[np.int64]:
        return rows[np.sort(rng.choice(len(rows), recipe.batch, replace=False))]

    def search_loss() -> Tensor:
        some = batch(searching)
        pixels, wanted = _varied(small[some], rng, mirror=False), heat[some]
        if rng.random() < 0.5:
            pixels = np.ascontiguousarray(pixels[..., ::-1])
            wanted = np.ascontiguousarray(wanted.reshape(-1, HEAT, HEAT)[..., ::-1]).reshape(len(some), -1)
        logits = finder(torch.from_numpy(pixels))
        target = torch.from_numpy(wanted)
        every = nn.functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
        loss: Tensor = (every * (1 + 20 * target)).mean()
        return loss

    finder, teller = FindModel(), BadgeModel()
    if start:
        finder.load_state_dict(mean_of([torch.load(folder / "find.pt") for folder in start]))
        teller.load_state_dict(mean_of([torch.load(folder / "badge.pt") for folder in start]))
    finder = fitted(finder, searching, search_loss, work / "find.pt")
    torch.save(finder.state_dict(), work / "find.pt")
    at, held_at = _found(finder, learn), _found(finder, held)
    near = np.linalg.norm(held_at[:, 0] - held["at"], axis=1) < FINE_PX * 0.06
    seen = (held["marking"] > 0) & (held["visible"] >= VISIBLE)
    facts["badge_find"] = {"found": round(float(near[seen].mean()), 4)}
    log.info("find held out: %s", facts["badge_find"])

    def badge_loss() -> Tensor:
        some = batch(telling)
        true = (learn["marking"][some] > 0)[:, None] & (rng.random((len(some), 1)) < 0.35)
        # All the places that are looked at in use, the hottest most often.
        rank = np.where(rng.random(len(some)) < 0.65, 0, rng.integers(PEAKS, size=len(some)))
        spot = np.where(true, learn["at"][some], at[some, rank]) + rng.normal(0, 1.5, (len(some), 2))
        # Off the badge there is none, whatever the tile bears elsewhere.
        off = np.linalg.norm(spot - learn["at"][some], axis=1) > FINE_PX * 0.11
        label = np.where(off, 0, learn["marking"][some])
        logits = teller(torch.from_numpy(_varied(badge_pictures(learn["crop"][some], spot), rng)))
        return nn.functional.cross_entropy(logits, torch.from_numpy(label), label_smoothing=0.02)

    teller = fitted(teller, telling, badge_loss, work / "badge.pt")
    torch.save(teller.state_dict(), work / "badge.pt")
    held_spots = badge_pictures(np.repeat(held["crop"], PEAKS, axis=0), held_at.reshape(-1, 2))
    # In use, only what is doubtful is looked at in the mirror; what is sure stays as sure.
    each = (_in_parts(teller, held_spots) + _in_parts(teller, held_spots[:, :, ::-1])) / 2.0
    logits = torch.from_numpy(together(each.numpy().reshape(-1, PEAKS, each.shape[1])))
    fair = torch.from_numpy(seen | (held["marking"] == 0))
    truth = torch.from_numpy(held["marking"])
    said = logits.argmax(1)
    improvement = torch.where(said > 3, said - 3, said) == torch.where(truth > 3, truth - 3, truth)
    facts["badge"] = {
        "marking": round(float((said == truth)[fair].double().mean()), 4),
        "improvement": round(float(improvement[fair].double().mean()), 4),
    }
    log.info("badge held out: %s", facts["badge"])
    heat_of = {"badge_find": 1.0, "badge": best_temperature(logits[fair], truth[fair])}
    samples = {"badge_find": search_pictures(held["crop"][:7]), "badge": held_spots[:7]}
    for name, model in (("badge_find", finder), ("badge", teller)):
        export_plain(model, torch.from_numpy(_varied(samples[name], None)), out / f"{name}.onnx")
        note = {"temperatures": {"marking": heat_of[name]}, "held_out": facts[name], "steps": steps, "seed": seed}
        (out / f"{name}.json").write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Draw shards, or train on them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("draw", "render", "train"))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--looks", type=int, default=500)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--start", type=Path, nargs="+", default=[], help="checkpoint folders to go on from their mean")
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    if args.what != "train":
        draw(args.data, args.first, args.looks, _drawn if args.what == "draw" else samples_of_scene)
    else:
        args.out.mkdir(parents=True, exist_ok=True)
        train(args.data, args.work, args.out, args.steps, args.seed, args.start)


if __name__ == "__main__":
    main()
