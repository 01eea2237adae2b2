"""The set-up wizard: a garden that leaves the picture is told with the way to turn the camera."""

from __future__ import annotations

import pytest

from companion.games.takenoko.hexgrid import Hex
from companion.games.takenoko.pieces import Colour
from companion.observation import NO_MARKING, CellBelief, LookContext, Observation, Status
from vision.framing import framing, hidden_cards

WIDTH, HEIGHT = 1600, 1200


def look(*centres, status=Status.CLEAR, cards=()):
    cells = {
        Hex(index, 1): CellBelief(
            Hex(index, 1), {Colour.GREEN: 1.0}, {NO_MARKING: 1.0}, (1.0, 0.0, 0.0, 0.0, 0.0), centre_px=centre
        )
        for index, centre in enumerate(centres)
    }
    context = LookContext(dict.fromkeys(cards, (0.0, 0.0)), {}, (0.0, 0.0), (1.0, 0.0), 100.0, None)
    return Observation(status, cells=cells, context=context)


MIDDLE = (800.0, 600.0)


@pytest.mark.parametrize(
    ("centres", "advice"),
    [
        ([MIDDLE], []),
        ([MIDDLE, (800.0, 30.0)], ["camera.tilt_up"]),
        ([MIDDLE, (800.0, 1180.0)], ["camera.tilt_down"]),
        ([MIDDLE, (20.0, 600.0)], ["camera.turn_left"]),
        ([MIDDLE, (1590.0, 600.0)], ["camera.turn_right"]),
        ([(20.0, 600.0), (1590.0, 600.0)], ["camera.move_back"]),
        ([(20.0, 30.0)], ["camera.move_back"]),
        ([(720.0 + 20 * k, 600.0) for k in range(9)], ["camera.move_closer"]),
        ([(400.0 + 90 * k, 600.0) for k in range(9)], []),
    ],
)
def test_the_garden_s_place_in_the_picture_says_what_to_do(centres, advice):
    assert [each["id"] for each in framing(look(*centres), WIDTH, HEIGHT)] == advice


def test_without_a_garden_nothing_is_said_of_its_place():
    assert framing(look(status=Status.NO_TABLE), WIDTH, HEIGHT) == []


def test_each_card_that_is_not_seen_is_named_while_one_is():
    assert [each["params"]["number"] for each in hidden_cards(look(MIDDLE, cards=(0, 3)), (0, 1, 2, 3))] == [1, 2]
    assert hidden_cards(look(MIDDLE), (0, 1)) == []
