"""Draws deploy/wiring.svg and deploy/camera.svg: `python deploy/draw_diagrams.py [FOLDER]`.

The pins are those of the config's defaults, so the diagram cannot say anything else than the program does.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape

from companion.config import PanelConfig

HEADER: tuple[int | str, ...] = (
    "3V3", "5V", 2, "5V", 3, "GND", 4, 14, "GND", 15, 17, 18, 27, "GND", 22, 23, "3V3", 24, 10, "GND",
    9, 25, 11, 8, "GND", 7, 0, 1, 5, "GND", 6, 12, 13, "GND", 19, 16, 26, 20, "GND", 21,
)  # fmt: skip
"""What each pin of the 40-pin header is, from pin 1; numbers are GPIO. Source: Raspberry Pi documentation, GPIO."""

BUTTONS = ("roll", "check", "next", "undo")
LAMPS = {
    "status_red": "#d33", "status_green": "#2a2", "status_blue": "#36c", "sun": "#e6b800", "rain": "#2a7fd1",
    "wind": "#7aa", "storm": "#753fa0", "clouds": "#999", "choice": "#f5f5f5",
}  # fmt: skip
STEP, TOP = 26, 90


def _svg(width: int, height: int, title: str, parts: Iterable[str]) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" font-family="sans-serif" font-size="13"><title>{escape(title)}</title>\n'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n{body}\n</svg>\n'
    )


def _text(x: float, y: float, text: str, anchor: str = "start", extra: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" {extra}>{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str = "#222", width: float = 1.6) -> str:
    return f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{colour}" stroke-width="{width:g}"/>'


def _wire(points: Iterable[tuple[float, float]], colour: str, width: float) -> str:
    corners = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polyline points="{corners}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'


def _box(x: float, y: float, width: float, height: float, fill: str, extra: str = 'stroke="#333"') -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}" {extra}/>'


def _marker_card(x: float, y: float, turn: float) -> str:
    boxes = (
        _box(-16, -16, 32, 32, "#fff", 'stroke="#888"'), _box(-11, -11, 22, 22, "#111", ""),
        _box(-4, -6, 6, 5, "#fff", ""), _box(1, 2, 5, 5, "#fff", ""),
    )  # fmt: skip
    return f'<g transform="translate({x:g} {y:g}) rotate({turn:g})">{"".join(boxes)}</g>'


def pin_of(gpio: int) -> int:
    """The place on the header, 1 to 40, of a GPIO number."""
    return HEADER.index(gpio) + 1


def _place(pin: int) -> tuple[float, float]:
    """Where a pin is drawn: odd ones left."""
    return 420 + (0 if pin % 2 else 34), TOP + (pin - 1) // 2 * STEP


def wiring(panel: PanelConfig) -> str:
    """The wiring diagram: buttons at the left, lamps and buzzer at the right, each with its pin."""
    parts = [
        _text(30, 34, "Button panel on the Pi's 40-pin header", extra='font-size="20" font-weight="bold"'),
        _text(
            30,
            56,
            "Seen from above, the USB sockets pointing down. GPIO numbers; in brackets the place on the header.",
        ),
        f'<rect x="396" y="{TOP - 20}" width="82" height="{20 * STEP + 14}" rx="6" fill="#e8efe4" stroke="#555"/>',
    ]
    used = {getattr(panel, name) for name in (*BUTTONS, *LAMPS, "buzzer")}
    for pin, what in enumerate(HEADER, 1):
        x, y = _place(pin)
        fill = "#333" if what == "GND" else "#c33" if what in ("3V3", "5V") else "#f4d35e" if what in used else "#ddd"
        parts.append(f'<circle cx="{x}" cy="{y}" r="9" fill="{fill}" stroke="#444"/>')
        parts.append(
            _text(
                x, y + 3, str(pin), "middle", f'font-size="8" fill="{"#fff" if fill in ("#333", "#c33") else "#000"}"'
            )
        )
    parts += _buttons(panel)
    parts += _lamps(panel)
    notes = (
        "Each button: one leg to its GPIO, the other to any GND. No resistor: the Pi's own pull-up is used.",
        "Each lamp (LED): its GPIO - resistor 330 ohm - long leg; short leg to GND. The status lamp is one RGB LED",
        "with common cathode, a resistor on each colour. Buzzer: an active one for 3.3 V, plus to its GPIO, minus to",
        "GND, at most 16 mA.",
        "Never connect 5 V to a GPIO. Switch the Pi off before wiring. Other pins: section [panel] of the config.",
    )
    parts += [_text(30, TOP + 20 * STEP + 40 + 20 * number, note) for number, note in enumerate(notes)]
    return _svg(900, TOP + 20 * STEP + 120, "Wiring of the button panel", parts)


def _buttons(panel: PanelConfig) -> Iterable[str]:
    for number, name in enumerate(BUTTONS):
        gpio = getattr(panel, name)
        x, y = _place(pin_of(gpio))
        high = TOP + 190 + number * 74
        turn = 330 - 14 * number
        yield _wire(((130, high), (turn, high), (turn, y), (x - 9, y)), "#b58900", 2)
        yield f'<circle cx="90" cy="{high}" r="24" fill="#f4d35e" stroke="#444" stroke-width="2"/>'
        yield _text(90, high + 4, name.capitalize(), "middle", 'font-weight="bold"')
        yield _line(114, high, 130, high, "#b58900", 2)
        yield _text(140, high - 6, f"GPIO {gpio} [{pin_of(gpio)}]")
        yield _line(66, high, 40, high)
    yield _line(40, TOP + 190, 40, TOP + 190 + 3 * 74 + 50)
    yield _text(30, TOP + 190 + 3 * 74 + 68, "all to GND [39]", extra='fill="#333"')


def _lamps(panel: PanelConfig) -> Iterable[str]:
    names = [*LAMPS, "buzzer"]
    # In the order of their pins, so that few wires cross.
    for number, name in enumerate(sorted(names, key=lambda lamp: (pin_of(getattr(panel, lamp)) - 1) // 2)):
        gpio = getattr(panel, name)
        pin = pin_of(gpio)
        x, y = _place(pin)
        high = TOP + 20 + number * 50
        turn = 520 + 9 * number
        start = x + 9
        if pin % 2:  # a left pin's wire goes between two rows
            yield _wire(((x, y), (x + 16, y + STEP / 2), (500, y + STEP / 2)), "#666", 1.4)
            start, y = 500, y + STEP / 2
        yield _wire(((start, y), (turn, y), (turn, high), (660, high)), "#666", 1.4)
        yield _text(655, high - 5, f"GPIO {gpio} [{pin}]", "end", 'font-size="11"')
        if name == "buzzer":
            yield f'<circle cx="760" cy="{high}" r="15" fill="#444" stroke="#000"/>'
            yield _line(660, high, 745, high, "#666", 1.4)
        else:
            yield f'<rect x="660" y="{high - 6}" width="42" height="12" fill="#fff" stroke="#444"/>'
            yield _text(681, high + 4, "330", "middle", 'font-size="9"')
            yield _line(702, high, 748, high, "#666", 1.4)
            yield f'<circle cx="760" cy="{high}" r="12" fill="{LAMPS[name]}" stroke="#333"/>'
        yield _line(772 if name != "buzzer" else 775, high, 880, high)
        yield _text(782, high - 5, name.replace("_", " "))
    yield _line(880, TOP + 20, 880, TOP + 20 + (len(names) - 1) * 50 + 24)
    yield _text(890, TOP + 20 + (len(names) - 1) * 50 + 40, "all to GND [34]", "end", 'fill="#333"')


def camera() -> str:
    """Where the camera stands: from the side with its angles, and what it should see."""
    parts = [
        _text(30, 34, "Where the camera stands", extra='font-size="20" font-weight="bold"'),
        _line(40, 330, 460, 330, "#7a5230", 5),
        _text(250, 352, "table", "middle"),
    ]
    eye, garden, angle = (90.0, 92.0), (270.0, 326.0), math.radians(52)
    tiles = ((205, "#6fae52"), (235, "#f1c232"), (265, "#3b83bd"), (295, "#e58fa0"), (325, "#6fae52"))
    parts.append(_line(60, 330, 60, 84, "#555", 6))
    parts.append(_line(60, 86, 92, 86, "#555", 6))
    parts.append('<rect x="78" y="84" width="26" height="18" rx="3" transform="rotate(52 91 93)" fill="#222"/>')
    for target in ((140.0, 326.0), (420.0, 326.0)):
        parts.append(_line(*eye, *target, "#2a7fd1", 1))
    parts.append(
        f'<line x1="{eye[0]}" y1="{eye[1]}" x2="{garden[0]}" y2="{garden[1]}" stroke="#2a7fd1" '
        'stroke-dasharray="6 4" stroke-width="1.6"/>'
    )
    parts += [_box(x, 322, 28, 6, fill) for x, fill in tiles]
    parts.append(
        f'<path d="M 226 330 A 44 44 0 0 1 {270 - 44 * math.cos(angle):.0f} {330 - 44 * math.sin(angle):.0f}" '
        'fill="none" stroke="#c33" stroke-width="2"/>'
    )
    parts.append(_text(118, 300, "45 to 60 degrees", extra='fill="#c33"'))
    parts.append(_text(24, 200, "50 to 80 cm", "middle", 'transform="rotate(-90 24 200)"'))
    sees = 520
    parts.append(_text(sees, 74, "What it should see", extra='font-weight="bold"'))
    parts.append(f'<rect x="{sees}" y="86" width="340" height="255" fill="#b98b5e" stroke="#222" stroke-width="2"/>')
    garden_seen = (
        (0, 0, "#3b83bd"), (1, 0, "#6fae52"), (0, 1, "#f1c232"), (-1, 1, "#e58fa0"), (-1, 0, "#6fae52"),
        (0, -1, "#f1c232"), (1, -1, "#6fae52"), (1, 1, "#e58fa0"), (-2, 1, "#f1c232"), (2, -1, "#6fae52"),
    )  # fmt: skip
    for q, r, fill in garden_seen:
        x, y = sees + 170 + 43 * (q + r / 2), 212 + 33 * r
        points = " ".join(
            f"{x + 24 * math.sin(k * math.pi / 3):.1f},{y - 21 * math.cos(k * math.pi / 3):.1f}" for k in range(6)
        )
        parts.append(f'<polygon points="{points}" fill="{fill}" stroke="#333"/>')
    for x, y, turn in ((36, 118, 12), (304, 124, -28), (30, 300, 5), (310, 296, 40)):
        parts.append(_marker_card(sees + x, y, turn))
    notes = (
        "The whole garden with a hand's breadth of room, since it grows; two to four cards around it, flat, uncovered.",
        "Steeper than 60 degrees hides how high the bamboo is; flatter than 40 hides what stands behind it.",
        "No lamp may mirror itself in the tiles towards the camera; two lamps from the sides are best. No shaking.",
    )
    parts += [_text(30, 384 + 20 * number, note) for number, note in enumerate(notes)]
    return _svg(900, 450, "Where the camera stands and what it should see", parts)


def main(folder: Path) -> None:
    """Write both."""
    (folder / "wiring.svg").write_text(wiring(PanelConfig()), encoding="utf-8")
    (folder / "camera.svg").write_text(camera(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
