"""The text of a note: marks around it, sections, items; and how one that trimtab wrote is read again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

from msgspec import Struct

from trimtab.stubs import note_end, note_start

MARGIN = "  "
"""Stands before every line of an item but its first, so that no text can be taken for a heading or a mark."""

KEPT = "Kept word for word"
"""The section of lines that were put into a note afterwards, because they show a fact."""


class Note(Struct, frozen=True):
    """The sections of a note by their titles, each a list of items; and how many messages it stands for."""

    sections: Mapping[str, list[str]]
    messages: int = 0

    USER: ClassVar[str] = "The user's words"
    """The section that holds what the user said."""


def rendered(sections: Mapping[str, Iterable[str]]) -> str:
    """Sections as text; those without items are left out."""
    return "\n".join(line for title, items in sections.items() for line in _lines(title, list(items)))


def _lines(title: str, items: list[str]) -> Iterator[str]:
    if items:
        yield f"## {title}"
        yield from (_item(one) for one in items)


def _item(text: str) -> str:
    first, *rest = text.split("\n")
    return "\n".join([f"- {first}", *(f"{MARGIN}{line}" if line.strip() else "" for line in rest)])


def marked(text: str, messages: int, handle: str, by: str) -> str:
    """A note between its marks, which say what it stands for, who wrote it, and how all of that comes back."""
    return f"{note_start(messages, handle, by)}\n{text}\n{note_end(handle)}"


def with_line(text: str, line: str) -> str | None:
    """A note with one line more, within its marks; None for any other text, and for more than a line."""
    body, _, last = text.rpartition("\n")
    if "\n" in line or not END.fullmatch(last):
        return None
    title = "" if f"\n## {KEPT}\n" in body else f"\n## {KEPT}"
    return f"{body}{title}\n- {line}\n{last}"


def read(text: str) -> Note | None:
    """The sections of a note as `marked` made it, None for any other text."""
    first, _, rest = text.partition("\n")
    body, _, last = rest.rpartition("\n")
    start = START.fullmatch(first)
    if not start or not END.fullmatch(last):
        return None
    sections, title = dict[str, list[str]](), KEPT
    for line in body.split("\n"):
        if line.startswith("## "):
            title = line[3:]
        elif line.startswith("- "):
            sections.setdefault(title, []).append(line[2:])
        elif (line.startswith(MARGIN) or not line) and sections.get(title):
            sections[title][-1] += f"\n{line.removeprefix(MARGIN)}"
        elif line:
            sections.setdefault(KEPT, []).append(line)
    return Note(sections, int(start[1].replace(",", "")))


START = re.compile(
    re.escape(note_start(0, "HANDLE", "BY"))
    .replace("0", r"([\d,]+)", 1)
    .replace("HANDLE", "t:[0-9a-f]{16}")
    .replace("BY", ".{0,200}")
)
END = re.compile(re.escape(note_end("HANDLE")).replace("HANDLE", "t:[0-9a-f]{16}"))
