"""Writing is strict, reading is lenient in stated ways, and nothing that is refused enters."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import all_moves, game_plans, random_game

from companion.errors import IllegalMoveError, RecordError
from companion.games.takenoko.moves import Draw, End, Know, LayPlot, Roll, Stop
from companion.games.takenoko.notation import parse_move
from companion.games.takenoko.pieces import Colour, Deck, Weather
from companion.record import (
    Correct,
    Do,
    Game,
    Header,
    UndoTo,
    parse_event,
    parse_header,
    read_record,
    read_text,
    write_header,
    write_line,
)

HEADER = '{"record":1,"game":"takenoko","ruleset":"classic","seats":["Aki","Oksana"]}'
PLOT = '{"seat":0,"do":"plot green 1,0"}'


def record(*lines, end="\n"):
    return ("\n".join((HEADER, *lines)) + end).encode()


def fault(*lines):
    result = read_text(record(*lines))
    assert result.fault is not None
    return result.fault


def text_of(game):
    return (write_header(game.header) + "".join(map(write_line, game.events))).encode()


# Round trips

words = st.none() | st.text(st.characters(codec="utf-8"), max_size=30)
times = st.none() | st.datetimes().map(lambda t: t.isoformat() + "Z")
sources = st.none() | st.sampled_from(["camera", "button", "browser", "phone", "host", "simulated", "import"])
posteriors = st.none() | st.floats(0, 1)


@given(st.integers(0, 9), all_moves, times, sources, posteriors, words)
def test_a_move_is_read_back_as_it_was_written(seat, move, at, by, p, id_):
    event = Do(seat, move, at, by, p, id_)
    assert parse_event(write_line(event).encode()) == event


@given(st.integers(1, 99), times, sources, words)
def test_an_undo_is_read_back(line, at, by, id_):
    event = UndoTo(line, at, by, id_)
    assert parse_event(write_line(event).encode()) == event


@given(st.dictionaries(st.text("abc", max_size=3), st.integers() | st.none() | st.lists(st.booleans())), words)
def test_a_correction_is_read_back(changes, reason):
    event = Correct.of(changes, reason)
    assert event.changes == changes
    assert parse_event(write_line(event).encode()) == event


@settings(max_examples=25, deadline=None)
@given(game_plans)
def test_a_game_is_read_back(plan):
    game = random_game(*plan)
    result = read_text(text_of(game))
    assert (result.fault, result.torn) == (None, False)
    assert result.game == game


HEADERS = (
    Header(("Aki", "Oksana")),
    Header(("Jürgen", "みどり"), "bga", {"storm_stay": True}, 1, at="2026-11-30T20:15:00Z", id="night 1"),
    Header(("A", "B"), hands=(("plot-green-line", "gardener-pink-plain", "panda-green"), None)),
    Header(("A", "B"), position={"plots": {"1,0": "green 2"}}, edition="base-two-fertilizers"),
)


@pytest.mark.parametrize("header", HEADERS, ids=range(len(HEADERS)))
def test_a_header_is_read_back(header):
    assert parse_header(write_header(header).encode()) == header
    assert Game.start(header).version == 1


# Folding


def test_every_line_has_its_position():
    game = Game.start(Header(("Aki", "Oksana")))
    game = game.append(Do(0, parse_move("plot green 1,0"))).append(Do(0, End()))
    assert game.version == 3
    assert [len(game.line_state(line).plots) for line in (1, 2, 3)] == [0, 1, 1]
    assert game.state.turn.seat == 1


def test_a_refused_event_never_enters():
    game = Game.start(Header(("Aki", "Oksana")))
    for event in (Do(0, Roll(Weather.SUN)), Do(1, End())):
        with pytest.raises(IllegalMoveError):
            game.append(event)
    for event in (Do(2, End()), Do(-1, End()), UndoTo(2), UndoTo(0), Correct.of({"gardener": "9,9"})):
        with pytest.raises(RecordError):
            game.append(event)
    assert game.version == 1


def test_undo_counts_physical_lines_and_can_be_undone():
    result = read_text(record(PLOT, "", '{"seat":0,"do":"end"}', '{"undo_to":2}', '{"seat":0,"do":"panda 1,0"}',
                              '{"undo_to":4,"by":"host"}', '{"seat":1,"do":"end"}'))  # fmt: skip
    game = result.game
    assert result.fault is None
    assert game.version == 8
    assert (game.state.turn.seat, game.state.turn.number) == (0, 2)
    assert [line for line, _ in game.standing()] == [2, 4, 8]
    assert game.line_state(6).panda == (1, 0)
    assert len(game.events) == 6


def test_a_seat_may_name_a_card_in_anothers_turn_and_after_the_end():
    game = Game.start(Header(("Aki", "Oksana")))
    game = game.append(Do(1, Know("panda-green"))).append(Do(1, Stop())).append(Do(0, Know("panda-pink")))
    assert [seat.hand for seat in game.state.seats] == [("panda-pink",), ("panda-green",)]


# Lenient reading


def test_keys_may_stand_in_any_order_and_edges_either_way():
    result = read_text(record('{"do":"plot green 1,0","by":"camera","p":1,"seat":0}', '{"seat":0,"do":" end "}',
                              '{"do":"plot  pink   0,1","seat":1}', '{"seat":1,"do":"channel 0,1|1,0"}'))  # fmt: skip
    assert result.fault is None
    assert [str(edge) for edge in result.game.state.channels] == ["1,0|0,1"]


@pytest.mark.parametrize("data", [record(PLOT, end=""), record(PLOT, "", "  ", ""), b"\xef\xbb\xbf" + record(PLOT),
                                  record(PLOT).replace(b"\n", b"\r\n")])  # fmt: skip
def test_line_ends_blank_lines_and_marks_do_not_matter(data):
    result = read_text(data)
    assert (result.fault, result.torn) == (None, False)
    assert len(result.game.state.plots) == 1


@pytest.mark.parametrize("cut", range(1, len('{"seat":1,"do":"plot pink 0,1"}')))
def test_a_torn_last_line_is_reported_and_the_rest_is_kept(cut):
    data = record(PLOT, '{"seat":0,"do":"end"}') + b'{"seat":1,"do":"plot pink 0,1"}'[:cut]
    result = read_text(data)
    assert (result.fault, result.torn) == (None, True)
    assert result.game.version == 3


def test_a_line_torn_in_the_middle_of_a_letter_is_torn():
    data = record(PLOT) + '{"seat":0,"do":"end","id":"みどり"}'.encode()[:-5]
    assert read_text(data).torn


def test_zeros_that_a_power_cut_left_behind_are_torn():
    result = read_text(record(PLOT) + b"\0\0\0")
    assert (result.fault, result.torn, result.game.version) == (None, True, 2)


def test_a_last_line_that_never_was_an_event_is_a_fault():
    result = read_text(record(PLOT) + b"good night")
    assert (result.fault.rule, result.torn) == ("format", False)


def test_a_whole_last_line_without_its_end_counts():
    result = read_text(record(PLOT) + b'{"seat":0,"do":"end"}')
    assert (result.torn, result.game.version) == (False, 3)


def test_a_torn_header_is_no_record():
    result = read_text(HEADER.encode()[:30])
    assert result.game is None
    assert (result.fault.line, result.fault.rule) == (1, "format")


def test_null_says_the_same_as_an_absent_key():
    line = '{"record":1,"game":"takenoko","seats":["A","B"],"hands":null,"position":null,"id":null,"at":null}'
    assert parse_header(line.encode()) == Header(("A", "B"))
    line = '{"seat":0,"do":"end","at":null,"by":null,"p":null,"id":null}'
    assert parse_event(line.encode()) == Do(0, End())


# What is refused

UNREADABLE = {
    "no JSON": "plot green 1,0",
    "binary": "\x00\x01\x02",
    "a list": "[1,2]",
    "a number": "17",
    "deep": "[" * 100_000,
    "deep objects": '{"do":' * 100_000,
    "deep enough": '{"correct":{"gardener":%s}}' % ("[" * 20 + "]" * 20),
    "a key twice": '{"seat":0,"seat":1,"do":"end"}',
    "not a number": '{"seat":0,"do":"end","p":NaN}',
    "infinity": '{"seat":0,"do":"end","p":Infinity}',
    "beyond infinity": '{"seat":0,"do":"end","p":1e999}',
    "p too large": '{"seat":0,"do":"end","p":1.5}',
    "p a truth": '{"seat":0,"do":"end","p":true}',
    "p a text": '{"seat":0,"do":"end","p":"0.5"}',
    "a seat that is a truth": '{"seat":true,"do":"end"}',
    "a seat that is a text": '{"seat":"0","do":"end"}',
    "a seat with a point": '{"seat":0.0,"do":"end"}',
    "no seat": '{"do":"end"}',
    "a huge seat": '{"seat":%s,"do":"end"}' % ("9" * 400),
    "a number without end": '{"seat":%s,"do":"end"}' % ("9" * 10_000),
    "seat 2 of 2": '{"seat":2,"do":"end"}',
    "seat -1": '{"seat":-1,"do":"end"}',
    "a move that is a number": '{"seat":0,"do":5}',
    "a move that is none": '{"seat":0,"do":"dance"}',
    "a long move": '{"seat":0,"do":"%s"}' % ("plot " * 1000),
    "an empty move": '{"seat":0,"do":""}',
    "a colour that is none": '{"seat":0,"do":"plot blue 1,0"}',
    "a hex that is none": '{"seat":0,"do":"gardener 1_0,0"}',
    "a wide hex": '{"seat":0,"do":"gardener \uff11,0"}',
    "too few words": '{"seat":0,"do":"plot green"}',
    "too many words": '{"seat":0,"do":"end now"}',
    "a chip without its plus": '{"seat":0,"do":"plot green 1,0 fertilizer"}',
    "a card that is none": '{"seat":0,"do":"claim plot-blue-line"}',
    "a card of another deck": '{"seat":0,"do":"draw plot panda-green"}',
    "an edge of strangers": '{"seat":0,"do":"channel 1,0|3,0"}',
    "half an edge": '{"seat":0,"do":"channel 1,0"}',
    "an unknown key": '{"seat":0,"do":"end","note":"hello"}',
    "an unknown key of an undo": '{"undo_to":1,"seat":0}',
    "an unknown key of a correction": '{"correct":{"gardener":"0,0"},"p":1}',
    "an unknown source": '{"seat":0,"do":"end","by":"satellite"}',
    "a time that is none": '{"seat":0,"do":"end","at":"yesterday"}',
    "a time that is a number": '{"seat":0,"do":"end","at":5}',
    "a long id": '{"seat":0,"do":"end","id":"%s"}' % ("x" * 501),
    "half a letter": '{"seat":0,"do":"end","id":"\\ud800"}',
    "an undo of nothing": '{"undo_to":null}',
    "an undo that is a truth": '{"undo_to":true}',
    "an undo to itself": '{"undo_to":3}',
    "an undo to line 0": '{"undo_to":0}',
    "a correction of a list": '{"correct":[]}',
    "no event": "{}",
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_line_that_cannot_be_read_is_refused_in_one_line(name):
    found = fault(PLOT, UNREADABLE[name])
    assert (found.line, found.rule) == (3, "format")
    assert found.message
    assert "\n" not in found.message
    assert len(found.message) < 400


def test_bytes_that_are_no_text_are_refused():
    result = read_text(record() + b'{"seat":0,"do":"\xff"}\n')
    assert (result.fault.line, result.fault.rule) == (2, "format")


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ('{"seat":0,"do":"plot green 1,0"}', "T-TURN-3"),
        ('{"seat":1,"do":"end"}', "T-SET-3"),
        ('{"correct":{"bamboo":{"1,0":9}}}', "position"),
        ('{"correct":{"plots":{"5,5":"green 0"}},"reason":"so"}', "position"),
        ('{"correct":{}}', "position"),
    ],
)
def test_the_first_refused_line_is_named_with_its_rule(line, rule):
    found = fault(PLOT, line, "neither this")
    assert (found.line, found.rule) == (3, rule)


UNREADABLE_HEADERS = {
    "empty": "",
    "no version": '{"game":"takenoko","seats":["A","B"]}',
    "another version": '{"record":2,"game":"takenoko","seats":["A","B"]}',
    "a version that is a truth": '{"record":true,"game":"takenoko","seats":["A","B"]}',
    "another game": '{"record":1,"game":"chess","seats":["A","B"]}',
    "no seats": '{"record":1,"game":"takenoko"}',
    "seats that are a number": '{"record":1,"game":"takenoko","seats":2}',
    "a name that is a number": '{"record":1,"game":"takenoko","seats":["A",2]}',
    "options that are a list": '{"record":1,"game":"takenoko","seats":["A","B"],"options":[]}',
    "an option that is a word": '{"record":1,"game":"takenoko","seats":["A","B"],"options":{"storm_stay":"on"}}',
    "hands of a number": '{"record":1,"game":"takenoko","seats":["A","B"],"hands":3}',
    "a hand of numbers": '{"record":1,"game":"takenoko","seats":["A","B"],"hands":[[1,2,3],null]}',
    "a position that is a list": '{"record":1,"game":"takenoko","seats":["A","B"],"position":[]}',
    "a first seat that is a text": '{"record":1,"game":"takenoko","seats":["A","B"],"first":"A"}',
    "an unknown key": '{"record":1,"game":"takenoko","seats":["A","B"],"stakes":5}',
    "an event": PLOT,
}


@pytest.mark.parametrize("name", UNREADABLE_HEADERS)
def test_a_header_that_cannot_be_read_is_refused(name):
    result = read_text((UNREADABLE_HEADERS[name] + "\n").encode())
    assert result.game is None
    assert (result.fault.line, result.fault.rule) == (1, "format")


IMPOSSIBLE_HEADERS = {
    "five seats": {"seats": ["A", "B", "C", "D", "E"]},
    "one seat": {"seats": ["A"]},
    "five seats with a position": {"seats": ["A", "B", "C", "D", "E"], "position": {}},
    "a name twice": {"seats": ["A", "A"]},
    "a name of nothing": {"seats": ["A", "  "]},
    "a name of two lines": {"seats": ["A", "B\nC"]},
    "a long name": {"seats": ["A", "B" * 81]},
    "a first seat that is not there": {"first": 2},
    "an unknown ruleset": {"ruleset": "blitz"},
    "an unknown option": {"options": {"dragons": True}},
    "an unknown edition": {"edition": "deluxe"},
    "hands and a position": {"hands": [None, None], "position": {}},
    "three hands": {"hands": [None, None, None]},
    "a hand of two": {"hands": [["plot-green-line", "panda-green"], None]},
    "a hand of an unknown card": {"hands": [["plot-green-line", "gardener-pink-plain", "panda-blue"], None]},
    "a card dealt twice": {"hands": [["plot-green-line", "gardener-pink-plain", "panda-green"]] * 2},
    "a position that cannot occur": {"position": {"plots": {"7,7": "green 1"}}},
}


@pytest.mark.parametrize("name", IMPOSSIBLE_HEADERS)
def test_an_impossible_header_is_refused(name):
    facts = {"record": 1, "game": "takenoko", "seats": ["A", "B"], **IMPOSSIBLE_HEADERS[name]}
    result = read_text((json.dumps(facts) + "\n").encode())
    assert result.game is None
    assert (result.fault.line, result.fault.rule) == (1, "position")


def test_a_position_of_far_too_many_pieces_is_refused_at_once_and_in_few_words():
    cells = {f"{q},{r}": "green 0" for q in range(100, 200) for r in range(100, 200)}
    channels = [f"{q + 1},{r}|{q},{r}" for q in range(100, 200) for r in range(100, 200)]
    facts = {"record": 1, "game": "takenoko", "seats": ["A", "B"], "position": {"plots": cells, "channels": channels}}
    found = read_text((json.dumps(facts) + "\n").encode()).fault
    assert found.rule == "position"
    assert "10000 plots lie" in found.message
    assert "10000 lie, but the box has 20" in found.message
    facts["position"] = {str(key): 0 for key in range(10_000)}
    found = read_text((json.dumps(facts) + "\n").encode()).fault
    assert found.message.endswith("... and more")
    assert len(found.message) < 2100


@pytest.mark.parametrize("name", ["Müller-Lüdenscheidt", "みどり", "👩‍🌾", "Ж", "a b", "x" * 80])
def test_names_of_all_sorts_are_names(name):
    game = Game.start(Header((name, "Aki")))
    assert read_text(write_header(game.header).encode()).game == game


def test_what_is_far_too_long_is_refused():
    for data in (record() + b" " * 16_000_001, record() + b"\n" * 50_001):
        result = read_text(data)
        assert (result.game, result.fault.rule) == (None, "format")


@pytest.mark.parametrize("data", [b"", b"\n", b"\0" * 100, b"\x89PNG\r\n\x1a\n\0\0\0", b"{" * 50_000])
def test_what_is_no_record_is_refused(data):
    result = read_text(data)
    assert result.game is None
    assert result.fault.line == 1


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300), st.integers(0, 3), st.integers(0, 400))
def test_any_damage_gives_a_fault_or_a_game_and_never_more(noise, keep, cut):
    """Bytes put into the middle of a good record."""
    data = text_of(random_game(3, 30))
    lines = data.split(b"\n")[:keep]
    result = read_text(b"\n".join(lines) + noise + data[cut:])
    assert result.game is not None or result.fault is not None
    if result.fault is not None:
        assert "\n" not in result.fault.message


# Strict writing


@pytest.mark.parametrize(
    "event",
    [
        Do(0, End(), by="satellite"),
        Do(0, End(), at="soon"),
        Do(0, End(), p=float("nan")),
        Do(0, End(), p=2.0),
        Do(0, End(), id="\ud800"),
        Do(True, End()),
        Do(0, Draw(Deck.PLOT, "panda-green")),
        Do(0, LayPlot(Colour.GREEN, None, (1, 0))),
        UndoTo(1, at=5),
        Correct("[]"),
        Correct('{"a":NaN}'),
    ],
    ids=range(11),
)
def test_what_would_not_be_read_back_is_not_written(event):
    with pytest.raises(RecordError):
        write_line(event)


@pytest.mark.parametrize("text", ['{"gardener":"0,0"}', '{"gardener": "0,0", "gardener": "0,0"}'])
def test_a_correction_that_is_not_in_its_one_form_is_not_written(text):
    """`Correct.of` gives that form; another would be read back as another value."""
    with pytest.raises(RecordError, match="read back as something else"):
        write_line(Correct(text))


def test_a_header_that_would_not_be_read_back_is_not_written():
    with pytest.raises(RecordError):
        write_header(Header(("Aki", 5)))
    with pytest.raises(RecordError):
        write_header(Header(("Aki", "Oksana"), position={"plots": {1, 2}}))


def test_reading_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "night.jsonl"
    path.write_bytes(record(PLOT) + b'{"torn')
    before = path.read_bytes()
    assert read_record(path).torn
    assert path.read_bytes() == before
    with pytest.raises(OSError, match="No such file"):
        read_record(tmp_path / "nothing.jsonl")


@settings(max_examples=25, deadline=None)
@given(game_plans)
def test_a_record_may_start_from_any_position(plan):
    """The second half of a game, begun from where the first ended, ends in the same position."""
    game = random_game(*plan)
    half = game.version // 2
    facts = game.header.title.position_to_json(game.line_state(half))
    header = Header(game.header.seats, game.header.ruleset, game.header.options, game.header.first, position=facts)
    text = write_header(header) + "".join(map(write_line, game.lines[half - 1 :]))
    result = read_text(text.encode())
    assert result.fault is None
    assert result.game.state == game.state
