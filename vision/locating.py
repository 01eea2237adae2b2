"""Where the table and the honeycomb are in a picture, beginning where they were while the cards have not moved.

A camera over a table looks at the same garden again and again. While every marker card appears where it appeared,
camera and table stand as they stood: the pose holds, and the honeycomb only has to be seen again where it was. What
does not show there as clearly as before, or has grown to the rim of what was measured, is searched from the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.remarks import Remark
from vision.camera_file import CameraModel
from vision.cards import STILL_PX, CardImage
from vision.geometry import Floats, Image
from vision.honeycomb import Garden, clear_cells, find_garden, look_again, measured_about
from vision.pose import TablePose, pose_from_cards
from vision.unmarked import pose_from_tiles, with_tiles

_FEW_CARDS = 2
"""With so many cards or fewer the tiles help to find the pose: one small card tells the tilt to a degree or so."""
_CARD_MARGIN = 1.35
"""A card's white border and the black square, as against the square."""
_AS_CLEAR = 0.85
"""The outlines of the tiles show as clearly as before if they keep this share of their strength."""
_SHIFTED = 0.06
"""A tile of a garden that was pushed lies so far from where it lay, in tiles across flats."""


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    camera: CameraModel
    cards: tuple[CardImage, ...]
    """As they appeared when the pose was found."""
    pose: TablePose
    garden: Garden


class Locator:
    """Finds pose and honeycomb; remembers the last ones. Not for use by two threads at once."""

    def __init__(self) -> None:
        self._last: _Found | None = None

    @property
    def cards(self) -> tuple[CardImage, ...]:
        """The cards as they appeared when the pose was found that still holds."""
        return () if self._last is None else self._last.cards

    def locate(
        self, image: Image, camera: CameraModel, cards: Sequence[CardImage], warnings: list[Remark]
    ) -> tuple[TablePose, Garden] | None:
        """The table's pose and the honeycomb, by cards if there are any; None where no honeycomb is found.

        Args:
            image: uint8 (H, W, 3) BGR.
            camera: of this picture's size.
            cards: all that are seen in it.
            warnings: what the players should know is added here.
        """
        last, self._last = self._last, None
        again = None if last is None else _seen_again(image, camera, cards, last)
        found: tuple[TablePose, Garden] | None
        if last is not None and again is not None:
            # The first pictures of the cards stay the measure, so that they cannot creep away.
            self._last, found = replace(last, garden=again), (last.pose, again)
        else:
            found = _searched(image, camera, cards)
            self._last = None if found is None or not cards else _Found(camera, tuple(cards), *found)
        if not cards:
            warnings.append(Remark("eye.no_card"))
        elif found is not None and found[0].left_out:
            names = ", ".join(str(card) for card in found[0].left_out)
            warnings.append(Remark("eye.cards_left_out", {"cards": names}))
        return found

    def settle_on(self, garden: Garden) -> None:
        """The honeycomb proved to be another than was found: the next look begins there."""
        if self._last is not None:
            self._last = replace(self._last, garden=garden)


def _seen_again(image: Image, camera: CameraModel, cards: Sequence[CardImage], last: _Found) -> Garden | None:
    """The garden where it was, if nothing moved and nothing new lies at the rim of it."""
    before = {card.id: card.corners_px for card in last.cards}
    if camera != last.camera or before.keys() != {card.id for card in cards}:
        return None
    if any(np.linalg.norm(card.corners_px - before[card.id], axis=1).max() > STILL_PX for card in cards):
        return None
    covered = covered_by_cards(last.pose)
    garden = look_again(last.pose, image, last.garden, last.garden.lattice, covered)
    if not measured_about(garden.lattice):
        # It grew: what lies about the new tile is measured too.
        garden = look_again(last.pose, image, garden, garden.lattice, covered)
    was, now = last.garden.lattice, garden.lattice
    clear = clear_cells(was)
    strengths = [(was.tiles[cell].strength, now.tiles[cell].strength) for cell in clear if cell in now.tiles]
    moved = np.linalg.norm(now.centres_mm(clear) - was.centres_mm(clear), axis=1)
    if not clear or len(strengths) < len(clear) or float(np.median(moved)) > _SHIFTED * now.across_flats_mm:
        return None
    then, since = np.sum(strengths, axis=0)
    return garden if since >= _AS_CLEAR * then and measured_about(now) else None


def _searched(image: Image, camera: CameraModel, cards: Sequence[CardImage]) -> tuple[TablePose, Garden] | None:
    """Pose and honeycomb from the start."""
    pose = pose_from_cards(cards, camera)
    if pose is None:
        return pose_from_tiles(image, camera)
    trials = [pose, *pose.others] if len(pose.cards) == 1 else [pose]
    best: tuple[TablePose, Garden] | None = None
    for trial in trials:
        garden = find_garden(trial, image, covered_by_cards(trial))
        if garden is not None and (best is None or garden.strength > 1.5 * best[1].strength):
            best = trial, garden
    if best is None:
        return None
    if len(best[0].cards) <= _FEW_CARDS:
        refined, _ = with_tiles(best[0], best[1], cards)
        garden = find_garden(refined, image, covered_by_cards(refined))
        if garden is not None and garden.strength > 0.8 * best[1].strength:
            best = refined, garden
    return best


def covered_by_cards(pose: TablePose) -> list[Floats]:
    """Polygons (4, 2) of the table, mm, on which marker cards lie with their white borders."""
    middles = [(card.corners_mm, card.corners_mm.mean(axis=0)) for card in pose.cards]
    return [middle + _CARD_MARGIN * (corners - middle) for corners, middle in middles]
