"""Where the record itself may have gone astray: what looks like a slip that nobody mends is its own mistake.

A stalk that was followed wrongly, or a slip that never was noticed, shows as a height that does not fit, turn after
turn. People mend what they are shown; so the longer it stays, the likelier it is that the position is wrong.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from math import log

from companion.games.takenoko.hexgrid import Hex
from companion.games.takenoko.pieces import MAX_GROWTH
from companion.games.takenoko.position import corrected
from companion.games.takenoko.state import State
from companion.reconcile.model import Model
from companion.reconcile.nodes import Node, Variant, log_sum
from companion.reconcile.slips import Slip

_WITHIN = 6.0
"""Only what is not much worse than the best (natural log) is worth a doubt."""


def amended(nodes: Collection[Node], turn: int, model: Model) -> list[Node]:
    """Further positions after a turn: those in which the stalks of slips that still lie there are set right.

    Args:
        nodes: the positions after the turn, each with its past.
        turn: the number of the turn that has ended.
        model: what is believed beforehand.
    """
    lowest = max((node.best() for node in nodes), default=0.0) - _WITHIN
    found: list[Node] = []
    for node in nodes:
        groups: dict[tuple[Slip, ...], dict[Variant, list[float]]] = {}
        for variant, weight in node.variants.items():
            wrong = tuple(slip for slip in variant.lying if _is_stalk(slip) and slip.turn < turn)
            if wrong and node.score + weight > lowest:
                left = tuple(slip for slip in variant.lying if slip not in wrong)
                after = variant._replace(lying=left, ended=(left, *variant.ended[1:]))
                cost = len(wrong) * log(model.play.astray)
                groups.setdefault(wrong, {}).setdefault(after, []).append(weight + cost)
        for wrong, variants in groups.items():
            state = _set_right(node.state, wrong)
            if state is not None and node.past is not None:
                found.append(
                    replace(
                        node,
                        state=state,
                        start=state,
                        seen=state,
                        past=replace(node.past, end=state),
                        variants={variant: log_sum(weights) for variant, weights in variants.items()},
                    )
                )
    return found


def _is_stalk(slip: Slip) -> bool:
    return slip.delta != 0 and isinstance(slip.at, Hex)


def _set_right(state: State, slips: tuple[Slip, ...]) -> State | None:
    """The position with the stalks as high as they look; None where no stalk can be so high."""
    bamboo = {}
    for slip in slips:
        plot = state.plots.get(slip.at) if isinstance(slip.at, Hex) else None
        if plot is None or not 0 <= plot.bamboo + slip.delta <= MAX_GROWTH:
            return None
        bamboo[str(slip.at)] = plot.bamboo + slip.delta
    return corrected(state, {"bamboo": bamboo})
