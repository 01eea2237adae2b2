"""Exported networks are rewritten to run quicker and say the same."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.nets.blobs import folded

onnx = pytest.importorskip("onnx")


def network(path, rows, columns):
    """A first layer of 4 x 4 with stride 2, and one that keeps its size."""
    from onnx import TensorProto, helper, numpy_helper

    rng = np.random.default_rng(1)
    shapes = {"first": (6, 4, 4, 4), "second": (5, 6, 3, 3)}
    weights = [
        numpy_helper.from_array(rng.normal(0.0, 0.2, shape).astype(np.float32), name) for name, shape in shapes.items()
    ]
    nodes = [
        helper.make_node("Conv", ["crops", "first"], ["a"], kernel_shape=[4, 4], strides=[2, 2], pads=[1] * 4),
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("Conv", ["b", "second"], ["logits"], kernel_shape=[3, 3], strides=[1, 1], pads=[1] * 4),
    ]
    put = helper.make_tensor_value_info("crops", TensorProto.FLOAT, [1, 4, rows, columns])
    out = helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, 5, rows // 2, columns // 2])
    model = helper.make_model(
        helper.make_graph(nodes, "g", [put], [out], weights), opset_imports=[helper.make_opsetid("", 13)]
    )
    model.ir_version = 7
    onnx.save(model, str(path))


def said(path, blob):
    net = cv2.dnn.readNetFromONNX(str(path))
    net.setInput(blob)
    return net.forward()


@pytest.mark.parametrize(("rows", "columns"), [(20, 20), (32, 16), (18, 28), (16, 8), (40, 40)])
def test_it_says_the_same(tmp_path, rows, columns):
    from vision.training.quicker import quicken

    path = tmp_path / "network.onnx"
    network(path, rows, columns)
    blob = np.random.default_rng(2).normal(0.0, 1.0, (1, 4, rows, columns)).astype(np.float32)
    before = said(path, blob)
    quicken(path)
    after = said(path, folded(blob))
    assert after.shape == before.shape
    assert after == pytest.approx(before, abs=1e-4)
    made = [node.op_type for node in onnx.load(str(path)).graph.node]
    assert ("Pad" in made) == (min(rows, columns) in (16, 18, 20) and min(rows, columns) // 2 < 12)
