"""`companion kit`: the printable pieces as a PDF."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.errors import BadInputError


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `kit`."""
    parser = commands.add_parser(
        "kit",
        help="write the printable marker cards, calibration board, plots, chips and cards",
        description="Writes one PDF with the marker cards, the calibration board, and the project's own plots, chips "
        "and objective cards, each in its true size.",
    )
    parser.add_argument("--out", type=Path, default=Path("kit.pdf"), help="the PDF (%(default)s)")
    parser.add_argument("--paper", choices=("a4", "letter"), default="a4", help="%(default)s")
    parser.add_argument("--edition", default="base", help="whose plots and cards (%(default)s)")
    parser.add_argument("--no-backs", action="store_true", help="leave out the pages of card backs")
    parser.set_defaults(handler=handle)


def handle(args: argparse.Namespace) -> int:
    """Build the kit and write it."""
    from companion.games.takenoko.edition import load_edition
    from vision.kit.build import build_kit

    pdf = build_kit(load_edition(args.edition), args.paper, backs=not args.no_backs)
    try:
        args.out.write_bytes(pdf)
    except OSError as error:
        raise BadInputError(f"{args.out}: cannot be written ({error.strerror or error})") from error
    print(f"wrote {args.out}: print it at 100 % on {'A4' if args.paper == 'a4' else 'Letter'}")
    return 0
