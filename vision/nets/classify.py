"""From picture, camera and lattice to honest distributions for every candidate cell and edge.

The networks are trained on rendered tables only, with flat targets where nothing can be seen, so that a hidden thing
comes out as an unknown. Their logits are divided by one temperature a head, fitted on scenes held out from training.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.pieces import Colour
from companion.observation import MARKINGS, Marking
from vision.geometry import Floats, Image, View
from vision.nets.badges import BadgeNet
from vision.nets.behind import hidden_share, lost, with_hidden
from vision.nets.blobs import Blob, edge_blob, mirrored, tall_blob, tall_view, tile_blob
from vision.nets.crops import Pyramid, TallCrops, edge_crops, tall_crops, tile_crops
from vision.nets.runner import Network, model_path
from vision.nets.upright import SURE, apart
from vision.nets.white import guessed_white, white_of_cards

KINDS: tuple[Colour | str, ...] = ("nothing", *Colour, "pond")
"""What may lie on a cell, in the order of `CellGuesses.kind_p`."""
_KIND, _MARKING, _TILE_FIGURES, _HIDDEN = slice(0, 5), slice(5, 12), slice(12, 14), 14
"""Of the tile network's logits."""
_HEIGHT, _STALKS, _TALL_FIGURES, _STALK_HIDDEN = slice(0, 5), slice(1, 5), slice(5, 7), 7
"""Of the upright network's logits."""
_FIGURES = ("gardener", "panda")
_BADGE_TRUST, _TILE_TRUST = 0.8, 0.35
"""How far each of the two opinions on a marking counts: they see the same pixels, the near look more of them."""


@dataclass(frozen=True, slots=True, eq=False)
class CellGuesses:
    """What the network says of N cells; rows in the order of the cells asked for."""

    kind_p: Blob
    """(N, 5): nothing, green, yellow, pink, pond (`KINDS`); sums to one."""
    marking_p: Blob
    """(N, 7): in the order of `companion.observation.MARKINGS`; given that a plot lies here; sums to one."""
    height_p: Blob
    """(N, 5): 0 to 4 sections, given that a plot lies here; sums to one."""
    gardener_p: Blob
    """(N,): that the gardener stands here, asked of each cell by itself."""
    panda_p: Blob
    """(N,)"""
    hidden: Blob
    """(N,): share of the tile that cannot be seen."""
    stalk_hidden: Blob
    """(N,): share of the place of a stalk that cannot be seen."""
    embedding: Blob
    """(N, 32): the look of the tile, for prototypes of a taught art profile; near means alike."""

    def marking(self, row: int) -> dict[Marking, float]:
        """The marking's distribution of one cell."""
        return {marking: float(p) for marking, p in zip(MARKINGS, self.marking_p[row], strict=True)}


@dataclass(frozen=True, slots=True, eq=False)
class EdgeGuesses:
    """What the network says of M edges; rows in the order of the edges asked for."""

    channel_p: Blob
    """(M,): that a channel lies here."""
    hidden: Blob
    """(M,): share of the edge that cannot be seen."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """One picture made ready: its pyramid, the camera over the table, and how white looks in it."""

    pyramid: Pyramid
    view: View
    white: NDArray[np.float32]
    """BGR (3,), 0 to 255."""

    @classmethod
    def of(cls, image: Image, view: View, cards_mm: Iterable[Floats] = ()) -> Look:
        """Make a picture ready.

        Args:
            image: uint8 (H, W, 3) BGR.
            view: the camera over the table (a TablePose is one).
            cards_mm: corners (4, 2) of the marker cards' black squares on the table; without any, white is guessed.
        """
        white = white_of_cards(image, view, cards_mm)
        return cls(Pyramid(image), view, guessed_white(image) if white is None else white)


_SURELY_NOTHING = 0.97
"""A cell that is bare table with this probability is asked nothing more."""


class CellNet:
    """The two networks of cells: one looks from above at the tile, one upright at what stands on it."""

    def __init__(self) -> None:
        self._tile = Network(model_path("tile"), ("logits", "embedding"))
        self._tall = Network(model_path("tall"), ("logits", "pairs"))
        self._badges = BadgeNet()

    def classify(self, look: Look, centres_mm: Floats, angle: float | Floats) -> CellGuesses:
        """What lies on every cell.

        Args:
            look: the picture.
            centres_mm: (N, 2) cell centres on the table.
            angle: direction of the lattice's east, radians in the table frame; one, or one a cell (N,).
        """
        middles = np.asarray(centres_mm, dtype=np.float64).reshape(-1, 2)
        turns = np.broadcast_to(np.asarray(angle, dtype=np.float64), (len(middles),))
        crops = tile_crops(look.pyramid, look.view, middles, turns)
        tile, embedding = self._tile.run(tile_blob(crops, look.white), crops.view)
        kind_p = _softmax(tile[:, _KIND] / self._tile.heat("kind"))
        # What stands on a cell and how it is marked is asked only where something may lie: it is most of the work.
        there = np.flatnonzero(kind_p[:, 0] < _SURELY_NOTHING)
        standing = tall_crops(look.pyramid, look.view, middles[there], turns[there])
        asked = self._standing(standing, look.white, kind_p[there, 1:4].sum(axis=1) > 1 - _SURELY_NOTHING)
        tall = np.zeros((len(tile), asked.shape[1]), dtype=np.float32)
        tall[:, _TALL_FIGURES] = tile[:, _TILE_FIGURES]
        tall[:, _STALK_HIDDEN] = tile[:, _HIDDEN]
        tall[there] = asked
        marked = np.flatnonzero(kind_p[:, 1:4].sum(axis=1) > 1 - _SURELY_NOTHING)
        badges = np.zeros((len(tile), len(MARKINGS)), dtype=np.float32)
        badges[marked] = self._badges.classify(look.pyramid, look.view, look.white, middles[marked], turns[marked])
        marking_p = _softmax(_TILE_TRUST * tile[:, _MARKING] / self._tile.heat("marking") + _BADGE_TRUST * badges)
        height_p = _softmax(tall[:, _HEIGHT] / self._tall.heat("height"))
        behind = hidden_share(look.view, middles[marked], turns[marked], height_p[marked])
        hidden = _sigmoid(tile[:, _HIDDEN])
        marking_p[marked] = with_hidden(marking_p[marked], lost(behind, hidden[marked]))
        # Both networks are asked for the figures; their mean is better than either.
        heats = [[net.heat(figure) for figure in _FIGURES] for net in (self._tile, self._tall)]
        figures = _sigmoid((tile[:, _TILE_FIGURES] / heats[0] + tall[:, _TALL_FIGURES] / heats[1]) / 2.0)
        return CellGuesses(
            kind_p=kind_p,
            marking_p=marking_p,
            height_p=height_p,
            gardener_p=figures[:, 0],
            panda_p=figures[:, 1],
            hidden=hidden,
            stalk_hidden=_sigmoid(tall[:, _STALK_HIDDEN]),
            embedding=embedding,
        )

    def _standing(self, crops: TallCrops, white: NDArray[np.float32], may_grow: NDArray[np.bool_]) -> Blob:
        """The upright network's logits of these cells; doubtful heights are looked at again in the mirror."""
        blob, figures = tall_blob(crops, white), tall_view(crops)

        def asked(seen: Blob, some: NDArray[np.intp] | slice) -> Blob:
            logits, pairs = self._tall.run(seen, figures[some])
            logits[:, _STALKS] += apart(pairs, crops.rises[some])
            return logits

        once = asked(blob, slice(None))
        sure = _softmax(once[:, _HEIGHT] / self._tall.heat("height")).max(axis=1) >= SURE
        again = np.flatnonzero(may_grow & ~sure)
        if len(again):
            once[again, _HEIGHT] = (
                once[again, _HEIGHT] + asked(mirrored(blob[again]), again)[:, _HEIGHT]
            ) / np.float32(2.0)
        return once


_EDGES_AT_ONCE = 4
"""An edge takes 0.12 ms then, by itself 0.14; of the larger networks' crops more at once are no quicker."""


class EdgeNet:
    """The network of edges."""

    def __init__(self) -> None:
        self._net = Network(model_path("edge"), ("logits",), _EDGES_AT_ONCE)

    def classify(self, look: Look, middles_mm: Floats, along: Floats) -> EdgeGuesses:
        """Where channels lie.

        Args:
            look: the picture.
            middles_mm: (M, 2) middles of the edges on the table.
            along: (M,) directions of the edges, radians in the table frame.
        """
        crops = edge_crops(look.pyramid, look.view, middles_mm, along)
        (logits,) = self._net.run(edge_blob(crops, look.white), crops.view)
        return EdgeGuesses(_sigmoid(logits[:, 0] / self._net.heat("channel")), _sigmoid(logits[:, 1]))


def _softmax(logits: NDArray[np.floating[Any]]) -> Blob:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), dtype=np.float32)


def _sigmoid(logits: NDArray[np.floating[Any]]) -> Blob:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logits, -30.0, 30.0))), dtype=np.float32)
