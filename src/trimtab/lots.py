"""What of a part can be folded: how far down it is, what kind, how many tokens go; and what tells of its worth."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from trimtab.edits import At
from trimtab.errors import WireError
from trimtab.files import COMMANDS, OWN, PATHS, QUOTING, touches_files
from trimtab.jsonbytes import decode
from trimtab.passes import DigestResults, FoldArguments, FoldMedia, FoldResults, KeepLines
from trimtab.passes.fold_arguments import long_strings
from trimtab.policy import Kind
from trimtab.state import State
from trimtab.transcript import JSON, Media, Part, ToolCall, ToolResult
from trimtab.words import named

WRITING = OWN | QUOTING | {"edits", "patch", "diff"}
"""Arguments of calls that write files."""

SEARCHING = frozenset({"pattern", "regex", "query", "search_term"})
"""Arguments of calls that look for something in files."""

LEAST_LINE = 12
"""Characters of a line below which it tells nothing."""

LONG_CALL = 400
"""Tokens of a call above which its arguments may be folded, whatever it did."""

MARKER = 60
"""Tokens that a marker takes."""

DIGEST, LONGEST = DigestResults(), FoldArguments().longest
"""What a digest takes of a result, and the characters that stay of an argument."""

LAST_LEVEL = frozenset({FoldResults.name, FoldArguments.name, FoldMedia.name, KeepLines.name})
"""Passes after which nothing is left to fold."""


def level_of(state: State, at: At) -> int:
    """How far down a part is: 0 whole, 1 as an excerpt or digest, 2 as one line."""
    if state.is_whole(at) or (record := state.record(at)) is None or record.base is not None:
        return 0
    return 2 if record.by in LAST_LEVEL else 1


def foldable(part: Part, size: int, level: int) -> tuple[Kind | None, int]:
    """The kind of a part, and about how many tokens go with its next level."""
    match part:
        case ToolResult() if level < 2:
            digest = min(int(size * DIGEST.share), DIGEST.most) if level == 0 else 0
            return Kind.RESULT, size - digest - MARKER
        case Media(call_id=str()):
            return Kind.RESULT, size - MARKER
        case ToolCall() if level == 0 and (size >= LONG_CALL or touches_files(part)):
            long = [text for _, text in long_strings(_arguments(part), LONGEST)]
            share = sum(map(len, long)) / max(len(part.arguments), 1)
            return Kind.ARGUMENTS, int(size * min(share, 1.0)) - MARKER * len(long)
    return None, 0


def shows_file(call: ToolCall) -> bool:
    """Whether a call shows a file that it does not write."""
    arguments = _arguments(call)
    if not isinstance(arguments, dict) or not WRITING.isdisjoint(arguments):
        return False
    if not COMMANDS.isdisjoint(arguments):
        return touches_files(call)
    return SEARCHING.isdisjoint(arguments) and not PATHS.isdisjoint(map(str.lower, arguments))


@lru_cache(maxsize=16)
def telling_lines(text: str) -> frozenset[str]:
    """The lines of a text that tell it from others."""
    return frozenset(line for one in text.splitlines() if len(line := one.strip()) >= LEAST_LINE)


def asked(call: ToolCall) -> set[str]:
    """The names in a call's arguments, but for what the model made up itself."""
    return {name for text in _quoted(_arguments(call)) for name in named(text)}


def _quoted(value: JSON) -> Iterator[str]:
    match value:
        case dict():
            for key, item in value.items():
                if key not in OWN:
                    yield from _quoted(item)
        case list():
            for item in value:
                yield from _quoted(item)
        case str() | int() | float():
            yield str(value)


@lru_cache(maxsize=64)
def _arguments(call: ToolCall) -> JSON:
    """The arguments as JSON, which nobody may change; those that are none as one string."""
    try:
        return decode(call.arguments.encode())
    except (WireError, UnicodeEncodeError, RecursionError):
        return call.arguments
