from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.wires.responses_items import (
    EXIT,
    FAILED,
    LATE,
    PATCH,
    PNG,
    SHELL,
    URI,
    USER,
    call,
    message,
    output,
    reasoning,
    said,
    shell_output,
)

from trimtab import Compactor, validate
from trimtab.errors import WireError
from trimtab.images import image_tokens
from trimtab.request import countable
from trimtab.tokens import counter_for
from trimtab.transcript import (
    Media,
    Message,
    Opaque,
    Part,
    Reasoning,
    Role,
    Text,
    ToolCall,
    ToolResult,
)
from trimtab.wires.openai_responses import OPENAI_RESPONSES


def image(media_type: str, data: str, *path: str | int, call_id: str | None = None, detail: str = "auto") -> Media:
    tokens = image_tokens("openai_responses", media_type, data, detail)
    return Media(media_type, data, tokens, call_id, path)


@pytest.mark.parametrize(
    ("source", "role", "parts"),
    [
        (USER, Role.USER, [Text("go on", ("content",))]),
        (message("developer", "s"), Role.SYSTEM, [Text("s", ("content",))]),
        (message("system", [{"type": "input_text", "text": "s"}]), Role.SYSTEM,
         [Text("s", ("content", 0, "text"))]),
        (said("a", id="msg_1", phase="commentary"), Role.ASSISTANT, [Text("a", ("content", 0, "text"))]),
        ({"role": "assistant", "content": "a"}, Role.ASSISTANT, [Text("a", ("content",))]),
        (message("assistant", [{"type": "refusal", "refusal": "no"}]), Role.ASSISTANT,
         [Opaque("refusal", "no", ("content", 0))]),
        (message("user", [
            {"type": "input_image", "image_url": URI, "detail": "low"},
            {"type": "input_image", "file_id": "file-1"},
            {"type": "input_file", "file_data": "data:application/pdf;base64,JVBE", "filename": "a.pdf"},
            {"type": "input_file", "file_data": "JVBE"},
            {"type": "input_file", "file_url": "https://example.org/a.pdf"},
            {"type": "input_audio", "input_audio": {"data": "UklG", "format": "wav"}},
        ]), Role.USER,
         [image("image/png", PNG, "content", 0, detail="low"), image("image/*", "", "content", 1),
          image("application/pdf", "JVBE", "content", 2), image("application/pdf", "JVBE", "content", 3),
          image("application/pdf", "", "content", 4), image("audio/wav", "UklG", "content", 5)]),
        (call("c", '{"a": 1}', id="fc_1"), Role.ASSISTANT, [ToolCall("c", "read", '{"a": 1}', ("arguments",))]),
        ({"type": "custom_tool_call", "call_id": "c", "name": "sh", "input": "ls"}, Role.ASSISTANT,
         [ToolCall("c", "sh", "ls", ("input",))]),
        ({"type": "shell_call", "call_id": "c", "action": SHELL}, Role.ASSISTANT,
         [ToolCall("c", "shell", '{"commands":["ls -l"],"timeout_ms":1000}', ("action",))]),
        ({"type": "local_shell_call", "id": "lsh_1", "call_id": "c", "action": {"type": "exec"}}, Role.ASSISTANT,
         [ToolCall("c", "local_shell", '{"type":"exec"}', ("action",))]),
        ({"type": "apply_patch_call", "call_id": "c", "operation": PATCH}, Role.ASSISTANT,
         [ToolCall("c", "apply_patch", '{"type":"update_file","path":"a.py","diff":"@@\\n-a\\n+b"}',
                   ("operation",))]),
        ({"type": "function_call", "call_id": "c", "name": "f"}, Role.ASSISTANT,
         [ToolCall("c", "f", ""),
          Opaque("function_call", '{"type":"function_call","call_id":"c","name":"f"}')]),
        ({"type": "computer_call", "call_id": "c", "action": {"type": "click"}}, Role.ASSISTANT,
         [ToolCall("c", "computer", ""),
          Opaque("computer_call", '{"type":"computer_call","call_id":"c","action":{"type":"click"}}')]),
        (output("c", "out"), Role.TOOL, [ToolResult("c", "out", path=("output",))]),
        (output("c", [{"type": "input_text", "text": "a"}, {"type": "input_image", "image_url": URI}]), Role.TOOL,
         [ToolResult("c", "a", path=("output", 0, "text")),
          image("image/png", PNG, "output", 1, call_id="c")]),
        (output("c", [{"type": "new"}]), Role.TOOL,
         [ToolResult("c", ""), Opaque("new", '{"type":"new"}', ("output", 0))]),
        ({"type": "custom_tool_call_output", "call_id": "c", "output": "x"}, Role.TOOL,
         [ToolResult("c", "x", path=("output",))]),
        ({"type": "local_shell_call_output", "id": "c", "output": "x"}, Role.TOOL,
         [ToolResult("c", "x", path=("output",))]),
        ({"type": "apply_patch_call_output", "call_id": "c", "status": "failed", "output": "no"}, Role.TOOL,
         [ToolResult("c", "no", True, ("output",))]),
        ({"type": "apply_patch_call_output", "call_id": "c", "status": "completed"}, Role.TOOL,
         [ToolResult("c", "")]),
        (shell_output(("a", "", EXIT), ("", "b", FAILED), ("c", "", LATE)), Role.TOOL,
         [ToolResult("c", text, failed, ("output", n, stream)) for text, failed, n, stream in [
             ("a", False, 0, "stdout"), ("", False, 0, "stderr"), ("", True, 1, "stdout"),
             ("b", True, 1, "stderr"), ("c", True, 2, "stdout"), ("", True, 2, "stderr")]]),
        ({"type": "computer_call_output", "call_id": "c", "output": {"type": "computer_screenshot"}}, Role.TOOL,
         [ToolResult("c", ""),
          Opaque("computer_screenshot", '{"type":"computer_screenshot"}', ("output",))]),
        (reasoning(), Role.ASSISTANT, [Reasoning("gAAAA1==", True)]),
        ({"type": "reasoning", "summary": [{"type": "summary_text", "text": "so"}], "encrypted_content": None,
          "content": [{"type": "reasoning_text", "text": "why"}]}, Role.ASSISTANT, [Reasoning("so\nwhy")]),
        ({"id": "msg_1"}, Role.ASSISTANT, [Opaque("item_reference", '{"id":"msg_1"}')]),
        (message("critic", "a"), Role.USER,
         [Opaque("critic", '{"type":"message","role":"critic","content":"a"}')]),
        (message("user", 7), Role.USER, [Opaque("number", "7", ("content",))]),
        (message("user", None), Role.USER, []),
    ],
)  # fmt: skip
def test_parts(source: dict[str, Any], role: Role, parts: list[Part]) -> None:
    assert OPENAI_RESPONSES.message(source) == Message(role, tuple(parts))


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("additional_tools", Role.SYSTEM), ("configuration_update", Role.SYSTEM),
        ("compaction_trigger", Role.SYSTEM), ("compaction", Role.ASSISTANT), ("item_reference", Role.ASSISTANT),
        ("web_search_call", Role.ASSISTANT), ("file_search_call", Role.ASSISTANT),
        ("code_interpreter_call", Role.ASSISTANT), ("image_generation_call", Role.ASSISTANT),
        ("mcp_call", Role.ASSISTANT), ("mcp_list_tools", Role.ASSISTANT), ("program", Role.ASSISTANT),
        ("mcp_approval_request", Role.ASSISTANT), ("mcp_approval_response", Role.TOOL),
        ("tool_search_call", Role.ASSISTANT), ("tool_search_output", Role.TOOL),
        ("program_output", Role.ASSISTANT), ("brand_new_call", Role.ASSISTANT),
        ("brand_new_call_output", Role.TOOL),
    ],
)  # fmt: skip
def test_other_items_are_kept_whole_in_their_role(name: str, role: Role) -> None:
    source = {"type": name, "role": "developer", "id": "x"}
    kept = Opaque(name, f'{{"type":"{name}","role":"developer","id":"x"}}')
    assert OPENAI_RESPONSES.message(source) == Message(role, (kept,))


def test_what_the_server_searched_is_part_of_its_answer() -> None:
    item = {"type": "tool_search_output", "execution": "server", "tools": []}
    assert OPENAI_RESPONSES.message(item).role is Role.ASSISTANT


def test_text_that_cites_is_kept_whole() -> None:
    cited = {"type": "output_text", "text": "a", "annotations": [{"type": "url_citation", "start_index": 0}]}
    (part,) = OPENAI_RESPONSES.message(message("assistant", [cited])).parts
    assert isinstance(part, Opaque)
    assert part.path == ("content", 0)


@pytest.mark.parametrize("source", [None, "hello", [], {"content": "a"}, {"role": 1}, {"type": 3}, {"id": 3}])
def test_what_is_no_item_is_named(source: Any) -> None:
    with pytest.raises(WireError, match="expected an item"):
        OPENAI_RESPONSES.message(source)
    with pytest.raises(WireError, match="expected an item"):
        OPENAI_RESPONSES.canonical(source)
    with pytest.raises(WireError, match="expected an item"):
        list(OPENAI_RESPONSES.check_source({}, [source]))


def tokens(source: dict[str, Any]) -> int:
    return sum(counter_for("gpt-5").count([countable(part) for part in OPENAI_RESPONSES.message(source).parts]))


@pytest.mark.parametrize("name", ["reasoning", "compaction"])
def test_encrypted_words_count_as_words(name: str) -> None:
    """8 kB of base64 hold 6 kB, of which 650 are an envelope: 1,350 tokens of four bytes, not 5,600 of base64."""
    sealed = {"type": name, "summary": [], "encrypted_content": ("gAAAAABp4CVuo_va1l5KdyyI-" * 400)[:8192]}
    assert 900 < tokens(sealed) < 1_800


def test_an_image_that_is_kept_whole_counts_as_an_image() -> None:
    picture = PNG.rstrip("=") + "AbC0" * 200_000
    screenshot = {"type": "computer_screenshot", "image_url": f"data:image/png;base64,{picture}"}
    for item in (
        {"type": "image_generation_call", "id": "ig_1", "result": picture, "status": "completed"},
        {"type": "computer_call_output", "call_id": "c", "output": screenshot},
    ):
        assert tokens(item) < 1_000


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(
            ["", "type", "text", "id", "stdout", "stderr", "outcome", "image_url", "file_data", "annotations"]),
        inner | st.sampled_from(["input_text", "output_text", "input_image", "input_file", "refusal"]),
        max_size=4),
    max_leaves=12,
)  # fmt: skip
KINDS = [
    "message", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output",
    "shell_call", "shell_call_output", "local_shell_call_output", "apply_patch_call", "computer_call",
    "computer_call_output", "reasoning", "compaction", "tool_search_call", "tool_search_output", "program_output",
    "mcp_approval_response", "odd", 3, None,
]  # fmt: skip
FIELDS = [
    "", "content", "output", "arguments", "input", "action", "operation", "summary", "encrypted_content",
    "call_id", "id", "status", "role", "execution", "approval_request_id",
]  # fmt: skip


@given(st.sampled_from(KINDS), st.dictionaries(st.sampled_from(FIELDS), JSON_VALUES))
def test_any_fields_are_read_without_a_crash_or_a_change(name: Any, fields: dict[str, Any]) -> None:
    source = {**fields, "type": name}
    if not isinstance(name, str):
        source["role"] = "user"
    before = deepcopy(source)
    parsed = OPENAI_RESPONSES.message(source)
    list(OPENAI_RESPONSES.check_source({"store": False}, [source, source]))
    assert len(parsed.parts) == len(OPENAI_RESPONSES.message(OPENAI_RESPONSES.canonical(source)).parts)
    for part in parsed.parts:
        assert OPENAI_RESPONSES.overlay(source, part, part) == [] or isinstance(part, Media)
    assert source == before


def test_an_input_that_is_one_text_goes_out_as_it_came() -> None:
    payload = {"model": "gpt-5", "input": "Say hello.", "instructions": "Be brief."}
    for request in (payload, json.dumps(payload).encode()):
        result = Compactor(store="memory:", budget=1_000).compact(request)
        assert result.payload is request
        assert result.report.wire == "openai_responses"
        assert validate(request) == []
