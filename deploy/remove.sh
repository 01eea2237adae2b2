#!/bin/bash
# Undoes install.sh. The games stay, unless --purge is given.
set -euo pipefail

NAME=gamenight-companion
ACCOUNT=companion
CONFIG=/etc/$NAME
DATA=/var/lib/$NAME
PROGRAM=/opt/$NAME

purge=no dry_run=no
for option in "$@"; do
    case $option in
        --purge) purge=yes ;;
        --dry-run) dry_run=yes ;;
        -h | --help)
            echo "Usage: sudo remove.sh [--purge] [--dry-run]"
            echo "Removes the program, its unit, account, config, hotspot and names. The games in $DATA stay, and the"
            echo "config is put beside them; --purge removes those too. System packages stay, but apt may take them away:"
            echo "'sudo apt autoremove' removes what nothing else needs."
            exit 0
            ;;
        *) echo "remove.sh: unknown option $option (see --help)" >&2; exit 2 ;;
    esac
done
say() { printf '==> %s\n' "$*"; }
run() {
    if [ "$dry_run" = yes ]; then printf '    would run: %s\n' "$*"; else "$@"; fi
}
[ "$dry_run" = yes ] || [ "$(id -u)" = 0 ] || { echo "remove.sh: needs root: sudo $0" >&2; exit 1; }
booted() { [ -d /run/systemd/system ]; }

say "Stopping"
if booted; then run systemctl stop $NAME.service 2>/dev/null || true; fi
run systemctl disable --quiet $NAME.service 2>/dev/null || true
if booted && command -v nmcli >/dev/null; then run nmcli connection delete gamenight-hotspot >/dev/null 2>&1 || true; fi

if [ -f $PROGRAM/hostname-before ]; then
    before=$(cat $PROGRAM/hostname-before)
    say "This machine is called $before again"
    if [ "$dry_run" = no ]; then
        echo "$before" >/etc/hostname
        sed -i "s/^127\.0\.1\.1[[:space:]].*/127.0.1.1\t$before/" /etc/hosts
    fi
    if booted; then run hostnamectl set-hostname "$before"; fi
fi
if [ -f $PROGRAM/blanking-before ] && command -v raspi-config >/dev/null; then run raspi-config nonint do_blanking 0; fi
if [ -f $PROGRAM/packages-added ] && [ "$dry_run" = no ]; then
    # From now on these are packages that nobody asked for: apt removes them once nothing else needs them.
    sort -u $PROGRAM/packages-added | xargs apt-mark auto >/dev/null 2>&1 || true
fi

say "Removing program, units and names"
run rm -rf $PROGRAM /var/cache/$NAME
run rm -f /etc/systemd/system/$NAME.service /etc/udev/rules.d/60-$NAME.rules /etc/avahi/services/$NAME.service \
    /etc/systemd/user/gamenight-kiosk.service /etc/xdg/autostart/gamenight-kiosk.desktop /usr/local/bin/companion
if [ "$purge" = yes ]; then
    say "Removing config and games"
    run rm -rf $CONFIG $DATA
elif [ -d $CONFIG ]; then
    say "Keeping the games in $DATA, and the config beside them"
    run install -d $DATA/config-kept
    run cp -a $CONFIG/. $DATA/config-kept/
    run rm -rf $CONFIG
fi
if getent passwd $ACCOUNT >/dev/null; then
    run userdel $ACCOUNT
    # The games then belong to root; installing again gives them back.
    if [ -d $DATA ]; then run chown -R root:root $DATA; fi
fi
if booted; then run systemctl daemon-reload; fi
say "Done."
