"""How well a network does on held-out scenes, and the temperatures that make its probabilities honest."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from vision.training.losses import FIGURES, HEIGHT, KIND, MARKING, plots

SEEN = 0.4
"""A piece counts where at least this share of it can be seen."""
_HEATS = np.exp(np.linspace(-0.9, 0.9, 37))


def figures_of(name: str, logits: Tensor, truth: Mapping[str, Tensor]) -> dict[str, float]:
    """Rates of right answers by head, where the thing can be seen."""
    if name == "edge":
        return edge_figures(logits, truth)
    kind = truth["kind"]
    plot = plots(kind) > 0.5
    rates: dict[str, float] = {}
    if name == "tile":
        rates["kind"] = _rate(logits[:, KIND].argmax(1) == kind, truth["visible"] >= 0.25)
        icon = plot & (truth["icon_visible"] >= SEEN)
        said = logits[:, MARKING].argmax(1)
        rates["marking"] = _rate(said == truth["marking"], icon)
        rates["improvement"] = _rate(_improvement(said) == _improvement(truth["marking"]), icon)
    else:
        seen = plot & (truth["stalk_visible"] >= SEEN)
        right = logits[:, HEIGHT].argmax(1) == truth["height"]
        rates["height"] = _rate(right, seen)
        rates["height_of_stalks"] = _rate(right, seen & (truth["height"] > 0))
        rates["height_of_stalks_oblique"] = _rate(right, seen & (truth["height"] > 0) & (truth["sine"] < 0.9))
    for figure, column in FIGURES[name].items():
        rates[figure] = _rate((logits[:, column] > 0) == (truth[figure] > 0.5), kind >= 0)
        rates[f"{figure}_found"] = _rate(logits[:, column] > 0, truth[figure] > 0.5)
    return rates


def edge_figures(logits: Tensor, truth: Mapping[str, Tensor]) -> dict[str, float]:
    """Rates of channels found and of channels said that are true, where the edge can be seen."""
    seen, lies, said = truth["visible"] >= SEEN, truth["channel"] > 0.5, logits[:, 0] > 0
    return {
        "found": _rate(said, seen & lies),
        "true": _rate(lies, said & seen),
        "right": _rate(said == lies, seen),
    }


def fitted_temperatures(name: str, logits: Tensor, truth: Mapping[str, Tensor]) -> dict[str, float]:
    """By head the temperature under which held-out answers are most likely (what can be seen at least a little)."""
    if name == "edge":
        seen = truth["visible"] >= 0.1
        return {"channel": _best_binary(logits[seen, 0], truth["channel"][seen])}
    kind = truth["kind"]
    plot = plots(kind) > 0.5
    heats = {figure: _best_binary(logits[:, column], truth[figure]) for figure, column in FIGURES[name].items()}
    if name == "tile":
        there, icon = truth["visible"] >= 0.1, plot & (truth["icon_visible"] >= 0.1)
        heats["kind"] = best_temperature(logits[there, KIND], kind[there])
        heats["marking"] = best_temperature(logits[icon, MARKING], truth["marking"][icon])
    else:
        stalk = plot & (truth["stalk_visible"] >= 0.1)
        heats["height"] = best_temperature(logits[stalk, HEIGHT], truth["height"][stalk])
    return heats


def _improvement(marking: Tensor) -> Tensor:
    """0 for none, else 1 to 3, printed or chip alike."""
    return torch.where(marking > 0, (marking - 1) % 3 + 1, 0)


def _rate(right: Tensor, among: Tensor) -> float:
    return float((right & among).sum() / among.sum().clamp(min=1))


def best_temperature(logits: Tensor, labels: Tensor) -> float:
    """The temperature under which the labels (N,) are likeliest by the logits (N, classes)."""
    losses = [float(functional.cross_entropy(logits / heat, labels)) for heat in _HEATS]
    return round(float(_HEATS[int(np.argmin(losses))]), 3)


def _best_binary(logits: Tensor, labels: Tensor) -> float:
    losses = [float(functional.binary_cross_entropy_with_logits(logits / heat, labels)) for heat in _HEATS]
    return round(float(_HEATS[int(np.argmin(losses))]), 3)
