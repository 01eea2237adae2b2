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


def icon_loss(icons: Tensor, truth: Mapping[str, Tensor]) -> Tensor:
    """The marking at every place of the crop: its own at the badge, nothing elsewhere, not asked about its rim.

    Args:
        icons: (N, 7, 10, 10) logits.
        truth: `marking` (N,), `icon_visible` (N,), `icon_at` (N, 2) column and row of the badge's centre in the crop.
    """
    middles = torch.arange(10.0) * 8.0 + 3.5
    off = (middles[None] - truth["icon_at"][:, :1]).abs()[:, None, :]
    off = torch.maximum(off, (middles[None] - truth["icon_at"][:, 1:]).abs()[:, :, None])
    seen = (truth["marking"] > 0) & (truth["icon_visible"] > 0.3)
    on = (off <= 6.0) & seen[:, None, None]
    aside = (off > 11.0) | (truth["marking"] == 0)[:, None, None]
    target = torch.where(on, truth["marking"][:, None, None], 0)
    loss = functional.cross_entropy(icons, target, reduction="none")
    return (loss * on).sum() / on.sum().clamp(min=1) + (loss * aside).sum() / aside.sum().clamp(min=1)


def map_loss(maps: Tensor, truth: Mapping[str, Tensor]) -> Tensor:
    """Where foot, top and body of the stalk lie in the upright crop.

    Foot and top: cross entropy against a point shared out over four places. Body: binary at every place.

    Args:
        maps: (N, 3, ROWS / 2, COLUMNS / 2) logits of foot, top, body.
        truth: `height`, `stalk_visible` (N,), `foot_at`, `top_at` (N, 2) column and row in the crop,
            `body` (N, ROWS / 2, COLUMNS / 2) share of stalk, 0 to 1.
    """
    rows, columns = maps.shape[2:]
    body = functional.binary_cross_entropy_with_logits(maps[:, 2], truth["body"], reduction="none").mean((1, 2))
    total = 4.0 * (body * plots(truth["kind"])).mean()
    for index, name in enumerate(("foot_at", "top_at")):
        column, row = (truth[name][:, 0] - 0.5) / 2.0, (truth[name][:, 1] - 0.5) / 2.0
        asked = (truth["height"] > 0) & (truth["stalk_visible"] > SEEN_AT) & (row > -0.5) & (row < rows - 0.5)
        asked = asked & (column > -0.5) & (column < columns - 0.5)
        down = (1.0 - (torch.arange(rows)[None] - row.clamp(0, rows - 1)[:, None]).abs()).clamp(min=0.0)
        along = (1.0 - (torch.arange(columns)[None] - column.clamp(0, columns - 1)[:, None]).abs()).clamp(min=0.0)
        target = (down[:, :, None] * along[:, None, :]).flatten(1)
        total = total + 0.5 * _cross_entropy(maps[:, index].flatten(1), target, asked.float())
    return total


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
