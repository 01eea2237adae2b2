"""The same network in less time: an exported graph rewritten so that cv2.dnn takes its quick ways.

Two things are slow in cv2.dnn. A first layer of 4 x 4 with stride 2 has few channels to gather from many places: laid
into channels beforehand (`vision.nets.blobs.folded`), its input needs 3 x 3 without a stride. And what it multiplies
least for, convolutions of 3 x 3 without a stride by Winograd's algorithm, it does from 12 rows and columns on only:
smaller maps are padded to that.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import GraphProto, NodeProto, helper, numpy_helper, shape_inference

from vision.nets.blobs import folds

_LEAST_SIDE, _WORTH_PADDING = 12, 7
"""What cv2.dnn wants of rows and columns; smaller maps than the second are quicker as they are."""


def quicken(path: Path) -> None:
    """Rewrite an ONNX file whose first layer is one of 4 x 4 with stride 2 on `crops`; it takes folded crops then."""
    model = onnx.load(str(path))
    _fold_first(model.graph)
    _pad_small(shape_inference.infer_shapes(model).graph, model.graph)
    onnx.save(model, str(path))


def _fold_first(graph: GraphProto) -> None:
    crops = graph.input[0].type.tensor_type.shape
    channels, rows, columns = (dimension.dim_value for dimension in crops.dim[1:])
    (first,) = (node for node in graph.node if node.op_type == "Conv" and node.input[0] == graph.input[0].name)
    weights = next(one for one in graph.initializer if one.name == first.input[1])
    weights.CopyFrom(numpy_helper.from_array(folded_weights(numpy_helper.to_array(weights)), weights.name))
    _set(first, kernel_shape=[3, 3], strides=[1, 1], pads=[1, 1, 1, 1])
    for dimension, size in zip(crops.dim[1:], (4 * channels, rows // 2, columns // 2), strict=True):
        dimension.dim_value = size


def folded_weights(weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Weights (out, 4 channels, 3, 3) that do on folded pictures what (out, channels, 4, 4) do with stride 2."""
    out, channels, size, _ = weights.shape
    if size != 4:
        raise ValueError(f"a first layer of {size} x {size} cannot be folded; it must be 4 x 4")
    folded = np.zeros((out, 4 * channels, 3, 3), dtype=np.float32)
    for place, (channel, down, right) in enumerate(folds(channels)):
        # Tap k of the four lies at pixel 2 y - 1 + k: of the square before, this one twice, and the one after.
        for row, tap_row in _taps(down):
            for column, tap_column in _taps(right):
                folded[:, place, row, column] = weights[:, channel, tap_row, tap_column]
    return folded


def _taps(offset: int) -> list[tuple[int, int]]:
    """Of pixels at this offset in their squares: which of three squares which of four taps falls on."""
    return [
        ((offset + 2 * square) // 2, offset + 2 * square - 1)
        for square in (0, 1, 2)
        if 0 <= offset + 2 * square - 1 < 4
    ]


def _pad_small(known: GraphProto, graph: GraphProto) -> None:
    shapes = {
        value.name: [dimension.dim_value for dimension in value.type.tensor_type.shape.dim]
        for value in (*known.input, *known.value_info)
    }
    nodes: list[NodeProto] = []
    for node in graph.node:
        nodes.append(node)
        rows, columns = shapes.get(node.input[0], [0, 0, 0, 0])[2:] if _is_plain(node) else (0, 0)
        if min(rows, columns) < _WORTH_PADDING or min(rows, columns) >= _LEAST_SIDE:
            continue
        name = node.output[0]
        # A side that is long enough keeps the padding of the convolution itself.
        more = [max(0, _LEAST_SIDE - 2 - side) for side in (rows, columns)]
        padded = [int(side < _LEAST_SIDE) for side in (rows, columns)]
        pads = [0, 0, *padded, 0, 0, *(one + extra * one for one, extra in zip(padded, more, strict=True))]
        nodes[-1:] = [helper.make_node("Pad", [node.input[0], f"{name}_pads"], [f"{name}_padded"]), node]
        node.input[0] = f"{name}_padded"
        _set(node, pads=[1 - one for one in padded] * 2)
        _constant(graph, f"{name}_pads", pads)
        if any(extra and one for extra, one in zip(more, padded, strict=True)):
            node.output[0] = f"{name}_wide"
            for part, values in (("begin", [0, 0]), ("end", [rows, columns]), ("axes", [2, 3])):
                _constant(graph, f"{name}_{part}", values)
            cut = [f"{name}_wide", f"{name}_begin", f"{name}_end", f"{name}_axes"]
            nodes.append(helper.make_node("Slice", cut, [name]))
    del graph.node[:]
    graph.node.extend(nodes)


def _is_plain(node: NodeProto) -> bool:
    """Whether a node is a convolution of 3 x 3 without a stride that keeps the size."""
    if node.op_type != "Conv":
        return False
    said = {one.name: list(one.ints) for one in node.attribute}
    return said["kernel_shape"] == [3, 3] and said["strides"] == [1, 1] and said["pads"] == [1, 1, 1, 1]


def _constant(graph: GraphProto, name: str, values: list[int]) -> None:
    graph.initializer.append(numpy_helper.from_array(np.array(values, dtype=np.int64), name))


def _set(node: NodeProto, **lists: list[int]) -> None:
    for attribute in node.attribute:
        if attribute.name in lists:
            del attribute.ints[:]
            attribute.ints.extend(lists[attribute.name])
