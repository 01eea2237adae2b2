"""What the pipeline would believe of a rendered table: pose, white and tiles' places, each as wrong as it is in use."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.takenoko.hexgrid import DIRECTIONS, Hex
from vision.geometry import Floats, View, rotation_2d
from vision.nets.white import guessed_white, white_of_cards
from vision.simulated.render import Rendered
from vision.simulated.scene import Scene, TilePiece


def misjudged(view: View, scene: Scene, rng: np.random.Generator) -> View:
    """The view as a calibration and a pose from cards would give it: off by a pixel or so at the garden."""
    camera = view.camera
    factor = 1.0 + rng.normal(0.0, 0.002)
    believed = replace(
        camera,
        fx=camera.fx * factor, fy=camera.fy * factor,
        cx=camera.cx + rng.normal(0.0, 2.0), cy=camera.cy + rng.normal(0.0, 2.0),
        dist=(camera.dist[0] + rng.normal(0.0, 2e-3), camera.dist[1] + rng.normal(0.0, 1e-3), *camera.dist[2:]),
    )  # fmt: skip
    # A pose fits the table plane whatever the camera file says: fit it again to points about the garden.
    at = np.asarray(scene.grid.origin_mm)
    spots = at + rng.uniform(-220.0, 220.0, (12, 2))
    flat = np.column_stack([spots, np.zeros(len(spots))])
    seen = view.project(flat) + rng.normal(0.0, rng.choice([0.3, 1.0, 2.0]), (12, 2))
    guess = View(believed, view.rvec, view.tvec)
    ok, rvec, tvec = cv2.solvePnP(
        flat, seen, guess.k, guess.dist, view.rvec.copy(), view.tvec.copy(), useExtrinsicGuess=True
    )
    if not ok:
        return guess
    return View(believed, np.asarray(rvec, np.float64).reshape(3), np.asarray(tvec, np.float64).reshape(3))


def believed_white(rendered: Rendered, view: View, scene: Scene, rng: np.random.Generator) -> NDArray[np.float32]:
    """White as it would be read from the cards in sight, or guessed, BGR (3,)."""
    half = scene.camera.markers.size_mm / 2.0
    square = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]) * half
    seen = set(rendered.truth["markers_visible"])
    corners = [
        square @ rotation_2d(card.angle).T + np.asarray(card.centre_mm) for card in scene.markers if card.marker in seen
    ]
    if rng.random() < 0.15:
        corners = []
    white = white_of_cards(rendered.image, view, corners)
    return guessed_white(rendered.image) if white is None else white


def placed(scene: Scene, rng: np.random.Generator) -> tuple[dict[Hex, Floats], dict[Hex, TilePiece]]:
    """Where the lattice fit would put each cell: tiles nearly at their own place, empty cells by the lattice."""
    places = {tile.at: tile for tile in scene.tiles}
    spread = rng.choice([0.5, 1.0, 2.0], p=[0.5, 0.35, 0.15])
    shift = rng.normal(0.0, 0.5, 2)
    centres: dict[Hex, Floats] = {}
    reach = {Hex(at.q + d.q, at.r + d.r) for at in places for d in (Hex(0, 0), *DIRECTIONS)}
    further = {Hex(at.q + d.q, at.r + d.r) for at in reach for d in DIRECTIONS} - reach
    for at in (*sorted(reach), *sorted(further)):
        nominal = np.asarray(scene.grid.centre_mm(at))
        true = np.asarray(places[at].centre_mm) if at in places and rng.random() < 0.8 else nominal
        centres[at] = true + shift + rng.normal(0.0, spread, 2)
    return centres, places
