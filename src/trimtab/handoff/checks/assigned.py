"""What a note says that a name is set to must follow that name in the source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trimtab.handoff.checks.base import Ruling, Sentence
from trimtab.handoff.identifiers import Found, Kind, identifiers

NAMED = re.compile(
    r"(?<![\w.-])([^\W\d][\w.-]{0,79})"
    r"(?=([\"'`*]{0,3}(?:\s{0,3}(?::|=>?|->|→|\b(?:is|was|are|has|had|set|to|now|at|of|equals|the|value|only|currently"
    r"|ist|war|auf|wert|es|era|vale|valor|de|est|était|valeur|è|é|foi|estava)\b)){0,5}\s{0,3}[\"'`*$€£]{0,3}))"
)
"""A word, and what stands between it and what it is set to."""

TOLD = re.compile(r"[:=>→]|\b(?:is|was|are|set|equals|ist|war|es|era|est|è|é|foi)\b")

OF_LINES = re.compile(r"l|lines?|zeilen?|l[íi]neas?|lignes?|linhas?", re.IGNORECASE)


def assigned(sentence: Sentence) -> Ruling | None:
    """Puts the one value that the source has for a name in the place of another; else strikes the sentence."""
    text, settings = sentence.text, sentence.ground.settings
    for name, value, is_told in _values(text):
        if (
            name not in settings.given
            or OF_LINES.fullmatch(name)
            or (value.kind is not Kind.NUMBER and not is_told)
        ):
            continue
        found = {*settings.values(name), *(one.text for one in sentence.ground.after(name))}
        if value.text in found:
            continue
        if len(found) != 1:
            return Ruling("", f"{name!r} is not set to {value.text!r} in the source")
        right = found.pop()
        text = text[: value.start] + right + text[value.stop :]
        why = f"{name!r} is set to {right!r} in the source"
        return assigned(sentence._replace(text=text)) or Ruling(text, why)
    return None


def _values(text: str) -> Iterator[tuple[str, Found, bool]]:
    """Each word with the identifier behind it, and whether a mark or a verb says that it is set to that."""
    starts = {one.start: one for one in identifiers(text)}
    for match in NAMED.finditer(text):
        if (value := starts.get(match.end(2))) is not None:
            yield match[1], value, TOLD.search(match[2]) is not None
