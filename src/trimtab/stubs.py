"""The text of stubs: every marker trimtab leaves is worded here, says what was cut, how much, and the way back."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from trimtab.selection import rows
from trimtab.transcript import ToolCall

HANDLE = re.compile(r"t:[0-9a-f]{16}\b")
"""What a handle looks like. A text that merely looks so is believed only if it resolves."""

RECALL_TOOL, RECALL_COMMAND = "trimtab_recall", "trimtab recall"
"""What brings an original back: the tool a model may be given, and the command in a shell."""

KEEP_TOOL = "trimtab_keep"
"""With what a model may say which lines of a result it still needs."""

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


def digest_stub(call: ToolCall | None, text: str, tokens: int, names: Sequence[str], handle: str) -> str:
    """One line in the place of a whole result, and one with names that stand in it."""
    stub = result_stub(call, text, tokens, handle)
    return f"{stub[:-1]}\nIt names: {' '.join(names)}]" if names else stub


def excerpt_stub(lines: int, sums: str, handle: str) -> str:
    """What takes the place of a text of which nothing is shown."""
    told = f" ({sums})" if sums else ""
    return f"[trimtab: {_lines(lines)}{told} cut, not shown: trimtab recall {handle}]"


def end_stub(first: int, lines: int, sums: str, handle: str, brief: bool = False) -> str:
    """The last line of an excerpt: what is cut from line `first` to the end (0: nothing), the sums, the way back.

    A brief one does not say that lines may be asked for.
    """
    cut = f"{_range(first, lines)} · {_lines(lines - first + 1)}; " if first else ""
    told = f" ({sums})" if sums else ""
    some = "" if brief else " --lines A-B"
    return f"[trimtab: {cut}excerpt of {_lines(lines)}{told}: trimtab recall {handle}{some}]"


def gap_stub(first: int, last: int) -> str:
    """The line in the place of lines `first` to `last` of an excerpt, counted from 1."""
    return f"[…{_range(first, last)} · {_lines(last - first + 1)}]\n"


def items_gap_stub(first: str, last: str, count: int) -> str:
    """What takes the place of items inside a line, by the JSON paths of the first and the last of them."""
    between = first if first == last else f"{first} to {last}"
    return f"[…{between} · {count:,} item{'s' * (count != 1)}]"


def inner_gap_stub(characters: int) -> str:
    """What takes the place of a stretch inside one overlong line."""
    return f"[…{characters:,} characters]"


def referred_stub(said: str, handle: str) -> str:
    """What takes the place of a text of which a rule or the caller says what it was."""
    return f"[{said} trimtab recall {handle}]"


def cleared_stub(word: str, handle: str) -> str:
    """What takes the place of a result of which nothing is told."""
    return f"[{word}; trimtab recall {handle}]"


def window_stub(messages: int, handle: str) -> str:
    """What takes the place of the messages before a window."""
    return f"[trimtab: {messages} earlier messages cut, not shown: trimtab recall {handle}]"


def note_start(messages: int, handle: str, by: str) -> str:
    """The line above a handoff note: what it stands for, who wrote it, and the way back."""
    return (
        f"[trimtab: note {handle} begins; {messages:,} earlier messages were compacted into it, {by}."
        f" It tells what happened and asks for nothing. Word for word: trimtab recall {handle}]"
    )


def note_end(handle: str) -> str:
    """The line below a handoff note."""
    return f"[trimtab: note {handle} ends]"


OTHERS = "» "
"""What stands before the lines of a gathered note that the user did not write."""

GATHERED = re.compile(r"\[trimtab: lines of \d+ messages(?:, » not the user's)?: trimtab recall t:[0-9a-f]{16}\]")
"""The first line of a gathered note."""


def gathered_stub(messages: int, mixed: bool, handle: str) -> str:
    """The line above the lines of messages that gave way, word for word; `mixed` when not all are the user's."""
    told = f", {OTHERS.strip()} not the user's" if mixed else ""
    return f"[trimtab: lines of {messages} messages{told}: trimtab recall {handle}]"


def gathered(text: str) -> list[str] | None:
    """The lines of a note below the one that `gathered_stub` made, None for any other text."""
    first, _, rest = text.partition("\n")
    return rest.split("\n") if GATHERED.fullmatch(first) else None


LEDGER = re.compile(r"\[trimtab: ledger of [\d,]+ messages?: trimtab recall t:[0-9a-f]{16}\]")
"""The first line of a ledger."""


def ledger_stub(messages: int, handle: str) -> str:
    """The line above the calls of messages that gave way, and what they gave."""
    some = f"{messages:,} message{'s' * (messages != 1)}"
    return f"[trimtab: ledger of {some}: trimtab recall {handle}]"


def ledger_lines(text: str) -> list[str] | None:
    """The lines of a ledger below the one that `ledger_stub` made, None for any other text."""
    first, _, rest = text.partition("\n")
    return rest.split("\n") if LEDGER.fullmatch(first) else None


def beginning_stub(shown: int, characters: int, lines: tuple[int, int], handle: str) -> str:
    """What follows the first characters of a result: how much was cut, and the two ways to the rest."""
    first, last = lines
    where = f" --lines {_range(first, last)}" if last > 1 else ""
    return (
        f"… [trimtab: the first {shown:,} of {characters:,} characters; the rest: trimtab recall {handle}{where},"
        " or the same call again if it only reads: it is then kept in full]"
    )


def kept_stub(line: int) -> str:
    """The line above one that was kept of a text that is cut, because it holds a fact; 0: its number is not
    known."""
    return f"[…line {line}]" if line else "[…kept]"


def _range(first: int, last: int) -> str:
    return f"{first}-{last}" if last > first else f"{first}"


def _lines(count: int) -> str:
    return f"{count:,} line{'s' * (count != 1)}"


def argument_stub(text: str, tokens: int, handle: str) -> str:
    """What takes the place of one long value in the arguments of a completed call."""
    began = f', began "{first_line(text, 40)}"' if tokens >= BRIEF_BELOW else ""
    return f"[trimtab: {tokens:,} tokens cut{began}; this was executed: trimtab recall {handle}]"


def media_stub(media_type: str, size: int, handle: str) -> str:
    """What takes the place of a medium; `size` in bytes."""
    return f"[trimtab: {media_type or 'data'}, {size:,} bytes cut: trimtab recall {handle}]"
