"""The whole eye on rendered tables with known truth, on turned and spoiled pictures, and on what is no table."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import cv2
import numpy as np
import pytest
from vision_scenes import rendered

from companion.games.takenoko.hexgrid import Edge, Hex, parse_edge, parse_hex, turned
from companion.games.takenoko.pieces import Colour, Improvement
from companion.observation import ExpectedLook, ExpectedPlot, Marking, Observation, Status
from vision.camera_file import CameraModel
from vision.evaluate import score_observation
from vision.observation_json import observation_to_json
from vision.pipeline import Eye

SEED = 3


@cache
def seen(look: str = "painted") -> tuple[CameraModel, np.ndarray, dict, Observation]:
    scene, picture = rendered(SEED, plots=8, look=look, width=1280)
    camera = replace(scene.camera, art=look)
    return camera, picture.image, picture.truth, Eye(camera).observe(picture.image)


def told(observation: Observation) -> dict:
    return observation_to_json(observation, "table.png")


@pytest.mark.parametrize("look", ["painted", "printed", "kit"])
def test_plots_and_colours_of_a_rendered_table_are_found_and_no_ghosts(look):
    _, _, truth, observation = seen(look)
    tally = score_observation(truth, told(observation))
    for kind in ("table", "plot_found", "colour", "no_ghost_plots"):
        assert tally.right[kind] == tally.all[kind], (kind, tally.right, tally.all)


def test_beliefs_are_probabilities():
    *_, observation = seen()
    for cell in observation.cells.values():
        assert 0 <= cell.p_absent <= 1
        assert sum(cell.bamboo_p) == pytest.approx(1, abs=1e-6)
        assert sum(cell.marking_p.values()) == pytest.approx(1, abs=1e-4)
    assert sum(observation.gardener_p.values()) <= 1
    assert sum(observation.panda_p.values()) <= 1


Answer = tuple[dict[Hex, tuple], frozenset[Edge], Hex | None, Hex | None]


def answer(observation: Observation) -> Answer:
    """What is held to lie where, without the probabilities."""
    facts = told(observation)
    return (
        {parse_hex(p["at"]): (p["colour"], p["improvement"], p["chip"], p["bamboo"]) for p in facts["plots"]},
        frozenset(parse_edge(channel["edge"]) for channel in facts["channels"]),
        *(None if facts[figure] is None else parse_hex(facts[figure]["at"]) for figure in ("gardener", "panda")),
    )


def in_every_turn(one: Answer) -> list[Answer]:
    """The same answer with east in each of the six directions."""
    plots, channels, *figures = one
    return [
        (
            {turned(at, sixths): plot for at, plot in plots.items()},
            frozenset(Edge.of(turned(edge.a, sixths), turned(edge.b, sixths)) for edge in channels),
            *(None if at is None else turned(at, sixths) for at in figures),
        )
        for sixths in range(6)
    ]


def as_expected(observation: Observation) -> ExpectedLook:
    plots = {
        at: ExpectedPlot(max(cell.colour_p, key=lambda c: cell.colour_p[c]), Marking(None), 0)
        for at, cell in observation.cells.items()
        if cell.p_absent < 0.5
    }
    return ExpectedLook(plots, frozenset(), None, None)


def quarter_turned(camera: CameraModel) -> CameraModel:
    """The camera file of the picture turned a quarter clockwise."""
    k1, k2, p1, p2, k3 = camera.dist
    return replace(
        camera,
        width=camera.height,
        height=camera.width,
        fx=camera.fy,
        fy=camera.fx,
        cx=camera.height - 1 - camera.cy,
        cy=camera.cx,
        dist=(k1, k2, p2, -p1, k3),
    )


@pytest.mark.parametrize("quarters", [1, 2])
def test_turned_pictures_show_the_same_garden(quarters):
    camera, image, _, observation = seen()
    expected = as_expected(observation)
    for _ in range(quarters):
        camera, image = quarter_turned(camera), np.ascontiguousarray(cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE))
    assert answer(Eye(camera).observe(image, expected)) == answer(observation)
    assert answer(Eye(camera).observe(image)) in in_every_turn(answer(observation))


def test_a_poor_jpeg_shows_the_same_garden():
    camera, image, _, observation = seen()
    poor = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 60])[1], cv2.IMREAD_COLOR)
    assert answer(Eye(camera).observe(np.asarray(poor, np.uint8))) in in_every_turn(answer(observation))


def test_a_smaller_picture_shows_the_same_garden():
    camera, image, _, observation = seen()
    small = cv2.resize(image, None, fx=0.7, fy=0.7, interpolation=cv2.INTER_AREA)
    smaller = Eye(camera).observe(np.asarray(small, np.uint8))
    assert answer(smaller) in in_every_turn(answer(observation))
    assert any("scaled" in str(warning) for warning in smaller.warnings)


def test_what_is_expected_raises_no_belief():
    camera, image, _, observation = seen()
    free = Hex(6, -3)
    assert free not in observation.cells
    wish = ExpectedLook(
        {**as_expected(observation).plots, free: ExpectedPlot(Colour.PINK, Marking(Improvement.ENCLOSURE), 3)},
        frozenset(),
        free,
        free,
    )
    again = Eye(camera).observe(image, wish)
    assert again.cells.get(free) is None or again.cells[free].p_absent > 0.95
    for at, cell in observation.cells.items():
        assert again.cells[at].colour_p == pytest.approx(dict(cell.colour_p), abs=1e-6)


def test_the_more_a_stalk_is_covered_the_less_is_sure_and_never_a_sure_nothing():
    camera, image, _, observation = seen()
    expected = as_expected(observation)
    stalk = max(
        (cell for cell in observation.cells.values() if cell.p_absent < 0.1 and max(cell.bamboo_p) > 0.8),
        key=lambda cell: sum(cell.bamboo_p[1:]),
    )
    assert sum(stalk.bamboo_p[1:]) > 0.5
    x, y = (int(value) for value in stalk.centre_px)
    surest = [max(stalk.bamboo_p)]
    for radius in (40, 75, 110):
        covered = image.copy()
        cv2.circle(covered, (x, y - 30), radius, (90, 120, 170), -1)
        cell = Eye(camera).observe(covered, expected).cells.get(stalk.at)
        if cell is None:
            break
        assert cell.bamboo_p[0] < 0.9
        surest.append(max(cell.bamboo_p))
    assert len(surest) > 1
    for before, after in pairwise(surest):
        assert after <= before + 0.05
    assert surest[-1] < surest[0] - 0.1


SMALL = CameraModel(width=640, height=480, fx=520.0, fy=520.0, cx=320.0, cy=240.0)


def noise() -> np.ndarray:
    return np.random.default_rng(1).integers(0, 255, (480, 640, 3), dtype=np.uint8)


@pytest.mark.parametrize(
    ("image", "word"),
    [
        (np.zeros((480, 640, 3), np.uint8), "black"),
        (np.full((480, 640, 3), 255, np.uint8), "white"),
        (np.full((480, 640, 3), 120, np.uint8), "empty"),
        (noise(), ""),
        (cv2.GaussianBlur(noise(), (0, 0), 25), ""),
    ],
)
def test_a_picture_without_a_table_gives_a_reason(image, word):
    observation = Eye(SMALL).observe(image)
    assert observation.status is Status.NO_TABLE
    assert observation.reason
    assert word in str(observation.reason)
    assert told(observation)["plots"] == []


def blurred(image: np.ndarray, sigma: float) -> np.ndarray:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8)


def test_a_picture_too_blurred_to_read_is_called_out_of_focus_also_where_a_honeycomb_is_found():
    camera, image, *_ = seen()
    for sigma in (20.0, 40.0):
        observation = Eye(camera).observe(blurred(image, sigma))
        assert observation.status is Status.NO_TABLE
        assert str(observation.reason) == "the picture is out of focus"
        assert told(observation)["plots"] == []


def test_a_picture_a_little_out_of_focus_is_read_with_a_warning():
    camera, image, _, sharp = seen()
    soft = Eye(camera).observe(blurred(image, 10.0))
    assert soft.status is Status.CLEAR
    assert any("out of focus" in str(warning) for warning in soft.warnings)
    assert not any("out of focus" in str(warning) for warning in sharp.warnings)


def test_a_picture_of_another_shape_than_the_camera_files_is_refused():
    observation = Eye(SMALL).observe(np.full((480, 480, 3), 90, np.uint8))
    assert observation.status is Status.NO_TABLE
    assert "camera file" in str(observation.reason)
