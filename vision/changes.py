"""What differs from the last look at the same table: how a hand or a mug shows that no network knows.

The last look is kept as a small picture without what was foreign in it (`companion.observation.Glimpse`). The light may
have changed from one to the other, smoothly over the table; shadows darken and keep their colour. What else differs,
and is no piece on the garden's tiles, is foreign: a hand where it reaches the picture's border, else a thing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.hexgrid import Hex
from companion.observation import Glimpse, LookContext
from vision.geometry import Floats, Image
from vision.lattice import Lattice
from vision.nets.crops import Pyramid
from vision.nets.foreign import COLUMNS, ROWS, STRIDE, ForeignMap, Window
from vision.pose import TablePose

TILE_PX = 10.0
"""How wide a tile is about in the small picture."""
_TINTED, _BRIGHTER, _DARKER = 0.04, 0.1, 0.7
"""From so much on (natural logarithm) a pixel differs: in colour, to the bright, and darker than a shadow makes it."""
_NOISE = 7.0
"""And by so many times what pixels usually differ by: noise, or what a lamp did that is no even slope of light."""
_SETTLED = 0.15
"""Pixels that differ by less carry the fit of the light."""
_STRANGE = 0.45
"""If a larger share differs, or fits no change of the light, another view is seen: nothing can be said."""
_LEAST_TILES = 0.45
"""What differs off the garden by less than this many tiles is a die, a coin, or a card's edge."""
_RATHER_HAND = -1.5
"""Mean log odds, hand less thing, from which on what comes in from the border is a hand: of rendered and
recorded nights 22 hands had -1.1 and more, 4 mugs -2.0 and less."""
_BORDER_PX = 2
MOST_HELD = 6
"""After so many looks in turn with something foreign in the same picture, it belongs to the table."""
Mask = NDArray[np.bool_]


_MOVED_PITCH = 0.045
"""Cards that moved in the picture by a larger share of the way from one cell to the next: camera or cards moved."""
_ABOUT = 1.4
"""What a piece changes about its tile: its shadow, and the tile itself that was nudged; in circumradii."""
_CARD_ABOUT = 1.7
"""The same of a marker card with its paper, in half diagonals of its black square."""


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """Where a hand and where a thing is that the last look did not show, in the small picture, and what to keep."""

    hand: Mask
    thing: Mask
    glimpse: Glimpse
    relit: float | None = None
    """How much the light changed since (natural logarithm); None where there was nothing to compare with."""
    compared: bool = False
    """Whether all that is foreign shows: there was a last look, and this is the same view."""

    def on(self, window: Window, network: Callable[[], ForeignMap]) -> ForeignMap:
        """What differs, laid out as the network's map; what the network is sure of where nothing could be compared."""
        if not self.compared:
            return network().sure()
        rows, columns = ROWS // STRIDE, COLUMNS // STRIDE
        if not (self.hand.any() or self.thing.any()):
            nothing = np.zeros((rows, columns), dtype=np.float32)
            return ForeignMap(window, nothing, nothing)
        spots = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).astype(np.float64)
        at = ((window.to_px(spots) + 0.5) / 2**self.glimpse.level - 0.5).astype(np.float32)
        hand, thing = (
            cv2.remap(mask.astype(np.float32), at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
            for mask in (self.hand, self.thing)
        )
        return ForeignMap(window, np.asarray(hand, np.float32), np.asarray(thing, np.float32))


def small_level(tile_px: float) -> int:
    """The level of the pyramid that the small picture is."""
    return max(0, round(float(np.log2(max(tile_px, 1.0) / TILE_PX))))


def changes(
    pyramid: Pyramid,
    tile_px: float,
    before: Glimpse | None,
    pieces: Sequence[Floats],
    network: Callable[[], ForeignMap],
) -> Changes:
    """Compare a picture with the last look at the same table.

    Args:
        pyramid: the picture.
        tile_px: how wide a tile is in it.
        before: the last look; None if there is none, or if the camera or a card has moved since.
        pieces: outlines in the picture, to be made convex, of where pieces of the game may have changed (`pieces_px`).
        network: what it says, asked only where it is needed: over a whole region it tells a sleeve from a mug.
    """
    level = small_level(tile_px) if before is None else before.level
    now = pyramid.level(level)
    rows, columns = now.shape[:2]
    nothing = np.zeros((rows, columns), dtype=bool)
    if before is None or (before.columns, before.rows) != (columns, rows) or before.held >= MOST_HELD:
        return Changes(nothing, nothing, Glimpse(now.tobytes(), columns, rows, level))
    old = np.frombuffer(before.pixels, dtype=np.uint8).reshape(rows, columns, 3)
    differs, light = _differences(now, old)
    relit = float(np.abs(np.median(light.reshape(-1, 3), axis=0)).max())
    if differs.mean() > _STRANGE:
        return Changes(nothing, nothing, Glimpse(now.tobytes(), columns, rows, level), relit)
    explained = _filled(pieces, level, nothing.shape)
    hand, thing = _named(differs, explained, 0.75 * (tile_px / 2**level) ** 2, level, network)
    foreign = cv2.dilate((hand | thing).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    held = before.held + 1 if foreign.any() else 0
    if hand.any():
        # A hand casts shadows and takes light away: nothing of this look is kept.
        return Changes(hand, thing, replace(before, held=held), relit, compared=True)
    relit_old = np.clip((old + 12.0) * np.exp(light) - 12.0, 0, 255).astype(np.uint8)
    kept = np.where(foreign[..., None], relit_old, now)
    return Changes(hand, thing, Glimpse(kept.tobytes(), columns, rows, level, held), relit, compared=True)


def _filled(outlines_px: Sequence[Floats], level: int, shape: tuple[int, ...]) -> Mask:
    """The pixels of the small picture inside any of the outlines."""
    inside = np.zeros(shape, np.uint8)
    for outline in outlines_px:
        points = (outline + 0.5) / 2**level - 0.5
        cv2.fillConvexPoly(inside, np.rint(cv2.convexHull(points.astype(np.float32))).astype(np.int32), 1)
    return np.asarray(inside > 0)


def last_glimpse(anchor: LookContext | None, pose: TablePose) -> Glimpse | None:
    """The last look's small picture, if the camera and all cards are where they were."""
    if anchor is None or anchor.glimpse is None or anchor.pond_px is None or anchor.east_px is None:
        return None
    limit = _MOVED_PITCH * float(np.hypot(*np.subtract(anchor.pond_px, anchor.east_px)))
    both = [card for card in pose.cards if card.id in anchor.cards_px]
    if not both:
        return None
    now = pose.project(np.array([card.centre_mm for card in both]), 0.0)
    then = np.array([anchor.cards_px[card.id] for card in both])
    return anchor.glimpse if float(np.linalg.norm(now - then, axis=1).max()) <= limit else None


def pieces_px(pose: TablePose, lattice: Lattice, tiles: Sequence[Hex]) -> list[Floats]:
    """Where pieces may be: these tiles, what stands on them and lies about them, and the marker cards in sight."""
    sizes = pose.camera.pieces
    tall = max(5.0 * sizes.section_height_mm, sizes.gardener_mm, sizes.panda_mm)
    middles = [(card.corners_mm, card.corners_mm.mean(axis=0)) for card in pose.cards]
    cards = [pose.project(middle + _CARD_ABOUT * (corners - middle), 0.0) for corners, middle in middles]
    if not tiles:
        return cards
    feet = pose.project(np.array([lattice.corners_mm(cell, scale=_ABOUT) for cell in tiles]), 0.0)
    tops = pose.project(np.array([lattice.corners_mm(cell) for cell in tiles]), tall)
    return [*cards, *np.concatenate([feet, tops], axis=1)]


def _differences(now: Image, old: Image) -> tuple[Mask, Floats]:
    """Which pixels differ by more than light and shadow, and how the light changed (H, W, 3), natural logarithm.

    All differ where no change of the light brings most of the pixels together.
    """
    ratio = _logs(now) - _logs(old)
    rows, columns = ratio.shape[:2]
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j].astype(np.float32)
    terms = np.stack([np.ones_like(x), x, y], axis=-1)
    some = np.s_[::3, ::3]
    basis, wanted = terms[some].reshape(-1, 3), ratio[some].reshape(-1, 3)
    light = np.zeros((3, 3), dtype=np.float32)
    light[0] = np.median(wanted, axis=0)
    for _ in range(3):
        settled = np.abs(wanted - basis @ light).max(axis=1) < _SETTLED
        if settled.sum() < len(wanted) // 4:
            break
        light = np.linalg.lstsq(basis[settled], wanted[settled], rcond=None)[0]
    field = terms @ light
    left = ratio - field
    if (np.abs(left).max(axis=2) < _SETTLED).mean() < _STRANGE:
        return np.ones(ratio.shape[:2], dtype=bool), np.asarray(field)
    bright = left.mean(axis=2)
    tint = np.abs(left - bright[..., None]).max(axis=2)
    usual_tint, usual_bright = (float(np.median(np.abs(each))) * _NOISE for each in (tint, bright))
    differs = (tint > max(_TINTED, usual_tint)) | (bright > max(_BRIGHTER, usual_bright)) | (bright < -_DARKER)
    return np.asarray(differs), np.asarray(field)


_LOG = np.log(np.arange(256, dtype=np.float32) + 12.0)


def _logs(picture: Image) -> NDArray[np.float32]:
    return np.asarray(_LOG[cv2.blur(picture, (3, 3))])


def _named(
    differs: Mask, explained: Mask, tile: float, level: int, network: Callable[[], ForeignMap]
) -> tuple[Mask, Mask]:
    """What differs, as hands and things.

    Args:
        differs: the pixels.
        explained: where pieces of the game may differ.
        tile: the area of a tile, pixels.
        level: of the small picture.
        network: what it says.
    """
    hand, thing = np.zeros_like(differs), np.zeros_like(differs)
    whole = cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    whole = cv2.morphologyEx(whole, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    outlines, _ = cv2.findContours(whole, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    inner = np.zeros_like(differs)
    inner[_BORDER_PX:-_BORDER_PX, _BORDER_PX:-_BORDER_PX] = True
    for outline in outlines:
        region = np.zeros(differs.shape, np.uint8)
        cv2.drawContours(region, [outline], -1, 1, cv2.FILLED)
        inside = region > 0
        size, alien = int(inside.sum()), int((inside & ~explained).sum())
        if alien < _LEAST_TILES * tile:
            continue
        comes_in = bool((inside & ~inner).any())
        if comes_in and _is_rather_hand(inside, level, network()):
            hand |= inside
        elif alien * 2 > size:
            thing |= inside
    return hand, thing


def _is_rather_hand(inside: Mask, level: int, found: ForeignMap) -> bool:
    """Whether the network, weak as it is for a single spot, takes a region for a hand rather than for a thing."""
    rows, columns = np.nonzero(inside)
    px = (np.stack([columns, rows], axis=-1).astype(np.float64) + 0.5) * 2.0**level - 0.5
    hand, thing = (np.clip(p, 1e-6, 1.0 - 1e-6) for p in found.read(px[None]))
    odds = np.log(hand / (1.0 - hand)) - np.log(thing / (1.0 - thing))
    return float(odds.mean()) > _RATHER_HAND
