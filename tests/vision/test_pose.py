"""The table's pose from marker cards, on drawn corners and on rendered pictures."""

from __future__ import annotations

import numpy as np
import pytest
from test_geometry import CAMERA, oblique_view
from vision_scenes import rendered

from vision.cards import CardImage, find_cards
from vision.geometry import rotation_2d
from vision.pose import pose_from_cards, square_mm

PLACES = {0: (-180.0, 120.0, 0.2), 1: (190.0, 110.0, 1.4), 2: (170.0, -140.0, -0.6), 3: (-160.0, -130.0, 3.0)}


def seen_cards(noise_px: float = 0.0, only: tuple[int, ...] = (0, 1, 2, 3)) -> list[CardImage]:
    rng = np.random.default_rng(1)
    view = oblique_view()
    cards = []
    for number in only:
        x, y, angle = PLACES[number]
        corners = square_mm(CAMERA.markers.size_mm) @ rotation_2d(angle).T + (x, y)
        cards.append(CardImage(number, view.project(corners, 0.0) + rng.normal(0, noise_px, (4, 2))))
    return cards


def test_four_cards_give_the_camera_to_a_millimetre():
    pose = pose_from_cards(seen_cards(0.1), CAMERA)
    assert pose is not None
    assert pose.elevation_deg() == pytest.approx(50.0, abs=0.2)
    assert pose.eye_mm[2] == pytest.approx(oblique_view().eye_mm[2], abs=2.0)
    assert pose.reprojection_px < 0.3
    gap = np.linalg.norm(np.subtract(pose.cards[0].centre_mm, pose.cards[1].centre_mm))
    assert gap == pytest.approx(np.hypot(370.0, 10.0), abs=1.0)


@pytest.mark.parametrize("only", [0, 1, 2, 3])
def test_one_card_suffices(only):
    pose = pose_from_cards(seen_cards(0.05, (only,)), CAMERA)
    assert pose is not None
    tilts = [pose.elevation_deg(), *(other.elevation_deg() for other in pose.others)]
    assert min(abs(tilt - 50.0) for tilt in tilts) < 2.0


def test_a_card_that_does_not_lie_flat_is_left_out():
    cards = seen_cards(0.1)
    twisted = cards[2].corners_px + np.array([[0.0, 0.0], [25.0, -10.0], [0.0, 0.0], [-20.0, 15.0]])
    pose = pose_from_cards([*cards[:2], CardImage(2, twisted), cards[3]], CAMERA)
    assert pose is not None
    assert pose.left_out == (2,)
    assert pose.elevation_deg() == pytest.approx(50.0, abs=0.3)


def test_no_card_gives_no_pose():
    assert pose_from_cards([], CAMERA) is None


def test_cards_of_a_rendered_table_are_found_and_place_the_camera():
    scene, picture = rendered(11)
    pose = pose_from_cards(find_cards(picture.image, scene.camera), scene.camera)
    assert pose is not None
    assert {card.id for card in pose.cards} <= {card.marker for card in scene.markers}
    assert pose.elevation_deg() == pytest.approx(picture.view.elevation_deg(), abs=0.6)
    assert pose.eye_mm[2] == pytest.approx(picture.view.eye_mm[2], rel=0.01)


def test_ids_that_are_not_in_the_kit_are_no_cards():
    scene, picture = rendered(11)
    from dataclasses import replace

    other = replace(scene.camera, markers=replace(scene.camera.markers, ids=(40, 41)))
    assert find_cards(picture.image, other) == ()
