"""install.sh and remove.sh, for real: in the Debian 13 tree, and what matters of it in a Debian 12 one."""

from __future__ import annotations

import re
import shutil
import time
from pathlib import Path

from tools import PROJECT, Tally, call, inside


def install(tree: Path, tally: Tally) -> None:
    """The real install.sh, three times."""
    source = copy_source(tree)
    words = ("bash", "/srv/source/deploy/install.sh", "--camera", "picamera2")
    before = snapshot(tree)
    dry = inside(tree, *words, "--dry-run")
    tally.that("install.sh --dry-run changes nothing", dry.returncode == 0 and snapshot(tree) == before, dry.stdout)
    begun = time.monotonic()
    done = inside(tree, *words)
    tally.line(f"NOTE install.sh took {time.monotonic() - begun:.0f} s")
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


def copy_source(tree: Path) -> Path:
    """The project, as if it had been cloned there."""
    source = tree / "srv/source"
    keep = shutil.ignore_patterns("__pycache__", "*.egg-info", ".venv", ".git", "appliance")
    source.mkdir(parents=True)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(PROJECT / name, source)
    for name in ("companion", "vision", "web", "deploy"):
        shutil.copytree(PROJECT / name, source / name, ignore=keep)
    return source


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


PICAMERA2_STAND_IN = '''"""Stands for Debian 12's python3-picamera2, which also draws in a module built for numpy 1."""
import simplejpeg
'''


def on_debian_12(folder: Path, tally: Tally, photo: Path | None) -> None:
    """Its system Python has numpy 1, and picamera2 is built for that."""
    tree, work = folder / "tree12", folder / "work12"
    shutil.rmtree(work, ignore_errors=True)
    call("cp", "-a", tree, work)
    try:
        copy_source(work)
        for folder_of_packages in (work / "usr/local/lib").glob("python3.*/dist-packages"):
            (folder_of_packages / "picamera2.py").write_text(PICAMERA2_STAND_IN)
        begun = time.monotonic()
        done = inside(work, "bash", "/srv/source/deploy/install.sh", "--camera", "picamera2")
        tally.line(f"NOTE Debian 12: install.sh took {time.monotonic() - begun:.0f} s")
        tally.that("Debian 12: install.sh installs", done.returncode == 0, done.stdout)
        python = "/opt/gamenight-companion/current/venv/bin/python"
        found = inside(work, python, "-c", "import picamera2, cv2, numpy; print(cv2.__version__, numpy.__version__)")
        both = re.search(r"^(\d+)\.\S+ 1\.\S+$", found.stdout, re.MULTILINE)
        tally.that("Debian 12: picamera2 and OpenCV are imported together, with numpy 1", both, found.stdout)
        if both:
            tally.line(f"NOTE Debian 12: OpenCV and numpy {both.group(0)}")
        fits = inside(work, python, "-m", "pip", "check")
        tally.that("Debian 12: pip finds that all packages go together", fits.returncode == 0, fits.stdout)
        if photo is not None:
            for path in (photo, photo.with_name(f"{photo.stem}.camera.json")):
                shutil.copy(path, work / "srv")
            seen = inside(work, "companion", "observe", f"/srv/{photo.name}", "--json")
            plots = re.search(r'"plots":\s*\[\{', seen.stdout)
            tally.that("Debian 12: companion observe sees the table", seen.returncode == 0 and plots, seen.stdout)
    finally:
        shutil.rmtree(work, ignore_errors=True)
