"""What one look says of one part of one place, and what a further look at the same thing adds.

Logs are natural and relative to the best value, which counts 0. Every part is mixed with an outlier floor, so that an
eye that is sure and wrong never vetoes the truth.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import log
from typing import Protocol

from companion.games.takenoko.pieces import MAX_GROWTH
from companion.reconcile.model import PartTrust

OVER = MAX_GROWTH + 1
"""The height that stands for five sections or more."""

_BY_DISTANCE = (0.0, 1.0, 0.5, 0.3, 0.2, 0.2)
"""How an eye that is sure of a height errs: most often by one section, but a whole stalk is overlooked too."""
_SURE = 0.8
"""Two looks that are each this sure of another value contradict each other."""


_AGAINST = -2.0
"""A look speaks against a value that it makes this much less likely than the best (natural log)."""


class Says(Protocol):
    """Logs of likelihood by value."""

    def of(self, value: Hashable) -> float:
        """The log likelihood of a value."""


class Part:
    """The belief about one part of one place: logs by value, the best 0, and the plain beliefs to compare looks by."""

    __slots__ = ("floor", "logs", "p", "surest")

    def __init__(self, p: Mapping[Hashable, float], trust: PartTrust) -> None:
        """Take a belief that sums to about one over all its values."""
        self.p = p
        self.surest = max(p.values(), default=0.0)
        flat = trust.outlier / max(len(p), 1)
        mixed = {value: (1 - trust.outlier) * share + flat for value, share in tempered(p, trust.weight).items()}
        best = max(mixed.values(), default=1.0)
        self.logs = {value: log(share / best) for value, share in mixed.items()}
        self.floor = log(min(flat, best) / best)

    def likeliest(self) -> Hashable:
        """The value that it believes in most."""
        return max(self.p, key=self.p.__getitem__, default=None)

    def of(self, value: Hashable) -> float:
        """The log likelihood of a value, relative to the best one."""
        return self.logs.get(value, self.floor)


def tempered(p: Mapping[Hashable, float], weight: float) -> Mapping[Hashable, float]:
    """A belief made surer (weight above 1) or less sure, as a temperature does; the outlier floor is no part of it.

    >>> tempered({"green": 0.75, "pink": 0.25}, 2.0)
    {'green': 0.9, 'pink': 0.1}
    """
    if weight == 1.0:
        return p
    powers = {value: max(share, 0.0) ** weight for value, share in p.items()}
    total = sum(powers.values()) or 1.0
    return {value: share / total for value, share in powers.items()}


class Heights(Part):
    """The belief about a stalk: wrong by one section is likelier than by three."""

    __slots__ = ()

    def __init__(self, bamboo_p: Sequence[float], over_p: float, trust: PartTrust) -> None:
        outlier = trust.outlier
        p: dict[Hashable, float] = {n: share * (1.0 - over_p) for n, share in enumerate(bamboo_p)}
        p[OVER] = over_p
        self.p = p
        self.surest = max(p.values())
        heights = range(OVER + 1)
        q = tempered(p, trust.weight)
        spread = {n: sum(_BY_DISTANCE[abs(n - m)] * q[m] for m in heights) for n in heights}
        mixed = {n: (1 - outlier) * q[n] + outlier * 0.5 * spread[n] for n in heights}
        best = max(mixed.values())
        lowest = outlier * 0.01
        self.logs = {n: log(max(share, lowest) / best) for n, share in mixed.items()}
        self.floor = min(self.logs.values())


class FigurePart(Part):
    """Where a figure stands: cells that are not named share what is left."""

    __slots__ = ()

    def __init__(self, p: Mapping[Hashable, float], trust: PartTrust, anywhere: float) -> None:
        super().__init__(p, trust)
        best = max(max(p.values(), default=0.0), anywhere, 1e-6)
        flat = trust.outlier / 20
        self.logs = {value: log(max(share, flat) / max(best, flat)) for value, share in p.items()}
        self.floor = log(max(anywhere, flat) / max(best, flat))


class Again:
    """What a further look adds where nothing changed since the look before.

    The same light on the same thing misleads twice, so looks that say the same are hardly witnesses of their own: the
    sharpest of them counts in full and the others little. A sharper look therefore takes the place of the one before.
    One that is as sure of something else is a witness of its own.
    """

    __slots__ = ("_base", "_direct", "_less", "_new", "_weight", "base")

    def __init__(self, new: Part, base: Part, trust: PartTrust, *, direct: bool) -> None:
        """Compare a look with the sharpest one before it that it does not contradict.

        Args:
            new: the look.
            base: the sharpest look before.
            trust: how far repeated looks are believed.
            direct: that is the very look before; else it is older, and there may have been a change since.
        """
        self._new = new
        self._base = base
        self._direct = direct
        sure = new.surest >= _SURE and base.surest >= _SURE
        contradicts = sure and new.likeliest() != base.likeliest()
        sharper = new.surest > base.surest
        self._less = 0.0
        if contradicts:
            self._weight = 1.0
        elif sharper:
            self._weight, self._less = 1.0, 1.0 - trust.repeat
        else:
            self._weight = trust.repeat
        self.base = new if contradicts or sharper else base
        """What the next look is compared with."""

    def is_sharpest(self) -> bool:
        """Whether this very look is what the next one is compared with."""
        return self.base is self._new

    def of(self, value: Hashable) -> float:
        """What it adds to the log likelihood of a value that did not change."""
        added = self._new.of(value)
        if self._direct or self._base.of(value) > _AGAINST:
            return self._weight * added - self._less * self._base.of(value)
        # Where the older look spoke against the value it had not come to be so yet: this is the first good look at it.
        return added


def doubt(belief: Part, says: Says) -> float:
    """The log likelihood that a truth drawn from a belief would have: 0 where all is sure, else below."""
    return sum(share * says.of(value) for value, share in belief.p.items() if share > 0.0)
