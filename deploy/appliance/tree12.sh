#!/bin/bash
# Makes a Debian 12 tree with what matters of it here: Python 3.11, the system's numpy 1, and a module compiled for that,
# as Debian 12's python3-picamera2 needs one. Usage: tree12.sh TREE (a folder that does not exist yet). Needs root.
set -euo pipefail
tree=${1:?tree12.sh TREE}
mirror=$(awk '/^URIs:/ {print $2; exit}' /etc/apt/sources.list.d/*.sources 2>/dev/null || true)
mirror=${mirror:-http://deb.debian.org/debian}
part=$tree.part
rm -rf --one-file-system "$part"
mmdebstrap --quiet --variant=minbase --include=ca-certificates,systemd,python3,python3-venv,python3-pip,python3-numpy \
    --aptopt='APT::Install-Recommends "false"' bookworm "$part" "deb $mirror bookworm main"
cp /etc/resolv.conf "$part/etc/resolv.conf"
if [ -s /etc/ssl/certs/ca-certificates.crt ]; then
    cp /etc/ssl/certs/ca-certificates.crt "$part/etc/ssl/certs/ca-certificates.crt"
fi
chroot "$part" env -u PIP_FIND_LINKS pip install --quiet --break-system-packages --no-cache-dir --no-deps simplejpeg==1.6.6
mv "$part" "$tree"
