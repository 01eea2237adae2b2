"""What happens to a table without being a move: a hand, the lamp, a bumped camera, a pushed garden, a mug.

Two looks are compared by where the marker cards and the pond lie in the picture and to each other. Cards that keep
their places to the garden while all move in the picture: the camera moved. Cards that stay in the picture while the
garden moves: the garden was pushed. One card against the others: that card was moved.
"""

from __future__ import annotations

from enum import StrEnum
from math import dist
from statistics import median

from companion.observation import LookContext, Observation, Status

Point = tuple[float, float]


class Notice(StrEnum):
    """The names are those of the public format."""

    HAND = "hand"
    LIGHT = "light"
    CAMERA_MOVED = "camera_moved"
    CARD_MOVED = "card_moved"
    GARDEN_MOVED = "garden_moved"
    OBJECT = "object"


MOVED_PX = 6.0
"""Cards of a still camera are found to a fraction of a pixel; a bump moves them by many."""
MOVED_MM = 9.0
"""The garden is found to two or three millimetres, and a plot more can shift its fit a little."""
BRIGHTER = 1.25
"""A change of the picture's brightness by this factor is a lamp, not a cloud."""
TINTED = 0.08
"""A change of a colour ratio by this much is another lamp."""
HAND_SHARE = 0.01
"""A hand covers at least this share of the garden and its surroundings."""


def compare(before: LookContext | None, now: Observation) -> tuple[Notice, ...]:
    """What happened since the last good look, apart from moves.

    Args:
        before: the context of the last good look; None: only the look itself is judged.
        now: the look.
    """
    context = now.context
    found: list[Notice] = []
    if now.status is Status.OCCLUDED or (context is not None and context.hand_share > HAND_SHARE):
        found.append(Notice.HAND)
    if context is None:
        return tuple(found)
    if before is not None:
        if _light_changed(before, context):
            found.append(Notice.LIGHT)
        found += _moved(before, context)
    known = () if before is None else before.objects
    if any(all(dist(thing[:2], other[:2]) > MOVED_MM * 2 for other in known) for thing in context.objects):
        found.append(Notice.OBJECT)
    return tuple(found)


def _light_changed(before: LookContext, now: LookContext) -> bool:
    if before.luma and now.luma and not 1 / BRIGHTER < now.luma / before.luma < BRIGHTER:
        return True
    if before.chroma is None or now.chroma is None:
        return False
    return max(abs(a - b) for a, b in zip(before.chroma, now.chroma, strict=True)) > TINTED


def _moved(before: LookContext, now: LookContext) -> list[Notice]:
    """What moved, judged by the cards that both looks show; without any of them nothing is said."""
    both = sorted(before.cards_px.keys() & now.cards_px.keys())
    if not both:
        return []
    in_picture = {card: dist(before.cards_px[card], now.cards_px[card]) for card in both}
    measured = [card for card in both if card in before.cards_mm and card in now.cards_mm]
    by_garden = {card: dist(before.cards_mm[card], now.cards_mm[card]) for card in measured}
    pond = None if before.pond_px is None or now.pond_px is None else dist(before.pond_px, now.pond_px)
    shifted = [card for card in both if in_picture[card] > MOVED_PX]
    off = [card for card in measured if by_garden[card] > MOVED_MM]
    if pond is not None and pond > MOVED_PX and not shifted:
        return [Notice.GARDEN_MOVED] if off else []
    if not shifted:
        return []
    if len(both) == 1:
        return [Notice.CAMERA_MOVED if pond is None or pond > MOVED_PX else Notice.CARD_MOVED]
    if len(shifted) * 2 > len(both) and median(in_picture.values()) > MOVED_PX:
        # The whole picture moved: the camera did. A garden that moved against the cards meanwhile is said too.
        pushed = bool(measured) and len(off) == len(measured)
        alone = bool(off) and not pushed
        return [
            Notice.CAMERA_MOVED,
            *([Notice.GARDEN_MOVED] if pushed else []),
            *([Notice.CARD_MOVED] if alone else []),
        ]
    return [Notice.CARD_MOVED]
