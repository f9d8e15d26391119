"""Which calls read or write files: what they give back is quoted, character for character, by later edits."""

from __future__ import annotations

import re

from trimtab.errors import WireError
from trimtab.jsonbytes import decode
from trimtab.transcript import JSON, ToolCall
from trimtab.words import PIECE

NAMES = frozenset(
    {"read", "view", "open", "cat", "write", "edit", "editor", "create", "insert", "replace", "patch"}
    | {"file", "files", "notebook", "document", "source"}
)
"""Words of a tool's name that tell of files; too many of them cost a saving, too few an edit that fails."""

PATHS = frozenset(
    {"path", "paths", "file", "files", "filename", "file_name", "filepath", "file_path", "absolute_path"}
    | {"notebook_path", "target_file", "relative_path", "abspath", "uri"}
)
"""Names of arguments that hold a path, in lower case."""

COMMANDS = frozenset({"command", "cmd", "script", "code", "input", "args"})
"""Names of arguments that hold what a shell or an interpreter runs."""

OWN = frozenset({"new_string", "new_str", "newText", "content", "file_text", "thought"})
"""Names of arguments that hold what the model itself made up, and quote nothing."""

QUOTING = frozenset({"old_string", "old_str", "oldText"})
"""Names of arguments that must quote a file exactly."""

READING = re.compile(
    r"(?:\A|[;&\n(`\"'{]|\b(?:do|then|sudo|xargs|exec)\b|\s-l?c\b)\s*"
    r"(?:cat|bat|head|tail|less|more|nl|tac|sed|awk|grep|rg|ag|ack|jq|type|get-content|gc"
    r"|git (?:-C \S+ )?(?:show|diff|cat-file|blame|grep))\b"
    r"|\bopen\(|\bread(?:_?text|_?file(?:sync)?|lines)?\(|json\.tool",
    re.IGNORECASE,
)
"""A command that shows a file; behind a pipe it shows the output of another command."""


def touches_files(call: ToolCall | None) -> bool:
    """Whether a call read or wrote files, by its name, its arguments or its command; True when in doubt."""
    if call is None or not NAMES.isdisjoint(word.lower() for word in PIECE.findall(call.name)):
        return True
    try:
        arguments = decode(call.arguments.encode()) if call.arguments.strip() else {}
    except (WireError, UnicodeEncodeError):
        return True
    if not isinstance(arguments, dict):
        return True
    return any(_tells(key.lower(), value) for key, value in arguments.items())


def _tells(name: str, value: JSON) -> bool:
    """Whether an argument holds a path, or a command that reads files."""
    if name in COMMANDS:
        return READING.search(_text(value)) is not None
    return name in PATHS and bool(value)


def _text(value: JSON) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
