"""Values of a JSON text by path, as the very characters that stand there: `1.10` stays `1.10`.

A path is a chain of `.key`, `['key']`, `[n]` (from 0, negative from the end), `[a:b]`, `[*]` and `.*`; `$`
may stand in front. There are no filters, and no search at any depth. JSON lines are taken as one array.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from io import StringIO
from itertools import accumulate, pairwise

from trimtab.errors import HandleError

TYPE_CHECKING = False  # importing typing would cost a start-up

if TYPE_CHECKING:
    from typing import TypeAlias

    Where: TypeAlias = tuple[int, int]
    Step: TypeAlias = str | int | slice
    Children: TypeAlias = dict[str | int, Where]

STEP = re.compile(
    r"""\.([^.\[\]*'"\s]+)|\['((?:[^'\\]|\\.)*)'\]|\[("(?:[^"\\]|\\.)*")\]"""
    r"""|\[(-?\d{1,9})\]|\[(-?\d{0,9}):(-?\d{0,9})\]|(?:\[\*\]|\.\*)"""
)
MARK = re.compile(r'(?:[^"\[\]{},:]++|"(?:[^"\\]++|\\.)*+")*+[\[\]{},:]')
"""What stands before the next sign of structure, and that sign."""

BLANKS = " \t\n\r"
BOM = "\ufeff"

MOST_STEPS = 50
"""Steps of a path; each reads once more what the one before found."""

MOST_KEYS = 12
"""Keys named in an answer that finds nothing."""


def find(text: str, path: str) -> list[Where]:
    """Where in a JSON text the values at a path stand.

    Of duplicate keys the last counts, as in decoders. Raises HandleError for a path that means nothing or
    leads nowhere, and for a text that is no JSON.
    """
    steps = _steps(path)
    found = values(text)
    outer: list[Children] | None = [dict(enumerate(found))] if len(found) > 1 else None
    for written, step in steps:
        outer = outer or [_children(text, place) for place in found]
        taken = [place for children in outer for place in _taken(children, step)]
        if not taken:
            raise HandleError(
                f"path {path[:80]!r}: there is no {written[:40]!r}; {_told(text, found[0], outer[0])}"
            )
        found, outer = taken, None
    return found


def items(text: str) -> list[Where]:
    """Where the items of a JSON array, or the values of JSON lines, stand. HandleError where there are none."""
    found = values(text)
    if len(found) > 1:
        return found
    inner = _children(text, found[0])
    if text[found[0][0]] != "[" or not inner:
        raise HandleError(
            f"items: expected a JSON array with items, or JSON lines; {_told(text, found[0], inner)}"
        )
    return list(inner.values())


def values(text: str) -> list[Where]:
    """Where the JSON value that a text is stands; several for JSON lines. HandleError when it is neither."""
    whole = _trimmed(text, 1 if text.startswith(BOM) else 0, len(text))
    error = _fault(text[slice(*whole)])
    if error is None:
        return [whole]
    ends = accumulate(map(len, StringIO(text, newline="\n")), initial=0)
    lines = [place for line in pairwise(ends) if (place := _trimmed(text, *line))[0] < place[1]]
    if len(lines) < 2 or any(_fault(text[slice(*line)]) is not None for line in lines):
        raise HandleError(f"the original is not JSON, so it has no paths and no items: {error}; use lines or grep")
    return lines


def string(text: str) -> str | None:
    """The text that a JSON string stands for, None when the value is no string."""
    value = json.loads(text) if text.startswith('"') else None
    return value if isinstance(value, str) else None


def _fault(text: str) -> str | None:
    """Why a text is no JSON, None when it is. Numbers stay digits: Python refuses to convert very long ones."""
    try:
        json.loads(text, parse_int=str, parse_float=str)
    except RecursionError:
        return "it is nested too deeply"
    except ValueError as error:
        return str(error)
    return None


def _trimmed(text: str, start: int, stop: int) -> Where:
    """A stretch without the blanks around it."""
    inner = text[start:stop]
    return start + len(inner) - len(inner.lstrip(BLANKS)), max(
        stop - len(inner) + len(inner.rstrip(BLANKS)), start
    )


def _children(text: str, place: Where) -> Children:
    """The members of an object by key, the items of an array by number; none of any other value."""
    found: Children = {}
    if text[place[0]] not in "[{":
        return found
    depth, begin, key = 0, place[0] + 1, ""
    for mark in MARK.finditer(text, *place):
        end = mark.end()
        sign = text[end - 1]
        depth += (sign in "[{") - (sign in "]}")
        if depth == 1 and sign == ":":
            key, begin = _key(text[begin : end - 1].strip(BLANKS)), end
        elif (depth == 1 and sign == ",") or depth == 0:
            child = _trimmed(text, begin, end - 1)
            if child[0] < child[1]:
                found[key if text[place[0]] == "{" else len(found)] = child
            begin = end
    return found


def _key(written: str) -> str:
    """What a key says; few have escapes."""
    return str(json.loads(written)) if "\\" in written else written[1:-1]


def _taken(children: Children, step: Step) -> Iterator[Where]:
    """The children that a step leads to."""
    if isinstance(step, str):
        yield from [children[step]] if step in children else []
    elif step == slice(None):
        yield from children.values()
    elif 0 in children:
        listed = list(children.values())
        if isinstance(step, slice):
            yield from listed[step]
        elif -len(listed) <= step < len(listed):
            yield listed[step]


def _steps(path: str) -> list[tuple[str, Step]]:
    rest = path.strip().removeprefix("$")
    rest = f".{rest}" if rest and rest[0] not in ".[" else rest
    steps: list[tuple[str, Step]] = []
    at = 0
    while at < len(rest):
        match = STEP.match(rest, at)
        if match is None or len(steps) == MOST_STEPS:
            raise HandleError(
                f"path {path[:80]!r}: cannot follow {rest[at : at + 40]!r}; a path looks like $.rows[3].name,"
                f" $['a key'], $.rows[0:10].id or $.rows[*].id and has at most {MOST_STEPS} steps"
            )
        steps.append((match[0], _step(match)))
        at = match.end()
    if not path.strip():
        raise HandleError("path '': expected something like $.rows[3].name; $ is the whole")
    return steps


def _step(match: re.Match[str]) -> Step:
    bare, single, double, number, first, last = match.groups()
    if bare is not None:
        return bare
    if single is not None:
        return re.sub(r"\\(.)", r"\1", single)
    if double is not None:
        return string(double) if _fault(double) is None else double[1:-1]  # type: ignore[return-value]
    if number is not None:
        return int(number)
    return slice(int(first) if first else None, int(last) if last else None)


def _told(text: str, place: Where, children: Children) -> str:
    """What stands where nothing was found."""
    opening = text[place[0]]
    if opening == "[" or 0 in children:
        return f"there is an array of {len(children):,} items"
    if opening == "{":
        keys = [str(key)[:40] for key in list(children)[:MOST_KEYS]]
        return (
            f"there is an object with {', '.join(keys) or 'nothing'}{', …' if len(children) > MOST_KEYS else ''}"
        )
    return f"there is only {text[slice(*place)][:40]}"
