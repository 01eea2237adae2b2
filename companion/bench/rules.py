"""How fast the rules are: whole games of random players, one core, pure Python.

Four seats; every legal move is listed as values before every move; one step is one event of the record.
"""

from __future__ import annotations

import argparse
import platform
import time
from random import Random
from typing import Any

from companion.games.takenoko.rules import Rules, rules_for
from companion.games.takenoko.setup import start
from companion.games.takenoko.state import State
from companion.record import Do, Game, Header, read_text, write_header, write_line
from companion.simulate.dealer import Dealer
from companion.simulate.players import RandomPlayer
from companion.simulate.table import NAMES, moves_of_a_game, play_game

REPLAYED = 200
"""Events of the record whose replay is timed."""
BATCH = 10
"""Games between two looks at the clock."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be chosen."""
    parser.add_argument("--seconds", type=float, default=5.0, help="how long to play (default 5)")
    parser.add_argument("--ruleset", default="classic", help="classic or bga (default classic)")
    parser.add_argument("--seats", type=int, default=4, choices=(2, 3, 4), help="how many players (default 4)")


def run(args: argparse.Namespace) -> dict[str, Any]:
    """Play and replay, and give the figures.

    Seconds are those of the processor, which on an idle core are those of the clock; `games_per_second` and
    `steps_per_second` are means over the whole run, `best_games_per_second` is the best batch of games; `games_stopped`
    counts those that no random player could bring to an end (see `moves_of_a_game`).
    """
    rules = rules_for(args.ruleset)
    games = steps = stopped = 0
    best = 0.0
    began = time.process_time()
    while (passed := time.process_time() - began) < args.seconds or not games:
        batch_began = time.process_time()
        for seed in range(games, games + BATCH):
            events, stuck = _play(rules, args.seats, seed)
            steps += events
            stopped += stuck
        games += BATCH
        best = max(best, BATCH / (time.process_time() - batch_began))
    passed = time.process_time() - began
    return {
        "games_per_second": games / passed,
        "steps_per_second": steps / passed,
        "events_per_game": steps / games,
        "replay_200_events_ms": _replay_ms(args.ruleset),
        "best_games_per_second": best,
        "games": games,
        "games_stopped": stopped,
        "python": platform.python_version(),
        "machine": platform.machine(),
    }


def _play(rules: Rules, seats: int, seed: int) -> tuple[int, bool]:
    """One game: the number of its events, and whether the table had to stop it."""
    rng = Random(seed)
    dealer = Dealer(rng, rules)
    state: State = start(rules, NAMES[:seats], 0, dealer.deal(seats))
    events = 0
    for _, _, after in moves_of_a_game(state, dealer, [RandomPlayer(rng)] * seats):
        state = after
        events += 1
    return events, not any(seat.emperor for seat in state.seats)


def _replay_ms(ruleset: str) -> float:
    """Milliseconds from the bytes of a record of 200 events to its last position: the median of several."""
    game: Game = play_game(4, 1, "random", ruleset)
    header: Header = game.header
    events = [event for event in game.events if isinstance(event, Do)][:REPLAYED]
    record = (write_header(header) + "".join(map(write_line, events))).encode()
    times = []
    for _ in range(9):
        began = time.process_time()
        read_text(record)
        times.append((time.process_time() - began) * 1000)
    return sorted(times)[len(times) // 2]
