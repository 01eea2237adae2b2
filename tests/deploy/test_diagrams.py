from __future__ import annotations

import importlib.util
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from companion.config import PIN_NAMES, PanelConfig

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"


@pytest.fixture(scope="module")
def diagrams():
    spec = importlib.util.spec_from_file_location("draw_diagrams", DEPLOY / "draw_diagrams.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_header_has_each_gpio_once_and_grounds_where_a_pi_has_them(diagrams):
    numbers = [what for what in diagrams.HEADER if isinstance(what, int)]
    assert sorted(numbers) == list(range(28))
    assert [pin for pin, what in enumerate(diagrams.HEADER, 1) if what == "GND"] == [6, 9, 14, 20, 25, 30, 34, 39]
    assert [diagrams.pin_of(gpio) for gpio in (2, 17, 5, 21)] == [3, 11, 29, 40]


def test_the_wiring_shows_every_pin_of_the_config(diagrams):
    text = diagrams.wiring(PanelConfig())
    for name in PIN_NAMES:
        gpio = getattr(PanelConfig(), name)
        assert f"GPIO {gpio} [{diagrams.pin_of(gpio)}]" in text
        assert name.replace("_", " ").capitalize() in text or name.replace("_", " ") in text


@pytest.mark.parametrize(("name", "draw"), [("wiring.svg", "wiring"), ("camera.svg", "camera")])
def test_the_drawings_in_the_repository_are_the_ones_that_the_script_draws(diagrams, name, draw):
    arguments = [PanelConfig()] if draw == "wiring" else []
    drawn = getattr(diagrams, draw)(*arguments)
    assert (DEPLOY / name).read_text(encoding="utf-8") == drawn
    ET.fromstring(drawn)


def test_no_text_leaves_the_sheet(diagrams):
    root = ET.fromstring(diagrams.wiring(PanelConfig()))
    width = float(root.get("width"))
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        size = float(text.get("font-size", 13))
        length = len(text.text) * size * 0.52
        start = float(text.get("x")) - {"start": 0, "middle": length / 2, "end": length}[text.get("text-anchor")]
        assert start >= 0
        assert start + length <= width, text.text


def test_the_readme_of_the_installation_names_files_that_exist():
    text = (DEPLOY / "README.md").read_text()
    for name in re.findall(r"\]\(([^)#]+)\)", text):
        assert (DEPLOY / name).exists(), name
