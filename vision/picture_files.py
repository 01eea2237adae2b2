"""Which pictures a command line means, and which camera file goes with each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from companion.errors import BadInputError

PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".ppm", ".pgm", ".gif")
"""What is taken for a picture in a folder; a file that is named itself may be called anything."""


def camera_beside(picture: Path) -> Path:
    """The camera file of a picture: of its own name, else its folder's."""
    own = picture.with_name(f"{picture.stem}.camera.json")
    folder = picture.with_name("camera.json")
    if own.is_file() or not folder.is_file():
        if not own.is_file():
            raise BadInputError(f"{picture}: no {own.name} or camera.json beside it; give one with --camera")
        return own
    return folder


def pictures(paths: Sequence[Path]) -> Iterator[Path]:
    """The pictures named, and those of the folders named, in name order.

    Raises:
        BadInputError: if a path does not exist or a folder holds no picture.
    """
    for path in paths:
        if path.is_dir():
            inside = sorted(one for one in path.iterdir() if one.suffix.lower() in PICTURES and one.is_file())
            if not inside:
                raise BadInputError(f"{path}: no pictures in this folder")
            yield from inside
        elif path.exists():
            yield path
        else:
            raise BadInputError(f"{path}: no such file")
