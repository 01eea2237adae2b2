"""The simulated table of the demo: a camera to the eye, a toy to the person who plays with it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.errors import BadInputError
from companion.games.takenoko.hexgrid import POND, Edge, Hex, parse_edge, parse_hex
from companion.games.takenoko.pieces import MAX_GROWTH, Figure
from companion.games.takenoko.plot import Plot, parse_plot
from companion.observation import ExpectedLook, ExpectedPlot, Marking
from vision.cameras.port import small_luma
from vision.frame import Frame
from vision.simulated.disturb import camera_bumped, lamp_switched
from vision.simulated.imaging import NoiseStock, developed
from vision.simulated.render import Renderer
from vision.simulated.setting import Setting, plain_setting, reaching_hand, scene_from_look

Image = NDArray[np.uint8]
MAX_SECTIONS = 5
"""One more than the rules allow: five sections is a slip that hands can make."""


def bare_look() -> ExpectedLook:
    """The table before the first turn: the pond with both figures."""
    return ExpectedLook(MappingProxyType({}), frozenset(), POND, POND)


class SimulatedTable:
    """A table that is rendered; obeys the ports `Camera` and `ToyTable`. For several threads at once.

    A picture is rendered anew when something moved; else a grab costs the fresh noise alone.
    """

    def __init__(
        self,
        setting: Setting | None = None,
        *,
        look: ExpectedLook | None = None,
        seed: int = 1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Lay the table.

        Args:
            setting: the table; by default the friendly one of the demo.
            look: what lies on it at first; by default the bare pond with both figures.
            seed: of noise, hands and disturbances.
            clock: monotonic seconds.
        """
        self._usual = setting if setting is not None else plain_setting()
        self._setting = self._usual
        self._look = look if look is not None else bare_look()
        self._hand: Hex | None = None
        self._lamp = True
        self._rng = np.random.default_rng(seed)
        self._renderer = Renderer()
        camera = self._usual.camera
        self._noise = NoiseStock((camera.height, camera.width), self._usual.imaging, self._rng)
        self._clean: Image | None = None
        self._clock = clock
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """What a person would call it."""
        return "simulated"

    @property
    def setting(self) -> Setting:
        """The table as it is now; its camera is what a calibration would give."""
        with self._lock:
            return self._setting

    @property
    def expected(self) -> ExpectedLook:
        """What truly lies on the table."""
        with self._lock:
            return self._look

    def lay(self, look: ExpectedLook) -> None:
        """Let this garden lie on the table."""
        with self._lock:
            self._look = look
            self._clean = None

    def reach(self, at: Hex | None) -> None:
        """A hand over a cell, or none."""
        with self._lock:
            self._hand = at
            self._clean = None

    def grab(self) -> Frame:
        """A picture with fresh noise."""
        with self._lock:
            if self._clean is None:
                hand = None
                if self._hand is not None:
                    hand = reaching_hand(self._setting, self._hand, np.random.default_rng((self._setting.seed, 5)))
                scene = scene_from_look(self._look, self._setting, hand=hand)
                light, _, _, _ = self._renderer.light(scene)
                self._clean = developed(light, scene.imaging)
            return Frame(self._noise.over(self._clean), self.name, self._clock())

    def luma(self) -> NDArray[np.uint8]:
        """The newest small grey picture."""
        return small_luma(self.grab().image)

    def close(self) -> None:
        """Nothing to let go."""

    def look(self) -> Mapping[str, Any]:
        """What truly lies on it, as in a position, and `hand`, `lamp`."""
        with self._lock:
            look, hand, lamp = self._look, self._hand, self._lamp
        plots = {
            str(at): str(Plot(plot.colour, plot.marking.improvement, plot.marking.chip, plot.bamboo))
            for at, plot in look.plots.items()
        }
        return {
            "plots": plots,
            "channels": [str(edge) for edge in sorted(look.channels)],
            "gardener": None if look.gardener is None else str(look.gardener),
            "panda": None if look.panda is None else str(look.panda),
            "hand": hand is not None,
            "lamp": lamp,
        }

    def put(self, what: str, at: str, value: str | None) -> None:
        """Lay, take or move one thing.

        Args:
            what: `plot`, `bamboo`, `channel`, `gardener` or `panda`.
            at: a hex or an edge.
            value: a plot as in a position, a height, anything for a channel; None takes it away.

        Raises:
            BadInputError: for what cannot be done with these pieces.
        """
        with self._lock:
            self._look = changed(self._look, what, at, value)
            self._clean = None

    def disturb(self, what: str) -> None:
        """`hand`, `lamp`, `bump`: switch it on or off, or do it once.

        Raises:
            BadInputError: for anything else.
        """
        with self._lock:
            if what == "hand":
                cells = [POND, *sorted(self._look.plots)]
                self._hand = None if self._hand is not None else cells[int(self._rng.integers(len(cells)))]
            elif what == "lamp":
                self._lamp = not self._lamp
                other = lamp_switched(self._usual, np.random.default_rng((self._usual.seed, 6)))
                light = self._usual if self._lamp else other
                self._setting = replace(self._setting, lighting=light.lighting)
            elif what == "bump":
                self._setting = camera_bumped(self._setting, self._rng)
            else:
                raise BadInputError(f"cannot disturb the table with {what!r}: use hand, lamp or bump")
            self._clean = None


def changed(look: ExpectedLook, what: str, at: str, value: str | None) -> ExpectedLook:
    """The look after one thing was laid, taken or moved.

    Raises:
        BadInputError: for what cannot be done with these pieces.
    """
    plots = dict(look.plots)
    if what == "channel":
        edge: Edge = parse_edge(at)
        channels = look.channels - {edge} if value is None else look.channels | {edge}
        return replace(look, channels=channels)
    cell = parse_hex(at)
    if what in (Figure.GARDENER, Figure.PANDA):
        if value is not None and cell != POND and cell not in plots:
            raise BadInputError(f"no tile lies on {cell}: a figure stands on a plot or the pond")
        place = None if value is None else cell
        return replace(look, gardener=place) if what == Figure.GARDENER else replace(look, panda=place)
    if cell == POND:
        raise BadInputError("the pond lies on 0,0: nothing else can")
    if what == "plot":
        if value is None:
            plots.pop(cell, None)
        else:
            plot = parse_plot(value)
            plots[cell] = ExpectedPlot(plot.colour, Marking(plot.improvement, plot.chip), plot.bamboo)
    elif what == "bamboo":
        if cell not in plots:
            raise BadInputError(f"no plot lies on {cell}: bamboo stands on a plot")
        height = 0 if value is None else int(value) if value.isdecimal() else -1
        if not 0 <= height <= MAX_SECTIONS:
            raise BadInputError(f"a stalk has 0 to {MAX_GROWTH} sections (5 by mistake), not {value!r}")
        plots[cell] = replace(plots[cell], bamboo=height)
    else:
        raise BadInputError(f"cannot put {what!r}: use plot, bamboo, channel, gardener or panda")
    return replace(look, plots=MappingProxyType(plots))
