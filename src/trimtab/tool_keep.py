"""The tool with which a model says what it still needs of a result, so that the rest can go early."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from trimtab.errors import WireError
from trimtab.jsonbytes import decode
from trimtab.keep import Note, read
from trimtab.stubs import KEEP_TOOL
from trimtab.tool_shapes import definition

DESCRIPTION = (
    "Says what you still need of a large tool result: its other lines may then be cut from this conversation, and"
    " can be recalled. Call it together with your next calls, never by itself. Without lines and names you need"
    " nothing more of that result."
)

PARAMETERS: Mapping[str, str] = {
    "of": "Which result: a path or other words in the arguments of its call. Left out: the newest result.",
    "lines": "Lines to keep, counted from 1 or as numbered in the result: 40-80, 120, 300-.",
    "names": "Symbols, separated by spaces: lines that hold one of them are kept.",
}

HINT = (
    "When you have looked through a tool result of more than about 100 lines, say what of it you still need: call"
    f" {KEEP_TOOL} beside your next tool calls, with the lines or names that you will edit, quote or come back to."
    " What you name stays in sight word for word; the rest may be cut to save money, and can be recalled."
)


class KeepTool(Struct, frozen=True):
    """`definition` goes into the list of tools, `hint` into the system prompt; `answer` answers a call."""

    definition: dict[str, Any]
    hint: str = HINT

    def answer(self, arguments: object) -> str:
        """The text of the tool's result: noted, or what is wrong. `arguments` are an object or its JSON.

        What is noted stands in the transcript: nothing else is kept, and `compact` finds it there.
        """
        try:
            given = decode(arguments.encode("utf-8", "surrogatepass")) if isinstance(arguments, str) else arguments
        except WireError as error:
            return f"[trimtab: the arguments of this call are {error}]"
        found = read(dict(given) if isinstance(given, Mapping) else None)
        return "noted" if isinstance(found, Note) else f"[trimtab: {found}]"


def keep_tool(wire: str) -> KeepTool:
    """The tool for requests of this wire. Raises ConfigError for an unknown one."""
    return KeepTool(definition(wire, KEEP_TOOL, DESCRIPTION, PARAMETERS))
