"""The tables of the boxes: sums, sources, and the shapes on the cards."""

from __future__ import annotations

import pytest

from companion.errors import BadInputError
from companion.games.takenoko.edition import (
    GardenerCard,
    PandaCard,
    PlotCard,
    edition_names,
    edition_table,
    load_edition,
)
from companion.games.takenoko.garden import TALL
from companion.games.takenoko.hexgrid import Hex
from companion.games.takenoko.pieces import DECKS, IMPROVEMENTS, Colour, Deck, Improvement
from companion.games.takenoko.rules import OPTION_NAMES, RULESETS, Options, rules_for
from companion.games.takenoko.water import orientations

ROWS = ("plots", "players", "emperor", "hand_limit", "channels", "bamboo", "threshold", "chips", "plots_drawn")


def all_rows(table):
    for key in ROWS:
        rows = table[key] if isinstance(table[key], list) else [table[key]]
        yield from rows
    for rows in table["objectives"].values():
        yield from rows


@pytest.mark.parametrize("name", edition_names())
def test_every_row_names_its_source(name):
    assert all(row["source"].strip() for row in all_rows(edition_table(name)))


@pytest.mark.parametrize("name", edition_names())
def test_sums_are_those_of_the_box(name):
    box = load_edition(name)
    assert box.name == name
    by_colour = {colour: sum(n for kind, n in box.plots.items() if kind[0] is colour) for colour in Colour}
    assert by_colour == {"green": 11, "yellow": 9, "pink": 7}
    assert box.deck_sizes == (15, 15, 15)
    points = {deck: sum(c.points * c.copies for c in box.cards.values() if c.deck is deck) for deck in DECKS}
    assert points == {"plot": 51, "gardener": 81, "panda": 64}
    assert sum(box.chips) == 9
    assert (box.channels, box.hand_limit, box.emperor_points, box.bamboo) == (20, 5, 2, (36, 30, 24))
    assert dict(box.thresholds) == {2: 9, 3: 8, 4: 7}
    assert min(card.height for card in box.cards.values() if isinstance(card, GardenerCard)) == TALL


@pytest.mark.parametrize("name", edition_names())
def test_a_cards_name_begins_with_its_deck(name):
    cards = load_edition(name).cards
    assert all(card.id == key and key.startswith(f"{card.deck}-") for key, card in cards.items())


def test_the_second_box_has_one_more_green_fertilizer():
    one, two = load_edition("base").plots, load_edition("base-two-fertilizers").plots
    differing = {kind for kind in one if one[kind] != two[kind]}
    assert differing == {(Colour.GREEN, None), (Colour.GREEN, Improvement.FERTILIZER)}
    assert two[Colour.GREEN, Improvement.FERTILIZER] == 2


def test_printed_improvements_of_each_colour():
    box = load_edition("base").plots
    assert [box[Colour.GREEN, i] for i in (None, *IMPROVEMENTS)] == [6, 2, 2, 1]
    assert [box[Colour.YELLOW, i] for i in (None, *IMPROVEMENTS)] == [6, 1, 1, 1]
    assert [box[Colour.PINK, i] for i in (None, *IMPROVEMENTS)] == [4, 1, 1, 1]


@pytest.mark.parametrize("name", ["", "nothing", "../base", "base.toml"])
def test_an_edition_that_is_not_shipped_is_refused(name):
    with pytest.raises(BadInputError, match="choose one of base"):
        load_edition(name)


def test_the_rulesets_differ_in_named_options_only():
    assert set(RULESETS) == {"classic", "bga"}
    differing = {name for name in OPTION_NAMES if getattr(RULESETS["classic"], name) != getattr(RULESETS["bga"], name)}
    assert differing == {
        "channel_on_pond_edge", "gardener_presence", "discard_fulfilled_draw", "improve_while_laying",
    }  # fmt: skip


@pytest.mark.parametrize("option", OPTION_NAMES)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_each_option_can_be_switched_on_its_own(ruleset, option):
    for value in (True, False):
        options = rules_for(ruleset, {option: value}).options
        others = {name: getattr(options, name) for name in OPTION_NAMES if name != option}
        assert getattr(options, option) is value
        assert others == {name: getattr(RULESETS[ruleset], name) for name in others}


def test_unknown_words_are_refused():
    with pytest.raises(BadInputError, match="choose one of classic, bga"):
        rules_for("blitz")
    with pytest.raises(BadInputError, match="choose from plot_count_26"):
        rules_for("classic", {"dragons": True})


def test_26_plots_are_one_plain_green_less():
    rules = rules_for("classic", {"plot_count_26": True})
    assert rules.plot_count == 26
    assert rules.plots[Colour.GREEN, None] == 5
    assert Options().plot_count_26 is False


SHAPES = {"line": 3, "curve": 6, "triangle": 2, "diamond": 3}


@pytest.mark.parametrize("colour", Colour)
@pytest.mark.parametrize("shape", SHAPES)
def test_patterns_of_one_colour_are_their_own_mirror_images(colour, shape):
    card = load_edition("base").cards[f"plot-{colour}-{shape}"]
    assert len(orientations(card, False)) == SHAPES[shape]
    assert set(orientations(card, False)) == set(orientations(card, True))


DIAMONDS = [
    card for card in load_edition("base").cards.values() if len({c for _, c in getattr(card, "cells", ())}) == 2
]


@pytest.mark.parametrize("card", DIAMONDS, ids=lambda card: card.id)
def test_the_two_coloured_diamond_lies_in_six_ways_and_six_more_mirrored(card):
    assert len(DIAMONDS) == 3
    turned = set(orientations(card, False))
    both = set(orientations(card, True))
    assert len(turned) == 6
    assert len(both - turned) == 6


def test_every_sort_of_card_is_there():
    cards = load_edition("base").cards.values()
    sorts = {PlotCard: Deck.PLOT, GardenerCard: Deck.GARDENER, PandaCard: Deck.PANDA}
    assert all(card.deck is sorts[type(card)] for card in cards)
    assert all(isinstance(cell, Hex) for card in cards if isinstance(card, PlotCard) for cell, _ in card.cells)
