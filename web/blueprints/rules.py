"""The rules in plain words: by topic, searchable, with an anchor for every id (`/rules#T-PLOT-2`)."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, render_template, request

from web.rulebook import OPTIONS, TOPICS, Rule
from web.texts import gettext

blueprint = Blueprint("rules", __name__, url_prefix="/rules")

_LONGEST_SEARCH = 100


@dataclass(frozen=True, slots=True)
class ShownRule:
    """A rule in the reader's language."""

    id: str
    text: str
    option: str | None
    option_text: str | None


@dataclass(frozen=True, slots=True)
class ShownTopic:
    """A topic with those of its rules that the search left."""

    id: str
    title: str
    rules: tuple[ShownRule, ...]


@blueprint.get("")
def page() -> str:
    """All rules, or those with all words of `?q=` in their text, topic or id."""
    wanted = request.args.get("q", "")[:_LONGEST_SEARCH]
    return render_template("rules/rules.html", topics=_found(wanted), wanted=wanted, options=_options())


def _found(wanted: str) -> list[ShownTopic]:
    sought = wanted.casefold().split()
    topics = []
    for topic in TOPICS:
        title = gettext(topic.title)
        rules = tuple(
            rule
            for rule in map(_shown, topic.rules)
            if all(word in f"{rule.id} {title} {rule.text}".casefold() for word in sought)
        )
        if rules:
            topics.append(ShownTopic(topic.id, title, rules))
    return topics


def _shown(rule: Rule) -> ShownRule:
    option_text = None if rule.option is None else gettext(OPTIONS[rule.option])
    return ShownRule(rule.id, gettext(rule.text), rule.option, option_text)


def _options() -> list[tuple[str, str]]:
    return [(name, gettext(text)) for name, text in OPTIONS.items()]
