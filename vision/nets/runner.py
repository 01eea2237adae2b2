"""Runs an ONNX file by cv2.dnn, with what its training left beside it (temperatures)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType

import cv2
import numpy as np

from companion.errors import BadInputError
from vision.nets.blobs import Blob

_BATCH = 48
"""Crops in one pass: more would only cost memory."""


class Network:
    """One network, ready to run; not for use by two threads at once."""

    def __init__(self, path: Path, outputs: Sequence[str]) -> None:
        beside = path.with_suffix(".json")
        try:
            self._net = cv2.dnn.readNetFromONNX(str(path))
            facts = json.loads(beside.read_text(encoding="utf-8"))
        except (cv2.error, OSError, ValueError) as error:
            raise BadInputError(f"{path}: cannot be read as a network: {error}; reinstall the project") from None
        self._outputs = list(outputs)
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
        for start in range(0, max(n, 1), _BATCH):
            for name, blob in (("crops", crops), ("view", view)):
                if blob is not None:
                    some = blob[start : start + _BATCH] if n else np.zeros((1, *blob.shape[1:]), np.float32)
                    self._net.setInput(np.ascontiguousarray(some), name)
            # cv2.dnn may reuse its buffers in the next pass.
            parts.append([np.array(out, dtype=np.float32) for out in self._net.forward(self._outputs)])
        return tuple(np.concatenate([part[i] for part in parts])[:n] for i in range(len(self._outputs)))


@cache
def model_path(name: str) -> Path:
    """Where a network of the project lies."""
    return Path(__file__).with_name(f"{name}.onnx")
