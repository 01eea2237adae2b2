#!/bin/bash
# Builds Debian's kernel as a program (user-mode Linux) with simulated GPIO lines: configuration alone, no patch.
# Usage: kernel.sh OUT (the file to make). Needs root once, for the packages. About 7 minutes of processor time.
set -euo pipefail
out=${1:?kernel.sh OUT}
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    '^linux-source-[0-9.]+$' flex bison bc gcc libc6-dev make xz-utils >/dev/null
archive=$(find /usr/src -maxdepth 1 -name 'linux-source-*.tar.xz' | sort -V | tail -n 1)
build=$(mktemp -d "$out.XXXXXX")
trap 'rm -rf "$build"' EXIT
tar -xJf "$archive" -C "$build" --strip-components=1
cd "$build"
make -s ARCH=um x86_64_defconfig >/dev/null
scripts/config -e GPIOLIB -e GPIO_CDEV -e GPIO_CDEV_V1 -e GPIO_SIM -e CONFIGFS_FS -e HOSTFS -e DEBUG_FS \
    -e TMPFS -e TMPFS_XATTR -e DEVTMPFS -e DEVTMPFS_MOUNT -e VIRTIO_UML -e UML_PCI_OVER_VIRTIO \
    --set-val UML_PCI_OVER_VIRTIO_DEVICE_ID 1234 -e UDMABUF -e DMABUF_HEAPS -e DMABUF_HEAPS_SYSTEM \
    -d MODULES -d SOUND -d UML_NET -d DEBUG_KERNEL -d DEBUG_INFO_DWARF_TOOLCHAIN_DEFAULT -e DEBUG_INFO_NONE \
    -d REISERFS_FS -d EXT4_FS -d ISO9660_FS -d QUOTA -d BLK_DEV_UBD -d BLK_DEV_NBD -d IPV6
make -s ARCH=um olddefconfig >/dev/null
make -s ARCH=um -j"$(nproc)" linux 2>/dev/null
strip linux
mv linux "$out"
