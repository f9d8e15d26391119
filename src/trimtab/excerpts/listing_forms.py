"""The forms in which files are listed, each proven line by line: what is not of a form from end to end is none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from trimtab.excerpts.base import ODD, STRUCTURE, VERDICT
from trimtab.excerpts.columns import Column, odd

LONGEST_PATH = 500
"""Characters of a path beyond which its end is not put together."""

EARLY = 40
"""Lines among which something of a path must be for the rest to be looked at."""

_MODE = re.compile(r"([-dlbcpsD][-rwxsStT]{9})[.+@]?[ ]+[0-9]+[ ]+(\S+)[ ]+(\S+)[ ]+(\S.*)")
_DATED = re.compile(
    r"(?:[A-Za-z]{3} [ 0-9][0-9]|[0-9]{4}(?:-[0-9]{2}){2})[ ]+[0-9]{1,4}(?::\S+)?(?: [+-][0-9]{4})?[ ](.+)"
)
_TOTAL = re.compile(r"total [0-9][0-9.,]*[KMGT]?")
_HEADING = re.compile(r"([^\s:*?\"<>|][^:*?\"<>|\t]*):")
_MISSING = re.compile(r"\w+: .*(?:No such file or directory|Permission denied|cannot access).*")
_NAME = re.compile(r"[^\s/:;,*?\"<>|{}=]+[*@|=/]?")
_BRANCH = re.compile(r"([│| \u00a0]*)(?:├──|└──|\|--|`--|\+--)[ \u00a0]+(\S.*)")
_BULLET = re.compile(r"( *)- (\S.*)")
_TREE_COUNT = re.compile(r"[0-9]+ director(?:y|ies)(?:, [0-9]+ files?)?")
_STATUS = re.compile(
    r"([ MTADRCU?!][MTADRCU?!] |[MTADRCU?!][ ] |[MTADRCU][0-9]{0,3}\t)(\S+|\".*\"|\S+ -> \S+|\S+\t\S+)"
)
_BRANCHES = re.compile(r"(?:## \S|On branch |HEAD detached |Not currently on ).*")
_CHANGE = re.compile(r"\t(?:([a-z][a-z ]{2,18}):[ ]+)?(\S.*)")
_CONFLICTS = frozenset(("DD", "AU", "UD", "UA", "DU", "AA", "UU"))
_PATH = re.compile(
    r"(?:[0-9][0-9.,]*[KMGT]?\t)?((?:~|\.{1,2}|[A-Za-z]:)?[/\\]?[^\s/\\:*?\"<>|=;,{}`']+(?:[/\\]+[^/\\:*?\"<>|;`\t]+)*[/\\]?|\.)"
)
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,9}$|\.[0-9]$")
_COUNTED = re.compile(r"(?:Found [0-9,]+|Here's the files|\([^()]*(?:truncated|omitted)|\.\.\. ?[0-9(]).*")


class Entry(NamedTuple):
    """A line of a listing: the path of the file it names ("" for none, ending in "/" for a directory)."""

    path: str = ""
    needs: int = -1
    weight: float = 0.0
    why: str = ""


def long_list(lines: Sequence[str]) -> list[Entry] | None:
    """`ls -l`, of several directories too; odd are an owner and a mode that few of the files have."""
    entries, folder, above = list[Entry](), "", -1
    at, modes, owners = list[int](), list[str](), list[str]()
    for number, line in enumerate(lines):
        match, heading = _MODE.fullmatch(line), _HEADING.fullmatch(line)
        if match:
            entries.append(Entry(_long_path(folder, match), above))
            at.append(number)
            modes.append(match[1])
            owners.append(f"{match[2]} {match[3]}")
        elif _MISSING.fullmatch(line):
            entries.append(Entry(weight=ODD, why="error"))
        elif heading and (number == 0 or not lines[number - 1]):
            folder, above = heading[1], number
            entries.append(Entry(weight=STRUCTURE, why="directory"))
        elif not line or _TOTAL.fullmatch(line):
            entries.append(Entry(needs=above if line else -1))
        else:
            return None
    for name, values in (("mode", modes), ("owner", owners)):
        for one in odd(Column(name, at, values)):
            entries[one.at] = entries[one.at]._replace(weight=ODD, why=one.why)
    return _sparse(entries) if at else None


def _long_path(folder: str, match: re.Match[str]) -> str:
    dated = _DATED.search(match[4])
    name = (dated[1] if dated else match[4]).split(" -> ")[0]
    if name in (".", ".."):
        return ""
    return _join(folder, name + "/" * (match[1][0] == "d" and not name.endswith("/")))


def _join(folder: str, name: str) -> str:
    return f"{folder.rstrip('/')}/{name}"[:LONGEST_PATH] if folder else name


def _sparse(entries: list[Entry]) -> list[Entry]:
    """Headings are structure as long as there are few: one line in ten; else only what they head says so."""
    heads = [number for number, entry in enumerate(entries) if entry.weight == STRUCTURE]
    for number in heads[max(3, len(entries) // 10) :]:
        entries[number] = entries[number]._replace(weight=0.0, why="")
    return entries


def sections(lines: Sequence[str]) -> list[Entry] | None:
    """`ls` of several directories: a path with a colon, the names in it, a blank line."""
    entries, folder, above = list[Entry](), "", -1
    for before, line in pairwise(["", *lines]):
        heading = _HEADING.fullmatch(line) if not before else None
        if heading:
            folder, above = heading[1], len(entries)
            entries.append(Entry(weight=STRUCTURE, why="directory"))
        elif not line:
            entries.append(Entry())
        elif before and _NAME.fullmatch(line):
            entries.append(Entry(_join(folder, line), above))
        else:
            return None
    return _sparse(entries) if above > 0 or "/" in folder else None


def tree(lines: Sequence[str]) -> list[Entry] | None:
    """Branches drawn with lines, or bullets under bullets as directory tools write them."""
    first = next((number for number, line in enumerate(lines) if line.strip()), -1)
    form = _BRANCH if any(_BRANCH.fullmatch(line) for line in lines[1:3]) else _BULLET
    entries, above = [Entry()] * len(lines), list[tuple[int, int, str]]()
    for number, line in enumerate(lines):
        if not line or line.isspace():
            continue
        match = form.fullmatch(line)
        if match is None:
            if _TREE_COUNT.fullmatch(line) and above:
                entries[number] = Entry(weight=VERDICT, why="count")
            elif number == first and form is _BRANCH:
                above.append((-1, number, line.strip() if line.strip() != "." else ""))
            else:
                return None
            continue
        while above and above[-1][0] >= len(match[1]):
            above.pop()
        path = _join(above[-1][2] if above else "", match[2])
        entries[number] = Entry(path, above[-1][1] if above else -1)
        above.append((len(match[1]), number, path.rstrip("/")))
    return _folders(entries) if form is _BRANCH or _are_bullets(entries) else None


def _are_bullets(entries: Sequence[Entry]) -> bool:
    """Whether a list of bullets is of files: it begins with a directory, and hardly a name has a blank in it."""
    named = [entry.path for entry in entries if entry.path]
    spaced = sum(" " in path for path in named)
    return bool(named) and named[0].endswith("/") and spaced * 10 <= len(named)


def _folders(entries: list[Entry]) -> list[Entry]:
    """Marks what other entries stand under as directories, those right under the root as structure."""
    for number in {entry.needs for entry in entries if entry.needs >= 0}:
        path, needs, _, _ = entries[number]
        mark = (STRUCTURE, "directory") if needs < 0 or entries[needs].needs < 0 else (0.0, "")
        entries[number] = Entry(path.rstrip("/") + "/" if path else "", needs, *mark)
    return _sparse(entries)


def status(lines: Sequence[str]) -> list[Entry] | None:
    """`git status`, long or short, and `git diff --name-status`; odd are conflicts and rare kinds of change."""
    long = bool(lines) and _BRANCHES.fullmatch(lines[0]) is not None and not lines[0].startswith("##")
    entries = list[Entry]()
    at, codes, above = list[int](), list[str](), -1
    for number, line in enumerate(lines):
        match = (_CHANGE if long else _STATUS).fullmatch(line)
        if match:
            code = (match[1] or "").strip()
            clash = code in _CONFLICTS or code.startswith(("both ", "deleted by ", "added by "))
            entries.append(Entry(match[2].strip('"'), above, ODD if clash else 0.0, "conflict" if clash else ""))
            at.append(number)
            codes.append(code)
        elif long and line.endswith(":") and line[0] != " ":
            above = number
            entries.append(Entry(weight=STRUCTURE, why="heading"))
        elif (
            not line
            or (number == 0 and _BRANCHES.fullmatch(line))
            or (long and len(line) < 120 and "\t" not in line)
        ):
            entries.append(Entry())
        else:
            return None
    for one in odd(Column("change", at, codes)):
        entries[one.at] = entries[one.at]._replace(weight=ODD, why=one.why)
    return entries if at else None


def paths(lines: Sequence[str]) -> list[Entry] | None:
    """A path a line, as `find`, `git ls-files` and `du` print them; what counts them may stand at either end."""
    if not any(mark in line for line in lines[:EARLY] for mark in "/.\\"):
        return None
    entries, found = list[Entry](), list[str]()
    for number, line in enumerate(lines):
        match = _PATH.fullmatch(line)
        if match and not (number == 0 and _COUNTED.fullmatch(line)):
            found.append(match[1].replace("\\", "/"))
            entries.append(Entry(found[-1]))
        elif (_COUNTED.fullmatch(line) and number in (0, len(lines) - 1)) or (
            not line and _are_blank(lines, number)
        ):
            entries.append(Entry(weight=VERDICT if line else 0.0, why="count" if line else ""))
        else:
            return None
    return entries if _are_paths(found) else None


def _are_blank(lines: Sequence[str], number: int) -> bool:
    """Whether nothing but one more line follows a blank one."""
    return len(lines) - number <= 2


def _are_paths(found: Sequence[str]) -> bool:
    """Whether these are paths rather than words or code: all different, with folders or extensions in common."""
    if not found or len(set(found)) * 20 < len(found) * 19:
        return False
    nested = sum("/" in path.rstrip("/") for path in found)
    typed = sum(_EXTENSION.search(path) is not None for path in found)
    roots = len({"/".join(path.lstrip("./").split("/", 1)[:1]) for path in found if "/" in path})
    shared = 10 * roots <= 7 * len(found)
    return (10 * nested >= 8 * len(found) and (shared or 2 * typed >= len(found))) or 10 * typed >= 9 * len(found)
