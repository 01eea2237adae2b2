from __future__ import annotations

import re
from pathlib import Path

from companion.config import Config, parse_config

EXAMPLE = Path(__file__).resolve().parents[2] / "deploy" / "config.example.toml"
NO_DEFAULT = {"data", "pin", "file", "trusted_proxy"}
"""Keys whose default cannot be written down; the example shows what a value looks like."""


def keys_of(config):
    for name, value in config.model_dump().items():
        if isinstance(value, dict):
            yield from ((name, key, inner) for key, inner in value.items())
        else:
            yield ("", name, value)


def test_the_example_names_every_key_with_its_default(tmp_path):
    text = re.sub(r"^#(?=[a-z_]+ = )", "", EXAMPLE.read_text(), flags=re.MULTILINE)
    shown = parse_config(text, name="example", base=tmp_path)
    assert [key for key in keys_of(shown) if key[1] not in NO_DEFAULT] == [
        key for key in keys_of(Config()) if key[1] not in NO_DEFAULT
    ]
    for _, name, _ in keys_of(Config()):
        assert re.search(rf"^#{name} = ", EXAMPLE.read_text(), re.MULTILINE), f"{name} is not shown"


def test_the_example_as_it_is_changes_nothing(tmp_path):
    assert parse_config(EXAMPLE.read_text(), name="example", base=tmp_path) == Config()
