"""Every preset made to act at every call, over drawn conversations of every wire."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Set
from typing import Any, ClassVar

from hypothesis import strategies as st
from msgspec.structs import replace
from tests.laws.play import Play, plays
from tests.strategies import requests
from tests.strategies_bedrock import bedrock_requests
from tests.strategies_gemini import gemini_requests
from tests.strategies_langchain import langchain_requests, plain
from tests.strategies_responses import responses_conversations

from trimtab import Compactor
from trimtab.edits import Ask, Place, place_of
from trimtab.presets import PRESETS, Preset, preset
from trimtab.reach import Rules, When
from trimtab.reader import Reader
from trimtab.request import countable
from trimtab.stores import Store
from trimtab.stubs import HANDLE
from trimtab.testing import memory_store, note_of

SMALL: dict[str, dict[str, Any]] = {
    "references": {"tokens": 1, "keep": 3},
    "clear-tool-uses": {"keep": 1, "clear_tool_inputs": True},
    "observation-masking": {"keep": 1},
    "sliding-window": {"keep": 3},
    "summarization": {"keep": 3},
    "llm-summary": {"tool_compaction": "redact"},
}
"""Settings with which a preset acts on short conversations, beside those of `eager`."""


def changed(name: str, change: Callable[[Rules], Rules]) -> Preset:
    """A preset whose rules are changed; it keeps its name."""
    inner = preset(name, SMALL.get(name))

    class Changed:
        name: ClassVar[str] = inner.name
        source: ClassVar[str] = inner.source

        def rules(self) -> Rules:
            return change(inner.rules())

    return Changed()


def eager(name: str) -> Preset:
    """The preset as one that acts at every call and protects one result and one turn at most."""

    def change(rules: Rules) -> Rules:
        turns, results = min(rules.protect_turns, 1), min(rules.protect_results, 1)
        return replace(rules, when=When(tokens=0), protect_turns=turns, protect_results=results)

    return changed(name, change)


def writer(ask: Ask) -> str:
    """A model that always says the same."""
    return note_of("It was looked into.")


class Session(Play):
    """A play of any wire, whose preset is at work alone."""

    @property
    def key(self) -> str:
        return next(key for key in ("contents", "input", "messages") if key in self.request)

    @property
    def budget(self) -> int | None:
        return None if self.share is None else int(self.share * len(json.dumps(self.plain())) / 4) + 1

    def plain(self) -> dict[str, Any]:
        """The request as JSON objects."""
        return {**self.request, self.key: [plain(m) if hasattr(m, "lc_id") else m for m in self.request[self.key]]}

    def payload(self, messages: list[Any] | None = None) -> Any:
        given = self.plain()
        request = {**given, self.key: given[self.key] if messages is None else messages}
        if self.form == "bytes":
            return self.style.write(request)
        fresh: dict[str, Any] = json.loads(json.dumps(request))
        return fresh

    def calls(self) -> Iterator[list[Any]]:
        """The messages of each call: before every first message that the model wrote, and all."""
        messages = self.plain()[self.key]
        for n in range(1, len(messages)):
            if by_model(messages[n]) and not by_model(messages[n - 1]):
                yield messages[:n]
        yield messages

    def messages_of(self, payload: Any) -> list[Any]:
        value = json.loads(payload.decode("utf-8-sig")) if isinstance(payload, bytes) else payload
        found: list[Any] = value[self.key]
        return found

    def at_work(self, name: str, store: Store | None = None) -> Compactor:
        """A compactor of the preset, over a store of its own unless one is given."""
        return Compactor(
            preset=eager(name),
            budget=self.budget,
            facts=self.facts,
            writer=writer,
            store=store or memory_store(),
            config={},
        )


def by_model(message: dict[str, Any]) -> bool:
    written = ("function_call", "reasoning", "custom_tool_call", "local_shell_call")
    return message.get("role", message.get("type")) in ("assistant", "model", "ai", *written)


def sessions() -> st.SearchStrategy[Session]:
    drawn = (
        requests(most=3)
        | gemini_requests(most=3)
        | bedrock_requests(most=3)
        | responses_conversations(most=3)
        | langchain_requests(most=3)
    )
    return plays(drawn, shares=(None, None, None, 0.5, 0.8), forms=("bytes", "dict")).map(
        lambda one: Session(*one)
    )


def around(session: Session, payload: Any) -> Any:
    """What stands around the messages."""
    value = json.loads(payload.decode("utf-8-sig")) if isinstance(payload, bytes) else payload
    return {key: held for key, held in value.items() if key != session.key}


def undeclared(
    payload: Any, places: frozenset[Place], handles: Set[str] = frozenset()
) -> Counter[tuple[str, str]]:
    """What stands in places that a preset does not declare, what names one of these handles left out.

    A text in the place of a medium that stood beside its result reads as the user's on some wires.
    """
    probe = Compactor(store="memory:", config={})
    request = Reader(probe.counter, probe.store, "").read(payload, None)
    parts = ((place_of(one.message, part), part) for one in request.parsed for part in one.message.parts)
    found = [(str(place), countable(part)) for place, part in parts if place not in places]
    return Counter(one for one in found if handles.isdisjoint(HANDLE.findall(one[1])))


NAMES = sorted(PRESETS)
