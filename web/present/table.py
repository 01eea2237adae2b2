"""The table page's view: what everyone may see of the running game, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.errors import CompanionError
from companion.games.takenoko.moves import Draw, Roll, TakeChannel
from companion.games.takenoko.notation import parse_move
from companion.games.takenoko.pieces import COLOURS, DECKS, IMPROVEMENTS, Action, Weather
from companion.games.takenoko.state import State, Turn
from companion.games.takenoko.views import public_view
from companion.reconcile.apart import told_apart
from companion.services.evening import Evening
from companion.services.pending import Step
from companion.services.ports import Message, Mismatch
from companion.services.session import Snapshot
from companion.signals import Lamp
from web.i18n import language
from web.present import words
from web.present.garden import differences, garden_view
from web.present.log import log_rows, milestones, move_sentence, sentence_words
from web.present.messages import say
from web.present.refusals import rule_words
from web.present.result import result_view
from web.texts import _, ngettext


def table_view(evening: Evening) -> dict[str, Any]:
    """Everything that the table page draws."""
    lamp = evening.lamp()
    view: dict[str, Any] = {
        "name": evening.name,
        "version": 0,
        "lamp": {"id": lamp.value, "words": lamp_words(lamp)},
        "trouble": _trouble(evening),
        "note": note_view(evening),
        "garden": None,
    }
    session = evening.session
    if session is None:
        return view
    snapshot = session.snapshot()
    facts = public_view(snapshot.game)
    names, position = facts["game"]["seats"], facts["position"]
    points = {card.id: card.points for card in snapshot.game.state.rules.edition.cards.values()}
    view |= {
        "version": snapshot.version,
        "die": "digital" if evening.has_digital_die else "real",
        "face_asked": evening.face_asked,
        "checks": evening.checks,
        "garden": garden_view(position, facts["irrigated"]),
        "turn": _turn(snapshot, evening.clock.monotonic()),
        "banners": _banners(position),
        "seats": _seats(position, facts["scores"], _shown_hands(evening, snapshot)),
        "met": [{"id": card, "words": words.card_name(card), "points": points[card]} for card in facts["met"]],
        "log": log_rows(facts, milestones(snapshot.game)),
        "pending": [
            {"id": told.id, "words": move_sentence(told.move, names[told.seat])} for told in snapshot.pending.told
        ],
        "question": None if snapshot.pending.question is None else _question(snapshot, facts),
        "mismatches": [
            {
                "at": mismatch.at,
                "words": _mismatch_words(mismatch, names),
                "remedy": say(mismatch.remedy) if mismatch.remedy is not None else "",
                "rule": mismatch.rule,
            }
            for mismatch in snapshot.sight.mismatches
        ],
        "notices": [say(notice) for notice in snapshot.sight.notices],
        "seen": _seen(snapshot, names),
        "result": result_view(snapshot.game, facts) if position["over"] else None,
    }
    return view


def _mismatch_words(mismatch: Mismatch, names: Sequence[str]) -> str:
    """What is wrong; something told that was refused is said without the card that its player may hide."""
    what = mismatch.what
    if what is None:
        return mismatch.kind
    if what.id != "told.refused":
        return say(what)
    told = sentence_words(str(what.params["move"]), names[int(what.params["seat"])])
    return say(Message(what.id, {"move": told, "why": rule_words(mismatch.rule or "")}))


def _trouble(evening: Evening) -> list[str]:
    """What is wrong with the machine; the particulars of pins and disks are English, other languages get the sort."""
    told = evening.trouble()
    if language() == "en":
        return list(told)
    session = evening.session
    disk = session.snapshot().trouble if session is not None else None
    disk_words = _(
        "The disk takes no writes. Make room on it; if that does not help, copy the record and change the card."
    )
    panel_words = _("Something is wrong with the button panel. Check its wires, and its pins in the config.")
    return list(dict.fromkeys(disk_words if each == disk else panel_words for each in told))


def lamp_words(lamp: Lamp) -> str:
    """What the lamp says."""
    return {
        Lamp.BY_HAND: _("Entered by hand"),
        Lamp.IN_STEP: _("In step"),
        Lamp.LOOKING: _("Looking"),
        Lamp.ASKING: _("A question"),
        Lamp.DISAGREEMENT: _("Table and rules disagree"),
        Lamp.TROUBLE: _("Trouble: read the page"),
    }[lamp]


def note_view(evening: Evening) -> dict[str, Any] | None:
    """What is said once on every page, with the rule that it speaks of."""
    note = evening.note
    if note is None:
        return None
    return {
        "number": note.number,
        "words": say(note.message),
        "bad": note.bad,
        "rule": note.message.params.get("rule"),
    }


def _turn(snapshot: Snapshot, now_s: float) -> dict[str, Any] | None:
    state = snapshot.game.state
    turn = state.turn
    if turn is None:
        return None
    told = [each.move for each in snapshot.pending.told]
    rolled = [move.face for move in told if isinstance(move, Roll)]
    weather = rolled[-1] if rolled else turn.weather
    noted = [Action.OBJECTIVE for move in told if isinstance(move, Draw)]
    noted += [Action.CHANNEL for move in told if isinstance(move, TakeChannel)]
    used = [*turn.actions, *noted]
    awaits_roll = turn.awaits_roll() and not rolled
    return {
        "seat": turn.seat,
        "name": state.seats[turn.seat].name,
        "number": turn.number,
        "words": _turn_words(turn, awaits_roll),
        "weather": None if weather is None else weather.value,
        "weather_words": words.weather_name(weather) if weather is not None else _("not rolled"),
        "weather_pending": turn.weather_pending,
        "awaits_roll": awaits_roll,
        "used": [{"id": action.value, "words": words.action_name(action)} for action in used],
        "left": 0 if awaits_roll else max(0, turn.action_limit() - len(used)),
        "elapsed_s": round(now_s - snapshot.turn_since_s, 1),
    }


def _turn_words(turn: Turn, awaits_roll: bool) -> str:
    text = _("Turn %(number)s", number=turn.number)
    if awaits_roll:
        return _("%(turn)s: roll the die first", turn=text)
    if turn.weather_pending:
        return _("%(turn)s: the weather comes first", turn=text)
    return text


def _banners(position: Mapping[str, Any]) -> list[str]:
    found = []
    holder = next((seat["name"] for seat in position["seats"] if seat["emperor"]), None)
    if holder is not None and not position["over"]:
        found.append(_("%(who)s has taken the Emperor: one last turn for everyone else.", who=holder))
    turn = position["turn"]
    if turn is not None and turn["weather_pending"]:
        effects = {
            "rain": _("Rain: choose an irrigated plot where bamboo grows, or decline."),
            "storm": _("Storm: put the panda on any plot, or decline."),
            "clouds": _("Clouds: take an improvement chip, or decline."),
            "choice": _("Choose the weather yourself, or decline."),
        }
        found.append(effects[turn["weather"]])
    return found


def _shown_hands(evening: Evening, snapshot: Snapshot) -> Mapping[int, Sequence[str]]:
    """Hands that their seats chose to show to everyone."""
    if evening.seat_helper is None or evening.name is None:
        return {}
    return evening.seat_helper.shown_hands(evening.name, snapshot)


def _seats(
    position: Mapping[str, Any], points: Sequence[Mapping[str, Any]], shown: Mapping[int, Sequence[str]]
) -> list[dict[str, Any]]:
    turn = position["turn"]
    return [
        {
            "name": seat["name"],
            "now": turn is not None and turn["seat"] == score["seat"],
            "points_words": ngettext("%(num)s point", "%(num)s points", score["total"]),
            "bamboo": seat["bamboo"],
            "channels": seat["channels"],
            "chips": seat["chips"],
            "cards": sum(seat["hidden"].values()) + len(seat["hand"]),
            "claimed_words": ngettext("%(num)s objective", "%(num)s objectives", len(seat["claimed"])),
            "claimed": [words.card_name(card) for card in seat["claimed"]],
            "shown": [words.card_name(card) for card in shown.get(score["seat"], ())],
            "emperor": seat["emperor"],
        }
        for seat, score in zip(position["seats"], points, strict=True)
    ]


def _question(snapshot: Snapshot, facts: Mapping[str, Any]) -> dict[str, Any] | None:
    question = snapshot.pending.question
    if question is None:
        return None
    names = facts["game"]["seats"]
    choices: list[dict[str, Any]] = []
    tables: list[State] = []
    for choice in question.choices:
        game, is_possible = snapshot.game, True
        try:
            for event in choice.events():
                game = game.append(event)
        except CompanionError:
            # The record has moved on under the question; the watcher will ask anew.
            is_possible = False
        after = public_view(game)
        sentences = [move_sentence(line.move, names[line.seat]) for line in choice.lines if isinstance(line, Step)]
        choices.append(
            {
                "words": [sentence for sentence in sentences if sentence],
                "garden": garden_view(after["position"], after["irrigated"]),
                "diffs": differences(facts["position"], after["position"]),
                "is_possible": is_possible,
            }
        )
        tables.append(game.state)
    for shown, apart in zip(choices, told_apart(tables, [shown["words"] for shown in choices]), strict=True):
        shown["words"] += [say(message) for message in apart]
    return {"id": question.id, "words": say(question.text), "choices": choices}


def _seen(snapshot: Snapshot, names: Sequence[str]) -> list[str]:
    """What the camera thinks it saw in this turn, in words."""
    turn = snapshot.game.state.turn
    if turn is None:
        return []
    return [move_sentence(parse_move(text), names[turn.seat]) for text in snapshot.sight.seen]


def vocabulary() -> dict[str, Any]:
    """The words that the scripts need for pieces and moves."""
    return {
        "pond": _("the pond"),
        "gardener": words.figure_name("gardener"),
        "panda": words.figure_name("panda"),
        "channel": _("channel"),
        "place": _("choose"),
        "edge": _("choose the edge"),
        "correct": _("Press to correct."),
        "letters": {colour.value: words.colour_letter(colour) for colour in COLOURS},
        "colours": {colour.value: words.colour_name(colour) for colour in COLOURS},
        "improvements": {improvement.value: words.improvement_name(improvement) for improvement in IMPROVEMENTS},
        "cards": words.card_names(),
        "decks": {deck.value: words.deck_name(deck) for deck in DECKS},
        "weather": {face.value: words.weather_name(face) for face in Weather},
        "verbs": {
            "rain": _("Rain"),
            "storm": _("Storm"),
            "chip": _("Take a chip"),
            "weather": _("Choose the weather"),
            "skip": _("Decline the weather"),
            "plot": _("Lay a plot"),
            "channel": _("Take a channel"),
            "gardener": _("Move the gardener"),
            "panda": _("Move the panda"),
            "draw": _("Draw an objective"),
            "irrigate": _("Lay a stored channel"),
            "improve": _("Place a stored chip"),
            "claim": _("Claim"),
            "discard": _("Put the drawn card back"),
            "stop": _("Stop the game"),
        },
    }
