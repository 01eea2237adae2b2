"""What every title offers, asked of Takenoko; and the other two titles' tables fit the same words."""

from __future__ import annotations

import pytest

from companion.errors import BadInputError, IllegalMoveError, ImpossiblePositionError
from companion.games.layout import Board, Lattice, Layout, PieceSort, Place
from companion.games.title import Setup
from companion.games.titles import TITLES, title_named


@pytest.fixture
def title():
    return title_named("takenoko")


def test_a_game_is_played_through_the_face_alone(title):
    setup = Setup(("Aki", "Oksana"), "classic")
    state = title.start(setup)
    assert title.seat_to_move(state) == 0
    move = title.parse_move("plot green 1,0")
    assert move in title.legal_moves(state)
    assert title.why_illegal(state, move) is None
    after = title.apply(state, move)
    assert title.format_move(move) == "plot green 1,0"
    assert title.why_illegal(after, move).rule == "T-TURN-3"
    with pytest.raises(IllegalMoveError):
        title.apply(after, move, 0)
    assert title.corrected(after, {"bamboo": {"1,0": 2}}) != after
    assert list(title.met(after)) == []
    assert [list(cards) for cards in title.payable(after)] == [[], []]
    assert title.scores(after)[1] == {"seat": 1, "plot": 0, "gardener": 0, "panda": 0, "emperor": 0, "total": 0}
    assert list(title.winners(after)) == []
    over = title.apply(after, title.parse_move("stop"), 1)
    assert title.seat_to_move(over) is None
    assert list(title.winners(over)) == [0, 1]
    assert title.position_to_json(after)["plots"] == {"1,0": "green 1"}
    assert title.derived(after)["irrigated"] == ["1,0"]


def test_a_seat_sees_its_own_cards_and_the_table_none(title):
    hands = (("plot-green-line", "gardener-pink-plain", "panda-green"), None)
    state = title.start(Setup(("Aki", "Oksana"), "classic", hands=hands))
    assert title.position_for(state, 0)["seats"][0]["hand"] == list(hands[0])
    for seat in (1, None):
        assert title.position_for(state, seat)["seats"][0]["hand"] == []
        assert title.position_for(state, seat)["seats"][0]["hidden"] == {"plot": 1, "gardener": 1, "panda": 1}
    draw = title.parse_move("draw panda panda-mixed")
    assert title.move_for(draw, 0, 0) == "draw panda panda-mixed"
    assert title.move_for(draw, 0, 1) == "draw panda"
    assert title.move_for(title.parse_move("discard plot-green-line"), 0, None) == "discard plot"
    assert title.move_for(title.parse_move("know panda-green"), 0, None) is None
    assert title.changes_for({"gardener": "1,0"}, 1) == {"gardener": "1,0"}


def test_it_says_what_can_be_chosen(title):
    assert list(title.players) == [2, 3, 4]
    assert list(title.editions) == ["base", "base-two-fertilizers"]
    assert title.rulesets["bga"]["gardener_presence"] is True
    assert title.rulesets["classic"]["gardener_presence"] is False


def test_what_does_not_exist_is_refused(title):
    with pytest.raises(BadInputError, match="knows takenoko"):
        title_named("chess")
    with pytest.raises(BadInputError):
        title.start(Setup(("A", "B"), "blitz"))
    with pytest.raises(ImpossiblePositionError):
        title.start(Setup(("A",), "classic"))
    with pytest.raises(BadInputError):
        title.layout(Setup(("A", "B"), "classic", edition="deluxe"))
    assert set(TITLES) == {"takenoko"}


def test_the_layout_names_boards_and_pieces(title):
    layout = title.layout(Setup(("A", "B"), "classic", {"plot_count_26": True}))
    assert [board.lattice for board in layout.boards] == [Lattice.HEXES]
    sorts = {piece.name: piece for piece in layout.pieces}
    assert set(sorts) == {"plot", "chip", "bamboo", "channel", "gardener", "panda"}
    assert sorts["plot"].total == 26
    assert sorts["bamboo"].most == 4
    assert len(sorts["plot"].looks) == 12
    assert {piece.board for piece in layout.pieces} == {board.name for board in layout.boards}


def test_the_other_two_titles_tables_can_be_said_in_the_same_words():
    """Veggie Garden: a card grid with fences beside it. Horticulture Master: a market and gardens of odd pieces."""
    card = (88.0, 63.0, 0.3)
    vegetables = ("cabbage", "carrot", "pea", "pepper", "potato", "tomato")
    veggie = Layout(
        (Board("garden", Lattice.GRID, (4, 4)), Board("harvest", Lattice.GRID, (4, 1))),
        (
            PieceSort("card", "garden", Place.CELL, card, vegetables),
            PieceSort("fence", "garden", Place.BORDER, (60.0, 15.0, 2.0), ("1", "2", "3"), total=12),
            PieceSort("woodchuck", "garden", Place.ON_CELL, (20.0, 20.0, 2.0), total=1),
        ),
    )
    corner = ((0, 0), (1, 0), (0, 1))
    horticulture = Layout(
        (Board("market", Lattice.GRID, (3, 3)), *(Board(f"garden {seat}", Lattice.GRID, (5, 5)) for seat in range(4))),
        tuple(PieceSort("pond", f"garden {n}", Place.SEVERAL, (40.0, 40.0, 2.0), cells=corner) for n in range(4)),
    )
    for layout in (veggie, horticulture):
        assert {piece.board for piece in layout.pieces} <= {board.name for board in layout.boards}
