"""Is the table still, and is no hand over it? Watched in a small grey stream, a millisecond a frame.

Three questions in order. Did the picture change since the frame before (motion)? Has it been quiet long enough? And if
so, does something new reach in from the picture's edge (a resting hand), measured against the last clean scene? A lamp
that is switched changes everything at once and is no hand; a thing left lying at the edge becomes part of the scene
after a while.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]


class Calm(StrEnum):
    """What the stream says."""

    MOVING = "moving"
    SETTLING = "settling"
    """Nothing moves, but not for long enough."""
    HAND = "hand"
    """Nothing moves, and something new reaches in from the picture's edge."""
    STILL = "still"


@dataclass(frozen=True, slots=True)
class StillnessPolicy:
    """When a table counts as still. Counts are frames; shares are of the picture."""

    quiet_frames: int = 6
    """Without motion before the table counts as still: 0.4 s at 15 frames a second."""
    moving_share: float = 0.001
    """More changed pixels from frame to frame are motion. A bamboo section covers about 0.0015 of the picture, a
    moving hand a hundred times as much."""
    hand_share: float = 0.006
    """A smaller thing at the edge is no hand."""
    lamp_share: float = 0.5
    """When more than this has changed, the light did."""
    absorb_frames: int = 150
    """A quiet thing at the edge is part of the scene after so many frames: 10 s at 15 frames a second."""
    least_step: int = 14
    """Grey levels of 255: a smaller change is noise, whatever the noise was measured to be."""


@dataclass(frozen=True, slots=True)
class Look:
    """One frame's verdict."""

    calm: Calm
    moved_share: float
    """Of the picture, changed since the frame before."""
    changed_share: float
    """Of the picture, changed since the last clean scene; 0 while something moves."""
    light_changed: bool = False
    """The whole picture changed brightness and nothing else: the scene was taken anew."""


class StillnessWatch:
    """Follows one stream of small grey pictures; all of one size, else it begins anew.

    Example:
        >>> watch = StillnessWatch(StillnessPolicy(quiet_frames=2))
        >>> table = np.full((27, 48), 90, np.uint8)
        >>> [watch.update(table).calm.value for _ in range(3)]
        ['settling', 'settling', 'still']
    """

    def __init__(self, policy: StillnessPolicy | None = None) -> None:
        self._policy = policy or StillnessPolicy()
        self._before: Grey | None = None
        self._scene: Grey | None = None
        self._quiet = 0
        self._kept_out = 0
        self._noise = 1.0

    def update(self, grey: Grey) -> Look:
        """Take the next picture.

        Args:
            grey: uint8 (h, w), about 480 wide.
        """
        policy = self._policy
        smooth = np.asarray(cv2.blur(grey, (5, 5)), np.uint8)
        before, self._before = self._before, smooth
        if before is None or before.shape != smooth.shape:
            self._quiet, self._scene, self._kept_out = 0, None, 0
            return Look(Calm.SETTLING, 0.0, 0.0)
        moved_share = self._moved(before, smooth)
        if moved_share > policy.moving_share:
            self._quiet = self._kept_out = 0
            return Look(Calm.MOVING, moved_share, 0.0)
        self._quiet += 1
        if self._quiet < policy.quiet_frames:
            return Look(Calm.SETTLING, moved_share, 0.0)
        return self._compare(smooth, moved_share)

    def forget_scene(self) -> None:
        """Take the next still picture as clean: after the camera was moved."""
        self._scene = None

    def _moved(self, before: Grey, smooth: Grey) -> float:
        difference = np.asarray(cv2.absdiff(before, smooth), np.uint8)
        # The median step of a quiet picture is its noise; while a hand moves, most of the picture is still quiet.
        self._noise += 0.1 * (float(np.median(difference[::4, ::4])) - self._noise)
        return _share(difference, max(self._policy.least_step, round(8 * self._noise)))

    def _compare(self, smooth: Grey, moved_share: float) -> Look:
        """A quiet picture against the last clean scene."""
        policy = self._policy
        if self._scene is None:
            self._scene = smooth
            return Look(Calm.STILL, moved_share, 0.0)
        changed = _changed(self._scene, smooth, max(policy.least_step, round(8 * self._noise)))
        changed_share = cv2.countNonZero(changed) / changed.size
        if changed_share > policy.lamp_share:
            self._scene, self._kept_out = smooth, 0
            return Look(Calm.STILL, moved_share, changed_share, light_changed=True)
        if _reaching_in(changed) > policy.hand_share and self._kept_out < policy.absorb_frames:
            self._kept_out += 1
            return Look(Calm.HAND, moved_share, changed_share)
        self._scene, self._kept_out = smooth, 0
        return Look(Calm.STILL, moved_share, changed_share)


def _share(difference: NDArray[np.uint8], step: int) -> float:
    return cv2.countNonZero(cv2.threshold(difference, step, 255, cv2.THRESH_BINARY)[1]) / difference.size


def _changed(scene: Grey, now: Grey, step: int) -> Grey:
    """Where the scene changed, 255, once a change of the light over the whole table is taken out."""
    grid = (12, 8)
    # How much brighter each part of the table is: a median over the neighbours, so that a hand does not count as light.
    was = cv2.resize(scene, grid, interpolation=cv2.INTER_AREA).astype(np.float32)
    ratio = (cv2.resize(now, grid, interpolation=cv2.INTER_AREA).astype(np.float32) + 4) / (was + 4)
    gain = cv2.resize(cv2.medianBlur(ratio, 5), scene.shape[::-1], interpolation=cv2.INTER_LINEAR)
    lit = cv2.multiply(scene, gain, dtype=cv2.CV_8U)
    return np.asarray(cv2.threshold(cv2.absdiff(lit, now), step, 255, cv2.THRESH_BINARY)[1], np.uint8)


def _reaching_in(changed: Grey) -> float:
    """Share of the picture in the largest changed patch that touches the picture's edge."""
    joined = cv2.morphologyEx(cv2.resize(changed, None, fx=0.5, fy=0.5), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    height, width = joined.shape
    count, _, stats, _ = cv2.connectedComponentsWithStats((joined > 127).astype(np.uint8))
    largest = 0
    for left, top, wide, high, area in stats[1:count]:
        if left == 0 or top == 0 or left + wide == width or top + high == height:
            largest = max(largest, int(area))
    return largest / joined.size
