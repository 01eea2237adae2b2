"""The whole appliance without a Pi: `make appliance`, or `sudo python3 deploy/appliance/run.py FOLDER`.

Installs into a Debian 13 tree with the real install.sh, boots it twice (in a container with its own systemd, and as
user-mode Linux with simulated GPIO lines and libcamera's virtual camera), plays on it, kills it, stops it, removes it;
installs into a Debian 12 tree too, and tries the wheels of a 64-bit Pi under an emulator. Standard library only. Trees
and kernel are made once and kept in FOLDER; everything else is cleaned up.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from booted import container, furnish, user_mode_linux
from foreign import bare_tree
from installed import install, on_debian_12, removal
from tools import HERE, Tally, a_photo, call

NOT_COVERED = (
    "a real sensor with its exposure, white balance and focus; the Pi's picture processor and its formats "
    "(the virtual camera gives NV12 only); lens, wiring and the bounce of real switches; the speed and memory of a Pi; "
    "Raspberry Pi OS's own packages of picamera2 and lgpio (built from their sources here, on Debian 12 a stand-in); "
    "Wi-Fi, hotspot and kiosk; containers of Docker"
)
PACKAGES = ("mmdebstrap", "systemd-container", "qemu-user-static", "procps")


Part = Callable[[Path, Tally, Path | None], None]


def guarded(tally: Tally, parts: Sequence[Part], folder: Path, photo: Path | None) -> None:
    """One part after the other; one that breaks has failed, said in the same way."""
    for part in parts:
        try:
            part(folder, tally, photo)
        except Exception as error:  # noqa: BLE001
            tally.that(f"{part.__name__} runs to its end", False, f"{type(error).__name__}: {error}")


def processor_s() -> float:
    """What all that was run and has ended took of a processor."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where tree and kernel are kept (3 GB)")
    parser.add_argument(
        "--only", default="install,nspawn,uml,remove,debian12,arm64", help="parts, with commas between (%(default)s)"
    )
    parser.add_argument("--keep", action="store_true", help="keep the installed tree, for a later run without install")
    args = parser.parse_args(argv)
    if os.geteuid() != 0:
        print("needs root: it makes system trees and boots them", file=sys.stderr)
        return 2
    parts, folder, tally = args.only.split(","), args.folder.resolve(), Tally()
    folder.mkdir(parents=True, exist_ok=True)
    lock = (folder / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print(f"another run is at work in {folder}", file=sys.stderr)
        return 2
    os.environ["SYSTEMD_NSPAWN_UNIFIED_HIERARCHY"] = "1"
    missing = [name for name in PACKAGES if call("dpkg", "-s", name).returncode]
    if missing:
        print(f"Installing {' '.join(missing)}")
        call("apt-get", "update", "-q")
        call("apt-get", "install", "-y", "-q", "--no-install-recommends", *missing)
    tree, kernel = folder / "tree", folder / "linux"
    if {"install", "nspawn", "uml"} & set(parts) and not tree.is_dir():
        print("Making the tree (about two minutes)", flush=True)
        subprocess.run([HERE / "tree.sh", tree], check=True)
    if "debian12" in parts and not (folder / "tree12").is_dir():
        print("Making the Debian 12 tree (about a minute)", flush=True)
        subprocess.run([HERE / "tree12.sh", folder / "tree12"], check=True)
    if "uml" in parts and not kernel.is_file():
        print("Building the kernel (about seven minutes)", flush=True)
        subprocess.run([HERE / "kernel.sh", kernel], check=True)
    begun, worked, photo = time.monotonic(), processor_s(), a_photo()
    if photo is None:
        tally.that("a photo of a table is at hand", False, "set COMPANION_SHARED to the folder that has photos/tables")
    work = folder / "work"
    if work.exists() and "install" in parts:
        shutil.rmtree(work)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the tidying below is done
    # Beside the rest, which mostly needs one of two processors.
    tasks = [task for name, task in (("debian12", on_debian_12), ("arm64", bare_tree)) if name in parts]
    beside = threading.Thread(target=guarded, args=(tally, tasks, folder, photo))
    try:
        beside.start()
        if "install" in parts:
            call("cp", "-a", tree, work)
            print("install.sh", flush=True)
            install(work, tally)
        if {"nspawn", "uml"} & set(parts):
            furnish(work, photo)
        if "nspawn" in parts:
            print("In a container with its own systemd", flush=True)
            container(work, tally)
        if "uml" in parts:
            print("On its own kernel, with GPIO lines and a camera", flush=True)
            user_mode_linux(work, kernel, tally)
        if "remove" in parts:
            print("remove.sh", flush=True)
            removal(work, tally)
    finally:
        if beside.ident is not None:
            beside.join()
        if not args.keep:
            shutil.rmtree(work, ignore_errors=True)
    print(f"Not covered: {NOT_COVERED}.")
    took = f"{time.monotonic() - begun:.0f} s, {processor_s() - worked:.0f} s of them work of a processor"
    print(f"{tally.passed} passed, {tally.failed} failed in {took}")
    return 1 if tally.failed or not tally.passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
