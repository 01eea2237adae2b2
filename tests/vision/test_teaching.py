from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from companion.cli.main import run
from companion.errors import BadInputError
from companion.games.takenoko.hexgrid import POND, neighbours
from companion.observation import ExpectedLook, ExpectedPlot, Marking
from vision.profiles.load import load_profile, profile_for, profile_to_toml, taught_folder
from vision.simulated.live import SimulatedTable
from vision.simulated.setting import plain_setting
from vision.teaching import FLOWERS, Lesson, learn, read_flower


def table(tiles, look="kit"):
    """A simulated table with a flower of tiles, the first at the picture's right."""
    plots = {
        cell: ExpectedPlot(colour, Marking(improvement), 0)
        for cell, (colour, improvement) in zip(neighbours(POND), tiles, strict=True)
    }
    return SimulatedTable(plain_setting(look=look), look=ExpectedLook(plots, frozenset(), None, None))


@pytest.fixture(scope="module")
def shown():
    """The first flower as a camera sees it, and the camera."""
    laid = table(FLOWERS[0])
    return laid.grab().image, laid.setting.camera


def test_a_flower_is_read_tile_by_tile(shown):
    image, camera = shown
    read = read_flower(image, camera, Lesson("one", FLOWERS[0]))
    assert [kind for kind, _ in read] == [("pond", ""), *[(colour.value, "") for colour, _ in FLOWERS[0]]]
    # Tiles of one colour are alike, those of two are not.
    middles = np.array([np.median(pixels, axis=0) for _, pixels in read[1:]])
    for index in range(3):
        assert np.linalg.norm(middles[index] - middles[index + 3]) < 0.1
        assert np.linalg.norm(middles[index] - middles[(index + 1) % 3]) > 0.3


def test_a_profile_is_learnt_and_can_be_read_again(shown, tmp_path):
    image, camera = shown
    profile = learn("mine", "a test", [read_flower(image, camera, Lesson("one", FLOWERS[0]))])
    assert {one.kind for one in profile.prototypes} == {"green", "yellow", "pink", "pond"}
    path = tmp_path / "mine.toml"
    path.write_text(profile_to_toml(profile))
    again, warning = profile_for("mine", tmp_path)
    assert warning is None
    for one, other in zip(profile.prototypes, again.prototypes, strict=True):
        assert one.chroma == pytest.approx(other.chroma, abs=0.001)
        assert min(one.spread) >= 0.05


def test_tiles_laid_in_another_order_are_refused(shown):
    image, camera = shown
    swapped = (FLOWERS[0][0], FLOWERS[0][2], FLOWERS[0][1], *FLOWERS[0][3:])
    with pytest.raises(BadInputError, match="shown order"):
        learn("mine", "", [read_flower(image, camera, Lesson("one", swapped))])


def test_a_photo_without_tiles_or_cards_is_refused(shown):
    _, camera = shown
    blank = np.full((camera.height, camera.width, 3), 120, np.uint8)
    with pytest.raises(BadInputError, match="one: no marker card"):
        read_flower(blank, camera, Lesson("one", FLOWERS[0]))


def test_a_garden_that_is_no_flower_is_refused():
    plots = {cell: ExpectedPlot(FLOWERS[0][0][0], Marking(None), 0) for cell in neighbours(POND)[:2]}
    laid = SimulatedTable(plain_setting(look="kit"), look=ExpectedLook(plots, frozenset(), None, None))
    with pytest.raises(BadInputError, match="no pond with six tiles"):
        read_flower(laid.grab().image, laid.setting.camera, Lesson("one", FLOWERS[0]))


def test_the_command_writes_a_profile_that_observe_then_finds(shown, tmp_path, monkeypatch, capsys):
    image, camera = shown
    cv2.imwrite(str(tmp_path / "one.png"), image)
    (tmp_path / "camera.json").write_text(json.dumps(camera.to_json()))
    monkeypatch.setenv("COMPANION_PROFILES", str(tmp_path / "profiles"))
    assert run(["teach", "my-box", str(tmp_path / "one.png")]) == 0
    assert "my-box.toml" in capsys.readouterr().out
    assert load_profile(taught_folder() / "my-box.toml").name == "my-box"
    assert profile_for("my-box")[1] is None


def test_the_orders_are_shown(capsys):
    assert run(["teach", "--show"]) == 0
    assert capsys.readouterr().out.count("photo ") == len(FLOWERS)


@pytest.mark.parametrize("argv", [[], ["box"], ["Box!", "x.png"], ["free", "x.png"], ["box", *["x.png"] * 9]])
def test_wrong_usage_is_one_line(argv, capsys):
    assert run(["teach", *argv]) == 2
    assert capsys.readouterr().err.count("\n") == 1
