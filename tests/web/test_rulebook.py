"""The rulebook knows every rule that the rules can name."""

import re
from pathlib import Path

from companion.games.takenoko.rules import OPTION_NAMES
from web.rulebook import OPTIONS, RULES, TOPICS

RULE_ID = re.compile(r"\bT-[A-Z]+-\d+\b")


def test_every_rule_of_the_specification_is_told(shared):
    named = set(RULE_ID.findall((shared / "spec" / "takenoko.md").read_text(encoding="utf-8")))
    assert named == {rule for rule in RULES if rule.startswith("T-")}


def test_every_rule_that_a_refusal_can_name_is_told():
    games = Path(__file__).resolve().parents[2] / "companion"
    named = {rule for path in games.rglob("*.py") for rule in RULE_ID.findall(path.read_text(encoding="utf-8"))}
    assert named <= set(RULES)
    assert {"format", "position", "option"} <= set(RULES)


def test_every_option_is_told_and_no_other():
    assert set(OPTIONS) == set(OPTION_NAMES)
    assert {rule.option for rule in RULES.values()} - {None} <= set(OPTIONS)


def test_no_rule_stands_twice():
    ids = [rule.id for topic in TOPICS for rule in topic.rules]
    assert len(ids) == len(set(ids))
