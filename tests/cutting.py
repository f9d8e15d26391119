"""Sessions that read files, with every long result cut whatever the passes of the day are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from trimtab import Compactor
from trimtab.edits import Edit, Replace
from trimtab.passes.base import View
from trimtab.testing import Scripted, conversation, exchange, memory_store
from trimtab.transcript import ToolResult

LONG = 1_000
"""Characters from which a result is cut here."""


def body(name: str, lines: int = 400) -> str:
    """A text whose lines say where they are from."""
    return "".join(f"{name} line {number} of a file that is read\n" for number in range(1, lines + 1))


def session(wire: str, *reads: tuple[str, str]) -> dict[str, Any]:
    """A request in which files were read, each a path and its text, and something short after them."""
    payload = conversation(wire, exchanges=0)
    for number, (path, text) in enumerate((*reads, ("last.py", "ok"))):
        payload["messages"] += exchange(wire, f"call_{number}", path, text)
    return payload


def cut(payload: Any) -> tuple[Compactor, Any, list[str]]:
    """A compactor that has cut the long results of a request, the request as sent, and the handles in order."""
    compactor = Compactor(
        target=1, store=memory_store(), config={"protect_results": 0}, passes=[Scripted(_every_long_result)]
    )
    result = compactor.compact(payload, force=True)
    return compactor, result.payload, [edit.handle for edit in result.report.edits]


def _every_long_result(view: View) -> Iterator[Edit]:
    for at in view.open:
        part = view.original(at)
        if isinstance(part, ToolResult) and len(part.text) >= LONG:
            yield Replace(at, msgspec.structs.replace(part, text=f"[cut: {view.handle(at)}]"), "a test")
