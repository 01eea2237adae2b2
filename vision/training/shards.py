"""Crops with truth on disk: one folder a shard, one .npy file a column, so that they can be mapped into memory."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Table = dict[str, NDArray[Any]]
"""Columns of equal length; `scene` (N,) is the seed of the scene a row comes from."""
HELD_OUT = 12
"""Every so many-th scene is held out."""


def save_shard(folder: Path, rows: Mapping[str, list[NDArray[Any]]]) -> None:
    """Write the columns, each a list of arrays with the same first axes."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, parts in rows.items():
        np.save(folder / f"{name}.npy", np.concatenate(parts))


def load_shards(root: Path, name: str, network: str) -> tuple[Table, Table]:
    """All shards `root/*/NAME`, in name order: rows to train on, rows of held-out scenes.

    The crops of the other network of cells are left on disk.
    """
    unused = {"tile": "tall", "tall": "tile"}.get(network, "-")
    train: dict[str, list[NDArray[Any]]] = {}
    held: dict[str, list[NDArray[Any]]] = {}
    for folder in sorted(root.glob(f"*/{name}")):
        out = np.load(folder / "scene.npy") % HELD_OUT == 0
        for file in sorted(folder.glob("*.npy")):
            if file.stem.startswith(unused) or (network == "tile" and file.stem in ("body", "rises")):
                continue
            column = np.load(file, mmap_mode="r")
            train.setdefault(file.stem, []).append(column[~out])
            held.setdefault(file.stem, []).append(column[out])
    if not train:
        raise FileNotFoundError(f"no shards */{name} in {root}; make them with python -m vision.training.generate")
    return {k: np.concatenate(v) for k, v in train.items()}, {k: np.concatenate(v) for k, v in held.items()}


def columns_of(root: Path, name: str) -> Table:
    """All rows of the shards `root/*/NAME` that are to be trained on; empty without any."""
    parts: dict[str, list[NDArray[Any]]] = {}
    for folder in sorted(root.glob(f"*/{name}")):
        keep = np.load(folder / "scene.npy") % HELD_OUT != 0
        for file in sorted(folder.glob("*.npy")):
            parts.setdefault(file.stem, []).append(np.load(file, mmap_mode="r")[keep])
    return {key: np.concatenate(columns) for key, columns in parts.items()}
