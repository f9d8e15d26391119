"""For every row of the tables of OpenAI's two wires what it speaks of."""

from __future__ import annotations

from typing import Any

from tests.wires import openai_requests as c, responses_items as r
from tests.wires.anthropic_requests import MARK


def image(url: str = "https://example.org/a.png", **fields: Any) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": url, "detail": "low"}, **fields}


def says(*content: Any, **fields: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(content) or "so", **fields}


MARKS: tuple[dict[str, Any], ...] = (MARK, {"prompt_cache_breakpoint": {}})
SOUND = {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}}
FILE = {"type": "file", "file": {"file_id": "f"}}

CHAT: dict[str, Any] = {
    "a text, or a content given as a string": [
        *({"role": role, "content": "said", "name": "n"} for role in ("system", "developer", "user", "assistant")),
        {"role": "user", "content": [{"type": "text", "text": "said", **MARK}]},
    ],
    "the content of a `tool` or `function` message": [
        c.tool("c"),
        c.tool("c", [{"type": "text", "text": "text"}]),
        {"role": "function", "name": "f", "content": "text"},
    ],
    "the `arguments` of a call": [c.assistant(c.made("c", '{"path": "a.py", "n": 1}'), reasoning_content="t")],
    "the `arguments` of a `function_call`": [says(function_call={"name": "f", "arguments": '{"path": "a.py"}'})],
    "an `image_url`, `input_audio` or `file`": [
        {"role": "user", "content": [one]}
        for one in (image(), image(prompt_cache_breakpoint={}), image("data:image/png;base64,AAAA"), SOUND, FILE)
    ],
    "an `image_url` in a result": [c.tool("c", [image()])],
    "`reasoning_content` or `reasoning`": [says(reasoning_content="t"), says(reasoning="t")],
    "`thinking_blocks` or `reasoning_details`": [
        says(thinking_blocks=[{"type": "thinking", "thinking": "t", "signature": "s"}]),
        says(reasoning_details=[{"type": "reasoning.encrypted", "data": "e"}]),
    ],
    "the `input` of a custom call, as free text": [
        c.assistant({"id": "c", "type": "custom", "custom": {"name": "sh", "input": "ls -l"}})
    ],
    "a `refusal`, as a field or a part": [
        says(content=None, refusal="no"),
        says({"type": "refusal", "refusal": "no"}),
    ],
    "the `audio` of an assistant": [says(content=None, audio={"id": "audio_1"})],
    "a call of a type that is not known": [c.assistant({"id": "c", "type": "x_new", "x_new": {"a": 1}})],
    "a part of a type that is not known": [{"role": "user", "content": [{"type": "x_new", "text": "t"}]}],
    "a message of a role that is not known": [{"role": "narrator", "content": "once"}],
    "`cache_control` or `prompt_cache_breakpoint`": [
        ({"role": "user", "content": [{"type": "text", "text": "a", **mark}]}, {"role": "user", "content": "a"})
        for mark in MARKS
    ],
    "a content given as a string, or as one text": [
        (c.tool("c", "a"), c.tool("c", [{"type": "text", "text": "a"}])),
    ],
    "`name` and fields that are not known": [
        ({"role": "user", "content": "a", "name": "n"}, {"role": "user", "content": "a"}),
        ({"role": "user", "content": "a", "x": 1}, {"role": "user", "content": "a"}),
    ],
}


def kept(name: str, **fields: Any) -> dict[str, Any]:
    return {"type": name, "id": "x_1", **fields}


INPUT_IMAGE = {"type": "input_image", "image_url": r.URI, "detail": "low"}
INPUT_FILE = {"type": "input_file", "file_id": "f"}
INPUT_SOUND = {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}}
INPUT_TEXT = {"type": "input_text", "text": "text"}

RESPONSES: dict[str, Any] = {
    "a text of a message, or a content given as a string": [
        {"role": "user", "content": "said"},
        r.message("developer", [INPUT_TEXT]),
        r.said(id="msg_1", phase="commentary"),
    ],
    "the `output` of a call: a string, or its texts": [
        r.output("c", id="fc_1", status="completed"),
        r.output("c", [INPUT_TEXT, INPUT_IMAGE]),
        {"type": "custom_tool_call_output", "call_id": "c", "output": "text"},
        {"type": "local_shell_call_output", "id": "c", "output": "text"},
        {"type": "apply_patch_call_output", "call_id": "c", "status": "failed", "output": "text"},
    ],
    "`stdout` and `stderr` of a shell": [r.shell_output(("out", "err", r.EXIT))],
    "the `arguments` of a `function_call`": [r.call("c", '{"path": "a.py", "n": 1}', id="fc_1")],
    "the `action` of a shell call": [
        {"type": "shell_call", "call_id": "c", "action": r.SHELL},
        {"type": "local_shell_call", "call_id": "c", "id": "l", "action": {"type": "exec", "command": ["ls"]}},
    ],
    "the `operation` of an `apply_patch_call`": [
        {"type": "apply_patch_call", "call_id": "c", "status": "completed", "operation": r.PATCH}
    ],
    "an `input_image`, `input_file` or `input_audio`": [
        r.message("user", [one]) for one in (INPUT_IMAGE, INPUT_FILE, INPUT_SOUND)
    ],
    "an `input_image` or `input_file` in an output": [r.output("c", [INPUT_IMAGE]), r.output("c", [INPUT_FILE])],
    "a `reasoning` item": [r.reasoning(), {"type": "reasoning", "summary": []}],
    "the `input` of a `custom_tool_call`, as free text": [
        {"type": "custom_tool_call", "call_id": "c", "name": "sh", "input": "ls -l"}
    ],
    "a `computer_call` and its screenshot": [
        {"type": "computer_call", "call_id": "c", "id": "cu_1", "action": {"type": "screenshot"}},
        {"type": "computer_call_output", "call_id": "c", "output": kept("computer_screenshot", image_url=r.URI)},
    ],
    "a text with `annotations`": [
        r.message("assistant", [{"type": "output_text", "text": "so", "annotations": [{"type": "url_citation"}]}])
    ],
    "a `refusal`": [r.message("assistant", [{"type": "refusal", "refusal": "no"}])],
    "a `compaction` or `compaction_trigger`": [
        {"type": "compaction", "encrypted_content": "gAAAA"},
        {"type": "compaction_trigger"},
    ],
    "an `item_reference`": [kept("item_reference"), {"id": "msg_1"}],
    "`additional_tools`, a `configuration_update`": [
        {"type": "additional_tools", "role": "developer", "tools": []},
        kept("configuration_update"),
    ],
    "calls of the provider's tools, `mcp_…`, programs": [
        *(kept(f"{one}_call", status="completed") for one in ("web_search", "file_search", "code_interpreter")),
        *(kept(f"mcp_{one}") for one in ("call", "list_tools", "approval_request")),
        kept("program", call_id="p", code="1"),
        kept("program_output", call_id="p", result="1"),
    ],
    "an item or part of a type that is not known": [
        kept("x_new", text="t"),
        r.message("user", [{"type": "x_new", "text": "t"}]),
    ],
    "a message of a role that is not known": [{"role": "narrator", "content": "once"}],
    "`previous_response_id`": [{"previous_response_id": "resp_1"}],
    "`conversation`": [{"conversation": "conv_1"}, {"conversation": {"id": "conv_1"}}],
    "`prompt_cache_breakpoint` on a part": [
        (r.message("user", [{**INPUT_TEXT, "prompt_cache_breakpoint": {}}]), r.message("user", [INPUT_TEXT]))
    ],
    "a content given as a string, or as one text": [
        (r.message("user", "text"), r.message("user", [INPUT_TEXT])),
        (r.output("c", "text"), r.output("c", [INPUT_TEXT])),
    ],
    "the `type` of a message, which may be left out": [(r.USER, {"type": "message", **r.USER})],
    "`id`, `status`, `phase`, fields that are not known": [
        (r.said(**{key: "x"}), r.said(**{key: "y"})) for key in ("id", "status", "phase", "x_new")
    ],
}
