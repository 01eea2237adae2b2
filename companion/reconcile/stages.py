"""One turn searched again and again, as its looks come: what was searched before with the same looks is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.reconcile.evidence import Evidence
from companion.reconcile.model import Model
from companion.reconcile.nodes import Node, Told
from companion.reconcile.search import TurnSearch

LOOKS_AHEAD = 2
"""How many later looks help one: they show what was hidden in it."""


_Key = tuple[tuple[Told, ...], Evidence, tuple[Evidence, ...], bool]
"""What was told before a look, the look, the later ones that help it, and whether it is the last before the verdict."""


class Stages:
    """The search over one turn, look by look."""

    def __init__(self) -> None:
        """Begin with nothing searched."""
        self._roots: Sequence[Node] = ()
        self._stages: list[tuple[_Key, TurnSearch]] = []
        """The search as it stood after each look."""

    def search(
        self,
        roots: Sequence[Node],
        items: Sequence[Told | Evidence],
        after: Sequence[Evidence],
        model: Model,
        turn: int,
        *,
        ended: bool,
    ) -> TurnSearch:
        """Search the turn with all that came; each look is helped by the next ones, those after the turn included.

        Args:
            roots: the positions it may start from. The same list stands for the same positions.
            items: what was told and seen in it, in order.
            after: the looks after it.
            model: what is believed beforehand.
            turn: its number.
            ended: whether the turn is over, so that its last look is the last before it is judged.
        """
        if roots is not self._roots:
            self._roots, self._stages = roots, []
        told: list[Told] = []
        seen: list[tuple[tuple[Told, ...], Evidence]] = []
        for item in items:
            if isinstance(item, Evidence):
                seen.append((tuple(told), item))
                told = []
            else:
                told.append(item)
        looks = [*(look for _, look in seen), *after]
        search = TurnSearch([replace(node) for node in roots], model, turn)
        for index, (lines, look) in enumerate(seen):
            later = tuple(looks[index + 1 : index + 1 + LOOKS_AHEAD])
            key = (lines, look, later, ended and index + 1 == len(looks))
            if index < len(self._stages) and self._stages[index][0] == key:
                search = self._stages[index][1]
                continue
            search = search.copy()
            for line in lines:
                search.tell(line)
            search.look(look, later, last=key[-1])
            self._stages[index:] = [(key, search)]
        search = search.copy()
        for line in told:
            search.tell(line)
        return search
