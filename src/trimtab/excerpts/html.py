"""HTML: elements that hold text, under the heading they follow."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from trimtab.excerpts.base import STRUCTURE, Outline, Unit
from trimtab.excerpts.marks import BLANKS, fit, opens
from trimtab.excerpts.numbered import blanked
from trimtab.excerpts.prose import sentences
from trimtab.excerpts.text import LONGEST, pieces
from trimtab.selection import rows
from trimtab.stubs import clip

BEGINNING = re.compile(
    r"\ufeff?\s*+(?:<\?xml[^>]*+>\s*+)?(?:<!--.*?-->\s*+)?<(?:!doctype\s++html|html)\b", re.IGNORECASE | re.DOTALL
)
TITLE = re.compile("title|h[1-6]")
BLOCK = re.compile(
    TITLE.pattern
    + "|article|aside|blockquote|dd|div|dl|dt|fieldset|figure|footer|form|header|li|main|nav|ol|p|pre"
    "|section|select|table|tbody|td|thead|tr|ul"
)
"""Elements before and behind which a line would break."""

CLOSED = re.compile(BLOCK.pattern + "|a|body|button|code|em|head|html|label|option|span|strong|th")
"""Elements that those who write by hand or machine close where they opened them."""

TOKEN = re.compile(
    r"(?P<raw><(?:script|style|svg)\b.*?(?:</(?:script|style|svg)\s*>|\Z)|<!--.*?(?:-->|\Z))(?:[ \t]*+\r?\n)?"
    r"|<(?P<closing>/?)(?P<tag>!?[a-z][a-z0-9]*+)[^<>]*+>(?:[ \t]*+\r?\n)?|\n",
    re.IGNORECASE | re.DOTALL,
)

FEWEST_TAGS = 10
FULL = 200
"""Characters of tags that hold no text and are a unit nevertheless."""

NAMED = 8
"""Headings that have their weight in any text; in a long one, a tenth of its units."""


class Html:
    """A page, or a piece of one."""

    name: ClassVar[str] = "html"

    def read(self, text: str) -> Outline | None:
        """The lines and elements of a text that begins as a page does, or whose tags are HTML's and balanced."""
        if not opens(text, "<"):
            return None
        face = blanked(rows(text))
        tokens = list(TOKEN.finditer(face)) if face.lstrip(BLANKS)[:1] == "<" else []
        if not _is_html(face, tokens):
            return None
        segments = list(_segments(face, tokens))
        titles = [segment for segment in segments if segment.level >= 0]
        titles.sort(key=lambda segment: segment.level)
        chosen = {segment.start for segment in titles[: max(NAMED, len(segments) // 10)]}
        return Outline(self.name, list(_units(face, segments, chosen)), _sums(face, segments, tokens))


class Segment(NamedTuple):
    """Text and tags that belong together. `level` is a heading's, 0 the title's, -1 of all else."""

    start: int
    stop: int
    level: int = -1
    raw: bool = False


def _is_html(face: str, tokens: list[re.Match[str]]) -> bool:
    opened, closed = Counter[str](), Counter[str]()
    others = 0
    for token in tokens:
        tag = (token["tag"] or "").lower()
        if CLOSED.fullmatch(tag):
            (closed if token["closing"] else opened)[tag] += 1
        elif tag:
            others += 1
    common = opened.total() + closed.total()
    if BEGINNING.match(face):
        return common >= 1
    unequal = sum(abs(opened[tag] - closed[tag]) for tag in opened | closed)
    return common >= max(FEWEST_TAGS, others) and 10 * unequal <= common and face.rstrip()[-1:] == ">"


def _segments(face: str, tokens: list[re.Match[str]]) -> Iterator[Segment]:
    """The text cut at the ends of lines, and before and behind elements that a line would break at."""
    start = at = 0
    level = -1
    speaks = inside = False
    for token in tokens:
        speaks = speaks or not (at == token.start() or face[at : token.start()].isspace())
        at = token.end()
        tag = (token["tag"] or "").lower()
        breaks = bool(BLOCK.fullmatch(tag))
        opens = breaks and not token["closing"]
        if (opens or token["raw"]) and (speaks or token.start() - start > FULL):
            yield Segment(start, token.start(), level)
            start, level, speaks = token.start(), -1, False
        if token["raw"]:
            yield Segment(start, at, raw=True)
            start = at
            continue
        if breaks and TITLE.fullmatch(tag):
            inside = opens
            level = (0 if tag == "title" else int(tag[1])) if opens else level
        ends = face[at - 1] == "\n" and not (inside and at - start <= LONGEST)
        if ends or (speaks and breaks and token["closing"]):
            yield Segment(start, at, level)
            start, level, speaks, inside = at, -1, False, False
    if start < len(face):
        yield Segment(start, len(face), level)


def _units(face: str, segments: list[Segment], chosen: set[int]) -> Iterator[Unit]:
    """A unit a segment, several for an overlong one; each needs the heading it stands under."""
    headings: list[tuple[int, int]] = []
    count = 0
    for segment in segments:
        while segment.level >= 0 and headings and headings[-1][0] >= segment.level:
            headings.pop()
        parent = headings[-1][1] if headings and not segment.raw else -1
        if segment.level >= 0:
            headings.append((segment.level, count))
        for unit in _parts(face, segment):
            heads = unit.start in chosen
            yield Unit(unit.start, unit.stop, STRUCTURE if heads else 0.0, "heading" if heads else "", parent)
            count += 1


def _parts(face: str, segment: Segment) -> Iterator[Unit]:
    if segment.stop - segment.start <= LONGEST:
        yield Unit(segment.start, segment.stop)
    elif segment.raw:
        yield from pieces(face, segment.start, segment.stop)
    else:
        for start, stop in sentences(face[segment.start : segment.stop]):
            yield from pieces(face, segment.start + start, segment.start + stop)


def _sums(face: str, segments: list[Segment], tokens: list[re.Match[str]]) -> str:
    """The headings with the numbers of their lines, from 1, and how many links there are."""
    titles = [segment for segment in segments if segment.level >= 0]
    links = sum(1 for token in tokens if token["tag"] in ("a", "A") and not token["closing"])
    named: list[str] = []
    line = 1
    at = 0
    for title in titles[:NAMED]:
        line += face.count("\n", at, title.start)
        at = title.start
        words = " ".join(TOKEN.sub(" ", face[title.start : title.stop]).split())
        named.append(f"{line} {clip(words, 40)}")
    first = f"{links:,} link{'s' * (links != 1)}"
    if not named:
        return first
    return fit(f"{first}, {len(titles):,} heading{'s' * (len(titles) > 1)}: {named[0]}", *named[1:])
