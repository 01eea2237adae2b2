"""Measure the networks alone on photos with truth: confusion tables, tier by tier, and optionally the failing crops.

    python -m vision.training.measure ../shared/photos/tables [--nights ../shared/photos/nights] [--crops DIR]

The lattice comes from the pipeline's own parts; which cell is the pond, and which of the six turns holds, is taken
from the best fit to the truth, since only the networks are measured here.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.games.takenoko.hexgrid import DIRECTIONS, POND, Edge, Hex, parse_edge, parse_hex, turned
from companion.games.takenoko.pieces import Colour
from companion.observation import MARKINGS
from vision.camera_file import CameraModel, load_camera_file
from vision.geometry import Image
from vision.lattice import Lattice
from vision.nets.blobs import Blob
from vision.nets.classify import CellGuesses, CellNet, EdgeNet, Look
from vision.nets.crops import tall_crops, tile_crops
from vision.training.registered import registered

log = logging.getLogger("measure")
SEEN = 0.4
PLOT_SEEN = 0.25
COLOURS = tuple(Colour)
NAMES = ("none", *(f"{m.improvement}{'+' if m.chip else ''}" for m in MARKINGS[1:]))


@dataclass(frozen=True, slots=True)
class Truth:
    """What lies on one photo's table, with how much of it can be seen."""

    plots: Mapping[Hex, Mapping[str, Any]]
    channels: Mapping[Edge, float]
    figures: Mapping[str, tuple[Hex, float]]
    tier: str


@dataclass(slots=True)
class Score:
    """Right and all by question, wrong answers by what was said for what, and stated probabilities."""

    right: Counter[str] = field(default_factory=Counter)
    all: Counter[str] = field(default_factory=Counter)
    wrong: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    stated: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, question: str, said: str, true: str, p: float) -> bool:
        """Count one answer."""
        ok = said == true
        self.all[question] += 1
        self.right[question] += ok
        self.stated.append((p, ok))
        if not ok:
            self.wrong[question][f"{true} as {said}"] += 1
        return ok

    def error(self) -> float:
        """Expected calibration error over ten bins."""
        total = 0.0
        for i in range(10):
            inside = [(p, ok) for p, ok in self.stated if i / 10 <= p < (i + 1) / 10 or (i == 9 and p >= 1.0)]
            total += abs(sum(p for p, _ in inside) - sum(ok for _, ok in inside))
        return total / max(1, len(self.stated))


def table_truth(data: Mapping[str, Any]) -> Truth:
    """From NAME.truth.json."""
    figures = {
        name: (parse_hex(data[name]["at"]), float(data[name]["visible"]))
        for name in ("gardener", "panda")
        if data.get(name)
    }
    return Truth(
        {parse_hex(at): plot for at, plot in data["plots"].items()},
        {parse_edge(c["edge"]): float(c["visible"]) for c in data["channels"]},
        figures,
        data["tier"],
    )


def night_truth(position: Mapping[str, Any], tier: str) -> Truth:
    """From a position of a night: everything counts as seen."""
    plots: dict[Hex, dict[str, Any]] = {}
    for at, text in position["plots"].items():
        what, height = text.split()
        source = "chip" if "+" in what else "printed"
        colour, _, improvement = what.replace("+", "/").partition("/")
        plots[parse_hex(at)] = {
            "colour": colour, "improvement": improvement or None, "source": source if improvement else None,
            "bamboo": int(height), "visible": 1.0,
        }  # fmt: skip
    figures = {name: (parse_hex(position[name]), 1.0) for name in ("gardener", "panda")}
    return Truth(plots, {parse_edge(e): 1.0 for e in position["channels"]}, figures, tier)


def photos(root: Path) -> Iterator[tuple[str, Image, CameraModel, Truth]]:
    """All photos of a folder with truth."""
    for file in sorted(root.glob("*.truth.json")):
        name = file.name.removesuffix(".truth.json")
        image = cv2.imread(str(root / f"{name}.jpg"))
        yield (
            name,
            np.asarray(image, np.uint8),
            load_camera_file(root / f"{name}.camera.json"),
            table_truth(json.loads(file.read_text())),
        )


def night_frames(root: Path) -> Iterator[tuple[str, Image, CameraModel, Truth]]:
    """The frames of all nights whose position is known."""
    for night in sorted(path for path in root.iterdir() if path.is_dir()):
        camera = load_camera_file(night / "camera.json")
        for line in (night / "truth_positions.jsonl").read_text().splitlines():
            turn = json.loads(line)
            image = cv2.imread(str(night / turn["frame"]))
            yield (
                f"{night.name}-{Path(turn['frame']).stem}",
                np.asarray(image, np.uint8),
                camera,
                night_truth(turn["position"], night.name),
            )


def aligned(truth: Truth, cells: tuple[Hex, ...], guesses: CellGuesses) -> dict[Hex, Hex]:
    """Lattice cell by truth cell, for the pond and turn under which the truth is most likely."""
    logs = {cell: np.log(np.maximum(guesses.kind_p[i], 1e-3)) for i, cell in enumerate(cells)}
    outside = np.log(np.array([0.9, 1e-3, 1e-3, 1e-3, 1e-3]))
    index = {at: 1 + COLOURS.index(Colour(plot["colour"])) for at, plot in truth.plots.items()} | {POND: 4}
    best, answer = -np.inf, {}
    for pond in cells:
        for sixths in range(6):
            named = {at: _add(turned(at, sixths), pond) for at in index}
            score = sum(
                logs.get(named[at], outside)[kind] - logs.get(named[at], outside)[0] for at, kind in index.items()
            )
            if score > best:
                best, answer = float(score), named
    pond, east = answer[POND], None
    first = next(iter(truth.plots), None)
    for sixths in range(6):
        if first is None or _add(turned(first, sixths), pond) == answer[first]:
            east = sixths
            break
    around = {cell: cell for cell in cells}
    return {turned(_sub(cell, pond), -(east or 0)): cell for cell in around}


def _add(a: Hex, b: Hex) -> Hex:
    return Hex(a.q + b.q, a.r + b.r)


def _sub(a: Hex, b: Hex) -> Hex:
    return Hex(a.q - b.q, a.r - b.r)


def measure(
    name: str, look: Look, lattice: Lattice, cells: tuple[Hex, ...], truth: Truth, nets: tuple[CellNet, EdgeNet],
    score: Score, crops_dir: Path | None,
) -> None:  # fmt: skip
    """Score one photo."""
    centres = np.array([lattice.centre_mm(cell) for cell in cells])
    turns = np.array([lattice.turn_of(cell) for cell in cells])
    guesses = nets[0].classify(look, centres, turns)
    places = aligned(truth, cells, guesses)
    row = {cell: i for i, cell in enumerate(cells)}
    failing: list[tuple[int, str]] = []

    def say(question: str, i: int, names: tuple[str, ...], p: Blob, true: str) -> None:
        best = int(p.argmax())
        if not score.add(question, names[best], true, float(p[best])):
            failing.append((i, f"{name} {question} {true} as {names[best]} {p[best]:.2f}"))

    near = {neighbour for at in (*truth.plots, POND) for neighbour in (_add(at, d) for d in DIRECTIONS)}
    for at in near - set(truth.plots) - {POND}:
        if at in places:
            say("empty", row[places[at]], ("nothing", *COLOURS, "pond"), guesses.kind_p[row[places[at]]], "nothing")
    for at, plot in truth.plots.items():
        if plot["visible"] < PLOT_SEEN:
            continue
        if at not in places:
            score.all["colour"] += 1
            continue
        i = row[places[at]]
        say("colour", i, ("nothing", *COLOURS, "pond"), guesses.kind_p[i], plot["colour"])
        icon = plot.get("icon_visible")
        marking = (
            "none" if plot["improvement"] is None else plot["improvement"] + ("+" if plot["source"] == "chip" else "")
        )
        if plot["improvement"] is None or icon is None or icon >= SEEN:
            say("marking", i, NAMES, guesses.marking_p[i], marking)
            by_kind = np.concatenate([guesses.marking_p[i][:1], guesses.marking_p[i][1:4] + guesses.marking_p[i][4:]])
            say("improvement", i, NAMES[:4], by_kind, plot["improvement"] or "none")
        if (plot.get("bamboo_visible", 1.0) if plot["bamboo"] else plot["visible"]) >= SEEN:
            heights = tuple("01234")
            say("height", i, heights, guesses.height_p[i], str(plot["bamboo"]))
            if plot["bamboo"]:
                say("height_of_stalks", i, heights, guesses.height_p[i], str(plot["bamboo"]))
    for figure, p in (("gardener", guesses.gardener_p), ("panda", guesses.panda_p)):
        at, visible = truth.figures.get(figure, (POND, 0.0))
        if visible >= SEEN and at in places:
            best = int(p.argmax())
            ok = cells[best] == places[at]
            score.add("figure", "here" if ok else "elsewhere", "here", float(p[best]))
            if not ok:
                failing.append(
                    (row[places[at]], f"{name} {figure} at {at}: {p[row[places[at]]]:.2f}, best {p[best]:.2f}")
                )
    _measure_edges(name, look, lattice, places, truth, nets[1], score)
    for i, text in failing:
        log.info("  %s", text)
        if crops_dir is not None:
            cell = centres[i : i + 1], turns[i : i + 1]
            both = np.zeros((160, 160 + 112, 3), np.uint8)
            both[:, :160] = cv2.resize(tile_crops(look.pyramid, look.view, *cell).pixels[0], (160, 160))
            both[:, 160:] = cv2.resize(tall_crops(look.pyramid, look.view, *cell).pixels[0, :80], (112, 160))
            cv2.imwrite(str(crops_dir / (text.replace(" ", "_").replace("/", "") + ".png")), both)


def _measure_edges(
    name: str, look: Look, lattice: Lattice, places: Mapping[Hex, Hex], truth: Truth, net: EdgeNet, score: Score
) -> None:
    tiles = set(truth.plots) | {POND}
    edges = sorted(
        {Edge.of(at, _add(at, d)) for at in tiles for d in DIRECTIONS if at in places and _add(at, d) in places}
    )
    spots = [lattice.edge_mm(Edge.of(places[e.a], places[e.b])) for e in edges]
    guesses = net.classify(look, np.array([m for m, _ in spots]), np.array([a for _, a in spots]))
    for i, edge in enumerate(edges):
        p, visible = float(guesses.channel_p[i]), truth.channels.get(edge)
        if visible is not None and visible >= SEEN:
            score.add("channel_found", str(p >= 0.5), "True", max(p, 1 - p))
        if p >= 0.5:
            score.add("channel_true", "True", str(visible is not None), p)
        if (p >= 0.5) != (visible is not None) and (visible is None or visible >= SEEN):
            log.info("  %s edge %s: %.2f, true %s", name, edge, p, visible)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--nights", type=Path)
    parser.add_argument("--crops", type=Path)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    if args.crops:
        args.crops.mkdir(parents=True, exist_ok=True)
    nets = CellNet(), EdgeNet()
    scores: dict[str, Score] = defaultdict(Score)
    sources = [photos(args.folder)] + ([night_frames(args.nights)] if args.nights else [])
    for source in sources:
        for name, image, camera, truth in source:
            found = registered(image, camera)
            if found is None:
                log.info("%s: no lattice", name)
                continue
            view, cards, lattice, cells = found
            measure(name, Look.of(image, view, cards), lattice, cells, truth, nets, scores[truth.tier], args.crops)
    for tier, score in scores.items():
        log.info("%s  calibration error %.4f", tier, score.error())
        for question in score.all:
            right, every = score.right[question], score.all[question]
            wrong = dict(score.wrong[question].most_common(8))
            log.info("  %-17s %.4f (%d/%d) %s", question, right / every, right, every, wrong)


if __name__ == "__main__":
    main()
