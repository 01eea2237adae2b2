"""Reading a picture file safely: bounded memory, and a clear line for everything that is not one still picture."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import BadInputError
from vision.image_header import read_header

MAX_PIXELS = 32_000_000
"""More than any Pi camera gives (HQ: 12.3 million); decoded it is 96 MB."""
MAX_BYTES = 128 * 2**20
"""No still of `MAX_PIXELS` that we read is larger; what is larger is not even loaded."""
MIN_SIDE_PX = 32
"""A smaller picture cannot show a table."""


def read_image(path: Path | str, max_pixels: int = MAX_PIXELS) -> NDArray[np.uint8]:
    """Read one still picture.

    The content decides, not the name: a JPEG called `.png` is read. Grey, CMYK, transparent and 16-bit pictures come
    back as 8-bit BGR. A turn noted in Exif data is not applied, since a camera file speaks of the pixels as the
    sensor gave them.

    Args:
        path: the file.
        max_pixels: a larger picture is refused by its header, before it is decoded.

    Returns:
        uint8 (H, W, 3), BGR.

    Raises:
        BadInputError: whatever is wrong, with the file's name and the remedy.
    """
    path = Path(path)
    try:
        if not path.is_file():
            raise BadInputError(f"{path}: no such file" if not path.exists() else f"{path}: not a file")
        if path.stat().st_size > MAX_BYTES:
            raise BadInputError(f"{path}: larger than {MAX_BYTES // 2**20} MB: save it smaller")
        data = path.read_bytes()
    except BadInputError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
        raise BadInputError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})") from error
    try:
        return decode_image(data, max_pixels)
    except BadInputError as error:
        raise BadInputError(f"{path}: {error}") from error


def decode_image(data: bytes, max_pixels: int = MAX_PIXELS) -> NDArray[np.uint8]:
    """Decode one still picture held in memory; as `read_image`.

    Raises:
        BadInputError: whatever is wrong, without a file's name.
    """
    header = read_header(data)
    size = f"{header.width} x {header.height} pixels"
    if min(header.width, header.height) < MIN_SIDE_PX:
        raise BadInputError(f"the picture has {size}: too small to show a table")
    if header.width * header.height > max_pixels:
        raise BadInputError(f"the picture has {size}: more than {max_pixels:,}, save it smaller")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error as error:
        raise BadInputError("the picture is damaged and cannot be decoded: copy it again") from error
    if image is None or image.dtype != np.uint8 or image.shape != (header.height, header.width, 3):
        raise BadInputError("the picture is damaged and cannot be decoded: copy it again")
    return np.asarray(image, np.uint8)
