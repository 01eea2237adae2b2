"""`companion simulate-night` and `companion simulate-tables`: rendered pictures with known truth."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from companion.errors import BadInputError, UsageError


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add both commands."""
    night = commands.add_parser(
        "simulate-night",
        help="play and render an evening, as a recorded night with its truth",
        description="Simulated people play; a rendered table is photographed; what was told and what was true is "
        "written beside, in the format of recorded nights that `companion watch` reads.",
    )
    night.add_argument("--seed", type=int, required=True, help="the same seed gives the same night")
    night.add_argument("--turns", type=int, default=40, help="at most so many turns (%(default)s)")
    night.add_argument("--seats", type=int, default=2, choices=(2, 3, 4), help="players (%(default)s)")
    night.add_argument("--ruleset", default="classic", choices=("classic", "bga"), help="(%(default)s)")
    night.add_argument("--look", choices=("painted", "flat", "printed", "kit", "random"), help="of the tiles; any")
    night.add_argument("--slips", action="store_true", help="people make slips now and then, and mend them later")
    night.add_argument("--disturbances", action="store_true", help="light, camera, cards, garden and things are moved")
    _sizes_and_folder(night)
    night.set_defaults(handler=handle_night)
    tables = commands.add_parser(
        "simulate-tables",
        help="render photos of tables with their truth, for `companion evaluate`",
        description="Photos of tables that nobody has seen, in three tiers, each with camera file and truth.",
    )
    tables.add_argument("--seed", type=int, default=0, help="of the first photo of each tier (%(default)s)")
    tables.add_argument("--count", type=int, default=5, help="photos of each tier (%(default)s)")
    _sizes_and_folder(tables)
    tables.set_defaults(handler=handle_tables)


def _sizes_and_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--size", default="1640x1232", help="of the pictures (%(default)s)")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write into")


def _size(text: str) -> tuple[int, int]:
    width, times, height = text.partition("x")
    if not times or not width.isdecimal() or not height.isdecimal():
        raise UsageError(f"--size {text!r}: write it as 1640x1232")
    size = int(width), int(height)
    if not all(160 <= side <= 4096 for side in size):
        raise UsageError(f"--size {text}: each side from 160 to 4096 pixels")
    return size


def _at_least_one(name: str, value: int) -> None:
    if value < 1:
        raise UsageError(f"--{name} {value}: at least 1")


def _folder(path: Path) -> Path:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInputError(f"{path}: cannot be made ({error.strerror or error}): choose another --out") from None
    return path


def _tell(done: int, of: int) -> None:
    """A line that counts up where a person watches, nothing elsewhere."""
    if sys.stderr.isatty():
        print(f"\r{done}/{of}", end="\n" if done == of else "", file=sys.stderr, flush=True)


def handle_night(args: argparse.Namespace) -> int:
    """Write one night."""
    from companion.bench.nights import NightPlan, write_night

    width, height = _size(args.size)
    _at_least_one("turns", args.turns)
    plan = NightPlan(
        abs(args.seed),
        turns=args.turns,
        seats=args.seats,
        ruleset=args.ruleset,
        slip=0.15 if args.slips else 0.0,
        disturbance=0.12 if args.disturbances else 0.0,
        look=args.look,
        width=width,
        height=height,
    )
    pictures = write_night(_folder(args.out), plan, _tell)
    print(f"{args.out}: {pictures} pictures")
    return 0


def handle_tables(args: argparse.Namespace) -> int:
    """Write photos of each tier."""
    from companion.bench.tables import TIERS, write_table

    width, height = _size(args.size)
    _at_least_one("count", args.count)
    folder = _folder(args.out)
    wanted = [(tier, abs(args.seed) + number) for tier in TIERS for number in range(args.count)]
    for done, (tier, seed) in enumerate(wanted, 1):
        write_table(folder, tier, seed, width=width, height=height)
        _tell(done, len(wanted))
    print(f"{folder}: {len(wanted)} pictures")
    return 0
