"""From switch edges to presses, on a clock that is handed in."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from companion.adapters.gestures import STUCK_S, Gesture, Switch


def switch() -> Switch:
    return Switch(bounce_s=0.03, hold_s=1.0)


def test_a_press_counts_at_its_first_edge():
    assert switch().edge(10.0, True) == [Gesture.PRESS]


def test_a_bouncing_press_is_one_press():
    finger = switch()
    gestures = []
    for ms, down in [(0, True), (2, False), (3, True), (7, False), (9, True), (200, False), (203, True), (206, False)]:
        gestures += finger.edge(10 + ms / 1000, down)
    gestures += finger.due(11.5)
    assert gestures == [Gesture.PRESS]
    assert not finger.down


def test_a_release_that_fell_into_the_window_is_noticed_at_its_end():
    finger = switch()
    finger.edge(10.0, True)
    finger.edge(10.01, False)
    assert finger.next_due() == 10.03
    finger.due(10.03)
    assert not finger.down
    assert finger.edge(10.2, True) == [Gesture.PRESS]


def test_a_hold_comes_once_after_its_time():
    finger = switch()
    finger.edge(10.0, True)
    assert finger.due(10.9) == []
    assert finger.due(11.0) == [Gesture.HOLD]
    assert finger.due(12.0) == []


def test_a_short_press_is_no_hold():
    finger = switch()
    finger.edge(10.0, True)
    assert finger.edge(10.5, False) == []
    assert finger.due(12.0) == []


def test_a_shorted_switch_is_reported_once_and_its_recovery_too():
    finger = switch()
    finger.edge(10.0, True)
    assert finger.due(10.0 + STUCK_S) == [Gesture.HOLD, Gesture.STUCK]
    assert finger.due(100.0) == []
    assert finger.edge(101.0, False) == [Gesture.FREE]


@given(st.lists(st.tuples(st.floats(0.0001, 0.2), st.booleans()), max_size=60))
def test_presses_are_never_closer_than_the_bounce_window(edges):
    finger, now, presses = switch(), 0.0, []
    for pause, down in edges:
        now += pause
        presses += [now for gesture in finger.edge(now, down) if gesture is Gesture.PRESS]
    assert all(later - earlier >= 0.03 - 1e-9 for earlier, later in pairwise(presses))
