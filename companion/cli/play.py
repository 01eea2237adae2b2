"""`companion play`: a simulated game, told in the terminal or written as a record."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from companion.errors import BadInputError, UsageError

_Commands = argparse._SubParsersAction  # the only name that argparse gives it


def register(commands: _Commands[argparse.ArgumentParser]) -> None:
    """Add the command."""
    play = commands.add_parser("play", help="play a simulated game")
    play.add_argument("--seats", type=int, default=3, metavar="N", help="how many players (default 3)")
    play.add_argument("--seed", type=int, default=0, help="the same seed gives the same game (default 0)")
    play.add_argument("--players", default="greedy", help="random, greedy, or one a seat: greedy,random,...")
    play.add_argument("--ruleset", default="classic", help="classic or bga (default classic)")
    play.add_argument("--option", action="append", default=[], metavar="NAME=on|off", help="switch one option")
    play.add_argument("--edition", default="base", help="which box (default base)")
    play.add_argument("--record", metavar="FILE", help="write the whole game here; an existing file stays as it is")
    play.add_argument("--quiet", action="store_true", help="tell only how it ended")
    play.set_defaults(handler=_play)


def _options(texts: list[str]) -> dict[str, bool]:
    switches = {"on": True, "off": False}
    chosen = {}
    for text in texts:
        name, _, value = text.partition("=")
        if value not in switches:
            raise UsageError(f"--option {text[:60]}: write NAME=on or NAME=off")
        chosen[name] = switches[value]
    return chosen


def _play(args: argparse.Namespace) -> int:
    from companion.games.takenoko.notation import format_move
    from companion.games.takenoko.scoring import scores, winners
    from companion.record import Do, write_header, write_line
    from companion.simulate.table import NAMES, PLAYERS, play_game

    if not 2 <= args.seats <= len(NAMES):
        raise UsageError(f"--seats {args.seats}: 2 to {len(NAMES)} play (T-SET-1)")
    players = args.players.split(",")
    players = players * args.seats if len(players) == 1 else players
    if len(players) != args.seats or not set(players) <= set(PLAYERS):
        raise UsageError(f"--players {args.players[:60]}: one word, or one a seat, of {', '.join(PLAYERS)}")
    options = _options(args.option)
    if args.record is not None and os.path.lexists(args.record):
        raise BadInputError(f"{args.record} exists already and stays as it is: name another file")
    try:
        game = play_game(args.seats, args.seed, players, args.ruleset, options, args.edition)
    except BadInputError as error:
        raise UsageError(str(error)) from None
    names = game.header.seats
    if not args.quiet:
        for event in game.events:
            if isinstance(event, Do):
                print(f"{names[event.seat]:8} {format_move(event.move)}")
    for score in scores(game.state):
        parts = f"plot {score.plot}, gardener {score.gardener}, panda {score.panda}, Emperor {score.emperor}"
        print(f"{names[score.seat]}: {score.total} points ({parts})")
    print("won by", " and ".join(names[seat] for seat in winners(game.state)))
    if args.record is not None:
        text = write_header(game.header) + "".join(map(write_line, game.events))
        with Path(args.record).open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    return 0
