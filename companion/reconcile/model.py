"""What the reconciler believes before it looks: how people play, how they slip, and how far an eye can be trusted.

All of it is data: one frozen value that is passed in. The defaults were set on simulated games and on how people play
at a table, not on any one evening; docs/reconcile.md says what was measured with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType


class SlipKind(StrEnum):
    """What people get wrong with their hands; the names are those of the public format."""

    GROWTH_FORGOTTEN = "growth_forgotten"
    GROWTH_WITHOUT_WATER = "growth_without_water"
    EXTRA_SECTION = "extra_section"
    FIVE_SECTIONS = "five_sections"
    BITE_FORGOTTEN = "bite_forgotten"
    BITE_DOUBLED = "bite_doubled"
    FIGURE_OFF_LINE = "figure_off_line"
    PLOT_WITH_ONE_NEIGHBOUR = "plot_with_one_neighbour"
    CHANNEL_OFF = "channel_off"
    CHANNEL_NOT_JOINED = "channel_not_joined"
    KNOCKED_OVER = "knocked_over"
    OTHER = "other"


_SHARES: Mapping[SlipKind, float] = MappingProxyType({
    SlipKind.GROWTH_FORGOTTEN: 0.20,
    SlipKind.EXTRA_SECTION: 0.16,
    SlipKind.BITE_FORGOTTEN: 0.16,
    SlipKind.KNOCKED_OVER: 0.12,
    SlipKind.GROWTH_WITHOUT_WATER: 0.08,
    SlipKind.BITE_DOUBLED: 0.08,
    SlipKind.FIGURE_OFF_LINE: 0.05,
    SlipKind.CHANNEL_OFF: 0.05,
    SlipKind.FIVE_SECTIONS: 0.03,
    SlipKind.CHANNEL_NOT_JOINED: 0.03,
    SlipKind.PLOT_WITH_ONE_NEIGHBOUR: 0.03,
    SlipKind.OTHER: 0.01,
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class PartTrust:
    """How far an eye's belief about one kind of thing is followed; fitted, see docs/reconcile.md."""

    outlier: float
    """How often an eye that is sure is wrong all the same."""
    weight: float = 1.0
    """Of the first look at a thing as it lies now (1 over the temperature): less than 1 for an eye that is too sure,
    more for one that says 0.99 whenever it is sure at all."""
    repeat: float = 0.3
    """Of a look at an unchanged thing beside a sharper one: the same light on the same stalk misleads twice, so it is
    hardly a second witness."""


@dataclass(frozen=True, slots=True)
class EyeTrust:
    """How far an eye is believed, by what it speaks of."""

    colour: PartTrust = PartTrust(0.0007, 2.5, 0.3)
    marking: PartTrust = PartTrust(0.0005, 1.0, 0.1)
    bamboo: PartTrust = PartTrust(0.0015, 1.0, 0.3)
    channel: PartTrust = PartTrust(0.0005, 1.5, 0.2)
    figure: PartTrust = PartTrust(0.0006, 1.0, 0.3)
    marking_under_figure: PartTrust = PartTrust(0.01, 0.9, 0.1)
    """Where a figure stands: it covers the badge more often than an eye knows."""
    bamboo_under_figure: PartTrust = PartTrust(0.005, 0.9, 0.3)
    """The same for a stalk: of all that an eye is surely wrong about most is here."""


@dataclass(frozen=True, slots=True)
class PlayPrior:
    """How people play."""

    early_end: float = 0.03
    """That a turn ends before all its actions are taken."""
    all_undone: float = 0.4
    """That such a turn leaves one more action undone: who has nothing to gain takes none of them."""
    skip: float = 0.10
    """That a weather effect that could be taken is declined."""
    idle: float = 0.08
    """Weight of a move that changes nothing but the figure's place, against one that grows or eats something: people
    hardly ever spend an action on it."""
    stored: float = 0.25
    """That a stored channel or chip is placed, for each chance to do so."""
    clouds_placed: float = 0.4
    """That the chip of the clouds is placed at once rather than stored; a stored one is told."""
    after_last_look: float = 0.6
    """That something was still moved after the turn's last look when a hand was in it."""
    taken_back: float = 0.02
    """That what an earlier look of the turn showed was taken back."""
    store_unknown_nats: float = 5.0
    """By how much it is rarer that the record is wrong about a player's store (natural log)."""
    astray: float = 0.05
    """That what looks like a slip which nobody mended for a turn is no slip: the record went astray before."""
    misread: float = 0.0001
    """That a plot or a channel was surely read as another one before."""
    as_seen: float = 0.2
    """How much less likely than the best of what does not explain a look it is at first that all is as it looks."""
    unexplained_nats: float = 13.0
    """By how much a look that nothing explains is rarer than a turn: natural log."""


@dataclass(frozen=True, slots=True)
class SlipPrior:
    """How people slip."""

    per_turn: float = 1 / 11
    """That a turn has one, where people play late and tired."""
    share: Mapping[SlipKind, float] = field(default_factory=lambda: _SHARES)
    mended_later: float = 0.7
    """That a slip of an earlier turn is mended before the next look."""
    mended_soon: float = 0.1
    """The same for a slip of the turn itself."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How far the search goes before it settles."""

    width: int = 60
    """Nodes kept in each level of the search."""
    within: float = 40.0
    """Nodes worse than the best of their level by more (natural log) are dropped: two or three places that do not fit
    yet are nothing to go by in the middle of a turn."""
    keep: int = 30
    """Nodes kept after each look."""
    keep_within: float = 10.0
    slips_in: int = 60
    """Nodes in which slips are looked for after each look."""
    slips_within: float = 30.0
    """Nodes that are worse than this before slips are looked for are dropped: one slip explains two places at most."""
    variants: int = 8
    """Slip variants kept per node."""
    ends: int = 16
    """Positions carried over the end of a turn."""
    open_ends: int = 48
    """The same where a hand hid what the turn's end looks like: much is possible then."""
    ends_within: float = 8.0
    """Positions that are worse by more (natural log) are not."""


@dataclass(frozen=True, slots=True)
class Model:
    """Everything the reconciler believes before it looks."""

    eye: EyeTrust = EyeTrust()
    play: PlayPrior = PlayPrior()
    slip: SlipPrior = SlipPrior()
    effort: Effort = Effort()


DEFAULT_MODEL = Model()
