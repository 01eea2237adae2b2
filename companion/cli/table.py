"""`companion run`, `companion doctor`, `companion config`: the table and what it stands on."""

from __future__ import annotations

import argparse
from pathlib import Path


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-commands."""
    run = commands.add_parser("run", help="run the evening: the page, the panel, the camera")
    _common(run)
    run.add_argument("--demo", action="store_true", help="a simulated table with simulated people; needs no hardware")
    run.add_argument("--port", type=int, help="in the place of web.port")
    run.add_argument("--host", help="in the place of web.host")
    run.set_defaults(handler=_run)
    doctor = commands.add_parser("doctor", help="look for what is wrong: camera, markers, buttons, disk, clock")
    _common(doctor)
    doctor.add_argument("--json", action="store_true", help="print JSON")
    doctor.set_defaults(handler=_doctor)
    config = commands.add_parser("config", help="check the config file").add_subparsers(required=True, metavar="WHAT")
    check = config.add_parser("check", help="read the config and name everything that is wrong with it")
    check.add_argument("file", nargs="?", type=Path, help="default: --config's")
    _common(check)
    check.set_defaults(handler=_check)


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="FILE", help="the config (TOML)")
    parser.add_argument("--data", type=Path, metavar="DIR", help="the folder of games, in the place of the config's")
    parser.add_argument(
        "--camera",
        metavar="SPEC",
        help="picamera2, webcam:0, files:DIR, video:FILE, night:DIR, simulated or none, in the place of camera.source",
    )


def _run(args: argparse.Namespace) -> int:
    from companion.cli.running import run

    return run(args.config, data=args.data, camera=args.camera, port=args.port, host=args.host, demo=args.demo)


def _doctor(args: argparse.Namespace) -> int:
    from companion.cli.examining import examine

    return examine(args.config, data=args.data, camera=args.camera, as_json=args.json)


def _check(args: argparse.Namespace) -> int:
    from companion.config import load_config

    path = args.file or args.config
    load_config(path)
    print(f"{path or 'defaults'}: all is well")
    return 0
