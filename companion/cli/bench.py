"""`companion bench NAME`: measure one part of the companion."""

from __future__ import annotations

import argparse
import importlib
import json
import sys

_Commands = argparse._SubParsersAction  # the only name that argparse gives it

BENCHES = {
    "rules": "games and steps a second of the rules, and what replaying costs",
    "eye": "what one look at a picture costs",
    "reconcile": "what explaining one turn costs",
    "notices": "what is noticed of hands, lamps, knocks and mugs on rendered nights",
    "table": "how soon a told event reaches the screens",
    "phones": "how soon it reaches eight phones with hands, and a phone that slept",
}
"""Modules of `companion.bench`, each with `add_arguments(parser)` and `run(args)`, which gives figures by name."""


def register(commands: _Commands[argparse.ArgumentParser]) -> None:
    """Add the command; a bench is imported only when it is asked for."""
    bench = commands.add_parser("bench", help="measure: " + ", ".join(BENCHES))
    bench.add_argument("name", nargs="?", metavar="NAME", help=", ".join(BENCHES))
    bench.add_argument("rest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    bench.set_defaults(handler=_bench)


def _bench(args: argparse.Namespace) -> int:
    if args.name not in BENCHES:
        print("usage: companion bench NAME [--json] ...", file=sys.stderr if args.name else sys.stdout)
        print("\n".join(f"  {name:10} {what}" for name, what in BENCHES.items()))
        return 2
    module = importlib.import_module(f"companion.bench.{args.name}")
    parser = argparse.ArgumentParser(prog=f"companion bench {args.name}", description=BENCHES[args.name])
    parser.add_argument("--json", action="store_true", help="one JSON object")
    module.add_arguments(parser)
    try:
        chosen = parser.parse_args(args.rest)
    except SystemExit as stop:  # argparse has printed its line
        return int(stop.code or 0)
    figures = module.run(chosen)
    if chosen.json:
        print(json.dumps(figures))
    else:
        for name, figure in figures.items():
            print(f"{name:24} {figure:.2f}" if isinstance(figure, float) else f"{name:24} {figure}")
    return 0
