"""Valid conversations of both wires as JSON objects, odd ones foremost.

Each exchange is a function of one drawn seed: cheap to draw in numbers, and shrinking takes whole
exchanges away.
"""

from __future__ import annotations

import base64
import json
from random import Random
from typing import Any, TypeAlias

from hypothesis import strategies as st

Object: TypeAlias = dict[str, Any]

MODELS = {"anthropic": "claude-sonnet-4-5", "openai_chat": "gpt-4o"}
BINDING = "claude-opus-5-5"
"""A model that checks that nothing before its thinking changed."""

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\4\0\0\0\3\0" + bytes(range(256)) * 2).decode()
LOOK_ALIKE = "[trimtab: 12 lines, 345 tokens cut: trimtab recall t:0123456789abcdef]"
LINES = (
    "src/billing/tax.py:{n}: rate = 0.{n}",
    '{{"id": {n}, "name": "Ä{n}"}},',
    "行{n}：合計は正しくありません",
    "שורה {n} עם טקסט",
    "👩‍👩‍👧 e\u0301 🏳️‍🌈 {n}",
    "\x1b[31mE {n}\x1b[0m\r",
    "same line",
    "broken \ud83d {n}",
)
ENDS = ("", "", "\n", "\nFAILED: exit 1", f"\n{PNG}", f"\ndata:image/png;base64,{PNG}", f"\n{LOOK_ALIKE}\n")
ODDMENTS = ("", " ", "ok", "\n\n", "é", "\ud800", "null", '"', LOOK_ALIKE, "e\u0301" * 400)
SAID = ("go on", "Fix the tax. 税", "👍🏽", "why?\n\n", LOOK_ALIKE, "use t:0123456789abcdef")
ODD_JSON: tuple[Any, ...] = (
    None,
    True,
    0,
    -0.0,
    1e300,
    2**70,
    "",
    "\ud800",
    "a\\u0041",
    [],
    {},
    [{"é": ["", {}]}],
)
IDS = ("call_0", "call_1", "call_2", "same")


class Dice(Random):
    """Chance that comes from a seed alone."""

    def one_in(self, count: int) -> bool:
        return self.randrange(count) == 0

    def long(self) -> str:
        """Some hundred to a few thousand tokens."""
        line, glue = self.choice(LINES), self.choice(("\n", "\n", "\r\n", " "))
        return glue.join(line.format(n=n) for n in range(self.choice((12, 60, 60, 250)))) + self.choice(ENDS)

    def output(self) -> str:
        return self.choice(ODDMENTS) if self.one_in(5) else self.long()

    def said(self) -> str:
        return self.long() if self.one_in(8) else self.choice(SAID)

    def extras(self) -> Object:
        """Fields that no wire knows."""
        found: tuple[Object, ...] = (
            {},
            {},
            {"x_unknown": {"n": 1000, "s": "é\ud800"}},
            {"x_list": [1, 2.5, None]},
        )
        return self.choice(found)

    def arguments(self) -> Object:
        given: Object = {"path": f"src/tax_{self.randrange(9)}.py"}
        if self.one_in(2):
            given["text"] = self.output()
        if self.one_in(3):
            given["edits"] = [{"old": self.output(), "new": 1}, [self.output()]]
        if self.one_in(3):
            given["odd"] = self.choice(ODD_JSON)
        return given

    def calls(self) -> list[tuple[str, str, Object]]:
        """Parallel calls: id, name, arguments. Ids repeat over exchanges, not within one."""
        ids = self.sample(IDS, self.choice((1, 1, 2, 3)))
        return [(one, self.choice(("read", "bash", "write")), self.arguments()) for one in ids]


# Anthropic


def words(text: str, **fields: Any) -> Object:
    """A text block, which may not be blank (A8)."""
    return {"type": "text", "text": text if text.strip() else "(empty)", **fields}


def png() -> Object:
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}


def page(text: str) -> Object:
    return {
        "type": "document",
        "source": {"type": "text", "media_type": "text/plain", "data": text},
        "title": "doc",
    }


def result_content(dice: Dice) -> Any:
    """A string, or a list of texts, images and documents, or of nothing."""
    if dice.one_in(2):
        return dice.output()
    parts = (
        lambda: words(dice.output()),
        lambda: words(dice.output()),
        png,
        lambda: page(dice.long()),
        lambda: {"type": "x_new_part", "data": {"deep": ["é"]}},
        lambda: {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
    )
    return [dice.choice(parts)() for _ in range(dice.randrange(4))]


def thinking(dice: Dice) -> list[Object]:
    found = []
    for _ in range(dice.choice((0, 0, 1, 1, 2))):
        signed = {"type": "thinking", "thinking": dice.choice(("", "Hm.", dice.long())), "signature": "c2ln"}
        found.append({"type": "redacted_thinking", "data": "ZW5j"} if dice.one_in(4) else signed)
    return found


def server_pair() -> list[Object]:
    found = [{"type": "web_search_result", "url": "https://e.org", "encrypted_content": "ZW5jcnlwdGVk" * 40}]
    return [
        {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "税"}},
        {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": found},
    ]


def anthropic_exchange(seed: int) -> list[Object]:
    dice = Dice(seed)
    made = dice.calls()
    said = [
        *thinking(dice),
        *(server_pair() if dice.one_in(6) else []),
        *([words(dice.said())] if dice.one_in(2) else []),
    ]
    uses = [{"type": "tool_use", "id": one, "name": name, "input": given} for one, name, given in made]
    results = []
    for one, _, _ in dice.sample(made, len(made)):
        result: Object = {"type": "tool_result", "tool_use_id": one, **dice.extras()}
        if not dice.one_in(8):
            result["content"] = result_content(dice)
        if dice.one_in(2):
            result["is_error"] = dice.one_in(2)
        results.append(result)
    after = [words(dice.said())] if dice.one_in(5) else []
    return [
        {"role": "assistant", "content": [*said, *uses], **dice.extras()},
        {"role": "user", "content": [*results, *after], **dice.extras()},
    ]


def anthropic_turn(seed: int, first: bool) -> list[Object]:
    """The answer to the turn before, and what the user says then."""
    dice = Dice(seed)
    messages: list[Object] = []
    if not first:
        messages.append({"role": "assistant", "content": [*thinking(dice), words(dice.said())]})
    said = dice.said()
    pages = [dice.choice((png, lambda: page(dice.long())))()] if dice.one_in(3) else []
    messages.append(
        {"role": "user", "content": said if dice.one_in(2) else [words(said), *pages], **dice.extras()}
    )
    if dice.one_in(5):
        messages.append({"role": "system", "content": dice.said()})
    return messages


def anthropic_frame(seed: int, messages: list[Object]) -> Object:
    """What stands around the messages; the newest block may be marked for the cache."""
    dice = Dice(seed)
    frame: Object = {"model": MODELS["anthropic"], "max_tokens": 1000, **dice.extras()}
    if dice.one_in(2):
        marked = [words(dice.said(), cache_control={"type": "ephemeral"})]
        frame["system"] = dice.choice((dice.said(), marked))
    if dice.one_in(2):
        frame["tools"] = [{"name": "read", "description": "Reads. é", "input_schema": {"type": "object"}}]
    if dice.one_in(2) and isinstance(messages[-1]["content"], list):
        messages[-1]["content"][-1]["cache_control"] = {"type": "ephemeral"}
    return {**frame, "messages": messages}


# OpenAI Chat


def tool_content(dice: Dice) -> Any:
    if dice.one_in(2):
        return dice.output()
    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}", "detail": "high"}}
    text = {"type": "text", "text": dice.output()}
    return [dice.choice((text, text, image, {"type": "x_new", "n": 1})) for _ in range(dice.choice((1, 1, 2, 3)))]


def openai_exchange(seed: int) -> list[Object]:
    dice = Dice(seed)
    made, calls = dice.calls(), []
    for one, name, given in made:
        written = json.dumps(given, ensure_ascii=dice.one_in(2), indent=dice.choice((None, 2)))
        calls.append({"id": one, "type": "function", "function": {"name": name, "arguments": written}})
    contents: tuple[Object, ...] = ({"content": None}, {"content": ""}, {}, {"content": dice.said()})
    said = dice.choice(contents)
    reasoning = {"reasoning_content": dice.long()} if dice.one_in(4) else {}
    results = [
        {"role": "tool", "tool_call_id": one, "content": tool_content(dice), **dice.extras()}
        for one, _, _ in dice.sample(made, len(made))
    ]
    after = [{"role": "system", "content": dice.said()}] if dice.one_in(6) else []
    return [{"role": "assistant", **said, **reasoning, "tool_calls": calls, **dice.extras()}, *results, *after]


def openai_turn(seed: int, first: bool) -> list[Object]:
    dice = Dice(seed)
    roles = [dice.choice(("system", "developer")) for _ in range(dice.randrange(3))]
    answer = {"role": "assistant", "content": dice.said(), **dice.extras()}
    before = [{"role": role, "content": dice.said()} for role in roles] if first else [answer]
    said = dice.said()
    return [*before, {"role": "user", "content": dice.choice((said, [{"type": "text", "text": said}]))}]


def openai_frame(seed: int, messages: list[Object]) -> Object:
    dice = Dice(seed)
    tool = {"type": "function", "function": {"name": "read", "parameters": {"type": "object"}}}
    tools = {"tools": [tool]} if dice.one_in(2) else {}
    return {
        "model": MODELS["openai_chat"],
        "max_completion_tokens": 1000,
        **tools,
        **dice.extras(),
        "messages": messages,
    }


BUILDERS = {
    "anthropic": (anthropic_turn, anthropic_exchange, anthropic_frame),
    "openai_chat": (openai_turn, openai_exchange, openai_frame),
}
SEEDS = st.integers(0, 2**32)


def build(wire: str, frame: int, turns: list[tuple[int, list[int]]]) -> Object:
    """The request that these seeds stand for: for each turn its own, and those of its exchanges."""
    make_turn, make_exchange, make_frame = BUILDERS[wire]
    messages: list[Object] = []
    for seed, exchanges in turns:
        messages += make_turn(seed, not messages)
        for one in exchanges:
            messages += make_exchange(one)
    return make_frame(frame, messages)


def requests(wire: str | None = None, most: int = 5) -> st.SearchStrategy[Object]:
    """Valid requests of one wire or of either: up to three turns, each of up to `most` exchanges."""
    wires = st.sampled_from([wire] if wire else sorted(BUILDERS))
    turns = st.lists(st.tuples(SEEDS, st.lists(SEEDS, max_size=most)), min_size=1, max_size=3)
    return st.builds(build, wires, SEEDS, turns)
