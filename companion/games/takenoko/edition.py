"""What a box holds: every count, card and limit, read from one table an edition; the code itself knows no number."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from companion.errors import BadInputError
from companion.games.takenoko.hexgrid import Hex, parse_hex
from companion.games.takenoko.pieces import COLOURS, DECKS, IMPROVEMENTS, Colour, Deck, Improvement, Kind
from companion.games.takenoko.plot import PLOTS, Plot


@dataclass(frozen=True, slots=True)
class PlotCard:
    """A pattern of irrigated plots, as printed: any rotation counts."""

    id: str
    points: int
    cells: tuple[tuple[Hex, Colour], ...]
    copies: int = 1
    deck: Deck = Deck.PLOT


@dataclass(frozen=True, slots=True)
class GardenerCard:
    """At least `stalks` stalks of one colour, each exactly `height` sections high."""

    id: str
    points: int
    colour: Colour
    height: int
    stalks: int
    improvement: Improvement | None
    """What the plot has to carry, printed or as a chip; None with `any_improvement` off: nothing at all."""
    any_improvement: bool
    copies: int = 1
    deck: Deck = Deck.GARDENER
    serving: frozenset[Plot] = field(init=False, compare=False, repr=False)
    """Every plot whose stalk counts for this card."""

    def __post_init__(self) -> None:
        serving = (plot for plot in PLOTS.values() if plot.bamboo == self.height and self.would_serve(plot))
        object.__setattr__(self, "serving", frozenset(serving))

    def would_serve(self, plot: Plot) -> bool:
        """Whether a stalk on this plot counts once it is as high as the card says."""
        return plot.colour is self.colour and (self.any_improvement or plot.improvement is self.improvement)


@dataclass(frozen=True, slots=True)
class PandaCard:
    """Paid from the claimer's own eaten bamboo."""

    id: str
    points: int
    pay: tuple[int, int, int]
    """Sections by colour, in the order of `COLOURS`."""
    copies: int
    deck: Deck = Deck.PANDA


Card = PlotCard | GardenerCard | PandaCard


@dataclass(frozen=True, slots=True)
class Edition:
    """One box."""

    name: str
    players: range
    plots: Mapping[Kind, int]
    chips: tuple[int, int, int]
    """In the order of `IMPROVEMENTS`."""
    channels: int
    bamboo: tuple[int, int, int]
    """Sections in the box, in the order of `COLOURS`; when they run out another marker stands in (T-GROW-5)."""
    plots_drawn: int
    """Plots from which one is chosen (T-PLOT-1)."""
    hand_limit: int
    emperor_points: int
    thresholds: Mapping[int, int]
    """Objectives that bring the Emperor, by number of players (T-END-1)."""
    cards: Mapping[str, Card]
    deck_sizes: tuple[int, int, int]
    """In the order of `DECKS`."""

    def __hash__(self) -> int:
        return hash(self.name)


def edition_names() -> tuple[str, ...]:
    """The editions that are shipped, by name."""
    folder = resources.files(__package__) / "editions"
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


def edition_table(name: str) -> Mapping[str, Any]:
    """The rows of an edition as written, each with its source; `extends` is resolved.

    Raises:
        BadInputError: if no such edition is shipped.
    """
    if name not in edition_names():
        raise BadInputError(f"no edition {name[:40]!r}: choose one of {', '.join(edition_names())}")
    text = (resources.files(__package__) / "editions" / f"{name}.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    if "extends" not in table:
        return table
    base = dict(edition_table(table.pop("extends")))
    rows = {(row["colour"], row["improvement"]): row for row in (*base["plots"], *table.pop("plots"))}
    return {**base, **table, "plots": list(rows.values())}


@cache
def load_edition(name: str) -> Edition:
    """The edition of this name.

    Raises:
        BadInputError: if no such edition is shipped.
    """
    table = edition_table(name)
    cards: dict[str, Card] = {}
    for row in table["objectives"]["plot"]:
        cells = [(parse_hex(text), Colour(row["a"])) for text in row["cells_a"].split()]
        cells += [(parse_hex(text), Colour(row["b"])) for text in row.get("cells_b", "").split()]
        cards[row["id"]] = PlotCard(row["id"], row["points"], tuple(cells))
    for row in table["objectives"]["gardener"]:
        cards[row["id"]] = GardenerCard(
            row["id"],
            row["points"],
            Colour(row["colour"]),
            row["height"],
            row["stalks"],
            _improvement(row.get("improvement", "none")),
            "improvement" not in row,
        )
    for row in table["objectives"]["panda"]:
        green, yellow, pink = (int(row["pay"].get(colour, 0)) for colour in COLOURS)
        cards[row["id"]] = PandaCard(row["id"], row["points"], (green, yellow, pink), row["copies"])
    plot, gardener, panda = (sum(card.copies for card in cards.values() if card.deck is deck) for deck in DECKS)
    watershed, enclosure, fertilizer = (int(table["chips"][improvement]) for improvement in IMPROVEMENTS)
    green, yellow, pink = (int(table["bamboo"][colour]) for colour in COLOURS)
    plots = {(Colour(row["colour"]), _improvement(row["improvement"])): int(row["count"]) for row in table["plots"]}
    return Edition(
        name=table["name"],
        players=range(table["players"]["least"], table["players"]["most"] + 1),
        plots=MappingProxyType(plots),
        chips=(watershed, enclosure, fertilizer),
        channels=table["channels"]["count"],
        bamboo=(green, yellow, pink),
        plots_drawn=table["plots_drawn"]["count"],
        hand_limit=table["hand_limit"]["cards"],
        emperor_points=table["emperor"]["points"],
        thresholds=MappingProxyType({int(key): table["threshold"][key] for key in table["threshold"] if key.isdigit()}),
        cards=MappingProxyType(cards),
        deck_sizes=(plot, gardener, panda),
    )


def _improvement(text: str) -> Improvement | None:
    return None if text == "none" else Improvement(text)
