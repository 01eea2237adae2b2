"""Which rules are in force: an edition and the named options; a ruleset is nothing but a set of options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType

from companion.errors import BadInputError
from companion.games.takenoko.edition import Edition, load_edition
from companion.games.takenoko.pieces import Colour, Kind


@dataclass(frozen=True, slots=True)
class Options:
    """The named rule variants (takenoko, section 9)."""

    plot_count_26: bool = False
    """One plain green plot is not in the box."""
    mirror_patterns: bool = False
    """Mirror images of plot patterns count."""
    channel_on_pond_edge: bool = False
    """A channel may lie on an edge of the pond, to no effect (T-CHAN-3)."""
    gardener_presence: bool = False
    """The gardener must stand on a plot that meets a gardener card (T-OBJ-5)."""
    discard_fulfilled_draw: bool = False
    """A drawn plot or gardener card that is met already is discarded (T-OBJ-7)."""
    improve_while_laying: bool = False
    """A stored chip may be put on a plot as it is laid, before its first growth."""
    storm_stay: bool = False
    """The storm may leave the panda on its own plot (T-WEA-4)."""
    may_pass_actions: bool = True
    """A turn may end before all actions are taken (T-TURN-3)."""
    store_channels: bool = True
    """A channel that is taken may be stored; off: it is placed at once."""
    store_chips: bool = True
    """A chip that is taken may be stored; off: it is placed at once."""


OPTION_NAMES: tuple[str, ...] = tuple(option.name for option in fields(Options))

RULESETS: Mapping[str, Options] = MappingProxyType(
    {
        "classic": Options(),
        "bga": Options(
            channel_on_pond_edge=True, gardener_presence=True, discard_fulfilled_draw=True, improve_while_laying=True
        ),
    }
)
"""The old base edition, and the rules as played on Board Game Arena."""


@dataclass(frozen=True, slots=True)
class Rules:
    """An edition with its options, and what follows from both."""

    edition: Edition
    options: Options
    plots: Mapping[Kind, int] = field(init=False, compare=False, repr=False)
    """The plots in the box at the start, by kind."""
    plot_count: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        plots = dict(self.edition.plots)
        if self.options.plot_count_26:
            plots[(Colour.GREEN, None)] -= 1
        object.__setattr__(self, "plots", MappingProxyType(plots))
        object.__setattr__(self, "plot_count", sum(plots.values()))


def rules_for(ruleset: str = "classic", options: Mapping[str, bool] | None = None, edition: str = "base") -> Rules:
    """The rules of a header: the ruleset's options with single ones switched over.

    Raises:
        BadInputError: if the ruleset, an option or the edition does not exist.

    >>> rules_for("classic", {"storm_stay": True}).options.storm_stay
    True
    """
    if ruleset not in RULESETS:
        raise BadInputError(f"no ruleset {ruleset[:40]!r}: choose one of {', '.join(RULESETS)}")
    chosen = {name: getattr(RULESETS[ruleset], name) for name in OPTION_NAMES}
    for name, value in (options or {}).items():
        if name not in chosen:
            raise BadInputError(f"no option {name[:40]!r}: choose from {', '.join(OPTION_NAMES)}")
        chosen[name] = value
    return Rules(load_edition(edition), Options(**chosen))
