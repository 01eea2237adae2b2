"""What one look at a picture costs: time and memory of the eye, of the stillness watch and of the simulated table.

All on one thread (OpenCV is told so; NumPy's own threads are for the caller to forbid with OMP_NUM_THREADS=1).
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import BadInputError

if TYPE_CHECKING:
    from vision.camera_file import CameraModel
    from vision.geometry import Image

SIZE = (1640, 1232)
"""Columns and rows of the rendered pictures: what Camera Module 2 gives binned."""
STILL_FRAMES = 60
LIVE_FRAMES = 20
_KILOBYTES_PER_MB = 1024.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be chosen."""
    parser.add_argument("--folder", type=Path, help="pictures with camera files (default: rendered ones)")
    parser.add_argument("--pictures", type=int, default=8, help="how many are rendered (default 8)")


def run(args: argparse.Namespace) -> dict[str, Any]:
    """Look at every picture twice and time the second look; then watch, then render.

    Times are medians in milliseconds of the wall clock, beside the processor's own time, which other work on the
    machine changes less; `peak_mb` is the most memory that `companion observe` held over all pictures, in a process
    of its own.
    """
    import cv2

    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        with _pictures(args) as (folder, pictures):
            looks = [_observe_ms(image, camera) for image, camera in pictures]
            observe_ms, cpu_ms = ([look[i] for look in looks] for i in range(2))
            peak_mb = _peak_mb(folder)
        stillness_ms, grey_size = _stillness_ms()
        fps = _simulated_fps()
    finally:
        cv2.setNumThreads(threads)
    return {
        "observe_ms_median": statistics.median(observe_ms),
        "observe_ms_worst": max(observe_ms),
        "observe_cpu_ms_median": statistics.median(cpu_ms),
        "stillness_ms_median": stillness_ms,
        "peak_mb": peak_mb,
        "simulated_fps": fps,
        "pictures": len(observe_ms),
        "stillness_size": grey_size,
        "opencv": cv2.__version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
    }


@contextmanager
def _pictures(args: argparse.Namespace) -> Iterator[tuple[Path, Sequence[tuple[Image, CameraModel]]]]:
    from vision.camera_file import load_camera_file
    from vision.images import read_image
    from vision.picture_files import camera_beside
    from vision.picture_files import pictures as pictures_in

    if args.folder is not None:
        yield (
            args.folder,
            [(read_image(path), load_camera_file(camera_beside(path))) for path in pictures_in([args.folder])],
        )
        return
    if args.pictures < 1:
        raise BadInputError("--pictures: at least one")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield folder, [_rendered(folder, seed) for seed in range(args.pictures)]


def _rendered(folder: Path, seed: int) -> tuple[Image, CameraModel]:
    import cv2
    import numpy as np

    from vision.simulated.random_scene import random_scene
    from vision.simulated.render import render

    rng = np.random.default_rng(seed)
    scene = random_scene(rng, width=SIZE[0], height=SIZE[1], plots=int(rng.integers(6, 28)), hand=False)
    image = render(scene, rng).image
    cv2.imwrite(str(folder / f"{seed}.png"), image)
    (folder / f"{seed}.camera.json").write_text(json.dumps(scene.camera.to_json()), encoding="utf-8")
    return image, scene.camera


def _observe_ms(image: Image, camera: CameraModel) -> tuple[float, float]:
    """Milliseconds of the second look: by the clock, and of the processor."""
    from vision.pipeline import Eye

    eye = Eye(camera)
    eye.observe(image)
    began = time.process_time()
    by_clock = eye.observe(image).ms
    return by_clock, (time.process_time() - began) * 1000.0


_OBSERVE_AND_TELL = """
import contextlib, os, sys
from companion.__main__ import main
with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
    main(sys.argv[1:])
with open("/proc/self/status") as status:
    print(next(line.split()[1] for line in status if line.startswith("VmHWM:")))
"""
"""Asked of the process itself: what the system tells of a child counts the memory of the parent that started it too."""


def _peak_mb(folder: Path) -> float:
    """The most memory of a process that observes a folder and nothing else."""
    command = [sys.executable, "-c", _OBSERVE_AND_TELL, "observe", str(folder), "--json"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return int(told) / _KILOBYTES_PER_MB


def _stillness_ms() -> tuple[float, str]:
    from vision.cameras.port import small_luma
    from vision.simulated.live import SimulatedTable
    from vision.stillness import StillnessWatch

    table = SimulatedTable()
    greys = [small_luma(table.grab().image) for _ in range(8)]
    watch = StillnessWatch()
    times = []
    for index in range(STILL_FRAMES):
        began = time.perf_counter()
        watch.update(greys[index % len(greys)])
        times.append((time.perf_counter() - began) * 1000.0)
    rows, columns = greys[0].shape
    return statistics.median(times), f"{columns} x {rows}"


def _simulated_fps() -> float:
    """Pictures a second of the simulated table while something moves in half of them."""
    from companion.games.takenoko.hexgrid import POND
    from vision.simulated.live import SimulatedTable

    table = SimulatedTable()
    table.grab()
    began = time.perf_counter()
    for index in range(LIVE_FRAMES):
        if index % 2 == 0:
            table.reach(POND if index % 4 == 0 else None)
        table.grab()
    return LIVE_FRAMES / (time.perf_counter() - began)
