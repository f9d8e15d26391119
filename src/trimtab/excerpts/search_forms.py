"""The forms in which a search tells its hits, each proven: paths, and line numbers that rise within a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from trimtab.excerpts.base import ODD

FEWEST = 3
"""Hits below which nothing is taken for the output of a search."""

STRAY = 5
"""Lines at the very beginning or end that may say something else; a fifth of all at most."""

_FILE = r"(?:[A-Za-z]:[\\/])?[^\s:\"'<>|{}()=,;][^:\"<>|{}=,;\t]*"
_HIT = re.compile(rf"({_FILE}):([1-9][0-9]{{0,6}}):")
_PLAIN = re.compile(rf"({_FILE}):")
_CONTEXT = re.compile(r"-([1-9][0-9]{0,6})-")
_HEADED = re.compile(r"[ \t]*(?:Line |L)?([1-9][0-9]{0,6})([:-])")
_HEAD = re.compile(rf"({_FILE}):?")
_PATH = re.compile(r"(?![0-9]{4}-[0-9]{2}-[0-9]{2}).*(?:[/\\][^/\\]*|\.[A-Za-z][A-Za-z0-9]{0,9})")
_COMPILER = re.compile(r"[0-9]+: \S|(?:[0-9]+:)? *(?:fatal error|error|warning|note|[A-Z]{1,3}[0-9]{3,4})\b")
_TROUBLE = re.compile(r"(?:rg|grep|ag|git|find): .+")
_LABEL = r"\**(?:URL|Url|url|Link|link|Source|source|href)\**: *"
_URL = re.compile(rf"([ \t]*(?:[-*] |[0-9]{{1,4}}[.)] )?(?:{_LABEL})?<?)https?://(?:www\.)?([^\s/>]+)\S*[ \t]*")

EARLY = 40
"""Lines among which a first hit must be for the rest to be looked at."""


class Hit(NamedTuple):
    """A line of what a search said: the file or site it belongs to, whether it is a hit, the line it needs."""

    file: str = ""
    counts: bool = False
    needs: int = -1
    weight: float = 0.0
    why: str = ""
    web: bool = False


def inline(lines: Sequence[str]) -> list[Hit] | None:
    """`path:line:text`, with context as `path-line-text`; or `path:text` where a file's hits stand together."""
    if not any(map(_HIT.match, lines[:EARLY])):
        return _unnumbered(lines)
    matches = [_HIT.match(line) for line in lines]
    if sum(match is not None for match in matches) < FEWEST:
        return None
    files = {match[1] for match in matches if match}
    if not all(map(_PATH.fullmatch, files)) or not _rise(matches) or _is_of_a_compiler(lines, matches):
        return None
    hits = list[Hit]()
    for number, (line, match) in enumerate(zip(lines, matches, strict=True)):
        file = match[1] if match else _context(line, files)
        if file is None and not (line in ("", "--") or _may_stray(number, lines)):
            return None
        hits.append(Hit(file, match is not None) if file else _stray(line))
    return hits if _are_most(lines, hits) else None


def _rise(matches: Sequence[re.Match[str] | None]) -> bool:
    """Whether line numbers rise from hit to hit of a file, but for a few."""
    found = [match for match in matches if match]
    hits: list[tuple[str, int]] = [(match[1], int(match[2])) for match in found]
    falls = sum(one[0] == other[0] and other[1] < one[1] for one, other in pairwise(hits))
    return falls * 20 <= len(found)


def _is_of_a_compiler(lines: Sequence[str], matches: Sequence[re.Match[str] | None]) -> bool:
    """Whether most hits are a compiler's or linter's complaints, which are not of a search."""
    found = [(line, match) for line, match in zip(lines, matches, strict=True) if match]
    return 2 * sum(_COMPILER.match(line, match.end()) is not None for line, match in found) > len(found)


def _context(line: str, files: set[str]) -> str | None:
    """The file of a line of context: what stands before the first number that leaves a known file's name."""
    places = (match.start() for match, _ in zip(_CONTEXT.finditer(line), range(STRAY), strict=False))
    return next((line[:place] for place in places if line[:place] in files), None)


def _unnumbered(lines: Sequence[str]) -> list[Hit] | None:
    if 2 * sum(map(bool, map(_PLAIN.match, lines[:EARLY]))) < len(lines[:EARLY]):
        return None
    matches = [_PLAIN.match(line) for line in lines]
    found = [match[1] for match in matches if match]
    runs = 1 + sum(one != other for one, other in pairwise(found))
    files = set(found)
    if len(found) <= FEWEST or runs != len(files) or 2 * runs > len(found) or not all(map(_is_nested, files)):
        return None
    if any(match is None and not _may_stray(number, lines) for number, match in enumerate(matches)):
        return None
    both = zip(lines, matches, strict=True)
    hits = [Hit(match[1], True) if match else _stray(line) for line, match in both]
    return hits if _are_most(lines, hits) else None


def _is_nested(file: str) -> bool:
    return "/" in file and " " not in file and _PATH.fullmatch(file) is not None


def _may_stray(number: int, lines: Sequence[str]) -> bool:
    return number < STRAY or number >= len(lines) - STRAY or _TROUBLE.fullmatch(lines[number]) is not None


def _are_most(lines: Sequence[str], hits: Sequence[Hit]) -> bool:
    """Whether lines that say something else are few."""
    others = sum(hit == Hit() and line not in ("", "--") for line, hit in zip(lines, hits, strict=True))
    return 5 * others <= len(lines)


def _stray(line: str) -> Hit:
    return Hit(weight=ODD, why="error") if _TROUBLE.fullmatch(line) else Hit()


def headed(lines: Sequence[str]) -> list[Hit] | None:
    """A path, beneath it `line:text` with rising numbers; a blank line or `--` between."""
    if not any(map(_HEADED.match, lines[:EARLY])):
        return None
    hits, file, above, last, found = list[Hit](), "", -1, 0, 0
    for number, line in enumerate(lines):
        match, head = _HEADED.match(line), _HEAD.fullmatch(line)
        if match and file and int(match[1]) > last:
            last = int(match[1])
            found += match[2] == ":"
            hits.append(Hit(file, match[2] == ":", above))
        elif head and _PATH.fullmatch(head[1]) and _HEADED.match("".join(lines[number + 1 : number + 2])):
            file, above, last = head[1], number, 0
            hits.append(Hit(file))
        elif line in ("", "--") or number < STRAY or number >= len(lines) - STRAY:
            hits.append(Hit())
        else:
            return None
    return hits if found >= FEWEST and _are_most(lines, hits) else None


def web(lines: Sequence[str]) -> list[Hit] | None:
    """Titles over addresses, each on a line of its own and written alike, with what was quoted beneath."""
    if not any(map(_URL.fullmatch, lines[: STRAY + 1])):
        return None
    matches = [_URL.fullmatch(line) for line in lines]
    places = [number for number, match in enumerate(matches) if match]
    marks = {re.sub("[0-9]+", "0", mark) for mark in {match[1] for match in matches if match}}
    if len(places) < FEWEST or len(marks) > 1:
        return None
    titled = all(place and lines[place - 1].strip() for place in places)
    heads = {place - titled: matches[place] for place in places}
    hits, above, site = list[Hit](), -1, ""
    for number in range(len(lines)):
        match = heads.get(number)
        if match:
            above, site = number, match[2]
        hits.append(Hit(site, match is not None, -1 if match else above, web=True))
    return hits
