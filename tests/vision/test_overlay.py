"""What is drawn into a picture can be read: sized by the tiles, on any ground, no word over another."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.labels import WHITE, Labels

INKS = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0)]


def drawn(ground, texts, places, letter_px, inks=(WHITE,) * 4):
    canvas = ground.copy()
    labels = Labels(canvas)
    for text, at, ink in zip(texts, places, inks, strict=False):
        labels.put([(text, ink)], at, letter_px)
    labels.draw()
    return canvas


def boxes(texts, places, letter_px):
    """What each label's ink fills: left, top, right, bottom."""
    canvas = drawn(np.full((616, 820, 3), 128, np.uint8), texts, places, letter_px, INKS)
    found = []
    for ink in INKS[: len(texts)]:
        rows, columns = np.nonzero((np.abs(canvas.astype(int) - ink) < 100).all(axis=2))
        found.append((columns.min(), rows.min(), columns.max() + 1, rows.max() + 1))
    return found


def over(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("letter_px", [7.0, 12.0, 25.0])
def test_labels_about_one_place_stand_beside_each_other(letter_px):
    found = boxes(["1,0: 3", "/watershed", "panda", "gardener"], [(400, 300)] * 4, letter_px)
    assert not any(over(one, other) for index, one in enumerate(found) for other in found[:index])


def test_a_label_at_the_border_stays_within_the_picture():
    places = [(2, 2), (817, 3), (5, 613), (818, 614)]
    found = boxes(["+fertilizer"] * 4, places, 12.0)
    for (left, top, right, bottom), (x, y) in zip(found, places, strict=True):
        assert left >= 0
        assert top >= 0
        assert right <= 820
        assert bottom <= 616
        assert abs((left + right) / 2 - x) < 90
        assert abs((top + bottom) / 2 - y) < 30


def test_nothing_is_written_about_a_place_outside_of_the_picture():
    ground = np.full((100, 100, 3), 128, np.uint8)
    assert (drawn(ground, ["panda"] * 2, [(-5, 20), (20, 130)], 12.0) == ground).all()


@pytest.mark.parametrize("letter_px", [7.0, 12.0, 28.0])
@pytest.mark.parametrize("tone", [0, 128, 255])
def test_letters_have_their_height_and_a_rim_of_two_pixels_at_most(letter_px, tone):
    """What is dark stays beside what is bright: a rim wider than the letters is a second, shifted text."""
    canvas = drawn(np.full((200, 400, 3), tone, np.uint8), ["HHH"], [(200, 100)], letter_px)
    reference = drawn(np.full((200, 400, 3), 128, np.uint8), ["HHH"], [(200, 100)], letter_px)
    bright = (reference > 200).all(axis=2)
    rows = np.nonzero(bright.any(axis=1))[0]
    assert rows.max() - rows.min() + 1 == pytest.approx(letter_px, abs=1.6)
    near = cv2.dilate(bright.astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
    changed = (canvas != tone).any(axis=2)
    assert not (changed & ~near).any()
    assert (canvas[bright] > 200).all()


def test_a_long_remark_is_broken_where_the_picture_ends():
    canvas = np.full((200, 400, 3), 128, np.uint8)
    labels = Labels(canvas)
    labels.head(["the picture has 1640 x 1232 pixels, the camera file speaks of 820 x 616: use the right one"], 12.0)
    labels.draw()
    rows, columns = np.nonzero((canvas != 128).any(axis=2))
    assert columns.max() < 399
    assert rows.max() > 30


def test_labels_give_way_to_the_remarks_above():
    canvas = np.full((200, 400, 3), 128, np.uint8)
    labels = Labels(canvas)
    labels.head(["clear"], 12.0)
    labels.put([("1,0: 3", (90, 225, 255))], (20, 8), 12.0)
    labels.draw()
    yellow = (canvas[..., 0] < 130) & (canvas[..., 2] > 230)
    white = (canvas > 230).all(axis=2)
    assert np.nonzero(yellow.any(axis=1))[0].min() > np.nonzero(white.any(axis=1))[0].max()
