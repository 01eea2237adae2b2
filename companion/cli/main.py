"""The command line: one module a group of commands, each with a `register` that adds its sub-commands.

A module is imported before its arguments are read and must be cheap to import: what a command needs (OpenCV, Flask)
is imported inside the function that runs it.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import traceback
from collections.abc import Sequence

from companion.errors import CompanionError, UsageError

GROUPS: tuple[str, ...] = ("records", "play", "eye", "bench", "watch", "table", "calibrate", "kit", "teach", "simulate")
"""Modules of `companion.cli`, in the order in which their commands are listed in the help."""


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = argparse.ArgumentParser(prog="companion", description="The companion of a physical game night.")
    parser.add_argument("--traceback", action="store_true", help="show the whole traceback of an error")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for group in GROUPS:
        importlib.import_module(f"companion.cli.{group}").register(commands)
    return parser


def run(argv: Sequence[str]) -> int:
    """Parse, run, and turn every expected error into one line and an exit code.

    Returns:
        0 when all is well, 1 when the command's answer is no, 2 for wrong usage.
    """
    try:
        args = build_parser().parse_args(argv)
    except SystemExit as stop:  # argparse has printed its line
        return int(stop.code or 0)
    try:
        return int(args.handler(args))
    except BrokenPipeError:
        # The reader of our output has gone (`| head`): close quietly, as other tools do.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except (CompanionError, OSError) as error:
        if args.traceback:
            traceback.print_exc()
        print(f"companion {args.command}: {error}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1
