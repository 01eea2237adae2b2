"""Which slips may lie on the table under a node: those that lay there, those that were mended, and new ones."""

from __future__ import annotations

from math import log
from operator import itemgetter

from companion.games.takenoko.state import State
from companion.reconcile.model import Model
from companion.reconcile.nodes import Node, Variant, log_sum, steps_of
from companion.reconcile.scoring import Scorer
from companion.reconcile.slip_search import SlipSearch, Trace
from companion.reconcile.slips import Place, Slip, Slips

_MOST_LYING = 3
"""So many slips at once lie on no table; where they seem to, the record has gone astray."""

_WEIGHT = itemgetter(0)
_Suggested = tuple[Slip, tuple[Place, ...], float, float]
"""A slip, the places that look different by it, its prior, and what it gains (natural logs)."""


class LyingSlips:
    """The slips that one look makes likelier or less likely."""

    def __init__(self, scorer: Scorer, model: Model, turn: int) -> None:
        """Take the look, what is believed beforehand, and the number of the turn in which slips would be new."""
        self._scorer = scorer
        self._model = model
        self._turn = turn
        self._search = SlipSearch(scorer.evidence, model.slip, turn)

    def weigh(self, node: Node, seen: State, *, suggest: bool) -> None:
        """Weigh the slips under a node anew.

        Args:
            node: its variants are replaced.
            seen: the position at the look before.
            suggest: whether slips are looked for that would explain what does not fit.
        """
        scorer, state = self._scorer, node.state
        varied: dict[tuple[Slips, bool, int], list[float]] = {}
        # What lay there at the ends of earlier turns is long and the same for many: it is compared once a variant.
        pasts: dict[tuple[Slips, ...], int] = {}
        suggested: list[_Suggested] | None = None
        for variant, weight in node.variants.items():
            lay = variant.lying
            taken = {place for slip in lay for place in slip.places()}
            past = pasts.setdefault(variant.ended, len(pasts))
            for lying, kept in self._mended(lay):
                base = weight + kept
                gain = 0.0
                for slip in lying:
                    gain += scorer.slip(state, seen, slip, lies=True, lay=True)
                gone = [scorer.slip(state, seen, slip, lies=False, lay=True) for slip in lay if slip not in lying]
                varied.setdefault((lying, variant.fresh, past), []).append(base + sum(gone, gain))
                if variant.fresh or not suggest or len(lying) >= _MOST_LYING:
                    continue
                if suggested is None:
                    suggested = self._suggested(node, seen)
                for slip, places, prior, own in suggested:
                    if taken and not taken.isdisjoint(places):
                        continue
                    weights = varied.setdefault(((*lying, slip), True, past), [])
                    weights.append(base + prior + sum(gone, gain + own))
        totals = [(log_sum(weights), key) for key, weights in varied.items()]
        totals.sort(key=_WEIGHT, reverse=True)
        lowest = totals[0][0] - self._model.effort.keep_within
        ends = list(pasts)
        node.variants = {
            Variant(lying, fresh, ends[past]): weight
            for weight, (lying, fresh, past) in totals[: self._model.effort.variants]
            if weight >= lowest
        }

    def _suggested(self, node: Node, seen: State) -> list[_Suggested]:
        """The slips that the look suggests of a node, whatever else lies there."""
        trace = Trace(node.start, [(seat, move) for seat, move, _ in steps_of(node.path)])
        return [
            (slip, slip.places(), prior, self._scorer.slip(node.state, seen, slip, lies=True, lay=False))
            for slip, prior in self._search.suggest(node.state, trace)
        ]

    def _mended(self, lying: Slips) -> list[tuple[Slips, float]]:
        """What may still lie there of the slips, with the log of its prior."""
        prior = self._model.slip
        ways: list[tuple[Slips, float]] = [((), 0.0)]
        for slip in lying:
            chance = prior.mended_later if slip.turn < self._turn else prior.mended_soon
            ways = [
                way
                for left, weight in ways
                for way in (((*left, slip), weight + log(1 - chance)), (left, weight + log(chance)))
            ]
        return ways
