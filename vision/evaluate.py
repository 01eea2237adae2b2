"""How right the eye is on pictures whose truth is known.

Truth files (`NAME.truth.json`) say what lies where and how much of it can be seen. The garden's six turns cannot be
told apart in one picture, so the best of them counts. What is hidden or outside the picture is not scored: a plot
counts where at least a quarter of it can be seen, anything smaller where at least four tenths can.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.errors import BadInputError
from companion.games.takenoko.hexgrid import Edge, parse_edge, parse_hex, turned

PLOT_SEEN = 0.25
PIECE_SEEN = 0.40
CERTAIN = 0.5
"""A channel is held to lie there from this probability on."""


@dataclass(slots=True)
class Tally:
    """Right answers out of all, by kind of statement, and the probabilities that were given to them."""

    right: dict[str, int] = field(default_factory=dict)
    all: dict[str, int] = field(default_factory=dict)
    stated: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, kind: str, ok: bool, p: float | None = None) -> bool:
        """Count one statement; returns `ok`."""
        self.right[kind] = self.right.get(kind, 0) + ok
        self.all[kind] = self.all.get(kind, 0) + 1
        if p is not None:
            self.stated.append((min(max(p, 0.0), 1.0), ok))
        return ok

    def merge(self, other: Tally) -> None:
        """Add another tally's counts to this one's."""
        for kind, count in other.all.items():
            self.all[kind] = self.all.get(kind, 0) + count
            self.right[kind] = self.right.get(kind, 0) + other.right.get(kind, 0)
        self.stated.extend(other.stated)

    def wrong(self) -> int:
        """How many statements were wrong."""
        return sum(self.all.values()) - sum(self.right.values())

    def rates(self) -> dict[str, float]:
        """Share of right answers by kind."""
        return {kind: self.right[kind] / count for kind, count in self.all.items()}

    def calibration_error(self) -> float | None:
        """Expected calibration error over ten equal bins of stated probability; None where nothing was stated."""
        if not self.stated:
            return None
        bins: list[list[tuple[float, bool]]] = [[] for _ in range(10)]
        for p, ok in self.stated:
            bins[min(9, int(p * 10))].append((p, ok))
        return sum(abs(sum(p for p, _ in one) - sum(ok for _, ok in one)) for one in bins) / len(self.stated)


@dataclass(frozen=True, slots=True)
class Score:
    """One picture's tally."""

    name: str
    tier: str
    tally: Tally
    ms: float | None


def score_observation(truth: Mapping[str, Any], seen: Mapping[str, Any] | None) -> Tally:
    """Score one observation (formats, section 6) against the truth, by the best of the garden's six turns."""
    tallies = [_score_turned(truth, seen, sixths) for sixths in range(6)]
    return min(tallies, key=lambda tally: (tally.wrong(), -tally.right.get("colour", 0)))


def _score_turned(truth: Mapping[str, Any], seen: Mapping[str, Any] | None, sixths: int) -> Tally:
    tally = Tally()
    found = seen is not None and seen["status"] in ("clear", "occluded", "moving")
    said: Mapping[str, Any] = seen if seen is not None and found else {}
    tally.add("table", found)
    plots = {turned(parse_hex(plot["at"]), sixths): plot for plot in said.get("plots", ())}
    true_plots = {parse_hex(at): plot for at, plot in truth["plots"].items()}
    oks = [found]
    for at, plot in true_plots.items():
        if plot["visible"] >= PLOT_SEEN:
            oks += _score_plot(tally, plot, plots.get(at))
    if found:
        oks.append(tally.add("no_ghost_plots", all(at in true_plots for at in plots)))
    oks += _score_channels(tally, truth, said, sixths)
    for figure in ("gardener", "panda"):
        there = truth.get(figure)
        if there and there["visible"] >= PIECE_SEEN:
            told = said.get(figure)
            ok = told is not None and turned(parse_hex(told["at"]), sixths) == parse_hex(there["at"])
            oks.append(tally.add("figure", ok, None if told is None else told["p"]))
    tally.add("whole_table", all(oks))
    return tally


def _score_plot(tally: Tally, true: Mapping[str, Any], told: Mapping[str, Any] | None) -> list[bool]:
    answer: Mapping[str, Any] = told if told is not None else {}
    oks = [
        tally.add("plot_found", told is not None),
        tally.add("colour", answer.get("colour") == true["colour"], answer.get("p")),
    ]
    if true["improvement"] is None or true.get("icon_visible", 0.0) >= PIECE_SEEN:
        improvement = answer.get("improvement") or answer.get("chip")
        ok = told is not None and improvement == true["improvement"]
        oks.append(tally.add("improvement", ok, answer.get("improvement_p")))
    stalk_seen = true.get("bamboo_visible", 1.0) if true["bamboo"] else true["visible"]
    if stalk_seen >= PIECE_SEEN:
        height, p = answer.get("bamboo"), answer.get("bamboo_p")
        ok = height == true["bamboo"]
        oks.append(tally.add("height", ok, p[height] if p and height is not None else None))
        if true["bamboo"]:
            tally.add("height_of_stalks", ok)
    return oks


def _score_channels(tally: Tally, truth: Mapping[str, Any], said: Mapping[str, Any], sixths: int) -> list[bool]:
    def as_true(text: str) -> Edge:
        edge = parse_edge(text)
        return Edge.of(turned(edge.a, sixths), turned(edge.b, sixths))

    told = {as_true(one["edge"]): one["p"] for one in said.get("channels", ()) if one["p"] >= CERTAIN}
    true = {parse_edge(one["edge"]): one["visible"] for one in truth["channels"]}
    oks = [tally.add("channel_found", edge in told) for edge, share in true.items() if share >= PIECE_SEEN]
    return oks + [tally.add("channel_true", edge in true, p) for edge, p in told.items()]


def total(scores: Iterable[Score]) -> Tally:
    """All pictures together."""
    tally = Tally()
    for score in scores:
        tally.merge(score.tally)
    return tally


def figures(scores: list[Score]) -> dict[str, Any]:
    """The score table as JSON values: rates over all and by tier, the calibration error, the median time."""
    everything = total(scores)
    tiers = sorted({score.tier for score in scores})
    table: dict[str, Any] = {"photos": len(scores), **everything.rates()}
    error = everything.calibration_error()
    if error is not None:
        table["calibration_error"] = error
    times = [score.ms for score in scores if score.ms is not None]
    if times:
        table["ms"] = statistics.median(times)
    table["tiers"] = {tier: total(score for score in scores if score.tier == tier).rates() for tier in tiers}
    return table


def score_table(scores: list[Score]) -> str:
    """The score table for a person to read."""
    everything = total(scores)
    tiers = {tier: total(one for one in scores if one.tier == tier) for tier in sorted({one.tier for one in scores})}
    lines = [f"{len(scores)} photos"]
    for kind, rate in everything.rates().items():
        parts = "  ".join(
            f"{tier} {tally.right[kind]}/{tally.all[kind]}" for tier, tally in tiers.items() if kind in tally.all
        )
        lines.append(f"  {kind:18} {rate:.4f}  ({everything.right[kind]}/{everything.all[kind]})   {parts}")
    table = figures(scores)
    lines += [f"  {name:18} {table[name]:.4f}" for name in ("calibration_error", "ms") if name in table]
    return "\n".join(lines)


def truths_in(folder: Path) -> list[tuple[Path, dict[str, Any]]]:
    """All pictures of a folder that have a truth file, with their truth, in name order.

    Raises:
        BadInputError: if there is none, a truth file cannot be read, or its picture is missing.
    """
    out = []
    for path in sorted(folder.glob("*.truth.json")):
        try:
            truth = json.loads(path.read_text(encoding="utf-8"))
            picture = folder / truth["image"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BadInputError(f"{path}: not a truth file: {error}") from None
        if not picture.is_file():
            raise BadInputError(f"{path}: its picture {picture.name} is missing")
        out.append((picture, truth))
    if not out:
        raise BadInputError(f"{folder}: no *.truth.json here; give a folder of pictures with known truth")
    return out


SLACK = 0.005
"""A rate may be so much under the baseline before it counts as a fall: less than one statement in two hundred."""


def falls(table: Mapping[str, Any], baseline: Mapping[str, Any]) -> list[str]:
    """Where a score table is worse than a baseline, a line each; times are not compared, machines differ."""
    out = []
    for tier, rates in {"all": baseline, **baseline.get("tiers", {})}.items():
        have = table if tier == "all" else table.get("tiers", {}).get(tier, {})
        for kind, wanted in rates.items():
            if kind in ("tiers", "photos", "ms") or not isinstance(wanted, int | float):
                continue
            value = have.get(kind, 0.0)
            is_worse = value > wanted + SLACK if kind == "calibration_error" else value < wanted - SLACK
            if is_worse:
                out.append(f"{tier}: {kind} is {value:.4f}, the baseline has {wanted:.4f}")
    return out
