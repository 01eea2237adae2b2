"""The game's things in the reader's language: colours, cards, places.

Each takes the text of the public notation (or the value that prints as it) and returns a phrase; what is not known is
given back as it came, so that an edition with more cards still shows something.
"""

from __future__ import annotations

from companion.errors import MalformedError
from companion.games.takenoko.hexgrid import DIRECTIONS, POND, Hex, parse_edge, parse_hex
from web.texts import _, ngettext, pgettext


def colour_name(colour: str) -> str:
    """A colour as it stands beside a section of bamboo."""
    names = {
        "green": pgettext("section", "green"),
        "yellow": pgettext("section", "yellow"),
        "pink": pgettext("section", "pink"),
    }
    return names.get(str(colour), str(colour))


def plot_colour(colour: str) -> str:
    """A colour as it stands before a plot that is laid or taken (in languages with cases: the accusative)."""
    names = {
        "green": pgettext("plot", "green"),
        "yellow": pgettext("plot", "yellow"),
        "pink": pgettext("plot", "pink"),
    }
    return names.get(str(colour), str(colour))


def plot_name(kind: str) -> str:
    """A plot as it is laid, by its notation: `green`, `pink/enclosure`."""
    colour, _slash, improvement = kind.partition("/")
    name = plot_colour(colour)
    return f"{name} ({improvement_name(improvement)})" if improvement else name


def colour_letter(colour: str) -> str:
    """The letter that tells a colour to those who do not see it."""
    letters = {
        "green": pgettext("letter for green", "G"),
        "yellow": pgettext("letter for yellow", "Y"),
        "pink": pgettext("letter for pink", "P"),
    }
    return letters.get(str(colour), "?")


def improvement_name(improvement: str) -> str:
    """An improvement's name."""
    names = {"watershed": _("watershed"), "enclosure": _("enclosure"), "fertilizer": _("fertilizer")}
    return names.get(str(improvement), str(improvement))


def weather_name(weather: str) -> str:
    """The name of a face of the weather die."""
    names = {
        "sun": _("Sun"),
        "rain": _("Rain"),
        "wind": _("Wind"),
        "storm": _("Storm"),
        "clouds": _("Clouds"),
        "choice": _("Question mark"),
    }
    return names.get(str(weather), str(weather))


def action_name(action: str) -> str:
    """The name of one of the five actions."""
    names = {
        "plot": _("Plot"),
        "channel": _("Channel"),
        "gardener": _("Gardener"),
        "panda": _("Panda"),
        "objective": _("Objective"),
    }
    return names.get(str(action), str(action))


def deck_name(deck: str) -> str:
    """The name of a kind of objective cards."""
    names = {"plot": _("plot objective"), "gardener": _("gardener objective"), "panda": _("panda objective")}
    return names.get(str(deck), str(deck))


def figure_name(figure: str) -> str:
    """The name of a figure."""
    names = {"gardener": _("the gardener"), "panda": _("the panda")}
    return names.get(str(figure), str(figure))


def card_name(card: str) -> str:
    """What an objective card asks for, short."""
    name = card_names().get(str(card))
    return str(card) if name is None else name


def card_names() -> dict[str, str]:
    """What every objective card asks for, by its id."""
    return {
        "emperor": _("The Emperor"),
        "plot-green-line": _("Green line"),
        "plot-green-curve": _("Green curve"),
        "plot-green-triangle": _("Green triangle"),
        "plot-green-diamond": _("Green diamond"),
        "plot-yellow-line": _("Yellow line"),
        "plot-yellow-curve": _("Yellow curve"),
        "plot-yellow-triangle": _("Yellow triangle"),
        "plot-yellow-diamond": _("Yellow diamond"),
        "plot-pink-line": _("Pink line"),
        "plot-pink-curve": _("Pink curve"),
        "plot-pink-triangle": _("Pink triangle"),
        "plot-pink-diamond": _("Pink diamond"),
        "plot-green-yellow-diamond": _("Green and yellow diamond"),
        "plot-green-pink-diamond": _("Green and pink diamond"),
        "plot-pink-yellow-diamond": _("Pink and yellow diamond"),
        "gardener-green-fertilizer": _("Green, 4 high, with fertilizer"),
        "gardener-green-enclosure": _("Green, 4 high, with enclosure"),
        "gardener-green-watershed": _("Green, 4 high, with watershed"),
        "gardener-green-plain": _("Green, 4 high, without improvement"),
        "gardener-green-group": _("4 green stalks, 3 high"),
        "gardener-yellow-fertilizer": _("Yellow, 4 high, with fertilizer"),
        "gardener-yellow-enclosure": _("Yellow, 4 high, with enclosure"),
        "gardener-yellow-watershed": _("Yellow, 4 high, with watershed"),
        "gardener-yellow-plain": _("Yellow, 4 high, without improvement"),
        "gardener-yellow-group": _("3 yellow stalks, 3 high"),
        "gardener-pink-fertilizer": _("Pink, 4 high, with fertilizer"),
        "gardener-pink-enclosure": _("Pink, 4 high, with enclosure"),
        "gardener-pink-watershed": _("Pink, 4 high, with watershed"),
        "gardener-pink-plain": _("Pink, 4 high, without improvement"),
        "gardener-pink-group": _("2 pink stalks, 3 high"),
        "panda-green": _("2 green sections"),
        "panda-yellow": _("2 yellow sections"),
        "panda-pink": _("2 pink sections"),
        "panda-mixed": _("1 green, 1 yellow and 1 pink section"),
    }


def place(at: str | Hex) -> str:
    """Where a plot or an edge lies, told from the pond: `2 steps east and 1 step north-east of the pond`."""
    text = str(at)
    try:
        if "|" in text:
            edge = parse_edge(text)
            return _("between %(one)s and %(other)s", one=_cell(edge.a), other=_cell(edge.b))
        return _cell(parse_hex(text))
    except MalformedError:
        return text


def _cell(cell: Hex) -> str:
    steps = _steps(cell)
    if not steps:
        return _("the pond")
    if len(steps) == 1:
        return _("the place %(way)s of the pond", way=steps[0])
    return _("the place %(way)s and %(then)s of the pond", way=steps[0], then=steps[1])


def _steps(cell: Hex) -> list[str]:
    """The way from the pond in at most two of the six directions, which are neighbours of each other."""
    if cell == POND:
        return []
    for i, first in enumerate(DIRECTIONS):
        second = DIRECTIONS[(i + 1) % 6]
        # cell = a * first + b * second; the two directions span the grid, so a and b are whole numbers.
        whole = first.q * second.r - first.r * second.q
        a = (cell.q * second.r - cell.r * second.q) // whole
        b = (first.q * cell.r - first.r * cell.q) // whole
        if a > 0 and b >= 0:
            return [_step(i, a)] + ([_step((i + 1) % 6, b)] if b else [])
    raise AssertionError(f"no way to {cell}")


def _step(direction: int, count: int) -> str:
    return (
        ngettext("%(num)s step east", "%(num)s steps east", count),
        ngettext("%(num)s step north-east", "%(num)s steps north-east", count),
        ngettext("%(num)s step north-west", "%(num)s steps north-west", count),
        ngettext("%(num)s step west", "%(num)s steps west", count),
        ngettext("%(num)s step south-west", "%(num)s steps south-west", count),
        ngettext("%(num)s step south-east", "%(num)s steps south-east", count),
    )[direction]
