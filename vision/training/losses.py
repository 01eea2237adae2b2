"""What the networks are asked to say: hard where a thing can be seen, flat where it cannot."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn import functional

KIND, MARKING, HEIGHT = slice(0, 5), slice(5, 12), slice(12, 17)
SEEN_AT = 0.15
"""From this visible share on a thing counts as seen; below, its target fades to flat."""


def faded(labels: Tensor, classes: int, visible: Tensor) -> Tensor:
    """One-hot targets (N, classes) that fade to flat as the visible share (N,) falls below `SEEN_AT`."""
    sure = (visible / SEEN_AT).clamp(0.0, 1.0)[:, None]
    return functional.one_hot(labels, classes) * sure + (1.0 - sure) / classes


def _cross_entropy(logits: Tensor, targets: Tensor, weight: Tensor) -> Tensor:
    loss = -(targets * functional.log_softmax(logits, dim=1)).sum(1)
    return (loss * weight).sum() / weight.sum().clamp(min=1.0)


def cell_loss(logits: Tensor, truth: Mapping[str, Tensor]) -> Tensor:
    """Sum over the heads.

    Args:
        logits: (N, 21).
        truth: `kind`, `marking`, `height` (N,) int64; `visible`, `icon_visible`, `stalk_visible`, `gardener`, `panda`
            (N,) float32.
    """
    kind, visible = truth["kind"], truth["visible"]
    plot = ((kind >= 1) & (kind <= 3)).float()
    every = torch.ones_like(visible)
    loss = _cross_entropy(logits[:, KIND], faded(kind, 5, visible), every)
    loss = loss + _cross_entropy(logits[:, MARKING], faded(truth["marking"], 7, truth["icon_visible"]), plot)
    loss = loss + 1.5 * _cross_entropy(logits[:, HEIGHT], faded(truth["height"], 5, truth["stalk_visible"]), plot)
    for column, name in ((17, "gardener"), (18, "panda")):
        loss = loss + 2.0 * functional.binary_cross_entropy_with_logits(logits[:, column], truth[name])
    loss = loss + 0.3 * functional.binary_cross_entropy_with_logits(logits[:, 19], 1.0 - visible)
    stalk = functional.binary_cross_entropy_with_logits(logits[:, 20], 1.0 - truth["stalk_visible"], reduction="none")
    return loss + 0.3 * (stalk * plot).sum() / plot.sum().clamp(min=1.0)


def edge_loss(logits: Tensor, truth: Mapping[str, Tensor]) -> Tensor:
    """Channel and hidden share; `channel` and `visible` (M,) float32."""
    sure = (truth["visible"] / SEEN_AT).clamp(0.0, 1.0)
    target = truth["channel"] * sure + 0.5 * (1.0 - sure)
    loss = functional.binary_cross_entropy_with_logits(logits[:, 0], target)
    return loss + 0.3 * functional.binary_cross_entropy_with_logits(logits[:, 1], 1.0 - truth["visible"])
