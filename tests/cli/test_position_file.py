"""`companion observe --position`: what is no position is one clear line, whatever was in the file."""

import pytest

from companion.cli.eye import read_look
from companion.errors import BadInputError


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[]", "expected a JSON object"),
        ("3", "expected a JSON object"),
        ("[" * 100_000, "nested too deeply"),
        ('{"plots":{"1,0":"blue 2"}}', "blue"),
    ],
)
def test_what_is_no_position_is_said_with_its_place(tmp_path, text, why):
    path = tmp_path / "position.json"
    path.write_text(text)
    with pytest.raises(BadInputError, match=why) as error:
        read_look(path)
    assert str(path) in str(error.value)
