"""For every rule of every wire a request that breaks it, with the request before where the rule needs one."""

from __future__ import annotations

from typing import Any

from tests.wires import (
    anthropic_requests as a,
    bedrock_requests as b,
    gemini_requests as g,
    openai_requests as c,
    responses_items as r,
    row_examples_langchain as lc,
)

BINDING = "claude-opus-5-5"


def anthropic(*messages: Any, **fields: Any) -> dict[str, Any]:
    return {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": list(messages), **fields}


def thought(words: str) -> dict[str, Any]:
    return {"type": "thinking", "thinking": words, "signature": "s"}


def cited(index: int, words: str = "a page") -> dict[str, Any]:
    citation = {"type": "char_location", "document_index": index, "cited_text": words}
    return a.text("so", citations=[{**citation, "start_char_index": 0, "end_char_index": len(words)}])


IMAGE = {"type": "image", "source": a.PNG}
PAGE = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "a page of words"}}
REMOVAL = {"type": "tool_removal", "tool": {"type": "tool_reference", "name": "gone"}}

ANTHROPIC: dict[str, Any] = {
    "A1": anthropic(a.USER, a.assistant(a.use("c")), a.USER),
    "A2": anthropic(a.user(a.result("c")), a.DONE, a.USER),
    "A3": anthropic(a.USER, a.assistant(a.use("a"), a.use("b")), a.user(a.result("a")), a.user(a.result("b"))),
    "A4": (
        anthropic(a.USER, a.assistant(a.use("c")), a.user(a.result("c"))),
        anthropic(a.USER, a.assistant(thought("t"), a.use("c")), a.user(a.result("c"))),
    ),
    "A5": (
        anthropic(a.USER, a.assistant(thought("t")), a.USER, model=BINDING),
        anthropic(a.user(a.text("begin")), a.assistant(thought("t")), a.USER, model=BINDING),
    ),
    "A7": anthropic(a.USER, model=BINDING, tool_choice={"type": "any"}),
    "A8": anthropic(a.user(a.text(" "))),
    "A9": anthropic(a.user(*[a.text("x", **a.MARK)] * 5)),
    "A10": anthropic(a.system("s"), a.DONE, a.USER, system="s"),
    "A11": anthropic(
        a.USER, a.assistant({"type": "server_tool_use", "id": "s", "input": {}}, a.text("a")), a.USER
    ),
    "A13": anthropic(a.user(*[IMAGE] * 101)),
    "A14": anthropic(a.USER, a.assistant(a.use("c")), a.user(a.result("c", {"rows": []}))),
    "A15": anthropic(a.USER, a.assistant(a.use("c", "text")), a.user(a.result("c"))),
    "A16": anthropic(a.user(PAGE), a.assistant(cited(1)), a.USER),
    "A17": anthropic(a.assistant({"type": "compaction", "content": ""}), a.USER),
    "A18": anthropic(a.user(a.text("a"), REMOVAL)),
    "A20": anthropic(a.USER, a.DONE),
}


def chat(*messages: Any, **fields: Any) -> dict[str, Any]:
    return {"model": "gpt-4o", "messages": list(messages), **fields}


CHAT: dict[str, Any] = {
    "C1": chat(c.USER, c.assistant(c.made("c")), c.USER),
    "C2": chat(c.tool("c"), c.USER),
    "C3": chat(c.USER, {"role": "assistant", "content": None}),
    "C4": chat(
        {"role": "assistant", "function_call": {"name": "f", "arguments": "{}"}},
        {"role": "function", "content": "x"},
    ),
    "C5": chat(c.USER, tools=[{}] * 129),
    "C9": chat(c.USER, c.assistant(c.made("c", '{"path": "a.m'))),
}

RESPONSES: dict[str, Any] = {
    "R1": r.request(r.output("c"), r.USER),
    "R2": r.request(r.USER, r.reasoning(), r.USER),
    "R3": r.request(r.USER, {"type": "reasoning", "encrypted_content": "gAAAA"}, r.said()),
    "R5": r.request(r.USER, r.said(id="mine")),
    "R7": r.request(r.USER, previous_response_id="resp_1", conversation="conv_1"),
    "R8": r.request(r.USER, {"type": "compaction_trigger"}, r.said()),
    "R10": r.request(r.USER, r.call("a"), r.output("a", {"rows": []})),
    "R11": r.request(r.USER, {"type": "item_reference", "id": "msg_1"}, r.USER, store=False),
}


def gemini(*contents: Any, **fields: Any) -> dict[str, Any]:
    return {"model": "gemini-3-pro", "contents": list(contents), **fields}


SIGNED = g.call("f", **g.SIGNED)

GEMINI: dict[str, Any] = {
    "G1": gemini(g.USER, g.model(SIGNED, g.call("f")), g.user(g.answer("f")), g.DONE, g.USER),
    "G2": gemini(g.USER, g.DONE),
    "G3": gemini(g.USER, g.model(SIGNED, g.call("f")), g.user(g.answer("f")), g.user(g.answer("f"))),
    "G4": gemini(g.USER, g.model(g.call("f")), g.user(g.answer("f"))),
    "G5": gemini(g.USER, g.model(SIGNED), g.user(g.answer(""))),
    "G6": gemini(g.USER, {"role": "system", "parts": [g.text("a")]}, g.USER),
}


def bedrock(*messages: Any, **fields: Any) -> dict[str, Any]:
    tools = {"toolConfig": {"tools": [b.SPEC]}}
    return {"modelId": f"anthropic.{BINDING}-v1:0", **tools, "messages": list(messages), **fields}


BEDROCK: dict[str, Any] = {
    "A1": bedrock(b.USER, b.assistant(b.use("c")), b.USER),
    "A2": bedrock(b.user(b.result("c")), b.DONE, b.USER),
    "A4": (
        bedrock(b.USER, b.assistant(b.use("c")), b.user(b.result("c"))),
        bedrock(b.USER, b.assistant(b.THOUGHT, b.use("c")), b.user(b.result("c"))),
    ),
    "A5": (
        bedrock(b.USER, b.assistant(b.THOUGHT, b.text("a")), b.USER),
        bedrock(b.user(b.text("begin")), b.assistant(b.THOUGHT, b.text("a")), b.USER),
    ),
    "A8": bedrock(b.user(b.text(" "))),
    "A15": bedrock(b.USER, b.assistant(b.use("c", "text")), b.user(b.result("c"))),
    "B1": bedrock(b.DONE, b.USER),
    "B2": bedrock(b.USER, b.assistant(b.use("c")), b.user(b.result("c")), toolConfig=None),
    "B3": bedrock(b.USER, b.DONE, b.DONE, b.USER, b.USER),
}

LANGCHAIN: dict[str, Any] = {
    "L1": {"messages": [lc.human("go"), lc.ai(tool_calls=[lc.PARSED]), lc.human("on")]},
    "L2": {"messages": [lc.human("go"), lc.tool(), lc.human("on")]},
}

EXAMPLES: dict[str, dict[str, Any]] = {
    "anthropic": ANTHROPIC,
    "openai_chat": CHAT,
    "openai_responses": RESPONSES,
    "gemini": GEMINI,
    "bedrock": BEDROCK,
    "langchain": LANGCHAIN,
}
