"""One way to train them all: AdamW, a warm start, a cosine to the end, and the running mean of the weights."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

log = logging.getLogger("fit")
_TELL_EVERY = 200
"""Steps between two lines of progress, each with a checkpoint."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one network is trained."""

    steps: int
    batch: int
    rate: float = 3e-3
    decay: float = 1e-2
    average: float = 0.998
    """Of the running mean of the weights, which is what gets exported."""
    warm: int = 200
    """Steps until the rate is full."""
    seed: int = 1


def fitted(model: nn.Module, recipe: Recipe, next_loss: Callable[[], Tensor], checkpoint: Path) -> nn.Module:
    """Train a model; the running mean of its weights is what comes out, ready to be asked.

    Args:
        model: what is trained.
        recipe: how; its batch and seed are the caller's to use.
        next_loss: draws the next batch and gives the model's loss on it.
        checkpoint: where the mean weights are written now and then.
    """
    groups = [
        {"params": [p for p in model.parameters() if p.ndim > 1], "weight_decay": recipe.decay},
        {"params": [p for p in model.parameters() if p.ndim <= 1], "weight_decay": 0.0},
    ]
    optimiser = torch.optim.AdamW(groups, lr=recipe.rate)
    mean = {key: value.detach().clone() for key, value in model.state_dict().items()}
    started, running = time.monotonic(), 0.0
    model.train()
    for step in range(recipe.steps):
        warm = min(1.0, (step + 1) / recipe.warm)
        for group in optimiser.param_groups:
            group["lr"] = recipe.rate * warm * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * step / recipe.steps)))
        loss = next_loss()
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        keep = min(recipe.average, (step + 1) / (step + 10))
        with torch.no_grad():
            for key, value in model.state_dict().items():
                if value.dtype.is_floating_point:
                    mean[key].lerp_(value, 1 - keep)
                else:
                    mean[key].copy_(value)
        running = 0.98 * running + 0.02 * loss.item() if step else loss.item()
        if (step + 1) % _TELL_EVERY == 0:
            log.info("step %d loss %.4f %.0f s", step + 1, running, time.monotonic() - started)
            torch.save(mean, checkpoint)
    model.load_state_dict(mean)
    return model.eval()


def mean_of(checkpoints: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """The mean of runs that went on from the same weights."""
    return {
        key: torch.stack([one[key].double() for one in checkpoints]).mean(0).to(value.dtype)
        for key, value in checkpoints[0].items()
    }
