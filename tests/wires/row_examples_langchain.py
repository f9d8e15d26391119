"""For every row of LangChain's table what it speaks of."""

from __future__ import annotations

from typing import Any

from tests.wires.anthropic_requests import MARK

PNG = {"type": "image", "base64": "iVBORw0KGgo=", "mime_type": "image/png"}
ARGS = {"path": "a.py", "n": 1}
RAW = '{"path": "a.py", "n": 1}'
PARSED = {"id": "c", "name": "read", "args": ARGS, "type": "tool_call"}
CITED = {"type": "document", "source": {"type": "text", "data": "a page"}, "citations": {"enabled": True}}


def human(*content: Any, **fields: Any) -> dict[str, Any]:
    return {"type": "human", "content": list(content), **fields}


def ai(*content: Any, **fields: Any) -> dict[str, Any]:
    return {"type": "ai", "content": list(content) or "so", "additional_kwargs": {}, **fields}


def tool(content: Any = "text", **fields: Any) -> dict[str, Any]:
    return {"type": "tool", "tool_call_id": "c", "name": "read", "content": content, "status": "success", **fields}


def text(said: str, **fields: Any) -> dict[str, Any]:
    return {"type": "text", "text": said, **fields}


def use(**fields: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": "c", "name": "read", **fields}


def raw(arguments: str = RAW) -> dict[str, Any]:
    return {"tool_calls": [{"id": "c", "type": "function", "function": {"name": "read", "arguments": arguments}}]}


MEDIA: tuple[dict[str, Any], ...] = (
    {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}, **MARK},
    {"type": "image_url", "image_url": "https://example.org/a.png"},
    PNG,
    {"type": "image", "url": "https://example.org/a.png"},
    {"type": "image", "source_type": "base64", "data": "AAAA", "mime_type": "image/png"},
    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}},
    {"type": "audio", "base64": "AAAA", "mime_type": "audio/wav"},
    {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
    {"type": "video", "file_id": "f"},
    {"type": "file", "base64": "JVBERi0=", "mime_type": "application/pdf"},
    {"type": "file", "file": {"file_data": "data:application/pdf;base64,JVBERi0="}},
    {"type": "document", "source": {"type": "url", "url": "https://example.org/a.pdf"}},
    {"type": "media", "mime_type": "image/png", "data": "AAAA"},
)

LANGCHAIN: dict[str, Any] = {
    "a text, or a content given as a string": [
        *({"type": kind, "content": "said"} for kind in ("system", "human", "ai", "AIMessageChunk")),
        human(text("said", **MARK)),
        human("said"),
        {"type": "chat", "role": "user", "content": "said"},
        {"type": "human", "data": {"content": "said", "id": "1"}},
        {"lc": 1, "type": "constructor", "id": ["langchain", "HumanMessage"], "kwargs": {"content": "said"}},
    ],
    "the content of a tool or function message": [
        tool(),
        tool([text("text"), "bare", {"type": "text-plain", "text": "page"}], status="error", artifact={"a": 1}),
        {"type": "function", "name": "f", "content": "text"},
        {"type": "tool", "data": tool()},
    ],
    "a document of plain text": [
        human({"type": "text-plain", "text": "a page", "mime_type": "text/plain", "title": "t"}),
        human({"type": "file", "source_type": "text", "text": "a page"}),
        human({"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "a page"}}),
    ],
    "the arguments of a call": [
        ai(tool_calls=[PARSED]),
        ai(tool_calls=[PARSED], additional_kwargs=raw()),
        ai(text("so"), use(input=ARGS), tool_calls=[PARSED]),
        ai(use(input={}, partial_json=RAW), tool_calls=[PARSED]),
        ai(use(input=ARGS)),
        ai({**PARSED}, tool_calls=[PARSED]),
        ai({"type": "function_call", "id": "fc", "call_id": "c", "name": "read", "arguments": RAW}),
        ai(
            {"type": "custom_tool_call", "call_id": "c", "name": "read", "input": "ls -l"},
            tool_calls=[{**PARSED, "args": {"__arg1": "ls -l"}}],
        ),
        {**ai(tool_calls=[PARSED]), "tool_call_chunks": [{"id": "c", "name": "read", "args": RAW}]},
        {"type": "ai", "data": ai(tool_calls=[PARSED], additional_kwargs=raw())},
        ai(additional_kwargs=raw()),
    ],
    "the arguments of a `function_call`": [
        ai(additional_kwargs={"function_call": {"name": "read", "arguments": RAW}}),
        ai(tool_calls=[PARSED], additional_kwargs={"function_call": {"name": "read", "arguments": RAW}}),
    ],
    "an image, sound, video or file: base64, URL or id": [human(one) for one in MEDIA],
    "the same in a result": [tool([one]) for one in MEDIA],
    "reasoning in the content": [
        ai({"type": "thinking", "thinking": "t", "signature": "s"}, text("so")),
        ai({"type": "redacted_thinking", "data": "ZW5j"}, text("so")),
        ai({"type": "reasoning", "reasoning": "t", "extras": {"signature": "s"}}, text("so")),
        ai({"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "t"}]}, text("so")),
        ai({"type": "reasoning_content", "reasoning_content": {"text": "t", "signature": "s"}}, text("so")),
    ],
    "reasoning in `additional_kwargs`": [
        ai(additional_kwargs={"reasoning_content": "t"}),
        ai(additional_kwargs={"reasoning": "t"}),
        ai(additional_kwargs={"reasoning": {"id": "rs_1", "summary": [{"text": "t"}]}}),
        ai(additional_kwargs={"thinking_blocks": [{"thinking": "t", "signature": "s"}]}),
    ],
    "arguments that are no JSON": [
        {**ai(PNG), "invalid_tool_calls": [{"id": "c", "name": "read", "args": '{"path": ', "error": "cut"}]},
        ai({"type": "custom_tool_call", "call_id": "c", "name": "sh", "input": "ls -l"}),
    ],
    "what has citations or annotations, or may be cited": [
        ai(text("so", citations=[{"type": "char_location"}])),
        ai(text("so", annotations=[{"type": "citation"}])),
        human(CITED),
        human({**CITED, "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}}),
    ],
    "a refusal, the sound of an answer": [
        ai({"type": "refusal", "refusal": "no"}),
        ai(PNG, additional_kwargs={"refusal": "no"}),
        ai(PNG, additional_kwargs={"audio": {"id": "audio_1", "data": "AAAA"}}),
    ],
    "a result inside another message's content": [
        human({"type": "tool_result", "tool_use_id": "c", "content": "text"}),
    ],
    "what the provider did by itself, and unknown content": [
        ai({"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "q"}}),
        ai({"type": "web_search_call", "id": "ws_1", "status": "completed"}),
        ai({"type": "image_generation_call", "id": "ig_1", "result": "iVBORw0KGgo="}),
        human({"type": "non_standard", "value": {"text": "t"}}),
        human({"text": "t"}),
    ],
    "a message of a type or role that is not known": [
        {"type": "narrator", "content": "once"},
        {"type": "chat", "role": "narrator", "content": "once"},
    ],
    "a `RemoveMessage`": [{"type": "remove", "content": "", "id": "1"}],
    "an object, or any of its forms in JSON": [
        (ai(tool_calls=[PARSED]), {"type": "ai", "data": ai(tool_calls=[PARSED])}),
        (
            tool(),
            {
                "lc": 1,
                "type": "constructor",
                "id": ["langchain", "schema", "messages", "ToolMessage"],
                "kwargs": {"content": "text", "tool_call_id": "c", "name": "read"},
            },
        ),
    ],
    "a chunk, or the whole message": [
        (
            ai(tool_calls=[PARSED]),
            {**ai(tool_calls=[PARSED]), "type": "AIMessageChunk", "tool_call_chunks": [{"id": "c", "args": RAW}]},
        )
    ],
    "`cache_control`": [(human(text("said", **MARK)), {"type": "human", "content": "said"})],
    "`id`, `response_metadata`, `usage_metadata`": [
        (ai(), ai(id="run-1")),
        (ai(), ai(response_metadata={"model_name": "m"})),
        (ai(), ai(usage_metadata={"input_tokens": 1})),
    ],
    "`artifact`, other `additional_kwargs`": [
        (tool(), tool(artifact={"rows": []})),
        (human(text("a")), human(text("a"), additional_kwargs={"lc_source": "s"})),
    ],
    "`name`, whether a result is an error": [
        (human(text("a")), human(text("a"), name="n")),
        (tool(), tool(status="error")),
    ],
}
