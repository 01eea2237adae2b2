"""What stalks hide of a tile may bear a badge."""

import numpy as np
import pytest
from test_nets_crops import view_from

from vision.nets.behind import hidden_share, lost, with_hidden

CENTRES = np.array([[0.0, 0.0], [70.0, 0.0], [35.0, 60.6]])
TURNS = np.zeros(3)


def stalks(*heights: int) -> np.ndarray:
    return np.eye(5, dtype=np.float32)[list(heights)]


def test_a_bare_tile_hides_nothing():
    assert hidden_share(view_from(50.0), CENTRES, TURNS, stalks(0, 0, 0)) == pytest.approx(0.0)
    assert hidden_share(view_from(50.0), np.zeros((0, 2)), np.zeros(0), stalks()).shape == (0,)


def test_the_higher_a_stalk_the_more_may_lie_behind_it():
    shares = [hidden_share(view_from(50.0, 90.0), CENTRES[:1], TURNS[:1], stalks(n))[0] for n in range(5)]

    assert all(np.diff(shares) >= 0.0)
    assert shares[0] == 0.0
    assert shares[2] > 0.0
    assert shares[4] < 0.2  # one place or two of twelve


def test_from_straight_above_a_stalk_hides_only_what_it_stands_on():
    assert hidden_share(view_from(89.0), CENTRES[:1], TURNS[:1], stalks(4)) == pytest.approx(0.0, abs=0.01)


def test_a_stalk_hides_part_of_the_tile_behind_it():
    """From a flat angle a high stalk rises before the next tile, whose own stalk is none."""
    flat = view_from(30.0, 180.0)
    alone = hidden_share(flat, CENTRES, TURNS, stalks(0, 0, 0))
    before = hidden_share(flat, CENTRES, TURNS, stalks(4, 4, 4))

    assert (before > alone).all()
    behind = hidden_share(flat, CENTRES[:2], TURNS[:2], stalks(4, 0)) + hidden_share(
        flat, CENTRES[:2], TURNS[:2], stalks(0, 4)
    )
    assert min(behind) > 0.0  # each hides of itself, and one of the two stands before the other


def test_a_doubtful_stalk_hides_as_often_as_it_stands():
    doubtful = np.array([[0.5, 0.0, 0.0, 0.0, 0.5]], dtype=np.float32)
    view = view_from(50.0, 90.0)

    half, whole = (hidden_share(view, CENTRES[:1], TURNS[:1], p)[0] for p in (doubtful, stalks(4)))

    assert 0.0 < half < whole


def test_only_no_badge_loses_to_what_cannot_be_seen():
    plain = np.array([[0.97, 0.005, 0.005, 0.005, 0.005, 0.005, 0.005]], dtype=np.float32)
    fence = np.array([[0.01, 0.01, 0.94, 0.01, 0.01, 0.01, 0.01]], dtype=np.float32)
    share = np.array([0.1])

    hidden = with_hidden(plain, share)[0]

    assert hidden.sum() == pytest.approx(1.0)
    assert hidden[0] == pytest.approx(0.97 / 1.582, rel=1e-3)
    assert hidden[1:] == pytest.approx([0.102 / 1.582] * 6, rel=0.01)
    assert with_hidden(fence, share)[0, 2] == pytest.approx(0.94, abs=0.01)
    assert with_hidden(plain, np.zeros(1)) == pytest.approx(plain)


def test_a_hand_over_a_tile_hides_its_badge_too():
    """A tile of which a fifth peeks out is not called plain for what is seen of it."""
    free, stood_on, under_a_hand = lost(np.zeros(3), np.array([0.05, 0.25, 0.8]))

    assert free == stood_on == 0.0
    assert under_a_hand > 0.6
    assert lost(np.array([0.1]), np.array([0.8]))[0] > under_a_hand
