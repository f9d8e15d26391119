"""Which parts show which facts, as the request is sent now; looked up once and kept up to date."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trimtab.edits import At
from trimtab.facts import Fact
from trimtab.request import Request
from trimtab.state import State
from trimtab.transcript import ToolResult


class Visibility:
    """The facts of one call, and the parts that show each of them up to where the walk has come."""

    def __init__(self, request: Request, facts: Sequence[Fact]) -> None:
        self._request = request
        around = [*request.frame.system, *request.frame.tools]
        self.facts = [one for one in facts if not one.told or not any(map(one.pattern.search, around))]
        self._holders: list[set[At]] = [set() for _ in self.facts]
        self._seen = 0

    def forget(self) -> None:
        """Look everything up anew: decisions from the record have changed what is shown."""
        self._seen = 0
        self._holders = [set() for _ in self.facts]

    def add(self, facts: Sequence[Fact]) -> None:
        """More facts, which hold from now on."""
        self.facts += facts
        self.forget()

    def hidden(self, state: State, upto: int, texts: Mapping[At, str]) -> list[Fact]:
        """The facts that no part up to message `upto` would show if these parts read so."""
        if not self.facts:
            return []
        self._look(state, upto)
        rows = zip(self.facts, self._holders, strict=True)
        return [fact for fact, holders in rows if holders and not holders - self._lost(fact, holders, texts)]

    def settle(self, texts: Mapping[At, str]) -> None:
        """These parts read so from now on."""
        for fact, holders in zip(self.facts, self._holders, strict=True):
            holders -= self._lost(fact, holders, texts)
            holders |= {at for at, text in texts.items() if self._counts(fact, at) and fact.pattern.search(text)}

    def missing(self, state: State, upto: int) -> list[Fact]:
        """The facts that no part shows."""
        self._look(state, upto)
        return [fact for fact, holders in zip(self.facts, self._holders, strict=True) if not holders]

    @staticmethod
    def _lost(fact: Fact, holders: set[At], texts: Mapping[At, str]) -> set[At]:
        return {at for at in holders & texts.keys() if not fact.pattern.search(texts[at])}

    def _counts(self, fact: Fact, at: At) -> bool:
        """Whether a part counts as showing a fact: any does, for what was found in results only a result."""
        if fact.told:
            return True
        return isinstance(self._request.parsed[self._request.index[at.message]].message.parts[at.part], ToolResult)

    def _look(self, state: State, upto: int) -> None:
        notes = {index: one for one in state.cuts.values() for index in self._request.where(one)}
        for index in range(self._seen, upto + 1):
            name = self._request.names[index]
            for number in range(len(self._request.parsed[index].message.parts)):
                at = At(name, number)
                text = notes[index].text if index in notes else state.text(self._request, at)
                for fact, holders in zip(self.facts, self._holders, strict=True):
                    if self._counts(fact, at) and fact.pattern.search(text):
                        holders.add(at)
        self._seen = max(self._seen, upto + 1)
