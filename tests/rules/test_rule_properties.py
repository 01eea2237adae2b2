"""What holds in every position that play can reach, under any options."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import all_moves, cards, edges, game_plans, hexes, near_hexes, random_game

from companion.errors import IllegalMoveError, MalformedError
from companion.games.takenoko import moves
from companion.games.takenoko.garden import garden_of
from companion.games.takenoko.hexgrid import POND, Edge, Hex, edge_ends, neighbours, parse_edge, parse_hex, turned
from companion.games.takenoko.legality import legal_moves, why_illegal
from companion.games.takenoko.notation import format_move, parse_move
from companion.games.takenoko.pieces import COLOURS, Deck
from companion.games.takenoko.plot import PLOTS, parse_plot
from companion.games.takenoko.position import position_from_json, position_to_json
from companion.games.takenoko.possible import problems
from companion.games.takenoko.state import State, is_irrigated, supply_of
from companion.games.takenoko.transition import apply, apply_legal
from companion.games.takenoko.views import public_view, seat_view
from companion.record import Correct, Do, Game, Header, UndoTo

few = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


# Notation


@given(all_moves)
def test_a_move_is_read_back_as_it_was_written(move):
    assert parse_move(format_move(move)) == move


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused_in_one_line(text):
    try:
        move = parse_move(text)
    except MalformedError:
        with pytest.raises(MalformedError, match=r"\A[^\n]+\Z"):
            parse_move(text)
    else:
        assert parse_move(format_move(move)) == move


@given(hexes)
def test_a_hex_is_read_back(cell):
    assert parse_hex(str(cell)) == cell


@given(edges)
def test_an_edge_has_one_name_whichever_side_comes_first(edge):
    assert Edge.of(edge.b, edge.a) == edge == parse_edge(str(edge)) == parse_edge(f"{edge.b}|{edge.a}")
    assert edge.a > edge.b


@given(edges)
def test_an_edge_ends_where_three_cells_meet(edge):
    """Both ends are shared with the four neighbouring edges of the third cells."""
    thirds = [cell for cell in neighbours(edge.a) if cell in neighbours(edge.b)]
    assert len(thirds) == 2
    for third in thirds:
        shared = set(edge_ends(edge)) & set(edge_ends(Edge.of(edge.a, third))) & set(edge_ends(Edge.of(edge.b, third)))
        assert len(shared) == 1


@given(hexes, st.integers(0, 5), st.integers(0, 5))
def test_turning_adds_up(cell, one, other):
    assert turned(turned(cell, one), other) == turned(cell, one + other)


@pytest.mark.parametrize("plot", PLOTS.values(), ids=str)
def test_a_plot_is_read_back(plot):
    assert parse_plot(str(plot)) is plot


# Positions


@few
@given(game_plans)
def test_every_position_of_a_game_can_occur_and_is_read_back(plan):
    game = random_game(*plan)
    for state in (game.states[len(game.states) // 2], game.state):
        assert problems(state) == ()
        text = json.dumps(position_to_json(state))
        names = [seat.name for seat in state.seats]
        back = position_from_json(json.loads(text), state.rules, names, state.first)
        assert back == state
        assert hash(back) == hash(state)


@few
@given(game_plans)
def test_what_is_carried_from_move_to_move_is_what_follows_from_the_facts(plan):
    """Land, water and supply are caches: built anew from the facts they say the same."""
    state = random_game(*plan).state
    assert state.supply == supply_of(state.rules, state.garden, state.seats)
    fresh = garden_of(state.rules, state.plots, state.channels)
    kept = state.garden
    assert set(fresh.land.frontier) == set(kept.land.frontier)
    assert set(fresh.land.edges) == set(kept.land.edges)
    assert dict(fresh.land.left) == dict(kept.land.left)
    assert fresh.water.irrigated == kept.water.irrigated
    assert set(fresh.water.sites()) == set(kept.water.sites())
    assert all(set(fresh.water.growing(at)) == set(kept.water.growing(at)) for at in (*state.plots, POND))
    assert Counter(fresh.tall()) == Counter(kept.tall())
    for card in state.rules.edition.cards.values():
        if card.deck is Deck.PLOT:
            assert fresh.water.has_pattern(card) == kept.water.has_pattern(card)


@few
@given(game_plans)
def test_gardens_that_share_what_follows_are_what_they_are_alone(plan):
    state = [state for state in random_game(*plan).states if state.turn is not None][-1]
    state.garden.share()
    for move in legal_moves(state):
        once, again = apply_legal(state, move), apply_legal(state, move)
        assert once.garden.land is again.garden.land
        assert once.garden.water is again.garden.water
        fresh = garden_of(once.rules, once.plots, once.channels)
        assert set(fresh.land.frontier) == set(once.garden.land.frontier)
        assert fresh.water.irrigated == once.garden.water.irrigated
        assert set(fresh.water.sites()) == set(once.garden.water.sites())


@few
@given(game_plans)
def test_pieces_are_conserved(plan):
    """Box, garden and stores hold the same pieces all the time; bamboo only grows by growth."""
    for state in random_game(*plan).states[::25]:
        box = state.rules.edition
        laid = Counter(plot.kind for plot in state.plots.values())
        left = state.garden.land.left
        assert all(laid[kind] + left[kind] == count for kind, count in state.rules.plots.items())
        stored = sum(seat.channels for seat in state.seats)
        assert state.channels_left() + len(state.channels) + stored == box.channels
        on_plots = Counter(plot.improvement for plot in state.plots.values() if plot.chip)
        assert sum(state.chips_left()) + sum(sum(seat.chips) for seat in state.seats) + on_plots.total() == sum(
            box.chips
        )
        for deck, size in zip(Deck, box.deck_sizes, strict=True):
            held = sum(
                seat.hidden[list(Deck).index(deck)]
                + sum(box.cards[card].deck is deck for card in (*seat.hand, *seat.claimed))
                for seat in state.seats
            )
            assert state.deck_left(deck) + held == size


@few
@given(game_plans, st.lists(all_moves, max_size=60), st.integers(-1, 3))
def test_apply_and_why_illegal_and_the_list_agree(plan, tried, seat):
    state = random_game(*plan).state
    legal = legal_moves(state)
    assert len(legal) == len(list(legal)) == len(set(legal))
    assert list(legal[:3]) == list(legal)[:3]
    assert all(why_illegal(state, move) is None for move in legal)
    who = None if seat < 0 or seat >= len(state.seats) else seat
    for move in tried:
        refusal = why_illegal(state, move, who)
        if refusal is None:
            assert problems(apply(state, move, who)) == ()
        else:
            with pytest.raises(IllegalMoveError) as caught:
                apply(state, move, who)
            assert (caught.value.rule, caught.value.message) == (refusal.rule, refusal.message)
        if who is None and not isinstance(move, moves.Draw | moves.Claim | moves.Discard | moves.Know):
            assert (move in legal) is (refusal is None)


@few
@given(game_plans, near_hexes)
def test_every_near_place_is_refused_or_listed(plan, at):
    """The same for moves that have a good chance to be legal."""
    state = random_game(*plan).state
    legal = set(legal_moves(state))
    tried = [moves.MoveGardener(at), moves.MovePanda(at), moves.Rain(at), moves.Storm(at)]
    tried += [moves.LayPlot(colour, None, at) for colour in COLOURS]
    tried += [moves.TakeChannel(Edge.of(at, other)) for other in neighbours(at)]
    tried += [moves.Irrigate(Edge.of(at, other)) for other in neighbours(at)]
    for move in tried:
        assert (move in legal) is (why_illegal(state, move) is None)


@few
@given(game_plans)
def test_growth_on_both_sides_of_a_channel_never_comes_about(plan):
    """T-GROW-2: under T-CHAN-4 one side of a new channel always has water already."""
    state = random_game(*plan).state
    for edge in state.garden.water.sites():
        assert any(cell == POND or is_irrigated(state, cell) for cell in edge)


@few
@given(game_plans)
def test_a_move_alters_nothing_but_its_outcome(plan):
    state = random_game(*plan).state
    before = json.dumps(position_to_json(state))
    for move in list(legal_moves(state))[:40]:
        assert apply_legal(state, move) == apply(state, move)
    assert json.dumps(position_to_json(state)) == before
    with pytest.raises(AttributeError):
        state.gardener = Hex(1, 0)
    with pytest.raises(TypeError):
        state.plots[Hex(1, 0)] = PLOTS["green 1"]


# Records and views


@few
@given(game_plans, st.data())
def test_undo_brings_the_very_position_back_and_redo_too(plan, data):
    game = random_game(*plan)
    line = data.draw(st.integers(1, game.version))
    undone = game.append(UndoTo(line))
    assert undone.state == game.line_state(line)
    assert undone.append(UndoTo(game.version)).state == game.state
    assert [event for _, event in undone.standing()] == list(game.lines[: line - 1])


def _with_other_secrets(game: Game, seat: int, card_names) -> Game:
    """The same game with other cards in the hands of all other seats, as far as they were never shown."""
    mapped = {}
    for index, name in enumerate(card_names):
        mapped.setdefault(name.partition("-")[0], []).append(card_names[index])

    def other(state: State) -> State:
        seats = []
        for index, player in enumerate(state.seats):
            hand = player.hand
            if index != seat:
                hand = tuple(mapped.get(card.partition("-")[0], [card])[0] for card in hand)
            seats.append(replace(player, hand=hand))
        turn = state.turn
        if turn is not None and turn.drawn is not None and turn.seat != seat:
            turn = replace(turn, drawn=mapped.get(turn.drawn.partition("-")[0], [turn.drawn])[0])
        return replace(state, seats=tuple(seats), turn=turn)

    def other_event(event):
        if (
            isinstance(event, Do)
            and event.seat != seat
            and isinstance(event.move, moves.Draw | moves.Discard | moves.Know)
        ):
            deck = event.move.card.partition("-")[0]
            return replace(event, move=replace(event.move, card=mapped.get(deck, [event.move.card])[0]))
        return event

    return Game(
        replace(game.header, hands=None),
        tuple(map(other_event, game.lines)),
        (*game.states[:-1], other(game.state)),
    )


@few
@given(game_plans, st.integers(0, 3), st.permutations(["plot-green-line", "gardener-pink-plain", "panda-mixed"]), cards)
def test_a_view_does_not_change_when_anothers_secrets_change(plan, seat, others, extra):
    game = random_game(*plan)
    seat %= len(game.state.seats)
    undone = game.append(UndoTo(max(1, game.version - 7)))
    for shown in (game, undone):
        changed = _with_other_secrets(shown, seat, [extra, *others])
        assert seat_view(shown, seat) == seat_view(changed, seat)
        changed = _with_other_secrets(shown, -1, [extra, *others])
        assert public_view(shown) == public_view(changed)


@few
@given(game_plans)
def test_a_view_names_no_card_of_another_hand(plan):
    game = random_game(*plan)
    for seat in (None, *range(len(game.state.seats))):
        view = public_view(game) if seat is None else seat_view(game, seat)
        # Claims, and what the garden meets, are no secrets: what is left of the view must not name a hidden card.
        secret = {card for index, player in enumerate(game.state.seats) if index != seat for card in player.hand}
        own = set() if seat is None else set(game.state.seats[seat].hand)
        claimed = {card for player in game.state.seats for card in player.claimed}
        if seat is not None:
            own |= {e.move.card for e in game.events if isinstance(e.move, moves.Draw) and e.seat == seat}
            own |= {e.move.card for e in game.events if isinstance(e.move, moves.Discard) and e.seat == seat}
        del view["met"], view["payable"]
        text = json.dumps(view)
        assert not [card for card in secret - own - claimed if f'"{card}"' in text or f" {card}" in text]


def test_a_correction_of_hands_is_shown_without_them():
    game = Game.start(Header(("Aki", "Oksana")))
    changes = {"seats": [{"hand": ["panda-green"], "hidden": {"plot": 1, "gardener": 1}}, {"channels": 1}]}
    game = game.append(Correct.of(changes, "the card was shown"))
    game = game.append(Do(1, moves.Know("panda-pink")))
    public = public_view(game)["history"]
    assert public == [
        {"correct": {"seats": [{}, {"channels": 1}]}, "reason": "the card was shown", "at": None, "by": None, "line": 2,
         "stands": True},
    ]  # fmt: skip
    assert seat_view(game, 0)["history"][0]["correct"]["seats"][0] == changes["seats"][0]
    assert seat_view(game, 1)["history"][-1]["do"] == "know panda-pink"
    assert seat_view(game, 1)["own"] == {
        "hand": [{"card": "panda-pink", "deck": "panda", "points": 5, "met": False}],
        "hidden": 2,
    }
