#!/bin/bash
# Makes a Debian 13 tree as a fresh Raspberry Pi OS would be, with stand-ins for what only Raspberry Pi's own archive
# has: libcamera with its virtual camera (from backports: 0.4.0 in Debian 13 itself is broken there), picamera2 and
# lgpio, built into the system's Python. Usage: tree.sh TREE (a folder that does not exist yet). Needs root.
set -euo pipefail
tree=${1:?tree.sh TREE}
mirror=$(awk '/^URIs:/ {print $2; exit}' /etc/apt/sources.list.d/*.sources 2>/dev/null || true)
mirror=${mirror:-http://deb.debian.org/debian}
part=$tree.part
rm -rf --one-file-system "$part"
packages=(ca-certificates curl dbus iproute2 procps systemd systemd-sysv udev
    python3 python3-venv python3-numpy python3-prctl
    gcc libc6-dev python3-dev swig libcap-dev python3-pip
    python3-libcamera/trixie-backports libcamera-ipa/trixie-backports)
mmdebstrap --quiet --variant=minbase --include="$(IFS=,; echo "${packages[*]}")" \
    --aptopt='APT::Install-Recommends "false"' trixie "$part" \
    "deb $mirror trixie main" "deb $mirror trixie-backports main"
cp /etc/resolv.conf "$part/etc/resolv.conf"
if [ -s /etc/ssl/certs/ca-certificates.crt ]; then
    cp /etc/ssl/certs/ca-certificates.crt "$part/etc/ssl/certs/ca-certificates.crt"
fi
# What python3-picamera2 and python3-lgpio would be (PYPI=1: lgpio's own sources instead of a system library). The
# system's numpy stays as it is: it is what install.sh must cope with.
chroot "$part" python3 -c 'import numpy; print(f"numpy=={numpy.__version__}")' >"$part/tmp/constraint"
chroot "$part" env -u PIP_FIND_LINKS PYPI=1 pip install --quiet --break-system-packages --no-cache-dir \
    --constraint /tmp/constraint picamera2 lgpio
here=$(cd "$(dirname "$0")" && pwd)
cp "$here/seam/pykms.py" "$part"/usr/local/lib/python3.*/dist-packages/
install -D -m 0644 "$here/files/virtual.yaml" "$part/usr/share/libcamera/pipeline/virtual/virtual.yaml"
mv "$part" "$tree"
