"""One turn from one sure position: what happened, given what was told and one look."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.takenoko.moves import End, Stop
from companion.games.takenoko.state import State
from companion.observation import Observation
from companion.reconcile.evidence import Evidence
from companion.reconcile.model import DEFAULT_MODEL, Model
from companion.reconcile.nodes import Node, Told
from companion.reconcile.posterior import Posterior, of_ended, of_running, unexplained
from companion.reconcile.search import TurnSearch


def reconcile(
    state: State, told: Sequence[Told], observation: Observation, *, model: Model = DEFAULT_MODEL, turn: int = 1
) -> Posterior:
    """The belief about what happened since a position.

    Args:
        state: the position at the start of the turn.
        told: what was told in the turn, in order; with `end` last, the look shows the turn's end.
        observation: the look at the table, taken after everything that was told.
        model: what is believed beforehand.
        turn: the number of the turn, in which new slips are made.
    """
    search = TurnSearch([Node(state, state, None)], model, turn)
    ended = bool(told) and isinstance(told[-1].move, End | Stop)
    for line in told[:-1] if ended else told:
        search.tell(line)
    search.look(Evidence(observation, model.eye), last=True)
    if not ended:
        nodes = search.believe()
        return of_running(nodes, unexplained(nodes, model), turn)
    search.tell(told[-1])
    nodes = search.end()
    return of_ended(nodes, unexplained(nodes, model), turn)
