"""A compaction with a note: messages 1 to 4 of a conversation give way to one text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trimtab import Compactor, Result, Span, Summarize
from trimtab.identity import span_handle
from trimtab.passes import View
from trimtab.reader import Reader
from trimtab.testing import Scripted, memory_store


def with_note(payload: dict[str, Any], text: str = "Files were read") -> tuple[Compactor, Result]:
    store = memory_store()
    probe = Compactor(store=store)
    names = Reader(probe.counter, store, probe.settings.namespace).read(payload).names
    span = Span(names[1], names[4])

    def propose(_: View) -> Iterator[Summarize]:
        yield Summarize(span, f"{text}, trimtab recall {span_handle(span)}", "as asked")

    compactor = Compactor(store=store, passes=[Scripted(propose)], config={"protect_results": 0})
    result = compactor.compact(payload, force=True)
    assert len(result.payload["messages"]) == len(payload["messages"]) - 3
    return compactor, result
