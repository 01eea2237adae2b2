"""The config: every complaint names file, key and remedy."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from companion.config import Config, load_config, parse_config


def parsed(text: str, base: Path = Path("/house")) -> Config:
    return parse_config(text, name="house.toml", base=base)


def test_an_empty_file_gives_the_defaults():
    assert parsed("") == Config()


def test_paths_start_at_the_file():
    config = parsed('data = "games"\n[camera]\nfile = "cam.json"')
    assert (config.data, config.camera.file) == (Path("/house/games"), Path("/house/cam.json"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[web]\nprot = 80", "house.toml: web.prot: unknown key; did you mean 'port'?"),
        ("[wbe]\nport = 80", "house.toml: wbe: unknown key; did you mean 'web'?"),
        ("zzz = 1", "house.toml: zzz: unknown key; known are: data, web, camera, panel, table"),
        ("[web]\nport = 99999", "house.toml: web.port: "),
        ('[web]\nport = "80"', "house.toml: web.port: "),
        ('[web]\npin = "abc"', "house.toml: web.pin: "),
        ('[web]\ntrusted_proxy = "my-proxy"', "house.toml: web.trusted_proxy: 'my-proxy' is no IP address: name "),
        ("[panel]\nroll = 6", "check and roll both use GPIO 6"),
        ("[panel]\nroll = 28", "house.toml: panel.roll: "),
        ("[web\nport = 1", "house.toml: not TOML"),
    ],
)
def test_what_is_wrong_is_named_with_its_remedy(text, says):
    with pytest.raises(ValueError) as refused:
        parsed(text)
    assert says in str(refused.value)


def test_all_that_is_wrong_is_said_at_once():
    with pytest.raises(ValueError) as refused:
        parsed("[web]\nprot = 80\nport = 0")
    assert len(str(refused.value).splitlines()) == 2


def test_a_file_that_is_not_there_says_where_to_find_one(tmp_path):
    with pytest.raises(ValueError, match=r"config\.example\.toml"):
        load_config(tmp_path / "none.toml")


def test_a_config_cannot_be_altered():
    with pytest.raises(ValidationError):
        Config().web.port = 1
