"""The process that `companion bench table` measures: a whole house whose pins are pressed from standard input.

`roll` presses the Roll button and answers when the pin changed and when the lamps were set; `reset` takes it back.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from companion.adapters.clock import SystemClock
from companion.adapters.wsgi_server import ClientLimits, WsgiServer
from companion.app import build_house, drawn_panel
from companion.config import Config, WebConfig
from companion.games.takenoko.notation import parse_move
from companion.record import Header
from companion.services.evening import Evening
from companion.services.ports import DrawnPanel
from companion.signals import Button, Lights

OPENING = ("plot green 1,0", "draw panda", "end", "plot green 0,1", "draw panda", "end")
STREAMS = 300


def main(arguments: Sequence[str]) -> int:
    """Serve until the other side is gone."""
    data, port = Path(arguments[0]), int(arguments[1])
    config = Config(data=data, web=WebConfig(host="127.0.0.1", port=port, streams_max=STREAMS))
    drawn = drawn_panel(config, SystemClock())
    house = build_house(config, drawn=drawn)
    house.evening.begin(Header(seats=("Aki", "Oksana", "Jürgen", "みどり")[:2]))
    for text in OPENING:
        house.evening.tell(parse_move(text), seat=None, by="simulated")
    # All its devices are this one machine.
    server = WsgiServer(house.pages, "127.0.0.1", port, STREAMS, 1 << 20, limits=ClientLimits(STREAMS * 2))
    house.start()
    threading.Thread(target=_obey, args=(house.evening, drawn), daemon=True).start()
    server.run(house.send_home)
    house.close()
    return 0


def _obey(evening: Evening, drawn: DrawnPanel) -> None:
    lit = threading.Event()
    lit_s = 0.0
    show = drawn.show

    def watched(lights: Lights) -> None:
        nonlocal lit_s
        show(lights)
        if lights.weather:
            lit_s = time.monotonic()
            lit.set()

    drawn.show = watched  # type: ignore[method-assign]
    for line in sys.stdin:
        answer = {}
        if line.strip() == "roll":
            lit.clear()
            answer["pressed_s"] = time.monotonic()
            drawn.push(Button.ROLL, True)
            lit.wait(5)
            answer["lamps_s"] = lit_s
            drawn.push(Button.ROLL, False)
        else:
            evening.need_session().undo_last(by="button")
        print(json.dumps(answer), flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
