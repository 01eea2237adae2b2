"""Runs an ONNX file by cv2.dnn, with what its training left beside it (temperatures)."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType

import cv2
import numpy as np

from companion.errors import BadInputError
from vision.nets.blobs import Blob

_BATCH = 1
"""Crops in one pass if nothing else is said. More at once are no quicker, and blank ones had to fill the last pass."""
_OPEN_DIMENSION = b"\x0a\x03\x12\x01n"
"""How an ONNX file writes the dimension `n`: its name stands where a fixed one has its number."""


class Network:
    """One network, ready to run; not for use by two threads at once."""

    def __init__(self, path: Path, outputs: Sequence[str], batch: int = _BATCH) -> None:
        beside = path.with_suffix(".json")
        try:
            self._net = _net(_with_batch(path.read_bytes(), batch))
            facts = json.loads(beside.read_text(encoding="utf-8"))
        except (cv2.error, OSError, ValueError) as error:
            raise BadInputError(f"{path}: cannot be read as a network: {error}; reinstall the project") from None
        self._outputs = list(outputs)
        self._batch = batch
        self.temperatures: Mapping[str, float] = MappingProxyType(
            {str(name): float(value) for name, value in facts["temperatures"].items()}
        )
        """By head, fitted on rendered scenes that the training did not see."""

    def heat(self, head: str) -> float:
        """The temperature of a head: its logits are divided by it."""
        return self.temperatures.get(head, 1.0)

    def run(self, crops: Blob, view: Blob | None = None) -> tuple[Blob, ...]:
        """Outputs in the order of `outputs`, each (N, features).

        Args:
            crops: (N, channels, rows, columns).
            view: (N, figures) that go with the crops, for a network that asks for them.
        """
        n = len(crops)
        parts: list[Sequence[Blob]] = []
        # Nothing asked is answered by one blank crop, so that the outputs keep their width.
        for start in range(0, max(n, 1), self._batch):
            for name, blob in (("crops", crops), ("view", view)):
                if blob is not None:
                    some = blob[start : start + self._batch]
                    if len(some) < self._batch:
                        some = np.concatenate([some, np.zeros((self._batch - len(some), *blob.shape[1:]), np.float32)])
                    self._net.setInput(some, name)
            # cv2.dnn may reuse its buffers in the next pass.
            parts.append([np.array(out, dtype=np.float32) for out in self._net.forward(self._outputs)])
        return tuple(np.concatenate([part[i] for part in parts])[:n] for i in range(len(self._outputs)))


def _net(model: bytes) -> cv2.dnn.Net:
    """A network from an ONNX file whose dimensions are all fixed, on the engine that runs it quickest.

    That is the classic one, the only one of OpenCV 4: on these networks it takes a quarter less time than the one that
    OpenCV 5 would choose. OpenCV 5 heeds the choice for files alone, not for bytes.
    """
    if not hasattr(cv2.dnn, "ENGINE_CLASSIC"):
        return cv2.dnn.readNetFromONNX(np.frombuffer(model, np.uint8))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "network.onnx"
        file.write_bytes(model)
        return cv2.dnn.readNetFromONNX(str(file), cv2.dnn.ENGINE_CLASSIC)


def _with_batch(model: bytes, rows: int) -> bytes:
    """An ONNX file with the dimension `n` fixed, in as many bytes: its number (below 128) in two of them.

    Neither OpenCV 4 nor the classic engine of OpenCV 5 takes an open one where there are two inputs.
    """
    return model.replace(_OPEN_DIMENSION, b"\x0a\x03\x08" + bytes((rows | 0x80, 0)))


@cache
def model_path(name: str) -> Path:
    """Where a network of the project lies."""
    return Path(__file__).with_name(f"{name}.onnx")
