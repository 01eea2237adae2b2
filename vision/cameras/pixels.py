"""From the buffer that a camera filled to BGR, by the format and stride it really used.

A camera that is asked for one format may give another without a word, so nothing is taken for granted. libcamera's
names follow the kernel's DRM: `RGB888` lies in memory as blue, green, red.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import BadInputError, CameraError
from vision.images import decode_image

_INTERLEAVED: dict[str, tuple[int, int | None]] = {
    "RGB888": (3, None),
    "BGR888": (3, cv2.COLOR_RGB2BGR),
    "XRGB8888": (4, cv2.COLOR_BGRA2BGR),
    "XBGR8888": (4, cv2.COLOR_RGBA2BGR),
    "YUYV": (2, cv2.COLOR_YUV2BGR_YUYV),
    "UYVY": (2, cv2.COLOR_YUV2BGR_UYVY),
    "R8": (1, cv2.COLOR_GRAY2BGR),
}
_TWO_PLANES: dict[str, int] = {"NV12": cv2.COLOR_YUV2BGR_NV12, "NV21": cv2.COLOR_YUV2BGR_NV21}
_THREE_PLANES: dict[str, int] = {"YUV420": cv2.COLOR_YUV2BGR_I420, "YVU420": cv2.COLOR_YUV2BGR_YV12}
_HAS_LUMA_FIRST = frozenset({*_TWO_PLANES, *_THREE_PLANES, "R8"})


def to_bgr(buffer: NDArray[np.uint8], pixel_format: str, size: tuple[int, int], stride: int) -> NDArray[np.uint8]:
    """A picture from a camera's buffer.

    Args:
        buffer: uint8 (n,), the buffer as the camera filled it, padding included.
        pixel_format: libcamera's name of the format.
        size: width and height in pixels.
        stride: bytes from one row to the next in the first plane.

    Returns:
        uint8 (height, width, 3), BGR, its own memory.

    Raises:
        CameraError: a format that is not known, or a buffer too short for it.
    """
    width, height = size
    if pixel_format == "MJPEG":
        try:
            return decode_image(buffer.tobytes())
        except BadInputError as error:
            raise CameraError(f"the camera gave a damaged picture: check its cable ({error})") from error
    if pixel_format in _INTERLEAVED:
        depth, code = _INTERLEAVED[pixel_format]
        packed = _rows(buffer, 0, height, stride, width * depth).reshape(height, width, depth)
        return packed.copy() if code is None else np.asarray(cv2.cvtColor(packed, code), np.uint8)
    if width % 2 or height % 2:
        raise CameraError(f"the camera gives {pixel_format} of odd size {width} x {height}: choose an even size")
    luma = _rows(buffer, 0, height, stride, width)
    chroma_start = stride * height
    if pixel_format in _TWO_PLANES:
        chroma = _rows(buffer, chroma_start, height // 2, stride, width)
        return np.asarray(cv2.cvtColor(np.vstack([luma, chroma]), _TWO_PLANES[pixel_format]), np.uint8)
    if pixel_format in _THREE_PLANES:
        first = _rows(buffer, chroma_start, height // 2, stride // 2, width // 2)
        second = _rows(buffer, chroma_start + stride // 2 * (height // 2), height // 2, stride // 2, width // 2)
        planes = np.concatenate([luma.ravel(), first.ravel(), second.ravel()]).reshape(height * 3 // 2, width)
        return np.asarray(cv2.cvtColor(planes, _THREE_PLANES[pixel_format]), np.uint8)
    raise CameraError(f"the camera gives {pixel_format}, which is not known here: choose another size or camera")


def to_luma(buffer: NDArray[np.uint8], pixel_format: str, size: tuple[int, int], stride: int) -> NDArray[np.uint8]:
    """The grey picture of a buffer, arguments as in `to_bgr`: free of cost where the format has it as a plane.

    Returns:
        uint8 (height, width).
    """
    width, height = size
    if pixel_format in _HAS_LUMA_FIRST:
        return _rows(buffer, 0, height, stride, width)
    return np.asarray(cv2.cvtColor(to_bgr(buffer, pixel_format, size, stride), cv2.COLOR_BGR2GRAY), np.uint8)


def _rows(buffer: NDArray[np.uint8], start: int, count: int, stride: int, length: int) -> NDArray[np.uint8]:
    """Rows of a plane without their padding; the last row may lack its padding, as some cameras leave it out."""
    if length > stride or start + stride * (count - 1) + length > buffer.size:
        raise CameraError("the camera's picture is shorter than it says: choose another size")
    rows = np.lib.stride_tricks.as_strided(buffer[start:], (count, length), (stride, 1), writeable=False)
    return np.ascontiguousarray(rows)
