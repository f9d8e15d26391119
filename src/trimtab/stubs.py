"""The text of stubs: every marker trimtab leaves is worded here, says what was cut, how much, and the way back."""

from __future__ import annotations

import re
import unicodedata

from trimtab.selection import rows
from trimtab.transcript import ToolCall

HANDLE = re.compile(r"t:[0-9a-f]{16}\b")
"""What a handle looks like. A text that merely looks so is believed only if it resolves."""

LABEL_CHARACTERS = 80


def label(call: ToolCall | None) -> str:
    """What a result was, in a few words: the tool and its short arguments."""
    if call is None:
        return "tool result"
    arguments = " ".join(call.arguments.split())
    if len(arguments) > LABEL_CHARACTERS:
        arguments = clip(arguments, LABEL_CHARACTERS) + "…"
    return f"{call.name or 'tool'} {arguments}".rstrip()


def first_line(text: str, limit: int = LABEL_CHARACTERS) -> str:
    """The first line that says something, cut to `limit` characters."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return line if len(line) <= limit else clip(line, limit) + "…"


def lines_of(text: str) -> list[str]:
    """The lines of a text with their ends, numbered as recall numbers them; joined they are the text."""
    return rows(text)


def clip(text: str, limit: int) -> str:
    """A prefix of at most `limit` characters that ends between graphemes (UNI-06)."""
    return text if len(text) <= limit else text[: _between(text, max(limit, 0), -1)]


def clip_start(text: str, limit: int) -> str:
    """A suffix of at most `limit` characters, cut like `clip`."""
    return text if len(text) <= limit else text[_between(text, len(text) - max(limit, 0), 1) :]


LONGEST_GRAPHEME = 64
"""Characters among which the end of a grapheme is looked for; no family or flag is longer, hostile text is."""


def _between(text: str, at: int, step: int) -> int:
    """The place nearest to `at` in the direction of `step` that splits no grapheme."""
    near = range(at, min(max(at + step * LONGEST_GRAPHEME, -1), len(text) + 1), step)
    found = next((place for place in near if not _inside(text, place)), None)
    if found is not None:
        return found
    return at + step if _inside_pair(text, at) else at


def _inside(text: str, place: int) -> bool:
    """Whether a grapheme reaches over this place: pairs, marks, joiners, flags, tags, syllables of Hangul."""
    if not 0 < place < len(text):
        return False
    left, right = text[place - 1], text[place]
    return (
        _inside_pair(text, place)
        or left == "\u200d"
        or right == "\u200d"
        or unicodedata.category(right).startswith("M")
        or "\U0001f3fb" <= right <= "\U0001f3ff"
        or "\U000e0020" <= right <= "\U000e007f"
        or "\u1160" <= right <= "\u11ff"
        or (_is_regional(right) and _regionals_before(text, place) % 2 == 1)
    )


def _inside_pair(text: str, place: int) -> bool:
    """Whether this place is within CRLF or a surrogate pair."""
    left, right = text[place - 1 : place], text[place : place + 1]
    return (left == "\r" and right == "\n") or ("\ud800" <= left <= "\udbff" and "\udc00" <= right <= "\udfff")


def _is_regional(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _regionals_before(text: str, place: int) -> int:
    """How many regional indicators stand right before this place; two make a flag."""
    start = place
    while start and _is_regional(text[start - 1]):
        start -= 1
    return place - start


BRIEF_BELOW = 300
"""Tokens of an original below which a stub that tells more would eat up what it saves."""


def result_stub(call: ToolCall | None, text: str, tokens: int, handle: str) -> str:
    """One line in the place of a whole result."""
    if tokens < BRIEF_BELOW:
        return f"[trimtab: {tokens:,} tokens cut, not shown: trimtab recall {handle}]"
    return (
        f"[trimtab: result of {label(call)} cut, {len(lines_of(text)):,} lines, {tokens:,} tokens,"
        f' began "{first_line(text)}". Not shown, do not guess it; the call has run: trimtab recall {handle}'
        " --lines A-B]"
    )


def gap_stub(first: int, last: int, tokens: int, handle: str) -> str:
    """The line between head and tail of a shortened result; line numbers count from 1."""
    return (
        f"[trimtab: lines {first:,}-{last:,} cut, {last - first + 1:,} lines, {tokens:,} tokens:"
        f" trimtab recall {handle} --lines {first}-{last}]"
    )


def inner_gap_stub(characters: int, handle: str) -> str:
    """The marker inside one overlong line."""
    return f"[trimtab: {characters:,} characters cut: trimtab recall {handle}]"


def argument_stub(text: str, tokens: int, handle: str) -> str:
    """What takes the place of one long value in the arguments of a completed call."""
    began = f', began "{first_line(text, 40)}"' if tokens >= BRIEF_BELOW else ""
    return f"[trimtab: {tokens:,} tokens cut{began}; this was executed: trimtab recall {handle}]"


def media_stub(media_type: str, size: int, handle: str) -> str:
    """What takes the place of a medium; `size` in bytes."""
    return f"[trimtab: {media_type or 'data'}, {size:,} bytes cut: trimtab recall {handle}]"
