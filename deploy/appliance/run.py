"""The whole appliance without a Pi: `make appliance`, or `sudo python3 deploy/appliance/run.py FOLDER`.

Installs into a Debian 13 tree with the real install.sh, boots it twice (in a container with its own systemd, and as
user-mode Linux with simulated GPIO lines and libcamera's virtual camera), plays on it, kills it, stops it, removes it;
then tries the wheels of a 64-bit Pi under an emulator. Standard library only. Tree and kernel are made once and kept in
FOLDER; everything else is cleaned up.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
NOT_COVERED = (
    "a real sensor with its exposure, white balance and focus; the Pi's picture processor and its formats "
    "(the virtual camera gives NV12 only); lens, wiring and the bounce of real switches; the speed and memory of a Pi; "
    "Raspberry Pi OS's own packages of picamera2 and lgpio (built from their sources here); Wi-Fi, hotspot and kiosk"
)
PACKAGES = ("mmdebstrap", "systemd-container", "qemu-user-static", "procps")


NOT_BOOTED = (
    "apt-daily.timer", "apt-daily-upgrade.timer", "avahi-daemon.service", "avahi-daemon.socket",
    "console-getty.service", "dpkg-db-backup.timer", "e2scrub_reap.service", "getty.target", "ldconfig.service",
    "systemd-binfmt.service", "systemd-boot-random-seed.service", "systemd-hwdb-update.service",
    "systemd-journal-catalog-update.service", "systemd-logind.service", "systemd-machine-id-commit.service",
    "systemd-modules-load.service", "systemd-network-generator.service", "systemd-pstore.service",
    "systemd-random-seed.service", "systemd-sysctl.service", "systemd-sysusers.service",
    "systemd-timesyncd.service", "systemd-update-done.service", "systemd-update-utmp.service",
    "systemd-user-sessions.service", "systemd-udev-load-credentials.service", "systemd-journal-flush.service",
    "systemd-tmpfiles-setup-dev-early.service", "systemd-tmpfiles-setup-dev.service",
    "systemd-tpm2-setup-early.service", "systemd-tpm2-setup.service", "dev-hugepages.mount", "dev-mqueue.mount",
    "sys-kernel-debug.mount", "sys-kernel-tracing.mount", "systemd-ask-password-wall.path",
)  # fmt: skip
"""Units that the companion has nothing to do with: the user-mode kernel is slow, and the container boots them all."""


class Tally:
    """Counts the lines that checks print."""

    def __init__(self) -> None:
        self.passed = self.failed = 0

    def line(self, text: str) -> None:
        text = text.strip()
        if not re.match(r"(PASS|FAIL|NOTE) ", text):
            return
        self.passed += text.startswith("PASS")
        self.failed += text.startswith("FAIL")
        print(f"  {text}", flush=True)

    def that(self, what: str, good: object, why: object = "") -> None:
        self.line(f"PASS {what}" if good else f"FAIL {what}: {str(why)[-600:]}")


def call(*words: str | Path, timeout: float = 900) -> subprocess.CompletedProcess[str]:
    """Run to its end; output and errors together."""
    return subprocess.run(
        [str(word) for word in words],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, timeout=timeout,
        check=False,
    )  # fmt: skip


def inside(tree: Path, *words: str, timeout: float = 900) -> subprocess.CompletedProcess[str]:
    """Run in the tree, not booted, as on an image that is being made."""
    quiet = ("env", "-u", "PIP_FIND_LINKS", "DEBIAN_FRONTEND=noninteractive")
    return call(
        "systemd-nspawn", "-q", "-D", tree, "--register=no", "--keep-unit", "--pipe", *quiet, *words, timeout=timeout
    )


def install(tree: Path, tally: Tally) -> None:
    """The real install.sh, three times."""
    source = tree / "srv/source"
    keep = shutil.ignore_patterns("__pycache__", "*.egg-info", ".venv", ".git", "appliance")
    source.mkdir(parents=True)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(PROJECT / name, source)
    for name in ("companion", "vision", "web", "deploy"):
        shutil.copytree(PROJECT / name, source / name, ignore=keep)
    words = ("bash", "/srv/source/deploy/install.sh", "--camera", "picamera2")
    before = snapshot(tree)
    dry = inside(tree, *words, "--dry-run")
    tally.that("install.sh --dry-run changes nothing", dry.returncode == 0 and snapshot(tree) == before, dry.stdout)
    begun = time.monotonic()
    done = inside(tree, *words)
    print(f"  NOTE install.sh took {time.monotonic() - begun:.0f} s")
    tally.that("install.sh installs", done.returncode == 0, done.stdout)
    make_wheels(tree.parent, tree)
    before = snapshot(tree)
    again = inside(tree, *words)
    changed = sorted(path for path, when in snapshot(tree).items() if before.get(path) != when)
    tally.that("install.sh again changes nothing", again.returncode == 0 and not changed, (again.stdout, changed))
    config = tree / "etc/gamenight-companion/config.toml"
    config.write_text(config.read_text().replace("[camera]", '[web]\npin = "4711"\n\n[camera]'))
    (source / "companion/__init__.py").write_text('"""A newer version."""\n')
    newer = inside(tree, *words, "--wheels", "/srv/wheels")
    versions = [
        path.name for path in (tree / "opt/gamenight-companion").iterdir() if path.is_dir() and not path.is_symlink()
    ]
    tally.that(
        "a newer version, from a folder of wheels, takes the place of the old; the config stays",
        newer.returncode == 0 and len(versions) == 1 and "4711" in config.read_text(), (newer.stdout, versions),
    )  # fmt: skip
    config.write_text(config.read_text().replace('pin = "4711"', ""))


def make_wheels(folder: Path, tree: Path) -> None:
    """The tree's folder of wheels; all but the project's own are made once and kept."""
    kept = folder / "wheels-amd64"
    target = tree / "srv/wheels"
    if not kept.is_dir():
        inside(tree, "pip", "wheel", "--quiet", "--wheel-dir", "/srv/wheels", "/srv/source", "setuptools")
        for path in target.glob("gamenight_companion-*.whl"):
            path.unlink()
        shutil.copytree(target, kept)
    elif not target.is_dir():
        shutil.copytree(kept, target)


def snapshot(tree: Path) -> dict[str, float]:
    """Files of the installation and when they were written."""
    roots = ("etc", "opt/gamenight-companion", "usr/local/bin", "var/lib/gamenight-companion")
    skip = re.compile(r"/(resolv\.conf|ld\.so\.cache|machine-id|__pycache__)|\.pyc$")
    return {
        str(path): path.lstat().st_mtime
        for root in roots
        for path in (tree / root).rglob("*")
        if not path.is_dir() and not skip.search(str(path))
    }


def furnish(tree: Path, photo: Path | None) -> None:
    """What the checks need beside the installed companion: seams, lines, frames, the checks themselves."""
    home = tree / "srv/appliance"
    home.mkdir(parents=True, exist_ok=True)
    files = [HERE / "check.py", *(HERE / "seam").glob("[sv]*.py"), HERE / "files/gpio.sh", HERE / "files/cpuinfo"]
    for path in files:
        shutil.copy(path, home)
    frames = tree / "srv/frames"
    frames.mkdir(exist_ok=True)
    if photo is not None:
        shutil.copy(photo, frames / "0.jpg")
        beside = photo.with_name(f"{photo.stem}.camera.json")
        if beside.is_file():
            shutil.copy(beside, tree / "etc/gamenight-companion/camera.json")
    config = tree / "etc/gamenight-companion/config.toml"
    config.write_text(config.read_text().replace('#file = "/etc', 'file = "/etc'))
    units = tree / "etc/systemd/system"
    shutil.copy(HERE / "files/appliance-gpio.service", units)
    shutil.copy(HERE / "files/appliance-check.service", units)


def drop_in(tree: Path, *lines: str) -> None:
    """Settings of the unit that only the test needs."""
    folder = tree / "etc/systemd/system/gamenight-companion.service.d"
    folder.mkdir(exist_ok=True)
    text = "\n".join(["[Service]", "Environment=PYTHONPATH=/srv/appliance", *lines])
    (folder / "appliance.conf").write_text(text + "\n")


def panel(tree: Path, enabled: bool) -> None:
    config = tree / "etc/gamenight-companion/config.toml"
    config.write_text(re.sub(r"enabled = \w+", f"enabled = {str(enabled).lower()}", config.read_text()))


def container(tree: Path, tally: Tally) -> None:
    """Boot the tree's systemd in a container without network, and check from inside."""
    panel(tree, False)
    drop_in(tree, "WatchdogSec=6")
    console = tree.parent / "nspawn.console"
    command = ("systemd-nspawn", "-q", "-D", str(tree), "--private-network", "--register=no", "--keep-unit",
               "--console=pipe", "-b")  # fmt: skip
    with console.open("w") as log:
        boot = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            leader = ""
            end = time.monotonic() + 20
            while not leader and time.monotonic() < end:
                leader = call("pgrep", "-P", str(boot.pid), "-x", "systemd").stdout.strip()
                time.sleep(0.1)
            enter = ("nsenter", "-t", leader, "-a", "--")
            call(*enter, "systemctl", "is-system-running", "--wait", timeout=120)
            stream(tally, tree.parent / "nspawn.log", *enter, "python3", "/srv/appliance/check.py", "nspawn")
            failed = call(*enter, "systemctl", "--failed", "--no-legend").stdout.strip()
            tally.that("no unit of the system has failed", not failed, failed)
            keep_journal(tree.parent / "nspawn.journal", *enter)
            call(*enter, "systemctl", "poweroff")
            boot.wait(timeout=60)
        finally:
            if boot.poll() is None:
                boot.send_signal(signal.SIGKILL)
                boot.wait()


def keep_journal(path: Path, *enter: str) -> None:
    journal = call(*enter, "journalctl", "-u", "gamenight-companion", "-o", "short-monotonic", "--no-pager")
    path.write_text(journal.stdout)


def stream(tally: Tally, log: Path, *words: str, timeout: float = 400) -> None:
    """Run, keep what it prints, and count lines as they come."""
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True
    ) as run:
        assert run.stdout is not None
        end = time.monotonic() + timeout
        for line in run.stdout:
            with log.open("a") as file:
                file.write(line)
            tally.line(line)
            if time.monotonic() > end:
                run.kill()
                tally.that("the checks end in time", False, f"after {timeout:.0f} s")


def user_mode_linux(tree: Path, kernel: Path, tally: Tally) -> None:
    """Boot the same tree on its own kernel, with lines that can be pulled; its checks print on the console."""
    panel(tree, True)
    # A fresh /proc would hide the board's revision, which stands in a file laid over /proc/cpuinfo here.
    drop_in(
        tree,
        "ProtectProc=default",
        "BindReadOnlyPaths=/srv/appliance/cpuinfo:/proc/cpuinfo",
        "TimeoutStartSec=180",
        "WatchdogSec=120",
    )
    units = ("appliance-gpio.service", "appliance-check.service")
    inside(tree, "systemctl", "enable", "--quiet", *units)
    words = (str(kernel), "rootfstype=hostfs", f"rootflags={tree}", "rw", "mem=900M", "con=null", "con0=null,fd:1",
             "systemd.show_status=false",
             "init=/lib/systemd/systemd", *(f"systemd.mask={unit}" for unit in NOT_BOOTED))  # fmt: skip
    stream(tally, tree.parent / "uml.log", *words)
    inside(tree, "systemctl", "disable", "--quiet", *units)
    journal = tree / "srv/appliance/uml.journal"
    if journal.is_file():
        shutil.copy(journal, tree.parent)


def removal(tree: Path, tally: Tally) -> None:
    """remove.sh: everything goes but the games; with --purge those too."""
    shutil.rmtree(tree / "etc/systemd/system/gamenight-companion.service.d", ignore_errors=True)
    data = tree / "var/lib/gamenight-companion"
    games = sorted(path.name for path in data.rglob("*.jsonl"))
    done = inside(tree, "bash", "/srv/source/deploy/remove.sh")
    kept = sorted(path.name for path in data.rglob("*.jsonl"))
    left = [name for name in ("opt/gamenight-companion", "etc/gamenight-companion", "usr/local/bin/companion",
                              "etc/systemd/system/gamenight-companion.service") if (tree / name).exists()]  # fmt: skip
    as_wanted = done.returncode == 0 and not left and games and kept == games
    tally.that("remove.sh leaves the games and nothing else", as_wanted, (done.stdout, left, games, kept))
    gone = inside(tree, "bash", "/srv/source/deploy/remove.sh", "--purge")
    tally.that("remove.sh --purge leaves nothing", gone.returncode == 0 and not data.exists(), gone.stdout)


def bare_tree(folder: Path, tally: Tally, photo: Path | None) -> None:
    """A 64-bit Pi's wheels on a system with nothing but Python, under an emulator."""
    tree = folder / "arm64"
    shutil.rmtree(tree, ignore_errors=True)
    mirror = "http://deb.debian.org/debian"
    include = "python3-minimal,libpython3-stdlib,python3,libgl1,libglib2.0-0t64,libc-bin"
    made = call("mmdebstrap", "--quiet", "--architectures=arm64", "--variant=extract", f"--include={include}",
                "trixie", tree, f"deb {mirror} trixie main")  # fmt: skip
    for name in ("bin", "lib", "sbin"):  # unpacked only, so nobody has made the links into /usr yet
        if not (tree / name).exists():
            (tree / name).symlink_to(f"usr/{name}")
    tally.that("arm64: a bare tree", made.returncode == 0 and (tree / "lib").is_symlink(), made.stdout)
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
        print(f"  NOTE observe took {time.monotonic() - begun:.0f} s under the emulator")
        tally.that(
            "arm64: companion observe sees the table",
            seen.returncode == 0 and '"plots": [{' in seen.stdout.replace('"plots":[{', '"plots": [{'),
            seen.stdout,
        )
    shutil.rmtree(tree, ignore_errors=True)


@contextmanager
def copied_project() -> Iterator[Path]:
    """A copy to build from: building leaves its traces in the folder."""
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / "project"
        keep = shutil.ignore_patterns("__pycache__", "*.egg-info", ".venv", ".git", "build")
        copy.mkdir()
        for entry in ("companion", "vision", "web"):
            shutil.copytree(PROJECT / entry, copy / entry, ignore=keep)
        for entry in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(PROJECT / entry, copy)
        yield copy


def a_photo() -> Path | None:
    """A shared photo of a table, where there is one."""
    shared = Path(os.environ.get("COMPANION_SHARED", PROJECT.parent / "shared"))
    return next(iter(sorted((shared / "photos/tables").glob("medium_*.jpg"))), None)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where tree and kernel are kept (3 GB)")
    parser.add_argument(
        "--only", default="install,nspawn,uml,remove,arm64", help="parts, with commas between (%(default)s)"
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
    if parts != ["arm64"] and not tree.is_dir():
        print("Making the tree (about two minutes)", flush=True)
        subprocess.run([HERE / "tree.sh", tree], check=True)
    if "uml" in parts and not kernel.is_file():
        print("Building the kernel (about seven minutes)", flush=True)
        subprocess.run([HERE / "kernel.sh", kernel], check=True)
    begun, photo = time.monotonic(), a_photo()
    work = folder / "work"
    if work.exists() and "install" in parts:
        shutil.rmtree(work)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the tidying below is done
    try:
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
        if "arm64" in parts:
            print("A 64-bit Pi's packages", flush=True)
            bare_tree(folder, tally, photo)
    finally:
        if not args.keep:
            shutil.rmtree(work, ignore_errors=True)
    print(f"Not covered: {NOT_COVERED}.")
    print(f"{tally.passed} passed, {tally.failed} failed in {time.monotonic() - begun:.0f} s")
    return 1 if tally.failed or not tally.passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
