"""A hand with its arm and sleeve, made of limbs."""

from __future__ import annotations

import numpy as np

from vision.simulated.scene import Hand, Vector
from vision.simulated.solids import Mesh, ellipsoid, joined, limb, mottled, moved, turn_about_z

_SKIN: tuple[Vector, ...] = (
    (0.42, 0.53, 0.78),
    (0.3, 0.42, 0.68),
    (0.2, 0.31, 0.56),
    (0.12, 0.2, 0.4),
    (0.06, 0.11, 0.24),
    (0.03, 0.05, 0.11),
)


def hand_body(hand: Hand) -> Mesh:
    """The hand with its fingertips at the target and its arm leaving along `angle`."""
    rng = np.random.default_rng(hand.seed)
    skin = np.asarray(_SKIN[int(rng.integers(len(_SKIN)))]) * np.exp(rng.normal(0, 0.12, 3))
    matt = (float(rng.uniform(0.02, 0.1)), float(rng.uniform(6, 25)))
    size = float(rng.uniform(0.85, 1.15))
    parts: list[Mesh] = []
    # Built with the fingertips near the origin and the arm towards +x, upwards.
    wrist = np.array([95.0, rng.normal(0, 12), rng.uniform(55, 95)]) * size
    knuckles = np.array([38.0, rng.normal(0, 6), rng.uniform(42, 60)]) * size
    side = 1.0 if rng.uniform() < 0.5 else -1.0
    across = np.array([0.0, 1.0, 0.0])
    parts.append(limb(knuckles, wrist, 27 * size, 23 * size, skin, matt, 26, 5, float(rng.uniform(0.55, 0.75))))
    parts.append(ellipsoid(((knuckles + wrist) / 2).tolist(), (34 * size, 33 * size, 20 * size), skin, matt, 28, 16))
    pinch = float(rng.uniform(0.0, 1.0))
    for finger, spread in enumerate((-1.5, -0.5, 0.5, 1.5)):
        root = knuckles + across * spread * 17 * size + np.array([0, 0, -3.0 * abs(spread)])
        lifted = 0.0 if finger in (1, 2) else float(rng.uniform(0, 22))
        tip = (
            np.array(
                [
                    rng.normal(0, 6) + 6 * abs(spread),
                    spread * (6 + 9 * (1 - pinch)) + rng.normal(0, 2),
                    8 + lifted + rng.uniform(0, 6),
                ]
            )
            * size
        )
        bend = (root + tip) / 2 + np.array([-rng.uniform(8, 20), 0, rng.uniform(4, 12)]) * size
        middle = bend * 0.45 + tip * 0.55 + np.array([-4.0, 0, 2.0]) * size
        thick = float(rng.uniform(7.2, 9.0)) * size
        parts.append(limb(root, bend, thick * 1.1, thick, skin, matt, 18, 5))
        parts.append(limb(bend, middle, thick, thick * 0.92, skin, matt, 18, 4))
        parts.append(limb(middle, tip, thick * 0.92, thick * 0.75, skin, matt, 18, 4))
    root = knuckles * 0.5 + wrist * 0.5 + across * side * 26 * size + np.array([0, 0, -8.0])
    tip = np.array([10 + rng.uniform(0, 12), side * rng.uniform(10, 32), rng.uniform(8, 24)]) * size
    bend = (root + tip) / 2 + np.array([6.0, side * 10, 2.0]) * size
    parts.append(limb(root, bend, 12 * size, 10 * size, skin, matt, 18, 5))
    parts.append(limb(bend, tip, 10 * size, 7.5 * size, skin, matt, 18, 5))
    lean = rng.uniform(0.15, 0.55)
    reach = np.array([1.0, rng.normal(0, 0.25), lean])
    reach /= np.linalg.norm(reach)
    bare = float(rng.choice([20.0, 60.0, 120.0, 400.0]))
    elbow = wrist + reach * bare
    parts.append(
        limb(wrist, elbow, 24 * size, float(rng.uniform(28, 38)) * size, skin, matt, 26, max(4, int(bare / 20)))
    )
    cloth = rng.uniform(0.01, 0.6) * np.exp(rng.normal(0, 0.9, 3))
    shoulder = elbow + reach * 650
    wide = float(rng.uniform(36, 58)) * size
    sleeve = limb(elbow, shoulder, wide, wide * 1.2, np.clip(cloth, 0.005, 0.85), (0.0, 10.0), 28, 26)
    parts.append(mottled(sleeve, float(rng.uniform(0, 0.15)), rng))
    return moved(joined(parts), turn_about_z(hand.angle), hand.target_mm)
