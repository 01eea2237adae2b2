"""The installed tree, booted twice: by its own systemd in a container, and on its own kernel with pins and a camera."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

from tools import HERE, Tally, call, inside, stream

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


def furnish(tree: Path, photo: Path | None) -> None:
    """What the checks need beside the installed companion: seams, lines, frames, the checks themselves."""
    home = tree / "srv/appliance"
    home.mkdir(parents=True, exist_ok=True)
    files = [*HERE.glob("check*.py"), *(HERE / "seam").glob("[sv]*.py"), HERE / "files/gpio.sh", HERE / "files/cpuinfo"]
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
    drop_in(tree, "WatchdogSec=12")
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


def user_mode_linux(tree: Path, kernel: Path, tally: Tally) -> None:
    """Boot the same tree on its own kernel, with lines that can be pulled; its checks print on the console."""
    panel(tree, True)
    # A fresh /proc would hide the board's revision, which stands in a file laid over /proc/cpuinfo here.
    drop_in(
        tree,
        "ProtectProc=default",
        "BindReadOnlyPaths=/srv/appliance/cpuinfo:/proc/cpuinfo",
        "TimeoutStartSec=180",
        "TimeoutStopSec=60",
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
