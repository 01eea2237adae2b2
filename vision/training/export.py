"""From PyTorch to ONNX, checked by running the file in cv2.dnn."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from vision.nets.blobs import folded
from vision.training.batches import batch_of
from vision.training.quicker import quicken
from vision.training.shards import Table

AGREES = 0.05
"""Logits of the exported file may differ by this much from PyTorch's: its weights are kept in half precision."""
_SMALL = 256
"""Weights fewer than this stay in full precision."""


def export(name: str, model: nn.Module, path: Path, samples: Table) -> None:
    """Write one network (`tile`, `tall` or `edge`); `samples` are held-out crops to check it with.

    Raises:
        RuntimeError: if the file gives other numbers in cv2.dnn than the model in PyTorch.
    """
    crops, view, _ = batch_of(name, samples, np.arange(min(7, len(samples["scene"]))), None)
    outputs = {"tile": ("logits", "embedding"), "tall": ("logits", "pairs")}.get(name, ("logits",))
    _export(model, (crops, view), ("crops", "view"), outputs, path, folding=True)


def export_plain(model: nn.Module, crops: Tensor, path: Path) -> None:
    """Write a network that takes crops alone, checked with these.

    Raises:
        RuntimeError: if the file gives other numbers in cv2.dnn than the model in PyTorch.
    """
    _export(model, (crops,), ("crops",), ("logits",), path, folding=False)


def _export(
    model: nn.Module,
    inputs: tuple[Tensor, ...],
    names: tuple[str, ...],
    outputs: tuple[str, ...],
    path: Path,
    *,
    folding: bool,
) -> None:
    plain = model.eval().to(memory_format=torch.contiguous_format)
    dynamic = {name: {0: "n"} for name in (*names, *outputs)}
    torch.onnx.export(
        plain,
        tuple(part.contiguous() for part in inputs),
        str(path),
        dynamo=False,
        input_names=list(names),
        output_names=list(outputs),
        dynamic_axes=dynamic,
        opset_version=13,
    )
    asked = [part.numpy() for part in inputs]
    if folding:
        quicken(path)
        asked[0] = folded(asked[0])
    halve(path)
    net = cv2.dnn.readNetFromONNX(str(path))
    for name, part in zip(names, asked, strict=True):
        net.setInput(part, name)
    with torch.no_grad():
        wanted = plain(*inputs)
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    for got, want in zip(net.forward(list(outputs)), wanted, strict=True):
        miss = float(np.abs(got - want.numpy()).max())
        if miss > AGREES:
            raise RuntimeError(f"{path}: cv2.dnn differs from PyTorch by {miss}")


def halve(path: Path) -> None:
    """Keep the weights of an ONNX file in half precision, cast back when it is loaded: half the size, the same work."""
    model = onnx.load(str(path))
    graph = model.graph
    casts = []
    for weights in list(graph.initializer):
        values = numpy_helper.to_array(weights)
        if values.dtype == np.float32 and values.size >= _SMALL:
            graph.initializer.remove(weights)
            graph.initializer.append(numpy_helper.from_array(values.astype(np.float16), f"{weights.name}_half"))
            casts.append(helper.make_node("Cast", [f"{weights.name}_half"], [weights.name], to=TensorProto.FLOAT))
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.save(model, str(path))
