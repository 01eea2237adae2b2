"""Rings of tiles in chromaticity, and the profiles they are read by."""

from __future__ import annotations

import numpy as np
import pytest

from companion.errors import BadInputError
from vision.colour import RingSamples, colour_evidence, white_chroma
from vision.profiles.load import (
    KINDS,
    Profile,
    Prototype,
    load_profile,
    profile_for,
    profile_to_toml,
    shipped_profiles,
)

BGR = {"green": (60, 150, 80), "yellow": (50, 190, 230), "pink": (150, 110, 220), "pond": (190, 120, 40)}


def rings(lamp_bgr: tuple[float, float, float], brightness: float) -> RingSamples:
    rng = np.random.default_rng(2)
    rows = []
    for kind in KINDS:
        colour = np.array(BGR[kind]) * lamp_bgr * brightness
        rows.append(np.clip(colour + rng.normal(0, 4, (96, 3)), 1, 255))
    logs = np.log(np.array(rows) + 4.0)
    chroma = np.stack([logs[..., 2] - logs[..., 1], logs[..., 0] - logs[..., 1]], axis=-1)
    return RingSamples(chroma.astype(np.float32), np.ones(4, np.float32))


@pytest.mark.parametrize("lamp", [(1.0, 1.0, 1.0), (0.7, 0.95, 1.1), (1.15, 1.0, 0.8)])
@pytest.mark.parametrize("brightness", [1.0, 0.5])
def test_the_four_kinds_are_told_apart_under_any_lamp_that_white_shows(lamp, brightness):
    profile, _ = profile_for(None)
    white = white_chroma(np.array(lamp, np.float32) * 210 * brightness)
    evidence = colour_evidence(rings(lamp, brightness), white, profile, np.ones(4), white_is_seen=True)
    assert list(evidence.log_likelihood.argmax(axis=1)) == [0, 1, 2, 3]


def test_a_lamp_that_white_does_not_show_is_found_by_the_tiles():
    profile, _ = profile_for(None)
    seen = rings((0.85, 1.0, 1.1), 1.0)
    blind = colour_evidence(seen, white_chroma(np.full(3, 210, np.float32)), profile, np.ones(4), white_is_seen=False)
    assert list(blind.log_likelihood.argmax(axis=1)) == [0, 1, 2, 3]


def test_unreadable_rings_say_nothing_and_raise_nothing():
    profile, _ = profile_for(None)
    empty = RingSamples(np.full((2, 96, 2), np.nan, np.float32), np.zeros(2, np.float32))
    evidence = colour_evidence(empty, np.zeros(2), profile, np.ones(2), white_is_seen=True)
    assert np.ptp(evidence.log_likelihood, axis=1) == pytest.approx([0.0, 0.0])


def test_an_unknown_art_is_read_look_free_and_says_so():
    for art in (None, "", "no-such-art", "../../etc/passwd"):
        profile, warning = profile_for(art)
        assert profile.is_look_free
        assert warning


@pytest.mark.parametrize("name", ["painted", "flat", "printed", "kit", "free"])
def test_every_look_that_is_promised_is_shipped(name):
    assert name in shipped_profiles()
    profile, warning = profile_for(name)
    assert profile.name == name
    assert (warning is not None) == (name == "free")
    assert {prototype.kind for prototype in profile.prototypes} == set(KINDS)


def test_a_profile_survives_writing_and_reading(tmp_path):
    profile = Profile("mine", 'a "quoted" source', (Prototype("green", (-0.4, -0.5), (0.2, 0.2), "plain"),))
    path = tmp_path / "mine.toml"
    path.write_text(profile_to_toml(profile), encoding="utf-8")
    assert load_profile(path) == profile
    assert profile_for("mine", tmp_path)[0] == profile


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name = 3",
        "[[prototype]]\nkind = 'mud'\nchroma=[0,0]\nspread=[1,1]",
        "name='x'\nprototype=[]",
        "\x00",
        "a = [",
    ],
)
def test_a_broken_profile_is_refused_in_one_line(tmp_path, text):
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInputError) as refused:
        load_profile(path)
    assert "\n" not in str(refused.value)
