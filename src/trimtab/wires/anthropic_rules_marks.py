"""Cache marks of an Anthropic request: how many there are, in which order, and on what (A9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trimtab.invariants import place
from trimtab.transcript import JSON, Finding
from trimtab.wires.leaves import items, kind, string

MARK = "cache_control"
MOST_MARKS = 4
THINKING = frozenset({"thinking", "redacted_thinking"})


def check(fields: Mapping[str, JSON], messages: Sequence[JSON]) -> Iterator[Finding]:
    """Too many marks, a short-lived one before a long-lived one, one on thinking."""
    marks = [*_marked(fields, messages), *_automatic(fields, messages)]
    if len(marks) > MOST_MARKS:
        text = f"{len(marks)} cache marks, {MOST_MARKS} are allowed"
        yield Finding("A9", marks[MOST_MARKS][0], text, "remove the oldest marks in messages")
    short = False
    for spot, item in marks:
        mark = item[MARK]
        lasts = isinstance(mark, dict) and mark.get("ttl") == "1h"
        if lasts and short:
            yield Finding("A9", spot, "a cache mark of 1 h stands after one of 5 min", "order them longest first")
        short = short or not lasts
        if kind(item) in THINKING:
            yield Finding("A9", spot, "a cache mark on thinking", "put it on the block before")


def _marked(fields: Mapping[str, JSON], messages: Sequence[JSON]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every item with a mark, in the order in which the provider reads the request."""
    for name in ("tools", "system"):
        yield from _inside(items(fields.get(name)), name)
    for index, message in enumerate(messages):
        content = message.get("content") if isinstance(message, dict) else None
        yield from _inside(items(content), place(index, ("content",)))


def _inside(found: Sequence[JSON], where: str, depth: int = 2) -> Iterator[tuple[str, dict[str, Any]]]:
    """Marked items of a list; results hold items of their own, and documents in results hold texts."""
    for n, item in enumerate(found):
        if not isinstance(item, dict):
            continue
        if depth:
            source = item.get("source")
            held = source.get("content") if isinstance(source, dict) else None
            yield from _inside(items(item.get("content")), f"{where}[{n}].content", depth - 1)
            yield from _inside(items(held), f"{where}[{n}].source.content", depth - 1)
        if item.get(MARK) is not None:
            yield f"{where}[{n}]", item


def _automatic(fields: Mapping[str, JSON], messages: Sequence[JSON]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The mark at the top level, which the provider puts on the last block that can bear one."""
    if fields.get(MARK) is not None and MARK not in _last_block(messages):
        yield MARK, {MARK: fields[MARK]}


def _last_block(messages: Sequence[JSON]) -> dict[str, Any]:
    for message in reversed(messages):
        for block in reversed(items(message.get("content") if isinstance(message, dict) else None)):
            if isinstance(block, dict) and kind(block) not in THINKING and string(block.get("text", "-")).strip():
                return block
        if isinstance(message, dict) and string(message.get("content")):
            return {}
    return {}
