"""What is really there and how much of it can be seen, as `NAME.truth.json` says it."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art.tiles import badge_centre, hexagon
from vision.geometry import View, rotation_2d
from vision.simulated.assemble import Bodies
from vision.simulated.planes import CHIP_MM
from vision.simulated.raster import FaceBuffer, whole_areas
from vision.simulated.scene import Scene, TilePiece

Floats = NDArray[np.float64]


def _outline(points_mm: Floats, z_mm: float, view: View) -> Floats:
    return view.project(np.column_stack([points_mm, np.full(len(points_mm), z_mm)]))


def seen_share(outline_px: Floats, ids: NDArray[np.int32]) -> float:
    """How much of a level outline (N, 2) is in the picture and not behind a body, 0 to 1."""
    whole = abs(float(cv2.contourArea(outline_px.astype(np.float32))))
    if whole < 1:
        return 0.0
    h, w = ids.shape
    low = np.maximum(np.floor(outline_px.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(outline_px.max(axis=0)).astype(int) + 1, (w, h))
    if (high <= low).any():
        return 0.0
    mask = np.zeros((int(high[1] - low[1]), int(high[0] - low[0])), np.uint8)
    cv2.fillPoly(mask, [np.round((outline_px - low) * 16).astype(np.int32)], 1, cv2.LINE_8, 4)
    inside = int(mask.sum())
    free = int(np.count_nonzero(mask & (ids[low[1] : high[1], low[0] : high[0]] == 0)))
    # Counting pixels takes in half of the outline's own: the share inside the picture comes from the areas.
    clipped = _clipped_area(outline_px, w, h)
    return float(np.clip(free / max(inside, 1) * clipped / whole, 0.0, 1.0))


def _clipped_area(outline_px: Floats, width: int, height: int) -> float:
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    area, _ = cv2.intersectConvexConvex(cv2.convexHull(outline_px.astype(np.float32)), frame)
    return float(area)


def tile_outline(tile: TilePiece, across_flats_mm: float) -> Floats:
    """The corners of a tile on the table, (6, 2) mm."""
    return np.asarray(hexagon(across_flats_mm / np.sqrt(3), np.pi / 2 + tile.turn) + tile.centre_mm)


def icon_outline(tile: TilePiece, scene: Scene) -> tuple[Floats, float] | None:
    """The round outline of a badge or chip (N, 2) mm and its height; None where there is none."""
    if tile.improvement is None:
        return None
    pieces = scene.camera.pieces
    centre = np.asarray(tile.centre_mm)
    if tile.chip:
        middle, radius, z = centre + tile.chip_at_mm, pieces.chip_mm / 2, pieces.tile_thickness_mm + CHIP_MM
    else:
        offset = np.asarray(badge_centre(scene.look, pieces.tile_across_flats_mm, 0))
        middle = centre + rotation_2d(tile.turn) @ offset
        radius, z = scene.look.badge_size * pieces.tile_across_flats_mm / 2, pieces.tile_thickness_mm
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    return middle + radius * np.column_stack([np.cos(turn), np.sin(turn)]), z


def scene_truth(scene: Scene, view: View, buffer: FaceBuffer, things: Bodies) -> dict[str, Any]:
    """The truth of one picture as a JSON-able dict."""
    names = things.names
    ids = buffer.bodies()
    whole = np.zeros(1) if things.mesh is None else whole_areas(view, things.mesh, things.owner)
    counts = np.bincount(buffer.owner[buffer.faces[buffer.faces > 0]], minlength=len(whole))

    def visible(name: str) -> float:
        body = names[name]
        return round(float(np.clip(counts[body] / max(whole[body], 1.0), 0.0, 1.0)), 3)

    pieces = scene.camera.pieces
    plots: dict[str, Any] = {}
    pond = 0.0
    for tile in scene.tiles:
        outline = _outline(tile_outline(tile, pieces.tile_across_flats_mm), pieces.tile_thickness_mm, view)
        share = round(seen_share(outline, ids), 3)
        if tile.colour is None:
            pond = share
            continue
        plot: dict[str, Any] = {
            "colour": tile.colour.value,
            "improvement": tile.improvement.value if tile.improvement is not None else None,
            "source": None if tile.improvement is None else "chip" if tile.chip else "printed",
            "bamboo": tile.bamboo,
            "visible": share,
        }
        icon = icon_outline(tile, scene)
        if icon is not None:
            plot["icon_visible"] = round(seen_share(_outline(icon[0], icon[1], view), ids), 3)
        if tile.bamboo:
            plot["bamboo_visible"] = visible(f"stalk:{tile.at}")
        plots[str(tile.at)] = plot
    half = scene.camera.markers.size_mm / 2
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    markers = [
        card.marker
        for card in scene.markers
        if seen_share(_outline(square @ rotation_2d(card.angle).T + card.centre_mm, 0.0, view), ids) > 0.995
    ]
    figures = {
        name: None if figure is None else {"at": str(figure.at), "visible": visible(name)}
        for name, figure in (("gardener", scene.gardener), ("panda", scene.panda))
    }
    return {
        "art": scene.look.name,
        "elevation_deg": round(view.elevation_deg(), 1),
        "markers_visible": sorted(markers),
        "pond_visible": pond,
        "hand": scene.hand is not None,
        "plots": plots,
        "channels": [{"edge": str(c.edge), "visible": visible(f"channel:{c.edge}")} for c in scene.channels],
        **figures,
    }
