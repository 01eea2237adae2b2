"""Past games: the list, a night's numbers and replay, its record to keep, and its one-page PDF. Public facts only."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.errors import BadInputError
from companion.games.takenoko.views import public_view
from companion.record import Game, read_record
from companion.services.export import redacted_record, whole_record
from companion.services.seating import Seats
from companion.services.statistics import Statistics, statistics
from web.context import evening
from web.i18n import language
from web.present import words
from web.present.garden import garden_view
from web.present.log import log_rows, milestones
from web.present.nights import about, die_words, score_rows, source_words, when, winner_words
from web.present.result import chart_view
from web.present.table import vocabulary
from web.seats import my_seats, seating
from web.security import host_only, is_host

blueprint = Blueprint("nights", __name__, url_prefix="/nights")

_CACHE: dict[Path, tuple[tuple[int, int], Game]] = {}
_CACHED_GAMES = 4


@blueprint.get("")
def index() -> ResponseReturnValue:
    """All games, the newest first."""
    here = evening()
    nights = []
    for file in here.library.games():
        game = _read(file.path)
        if game is not None:
            nights.append(
                {
                    "name": file.name,
                    "when": when(game, file.name),
                    "who": about(game),
                    "result": winner_words(game),
                    "running": file.name == here.name,
                }
            )
    return render_template("nights/list.html", nights=nights)


@blueprint.get("/<name>")
def show(name: str) -> ResponseReturnValue:
    """One night: result, numbers, replay."""
    game = _need(name)
    numbers = _numbers(name, game)
    head, rows = score_rows(game, numbers)
    most = max(1, *numbers.die.faces.values())
    return render_template(
        "nights/night.html",
        name=name,
        when=when(game, name),
        who=about(game),
        result=winner_words(game),
        head=head,
        rows=rows,
        die=[
            {"words": words.weather_name(face), "count": count, "most": most}
            for face, count in numbers.die.faces.items()
        ],
        die_words=die_words(numbers.die),
        source_words=source_words(numbers),
        chart=chart_view(game),
        steps=_steps(game),
        words=vocabulary(),
        over=game.state.over,
        own=my_seats() if name == evening().name else (),
        pictures=evening().pictures.lines(name) if is_host() else [],
        pictures_allowed=_seats(name, game).pictures,
    )


@blueprint.get("/<name>/step/<int:line>.json")
def step(name: str, line: int) -> ResponseReturnValue:
    """The garden after a physical line of the record."""
    game = _need(name)
    if not 1 <= line <= game.version:
        abort(404)
    state = game.line_state(line)
    facts = {
        "plots": {str(at): str(plot) for at, plot in sorted(state.plots.items())},
        "channels": [str(edge) for edge in sorted(state.channels)],
        "gardener": str(state.gardener),
        "panda": str(state.panda),
    }
    return jsonify(garden_view(facts, {str(at) for at in state.garden.water.irrigated}))


@blueprint.post("/<name>/pictures")
@host_only
def allow_pictures(name: str) -> ResponseReturnValue:
    """The host allows pictures of the table to be kept (`allow`), or forbids it and forgets those of this night."""
    game = _need(name)
    allowed = "allow" in request.form
    seating().allow_pictures(name, len(game.header.seats), allowed)
    if not allowed:
        evening().pictures.forget(name)
    return redirect(url_for("nights.show", name=name), code=303)


@blueprint.get("/<name>/pictures/<int:line>.jpg")
@host_only
def picture(name: str, line: int) -> ResponseReturnValue:
    """A kept picture of the table, for the host."""
    _need(name)
    path = evening().pictures.path(name, line)
    if path is None:
        abort(404)
    return Response(path.read_bytes(), mimetype="image/jpeg")


@blueprint.get("/<name>/record.jsonl")
def record(name: str) -> ResponseReturnValue:
    """The record to keep: whole after the end; before it the public one, or with `seat` the own one."""
    game = _need(name)
    if game.state.over:
        text = whole_record(game)
    else:
        wanted = request.args.get("seat", "")
        seat = int(wanted) if wanted.isdecimal() and len(wanted) < 3 else None
        if seat is not None and (name != evening().name or seat not in my_seats()):
            abort(403)
        text = redacted_record(game, seat)
    response = Response(text, mimetype="application/x-ndjson")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.jsonl"'
    return response


@blueprint.get("/<name>/evening.pdf")
def sheet(name: str) -> ResponseReturnValue:
    """The evening on one page."""
    game = _need(name)
    from web.pdf.evening import evening_sheet  # heavy, and asked for once an evening

    response = Response(evening_sheet(name, game, _numbers(name, game), language()), mimetype="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    return response


def _numbers(name: str, game: Game) -> Statistics:
    return statistics(game, evening().library.questions_asked(name))


def _seats(name: str, game: Game) -> Seats:
    return seating().of(name, len(game.header.seats))


def _steps(game: Game) -> list[dict[str, object]]:
    """What happened, line by line, for the slider: what was undone is left out."""
    rows = log_rows(public_view(game), milestones(game), None)
    return [{"line": row["line"], "words": row["words"]} for row in rows if row["kind"] != "undone"]


def _need(name: str) -> Game:
    here = evening()
    session = here.session
    if session is not None and name == here.name:
        return session.snapshot().game
    try:
        path = here.library.path_of(name)
    except BadInputError:
        abort(404)
    game = _read(path) if path.exists() else None
    if game is None:
        abort(404)
    return game


def _read(path: Path) -> Game | None:
    """A game as far as its record is right; kept while the file does not change."""
    try:
        facts = path.stat()
        mark = (facts.st_mtime_ns, facts.st_size)
        kept = _CACHE.get(path)
        if kept is not None and kept[0] == mark:
            return kept[1]
        game = read_record(path).game
    except OSError:
        return None
    if game is not None:
        while len(_CACHE) >= _CACHED_GAMES:
            _CACHE.pop(next(iter(_CACHE)))
        _CACHE[path] = (mark, game)
    return game
