"""The camera file: read strictly, with an error that names the key."""

import json
import math

import pytest

from companion.errors import BadInputError
from vision.camera_file import CameraModel, Pieces, camera_from_json, load_camera_file

GOOD = {
    "width": 1640,
    "height": 1232,
    "fx": 1300.0,
    "fy": 1300.0,
    "cx": 820.0,
    "cy": 616.0,
    "dist": [0.01, 0.0, 0.0, 0.0, 0.0],
    "markers": {"dictionary": "DICT_APRILTAG_36h11", "size_mm": 40.0, "ids": [0, 1, 2, 3]},
    "pieces": {
        "tile_across_flats_mm": 70.0,
        "tile_thickness_mm": 2.0,
        "section_height_mm": 18.0,
        "section_diameter_mm": 12.0,
        "channel_mm": [38.0, 6.0, 6.0],
    },
    "art": "painted",
}


def test_a_camera_file_survives_writing_and_reading():
    camera = camera_from_json(GOOD)
    assert camera.pieces.channel_mm == (38.0, 6.0, 6.0)
    assert camera_from_json(json.loads(json.dumps(camera.to_json()))) == camera


def test_what_a_box_does_not_tell_has_defaults():
    camera = camera_from_json({key: GOOD[key] for key in ("width", "height", "fx", "fy", "cx", "cy")})
    assert camera.pieces == Pieces()
    assert camera.art is None
    assert camera.dist == (0.0,) * 5


def test_the_foot_of_a_section_follows_its_waist():
    pieces = camera_from_json({**GOOD, "pieces": {"section_diameter_mm": 20.0}}).pieces
    assert pieces.section_foot_mm > 20.0


@pytest.mark.parametrize("key", ["width", "height", "fx", "fy", "cx", "cy"])
def test_a_missing_key_is_named(key):
    with pytest.raises(BadInputError, match=rf"{key}.*missing"):
        camera_from_json({k: v for k, v in GOOD.items() if k != key})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("fx", 0.0),
        ("fy", -1300.0),
        ("fx", math.nan),
        ("cx", math.inf),
        ("width", 1640.5),
        ("width", "1640"),
        ("height", 0),
        ("width", 10**9),
        ("dist", [0.0]),
        ("dist", [0.0, 0.0, 0.0, 0.0, math.nan]),
        ("markers", []),
        ("markers", {"dictionary": "DICT_OF_NOBODY"}),
        ("markers", {"ids": [1, 1]}),
        ("markers", {"ids": ["a"]}),
        ("markers", {"size_mm": 0}),
        ("pieces", {"tile_across_flats_mm": True}),
        ("pieces", {"channel_mm": [1, 2]}),
    ],
)
def test_a_value_that_cannot_be_true_is_refused_with_its_name(key, value):
    with pytest.raises(BadInputError, match=key):
        camera_from_json({**GOOD, key: value})


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"\xff\xfe\x00", b"[" * 100_000])
def test_a_file_that_is_no_camera_file_is_refused_with_its_name(tmp_path, text):
    path = tmp_path / "camera.json"
    path.write_bytes(text)
    with pytest.raises(BadInputError, match=r"camera\.json"):
        load_camera_file(path)


def test_an_absent_file_is_refused(tmp_path):
    with pytest.raises(BadInputError, match="cannot be read"):
        load_camera_file(tmp_path / "camera.json")


def test_a_scaled_camera_sees_the_same_rays():
    camera = camera_from_json(GOOD)
    half = camera.scaled(820, 616)
    # The middle of a pixel of the small picture is the middle of four pixels of the large one.
    assert (10.5 - camera.cx) / camera.fx == pytest.approx((5.0 - half.cx) / half.fx)
    assert isinstance(half, CameraModel)


def test_the_shared_camera_files_are_read(shared):
    files = sorted((shared / "photos" / "tables").glob("*.camera.json"))
    assert files
    for path in files:
        assert load_camera_file(path).pieces.tile_across_flats_mm == 70.0
