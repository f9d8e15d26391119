"""What the user said, taken literally: every identifier and every number. Found only when asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import ClassVar

from trimtab.facts import Fact
from trimtab.finders.base import said, whole
from trimtab.transcript import Message
from trimtab.words import identifiers

MOST = 200
"""Identifiers and numbers in all, those said last: each costs a search of the whole request."""

NUMBER = re.compile(r"\d[\d.,:/-]*\d|\d")


class Said:
    """Every identifier and number in what the user said; it counts as visible wherever it stands."""

    name: ClassVar[str] = "said"

    def find(self, messages: Sequence[Message]) -> Iterator[Fact]:
        every = (one for text in said(messages) for one in [*identifiers(text), *NUMBER.findall(text)])
        found = [*islice(dict.fromkeys(every), MOST)]
        for one in reversed(found):
            yield whole(one, "the user said it")
