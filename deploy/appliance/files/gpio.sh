#!/bin/sh
# A chip with 54 lines, labelled as a Pi 4's, all buttons released (pulled up).
set -eu
mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
chip=/sys/kernel/config/gpio-sim/pi
mkdir -p $chip/bank0
echo 54 >$chip/bank0/num_lines
echo pinctrl-bcm2711 >$chip/bank0/label
echo 1 >$chip/live
for line in 5 6 13 19; do echo pull-up >/sys/devices/platform/gpio-sim.0/gpiochip0/sim_gpio$line/pull; done
udevadm settle --timeout=5 || true
ls -l /dev/gpiochip0
