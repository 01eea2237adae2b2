"""A camera and an eye as one: waits until the table lies still, looks, and keeps the picture for the camera page.

`LiveTable.look` is called over and over by the thread that watches; the camera page's calls may come from any thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import CameraError
from companion.observation import ExpectedLook, Observation, Status
from companion.remarks import Remark
from vision.burst import average_burst
from vision.cameras.port import Camera
from vision.framing import framing, hidden_cards
from vision.stillness import Calm, StillnessWatch

Image = NDArray[np.uint8]
Observe = Callable[[Image, ExpectedLook | None], Observation]
"""The eye: a picture, and what should lie there."""
Draw = Callable[[Image, Observation], Image]
"""Draws what was read into a copy of the picture."""

DARK_LUMA, BRIGHT_LUMA = 35.0, 225.0
"""Median brightness beyond which colours cannot be told."""
STEEP_DEG = 65.0
"""Looking down more steeply than this, heights of bamboo are hard to tell."""


@dataclass(frozen=True, slots=True)
class LiveSettings:
    """How a look is taken."""

    burst: int = 6
    """Stills of one look, averaged."""
    new_scene_share: float = 0.0008
    """Of the small picture: with less changed since the last look, it is still the same scene."""
    preview_width_px: int = 1024
    preview_quality: int = 80


class LiveTable:
    """Looks at a table through a camera.

    Args:
        camera: where pictures come from.
        observe: the eye.
        watch: tells when the table lies still.
        draw: draws the overlay of the camera page; without it the picture is shown as it is.
        settings: how a look is taken.
        card_ids: the marker cards that should lie there.
    """

    def __init__(
        self,
        camera: Camera,
        observe: Observe,
        watch: StillnessWatch | None = None,
        draw: Draw | None = None,
        settings: LiveSettings | None = None,
        card_ids: tuple[int, ...] = (),
    ) -> None:
        self._camera = camera
        self._observe = observe
        self._watch = watch or StillnessWatch()
        self._draw = draw
        self._settings = settings or LiveSettings()
        self._card_ids = card_ids
        self._lock = threading.Lock()
        self._image: Image | None = None
        self._seen: Observation | None = None
        self._error: str | None = None
        self._told: Calm | None = None
        self._looked = False

    def look(self, expected: ExpectedLook | None = None, *, at_once: bool = False) -> Observation | None:
        """One turn of watching: takes one small picture, and a look when it is time for one.

        Args:
            expected: what should lie there.
            at_once: look now, whatever moves and even if nothing changed.

        Returns:
            A look at the table when it has come to rest in a new scene; once `moving` when it begins to move and once
            `occluded` when a hand rests on it; else None: nothing new.

        Raises:
            CameraError: no picture; the text names the remedy. Call again: the camera may come back.
        """
        try:
            verdict = self._watch.update(self._camera.luma())
            if at_once:
                return self._take(expected)
            if verdict.calm is Calm.STILL:
                changed = verdict.light_changed or verdict.changed_share > self._settings.new_scene_share
                if self._looked and not changed:
                    self._told = Calm.STILL
                    return None
                return self._take(expected)
        except CameraError as error:
            self._looked, self._told = False, None
            with self._lock:
                self._error = str(error)
            raise
        return self._disturbed(verdict.calm)

    def picture(self, overlay: bool) -> bytes | None:
        """The newest still as JPEG, smaller than it was taken; None before the first."""
        with self._lock:
            image, seen = self._image, self._seen
        if image is None:
            return None
        if overlay and self._draw is not None and seen is not None:
            image = self._draw(image, seen)
        width = min(self._settings.preview_width_px, image.shape[1])
        size = (width, round(image.shape[0] * width / image.shape[1]))
        small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        # Not the camera's own encoder: on some formats it dies in a thread of its own, in silence.
        written, data = cv2.imencode(".jpg", small, (cv2.IMWRITE_JPEG_QUALITY, self._settings.preview_quality))
        return data.tobytes() if written else None

    def status(self) -> Mapping[str, Any]:
        """JSON values for the camera page."""
        with self._lock:
            seen, error, image = self._seen, self._error, self._image
        pose = seen.pose if seen is not None else None
        cards = sorted(seen.context.cards_px) if seen is not None and seen.context is not None else []
        return {
            "source": self._camera.name,
            "open": error is None and seen is not None,
            "error": error,
            "cards": cards,
            "reprojection_px": None if pose is None else round(pose.reprojection_px, 2),
            "advice": [] if seen is None or image is None else self._advice(seen, image),
        }

    def _advice(self, seen: Observation, image: Image) -> list[dict[str, Any]]:
        height, width = image.shape[:2]
        general = [{"id": name, "params": {}} for name in advice(seen)]
        general += [{"id": remark.id, "params": dict(remark.params)} for remark in remarks(seen)]
        return [*general, *framing(seen, width, height), *hidden_cards(seen, self._card_ids)]

    def recalibrate(self) -> None:
        """Forget the scene: the next still picture is looked at anew."""
        self._watch.forget_scene()
        self._looked = False

    def close(self) -> None:
        """Let the camera go."""
        self._camera.close()

    def _take(self, expected: ExpectedLook | None) -> Observation:
        frames = [self._camera.grab().image for _ in range(self._settings.burst)]
        image = average_burst(frames) if len({frame.shape for frame in frames}) == 1 else frames[-1]
        seen = self._observe(image, expected)
        self._looked, self._told = True, Calm.STILL
        with self._lock:
            self._image, self._seen, self._error = image, seen, None
        return seen

    def _disturbed(self, calm: Calm) -> Observation | None:
        if calm is Calm.SETTLING or calm is self._told:
            return None
        self._told, self._looked = calm, False
        if calm is Calm.MOVING:
            return Observation(Status.MOVING, Remark("eye.moving"))
        return Observation(Status.OCCLUDED, Remark("eye.hand_rests"))


def remarks(seen: Observation) -> list[Remark]:
    """What the eye itself remarks, but for what `advice` says already."""
    every = [*([] if seen.reason is None else [seen.reason]), *seen.warnings]
    return [remark for remark in every if remark.id != "eye.no_card"]


def advice(seen: Observation) -> list[str]:
    """What would help the camera, as message ids, the most urgent first."""
    found: list[str] = []
    context = seen.context
    if context is not None and context.luma is not None:
        if context.luma < DARK_LUMA:
            found.append("camera.too_dark")
        elif context.luma > BRIGHT_LUMA:
            found.append("camera.too_bright")
    if seen.status is Status.NO_TABLE:
        found.append("camera.no_table")
    if context is None or not context.cards_px:
        found.append("camera.no_card")
    elif len(context.cards_px) == 1:
        found.append("camera.one_card")
    if seen.pose is not None:
        rotation = cv2.Rodrigues(np.asarray(seen.pose.rvec, float))[0]
        # The camera looks along its z axis, which leans out of the table's normal by this much.
        if np.degrees(np.arcsin(min(1.0, abs(float(rotation[2, 2]))))) > STEEP_DEG:
            found.append("camera.too_steep")
    return found
