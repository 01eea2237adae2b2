"""The drawn cards: every kind for everybody to choose from, and the backs of the decks."""

from __future__ import annotations

from flask import Blueprint, Response, abort

from companion.errors import BadInputError
from companion.games.takenoko.card_art import back_svg, card_svg
from companion.games.takenoko.edition import Card, load_edition
from companion.games.takenoko.pieces import COLOURS, DECKS
from web.present import words

blueprint = Blueprint("cards", __name__, url_prefix="/cards")


def picture(card: Card) -> Response:
    """A card's face with the letters of the reader's language."""
    letters = {colour: words.colour_letter(colour) for colour in COLOURS}
    return Response(card_svg(card, letters), mimetype="image/svg+xml")


@blueprint.get("/<edition>/<card>.svg")
def face(edition: str, card: str) -> Response:
    """A card of an edition; `lang` in the query keeps languages apart in caches."""
    try:
        found = load_edition(edition).cards.get(card)
    except BadInputError:
        found = None
    if found is None:
        abort(404)
    response = picture(found)
    response.headers["Cache-Control"] = "private, max-age=86400"
    return response


@blueprint.get("/back/<deck>.svg")
def back(deck: str) -> Response:
    """The back of a deck."""
    for each in DECKS:
        if each.value == deck:
            response = Response(back_svg(each), mimetype="image/svg+xml")
            response.headers["Cache-Control"] = "private, max-age=86400"
            return response
    abort(404)
