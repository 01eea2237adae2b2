"""Timelines are read line by line, and a bad line is named."""

import pytest

from companion.errors import BadInputError
from companion.reconcile.timeline import FrameLine, ToldLine, parse_timeline, timeline_lines
from tests.reconcile.tables import told

GOOD = '{"frame":"frames/0000.jpg","t":0.0}'


def read(*lines):
    return list(parse_timeline(lines, "night/timeline.jsonl"))


def test_pictures_and_told_lines_keep_their_order():
    found = read(GOOD, "", '{"seat":1,"do":"roll rain"}', '{"seat":1,"do":"channel"}')
    assert found == [FrameLine(1, "frames/0000.jpg"), ToldLine(3, told("roll rain", seat=1)[0]),
                     ToldLine(4, told("channel", seat=1)[0])]  # fmt: skip


@pytest.mark.parametrize(
    "tail", [b'{"seat":1,"do":"ro', b"{", b'{"seat":0,"do":"know \xe3\x81', b"\0\0\0\0", b'{"frame":"a.jpg","t":7']
)
def test_a_torn_last_line_is_left_out_and_its_number_is_said(tail):
    assert timeline_lines(GOOD.encode() + b"\n" + tail) == ([GOOD], 2)


@pytest.mark.parametrize("end", [b"\n", b"", b"\r\n"])
def test_a_whole_last_line_stays_with_or_without_its_end(end):
    lines, torn = timeline_lines(b"\xef\xbb\xbf" + GOOD.encode() + end)
    assert torn is None
    assert [line.strip() for line in lines] == [GOOD]


@pytest.mark.parametrize("tail", ["garbage", '{"seat":1,"do":"ro\n'])
def test_a_last_line_that_no_power_cut_tore_is_refused(tail):
    lines, torn = timeline_lines(f"{GOOD}\n{tail}".encode())
    assert torn is None
    with pytest.raises(BadInputError, match="line 2: not JSON"):
        read(*lines)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"seat":1,"do":"ro', "not JSON"),
        ('{"frame":"../secret.jpg"}', "inside the night"),
        ('{"frame":7}', "path of a picture"),
        ('{"seat":"1","do":"end"}', "whole number"),
        ('{"seat":1,"do":"fly 1,0"}', "fly"),
        ('{"seat":1,"do":"gardener 1,0"}', "for the camera to see"),
        ("[1]", "JSON object"),
    ],
)
def test_a_bad_line_is_named_with_the_reason(line, why):
    with pytest.raises(BadInputError, match=r"night/timeline.jsonl, line 2: ") as refused:
        read(GOOD, line, GOOD)
    assert why in str(refused.value)
