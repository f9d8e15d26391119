"""Open to-dos: of the latest to-do list that the assistant keeps by a tool, of check lists, said by the user."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar

from trimtab.errors import WireError
from trimtab.facts import Fact
from trimtab.finders.base import exact, said
from trimtab.jsonbytes import decode
from trimtab.transcript import Message, Text, ToolCall, ToolResult

MOST = 20
"""To-dos in all: what is being done, what comes next, what the user said, then other check lists, newest first."""

LONGEST = 300
"""Characters of a to-do; more of it need not be there for it to be recognised."""

TOOL = re.compile("todo|plan|task", re.IGNORECASE)
"""What a tool that keeps a list has in its name: TodoWrite, update_plan, write_todos, manage_todo_list."""

TEXTS = ("content", "step", "title", "description", "task", "text", "name", "subject")
"""Where such a tool has the words of an item."""

DOING, PENDING = frozenset({"inprogress", "doing", "active"}), frozenset({"pending", "notstarted", "todo", "open"})

BOX = re.compile(rf"[-*+] \[([ xX])\] +(\S[^\n]{{0,{LONGEST}}})")
"""An item of a check list in Markdown."""

WORD = re.compile(rf"\b(?:TODO|FIXME)\b[^\n]{{1,{LONGEST}}}")


class Todos:
    """What is yet to be done, in the words in which it was written down."""

    name: ClassVar[str] = "todos"

    def find(self, messages: Sequence[Message]) -> Iterator[Fact]:
        found = dict.fromkeys(islice(_open(messages), MOST))
        return (exact(text, "an open to-do") for text in found)


def _open(messages: Sequence[Message]) -> Iterator[str]:
    yield from _listed(messages)
    for text in said(messages):
        yield from (match[0].rstrip() for match in WORD.finditer(text))
    yield from _boxes(messages)


def _listed(messages: Sequence[Message]) -> Iterator[str]:
    """The open items of the latest list of each tool: each call of such a tool replaces the list before."""
    seen: set[str] = set()
    for part in (part for one in reversed(messages) for part in reversed(one.parts)):
        if isinstance(part, ToolCall) and part.name not in seen and TOOL.search(part.name):
            items = [item for item in _items(part.arguments) if _status(item)]
            seen.update([part.name] if items else [])
            for wanted in (DOING, PENDING):
                yield from filter(None, (_text(item) for item in items if _status(item) in wanted))


def _items(arguments: str) -> list[Mapping[str, Any]]:
    """The objects in the lists of a call's arguments."""
    try:
        value = decode(arguments.encode("utf-8", "surrogatepass"))
    except (WireError, RecursionError):
        return []
    lists = [one for one in value.values() if isinstance(one, list)] if isinstance(value, dict) else []
    return [item for one in lists for item in one if isinstance(item, dict)]


def _status(item: Mapping[str, Any]) -> str:
    status = item.get("status")
    return status.lower().replace("_", "").replace("-", "").replace(" ", "") if isinstance(status, str) else ""


def _text(item: Mapping[str, Any]) -> str:
    found = (item[key] for key in TEXTS if isinstance(item.get(key), str) and item[key].strip())
    return str(next(found, ""))[:LONGEST].strip()


def _boxes(messages: Sequence[Message]) -> Iterator[str]:
    """The items of check lists that were not ticked later on, the newest first."""
    found: dict[str, None] = {}
    for part in (part for one in messages for part in one.parts if isinstance(part, Text | ToolResult)):
        for match in BOX.finditer(part.text) if "[" in part.text else ():
            item = match[2].rstrip()
            found.pop(item, None)
            if match[1] == " ":
                found[item] = None
    return (f"[ ] {item}" for item in reversed(found))
