"""Files that stand in a text between declared tags: `<file name="a.md">…</file>`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from trimtab import identity
from trimtab.journal import SPAN, Artifact, Kind

TAGS = ("file", "document")
"""Tags between which files are given, unless others are declared."""

NAMES = re.compile(
    r"""\b(?:name|path|filename|file|title|source|src)\s*=\s*(?:"([^"<>]{1,200})"|'([^'<>]{1,200})')"""
)
SOURCE = re.compile(r"\s*<(source|name|title)>([^<>\n]{1,200})</\1>")


class Attachment(NamedTuple):
    """A file in a text: its name, its content at `text[start:stop]`, and with its tags at `text[first:last]`."""

    name: str
    start: int
    stop: int
    first: int
    last: int


def attachments(text: str, tags: Sequence[str] = TAGS) -> list[Attachment]:
    """The files of a text in order; one that stands in another belongs to that one. Linear time.

    A file is named by an attribute of its tag, or by a `<source>` that stands first in it, else by its number.
    """
    found = list[Attachment]()
    for opening, stop, last in _elements(text, tags):
        named = NAMES.search(opening[2]) or SOURCE.match(text, opening.end(), stop)
        name = next((one for one in reversed(named.groups()) if one), "") if named else ""
        name = name or f"file {len(found) + 1}"
        found.append(Attachment(name, opening.end(), stop, opening.start(), last))
    return found


def original(name: str, text: str, root: bytes = b"") -> Artifact:
    """A file as it is stored; its handle is made from the conversation, its name and its text."""
    data = text.encode("utf-8", "surrogatepass")
    own = identity.digest(b"file ", root, b" ", name.encode("utf-8", "surrogatepass"), b"\0", data)
    handle = f"t:{own.hex()[: identity.HANDLE_HEX]}"
    return Artifact(
        handle=handle, data=data, kind=Kind.TEXT, media_type="", origin=own, part=SPAN, label=f"file {name}"
    )


def without(text: str, files: Sequence[Attachment]) -> str:
    """A text without its files and their tags."""
    ends = [0, *(one.last for one in files)]
    starts = [*(one.first for one in files), len(text)]
    return "".join(text[end:start] for end, start in zip(ends, starts, strict=True))


def _elements(text: str, tags: Sequence[str]) -> Iterator[tuple[re.Match[str], int, int]]:
    """The opening tag of each element, and where its content and the closing tag end.

    A tag that is not closed is not looked for again.
    """
    unclosed, at = set[str](), 0
    named = "|".join(map(re.escape, tags)) or r"(?!)"
    opening = re.compile(rf"<({named})((?:\s[^<>]{{0,1000}})?)>")
    while (match := opening.search(text, at)) is not None:
        at = match.end()
        if match[1] in unclosed:
            continue
        closing = f"</{match[1]}>"
        stop = text.find(closing, at)
        if stop < 0:
            unclosed.add(match[1])
        else:
            at = stop + len(closing)
            yield match, stop, at
