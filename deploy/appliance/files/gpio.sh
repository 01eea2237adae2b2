#!/bin/sh
# Readies the user-mode kernel for the companion.
set -eu
# A chip with 54 lines, labelled as a Pi 4's, all buttons released (pulled up).
mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
chip=/sys/kernel/config/gpio-sim/pi
mkdir -p $chip/bank0
echo 54 >$chip/bank0/num_lines
echo pinctrl-bcm2711 >$chip/bank0/label
echo 1 >$chip/live
for line in 5 6 13 19; do echo pull-up >/sys/devices/platform/gpio-sim.0/gpiochip0/sim_gpio$line/pull; done
udevadm settle --timeout=5 || true
ls -l /dev/gpiochip0
# What is written through the host's folder belongs to the host's root, not to the companion: the games lie in memory.
mount -t tmpfs -o mode=0750,size=64m games /var/lib/gamenight-companion
chown companion:companion /var/lib/gamenight-companion
