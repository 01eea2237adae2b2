"""`companion calibrate`: the camera file from pictures of the kit's board, or from a known camera's datasheet."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import BadInputError, CameraError, UsageError

if TYPE_CHECKING:
    from vision.calibration import BoardFinder, BoardView
    from vision.camera_file import CameraModel
    from vision.cameras.port import Camera

LIVE_VIEWS = 15
LIVE_LIMIT_S = 300.0
_LEAST_SHIFT = 0.06
"""Of the picture's width: a board moved by less is the same view."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `calibrate`."""
    parser = commands.add_parser(
        "calibrate",
        help="measure the camera's lens with the kit's board, and write the camera file",
        description="Measures the lens from pictures of the ChArUco board that `companion kit` prints, glued to "
        "something flat: about 15 pictures, near and far, tilted to all sides, in all corners of the picture. Without "
        "a board, --default writes the datasheet's values of a known Pi camera.",
    )
    parser.add_argument("pictures", nargs="*", type=Path, metavar="IMAGE|FOLDER", help="pictures of the board")
    parser.add_argument("--camera", metavar="CAMERA", help="watch a live camera instead, such as webcam:0 or picamera2")
    parser.add_argument("--default", metavar="NAME", help="module-2, module-3, module-3-wide or hq-6mm: no pictures")
    parser.add_argument("--size", default="1640x1232", help="of the pictures with --camera or --default (%(default)s)")
    parser.add_argument("--square-mm", type=float, default=None, help="a square's side as measured on your print (26)")
    parser.add_argument("--like", type=Path, metavar="FILE", help="camera file to take cards, pieces and art from")
    parser.add_argument("--out", type=Path, default=Path("camera.json"), help="the camera file (%(default)s)")
    parser.set_defaults(handler=handle)


def handle(args: argparse.Namespace) -> int:
    """Calibrate, print what came out, write the file."""
    from vision.calibration import SQUARE_MM, BoardFinder, calibrate, like
    from vision.camera_file import load_camera_file
    from vision.cameras.choice import open_camera
    from vision.default_cameras import default_model

    if sum([bool(args.pictures), bool(args.camera), bool(args.default)]) != 1:
        raise UsageError("give either pictures, or --camera, or --default")
    size = _size(args.size)
    template = load_camera_file(args.like) if args.like else None
    if args.default:
        camera, notes = default_model(args.default, size), {"from": f"datasheet of {args.default}"}
        print(f"{args.default}: focal length {camera.fx:.1f} pixels at {size[0]} x {size[1]}, no distortion known")
        _write(args.out, like(camera, template) if template else camera, notes)
        return 0
    square_mm = SQUARE_MM if args.square_mm is None else args.square_mm
    if not 5 <= square_mm <= 200:
        raise UsageError(f"--square-mm {square_mm:g}: measure one square of the board in millimetres")
    finder = BoardFinder(square_mm)
    if args.camera:
        live = open_camera(args.camera, size=size)
        try:
            views = list(watch(live, finder, time.monotonic, print))
        finally:
            live.close()
    else:
        views = list(_views_of(args.pictures, finder))
    result = calibrate(views)
    camera = like(result.camera, template) if template else result.camera
    print(f"reprojection error {result.reprojection_px:.3f} pixels over {len(result.used)} pictures")
    print(f"fx {camera.fx:.1f}  fy {camera.fy:.1f}  cx {camera.cx:.1f}  cy {camera.cy:.1f}  dist {_rounded(camera)}")
    if result.left_out:
        print(f"left out, since they fit badly: {', '.join(result.left_out)}")
    if result.covered < 0.75:
        print(
            f"only {result.covered:.0%} of the picture was covered: pictures with the board in the corners would help"
        )
    _write(args.out, camera, {"reprojection_px": round(result.reprojection_px, 4), "pictures": len(result.used)})
    return 0


def watch(
    camera: Camera, finder: BoardFinder, clock: Callable[[], float], say: Callable[[str], None]
) -> Iterator[BoardView]:
    """Views of the board from a live camera, each clearly different from those before, until there are enough.

    Raises:
        BadInputError: the time is over.
        CameraError: no picture for the whole time.
    """
    import numpy as np

    start, taken = clock(), list[Any]()
    say(f"show the board in {LIVE_VIEWS} ways: near, far, tilted to all sides, in all corners")
    while len(taken) < LIVE_VIEWS:
        if clock() - start > LIVE_LIMIT_S:
            raise BadInputError(f"only {len(taken)} views of the board in {LIVE_LIMIT_S:.0f} s: is it whole and lit?")
        try:
            view = finder.find(camera.grab().image)
        except CameraError:
            if clock() - start > LIVE_LIMIT_S / 10 and not taken:
                raise
            continue
        if view is None:
            continue
        middle = np.r_[view.image_px.mean(axis=0), view.image_px.std(axis=0)]
        if all(np.abs(middle - other).max() > _LEAST_SHIFT * view.size[0] for other in taken):
            taken.append(middle)
            say(f"{len(taken)} of {LIVE_VIEWS}")
            yield view


def _views_of(paths: Sequence[Path], finder: BoardFinder) -> Iterator[BoardView]:
    from vision.cameras.files import pictures_in
    from vision.images import read_image

    for path in (file for given in paths for file in (pictures_in(given) if given.is_dir() else (given,))):
        view = finder.find(read_image(path), path.name)
        if view is None:
            print(f"{path.name}: no board found")
        else:
            yield view


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal() and 16 <= int(width) <= 20000 and 16 <= int(height) <= 20000):
        raise UsageError(f"--size {text!r}: width x height in pixels, such as 1640x1232")
    return int(width), int(height)


def _rounded(camera: CameraModel) -> str:
    return " ".join(f"{value:.4f}" for value in camera.dist)


def _write(path: Path, camera: CameraModel, notes: dict[str, Any]) -> None:
    """Write the file whole or not at all: a running companion may be reading it."""
    text = json.dumps({**camera.to_json(), "calibration": notes}, indent=1) + "\n"
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise BadInputError(f"{path}: cannot be written ({error.strerror or error})") from error
    print(f"wrote {path}")
