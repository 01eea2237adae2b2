from __future__ import annotations

import json
from functools import cache

import cv2
import numpy as np
import pytest

from companion.cli import calibrate as command
from companion.cli.main import run
from companion.errors import BadInputError, CameraError, UsageError
from vision.calibration import BOARD_SQUARES, SQUARE_MM, BoardFinder, calibrate, charuco_board
from vision.camera_file import load_camera_file
from vision.default_cameras import default_model, known_cameras
from vision.frame import Frame

WIDTH, HEIGHT = 820, 616
MATRIX = np.array([[655.0, 0, 420.0], [0, 652.0, 300.0], [0, 0, 1.0]])
DIST = np.array([-0.12, 0.08, 0.0005, -0.0004, 0.0])
PIXELS_A_MM = 6
MIDDLE = np.array([BOARD_SQUARES[0] * SQUARE_MM / 2, BOARD_SQUARES[1] * SQUARE_MM / 2, 0.0])


def picture(turn, place, rng):
    """The board, turned by a rotation vector about its middle and at a place before the camera, as the lens sees it."""
    columns, rows = (round(side * SQUARE_MM * PIXELS_A_MM) for side in BOARD_SQUARES)
    board = cv2.cvtColor(charuco_board().generateImage((columns, rows)), cv2.COLOR_GRAY2BGR)
    rotation = cv2.Rodrigues(np.asarray(turn, float))[0]
    origin = np.asarray(place, float) - rotation @ MIDDLE
    pixels = np.stack(np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT)), -1).reshape(-1, 1, 2).astype(np.float32)
    rays = np.c_[cv2.undistortPoints(pixels, MATRIX, DIST).reshape(-1, 2), np.ones(WIDTH * HEIGHT)] @ rotation
    eye = -rotation.T @ origin
    on_board = (eye - rays * (eye[2] / rays[:, 2:])) * PIXELS_A_MM - 0.5
    places = on_board[:, :2].astype(np.float32).reshape(HEIGHT, WIDTH, 2)
    seen = cv2.remap(board, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderValue=(180, 180, 180))
    return np.clip(cv2.GaussianBlur(seen, (0, 0), 0.7) * 0.8 + 20 + rng.normal(0, 2, seen.shape), 0, 255).astype(
        np.uint8
    )


@cache
def pictures(count=9, tilt=0.6):
    rng = np.random.default_rng(11)
    return tuple(
        picture(rng.uniform(-tilt, tilt, 3), (rng.uniform(-70, 70), rng.uniform(-50, 50), rng.uniform(330, 480)), rng)
        for _ in range(count)
    )


def views(images):
    finder = BoardFinder()
    found = [finder.find(image, f"{index}.png") for index, image in enumerate(images)]
    return [view for view in found if view is not None]


def test_the_lens_is_found_again():
    result = calibrate(views(pictures()))
    camera = result.camera
    assert result.reprojection_px < 0.3
    assert (camera.fx, camera.fy) == pytest.approx((655.0, 652.0), rel=0.01)
    assert (camera.cx, camera.cy) == pytest.approx((420.0, 300.0), abs=6)
    assert camera.dist[0] == pytest.approx(-0.12, abs=0.04)
    assert result.covered > 0.7


def test_a_picture_that_does_not_fit_is_left_out():
    seen = views(pictures())
    rng = np.random.default_rng(0)
    bent = type(seen[0])("bent.png", seen[0].size, seen[0].object_mm,
                         seen[0].image_px + rng.normal(0, 6, seen[0].image_px.shape).astype(np.float32))  # fmt: skip
    result = calibrate([*seen, bent])
    assert result.left_out == ("bent.png",)
    assert result.reprojection_px < 0.3


def test_a_picture_without_the_board_shows_none():
    assert BoardFinder().find(np.full((HEIGHT, WIDTH, 3), 90, np.uint8)) is None


def test_too_few_pictures_are_refused():
    with pytest.raises(BadInputError, match="found in 3 pictures, 6 are needed"):
        calibrate(views(pictures()[:3]))


def test_a_board_that_always_faces_the_same_way_is_refused():
    with pytest.raises(BadInputError, match=r"tilt"):
        calibrate(views(pictures(7, 0.03)))


def test_pictures_of_different_sizes_are_refused():
    seen = views(pictures())
    other = type(seen[0])("other.png", (640, 480), seen[0].object_mm, seen[0].image_px)
    with pytest.raises(BadInputError, match="different sizes"):
        calibrate([*seen, other])


@pytest.mark.parametrize(
    ("name", "size", "focal_px"),
    [
        ("module-2", (1640, 1232), 3.04e3 / 1.12 / 2),
        ("module-2", (1920, 1080), 3.04e3 / 1.12),  # this mode reads the middle of the sensor only
        ("imx708", (2304, 1296), 4.74e3 / 1.4 / 2),
        ("module-3-wide", (2304, 1296), 2.75e3 / 1.4 / 2),
        ("hq-6mm", (2028, 1520), 6.0e3 / 1.55 / 2),
        ("module-3", (1640, 1232), 4.74e3 / 1.4 / (2592 / 1232)),  # sides cut off to 4:3
        ("hq-6mm", (1640, 1232), 6.0e3 / 1.55 / (3040 / 1232)),
    ],
)
def test_the_datasheet_gives_the_focal_length(name, size, focal_px):
    camera = default_model(name, size)
    assert camera.fx == camera.fy == pytest.approx(focal_px, rel=0.002)
    assert (camera.width, camera.height) == size
    assert (camera.cx, camera.cy) == ((size[0] - 1) / 2, (size[1] - 1) / 2)


def test_every_mode_lies_in_the_middle_of_its_sensor_in_square_pixels():
    for known in known_cameras().values():
        for mode in known.modes:
            left, top, width, height = mode.crop
            assert (2 * left + width, 2 * top + height) == known.pixels
            assert width / mode.size[0] == pytest.approx(height / mode.size[1])


def test_an_unknown_camera_is_named():
    with pytest.raises(UsageError, match="module-3-wide"):
        default_model("module-9", (1640, 1232))


class Shown:
    """A live camera before which the board is shown in several ways, each for a while."""

    name = "shown"

    def __init__(self, images):
        self.images, self.count = images, 0

    def grab(self):
        self.count += 1
        if self.count == 1:
            raise CameraError("not yet")
        return Frame(self.images[(self.count // 2) % len(self.images)], "shown", 0.0)


def test_live_views_are_taken_only_when_the_board_moved(monkeypatch):
    monkeypatch.setattr(command, "LIVE_VIEWS", 4)
    camera, said = Shown(pictures()), []
    found = list(command.watch(camera, BoardFinder(), lambda: 0.0, said.append))
    assert len(found) == 4
    assert camera.count >= 7
    assert said[-1] == "4 of 4"


def test_live_calibration_gives_up_when_the_board_never_comes():
    seconds = iter(range(0, 100_000, 10))
    camera = Shown([np.full((HEIGHT, WIDTH, 3), 90, np.uint8)])
    with pytest.raises(BadInputError, match="only 0 views"):
        list(command.watch(camera, BoardFinder(), lambda: float(next(seconds)), lambda _line: None))


def test_the_command_writes_a_camera_file_from_a_folder(tmp_path, capsys):
    for index, image in enumerate(pictures()):
        cv2.imwrite(str(tmp_path / f"{index}.png"), image)
    like = tmp_path / "like.json"
    like.write_text(json.dumps({**default_model("module-2", (820, 616)).to_json(), "art": "kit"}))
    out = tmp_path / "camera.json"
    assert run(["calibrate", str(tmp_path), "--like", str(like), "--out", str(out)]) == 0
    assert "reprojection error 0." in capsys.readouterr().out
    camera = load_camera_file(out)
    assert camera.art == "kit"
    assert camera.fx == pytest.approx(655.0, rel=0.01)
    assert json.loads(out.read_text())["calibration"]["reprojection_px"] < 0.3


def test_the_command_writes_a_datasheet_camera(tmp_path):
    out = tmp_path / "camera.json"
    assert run(["calibrate", "--default", "module-3", "--size", "2304x1296", "--out", str(out)]) == 0
    assert load_camera_file(out).fx == pytest.approx(1692.86, abs=0.1)


@pytest.mark.parametrize(
    "argv",
    [[], ["x.png", "--default", "module-2"], ["--default", "none"], ["--default", "module-2", "--size", "big"],
     ["x.png", "--square-mm", "0"], ["--camera", "dslr"]],
)  # fmt: skip
def test_wrong_usage_is_one_line(argv, capsys):
    assert run(["calibrate", *argv]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path, capsys):
    assert run(["calibrate", "--default", "module-2", "--out", str(tmp_path / "absent" / "camera.json")]) == 1
    assert "cannot be written" in capsys.readouterr().err
