"""For every row of every wire's table what it speaks of: one or more messages, fields, or two messages."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from tests.wires import anthropic_requests as a, bedrock_requests as b, gemini_requests as g
from tests.wires.row_examples_langchain import LANGCHAIN
from tests.wires.row_examples_openai import CHAT, RESPONSES

CITED = {"citations": {"enabled": True}}
PAGE = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "a page"}}
URL = {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}
PDF = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}}
LOOK = {"type": "search_result", "source": "s", "title": "t", "content": [a.text("found")]}

ANTHROPIC: dict[str, Any] = {
    "a text, or a content given as a string": [
        a.user(a.text("said", **a.MARK)),
        {"role": "user", "content": "said"},
        a.system("said"),
    ],
    "a result: a string, or its texts": [
        a.user(a.result("c", "text", is_error=True, **a.MARK)),
        a.user(a.result("c", [a.text("text", **a.MARK)])),
    ],
    "a `document` of plain text": [a.user({**PAGE, "title": "t"})],
    "a `document` of plain text in a result": [a.user(a.result("c", [PAGE]))],
    "the `input` of a `tool_use`": [a.assistant(a.use("c", {"path": "a.py", "n": 1}, x=1))],
    "an `image` or other `document`: base64, URL or file": [
        a.user({"type": "image", "source": a.PNG, **a.MARK}),
        a.user(URL),
        a.user(PDF),
        a.user({"type": "document", "source": {"type": "file", "file_id": "f"}}),
    ],
    "an `image` or other `document` in a result": [a.user(a.result("c", [URL])), a.user(a.result("c", [PDF]))],
    "`thinking`, signed or not": [
        a.assistant({"type": "thinking", "thinking": "t", "signature": "s"}, a.text("so")),
        a.assistant({"type": "thinking", "thinking": "t"}, a.text("so")),
    ],
    "`redacted_thinking`": [a.assistant({"type": "redacted_thinking", "data": "ZW5j"}, a.text("so"))],
    "a text with `citations`": [a.assistant(a.text("so", citations=[{"type": "char_location"}]))],
    "a `document` that may be cited": [a.user({**PAGE, **CITED}), a.user({**PDF, **CITED})],
    "a `search_result`": [a.user(LOOK), a.user(a.result("c", [LOOK]))],
    "a `server_tool_use`, an `mcp_tool_use`": [
        a.assistant({"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "q"}}),
        a.assistant({"type": "mcp_tool_use", "id": "m", "name": "n", "server_name": "s", "input": {"a": "b"}}),
    ],
    "a `web_search_tool_result` and its like": [
        a.assistant(
            {"type": "web_search_tool_result", "tool_use_id": "s", "content": [{"encrypted_content": "e"}]}
        ),
        a.assistant({"type": "mcp_tool_result", "tool_use_id": "m", "content": [a.text("a")]}),
    ],
    "a `compaction`": [a.assistant({"type": "compaction", "content": "so far", "tool_changes": []})],
    "a `tool_addition` or `tool_removal`": [
        a.user({"type": "tool_addition", "tool": {"type": "tool_reference", "name": "f"}}),
        a.user({"type": "tool_removal", "tool": {"type": "tool_reference", "name": "f"}}),
    ],
    "a `tool_reference` or `browser_state` in a result": [
        a.user(a.result("c", [{"type": "tool_reference", "tool_name": "f"}])),
        a.user(a.result("c", [{"type": "browser_state", "data": "d"}])),
    ],
    "a block of a type that is not known": [a.user({"type": "x_new", "text": "t"}), a.user("bare")],
    "a message of a role that is not known": [{"role": "narrator", "content": "once"}],
    "`cache_control` on a block": [
        (a.user(a.text("said", **a.MARK)), a.user(a.text("said"))),
        (a.user(a.result("c", [a.text("x", **a.HOUR)], **a.MARK)), a.user(a.result("c", [a.text("x")]))),
    ],
    "a content given as a string, or as one text": [
        ({"role": "user", "content": "said"}, a.user(a.text("said"))),
        (a.user(a.result("c", "said")), a.user(a.result("c", [a.text("said")]))),
    ],
    "fields that are not known": [(a.user(a.text("said", x=1)), a.user(a.text("said")))],
}

TEXT_DATA = b64encode(b"words").decode()

GEMINI: dict[str, Any] = {
    "a `text`": [g.model(g.text("said", **g.SIGNED)), {"parts": [g.text("said")]}],
    "each member of a `functionResponse.response`": [
        g.user(g.answer("f", "c", {"output": "text", "rows": [1, {"a": "b"}]}, [g.inline()])),
        g.user({"function_response": {"name": "f", "response": {"error": "text"}}}),
    ],
    "`inlineData` that is text": [g.user(g.inline(TEXT_DATA, "text/csv"))],
    "the `args` of a `functionCall`": [g.model(g.call("f", "c", {"path": "a.py", "n": 1}, **g.SIGNED))],
    "other `inlineData`, `fileData`": [
        g.user(g.inline()),
        g.model({**g.inline(), **g.SIGNED}),
        g.user({"fileData": {"mimeType": "image/png", "fileUri": "https://example.org/a.png"}}),
    ],
    "the same in `functionResponse.parts`": [g.user(g.answer("f", "c", {}, [g.inline()]))],
    "a `thought`": [g.model(g.text("t", thought=True), g.text("so"))],
    "`executableCode`, `codeExecutionResult`": [
        g.model({"executableCode": {"language": "PYTHON", "code": "1"}}),
        g.model({"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}}),
    ],
    "a `toolCall` or `toolResponse` of the provider's": [
        g.model({"toolCall": {"id": "t", "toolType": "GOOGLE_SEARCH_WEB"}}),
        g.model({"toolResponse": {"id": "t", "response": {"a": "b"}}}),
    ],
    "a part that is not known": [g.user({"xNew": {"text": "t"}}), g.user("bare")],
    "a content of a role that is not known": [{"role": "narrator", "parts": [g.text("once")]}],
    "`cachedContent`": [{"cachedContent": "cachedContents/1"}, {"config": {"cached_content": "cachedContents/1"}}],
    "camel case or snake case": [
        (
            g.model(g.call("f"), {**g.inline(), **g.SIGNED}),
            g.model(
                {"function_call": {"name": "f", "args": {}}},
                {"inline_data": {"mime_type": "image/png", "data": g.PNG}, "thought_signature": "c2ln"},
            ),
        )
    ],
    "the role of a user, which may be left out": [(g.USER, {"parts": g.USER["parts"]})],
    "`thoughtSignature`, fields that are not known": [
        (g.model(g.text("a", **g.SIGNED)), g.model(g.text("a"))),
        (g.model(g.text("a", x=1)), g.model(g.text("a"))),
    ],
}

BPAGE = {"document": {"format": "txt", "name": "n", "source": {"text": "a page"}}}
BPDF = {"document": {"format": "pdf", "name": "n", "source": {"bytes": "JVBERi0="}}}
S3 = {"video": {"format": "mp4", "source": {"s3Location": {"uri": "s3://a/b"}}}}

BEDROCK: dict[str, Any] = {
    "a `text`": [b.user(b.text("said")), b.assistant(b.text("said"))],
    "a `text` or `json` in a `toolResult`": [
        b.user(b.result("c", b.text("text"), status="error")),
        b.user(b.result("c", {"json": {"rows": ["a"]}})),
    ],
    "a `document` of plain text": [b.user(BPAGE)],
    "the `input` of a `toolUse`": [b.assistant(b.use("c", {"path": "a.py", "n": 1}))],
    "an `image`, `video`, `audio`, other `document`": [b.user(b.PNG), b.user(S3), b.user(BPDF)],
    "the same in a `toolResult`": [b.user(b.result("c", b.PNG)), b.user(b.result("c", BPDF))],
    "`reasoningText`, `redactedContent`": [
        b.assistant(b.THOUGHT, b.text("so")),
        b.assistant(b.SEALED, b.text("so")),
    ],
    "a `document` that may be cited": [b.user({"document": {**BPDF["document"], **CITED}})],
    "`citationsContent`, `searchResult`, `guardContent`": [
        b.assistant({"citationsContent": {"content": [b.text("so")], "citations": []}}),
        b.user({"searchResult": {"source": "s", "title": "t", "content": [b.text("found")]}}),
        b.user({"guardContent": {"text": {"text": "t"}}}),
    ],
    "a `toolUse` or `toolResult` of the provider's own": [
        b.assistant(b.use("c", {"a": "b"}, type="server_tool_use")),
        b.assistant(b.result("c", type="x_tool_result")),
    ],
    "a `toolAddition` or `toolRemoval`": [b.user({"toolAddition": {"a": "b"}}), b.user({"toolRemoval": {}})],
    "an item that is not known": [b.user({"xNew": {"text": "t"}}), b.user("bare")],
    "a message of a role that is not known": [{"role": "narrator", "content": [b.text("once")]}],
    "a `cachePoint`": [(b.user(b.text("said"), b.POINT), b.user(b.text("said")))],
    "a content given as a string, or as one `text`": [({"role": "user", "content": "a"}, b.user(b.text("a")))],
    "fields that are not known": [(b.user({"text": "said", "x": 1}), b.user(b.text("said")))],
}

EXAMPLES: dict[str, dict[str, Any]] = {
    "anthropic": ANTHROPIC,
    "openai_chat": CHAT,
    "openai_responses": RESPONSES,
    "gemini": GEMINI,
    "bedrock": BEDROCK,
    "langchain": LANGCHAIN,
}
