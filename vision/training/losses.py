"""What the networks are asked to say: hard where a thing can be seen, flat where it cannot."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn import functional

KIND, MARKING = slice(0, 5), slice(5, 12)
"""Of the tile network; then gardener, panda, hidden."""
HEIGHT = slice(0, 5)
"""Of the upright network; then gardener, panda, stalk hidden."""
FIGURES = {"tile": {"gardener": 12, "panda": 13}, "tall": {"gardener": 5, "panda": 6}}
SEEN_AT = 0.15
"""From this visible share on a thing counts as seen; below, its target fades to flat."""


def faded(labels: Tensor, classes: int, visible: Tensor) -> Tensor:
    """One-hot targets (N, classes) that fade to flat as the visible share (N,) falls below `SEEN_AT`."""
    sure = (visible / SEEN_AT).clamp(0.0, 1.0)[:, None]
    return functional.one_hot(labels, classes) * sure + (1.0 - sure) / classes


def _cross_entropy(logits: Tensor, targets: Tensor, weight: Tensor) -> Tensor:
    loss = -(targets * functional.log_softmax(logits, dim=1)).sum(1)
    return (loss * weight).sum() / weight.sum().clamp(min=1.0)


def tile_loss(logits: Tensor, truth: Mapping[str, Tensor]) -> Tensor:
    """Sum over the heads of the tile network.

    Args:
        logits: (N, 15).
        truth: `kind`, `marking` (N,) int64; `visible`, `icon_visible`, `gardener`, `panda` (N,) float32.
    """
    kind, visible = truth["kind"], truth["visible"]
    loss = _cross_entropy(logits[:, KIND], faded(kind, 5, visible), torch.ones_like(visible))
    loss = loss + 1.5 * _cross_entropy(
        logits[:, MARKING], faded(truth["marking"], 7, truth["icon_visible"]), plots(kind)
    )
    return loss + _figures("tile", logits, truth) + 0.3 * _binary(logits[:, 14], 1.0 - visible)


def tall_loss(logits: Tensor, truth: Mapping[str, Tensor]) -> Tensor:
    """Sum over the heads of the upright network.

    Args:
        logits: (N, 8).
        truth: `kind`, `height` (N,) int64; `stalk_visible`, `gardener`, `panda` (N,) float32.
    """
    plot, visible = plots(truth["kind"]), truth["stalk_visible"]
    loss = 1.5 * _cross_entropy(logits[:, HEIGHT], faded(truth["height"], 5, visible), plot)
    hidden = functional.binary_cross_entropy_with_logits(logits[:, 7], 1.0 - visible, reduction="none")
    return loss + _figures("tall", logits, truth) + 0.3 * (hidden * plot).sum() / plot.sum().clamp(min=1.0)


def plots(kind: Tensor) -> Tensor:
    """1.0 where a plot lies, by the kinds (N,)."""
    return ((kind >= 1) & (kind <= 3)).float()


def _figures(network: str, logits: Tensor, truth: Mapping[str, Tensor]) -> Tensor:
    parts = [3.0 * _binary(logits[:, column], truth[name]) for name, column in FIGURES[network].items()]
    return parts[0] + parts[1]


def _binary(logits: Tensor, truth: Tensor) -> Tensor:
    return functional.binary_cross_entropy_with_logits(logits, truth)


def edge_loss(logits: Tensor, truth: Mapping[str, Tensor]) -> Tensor:
    """Channel and hidden share; `channel` and `visible` (M,) float32."""
    sure = (truth["visible"] / SEEN_AT).clamp(0.0, 1.0)
    target = truth["channel"] * sure + 0.5 * (1.0 - sure)
    loss = functional.binary_cross_entropy_with_logits(logits[:, 0], target)
    return loss + 0.3 * functional.binary_cross_entropy_with_logits(logits[:, 1], 1.0 - truth["visible"])
