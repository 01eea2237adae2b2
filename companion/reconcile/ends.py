"""Where a turn ends: ways to one end are merged, and the positions that the next turn may start from are chosen."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import replace

from companion.reconcile.model import Effort
from companion.reconcile.nodes import RANK, Node, Past, Variant, log_sum, steps_of, with_each
from companion.reconcile.scoring import Scorer


def ended(nodes: Iterable[Node]) -> list[Node]:
    """The positions after turns that are complete, each with the turn as its past; the same ones merged."""
    merged: dict[Hashable, Node] = {}
    for node in nodes:
        past = Past(node.start, steps_of(node.path), node.state, node.refused, node.taken_back, node.past)
        variants: dict[Variant, float] = {}
        for variant, weight in node.variants.items():
            after = Variant(lying=variant.lying, ended=(variant.lying, *variant.ended))
            known = variants.get(after)
            variants[after] = weight if known is None else log_sum([known, weight])
        _add(merged, Node(node.state, node.state, node.seen, node.score, node.prior, variants, past=past), node.past)
    return list(merged.values())


def carried(nodes: Collection[Node], scorer: Scorer | None, effort: Effort) -> list[Node]:
    """The positions that go on: the likeliest, and those that fit best what the next look shows.

    Args:
        nodes: the positions after the turn.
        scorer: the next look, where a hand left open how the turn ended.
        effort: how many go on.
    """
    kept = _best_ends(nodes, Node.best, effort.ends if scorer is None else effort.open_ends, effort)
    if scorer is not None:
        for node in nodes:
            node.rank = scorer.rank(node)
        kept += [node for node in _best_ends(nodes, RANK, effort.ends, effort) if node not in kept]
    for root, node in enumerate(kept):
        node.root = root
    return kept


def _best_ends(nodes: Iterable[Node], by: Callable[[Node], float], most: int, effort: Effort) -> list[Node]:
    ranked = sorted(nodes, key=by, reverse=True)
    lowest = by(ranked[0]) - effort.ends_within
    return [node for node in with_each(ranked, most, _history) if by(node) >= lowest]


def _history(node: Node) -> Hashable:
    before = None if node.past is None else node.past.before
    return None if before is None else before.ends()


def forgotten(nodes: Sequence[Node], *, turns: int) -> list[Node]:
    """The nodes with the history before their last turns forgotten (it has been reported), best first.

    Args:
        nodes: positions at the start of a turn.
        turns: how many ended turns are remembered.
    """
    merged: dict[Hashable, Node] = {}
    for node in nodes:
        variants: dict[Variant, list[float]] = {}
        for variant, weight in node.variants.items():
            variants.setdefault(variant._replace(ended=variant.ended[: turns + 1]), []).append(weight)
        past = None if node.past is None else node.past.no_longer_than(turns)
        totals = {variant: log_sum(weights) for variant, weights in variants.items()}
        _add(merged, replace(node, past=past, variants=totals), past)
    ranked = sorted(merged.values(), key=Node.best, reverse=True)
    top = ranked[0].best()
    for root, node in enumerate(ranked):
        node.score -= top
        node.prior -= top
        node.root = root
    return ranked


def _add(merged: dict[Hashable, Node], node: Node, past: Past | None) -> None:
    """Add a way to a position, told apart by the ends of earlier turns."""
    key = (node.state, None if past is None else past.ends())
    other = merged.get(key)
    merged[key] = node if other is None else _merge(other, node)


def _merge(one: Node, other: Node) -> Node:
    """Two ways to the same end: the better one's history, both weights."""
    better, worse = (one, other) if one.best() >= other.best() else (other, one)
    shift = worse.score - better.score
    variants = dict(better.variants)
    for variant, weight in worse.variants.items():
        known = variants.get(variant)
        variants[variant] = weight + shift if known is None else log_sum([known, weight + shift])
    better.variants = variants
    return better
