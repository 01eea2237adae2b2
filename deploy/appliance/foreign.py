"""The wheels of a 64-bit Pi on a system with nothing but Python, under an emulator."""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path

from tools import Tally, call, copied_project


def bare_tree(folder: Path, tally: Tally, photo: Path | None) -> None:
    """A 64-bit Pi's wheels on a system with nothing but Python, under an emulator."""
    fresh, tree = folder / "tree-arm64", folder / "arm64"
    shutil.rmtree(tree, ignore_errors=True)
    if not fresh.is_dir():
        unpack(fresh, tally)
    call("cp", "-a", fresh, tree)
    target = tree / "opt/site"
    pip = (sys.executable, "-m", "pip") if call(sys.executable, "-m", "pip", "--version").returncode == 0 else ("pip3",)
    wheels = folder / "wheels"
    wheels.mkdir(exist_ok=True)
    with copied_project() as copy:
        built = call(*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", wheels, copy)
    own = sorted(wheels.glob("gamenight_companion-*.whl"))
    tally.that("the project builds as a wheel", built.returncode == 0 and own, built.stdout)
    got = call(*pip, "install", "--quiet", "--target", target, "--platform", "manylinux_2_28_aarch64", "--platform",
               "manylinux_2_17_aarch64", "--platform", "manylinux2014_aarch64", "--python-version", "3.13",
               "--only-binary=:all:", *own[-1:])  # fmt: skip
    tally.that("arm64: every dependency has a wheel", got.returncode == 0, got.stdout)
    shutil.copy(
        shutil.which("qemu-aarch64-static") or "/usr/bin/qemu-aarch64-static", tree / "usr/bin/qemu-aarch64-static"
    )
    python = ("chroot", str(tree), "/usr/bin/qemu-aarch64-static", "/usr/bin/python3.13")
    environment = ("env", "PYTHONPATH=/opt/site", "PYTHONDONTWRITEBYTECODE=1")
    found = call(*environment, *python, "-c", "import cv2, numpy; print(cv2.__version__)")
    tally.that("arm64: OpenCV is imported on a bare system", found.returncode == 0, found.stdout)
    if photo is not None:
        (tree / "srv").mkdir(exist_ok=True)
        for path in (photo, photo.with_name(f"{photo.stem}.camera.json")):
            shutil.copy(path, tree / "srv")
        begun = time.monotonic()
        seen = call(*environment, *python, "-m", "companion", "observe", f"/srv/{photo.name}", "--json")
        tally.line(f"NOTE arm64: observe took {time.monotonic() - begun:.0f} s under the emulator")
        tally.that(
            "arm64: companion observe sees the table",
            seen.returncode == 0 and '"plots": [{' in seen.stdout.replace('"plots":[{', '"plots": [{'),
            seen.stdout,
        )
    shutil.rmtree(tree, ignore_errors=True)


def unpack(tree: Path, tally: Tally) -> None:
    """Make the bare tree, once."""
    part = tree.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    mirror = "http://deb.debian.org/debian"
    include = "python3-minimal,libpython3-stdlib,python3,libgl1,libglib2.0-0t64,libc-bin"
    made = call("mmdebstrap", "--quiet", "--architectures=arm64", "--variant=extract", f"--include={include}",
                "trixie", part, f"deb {mirror} trixie main")  # fmt: skip
    for name in ("bin", "lib", "sbin"):  # unpacked only, so nobody has made the links into /usr yet
        if not (part / name).exists():
            (part / name).symlink_to(f"usr/{name}")
    tally.that("arm64: a bare tree", made.returncode == 0 and (part / "lib").is_symlink(), made.stdout)
    if made.returncode == 0:
        part.rename(tree)
