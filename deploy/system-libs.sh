#!/bin/sh
# Makes sure that `import cv2` works: opencv-python's wheel needs libGL and glib, which a bare system lacks.
# Usage: system-libs.sh PYTHON
set -eu
python=$1
if "$python" -c 'import cv2' 2>/dev/null; then exit 0; fi
line='apt-get install -y --no-install-recommends libgl1 libglib2.0-0'
if apt-cache show libglib2.0-0t64 >/dev/null 2>&1; then
    line='apt-get install -y --no-install-recommends libgl1 libglib2.0-0t64'
fi
if [ "$(id -u)" = 0 ]; then
    apt-get update -q && $line
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    sudo apt-get update -q && sudo $line
else
    echo "OpenCV needs two system libraries. Please type:  sudo $line" >&2
    exit 1
fi
"$python" -c 'import cv2'
