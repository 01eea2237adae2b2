"""How well a network does on held-out scenes, and the temperatures that make its probabilities honest."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from torch import Tensor
from torch.nn import functional

from vision.training.losses import HEIGHT, KIND, MARKING

SEEN = 0.4
"""A piece counts where at least this share of it can be seen."""
_HEATS = np.exp(np.linspace(-0.9, 0.9, 37))


def cell_figures(logits: Tensor, truth: Mapping[str, Tensor]) -> dict[str, float]:
    """Rates of right answers by head, where the thing can be seen."""
    kind = truth["kind"]
    plot = (kind >= 1) & (kind <= 3)
    stalk = plot & (truth["stalk_visible"] >= SEEN)
    heights = logits[:, HEIGHT].argmax(1)
    return {
        "kind": _rate(logits[:, KIND].argmax(1) == kind, truth["visible"] >= 0.25),
        "marking": _rate(logits[:, MARKING].argmax(1) == truth["marking"], plot & (truth["icon_visible"] >= SEEN)),
        "height": _rate(heights == truth["height"], stalk),
        "height_of_stalks": _rate(heights == truth["height"], stalk & (truth["height"] > 0)),
        "gardener": _rate((logits[:, 17] > 0) == (truth["gardener"] > 0.5), truth["visible"] >= 0.0),
        "panda": _rate((logits[:, 18] > 0) == (truth["panda"] > 0.5), truth["visible"] >= 0.0),
        "gardener_found": _rate(logits[:, 17] > 0, truth["gardener"] > 0.5),
        "panda_found": _rate(logits[:, 18] > 0, truth["panda"] > 0.5),
    }


def edge_figures(logits: Tensor, truth: Mapping[str, Tensor]) -> dict[str, float]:
    """Rates of channels found and of channels said that are true, where the edge can be seen."""
    seen, lies, said = truth["visible"] >= SEEN, truth["channel"] > 0.5, logits[:, 0] > 0
    return {
        "found": _rate(said, seen & lies),
        "true": _rate(lies, said & seen),
        "right": _rate(said == lies, seen),
    }


def fitted_temperatures(logits: Tensor, truth: Mapping[str, Tensor]) -> dict[str, float]:
    """By head the temperature under which held-out answers are most likely (what can be seen at least a little)."""
    if "channel" in truth:
        seen = truth["visible"] >= 0.1
        return {"channel": _best_binary(logits[seen, 0], truth["channel"][seen])}
    kind = truth["kind"]
    plot = (kind >= 1) & (kind <= 3)
    icon, stalk = plot & (truth["icon_visible"] >= 0.1), plot & (truth["stalk_visible"] >= 0.1)
    there = truth["visible"] >= 0.1
    return {
        "kind": _best(logits[there, KIND], kind[there]),
        "marking": _best(logits[icon, MARKING], truth["marking"][icon]),
        "height": _best(logits[stalk, HEIGHT], truth["height"][stalk]),
        "gardener": _best_binary(logits[:, 17], truth["gardener"]),
        "panda": _best_binary(logits[:, 18], truth["panda"]),
    }


def _rate(right: Tensor, among: Tensor) -> float:
    return float((right & among).sum() / among.sum().clamp(min=1))


def _best(logits: Tensor, labels: Tensor) -> float:
    losses = [float(functional.cross_entropy(logits / heat, labels)) for heat in _HEATS]
    return round(float(_HEATS[int(np.argmin(losses))]), 3)


def _best_binary(logits: Tensor, labels: Tensor) -> float:
    losses = [float(functional.binary_cross_entropy_with_logits(logits / heat, labels)) for heat in _HEATS]
    return round(float(_HEATS[int(np.argmin(losses))]), 3)
