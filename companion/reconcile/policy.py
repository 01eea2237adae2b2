"""Accept, ask or wait: what to do with a belief. The thresholds are data; the scoring knows nothing of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.games.takenoko.hexgrid import Hex
from companion.games.takenoko.state import State
from companion.reconcile.posterior import Explanation, Kind, Posterior
from companion.reconcile.slips import Slip, physical_cell


class Verdict(StrEnum):
    """What to do."""

    ACCEPT = "accept"
    ASK = "ask"
    WAIT = "wait"
    UNEXPLAINED = "unexplained"


@dataclass(frozen=True, slots=True)
class Policy:
    """The thresholds, each a probability; set on simulated evenings (docs/reconcile.md)."""

    accept: float = 0.97
    """A garden at least this sure is taken without a question."""
    show_slip: float = 0.04
    """A slip at least this likely is shown, an unlikely one as a thing to look at: a false alarm costs a glance, a
    swallowed slip the evening."""
    choice: float = 0.002
    """What is less likely is not offered as a choice."""
    slip_turns: int = 3
    """A likely slip that still lies there after so many turns speaks against the record: it is asked about."""
    insist: float = 0.25
    """How likely a slip must be for that."""
    patience: int = 3
    """Turns that may end after one that is in doubt before it is asked about: what comes later may settle it."""
    choices: int = 4
    """Most choices in a question."""


DEFAULT_POLICY = Policy()


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do, on what grounds."""

    verdict: Verdict
    best: Explanation
    choices: tuple[Explanation, ...]
    """The likeliest explanations, best first; the choices of a question."""
    slips: tuple[tuple[Slip, float], ...]
    """The slips to be shown, one a place, with the probability that some slip lies there."""


def decide(
    posterior: Posterior,
    policy: Policy = DEFAULT_POLICY,
    *,
    may_wait: bool = False,
    blind: bool = False,
    turn: int = 1,
) -> Decision:
    """What to do with a belief.

    Args:
        posterior: the belief.
        policy: the thresholds.
        may_wait: another look will come: wait for it rather than ask.
        blind: no look at the table was taken: nothing is sure, however likely.
        turn: the number of the turn; slips name the turn in which they were made.
    """
    named = [explanation for explanation in posterior.explanations if explanation.kind is not Kind.UNEXPLAINED]
    best = named[0]
    choices = tuple(
        explanation for index, explanation in enumerate(named[: policy.choices])
        if index == 0 or explanation.p >= policy.choice
    )  # fmt: skip
    shown = _shown(posterior, best.state, policy.show_slip)
    doubtful = any(p >= policy.insist and turn - slip.turn >= policy.slip_turns for slip, p in shown)
    if posterior.best.kind is Kind.UNEXPLAINED:
        verdict = Verdict.UNEXPLAINED
    elif best.p >= policy.accept and not (doubtful or best.refused or blind):
        verdict = Verdict.ACCEPT
    else:
        verdict = Verdict.WAIT if may_wait else Verdict.ASK
    return Decision(verdict, best, choices, shown)


def _shown(posterior: Posterior, state: State, least: float) -> tuple[tuple[Slip, float], ...]:
    """The likely slips, one a place: of several that would explain the same thing only the likeliest is named.

    One that would not show in the likeliest garden (its plot is not there, its stalk is bare) is no slip on this table.
    """
    kinds: dict[object, tuple[Slip, float]] = {}
    for slip, p in posterior.slip_p.items():
        if not _shows(slip, state):
            continue
        if p > kinds.get(slip.places(), (slip, 0.0))[1]:
            kinds[slip.places()] = (slip, p)
    places = posterior.place_p()
    shown: list[tuple[Slip, float]] = []
    taken: set[object] = set()
    for slip, _ in sorted(kinds.values(), key=lambda found: places[found[0].places()], reverse=True):
        p = places[slip.places()]
        if p >= least and taken.isdisjoint(slip.places()):
            shown.append((slip, p))
            taken.update(slip.places())
    return tuple(shown)


def _shows(slip: Slip, state: State) -> bool:
    """Whether the table of a position looks different with a slip on a stalk than without."""
    if not slip.delta or not isinstance(slip.at, Hex):
        return True
    plot, height = physical_cell((slip,), state, slip.at)
    return plot is not None and height != plot.bamboo
