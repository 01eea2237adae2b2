"""Games: begin one, go on with one, import one."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, fields

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.errors import CompanionError
from companion.games.takenoko.edition import edition_names
from companion.games.takenoko.rules import OPTION_NAMES, RULESETS, Options, rules_for
from companion.record import Game, Header, read_text
from companion.services.dealing import deal_hands
from web.context import evening
from web.present.options import edition_word, option_word, ruleset_word
from web.present.refusals import SaidError, error_words, fault_words
from web.seats import seating
from web.security import host_only
from web.texts import _

blueprint = Blueprint("games", __name__, url_prefix="/games")

MOST_PLAYERS = 4
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class NewGame:
    """The form of a new game as it was sent."""

    names: tuple[str, ...]
    first: int = 0
    ruleset: str = "classic"
    edition: str = "base"
    options: frozenset[str] = frozenset()
    deal: bool = False
    """The companion deals the cards: a table without paper ones."""

    def header(self) -> Header:
        """The record's header; options are written only where they differ from the ruleset.

        Raises:
            CompanionError: saying what is wrong.
        """
        if self.ruleset not in RULESETS:
            raise SaidError(_("There are no such rules."))
        if any(len(name) > LONGEST_NAME or not name.isprintable() for name in self.names):
            raise SaidError(_("A name has at most %(most)s letters and signs.", most=LONGEST_NAME))
        kept = [(index, name) for index, name in enumerate(self.names) if name]
        places = [index for index, _name in kept]
        if self.first not in places:
            raise SaidError(_("Choose a player who plays as the one who begins."))
        if len({name for _index, name in kept}) < len(kept):
            raise SaidError(_("Two players have the same name."))
        defaults = RULESETS[self.ruleset]
        options = {
            name: name in self.options for name in OPTION_NAMES if (name in self.options) != getattr(defaults, name)
        }
        rules = rules_for(self.ruleset, options, self.edition)
        return Header(
            seats=tuple(name for _index, name in kept),
            hands=deal_hands(rules, len(kept), secrets.choice) if self.deal else None,
            ruleset=self.ruleset,
            options=options,
            first=places.index(self.first),
            edition=self.edition,
            at=evening().clock.utc().isoformat(timespec="seconds").replace("+00:00", "Z"),
        )


def _defaults(ruleset: str) -> frozenset[str]:
    options = RULESETS[ruleset]
    return frozenset(option.name for option in fields(Options) if getattr(options, option.name))


def _new_form(form: NewGame, problems: list[str], status: int = 200) -> ResponseReturnValue:
    page = render_template(
        "new.html",
        form=form,
        problems=problems,
        rulesets=[(name, ruleset_word(name), sorted(_defaults(name))) for name in RULESETS],
        editions=[(name, edition_word(name)) for name in edition_names()],
        options=[(name, option_word(name)) for name in OPTION_NAMES],
    )
    return page, status


@blueprint.get("/new")
@host_only
def new() -> ResponseReturnValue:
    """The form of a new game."""
    return _new_form(NewGame(("",) * MOST_PLAYERS, options=_defaults("classic")), [])


@blueprint.post("/new")
@host_only
def begin() -> ResponseReturnValue:
    """Begin a new game."""
    names = tuple(name.strip() for name in request.form.getlist("name")[:MOST_PLAYERS])
    first = request.form.get("first", "0")
    form = NewGame(
        names + ("",) * (MOST_PLAYERS - len(names)),
        int(first) if first in ("0", "1", "2", "3") else 0,
        request.form.get("ruleset", "classic"),
        request.form.get("edition", "base"),
        frozenset(request.form.getlist("option")),
        "deal" in request.form,
    )
    try:
        header = form.header()
        Game.start(header)
        name = evening().begin(header)
        if form.deal:
            seating().deal(name, len(header.seats), True)
    except CompanionError as error:
        return _new_form(form, [_problem(error)], 400)
    return redirect(url_for("table.show"), code=303)


def _problem(error: CompanionError) -> str:
    return error_words(error, _("This cannot be used as it is."))


def _index(problems: list[str], status: int = 200) -> ResponseReturnValue:
    here = evening()
    games = []
    for file in here.library.games():
        result = None
        try:
            result = read_text(file.path.read_bytes().split(b"\n", 1)[0])
        except OSError as error:
            about = str(error)
        else:
            about = ", ".join(result.game.header.seats) if result.game is not None else _("cannot be read")
        games.append({"name": file.name, "about": about, "running": file.name == here.name})
    return render_template("games.html", games=games, problems=problems), status


@blueprint.get("/")
@host_only
def index() -> ResponseReturnValue:
    """All games."""
    return _index([])


@blueprint.post("/resume")
@host_only
def resume() -> ResponseReturnValue:
    """Go on with an earlier game."""
    try:
        evening().resume(request.form.get("name", ""))
    except CompanionError as error:
        return _index([_problem(error)], 400)
    return redirect(url_for("table.show"), code=303)


@blueprint.post("/import")
@host_only
def import_record() -> ResponseReturnValue:
    """Import a record: every line is checked by the rules before anything is kept."""
    upload = request.files.get("record")
    try:
        if upload is None:
            raise SaidError(_("Choose a file."))
        result = read_text(upload.read())
        if result.game is None or result.fault is not None:
            where = "" if result.fault is None else fault_words(result.fault)
            raise SaidError(_("Not imported; line %(where)s", where=where))
        evening().begin(result.game.header, result.game.lines)
    except CompanionError as error:
        return _index([_problem(error)], 400)
    return redirect(url_for("table.show"), code=303)
