from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
SCRIPTS = sorted([*DEPLOY.rglob("*.sh"), DEPLOY / "kiosk/gamenight-kiosk"])
UNITS = [DEPLOY / "systemd/gamenight-companion.service", DEPLOY / "kiosk/gamenight-kiosk.service"]
ON_DEBIAN = pytest.mark.skipif(not Path("/etc/debian_version").exists(), reason="install.sh is for Debian's family")


def tool(name):
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def run(*words, **environment):
    return subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, check=False, timeout=300,
        env={**os.environ, **environment},
    )  # fmt: skip


def install(*options):
    return run("bash", DEPLOY / "install.sh", *options)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_sound(script):
    assert script.read_text().startswith(("#!/bin/bash\n", "#!/bin/sh\n"))
    assert re.search(r"^set -(eu|euo pipefail)$", script.read_text(), re.MULTILINE)
    checked = run(tool("shellcheck"), "--severity=warning", script)
    assert checked.stdout == ""


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_can_be_parsed(script):
    assert run("bash", "-n", script).stderr == ""


@ON_DEBIAN
def test_a_dry_run_needs_no_root_changes_nothing_and_names_every_step():
    done = install("--dry-run", "--camera", "picamera2", "--panel", "--kiosk", "--hostname", "takenoko")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("Nothing was changed.\n")
    for step in ("useradd --system", "venv --system-site-packages", "would write: /etc/gamenight-companion/config.toml",
                 "gamenight-companion.service", "gamenight-kiosk",
                 "60-gamenight-companion.rules", "This machine is"):  # fmt: skip
        assert step in done.stdout
    assert not Path("/opt/gamenight-companion").exists()
    assert not Path("/etc/gamenight-companion").exists()


@ON_DEBIAN
@pytest.mark.parametrize(
    ("options", "said"),
    [(["--frobnicate"], "unknown option"), (["--camera"], "needs a value"),
     (["--hostname", "Mein Pi"], "small letters"),
     (["--wheels", "/nonexistent"], "no such folder"), (["--hotspot", "x" * 33], "at most 32")],
)  # fmt: skip
def test_a_wrong_option_is_one_line(options, said):
    done = install("--dry-run", *options)
    assert done.returncode != 0
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@ON_DEBIAN
@pytest.mark.parametrize(("blanks", "switched_off"), [("0", True), ("1", False)])
def test_a_screen_that_blanks_is_kept_awake_for_the_kiosk(tmp_path, blanks, switched_off):
    """raspi-config says 0 for yes. Only what was switched off is switched on again by remove.sh."""
    stand_in = tmp_path / "raspi-config"
    stand_in.write_text(f'#!/bin/sh\n[ "$2" != get_blanking ] || echo {blanks}\n')
    stand_in.chmod(0o755)
    done = run("bash", DEPLOY / "install.sh", "--dry-run", "--kiosk", PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert done.returncode == 0, done.stderr
    assert ("do_blanking 1" in done.stdout) == switched_off
    assert ("blanking-before" in done.stdout) == switched_off


@ON_DEBIAN
def test_the_hotspot_is_one_that_network_manager_takes():
    """Only its text is tried, where nmcli is at hand: no radio is."""
    done = install("--dry-run", "--hotspot", "Our table")
    assert done.returncode == 0, done.stderr
    assert "dnsmasq-base" in done.stdout or shutil.which("dnsmasq")  # without it phones get no address
    (line,) = re.findall(r"would run: nmcli (connection add .*)", done.stdout)
    words = line.replace("Our table", "Our_table").split()
    assert len(words[words.index("wifi-sec.psk") + 1]) >= 10
    made = run(tool("nmcli"), "--offline", *words)
    assert made.returncode == 0, made.stderr
    assert "mode=ap" in made.stdout
    assert "method=shared" in made.stdout


def test_the_name_in_the_network_is_announced_in_a_way_that_avahi_takes():
    schema = Path("/usr/share/avahi/avahi-service.dtd")
    if not schema.exists():
        pytest.skip("avahi is not installed")
    service = DEPLOY / "systemd/gamenight-companion.avahi.xml"
    checked = run(tool("xmllint"), "--noout", "--nonet", "--dtdvalid", schema, service)
    assert checked.returncode == 0, checked.stderr


@ON_DEBIAN
def test_removing_can_be_tried_dry_too():
    done = run("bash", DEPLOY / "remove.sh", "--purge", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert "would run: rm -rf /etc/gamenight-companion /var/lib/gamenight-companion" in done.stdout


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_units_have_no_fault(unit, tmp_path):
    """systemd prints wrong values as warnings only, so any output is a failure."""
    tool("systemd-analyze")
    copy = tmp_path / unit.name
    copy.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", unit.read_text(), flags=re.MULTILINE))
    scope = ["--user"] if "kiosk" in unit.name else []
    done = run("systemd-analyze", "verify", "--man=no", *scope, copy, XDG_RUNTIME_DIR=str(tmp_path))
    assert done.stdout + done.stderr == ""


def test_the_service_exposes_at_most_three():
    tool("systemd-analyze")
    done = run("systemd-analyze", "security", "--offline=yes", "--no-pager", "--threshold=30", UNITS[0])
    level = re.search(r"exposure level for .*: ([0-9.]+)", done.stdout)
    assert level is not None, done.stderr
    assert float(level[1]) <= 3.0
    assert done.returncode == 0


@pytest.fixture(scope="module")
def service():
    lines = [line for line in UNITS[0].read_text().splitlines() if "=" in line and not line.startswith("#")]
    keys = {}
    for line in lines:
        key, _, value = line.partition("=")
        keys.setdefault(key, []).append(value)
    return keys


def test_lgpio_writes_its_fifo_into_the_runtime_directory(service):
    assert service["RuntimeDirectory"] == ["gamenight-companion"]
    assert "LG_WD=/run/gamenight-companion" in service["Environment"]


def test_it_is_watched_restarted_with_a_limit_and_stopped_in_time(service):
    assert service["Type"] == ["notify"]
    assert int(service["WatchdogSec"][0]) <= 30
    assert service["Restart"] == ["always"]
    assert service["StartLimitBurst"]
    assert int(service["TimeoutStopSec"][0]) <= 5


def test_only_cameras_and_pins_can_be_reached(service):
    assert service["DevicePolicy"] == ["closed"]
    allowed = " ".join(service["DeviceAllow"])
    for device in ("char-video4linux", "char-media", "char-dma_heap", "char-gpiochip"):
        assert device in allowed
    assert not re.search(r"char-(drm|input|mem|tty|usb)|block-", allowed)


def test_proc_stays_whole_since_the_boards_revision_is_read_there(service):
    assert "ProcSubset" not in service


def test_boot_waits_for_neither_network_nor_time(service):
    assert not {"network-online.target", "time-sync.target"} & set(" ".join(service["After"]).split())


def test_another_numpy_of_the_system_makes_another_version_of_the_program():
    """So that running the installer again after python3-picamera2 has come along brings what goes with it."""
    assert 'python3 --version; echo "$numpy"; find' in (DEPLOY / "install.sh").read_text()


def test_the_installer_keeps_the_systems_numpy_and_tests_camera_and_opencv_together():
    text = (DEPLOY / "install.sh").read_text()
    assert "--system-site-packages" in text
    assert "numpy==%s" in text
    assert "import picamera2; $check" in text
    assert "libglib2.0-0t64" in text


def test_the_installer_reads_os_release_apart_so_that_its_names_survive():
    """/etc/os-release sets NAME, which once overwrote the service's."""
    assert not re.search(r"^\s*\. /etc/os-release", (DEPLOY / "install.sh").read_text(), re.MULTILINE)
