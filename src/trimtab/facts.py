"""Facts: texts that must stay visible. Who shows each of them is looked up once and kept up to date."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from trimtab.edits import At
from trimtab.errors import ConfigError
from trimtab.request import Request, countable
from trimtab.state import State


def patterns(texts: Iterable[str]) -> list[re.Pattern[str]]:
    """Facts and pins as patterns: a text stands for itself, `re:` starts a regular expression.

    Raises ConfigError for a pattern that is none.
    """
    try:
        return [re.compile(text[3:] if text.startswith("re:") else re.escape(text)) for text in texts]
    except re.error as error:
        raise ConfigError(f"pattern {error.pattern!r}: {error}") from error


class Facts:
    """The facts of one call, and the parts that show each of them as the request is sent now."""

    def __init__(self, request: Request, facts: Sequence[str]) -> None:
        self._request = request
        around = [*request.frame.system, *request.frame.tools]
        self._facts = [one for one in patterns(facts) if not any(one.search(text) for text in around)]
        self._holders: list[set[At]] = [set() for _ in self._facts]
        self._seen = 0

    def forget(self) -> None:
        """Look everything up anew: decisions from the record have changed what is shown."""
        self._seen = 0
        self._holders = [set() for _ in self._facts]

    def hidden(self, state: State, upto: int, texts: Mapping[At, str]) -> str | None:
        """The fact that no part up to message `upto` would show if these parts read so, or None.

        When there is none, the parts are taken to read so from now on.
        """
        if not self._facts:
            return None
        self._look(state, upto)
        gone = [
            {at for at in holders & texts.keys() if not fact.search(texts[at])}
            for fact, holders in zip(self._facts, self._holders, strict=True)
        ]
        for fact, holders, lost in zip(self._facts, self._holders, gone, strict=True):
            if holders and holders == lost:
                return fact.pattern
        for holders, lost in zip(self._holders, gone, strict=True):
            holders -= lost
        return None

    def _look(self, state: State, upto: int) -> None:
        for index in range(self._seen, upto + 1):
            name = self._request.names[index]
            for number in range(len(self._request.parsed[index].message.parts)):
                at = At(name, number)
                text = countable(state.part(self._request, at))
                for fact, holders in zip(self._facts, self._holders, strict=True):
                    if fact.search(text):
                        holders.add(at)
        self._seen = max(self._seen, upto + 1)
