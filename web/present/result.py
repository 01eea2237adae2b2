"""How the game ended: winners, a table of points, and the points over time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.takenoko.moves import End
from companion.games.takenoko.scoring import scores
from companion.record import Do, Game
from web.texts import _, ngettext


def result_view(game: Game, facts: Mapping[str, Any]) -> dict[str, Any]:
    """For a game that is over; `facts` is its public view."""
    names, table, won = facts["game"]["seats"], facts["scores"], facts["winners"]
    best = ngettext("%(num)s point", "%(num)s points", max(score["total"] for score in table))
    if len(won) == 1:
        text = _("%(who)s wins with %(points)s", who=names[won[0]], points=best)
    else:
        text = _("%(who)s share the win with %(points)s", who=", ".join(names[seat] for seat in won), points=best)
    kinds = ("plot", "gardener", "panda", "emperor", "total")
    return {
        "words": text,
        "columns": [_("Player"), _("Plots"), _("Gardener"), _("Panda"), _("Emperor"), _("Total")],
        "rows": [[names[score["seat"]], *(score[kind] for kind in kinds)] for score in table],
        "chart": chart_view(game),
    }


def chart_view(game: Game) -> dict[str, Any]:
    """Points of every player after each turn that counts."""
    ends = [line for line, event in game.standing() if isinstance(event, Do) and isinstance(event.move, End)]
    lines = [1, *ends]
    if lines[-1] != game.version:
        lines.append(game.version)
    totals = [[score.total for score in scores(game.line_state(line))] for line in lines]
    names = game.header.seats
    return {
        "label": _("turns"),
        "series": [{"name": name, "points": [row[seat] for row in totals]} for seat, name in enumerate(names)],
    }
