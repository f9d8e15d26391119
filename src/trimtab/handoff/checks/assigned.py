"""What a note says that a name is set to must follow that name in the source."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from trimtab.handoff.checks.base import Ruling, Sentence
from trimtab.handoff.identifiers import Found, Kind, identifiers, shape
from trimtab.handoff.source import COUNTED
from trimtab.words import stems

NAMED = re.compile(
    r"(?<![\w.-])([^\W\d][\w.-]{0,79})"
    r"(?=([\"'`*]{0,3}(?:\s{0,3}(?::|=>?|->|→|\b(?:is|was|are|has|had|set|to|now|at|of|equals|the|value|only|currently"
    r"|ist|war|auf|wert|es|era|vale|valor|de|est|était|valeur|è|é|foi|estava)\b)){0,5}\s{0,3}[\"'`*$€£]{0,3}))"
)
"""A word, and what stands between it and what it is set to."""

TOLD = re.compile(r"[:=>→]|\b(?:is|was|are|set|equals|ist|war|es|era|est|è|é|foi)\b")

COUNTS = re.compile(
    r"(?:^\W*|[,;(]\s?|\b(?:the|all|of|with|has|have|had|are|were|and|only|about|found|contains?|holds?)\s)"
    + COUNTED.pattern,
    re.IGNORECASE,
)
"""A number that counts what is named behind it, and is none of what is named before it."""

OF_LINES = re.compile(r"l|lines?|zeilen?|l[íi]neas?|lignes?|linhas?", re.IGNORECASE)


def assigned(sentence: Sentence) -> Ruling | None:
    """Puts the one value that the source has for a name in the place of another; else strikes the sentence.

    A number in front of a word must stand in front of it in the source, where another one does.
    """
    for number, word in COUNTS.findall(sentence.text):
        had = sentence.ground.counted.get("".join(stems(word)), frozenset())
        if had and number not in had:
            return Ruling("", f"the source has {min(had)!r} {word}, not {number!r}")
    text, settings = sentence.text, sentence.ground.settings
    for name, value, is_told in _values(text, settings.given):
        if (
            name not in settings.given
            or OF_LINES.fullmatch(name)
            or (value.kind is not Kind.NUMBER and not is_told)
        ):
            continue
        found = {*settings.values(name), *(one.text for one in sentence.ground.after(name))}
        if value.text in found:
            continue
        if len(found) != 1 or shape(*found) != shape(value.text):
            return Ruling("", f"{name!r} is not set to {value.text!r} in the source")
        right = found.pop()
        text = text[: value.start] + right + text[value.stop :]
        why = f"{name!r} is set to {right!r} in the source"
        return assigned(sentence._replace(text=text)) or Ruling(text, why)
    return None


def _values(text: str, names: Container[str]) -> Iterator[tuple[str, Found, bool]]:
    """Each name with the identifier behind it, and whether a mark or a verb says that it is set to that.

    `item id` is the name `item_id` where there is one.
    """
    starts, before = {one.start: one for one in identifiers(text)}, ""
    for match in NAMED.finditer(text):
        whole = next((one for one in (f"{before}_{match[1]}", f"{before}.{match[1]}") if one in names), match[1])
        if (value := starts.get(match.end(2))) is not None:
            yield whole, value, TOLD.search(match[2]) is not None
        before = match[1].lower()
