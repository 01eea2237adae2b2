"""The simulated table of the demo and of recorded nights."""

from dataclasses import replace

import numpy as np
import pytest

from companion.errors import BadInputError
from companion.games.takenoko.hexgrid import POND, Edge, Hex
from companion.games.takenoko.pieces import Colour, Improvement
from companion.observation import ExpectedLook, ExpectedPlot, Marking
from vision.simulated.disturb import camera_bumped, card_moved, garden_moved, lamp_switched, object_put
from vision.simulated.live import SimulatedTable
from vision.simulated.render import render, view_of
from vision.simulated.setting import disc, plain_setting, random_setting, scene_from_look

EAST, NORTH_EAST = Hex(1, 0), Hex(1, -1)
LOOK = ExpectedLook(
    {
        EAST: ExpectedPlot(Colour.GREEN, Marking(None), 2),
        NORTH_EAST: ExpectedPlot(Colour.PINK, Marking(Improvement.ENCLOSURE, chip=True), 5),
    },
    frozenset({Edge.of(EAST, NORTH_EAST)}),
    EAST,
    POND,
)


@pytest.fixture(scope="module")
def setting():
    return plain_setting(3, width=480, height=360)


@pytest.fixture
def table(setting):
    return SimulatedTable(setting, clock=lambda: 7.0)


def test_a_look_is_laid_as_it_was_told(setting):
    truth = render(scene_from_look(LOOK, setting), np.random.default_rng(0)).truth
    assert truth["plots"]["1,0"]["colour"] == "green"
    assert truth["plots"]["1,-1"]["bamboo"] == 5
    assert truth["plots"]["1,-1"]["source"] == "chip"
    assert [c["edge"] for c in truth["channels"]] == ["1,0|1,-1"]
    assert truth["gardener"]["at"] == "1,0"
    assert truth["panda"]["at"] == "0,0"


def test_what_nobody_touches_lies_still(setting):
    before = scene_from_look(LOOK, setting)
    more = {**LOOK.plots, Hex(0, 1): ExpectedPlot(Colour.YELLOW, Marking(None), 0)}
    after = scene_from_look(replace(LOOK, plots=more, panda=Hex(0, 1)), setting)
    assert set(before.tiles) <= set(after.tiles)
    assert before.channels == after.channels
    assert before.gardener == after.gardener


def test_a_figure_stands_where_it_stood_when_the_stalk_beside_it_grows(setting):
    grown = replace(LOOK, plots={**LOOK.plots, EAST: ExpectedPlot(Colour.GREEN, Marking(None), 4)})
    assert scene_from_look(LOOK, setting).gardener == scene_from_look(grown, setting).gardener


def test_the_demos_camera_looks_down_at_about_52_degrees(setting):
    view = view_of(scene_from_look(LOOK, setting))
    assert view.elevation_deg() == pytest.approx(52.0, abs=4.0)


def test_a_grab_is_fresh_noise_over_the_same_table(table):
    table.lay(LOOK)
    one, two = table.grab(), table.grab()
    assert one.t == 7.0
    assert one.image.shape == (360, 480, 3)
    difference = np.abs(one.image.astype(int) - two.image)
    assert 0 < difference.mean() < 6


def test_the_toy_moves_pieces_and_tells_what_lies_there(table):
    table.put("plot", "1,0", "green/fertilizer 1")
    table.put("bamboo", "1,0", "3")
    table.put("plot", "0,1", "pink 0")
    table.put("channel", "0,1|1,0", "x")
    table.put("panda", "1,0", "x")
    told = table.look()
    assert told["plots"] == {"1,0": "green/fertilizer 3", "0,1": "pink 0"}
    assert told["channels"] == ["1,0|0,1"]
    assert told["panda"] == "1,0"
    table.put("plot", "0,1", None)
    table.put("channel", "1,0|0,1", None)
    assert table.look()["plots"] == {"1,0": "green/fertilizer 3"}
    assert table.look()["channels"] == []


@pytest.mark.parametrize(
    ("what", "at", "value"),
    [
        ("bamboo", "3,0", "1"),
        ("bamboo", "1,0", "6"),
        ("bamboo", "1,0", "-1"),
        ("bamboo", "1,0", "many"),
        ("plot", "0,0", "green 0"),
        ("plot", "1,1", "blue 0"),
        ("plot", "nowhere", "green 0"),
        ("panda", "5,5", "x"),
        ("channel", "1,0|5,5", "x"),
        ("castle", "1,0", "x"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(table, what, at, value):
    table.lay(LOOK)
    with pytest.raises(BadInputError):
        table.put(what, at, value)
    assert table.expected == LOOK


def test_disturbances_change_the_picture_and_can_be_taken_back(table):
    table.lay(LOOK)
    still = table.grab().image.astype(int)
    for what in ("hand", "lamp"):
        table.disturb(what)
        assert np.abs(table.grab().image - still).mean() > 2
        table.disturb(what)
        assert np.abs(table.grab().image - still).mean() < 2
    with pytest.raises(BadInputError):
        table.disturb("earthquake")


def test_each_disturbance_moves_what_it_says_and_nothing_else():
    rng = np.random.default_rng(5)
    setting = plain_setting(3, width=480, height=360)
    assert camera_bumped(setting, rng).rvec != setting.rvec
    moved = card_moved(setting, rng)
    assert sum(a != b for a, b in zip(setting.markers, moved.markers, strict=True)) == 1
    pushed = garden_moved(setting, rng)
    assert np.hypot(*np.subtract(pushed.grid.origin_mm, setting.grid.origin_mm)) == pytest.approx(20.0)
    assert pushed.markers == setting.markers
    assert lamp_switched(setting, rng).lighting != setting.lighting
    assert len(object_put(setting, (300.0, 0.0), rng).clutter) == 1


def test_a_knocked_over_stalk_lies_on_its_tile(setting):
    look = replace(LOOK, plots={EAST: ExpectedPlot(Colour.GREEN, Marking(None), 0)}, channels=frozenset())
    flat = render(scene_from_look(look, setting), np.random.default_rng(0))
    lying = render(scene_from_look(look, setting, lying={EAST: 4}), np.random.default_rng(0))
    assert lying.truth["plots"]["1,0"]["bamboo"] == 0
    assert np.count_nonzero(lying.ids) > np.count_nonzero(flat.ids)


def test_a_random_setting_sees_the_whole_garden():
    setting = random_setting(np.random.default_rng(8), disc(2), width=480, height=360)
    look = ExpectedLook(
        {at: ExpectedPlot(Colour.GREEN, Marking(None), 0) for at in disc(2) if at != POND}, frozenset(), None, None
    )
    scene = replace(scene_from_look(look, setting), clutter=())
    truth = render(scene, np.random.default_rng(0)).truth
    assert min(plot["visible"] for plot in truth["plots"].values()) > 0.9
