#!/bin/bash
# Installs the game night companion on Raspberry Pi OS or Debian 12/13, or brings an installed one up to date.
set -euo pipefail

NAME=gamenight-companion
ACCOUNT=companion
CONFIG=/etc/$NAME
DATA=/var/lib/$NAME
PROGRAM=/opt/$NAME
UNIT=/etc/systemd/system/$NAME.service

usage() {
    cat <<HELP
Usage: sudo deploy/install.sh [options]     (from a copy of the project)

  --dry-run            only say what would be done
  --camera SOURCE      what looks at the table: picamera2, webcam:0, none ...   (only for a new config)
  --panel              the button panel is wired                                (only for a new config)
  --hostname NAME      call this machine NAME, so that phones find http://NAME.local:8080
  --kiosk              show the page on this machine's own screen, at every login
  --hotspot NAME       open the Wi-Fi network NAME where no known network is in reach
  --wheels FOLDER      take Python packages from FOLDER, without the internet
  --no-start           install, but do not start now
  -h, --help           this text

Run again at any time: it changes only what differs, keeps the config and the games, and replaces the program as a
whole or not at all. Undo: sudo deploy/remove.sh
HELP
}

dry_run=no camera="" panel=no hostname="" kiosk=no hotspot="" wheels="" start=yes
while [ $# -gt 0 ]; do
    case $1 in
        --dry-run) dry_run=yes ;;
        --panel) panel=yes ;;
        --kiosk) kiosk=yes ;;
        --no-start) start=no ;;
        --camera | --hostname | --hotspot | --wheels)
            [ $# -ge 2 ] || { echo "install.sh: $1 needs a value (see --help)" >&2; exit 2; }
            printf -v "${1#--}" %s "$2"
            shift
            ;;
        -h | --help) usage; exit 0 ;;
        *) echo "install.sh: unknown option $1 (see --help)" >&2; exit 2 ;;
    esac
    shift
done

say() { printf '==> %s\n' "$*"; }
fail() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }
run() {
    if [ "$dry_run" = yes ]; then printf '    would run: %s\n' "$*"; else "$@"; fi
}
# put MODE TARGET: write standard input to TARGET, whole or not at all, and only if it differs.
put() {
    local mode=$1 target=$2 text
    text=$(cat; printf x)
    text=${text%x}
    if [ -f "$target" ] && cmp -s "$target" <(printf %s "$text"); then return 0; fi
    if [ "$dry_run" = yes ]; then printf '    would write: %s\n' "$target"; return 0; fi
    install -d "$(dirname "$target")"
    printf %s "$text" >"$target.new"
    chmod "$mode" "$target.new"
    mv -f "$target.new" "$target"
}
# turn_over LINK TARGET: make LINK lead to TARGET in one step.
turn_over() {
    if [ "$(readlink "$1" 2>/dev/null)" = "$2" ]; then return 0; fi
    run ln -sfn "$2" "$1.new"
    run mv -Tf "$1.new" "$1"
}
# Whether systemd runs here: not in a container's or an image's tree, where units are only enabled.
booted() { [ -d /run/systemd/system ]; }

source=$(cd "$(dirname "$0")/.." && pwd)
[ -f "$source/pyproject.toml" ] || fail "run it from a copy of the project: $source has no pyproject.toml"
[ "$dry_run" = yes ] || [ "$(id -u)" = 0 ] || fail "needs root: sudo $0"
# Read apart: os-release sets common names such as NAME, which would overwrite ours.
# shellcheck source=/dev/null
system=$(. /etc/os-release && printf '%s %s/%s' "${ID:-}" "${ID_LIKE:-}" "${PRETTY_NAME:-unknown}")
case ${system%%/*} in
    *debian* | *raspbian*) ;;
    *) fail "made for Raspberry Pi OS and Debian 12 or 13, this is ${system#*/}: see deploy/Dockerfile" ;;
esac
case $(dpkg --print-architecture) in
    arm64 | amd64) ;;
    *) fail "needs a 64-bit system: OpenCV has no packages for $(dpkg --print-architecture). Install the 64-bit Raspberry Pi OS" ;;
esac
if [ -n "$wheels" ]; then
    [ -d "$wheels" ] || fail "--wheels $wheels: no such folder"
    wheels=$(cd "$wheels" && pwd)
fi
if [ -n "$hostname" ]; then
    [[ $hostname =~ ^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$ ]] || fail "--hostname $hostname: small letters, digits and hyphens only"
fi
if [ -n "$hotspot" ]; then
    [ ${#hotspot} -le 32 ] || fail "--hotspot: a Wi-Fi name has at most 32 letters"
fi

# --- System packages -------------------------------------------------------------------------------------------------
available() { apt-cache policy "$1" 2>/dev/null | grep "^  Candidate:" | grep -qv "(none)"; }
installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
wanted=(python3 python3-venv libgl1 curl avahi-daemon)
if available libglib2.0-0t64; then wanted+=(libglib2.0-0t64); else wanted+=(libglib2.0-0); fi
for package in python3-picamera2 python3-lgpio; do # Raspberry Pi's own archive has both
    if available "$package"; then wanted+=("$package"); fi
done
if [ "$kiosk" = yes ]; then wanted+=(chromium); fi
if [ -n "$hotspot" ]; then wanted+=(network-manager wpasupplicant dnsmasq-base); fi # the last gives phones their addresses
missing=()
for package in "${wanted[@]}"; do installed "$package" || missing+=("$package"); done
if [ ${#missing[@]} -gt 0 ]; then
    say "System packages: ${missing[*]}"
    if [ -z "$wheels" ]; then run apt-get update -q; fi
    run env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
    run install -d "$PROGRAM"
    if [ "$dry_run" = no ]; then printf '%s\n' "${missing[@]}" >>"$PROGRAM/packages-added"; fi
fi

# --- The account -----------------------------------------------------------------------------------------------------
for group in gpio video; do
    getent group "$group" >/dev/null || { say "Group $group"; run groupadd --system "$group"; }
done
if ! getent passwd "$ACCOUNT" >/dev/null; then
    say "Account $ACCOUNT, which may use the camera and the pins and nothing else"
    run useradd --system --user-group --home-dir "$DATA" --no-create-home --shell /usr/sbin/nologin "$ACCOUNT"
fi
for group in gpio video; do
    id -nG "$ACCOUNT" 2>/dev/null | grep -qw "$group" || run usermod --append --groups "$group" "$ACCOUNT"
done

# --- The program -----------------------------------------------------------------------------------------------------
# Each version has its own folder, named by what is in it; `current` is turned over when it is whole and tested, so a
# pulled plug leaves either the old program or the new one.
numpy=$(python3 -c 'import numpy; print(numpy.__version__)' 2>/dev/null || true)
version=$(cd "$source" && { python3 --version; echo "$numpy"; find pyproject.toml companion vision web deploy -type f \
    ! -path '*/__pycache__/*' ! -path 'deploy/appliance/*' -print0 2>/dev/null | sort -z | xargs -0 sha256sum; } | sha256sum | cut -c 1-12) || true
target=$PROGRAM/$version
if [ -f "$target/whole" ]; then
    say "Program $version is already here"
else
    say "Program $version to $target"
    run rm -rf "$target"
    run install -d "$target/doc" "$target/kiosk"
    # The system's Python packages stay in sight, since picamera2 and lgpio come from there ...
    run python3 -m venv --system-site-packages "$target/venv"
    pip=("$target/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-cache-dir)
    if [ -n "$wheels" ]; then pip+=(--no-index --find-links "$wheels"); fi
    # ... and they were built for one numpy: another one in our environment would break `import picamera2`. With Debian
    # 12's numpy 1 pip takes the newest OpenCV that goes with it, a 4.11, which passes all tests of the eye.
    if [ -n "$numpy" ]; then
        say "Keeping the system's numpy $numpy"
        if [ "$dry_run" = no ]; then printf 'numpy==%s\n' "$numpy" >"$target/constraints.txt"; fi
        pip+=(--constraint "$target/constraints.txt")
    fi
    package=$source
    if [ -n "$wheels" ]; then
        ready=$(find "$wheels" -maxdepth 1 -name 'gamenight_companion-*.whl' | sort | tail -n 1)
        package=${ready:-$source}
    fi
    if [ "$package" = "$source" ]; then # a copy, since building leaves its traces in the folder
        package=$target/source
        run install -d "$package"
        run cp -r "$source"/{pyproject.toml,README.md,LICENSE,companion,vision,web} "$package"
    fi
    run "${pip[@]}" "$package"
    run rm -rf "$target/source"
    run cp "$source"/deploy/*.md "$source"/deploy/*.svg "$target/doc/"
    run cp "$source/deploy/kiosk/gamenight-kiosk" "$source/deploy/remove.sh" "$target/kiosk/"
    say "Testing it"
    check='import cv2, numpy, companion.cli.main'
    if python3 -c 'import importlib.util as u, sys; sys.exit(u.find_spec("picamera2") is None)'; then
        check="import picamera2; $check" # together, and in this order: a numpy of the wrong kind shows only so
    fi
    run "$target/venv/bin/python" -W ignore -c "$check" ||
        fail "the installed packages do not work together; the old program, if any, stays. Please report the lines above"
    if [ "$dry_run" = no ]; then touch "$target/whole"; fi
fi
turn_over "$PROGRAM/current" "$target"
turn_over /usr/local/bin/companion "$PROGRAM/current/venv/bin/companion"

# --- Config, data, units ---------------------------------------------------------------------------------------------
port=8080
if [ -f "$CONFIG/config.toml" ]; then
    say "Keeping $CONFIG/config.toml (every key is explained in config.example.toml beside it)"
    port=$(sed -n 's/^[[:space:]]*port[[:space:]]*=[[:space:]]*\([0-9]*\).*/\1/p' "$CONFIG/config.toml" | head -n 1)
    port=${port:-8080}
else
    say "A new config: $CONFIG/config.toml"
    {
        echo "# The companion's config. Every key and its default: config.example.toml beside this file."
        echo "data = \"$DATA\""
        echo
        echo "[camera]"
        echo "source = \"${camera:-none}\""
        echo "#file = \"$CONFIG/camera.json\"    # from: sudo companion calibrate --out $CONFIG/camera.json ..."
        echo
        echo "[panel]"
        echo "enabled = $([ "$panel" = yes ] && echo true || echo false)"
    } | put 0644 "$CONFIG/config.toml"
fi
put 0644 "$CONFIG/config.example.toml" <"$source/deploy/config.example.toml"
run install -d -m 0750 "$DATA"
run chown -R "$ACCOUNT:$ACCOUNT" "$DATA"

put 0644 "$UNIT" <"$source/deploy/systemd/gamenight-companion.service"
put 0644 /etc/udev/rules.d/60-$NAME.rules <"$source/deploy/systemd/60-gamenight-companion.rules"
sed "s/@PORT@/$port/" "$source/deploy/systemd/gamenight-companion.avahi.xml" | put 0644 /etc/avahi/services/$NAME.service
if [ "$kiosk" = yes ]; then
    say "The page on this machine's screen, from the next login on"
    put 0644 /etc/systemd/user/gamenight-kiosk.service <"$source/deploy/kiosk/gamenight-kiosk.service"
    put 0644 /etc/xdg/autostart/gamenight-kiosk.desktop <"$source/deploy/kiosk/gamenight-kiosk.desktop"
    # Raspberry Pi OS blanks the screen by itself; its own tool switches that off (1 is off), remove.sh on again.
    if command -v raspi-config >/dev/null && [ "$(raspi-config nonint get_blanking)" = 0 ]; then
        run raspi-config nonint do_blanking 1
        run touch "$PROGRAM/blanking-before"
    fi
fi
if [ -n "$hostname" ] && [ "$hostname" != "$(cat /etc/hostname 2>/dev/null)" ]; then
    say "This machine is now called $hostname"
    if [ "$dry_run" = no ] && [ ! -f "$PROGRAM/hostname-before" ]; then cp /etc/hostname "$PROGRAM/hostname-before"; fi
    echo "$hostname" | put 0644 /etc/hostname
    { grep -v '^127\.0\.1\.1[[:space:]]' /etc/hosts || true; printf '127.0.1.1\t%s\n' "$hostname"; } | put 0644 /etc/hosts
    if booted; then run hostnamectl set-hostname "$hostname"; fi
fi
if [ -n "$hotspot" ]; then
    [ "$dry_run" = yes ] || booted || fail "--hotspot needs a running system"
    if nmcli -t -f NAME connection show 2>/dev/null | grep -qx gamenight-hotspot; then
        say "Keeping the hotspot that is there"
    else
        password=$(LC_ALL=C tr -dc 'a-hjkmnp-z2-9' </dev/urandom 2>/dev/null | head -c 10 || true)
        say "Wi-Fi network '$hotspot', password $password, wherever no known network is in reach"
        # Its priority lies below that of every other network, so that at home the home network is taken.
        run nmcli connection add type wifi ifname wlan0 con-name gamenight-hotspot autoconnect yes ssid "$hotspot" \
            802-11-wireless.mode ap 802-11-wireless.band bg ipv4.method shared ipv6.method disabled \
            connection.autoconnect-priority -100 wifi-sec.key-mgmt wpa-psk wifi-sec.psk "$password"
    fi
fi

say "Starting at every boot"
run systemctl enable --quiet $NAME.service
if booted; then
    run systemctl daemon-reload
    run udevadm control --reload
    run udevadm trigger --subsystem-match=gpio --subsystem-match=dma_heap
    if [ "$start" = yes ]; then
        run systemctl restart $NAME.service ||
            fail "it does not start; the reason: journalctl -u $NAME -n 30. Wrong config? companion config check $CONFIG/config.toml"
    fi
fi
if [ "$dry_run" = no ]; then
    find "$PROGRAM" -mindepth 1 -maxdepth 1 -type d ! -path "$target" -exec rm -rf {} +
fi
name=${hostname:-$(cat /etc/hostname 2>/dev/null || echo localhost)}
if [ "$dry_run" = yes ]; then say "Nothing was changed."; else say "Done. The page: http://$name.local:$port/"; fi
