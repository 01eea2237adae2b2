"""Writes simulated evenings as recorded nights: pictures of a rendered table, what was told, and what was true.

A night is a folder as the public format says (formats, section 7), with the truth beside it: `truth.jsonl` (the
record), `truth_positions.jsonl` (after each turn), `truth_slips.jsonl`, `truth_frames.jsonl` (what each picture shows)
and `truth_notices.jsonl` (which picture first shows which disturbance).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np

from companion.bench.evenings import Evening, Glimpse, Habits, simulate_evening
from companion.games.takenoko.hexgrid import DIRECTIONS, POND, Edge, Hex
from companion.games.takenoko.notation import format_move
from companion.games.takenoko.pieces import Figure
from companion.games.takenoko.position import position_to_json
from companion.games.takenoko.state import State
from companion.observation import ExpectedLook, ExpectedPlot, Marking
from companion.reconcile.discrepancy import of_slip
from companion.reconcile.messages import say
from companion.reconcile.model import SlipKind
from companion.reconcile.slips import Slip, Slips, has_physical_channel, physical_cell, physical_figure
from companion.record import Do, Header, write_header, write_line
from vision.simulated.disturb import camera_bumped, card_moved, garden_moved, lamp_switched, object_put
from vision.simulated.random_camera import calibrated
from vision.simulated.render import Renderer
from vision.simulated.setting import Setting, random_setting, reaching_hand, scene_from_look

DISTURBANCES = ("light", "camera_moved", "card_moved", "garden_moved", "object")
"""What may happen between two pictures besides hands; the words are those of the notices."""


@dataclass(frozen=True, slots=True)
class NightPlan:
    """What is wanted of one night."""

    seed: int
    turns: int = 40
    seats: int = 2
    ruleset: str = "classic"
    slip: float = 0.0
    """That a turn has a slip."""
    disturbance: float = 0.0
    """That something happens to the table between two pictures."""
    kinds: tuple[str, ...] = DISTURBANCES
    """What may happen, all alike."""
    hand: float = 0.08
    """That a hand is in a picture."""
    look: str | None = None
    """Of the tiles; by default any."""
    width: int = 1640
    height: int = 1232


def look_of(state: State, slips: Slips) -> ExpectedLook:
    """What really lies on the table: the rules' position with the slips that lie there."""
    cells = set(state.plots) | {slip.seen for slip in slips if isinstance(slip.seen, Hex) and slip.figure is None}
    plots: dict[Hex, ExpectedPlot] = {}
    for at in cells:
        plot, height = physical_cell(slips, state, at)
        if plot is not None:
            plots[at] = ExpectedPlot(plot.colour, Marking(plot.improvement, plot.chip), height)
    edges = set(state.channels) | {slip.seen for slip in slips if isinstance(slip.seen, Edge)}
    channels = frozenset(edge for edge in edges if has_physical_channel(slips, state, edge))
    gardener, panda = (physical_figure(slips, state, figure) for figure in (Figure.GARDENER, Figure.PANDA))
    return ExpectedLook(MappingProxyType(plots), channels, gardener, panda)


def fallen(slips: Slips) -> dict[Hex, int]:
    """By cell, how many sections of a stalk that was knocked over lie on the tile; every other one rolled away."""
    return {
        slip.at: -slip.delta
        for slip in slips
        if slip.kind is SlipKind.KNOCKED_OVER and isinstance(slip.at, Hex) and (slip.at.q + slip.turn) % 2 == 0
    }


def _header(evening: Evening, plan: NightPlan) -> Header:
    seats = evening.start.seats
    turn = evening.start.turn
    return Header(
        tuple(seat.name for seat in seats),
        plan.ruleset,
        first=turn.seat if turn is not None else 0,
        hands=tuple(seat.hand or None for seat in seats),
    )


def _cells(evening: Evening) -> list[Hex]:
    """Every cell on which something will lie this evening, the pond first."""
    looks = [look_of(item.state, item.slips) for item in evening.items if isinstance(item, Glimpse)]
    return [POND, *sorted({at for look in looks for at in look.plots} - {POND})]


def _disturbed(setting: Setting, kind: str, cells: list[Hex], rng: np.random.Generator) -> Setting:
    match kind:
        case "light":
            return lamp_switched(setting, rng)
        case "camera_moved":
            return camera_bumped(setting, rng)
        case "card_moved":
            return card_moved(setting, rng)
        case "garden_moved":
            return garden_moved(setting, rng)
        case _:
            return object_put(setting, _free_place(setting, cells, rng), rng)


def _free_place(setting: Setting, cells: list[Hex], rng: np.random.Generator) -> tuple[float, float]:
    """A place beside the garden, near enough to hide something now and then."""
    centres = np.array([setting.grid.centre_mm(cell) for cell in cells])
    across = setting.camera.pieces.tile_across_flats_mm
    for _ in range(200):
        at = rng.uniform(centres.min(axis=0) - 2 * across, centres.max(axis=0) + 2 * across)
        if np.linalg.norm(centres - at, axis=1).min() > across * 0.6 + 60:
            return float(at[0]), float(at[1])
    top = centres[centres[:, 1].argmax()]
    return float(top[0]), float(top[1] + across + 80)


@dataclass(slots=True)
class _Table:
    """The rendered table of one night and what happened to it."""

    setting: Setting
    usual: Setting
    renderer: Renderer
    rng: np.random.Generator
    cells: list[Hex]
    kinds: tuple[str, ...]

    def picture(self, glimpse: Glimpse, disturbance: float) -> tuple[np.ndarray, dict[str, Any], str | None]:
        """The next picture with its truth, and the disturbance that it is the first to show."""
        happened: str | None = None
        if self.rng.uniform() < disturbance:
            happened = str(self.rng.choice(self.kinds))
            changed = _disturbed(self.setting, happened, self.cells, self.rng)
            if changed == self.setting:
                happened = None
            self.setting = changed
        elif len(self.setting.clutter) > len(self.usual.clutter) and self.rng.uniform() < 0.3:
            # What was put down is taken away again.
            self.setting = replace(self.setting, clutter=self.usual.clutter)
        hand = None if glimpse.hand is None else reaching_hand(self.setting, glimpse.hand, self.rng)
        look = look_of(glimpse.state, glimpse.slips)
        scene = scene_from_look(look, self.setting, hand=hand, lying=fallen(glimpse.slips))
        rendered = self.renderer.render(scene, self.rng)
        return rendered.image, rendered.truth, happened


def can_show(plan: NightPlan) -> bool:
    """Whether the table of a night has what its disturbances need: cards on a printed mat cannot be moved alone."""
    setting = _begun(plan)[1].setting
    return "card_moved" not in plan.kinds or (setting.mat is None and len(setting.markers) > 1)


def _begun(plan: NightPlan) -> tuple[Evening, _Table]:
    evening = simulate_evening(
        plan.seed, Habits(slip=plan.slip, hand=plan.hand), seats=plan.seats, ruleset=plan.ruleset, turns=plan.turns
    )
    cells = _cells(evening)
    setting, rng = _set_up(plan, cells)
    return evening, _Table(setting, setting, Renderer(), rng, cells, plan.kinds)


def _set_up(plan: NightPlan, cells: list[Hex]) -> tuple[Setting, np.random.Generator]:
    """A table whose truth is in the coordinates that a look without a position has."""
    for attempt in count():
        rng = np.random.default_rng((plan.seed, 7, attempt))
        setting = random_setting(rng, cells, width=plan.width, height=plan.height, look=plan.look)
        if _east_is_right(setting):
            return setting, rng
    raise AssertionError("one in six settings has its east to the right")


def _east_is_right(setting: Setting) -> bool:
    """Whether of the garden's six directions east points nearest to the picture's right."""
    thickness = setting.camera.pieces.tile_thickness_mm
    points = np.array([(*setting.grid.centre_mm(cell), thickness) for cell in (POND, *DIRECTIONS)])
    projected, _ = cv2.projectPoints(
        points, np.array(setting.rvec), np.array(setting.tvec), setting.camera.matrix, np.array(setting.camera.dist)
    )
    ways = projected[1:, 0] - projected[0, 0]
    rightwards = ways[:, 0] / np.linalg.norm(ways, axis=1)
    return bool(np.argmax(rightwards) == 0)


def write_night(folder: Path, plan: NightPlan, progress: Callable[[int, int], None] | None = None) -> int:
    """Play, render and write one night; the same plan gives the same night.

    Args:
        folder: made if it is absent; files of a former night in it are written over.
        plan: what is wanted.
        progress: told after each picture: how many, of how many.

    Returns:
        How many pictures were written.
    """
    evening, table = _begun(plan)
    (folder / "frames").mkdir(parents=True, exist_ok=True)
    header = _header(evening, plan)
    (folder / "header.json").write_text(write_header(header), encoding="utf-8")
    camera = calibrated(table.setting.camera, table.rng)
    (folder / "camera.json").write_text(json.dumps(camera.to_json()) + "\n", encoding="utf-8")
    clock = Random(plan.seed + 1)  # seconds between pictures, no secret
    moment, frames = 0.0, 0
    pictures = sum(isinstance(item, Glimpse) for item in evening.items) + 1
    timeline: list[Mapping[str, Any]] = []
    seen: list[Mapping[str, Any]] = []
    notices: list[Mapping[str, Any]] = []
    items = [Glimpse(evening.start, (), None), *evening.items]
    looks: list[tuple[str, int, Slips]] = []
    for item in items:
        if not isinstance(item, Glimpse):
            timeline.append({"seat": item.seat, "do": format_move(item.move)})
            continue
        image, truth, happened = table.picture(item, plan.disturbance if frames else 0.0)
        name = f"frames/{frames:04d}.jpg"
        _, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])
        (folder / name).write_bytes(packed.tobytes())
        timeline.append({"frame": name, "t": round(moment, 1)})
        looks.append((name, len(timeline), item.slips))
        seen.append({"frame": name, **truth})
        for kind in ([happened] if happened else []) + (["hand"] if item.hand is not None else []):
            notices.append({"frame": name, "kind": kind})
        moment += clock.uniform(8.0, 40.0)
        frames += 1
        if progress is not None:
            progress(frames, pictures)
    _write(folder / "timeline.jsonl", timeline)
    _write(folder / "truth_frames.jsonl", seen)
    _write(folder / "truth_notices.jsonl", notices)
    _write_record(folder, header, evening, looks)
    return frames


def _write(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


def _write_record(folder: Path, header: Header, evening: Evening, looks: list[tuple[str, int, Slips]]) -> None:
    """The record that really happened, the position after each turn, and the slips."""
    record = [write_header(header)]
    positions: list[dict[str, Any]] = []
    slips: list[dict[str, Any]] = []
    ends = _last_pictures(evening, looks)
    for number, (turn, (frame, line)) in enumerate(zip(evening.turns, ends, strict=True), 1):
        record.extend(write_line(Do(seat, move, by="simulated")) for seat, move in turn.moves)
        seat = turn.moves[-1][0]
        positions.append(
            {
                "turn": number,
                "seat": seat,
                "timeline": line,
                "frame": frame,
                "record_line": len(record),
                "position": position_to_json(turn.state),
            }
        )
        if turn.new is not None:
            slips.append(_slip_line(turn.new, number, seat, len(record), evening, looks))
    (folder / "truth.jsonl").write_text("".join(record), encoding="utf-8")
    _write(folder / "truth_positions.jsonl", positions)
    _write(folder / "truth_slips.jsonl", slips)


def _last_pictures(evening: Evening, looks: list[tuple[str, int, Slips]]) -> list[tuple[str, int]]:
    """For each turn its last picture and that picture's line in the timeline."""
    last: list[tuple[str, int]] = []
    number = 0
    for item in evening.items:
        if isinstance(item, Glimpse):
            number += 1
        elif format_move(item.move) in ("end", "stop"):
            name, line, _ = looks[number]
            last.append((name, line))
    return last[: len(evening.turns)]


def _slip_line(
    slip: Slip, turn: int, seat: int, record_line: int, evening: Evening, looks: list[tuple[str, int, Slips]]
) -> dict[str, Any]:
    wrong = [name for name, _, lying in looks if slip in lying]
    found = of_slip(slip, 1.0, evening.turns[turn - 1].state)
    mended = next((n for n, other in enumerate(evening.turns, 1) if n > turn and slip not in other.slips), None)
    return {
        "turn": turn,
        "seat": seat,
        "kind": slip.kind.value,
        "at_record_line": record_line,
        "at": str(slip.at),
        "expected": found.expected,
        "observed": found.observed,
        "explanation": say(found.what),
        "mended_in_turn": mended,
        "wrong_frames": wrong,
    }
