"""Past games in words: when, who, the result, the numbers."""

from __future__ import annotations

from datetime import UTC, datetime

from babel.dates import format_date, format_time
from flask_babel import get_locale

from companion.games.takenoko.scoring import scores, winners
from companion.record import Game
from companion.services.statistics import DieTest, Statistics
from web.texts import _, ngettext

ODD = 0.05
"""Below this chance a die is called odd."""


def about(game: Game) -> str:
    """Who played."""
    return ", ".join(game.header.seats)


def when(game: Game, name: str) -> str:
    """When a game began, as the reader writes dates; its name where the record does not say."""
    times = [game.header.at, *(event.at for event in game.events[:1])]
    for text in times:
        if text is not None:
            read = datetime.fromisoformat(text)
            # The people sit beside the machine: its time zone is theirs.
            here = (read if read.tzinfo else read.replace(tzinfo=UTC)).astimezone()
            day = format_date(here, "long", locale=get_locale())
            return f"{day}, {format_time(here, 'short', tzinfo=here.tzinfo, locale=get_locale())}"
    return name


def winner_words(game: Game) -> str:
    """Who won; empty before the end."""
    found = winners(game.state)
    if not found:
        return ""
    names = game.header.seats
    points = scores(game.state)[found[0]].total
    said = ngettext("%(num)s point", "%(num)s points", points)
    if len(found) == 1:
        return _("%(who)s wins with %(points)s", who=names[found[0]], points=said)
    return _("%(who)s share the win with %(points)s", who=", ".join(names[seat] for seat in found), points=said)


def score_rows(game: Game, numbers: Statistics) -> tuple[list[str], list[list[str]]]:
    """The table of points and times: its head and a row a player."""
    head = [_("Player"), _("Plots"), _("Gardener"), _("Panda"), _("Emperor"), _("Total"), _("Time of a turn")]
    rows = [
        [
            game.header.seats[score.seat],
            *map(str, (score.plot, score.gardener, score.panda, score.emperor, score.total)),
            duration(numbers.times[score.seat].mean_s),
        ]
        for score in numbers.scores
    ]
    return head, rows


def duration(seconds: float) -> str:
    """Minutes and seconds, a dash where nothing was measured."""
    return f"{int(seconds // 60)}:{int(seconds % 60):02d}" if seconds else "–"


def die_words(die: DieTest) -> str:
    """What the test of the die says."""
    if not die.enough:
        return ngettext(
            "%(num)s roll: too few to judge the die.", "%(num)s rolls: too few to judge the die.", die.rolls
        )
    values = {"chi": f"{die.statistic:.1f}", "p": f"{die.p_value:.2f}"}
    if die.p_value < ODD:
        return _("A fair die would rarely roll like this (chi-square %(chi)s, p = %(p)s).", **values)
    return _("Nothing speaks against a fair die (chi-square %(chi)s, p = %(p)s).", **values)


def source_words(numbers: Statistics) -> str:
    """How the game was entered, and what was set right."""
    parts = [
        ngettext("%(num)s turn", "%(num)s turns", numbers.turns),
        _("%(num)s seen by the camera", num=numbers.sources.get("camera", 0)),
        _("%(num)s entered by people", num=sum(n for source, n in numbers.sources.items() if source != "camera")),
        _("%(num)s taken back", num=numbers.undone),
        _("%(num)s corrected", num=numbers.corrected),
    ]
    if numbers.questions is not None:
        parts.append(ngettext("%(num)s question asked", "%(num)s questions asked", numbers.questions))
    return " · ".join(parts)
