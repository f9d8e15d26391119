"""Provenance: from a text in a request to the message, part and tool it came from, its time and its true line."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import Any

import msgspec
from msgspec import Struct

from trimtab.compactor import Compactor
from trimtab.facts import Fact, given
from trimtab.finders.base import exact
from trimtab.numbering import true_numbers
from trimtab.provenance import FILE, Origin, Provenance
from trimtab.request import countable
from trimtab.stubs import clip, clip_start

LONGEST = 200
"""Characters of a line that a place shows: what stands around the text, in a longer one."""


class Sight(StrEnum):
    """How a request shows a text."""

    GIVEN = "as given"
    EXCERPT = "excerpt"
    """Its part is shown in part, or written otherwise."""
    MARKER = "marker"
    """trimtab's own words: a marker it left behind."""
    NOTE = "note"
    """A note that stands for messages."""
    STORED = "stored"
    """The request does not show it: it stands in an original that was cut."""


class Sighting(Struct, frozen=True, kw_only=True):
    """A part that shows a text.

    `message` is the number of its message in this request, -1 for system texts and tools around them, and for
    messages that gave way to a note; `original` its number in the request as it was given, -1 for a note.
    `line` is the number of the first such line in the original part, counted from 1 (0 where the text is none
    of the original's own), `times` how many lines show the text, `text` the first of them. `at` is when the
    message was first sent, as far as known, in seconds since 1970. `handle` brings back the original part, ""
    where nothing of it was cut.
    """

    sight: Sight
    message: int
    original: int
    part: int
    role: str
    what: str
    line: int
    times: int
    text: str
    handle: str = ""
    at: float | None = None


def where(
    text: str, payload: Any, compactor: Compactor | None = None, times: Sequence[float | None] = ()
) -> list[Sighting]:
    """Every part of a request that shows a text, then every stored original that alone holds it.

    `text` may be a pattern after `re:`. `payload` may be compacted or not; what was cut is found through the
    compactor's store. `times` are those of the messages as given, where they are known; else the journal says
    when a message was sent. Raises ConfigError for a pattern that is none, WireError and StoreError.
    """
    (fact,) = given([text]) if text.startswith("re:") else [exact(text, "asked for")]
    known = Provenance(payload, compactor=compactor)
    when = _times(known, times)
    return [*_around(known, fact), *_visible(known, fact, when), *_stored(known, fact, when)]


def _around(known: Provenance, fact: Fact) -> Iterator[Sighting]:
    for text in known.around:
        if fact.pattern.search(text):
            yield _sighting(text, fact, sight=Sight.GIVEN, role="system", what="system and tools")


def _visible(known: Provenance, fact: Fact, when: Callable[[int], float | None]) -> Iterator[Sighting]:
    """The parts that show the text, in order."""
    origins = {(one.name, one.part): one for one in known.origins}
    for index, (name, one) in enumerate(zip(known.sent.names, known.sent.parsed, strict=True)):
        for number, part in enumerate(one.message.parts):
            shown = countable(part)
            if not fact.pattern.search(shown):
                continue
            place = _sighting(
                shown, fact, sight=Sight.NOTE, message=index, part=number, role=str(one.message.role)
            )
            origin = origins.get((name, number))
            if name in known.sent.notes or origin is None:
                yield msgspec.structs.replace(place, handle=known.span(index), line=0)
            else:
                yield msgspec.structs.replace(_traced(place, shown, fact, origin), at=when(origin.index))


def _traced(place: Sighting, shown: str, fact: Fact, origin: Origin) -> Sighting:
    """A place with what is known of the part as it was given."""
    line, sight = place.line, Sight.GIVEN
    if shown != origin.text:
        line = true_numbers(shown, origin.text)[place.line - 1]
        match = fact.pattern.search(origin.text)
        sight = Sight.EXCERPT if line or match else Sight.MARKER
        if match and not line:  # its line is written otherwise here
            line = origin.text.count("\n", 0, match.start()) + 1
    handle = origin.handle if sight is not Sight.GIVEN else ""
    return msgspec.structs.replace(
        place,
        sight=sight,
        line=max(line - origin.above, 0),
        original=origin.index,
        what=origin.what,
        handle=handle,
    )


def _stored(known: Provenance, fact: Fact, when: Callable[[int], float | None]) -> Iterator[Sighting]:
    """The originals that hold the text while their renditions do not show it."""
    for one in known.origins:
        shown = known.rendition(one)
        if shown == one.text or not fact.pattern.search(one.text):
            continue
        if shown is None or not fact.pattern.search(shown):
            place = _sighting(one.text, fact, sight=Sight.STORED, part=one.part, role=one.role, what=one.what)
            message = known.sent.index[one.name] if shown is not None and one.index != FILE else -1
            line = max(place.line - one.above, 0)
            yield msgspec.structs.replace(
                place, message=message, original=one.index, line=line, handle=one.handle, at=when(one.index)
            )


def _sighting(
    text: str, fact: Fact, *, sight: Sight, role: str, message: int = -1, part: int = 0, what: str = "note"
) -> Sighting:
    """A place by the first line of a text that shows a fact."""
    found, lines = _matches(text, fact)
    first, stop = text.rfind("\n", 0, found.start()) + 1, text.find("\n", found.end())
    before, after = text[first : found.start()], text[found.start() : stop if stop >= 0 else len(text)]
    start, end = clip_start(before, LONGEST // 2), clip(after, LONGEST)
    shown = f"{'…' if start != before else ''}{start}{end}{'…' if end != after else ''}"
    return Sighting(
        sight=sight,
        message=message,
        original=-1,
        part=part,
        role=role,
        what=what,
        line=text.count("\n", 0, found.start()) + 1,
        times=lines,
        text=shown.strip(),
    )


def _matches(text: str, fact: Fact) -> tuple[re.Match[str], int]:
    """The first match, and how many lines have one."""
    first, lines, start = None, 0, 0
    for match in fact.pattern.finditer(text):
        first = first or match
        if match.start() >= start:
            lines += 1
            start = text.find("\n", match.end()) + 1 or len(text) + 1
    assert first is not None
    return first, lines


def _times(known: Provenance, times: Sequence[float | None]) -> Callable[[int], float | None]:
    """When each message, as given, was first sent: as the caller knows, else by the first decision after it."""
    entries = known.compactor.explain(known.given.body.payload) if not times else []
    decided = {known.given.index[one.boundary]: one.at for one in reversed(entries)}
    places = sorted(decided)

    def when(index: int) -> float | None:
        if times:
            return times[index] if index < len(times) else None
        following = bisect_left(places, index)
        return decided[places[following]] if following < len(places) else None

    return when
