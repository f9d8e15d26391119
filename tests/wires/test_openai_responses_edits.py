from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from tests.wires.apply import apply
from tests.wires.responses_items import (
    FAILED,
    PATCH,
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

from trimtab.errors import WireError
from trimtab.transcript import Frame, Message, Opaque, Part, Reasoning, Role, Text, ToolCall, ToolResult
from trimtab.wires.openai_responses import OPENAI_RESPONSES


@pytest.mark.parametrize(
    ("short", "long"),
    [
        (USER, message("user", [{"type": "input_text", "text": "go on"}])),
        ({"role": "assistant", "content": "a"}, message("assistant", [{"type": "output_text", "text": "a"}])),
        (output("c", "a"), output("c", [{"type": "input_text", "text": "a"}])),
        ({"id": "msg_1"}, {"id": "msg_1", "type": "item_reference"}),
    ],
)
def test_canonical_takes_short_forms_for_long_ones(short: dict[str, Any], long: dict[str, Any]) -> None:
    assert OPENAI_RESPONSES.canonical(short) == OPENAI_RESPONSES.canonical(long) == long


def test_canonical_ignores_cache_marks_and_nothing_else() -> None:
    mark = {"prompt_cache_breakpoint": {"mode": "explicit"}}
    for plain, marked in (
        (message("user", [{"type": "input_text", "text": "a"}]),
         message("user", [{"type": "input_text", "text": "a", **mark}])),
        (output("c", [{"type": "input_text", "text": "a"}]),
         output("c", [{"type": "input_text", "text": "a", **mark}])),
    ):  # fmt: skip
        before = deepcopy(marked)
        assert OPENAI_RESPONSES.canonical(marked) == OPENAI_RESPONSES.canonical(plain) == plain
        assert marked == before
    whole = said("a", id="msg_1", phase="final_answer", x_new=1)
    assert OPENAI_RESPONSES.canonical(whole) == whole
    assert OPENAI_RESPONSES.canonical(reasoning()) == reasoning()


@pytest.mark.parametrize(
    ("source", "number", "new", "expected"),
    [
        (output("c", "long", id="fco_1", status="completed"), 0, ToolResult("c", "s"),
         output("c", "s", id="fco_1", status="completed")),
        (output("c", [{"type": "input_text", "text": "a", "prompt_cache_breakpoint": {}}]), 0,
         ToolResult("c", "s"),
         output("c", [{"type": "input_text", "text": "s", "prompt_cache_breakpoint": {}}])),
        (output("c", [{"type": "input_image", "image_url": URI, "prompt_cache_breakpoint": {}}]), 0,
         Text("[i]"),
         output("c", [{"type": "input_text", "text": "[i]", "prompt_cache_breakpoint": {}}])),
        (message("user", [{"type": "input_image", "image_url": URI}]), 0, Text("[i]"),
         message("user", [{"type": "input_text", "text": "[i]"}])),
        (message("user", "long"), 0, Text("s"), message("user", "s")),
        (said("long", phase="commentary"), 0, Text("s"), said("s", phase="commentary")),
        (call("c", '{"a": "long"}', id="fc_1"), 0, ToolCall("c", "read", '{"a":""}'),
         call("c", '{"a":""}', id="fc_1")),
        ({"type": "custom_tool_call", "call_id": "c", "name": "sh", "input": "ls"}, 0, ToolCall("c", "sh", "l"),
         {"type": "custom_tool_call", "call_id": "c", "name": "sh", "input": "l"}),
        ({"type": "shell_call", "call_id": "c", "action": SHELL}, 0,
         ToolCall("c", "shell", '{"commands":["l"],"timeout_ms":1000}'),
         {"type": "shell_call", "call_id": "c", "action": {"commands": ["l"], "timeout_ms": 1000}}),
        ({"type": "apply_patch_call", "call_id": "c", "operation": PATCH}, 0,
         ToolCall("c", "apply_patch", '{"type":"update_file","path":"a.py","diff":"d"}'),
         {"type": "apply_patch_call", "call_id": "c", "operation": {**PATCH, "diff": "d"}}),
        (shell_output(("out", "err", FAILED)), 1, ToolResult("c", "e", True), shell_output(("out", "e", FAILED))),
    ],
)  # fmt: skip
def test_overlay_changes_one_value_and_keeps_its_siblings(
    source: dict[str, Any], number: int, new: Part, expected: dict[str, Any]
) -> None:
    old = OPENAI_RESPONSES.message(source).parts[number]
    assert apply(source, OPENAI_RESPONSES.overlay(source, old, new)) == expected


@pytest.mark.parametrize(
    ("source", "number", "new"),
    [
        (output("c", []), 0, ToolResult("c", "x")),
        ({"type": "computer_call", "call_id": "c", "action": {}}, 0, ToolCall("c", "computer", "x")),
        (
            {"type": "computer_call_output", "call_id": "c", "output": {"type": "computer_screenshot"}},
            1,
            Text("x"),
        ),
        ({"type": "shell_call", "call_id": "c", "action": SHELL}, 0, ToolCall("c", "shell", '"x"')),
        (reasoning(), 0, Reasoning("x", True)),
        ({"type": "compaction", "encrypted_content": "x"}, 0, Opaque("compaction", "y")),
        (output("c", "x"), 0, Text("x")),
    ],
)
def test_overlay_refuses_what_cannot_be_edited(source: dict[str, Any], number: int, new: Part) -> None:
    old = OPENAI_RESPONSES.message(source).parts[number]
    with pytest.raises(WireError, match=r"cannot become|must stay"):
        OPENAI_RESPONSES.overlay(source, old, new)


def test_reasoning_is_never_dropped_alone() -> None:
    with pytest.raises(WireError, match="only a note"):
        OPENAI_RESPONSES.drop(reasoning(), OPENAI_RESPONSES.message(reasoning()).parts[0])


def test_a_note_is_a_user_message() -> None:
    note = OPENAI_RESPONSES.note("so far")
    assert OPENAI_RESPONSES.message(note) == Message(Role.USER, (Text("so far", ("content", 0, "text")),))


def test_frame() -> None:
    fields = {"model": "gpt-5", "instructions": "Be brief.", "tools": [{"type": "web_search"}]}
    options = {"max_output_tokens": 5, "text": {"format": {"type": "json_schema"}}}
    made_of = OPENAI_RESPONSES.frame({**fields, **options})
    assert made_of == Frame("gpt-5", ("Be brief.",), ('{"type":"web_search"}',), 5, True)
    assert OPENAI_RESPONSES.frame({"text": {"format": {"type": "text"}}, "system": "s"}) == Frame(system=("s",))
    odd = {"model": 1, "tools": {}, "max_output_tokens": True, "text": 3, "instructions": None}
    assert OPENAI_RESPONSES.frame({**odd, "previous_response_id": None, "conversation": None}) == Frame()


@pytest.mark.parametrize("field", [{"previous_response_id": "resp_1"}, {"conversation": {"id": "conv_1"}}])
def test_R7_a_history_at_the_provider_is_told(field: dict[str, Any]) -> None:
    assert next(iter(field)) in OPENAI_RESPONSES.frame(field).hands_off
