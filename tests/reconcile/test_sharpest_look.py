"""Several looks at a thing that did not change: the sharpest counts, the others add little."""

import pytest

from companion.reconcile.model import PartTrust
from companion.reconcile.parts import Again, Part

TRUST = PartTrust(outlier=0.001, repeat=0.1)


def part(green):
    return Part({"green": green, "pink": 1 - green}, TRUST)


def added(new, base, *, direct=True, value="pink"):
    return Again(new, base, TRUST, direct=direct).of(value)


def test_a_look_that_says_the_same_is_hardly_a_witness_of_its_own():
    assert added(part(0.999), part(0.999)) == pytest.approx(0.1 * part(0.999).of("pink"))


def test_a_sharp_look_after_a_poor_one_takes_its_place():
    poor, sharp = part(0.6), part(0.999)
    assert poor.of("pink") + added(sharp, poor) == pytest.approx(sharp.of("pink") + 0.1 * poor.of("pink"))


def test_a_poor_look_after_a_sharp_one_adds_little():
    assert added(part(0.4), part(0.999), value="green") == pytest.approx(0.1 * part(0.4).of("green"))


def test_a_look_that_is_as_sure_of_something_else_counts_in_full():
    assert added(part(0.001), part(0.999), value="green") == pytest.approx(part(0.001).of("green"))


def test_where_an_older_look_spoke_against_a_value_the_first_good_look_since_counts_in_full():
    """It may have come to be so while nothing was seen: bare, then a hand, then bare again. What came under the hand
    has met no look yet that could have seen it."""
    bare = part(0.999)
    hidden = Again(part(0.5), bare, TRUST, direct=True)
    assert hidden.base is bare
    assert not hidden.is_sharpest()
    assert added(bare, hidden.base, direct=False) == pytest.approx(bare.of("pink"))
    assert added(bare, hidden.base, direct=False, value="green") == pytest.approx(0.0)


@pytest.mark.parametrize("weight", [0.5, 1.0, 1.5])
def test_a_temperature_leaves_the_outlier_floor_alone(weight):
    sure = Part({"green": 1.0, "pink": 0.0}, PartTrust(outlier=0.001, weight=weight))
    assert sure.of("pink") == pytest.approx(Part({"green": 1.0, "pink": 0.0}, TRUST).of("pink"))
