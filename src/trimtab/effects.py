"""What a call may change: told from the tool's name and the paths in its arguments, never from its result.

In doubt a call changes something: a result that is fetched once more costs a call, a stale one a wrong edit.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from fnmatch import translate
from itertools import islice, takewhile
from typing import TypeAlias

from trimtab.calls import value_of
from trimtab.transcript import JSON
from trimtab.words import PIECE


def _listed(words: str) -> tuple[str, ...]:
    return tuple(words.split())


SHELLS = _listed("*bash* sh zsh *shell* terminal cmd command exec* run eval* python* node repl script")
"""Words of a tool's name that tell of one which may change anything."""

WRITES = _listed(
    "write edit update set put patch insert replace append delete remove create make mkdir rm move mv rename copy"
    " cp save upload download install commit push merge checkout apply add submit publish pay buy start stop"
    " restart kill deploy launch spawn"
)
"""Words that tell of an effect."""

CHANGES = _listed(
    "send notify email *status* poll* wait* sleep time now date clock health* ping progress job jobs"
)
"""Words that tell of what changes by itself or must happen each time, though no file changes."""

READS = _listed(
    "read get list ls grep rg glob search find view cat head tail show fetch lookup describe count stat tree diff"
    " log logs blame inspect browse"
)
"""Words that tell of what only looks."""

NEVER = SHELLS + WRITES + CHANGES
"""Words of tools whose calls are never answered from an earlier result."""

HARMLESS = ("todo*", "update_plan", "think*")
"""Tools that change no file though their names do not tell so."""

PATHS = frozenset(
    _listed(
        "path paths filepath filepaths abspath file files filename filenames notebook dir dirs directory"
        " directories folder folders root cwd uri url urls"
    )
)
"""Last words of the names of arguments that hold a path or an address."""

ENDS = PATHS.union(_listed("source src destination dest dst target to from into output"))
"""Those of what writes: where it takes things from and puts them."""

MOST_PLACES = 64
"""Paths in one call that are told apart; one with more may be about any."""

Place: TypeAlias = tuple[str, ...]
"""A path by its components, from what it starts at: `/`, a drive, `.` (the host's folder) or the web."""

WEB = "web"
ANYWHERE: Place = ("?",)
EVERYWHERE: tuple[Place, ...] = (ANYWHERE,)

_ADDRESS = re.compile(r"https?://(.*)", re.DOTALL)
_DRIVE = re.compile(r"[a-z]:(?=/)")
_UNSURE = re.compile(r"(?:\A|/)\.\.(?:/|\Z)|[~$%:#,;|\n\"'`]")
"""What another program may read as other than one path; `a/../b` is not `b` where `a` is a link."""
_WILD = re.compile(r"[*?\[{]")


class Globs:
    """Globs that names are held against, in either case."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._any = re.compile("|".join(map(translate, patterns)) or r"(?!)", re.IGNORECASE)

    def fit(self, name: str) -> bool:
        """Whether one fits the whole name."""
        return self._any.match(name) is not None

    def fit_word(self, name: str) -> bool:
        """Whether one fits the name or a word in it: `create` fits `mcp__github__createIssue`."""
        return self.fit(name) or any(map(self.fit, PIECE.findall(name)))


_SHELLS, _WRITES, _LOOKS = Globs(SHELLS), Globs(WRITES), Globs(READS + CHANGES)


def changed(name: str, arguments: JSON) -> tuple[Place, ...]:
    """The places a call may change: none for what only looks, everywhere for shells and what names no path."""
    if _SHELLS.fit_word(name):
        return EVERYWHERE
    if _LOOKS.fit_word(name) and not _WRITES.fit_word(name):
        return ()
    return _places(arguments, ENDS)


def looked_at(arguments: JSON) -> tuple[Place, ...]:
    """The places that a call which reads may have seen: everywhere when it names no path."""
    return _places(arguments, PATHS)


def meet(one: Place, other: Place) -> bool:
    """Whether two paths may be the same or one may lie in the other.

    A path from the host's folder and one from the root may be the same: nobody knows that folder here.
    """
    if ANYWHERE in (one, other):
        return True
    if one[0] != other[0]:
        return WEB not in (one[0], other[0])
    return all(a == b for a, b in zip(one, other, strict=False))


def place(path: str) -> Place:
    """A path so that different spellings are the same: `./`, `//`, `\\`, letter case, composed letters.

    A glob is the folder it searches. What cannot be told (`..`, `~`, variables, lists) is anywhere.
    """
    text = unicodedata.normalize("NFC", path.strip()).casefold()
    if (address := _ADDRESS.match(text)) is not None:
        return (WEB, *filter(None, address[1].split("/")))
    text = text.replace("\\", "/")
    drive = _DRIVE.match(text)
    start = drive[0] if drive else "/" if text.startswith("/") else "."
    rest = text[drive.end() :] if drive else text
    if _UNSURE.search(rest):
        return ANYWHERE
    steps = (step for step in rest.split("/") if step not in ("", "."))
    return (start, *takewhile(lambda step: not _WILD.search(step), steps))


def _places(arguments: JSON, names: frozenset[str]) -> tuple[Place, ...]:
    try:
        found = {place(path) for path in islice(_paths(value_of(arguments), names), MOST_PLACES + 1)}
    except (ValueError, RecursionError):
        return EVERYWHERE
    return tuple(found) if 0 < len(found) <= MOST_PLACES else EVERYWHERE


def _paths(arguments: JSON, names: frozenset[str]) -> Iterator[str]:
    """The texts in arguments that stand, at any depth, under a name of a path."""
    todo, seen = [(arguments, False)], set[int]()
    while todo:
        value, named = todo.pop()
        if isinstance(value, str | os.PathLike):
            if named:
                yield os.fsdecode(value)
        elif isinstance(value, dict | list | tuple) and id(value) not in seen:
            seen.add(id(value))
            inner = value.items() if isinstance(value, dict) else (("", one) for one in value)
            todo += [(one, named or _names_path(str(key), names)) for key, one in inner]


def _names_path(name: str, names: frozenset[str]) -> bool:
    words = [word.lower() for word in PIECE.findall(name)]
    return bool(words) and (words[-1] in names or "".join(words[-2:]) in names)
