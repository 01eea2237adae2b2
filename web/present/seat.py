"""A seat's view: the public view, its own cards with what they need, and what it can tell; for its device alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.games.takenoko.edition import Card
from companion.games.takenoko.hints import hint
from companion.games.takenoko.moves import Draw
from companion.games.takenoko.pieces import DECKS
from companion.games.takenoko.views import seat_view
from companion.record import Do
from companion.services.seating import SeatKeeping
from companion.services.session import Snapshot
from web.present import words
from web.present.log import log_rows, milestones, move_sentence
from web.present.messages import say_id
from web.texts import _, ngettext

LOG_ROWS = 6
MOST_NEEDS = 3
"""Lines of a hint: the nearest steps are enough, a pattern that lies nowhere yet would fill the page."""
CANNOT_SEE = ("draw", "channel", "chip", "weather", "skip", "discard")
"""What a camera cannot see (a stored channel, a stored chip) or nobody lays on the table."""


def own_view(
    snapshot: Snapshot, seat: int, kept: SeatKeeping, *, dealt: bool, salt: bytes, checks: int
) -> dict[str, Any]:
    """Everything that the seat page draws.

    Args:
        snapshot: the running game.
        seat: whose view.
        kept: what the seat wants.
        dealt: the companion deals the cards.
        salt: secret; keeps names of pictures from telling which card they show.
        checks: how often Check was pressed.
    """
    state = snapshot.game.state
    facts = seat_view(snapshot.game, seat)
    position = facts["position"]
    player = position["seats"][seat]
    turn = position["turn"]
    names = facts["game"]["seats"]
    cards = state.rules.edition.cards
    mine = snapshot.seat == seat
    return {
        "seat": seat,
        "name": names[seat],
        "version": snapshot.version,
        "checks": checks,
        "mine": mine,
        "turn": _turn_words(snapshot, names, mine),
        "weather": None if turn is None or turn["weather"] is None else words.weather_name(turn["weather"]),
        "over": position["over"],
        "hand": [
            {
                "card": card["card"],
                "words": words.card_name(card["card"]),
                "deck": words.deck_name(card["deck"]),
                "points": ngettext("%(num)s point", "%(num)s points", card["points"]),
                "met": card["met"],
                "needs": _needs(snapshot, seat, cards[card["card"]]),
                "picture": picture_key(salt, seat, index, card["card"]),
            }
            for index, card in enumerate(facts["own"]["hand"])
        ],
        "hidden": [
            {"deck": deck, "words": words.deck_name(deck), "count": count}
            for deck, count in player["hidden"].items()
            if count
        ],
        "bamboo": _counted(player["bamboo"], words.colour_name),
        "channels": player["channels"],
        "chips": _counted(player["chips"], words.improvement_name),
        "claimed": [words.card_name(card) for card in player["claimed"]],
        "score": ngettext("%(num)s point", "%(num)s points", facts["scores"][seat]["total"]),
        "emperor": player["emperor"],
        "tell": _tellable(facts["legal"], mine, snapshot, seat),
        "claims": _claims(facts, seat, mine),
        "undo": _undo_words(snapshot, seat, names),
        "pending": [
            {"words": move_sentence(told.move, names[told.seat]), "secret": _drawn_words(told.move, told.seat == seat)}
            for told in snapshot.pending.told
        ],
        "log": log_rows(facts, milestones(snapshot.game), LOG_ROWS),
        "others": [
            {"name": names[other], "now": snapshot.seat == other,
             "score": ngettext("%(num)s point", "%(num)s points", facts["scores"][other]["total"])}
            for other in range(len(names))
            if other != seat
        ],
        "auto_claim": kept.auto_claim,
        "shown": kept.shown,
        "code": kept.code,
        "dealt": dealt,
    }  # fmt: skip


def gone_view() -> dict[str, Any]:
    """What a device gets that does not hold the seat any more."""
    return {"gone": True}


def picture_key(salt: bytes, seat: int, index: int, card: str) -> str:
    """Changes when the card in this place of the hand changes, and tells nothing of it."""
    return hashlib.blake2s(f"{seat} {index} {card}".encode(), key=salt[:32], digest_size=8).hexdigest()


def card_choices(snapshot: Snapshot) -> list[dict[str, Any]]:
    """All kinds of cards of the box by deck, for naming a paper card: the same for everybody."""
    cards = snapshot.game.state.rules.edition.cards.values()
    return [
        {
            "deck": deck.value,
            "words": words.deck_name(deck),
            "cards": [{"id": card.id, "words": words.card_name(card.id)} for card in cards if card.deck is deck],
        }
        for deck in DECKS
    ]


def _counted(store: Mapping[str, int], name: Callable[[str], str]) -> list[dict[str, Any]]:
    return [{"id": each, "words": name(each), "count": count} for each, count in store.items()]


def _needs(snapshot: Snapshot, seat: int, card: Card) -> list[str]:
    told = hint(snapshot.game.state, seat, card)
    return [say_id("hint.met", {})] if told.met else [say_id(need.id, need.params) for need in told.needs[:MOST_NEEDS]]


def _turn_words(snapshot: Snapshot, names: Sequence[str], mine: bool) -> str:
    if snapshot.seat is None:
        return say_id("log.over", {})
    return _("It is your turn.") if mine else say_id("log.turn", {"who": names[snapshot.seat]})


def _tellable(legal: Sequence[str], mine: bool, snapshot: Snapshot, seat: int) -> list[dict[str, str]]:
    """One-tap entries for the own turn."""
    if not mine:
        return []
    found = []
    if any(move.startswith("roll ") for move in legal):
        found.append({"do": "roll", "words": _("Roll the die")})
    for move in legal:
        verb, *rest = move.split(" ")
        if verb not in CANNOT_SEE or "," in move:
            continue
        found.append({"do": move, "words": _entry_words(verb, rest)})
    waiting = snapshot.pending.told and any(told.seat == seat for told in snapshot.pending.told)
    if "end" in legal or snapshot.watched or waiting:
        found.append({"do": "end", "words": _("End my turn")})
    return found


def _entry_words(verb: str, rest: Sequence[str]) -> str:
    match verb:
        case "draw":
            return _("Draw: %(deck)s", deck=words.deck_name(rest[0]))
        case "channel":
            return _("Take a channel and store it")
        case "chip":
            return _("Take a chip and store it: %(improvement)s", improvement=words.improvement_name(rest[0]))
        case "weather":
            return _("Choose: %(weather)s", weather=words.weather_name(rest[0]))
        case "discard":
            return _("Put back: %(card)s", card=words.card_name(rest[0]))
        case _:
            return _("Decline the weather")


def _claims(facts: Mapping[str, Any], seat: int, mine: bool) -> list[dict[str, str]]:
    """Cards that a seat may show from its paper hand: met now, and of a kind that it holds unnamed."""
    if not mine:
        return []
    hidden = facts["position"]["seats"][seat]["hidden"]
    return [
        {"card": card, "words": words.card_name(card)}
        for card in (*facts["met"], *facts["payable"][seat])
        if hidden.get(card.split("-")[0], 0)
    ]


def _undo_words(snapshot: Snapshot, seat: int, names: Sequence[str]) -> str | None:
    """What Undo would take back, if the newest thing is this seat's own."""
    told = snapshot.pending.told
    if told:
        newest = told[-1]
        return None if newest.seat != seat else move_sentence(newest.move, names[seat]) or _("the card you named")
    standing = snapshot.game.standing()
    if not standing:
        return None
    event = standing[-1][1]
    if not isinstance(event, Do) or event.seat != seat or event.by != "phone":
        return None
    return move_sentence(event.move, names[seat]) or _("the card you named")


def _drawn_words(move: object, own: bool) -> str:
    if own and isinstance(move, Draw) and move.card is not None:
        return words.card_name(move.card)
    return ""
