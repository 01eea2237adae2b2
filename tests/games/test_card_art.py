"""The drawn cards: made from the card's data, told apart without colour, and nothing but plain shapes."""

import itertools
import re
from xml.etree import ElementTree

import pytest

from companion.games.takenoko.card_art import (
    CARD_HEIGHT,
    CARD_WIDTH,
    back_svg,
    card_svg,
    emperor_shapes,
    face_shapes,
    hex_tile,
)
from companion.games.takenoko.drawing import Circle, Line, Polygon, Text, to_svg
from companion.games.takenoko.edition import load_edition
from companion.games.takenoko.pieces import COLOURS, DECKS, Colour

CARDS = tuple(load_edition("base").cards.values())
SVG = "{http://www.w3.org/2000/svg}"


def texts(shapes):
    return [shape.text for shape in shapes if isinstance(shape, Text)]


def extent(shape):
    match shape:
        case Polygon(points=points) | Line(points=points):
            return points
        case Circle((x, y), radius):
            return ((x - radius, y - radius), (x + radius, y + radius))
        case Text((x, y), text, size, _):
            half = len(text) * size * 0.3
            return ((x - half, y - size / 2), (x + half, y + size / 2))


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_a_face_shows_its_points_and_stays_on_the_card(card):
    shapes = face_shapes(card)
    assert str(card.points) in texts(shapes)
    for shape in shapes:
        assert all(0 <= x <= CARD_WIDTH and 0 <= y <= CARD_HEIGHT for x, y in extent(shape)), shape


def test_no_two_faces_look_the_same_in_black_and_white():
    """Colours taken away, hatching, letters, heights and badges still tell every card from every other."""
    grey = {re.sub(r"#[0-9a-f]{6}", "#", card_svg(card)) for card in CARDS}
    assert len(grey) == len(CARDS)


def test_a_plot_face_has_a_letter_for_every_cell_in_the_reader_s_alphabet():
    letters = {Colour.GREEN: "緑", Colour.YELLOW: "黄", Colour.PINK: "桃"}
    for card in CARDS:
        if card.deck == "plot":
            wanted = sorted(letters[colour] for _, colour in card.cells)
            assert sorted(set(texts(face_shapes(card, letters))) & set("緑黄桃")) == sorted(set(wanted))
            assert sum(text in "緑黄桃" for text in texts(face_shapes(card, letters))) == len(wanted)


def test_stalks_are_drawn_section_by_section():
    """The same stalk one section higher has as many more shapes as a section is made of."""
    from dataclasses import replace

    card = load_edition("base").cards["gardener-pink-plain"]
    counts = [len(face_shapes(replace(card, height=height))) for height in (1, 2, 3, 4)]
    steps = {after - before for before, after in itertools.pairwise(counts)}
    assert len(steps) == 1
    assert steps.pop() > 0


@pytest.mark.parametrize("colour", COLOURS)
def test_hatching_stays_inside_its_tile(colour):
    _outline, *inside = hex_tile((0.0, 0.0), 100.0, colour, "X")
    reach = 100.0
    for shape in inside:
        for x, y in extent(shape):
            assert abs(x) <= reach * 0.8661
            assert abs(y) <= reach - abs(x) / 3**0.5 + 1e-6


def test_svg_is_plain_escaped_and_says_its_title():
    text = card_svg(CARDS[0], title='Green <line> & "friends"')
    root = ElementTree.fromstring(text)
    assert root.find(f"{SVG}title").text == 'Green <line> & "friends"'
    assert root.get("role") == "img"
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "title", "polygon", "polyline", "circle", "text",
    }  # fmt: skip
    assert len(text) < 25_000


def test_backs_and_the_emperor_are_drawn_too():
    assert len({back_svg(deck) for deck in DECKS}) == 3
    assert 'aria-hidden="true"' in back_svg(DECKS[0])
    assert "2" in texts(emperor_shapes(2))
    ElementTree.fromstring(to_svg(emperor_shapes(2), CARD_WIDTH, CARD_HEIGHT))
