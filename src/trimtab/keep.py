"""What an agent says it keeps of a result: a call of the keep tool in the transcript, read as a note."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from msgspec import Struct

from trimtab.errors import WireError
from trimtab.excerpts.base import NUMBERED
from trimtab.jsonbytes import decode
from trimtab.stubs import KEEP_TOOL, end_stub, gap_stub, lines_of
from trimtab.transcript import JSON, ToolCall

MOST_NAMES = 50
"""Names of a note that are looked at."""

END = 10**9
"""The last line of any text."""

NUMBERS_ITSELF = 0.8
"""Share of a text's lines with a number in front from which on its lines go by these numbers."""

_RANGE = re.compile(r"(\d{1,9})(-)?(\d{1,9})?")


class Note(Struct, frozen=True):
    """Of a result these `lines` stay (first and last, from 1), and those with one of the `names`; the rest may go.

    `of` says which result: its call's id, its handle, or something that its call says; "" the newest one.
    """

    of: str = ""
    lines: tuple[tuple[int, int], ...] = ()
    names: tuple[str, ...] = ()


def is_keep(call: ToolCall) -> bool:
    """Whether this is a call of the keep tool, under whatever prefix a client gives to names of tools."""
    return call.name.endswith(KEEP_TOOL)


def noted(call: ToolCall) -> Note | None:
    """The note that a call of the keep tool makes; None when it makes none."""
    try:
        found = read(decode(call.arguments.encode("utf-8", "surrogatepass")))
    except (WireError, RecursionError):
        return None
    return found if isinstance(found, Note) else None


def read(arguments: JSON) -> Note | str:
    """A note from arguments, or what is wrong with them, in words for a model."""
    if not isinstance(arguments, dict):
        return "expected an object with of, lines, names"
    given = {key: _text(arguments.get(key)) for key in ("of", "lines", "names")}
    if not any(given.values()):
        return "say which lines or names you still need, or with `of` which result you are done with"
    wanted = re.sub(r"\s*-\s*", "-", given["lines"]).replace(",", " ").split()
    ranges = [_RANGE.fullmatch(one) for one in wanted]
    if not all(ranges):
        return f"lines {given['lines'][:40]!r}: expected ranges such as 40-80, 120"
    lines = tuple(map(_ends, filter(None, ranges)))
    return Note(given["of"], lines, tuple(given["names"].replace(",", " ").split()[:MOST_NAMES]))


def _ends(match: re.Match[str]) -> tuple[int, int]:
    first, dash, last = match.groups()
    return int(first), int(last) if last else END if dash else int(first)


def _text(value: JSON) -> str:
    """What a model gave as a text, a number or a list of them."""
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""


def means(note: Note, call: ToolCall, handle: str) -> bool:
    """Whether a note is about the result of this call."""
    return not note.of or note.of in (call.id, handle) or note.of in call.arguments


def chosen(text: str, notes: Sequence[Note]) -> list[int]:
    """The lines of a text that notes name, counted from 0; by their own numbers where a tool put such in front."""
    lines, found = lines_of(text), set[int]()
    numbers = _numbers(lines)
    for note in notes:
        for first, last in note.lines:
            found.update(range(bisect_left(numbers, first), bisect_right(numbers, last)))
        found.update(n for n, line in enumerate(lines) if any(name in line for name in note.names))
    return sorted(found)


def _numbers(lines: Sequence[str]) -> list[int]:
    """A number for each line, never falling: the one in front of it, of a line without that of the line before."""
    made, last = list[int](), 0
    for line in lines:
        match = NUMBERED.match(line)
        last = max(int(match[1]), last) if match else last
        made.append(last)
    with_own = sum(1 for line in lines if NUMBERED.match(line))
    ascends = len(set(made)) >= with_own >= NUMBERS_ITSELF * len(lines)
    return made if ascends else list(range(1, len(lines) + 1))


def kept(text: str, notes: Sequence[Note], handle: str) -> str:
    """What stays of a text: the lines that notes name, a marker in each gap, and the way back; "" when none do."""
    lines, shown, pieces, done = lines_of(text), chosen(text, notes), list[str](), 0
    if not shown:
        return ""
    for place in shown:
        if place > done:
            pieces.append(gap_stub(done + 1, place))
        pieces.append(lines[place])
        done = place + 1
    if not pieces[-1].endswith("\n"):
        pieces.append("\n")
    first = done + 1 if done < len(lines) else 0
    return "".join([*pieces, end_stub(first, len(lines), "", handle)])
