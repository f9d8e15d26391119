"""The text of stubs: every marker trimtab leaves is worded here, says what was cut, how much, and the way back."""

from __future__ import annotations

import re

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


def lines_of(text: str) -> int:
    """How many lines a text has."""
    return text.count("\n") + (not text.endswith("\n")) if text else 0


def clip(text: str, limit: int) -> str:
    """A prefix of at most `limit` characters that splits no grapheme that matters (UNI-06)."""
    if len(text) <= limit:
        return text
    stop = limit
    while stop > 0 and _joins(text[stop - 1], text[stop]):
        stop -= 1
    return text[:stop]


def clip_start(text: str, limit: int) -> str:
    """A suffix of at most `limit` characters, cut like `clip`."""
    if limit <= 0:
        return ""
    if len(text) <= limit:
        return text
    start = len(text) - limit
    while start < len(text) and _joins(text[start - 1], text[start]):
        start += 1
    return text[start:]


def _joins(left: str, right: str) -> bool:
    """Whether two neighbouring characters belong together (CRLF, surrogates, marks, joiners, flags)."""
    return (
        (left == "\r" and right == "\n")
        or ("\ud800" <= left <= "\udbff" and "\udc00" <= right <= "\udfff")
        or left == "\u200d"
        or right in "\u200d\ufe0e\ufe0f\u20e3"
        or "\u0300" <= right <= "\u036f"
        or "\U0001f3fb" <= right <= "\U0001f3ff"
        or ("\U0001f1e6" <= left <= "\U0001f1ff" and "\U0001f1e6" <= right <= "\U0001f1ff")
    )


BRIEF_BELOW = 300
"""Tokens of an original below which a stub that tells more would eat up what it saves."""


def result_stub(call: ToolCall | None, text: str, tokens: int, handle: str) -> str:
    """One line in the place of a whole result."""
    if tokens < BRIEF_BELOW:
        return f"[trimtab: {tokens:,} tokens cut, not shown: trimtab recall {handle}]"
    return (
        f"[trimtab: result of {label(call)} cut, {lines_of(text):,} lines, {tokens:,} tokens,"
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
