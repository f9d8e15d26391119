"""What of an original is wanted: a value, a range, what matches, in pages. Imports little on purpose."""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Iterator
from io import StringIO

from trimtab.errors import HandleError

TYPE_CHECKING = False  # importing typing would cost a start-up

if TYPE_CHECKING:
    from trimtab.patterns import Pattern

PAGE = 40_000
"""Characters of one answer, about 11,000 tokens: it is read at once, and leaves room in a window of 32,000."""

LONGEST_ROW = 2_000
"""Characters of a line above which a pattern shows what stands around its matches instead of the line."""

AROUND = 300
"""Characters shown on either side of the place where such a match ends."""

BYTES_PER_TOKEN = 3.5
"""UTF-8 bytes for one token of o200k: source code 4.0, prose 3.7, JSON 3.1, logs 3.0, Japanese 4.5."""

RANGE = re.compile(r"(\d{1,12})(?:-(\d{0,12}))?")

Selected = namedtuple("Selected", ("text", "rest", "tokens"))
"""One page of what was asked for; the range of what remains, such as `{"lines": "401-800"}`, empty when nothing
does; and about how many tokens all of it has (with a pattern, this page)."""


def select(
    text: str,
    *,
    path: str | None = None,
    lines: str | None = None,
    items: str | None = None,
    bytes: str | None = None,  # noqa: A002
    grep: str | None = None,
    page: int | None = None,
) -> Selected:
    """What of a text is asked for, word for word; at most `page` characters of it, up to the end of a line.

    `path` is a JSON path (see `jsonpath`): the value as it stands there, of several one a line. Of that, or
    of the text, one range, counted from 1: "A-B", "A-" or "A" `lines`, `items` (of a JSON array or JSON
    lines) or `bytes` (of the UTF-8; a character belongs to the range that holds its first byte). `grep` is a
    regular expression (see `patterns`): the lines that match, with their numbers; in pages, of a line over
    2,000 characters what stands around its matches.

    Where a path leads to one string, ranges, pages and patterns are those of the text that it stands for.
    Raises HandleError for what means nothing here.
    """
    ranges = (("lines", lines), ("items", items), ("bytes", bytes))
    given = {unit: asked for unit, asked in ranges if asked is not None}
    if len(given) > 1:
        raise HandleError(f"{' and '.join(given)} are ranges of one text: give one of them")
    if path is not None:
        text = _at(text, path, page if lines is bytes is grep is None else 0)
    start, stop = _range(text, *next(iter(given.items()))) if given else (0, len(text))
    if grep is None:
        end = _page_end(text, start, stop, page)
        shown, size = text[start:end], tokens(text[start:stop])
    else:
        shown, end = _matching(text, start, stop, grep, page)
        size = tokens(shown)
    return Selected(shown, _rest(text, end, stop, whole_lines=given.keys() <= {"lines"}), size)


def rows(text: str) -> list[str]:
    """The lines of a text with their ends, as editors and `sed` count them: only a line feed ends one."""
    return StringIO(text, newline="\n").readlines()


def tokens(text: str) -> int:
    """About how many tokens a text has."""
    return round(len(_utf8(text)) / BYTES_PER_TOKEN)


def of_medium(data: bytes, media_type: str, asked: dict[str, str]) -> bytes:
    """The bytes of a medium that are asked for. Raises HandleError for anything but `bytes`."""
    if asked.keys() - {"bytes"}:
        raise HandleError(
            f"this is a medium ({media_type or 'of no known type'}): of it only bytes can be asked for"
        )
    if not asked:
        return data
    first, last = _numbers("bytes", asked["bytes"], len(data))
    return data[first - 1 : last]


def _at(text: str, path: str, fitting: int | None) -> str:
    """The values at a JSON path; of one string the text, unless it fits into so many characters as it stands."""
    from trimtab import jsonpath

    found = [text[start:stop] for start, stop in jsonpath.find(text, path)]
    if len(found) == 1 and fitting is not None and len(found[0]) > fitting:
        return found[0] if (meant := jsonpath.string(found[0])) is None else meant
    return "\n".join(found)


def _range(text: str, unit: str, asked: str) -> tuple[int, int]:
    """Where a range begins and ends."""
    if unit == "bytes":
        data = _utf8(text)
        first, last = _numbers(unit, asked, len(data))
        return _place(data, first - 1), _place(data, last)
    if unit == "items":
        from trimtab.jsonpath import items

        places = items(text)
        first, last = _numbers(unit, asked, len(places))
        return places[first - 1][0], places[min(last, len(places)) - 1][1]
    lengths = [*map(len, rows(text))]
    first, last = _numbers(unit, asked, len(lengths))
    start = sum(lengths[: first - 1])
    return start, start + sum(lengths[first - 1 : last])


def _numbers(unit: str, asked: str, count: int) -> tuple[int, int]:
    match = RANGE.fullmatch(asked.strip())
    first = int(match[1]) if match else 0
    last = first if match and match[2] is None else int(match[2] or count) if match else 0
    if first > count and match:
        raise HandleError(f"{unit} {asked[:40]!r}: there are only {count}")
    if not match or first < 1 or last < first:
        raise HandleError(f"{unit} {asked[:40]!r}: expected A-B, A- or A, counted from 1; there are {count}")
    return first, last


def _place(data: bytes, number: int) -> int:
    """The place in the text of the first character that begins at this byte of its UTF-8 or later."""
    while number < len(data) and data[number] & 0xC0 == 0x80:
        number += 1
    return len(data[:number].decode("utf-8", "surrogatepass"))


def _page_end(text: str, start: int, stop: int, page: int | None) -> int:
    if page is None or stop - start <= page:
        return stop
    return text.rfind("\n", start, start + page) + 1 or start + page


def _rest(text: str, start: int, stop: int, *, whole_lines: bool) -> dict[str, str]:
    """The range from `start` to `stop`: in lines where these are whole, else in bytes."""
    if start >= stop:
        return {}
    if whole_lines and text[start - 1 : start] == "\n":
        return {"lines": f"{_line(text, start)}-{_line(text, stop - 1)}"}
    return {"bytes": f"{len(_utf8(text[:start])) + 1}-{len(_utf8(text[:stop]))}"}


def _line(text: str, place: int) -> int:
    """The number of the line in which a place stands."""
    return text.count("\n", 0, place) + 1


def _matching(text: str, start: int, stop: int, grep: str, page: int | None) -> tuple[str, int]:
    """The lines that match, with their numbers, and how far they were looked for."""
    from trimtab.patterns import Pattern

    pattern = Pattern(grep)
    shown: list[str] = []
    size, number = 0, _line(text, start)
    for row in rows(text[start:stop]):
        for looked, found in _found(row, pattern, page):
            if page is not None and shown and size + len(found) > page:
                return "".join(shown), start + looked
            shown.append(f"{number}:{found}" if found.endswith("\n") else f"{number}:{found}\n")
            size += len(shown[-1])
        start += len(row)
        number += 1
    return "".join(shown), stop


def _found(row: str, pattern: Pattern, page: int | None) -> Iterator[tuple[int, str]]:
    """What is shown of a line, each with the place from which it was looked for."""
    line = row.removesuffix("\n").removesuffix("\r")
    if page is None or len(line) <= LONGEST_ROW:
        if pattern.search(line) is not None:
            yield 0, row
        return
    place = 0
    while place < len(line) and (end := pattern.search(line, place)) is not None:
        first, last = max(end - AROUND, place), end + AROUND
        yield place, f"{'…' if first else ''}{line[first:last]}{'…' if last < len(line) else ''}"
        place = last


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def medium(data: bytes) -> bytes:
    """The bytes of a stored medium: the longest base64 text in its JSON, decoded; the JSON where there is none."""
    import json
    from base64 import b64decode

    longest = max(_texts(json.loads(data)), key=len, default="")
    try:
        return b64decode(longest.rpartition(",")[2], validate=True) or data
    except ValueError:
        return data


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
