"""What stands between quotation marks must have been said so."""

from __future__ import annotations

import re

from trimtab.handoff.checks.base import Ruling, Sentence
from trimtab.handoff.ground import plain

QUOTED = re.compile(r"[\"“„«]([^\"“”„«»\n]{8,400})[\"”“»]")
FEWEST = 3
"""Words from which on it is a quotation; fewer are a name."""


def quoted(sentence: Sentence) -> Ruling | None:
    """Strikes a sentence with a quotation that nobody said."""
    for match in QUOTED.finditer(sentence.text):
        said = plain(match[1]).strip(" .,;:!?…")
        if len(said.split()) >= FEWEST and said not in sentence.ground.plain:
            return Ruling("", f"nobody said {match[1][:60]!r}")
    return None
