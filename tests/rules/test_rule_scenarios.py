"""Every rule id in a scenario in notation, accepted and refused (tests/scenarios/takenoko.txt says how it is read)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from companion.errors import IllegalMoveError, ImpossiblePositionError
from companion.games.takenoko.legality import legal_moves
from companion.games.takenoko.moves import Claim, Discard, Draw, Know
from companion.games.takenoko.notation import parse_move
from companion.games.takenoko.objectives import met
from companion.games.takenoko.position import corrected, position_from_json, position_to_json
from companion.games.takenoko.rules import OPTION_NAMES, rules_for
from companion.games.takenoko.scoring import scores, winners
from companion.games.takenoko.setup import start
from companion.games.takenoko.title import TAKENOKO
from companion.games.takenoko.transition import apply

NAMES = ("Aki", "Oksana", "Jürgen", "Midori", "Nobody")
FILE = Path(__file__).parent.parent / "scenarios" / "takenoko.txt"


@dataclass
class Table:
    """What a block of lines is played on."""

    words: list[str] = field(default_factory=list)
    state: object = None

    def setting(self, name, otherwise):
        found = [word.partition("=")[2] for word in self.words if word.startswith(f"{name}=")]
        return found[-1] if found else otherwise

    @property
    def names(self):
        return NAMES[: int(self.setting("seats", 2))]

    @property
    def rules(self):
        ruleset = next((word for word in self.words if "=" not in word), "classic")
        options = {name: self.setting(name, "") == "on" for name in OPTION_NAMES if self.setting(name, "")}
        return rules_for(ruleset, options, self.setting("edition", "base"))

    @property
    def first(self):
        return int(self.setting("first", 0))

    def begin(self, hands=None):
        self.state = start(self.rules, self.names, self.first, hands)

    def facts(self):
        table = [{**vars_of(score), "total": score.total} for score in scores(self.state)]
        irrigated = TAKENOKO.derived(self.state)["irrigated"]
        return {
            **position_to_json(self.state),
            "scores": table,
            "winners": list(winners(self.state)),
            "irrigated": irrigated,
        }


def vars_of(score):
    return {name: getattr(score, name) for name in ("seat", "plot", "gardener", "panda", "emperor")}


def blocks():
    found, title = {}, None
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            title = line[3:]
            assert title not in found, f"two blocks are called {title!r}"
            found[title] = []
        elif line.strip() and not line.startswith("#"):
            found[title].append(line)
    return found


BLOCKS = blocks()
RULES = (
    *("T-SET-1", "T-SET-2", "T-SET-3"),
    *(f"T-TURN-{n}" for n in range(1, 6)),
    *(f"T-WEA-{n}" for n in range(1, 9)),
    *("T-PLOT-1", "T-PLOT-2", "T-PLOT-3"),
    *(f"T-CHAN-{n}" for n in range(1, 6)),
    *("T-MOVE-1", "T-MOVE-2", "T-MOVE-3", "T-GARD-1", "T-PAND-1", "T-DRAW-1", "T-DRAW-2", "T-DRAW-3", "T-WATER-1"),
    *(f"T-GROW-{n}" for n in range(1, 6)),
    *(f"T-CHIP-{n}" for n in range(1, 5)),
    *(f"T-OBJ-{n}" for n in range(1, 8)),
    *(f"T-END-{n}" for n in range(1, 5)),
)


def path_in(facts, path):
    for key in path.split("."):
        facts = facts[int(key)] if isinstance(facts, list) else facts[key]
    return facts


def value_of(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


def check_legal_list_agrees(state, move, legal):
    """The list of legal moves says the same as the refusal, where a move can stand in it."""
    if isinstance(move, Know) or (isinstance(move, Draw) and move.card is not None):
        return
    if isinstance(move, Claim | Discard) and legal and move.card not in state.seats[state.turn.seat].hand:
        return
    assert (move in legal_moves(state)) is legal


@pytest.mark.parametrize("title", BLOCKS)
def test_scenario(title):
    table = Table()
    table.begin()
    for line in BLOCKS[title]:
        text, _, refusal = line.partition("!")
        word, _, rest = text.strip().partition(" ")
        where = f"{title}: {line}"
        if word in ("with", "lying", "hands", "correct"):
            if word == "with":
                table.words = rest.split()

            def change(word=word, rest=rest):
                match word:
                    case "with":
                        table.begin()
                    case "hands":
                        table.begin(json.loads(rest))
                    case "lying":
                        table.state = position_from_json(json.loads(rest), table.rules, table.names, table.first)
                    case "correct":
                        table.state = corrected(table.state, json.loads(rest))

            if refusal:
                assert refusal == "position", where
                with pytest.raises(ImpossiblePositionError):
                    change()
            else:
                change()
        elif word == "=":
            path, _, value = rest.partition(" ")
            assert path_in(table.facts(), path) == value_of(value), where
        elif word in ("met", "unmet"):
            for card in rest.split():
                assert (card in met(table.state)) is (word == "met"), where
        else:
            move, seat = parse_move(rest), int(word)
            if refusal:
                with pytest.raises(IllegalMoveError) as caught:
                    apply(table.state, move, seat)
                assert caught.value.rule == refusal, f"{where}: {caught.value}"
                if table.state.turn is not None and seat == table.state.turn.seat:
                    check_legal_list_agrees(table.state, move, False)
            else:
                if table.state.turn is not None and seat == table.state.turn.seat:
                    check_legal_list_agrees(table.state, move, True)
                table.state = apply(table.state, move, seat)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_scenario_that_accepts_and_one_that_refuses(rule):
    lines = [line for title, block in BLOCKS.items() if title.split()[0] == rule for line in block]
    moves = [line for line in lines if line.split()[0].isdigit() or line.startswith(("with", "hands", "lying"))]
    assert any("!" in line for line in moves)
    assert any("!" not in line for line in moves)


@pytest.mark.parametrize("option", OPTION_NAMES)
def test_every_option_is_switched_in_a_scenario(option):
    settings = [line for block in BLOCKS.values() for line in block if line.startswith("with")]
    assert any(f"{option}=" in line for line in settings) or any(line.startswith("with bga") for line in settings)


def test_these_are_all_rules_of_the_specification(shared):
    """A rule that is added to the specification needs a scenario here."""
    text = (shared / "spec" / "takenoko.md").read_text(encoding="utf-8")
    assert set(re.findall(r"T-[A-Z]+-\d+", text)) == set(RULES)
