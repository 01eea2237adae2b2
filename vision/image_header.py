"""What a picture file says of itself, read before anything is decoded.

A decoder believes the file: 20 000 x 20 000 pixels ask for 1.2 GB, and a torn file comes back half grey. So the size
is read from the header, and the file's own structure is walked to its end, in a few microseconds and no memory.

Sources: PNG third edition (W3C) sections 5 and 11; JPEG ITU-T T.81 annex B; WebP RFC 9649 section 2; BMP as in
Microsoft's BITMAPINFOHEADER.
"""

from __future__ import annotations

import re
import struct
import zlib
from dataclasses import dataclass

from companion.errors import BadInputError


@dataclass(frozen=True, slots=True)
class ImageHeader:
    """Kind and size of one still picture."""

    kind: str
    """`JPEG`, `PNG`, `WebP` or `BMP`."""
    width: int
    """Pixels, as stored: a turn that a camera notes in its Exif data is not applied."""
    height: int


OTHER_KINDS: tuple[tuple[bytes, int, str], ...] = (
    (b"GIF8", 0, "GIF"),
    (b"II*\0", 0, "TIFF"),
    (b"MM\0*", 0, "TIFF"),
    (b"ftyphei", 4, "HEIC"),
    (b"ftypmif1", 4, "HEIC"),
    (b"ftypavif", 4, "AVIF"),
    (b"ftyp", 4, "video"),
    (b"%PDF", 0, "PDF"),
    (b"PK\x03\x04", 0, "ZIP"),
)
"""What people hand over by mistake: the first bytes, where they stand, and the name to say."""

_PNG = b"\x89PNG\r\n\x1a\n"
_NEXT_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
_SIZE_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_BARE_MARKERS = frozenset({0x01, *range(0xD0, 0xD9)})


def read_header(data: bytes) -> ImageHeader:
    """The kind and size of the picture in `data`, once its structure was found whole.

    Raises:
        BadInputError: empty, of another kind, torn, damaged or animated; the text names what and the remedy.
    """
    if not data:
        raise BadInputError("the file is empty: take the picture again")
    try:
        if data.startswith(_PNG):
            return _png(data)
        if data.startswith(b"\xff\xd8\xff"):
            return _jpeg(data)
        if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
            return _webp(data)
        if data.startswith(b"BM") and len(data) > 30:
            return _bmp(data)
    except (struct.error, IndexError) as error:
        raise _torn() from error
    for magic, place, name in OTHER_KINDS:
        if data.startswith(magic, place):
            raise BadInputError(f"this is a {name} file: save the picture as PNG or JPEG")
    raise BadInputError("this is not a picture: PNG, JPEG, WebP or BMP is needed")


def _torn() -> BadInputError:
    return BadInputError("the picture is cut short or damaged: copy it again")


def _animated(kind: str) -> BadInputError:
    return BadInputError(f"this {kind} is animated: save one still picture of it")


def _png(data: bytes) -> ImageHeader:
    place, width, height, has_pixels = len(_PNG), 0, 0, False
    while True:
        length, kind = struct.unpack_from(">I4s", data, place)
        end = place + 8 + length
        (stored_sum,) = struct.unpack_from(">I", data, end)
        if zlib.crc32(memoryview(data)[place + 4 : end]) != stored_sum:
            raise _torn()
        if kind == b"IHDR":
            width, height = struct.unpack_from(">II", data, place + 8)
        elif kind == b"acTL" and struct.unpack_from(">I", data, place + 8)[0] > 1:
            raise _animated("PNG")
        elif kind == b"IDAT":
            has_pixels = True
        elif kind == b"IEND":
            break
        place = end + 4
    if not has_pixels:
        raise _torn()
    return ImageHeader("PNG", width, height)


def _jpeg(data: bytes) -> ImageHeader:
    """Walk the segments, and the coded data between them, to the end-of-image marker.

    What a camera appends behind that marker (a second view, a maker's trailer) is no concern of ours; an embedded
    thumbnail lies inside a segment and is stepped over.
    """
    place, width, height = 2, 0, 0
    while True:
        if data[place] != 0xFF:
            raise _torn()
        marker = data[place + 1]
        if marker == 0xFF:  # fill byte
            place += 1
            continue
        if marker == 0xD9:
            break
        if marker in _BARE_MARKERS:
            place += 2
            continue
        (length,) = struct.unpack_from(">H", data, place + 2)
        if marker in _SIZE_MARKERS:
            height, width = struct.unpack_from(">HH", data, place + 5)
        place += 2 + length
        if marker == 0xDA:
            found = _NEXT_MARKER.search(data, place)
            if found is None:
                raise _torn()
            place = found.start()
    return ImageHeader("JPEG", width, height)


def _webp(data: bytes) -> ImageHeader:
    (size,) = struct.unpack_from("<I", data, 4)
    if size + 8 > len(data):
        raise _torn()
    chunk = data[12:16]
    if chunk == b"VP8X":
        if data[20] & 0x02:
            raise _animated("WebP")
        width = 1 + int.from_bytes(data[24:27], "little")
        height = 1 + int.from_bytes(data[27:30], "little")
    elif chunk == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        width, height = 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    elif chunk == b"VP8 ":
        width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", data, 26))
    else:
        raise _torn()
    return ImageHeader("WebP", width, height)


def _bmp(data: bytes) -> ImageHeader:
    start, _, width, height, _, bits, compression = struct.unpack_from("<IIiiHHI", data, 10)
    width, height = abs(width), abs(height)
    if compression in (0, 3) and start + (width * bits + 31) // 32 * 4 * height > len(data):
        raise _torn()
    return ImageHeader("BMP", width, height)
