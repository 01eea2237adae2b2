"""Write the golden records anew: `python tests/records/regenerate.py`. The difference is reviewed, not waved through.

Without arguments all groups are written, else the named ones (such as `3-bga` or `3-option`).

Whole games of greedy players, for two, three and four seats under both rulesets, ending in every way, and one game for
every option that is switched over. Beside them `golden.json` holds how each one ends.
"""

from __future__ import annotations

import json
import sys
from itertools import count
from pathlib import Path

from companion.games.takenoko.moves import Stop
from companion.games.takenoko.position import position_to_json
from companion.games.takenoko.rules import OPTION_NAMES, Options
from companion.games.takenoko.scoring import scores, winners
from companion.record import Do, Game, write_header, write_line
from companion.simulate.table import play_game

FOLDER = Path(__file__).parent / "golden"
ENDINGS = ("threshold", "stop", "panda_tie", "shared")
SEATS = (2, 3, 4)
RULESETS = ("classic", "bga")
ENOUGH_POINTS = 6
"""What the best seat has at least when a game is stopped: a game of nothing ties too easily."""


def ending_of(state):
    """How a game ended, by the words of `ENDINGS`; a tie is named before the way in which it came about."""
    table = scores(state)
    best = max(score.total for score in table)
    level = [score for score in table if score.total == best]
    if len(level) > 1:
        return "shared" if len(winners(state)) > 1 else "panda_tie"
    return "threshold" if any(seat.emperor for seat in state.seats) else "stop"


def stopped(game, line):
    """The game up to a line, then stopped by agreement."""
    begun = Game(game.header, game.lines[: line - 1], game.states[:line])
    seat = begun.state.turn.seat
    return begun.append(Do(seat, Stop(), by="simulated"))


def endings(seats, ruleset):
    """For every ending the first game, by seed, that ends so; any but the threshold may be had by stopping early."""
    found = {}
    for seed in count(1):
        game = play_game(seats, seed, "greedy", ruleset)
        found.setdefault(ending_of(game.state), game)
        for line in range(game.version - 1, game.version // 4, -1):
            if max(score.total for score in scores(game.line_state(line))) < ENOUGH_POINTS:
                break
            shorter = stopped(game, line)
            if ending_of(shorter.state) != "threshold":
                found.setdefault(ending_of(shorter.state), shorter)
        if len(found) == len(ENDINGS):
            return found
    raise AssertionError("seeds never end")


def text_of(game):
    return write_header(game.header) + "".join(write_line(event) for event in game.events)


def names():
    """The name of every golden record."""
    played = [f"{seats}-{ruleset}-{ending}" for seats in SEATS for ruleset in RULESETS for ending in ENDINGS]
    return [*played, *(f"3-option-{option}" for option in OPTION_NAMES)]


GROUPS = (*(f"{seats}-{ruleset}" for seats in SEATS for ruleset in RULESETS), "3-option")


def games(group):
    """Every golden record of a group with its name."""
    seats, what = group.split("-")
    if what == "option":
        for option in OPTION_NAMES:
            options = {option: not getattr(Options(), option)}
            yield f"{group}-{option}", play_game(int(seats), 1, "greedy", "classic", options)
    else:
        for ending, game in endings(int(seats), what).items():
            yield f"{group}-{ending}", game


def summary(game):
    return {
        "events": len(game.events),
        "ending": ending_of(game.state),
        "totals": [score.total for score in scores(game.state)],
        "panda": [score.panda for score in scores(game.state)],
        "winners": list(winners(game.state)),
        "position": position_to_json(game.state),
    }


def main(groups):
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / "golden.json"
    ends = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for group in groups or GROUPS:
        for name, game in games(group):
            (FOLDER / f"{name}.jsonl").write_text(text_of(game), encoding="utf-8")
            ends[name] = summary(game)
        text = json.dumps(dict(sorted(ends.items())), indent=1, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
