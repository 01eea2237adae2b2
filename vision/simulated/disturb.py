"""What goes wrong on a real table while nobody makes a move: each takes a setting and gives the changed one."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.geometry import View
from vision.simulated.chance import chance, uniform
from vision.simulated.scene import Clutter, Lamp, Vector
from vision.simulated.setting import Setting


def camera_bumped(setting: Setting, rng: np.random.Generator, strength: float = 1.0) -> Setting:
    """The camera was knocked: turned by a degree or two and shifted by some millimetres."""
    view = View(setting.camera, np.asarray(setting.rvec), np.asarray(setting.tvec))
    knock, _ = cv2.Rodrigues(np.radians(rng.normal(0, 1.2 * strength, 3)))
    rotation = np.asarray(knock) @ view.rotation
    rvec = np.asarray(cv2.Rodrigues(rotation)[0]).reshape(3)
    tvec = np.asarray(knock) @ view.tvec + rng.normal(0, 6 * strength, 3)
    return replace(setting, rvec=_vector(rvec), tvec=_vector(tvec))


def lamp_switched(setting: Setting, rng: np.random.Generator) -> Setting:
    """The light changed: a lamp goes on or off, or turns warmer or brighter."""
    lighting = setting.lighting
    factor = np.exp(rng.normal(0, 0.12, 3)) * np.exp(rng.choice([-1, 1]) * uniform(rng, 0.15, 0.45))
    lamps = list(lighting.lamps)
    first = lamps[0]
    lamps[0] = replace(first, strength=_vector(np.asarray(first.strength) * factor))
    if chance(rng, 0.5) and len(lamps) < 3:
        turn, steep = uniform(rng, 0, 2 * np.pi), np.radians(uniform(rng, 30, 75))
        far = 1800.0
        at = (far * np.cos(steep) * np.cos(turn), far * np.cos(steep) * np.sin(turn), far * np.sin(steep))
        tint = float(rng.normal(0.1, 0.15))
        shine = uniform(rng, 0.1, 0.3)
        lamps.append(Lamp(_vector(np.asarray(at)), (shine * np.exp(-tint), shine, shine * np.exp(tint)), 0.03))
    return replace(setting, lighting=replace(lighting, lamps=tuple(lamps)))


def card_moved(setting: Setting, rng: np.random.Generator) -> Setting:
    """One loose marker card was shoved by some centimetres; cards printed on a mat stay."""
    if not setting.markers or setting.mat is not None:
        return setting
    which = int(rng.integers(len(setting.markers)))
    cards = list(setting.markers)
    card = cards[which]
    away = np.asarray(card.centre_mm) - setting.grid.origin_mm
    out = away / max(float(np.linalg.norm(away)), 1.0)
    aside = np.array([-out[1], out[0]])
    shift = out * uniform(rng, 0, 20) + aside * uniform(rng, 20, 50) * rng.choice([-1, 1])
    at = np.asarray(card.centre_mm) + shift
    cards[which] = replace(card, centre_mm=(float(at[0]), float(at[1])), angle=card.angle + float(rng.normal(0, 0.4)))
    return replace(setting, markers=tuple(cards))


def garden_moved(setting: Setting, rng: np.random.Generator, reach_mm: float = 20.0) -> Setting:
    """The whole garden was pushed over the table; mat and cards stay."""
    heading = uniform(rng, 0, 2 * np.pi)
    x, y = setting.grid.origin_mm
    moved = (x + reach_mm * float(np.cos(heading)), y + reach_mm * float(np.sin(heading)))
    turn = setting.grid.angle + float(rng.normal(0, 0.02))
    return replace(setting, grid=replace(setting.grid, origin_mm=moved, angle=turn))


def object_put(setting: Setting, at_mm: tuple[float, float], rng: np.random.Generator, kind: str = "mug") -> Setting:
    """Something that is no part of the game was put down."""
    thing = Clutter(kind, at_mm, uniform(rng, 0, 2 * np.pi), int(rng.integers(2**31)))
    return replace(setting, clutter=(*setting.clutter, thing))


def _vector(values: np.ndarray) -> Vector:
    a, b, c = (float(v) for v in values)
    return a, b, c
