"""What happens to a table without being a move: a hand, the lamp, a bumped camera, a pushed garden, a mug.

Looks are compared by where the marker cards and the pond lie in the picture and to each other. Cards that keep their
places to the garden while all move in the picture: the camera moved. Cards that stay in the picture while the garden
moves: the garden was pushed. One card against the others: that card was moved. A thing that was not there before is
noticed once; what stood there from the beginning belongs to the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from math import atan2, cos, dist, hypot, pi, remainder, sin

from companion.observation import LookContext, Observation, Status

Point = tuple[float, float]
Thing = tuple[float, float, float]


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
MOVED_PITCH = 0.045
"""The same as a share of the way from one cell to the next, where the look says how far that is."""
MOVED_MM = 9.0
"""The garden is found to two or three millimetres, and a plot more can shift its fit a little."""
FARTHEST_MM, MOST_TURNED = 60.0, 0.12
"""Nobody pushes a garden further, or turns it by more (radians), and leaves it whole."""
AGREES_MM = 6.0
"""Cards that lay still are as far apart as they were, but for this."""
RELIT = 0.045
"""A change of the light by this much (natural logarithm), where the eye compared spot by spot."""
BRIGHTER = 1.12
"""A change of the picture's brightness by this factor is the light: a mug or a few plots change it by less."""
TINTED = 0.06
"""A change of a colour ratio by this much is another light; a card less in sight changes it by less."""
HAND_SHARE = 0.01
"""A hand covers at least this share of the garden and its surroundings."""
NEAR_MM = 30.0
"""A thing is found again within this of its rim."""
GREW, GREW_MM = 1.4, 6.0
"""What is larger by more than this factor and so much has a second thing beside it."""
FORGOTTEN = 2
"""A thing that so many looks in turn do not show, no hand in them, was taken away."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """A thing on the table, and how many looks in turn have not shown it."""

    thing: Thing
    missed: int = 0


class Attention:
    """What was noticed so far at one table, so that what stays is said once."""

    def __init__(self) -> None:
        """Begin without having looked."""
        self._last: LookContext | None = None
        self._sure: LookContext | None = None
        """The last look that surely showed the garden in its place."""
        self._elsewhere: LookContext | None = None
        """A look that showed it where no push can have brought it: it may be right, and those before wrong."""
        self._things: tuple[_Kept, ...] = ()

    def take(self, now: Observation, believed: Observation | None = None) -> tuple[Notice, ...]:
        """What happened since the last look, apart from moves.

        Args:
            now: the look.
            believed: what is left of it after the garden that must lie there was held against it; by default all.
        """
        if now.context is None:
            return compare(None, now if believed is None else believed)
        if believed is not None and believed.context is None:
            # The garden is seen where it does not lie: only a hand is believed.
            return compare(None, now)
        noticed = self._since(now, now.context)
        unseen = believed is not None and believed.status is Status.OCCLUDED and now.status is Status.CLEAR
        if unseen and not now.context.objects and Notice.HAND not in noticed:
            # Plots that lie there are not seen, and no thing explains it.
            return (Notice.HAND, *noticed)
        return noticed

    def _since(self, now: Observation, context: LookContext) -> tuple[Notice, ...]:
        last = self._last
        hand = has_hand(now)
        noticed = compare(last, now, self._sure)
        if last is not None and hand:
            # A hand darkens the picture and its shadow the cards: the light is that of the last look without one.
            context = replace(context, luma=last.luma, chroma=last.chroma)
        self._last = context
        if not context.pond_is_clear:
            return noticed
        if self._sure is not None and _is_elsewhere(self._sure, context):
            if self._elsewhere is None or _is_elsewhere(self._elsewhere, context):
                self._elsewhere = context
                return noticed
            self._things = tuple(map(_Kept, context.objects))
        fresh = [thing for thing in context.objects if not any(_same(kept.thing, thing) for kept in self._things)]
        if self._sure is not None and fresh:
            noticed = (*noticed, Notice.OBJECT)
        kept = [self._after(old, context, hand) for old in self._things]
        self._things = (*(one for one in kept if one.missed < FORGOTTEN), *map(_Kept, fresh))
        self._sure, self._elsewhere = context, None
        return noticed

    @staticmethod
    def _after(old: _Kept, now: LookContext, hand: bool) -> _Kept:
        again = next((thing for thing in now.objects if _same(old.thing, thing)), None)
        if again is not None:
            return _Kept(again)
        return old if hand else replace(old, missed=old.missed + 1)


def _same(one: Thing, other: Thing) -> bool:
    small, large = sorted((one[2], other[2]))
    return dist(one[:2], other[:2]) < small + NEAR_MM and large < GREW * small + GREW_MM


def has_hand(look: Observation) -> bool:
    """Whether a hand is over the garden or beside it."""
    if look.context is None:
        return look.status is Status.OCCLUDED
    return look.context.hand_share > HAND_SHARE


def compare(last: LookContext | None, now: Observation, sure: LookContext | None = None) -> tuple[Notice, ...]:
    """What looks alone tell: all but whether a thing is new.

    Args:
        last: the context of the look before; None: only the look itself is judged.
        now: the look.
        sure: the context of the last look that surely showed the garden; by default the look before.
    """
    found = [Notice.HAND] if has_hand(now) else []
    if now.context is None or last is None:
        return tuple(found)
    moved = _moved(last, now.context, sure or last)
    if not found and _light_changed(last, now.context, same_view=Notice.CAMERA_MOVED not in moved):
        found.append(Notice.LIGHT)
    return (*found, *moved)


def _light_changed(before: LookContext, now: LookContext, *, same_view: bool) -> bool:
    """A camera that looks elsewhere sees another brightness under the same lamps, but no other white."""
    if now.relit is not None:
        return now.relit > RELIT
    if same_view and before.luma and now.luma and not 1 / BRIGHTER < now.luma / before.luma < BRIGHTER:
        return True
    if before.chroma is None or now.chroma is None:
        return False
    return max(abs(a - b) for a, b in zip(before.chroma, now.chroma, strict=True)) > TINTED


def _moved(last: LookContext, now: LookContext, sure: LookContext) -> tuple[Notice, ...]:
    """What moved, judged by the cards that both looks show; without any of them nothing is said."""
    cards = _in_both(last, now)
    if not cards:
        return ()
    standing = _standing(last, now, cards)
    in_picture = {card for card in cards if dist(last.cards_px[card], now.cards_px[card]) > _limit_px(last)}
    pond = None if _is_elsewhere(last, now) else _pond_moved(last, now)
    all_moved = standing.cards <= in_picture
    found = []
    # Where the garden is not sure, several cards that keep their places to each other stand for it.
    if all_moved and (len(standing.cards) > 1 if pond is None else pond):
        found.append(Notice.CAMERA_MOVED)
    if pond is not None and (in_picture - standing.cards or (all_moved and not pond)):
        found.append(Notice.CARD_MOVED)
    elif _is_pushed(sure, now):
        found.append(Notice.GARDEN_MOVED)
    return tuple(found)


def _is_pushed(sure: LookContext, now: LookContext) -> bool:
    """Whether the garden lies otherwise to the cards than it surely lay."""
    cards = _in_both(sure, now)
    if not cards or _is_elsewhere(sure, now):
        return False
    standing = _standing(sure, now, cards)
    still = all(dist(sure.cards_px[card], now.cards_px[card]) <= _limit_px(sure) for card in standing.cards)
    return standing.pushed_mm > MOVED_MM and not (still and _pond_moved(sure, now) is False)


def _pond_moved(before: LookContext, now: LookContext) -> bool | None:
    """Whether the pond moved in the picture, as far as is known."""
    if before.pond_px is None or now.pond_px is None:
        return None
    return dist(before.pond_px, now.pond_px) > _limit_px(before)


def _in_both(before: LookContext, now: LookContext) -> list[int]:
    return sorted(before.cards_px.keys() & now.cards_px.keys() & before.cards_mm.keys() & now.cards_mm.keys())


def _limit_px(look: LookContext) -> float:
    if look.pond_px is None or look.east_px is None:
        return MOVED_PX
    return MOVED_PITCH * dist(look.pond_px, look.east_px)


def _is_elsewhere(before: LookContext, now: LookContext) -> bool:
    """Whether the two looks cannot mean the same garden: one of them took something else for the pond."""
    cards = _in_both(before, now)
    if not now.pond_is_clear or not before.pond_is_clear:
        return True
    if not cards:
        return False
    standing = _standing(before, now, cards)
    return standing.pushed_mm > FARTHEST_MM or standing.turned > MOST_TURNED


@dataclass(frozen=True, slots=True)
class _Standing:
    """Which cards keep their places to each other, and how the garden lies to them now."""

    cards: frozenset[int]
    pushed_mm: float
    """How far the pond moved against them."""
    turned: float = 0.0
    """How far the garden turned against them, radians; a garden that looks alike in several turns did not."""


def _standing(before: LookContext, now: LookContext, cards: list[int]) -> _Standing:
    """What most cards agree on.

    Every pair of cards that are as far apart as they were says how the garden lies now; the one that most others agree
    with is right, the one that moved the garden least where they are equal.
    """
    best: _Standing | None = None
    for one, other in combinations(cards, 2):
        apart = dist(before.cards_mm[one], before.cards_mm[other])
        if abs(apart - dist(now.cards_mm[one], now.cards_mm[other])) > AGREES_MM:
            continue
        move = _Rigid.of(before.cards_mm, now.cards_mm, one, other)
        agree = frozenset(
            card for card in cards if dist(move.to(before.cards_mm[card]), now.cards_mm[card]) <= AGREES_MM
        )
        found = _Standing(agree, hypot(*move.to((0.0, 0.0))), abs(remainder(move.turn, pi / 3)))
        if best is None or (len(agree), -found.pushed_mm) > (len(best.cards), -best.pushed_mm):
            best = found
    if best is not None:
        return best
    shifts = {card: dist(before.cards_mm[card], now.cards_mm[card]) for card in cards}
    first = min(cards, key=lambda card: shifts[card])
    return _Standing(frozenset({first}), shifts[first])


@dataclass(frozen=True, slots=True)
class _Rigid:
    """A turn and a shift of the garden frame."""

    turn: float
    middle: Point
    moved: Point

    @classmethod
    def of(cls, old: Mapping[int, Point], new: Mapping[int, Point], one: int, other: int) -> _Rigid:
        """The one that carries two cards from their old places to their new ones, as well as can be."""
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = old[one], old[other], new[one], new[other]
        turn = atan2(dy - cy, dx - cx) - atan2(by - ay, bx - ax)
        return cls(turn, ((ax + bx) / 2, (ay + by) / 2), ((cx + dx) / 2, (cy + dy) / 2))

    def to(self, point: Point) -> Point:
        """Where a point goes."""
        x, y = point[0] - self.middle[0], point[1] - self.middle[1]
        c, s = cos(self.turn), sin(self.turn)
        return c * x - s * y + self.moved[0], s * x + c * y + self.moved[1]
