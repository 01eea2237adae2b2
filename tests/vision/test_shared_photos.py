"""The eye on the shared photos: it may get better, and must not get worse unseen.

`companion evaluate ../shared/photos/tables --write-baseline tests/vision/baseline.json` writes the figures anew.
"""

from pathlib import Path

from companion.__main__ import main

BASELINE = Path(__file__).with_name("baseline.json")


def test_no_figure_on_the_shared_photos_falls_under_the_baseline(shared, capsys):
    code = main(["evaluate", str(shared / "photos" / "tables"), "--baseline", str(BASELINE)])

    assert code == 0, capsys.readouterr().err
