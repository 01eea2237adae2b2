"""One picture with its source and its time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""A picture, (H, W, 3), BGR."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One still picture of the table.

    Attributes:
        image: (H, W, 3) uint8, BGR.
        source: where it came from, such as `webcam:0` or a file's name.
        t: monotonic seconds, or seconds since the recording began.
    """

    image: Image
    source: str
    t: float

    def __post_init__(self) -> None:
        if self.image.dtype != np.uint8 or self.image.ndim != 3 or self.image.shape[2] != 3 or self.image.size == 0:
            raise ValueError(
                f"{self.source}: a frame is a (height, width, 3) picture of bytes in BGR order, "
                f"not {self.image.dtype} {self.image.shape}"
            )

    @property
    def height(self) -> int:
        """Rows, pixels."""
        return int(self.image.shape[0])

    @property
    def width(self) -> int:
        """Columns, pixels."""
        return int(self.image.shape[1])
