"""A Pi that is not quite right: the game starts all the same, and the page says what is wrong."""

from __future__ import annotations

import pytest

from companion import app
from companion.config import Config, PanelConfig
from companion.errors import PanelError


@pytest.fixture
def config(tmp_path):
    return Config(data=tmp_path, panel=PanelConfig(enabled=True))


def test_wrong_pins_do_not_keep_the_game_from_starting(config, monkeypatch):
    def refused(_config, _clock):
        raise PanelError("roll: GPIO 5 is in use by another program: give it another pin")

    monkeypatch.setattr(app, "real_panel", refused)
    house = app.build_house(config)
    try:
        house.evening.tick()
        page = house.pages.test_client().get("/table.json").get_json()
        assert page["trouble"] == ["roll: GPIO 5 is in use by another program: give it another pin"]
        assert house.evening.lamp().value == "trouble"
    finally:
        house.close()
