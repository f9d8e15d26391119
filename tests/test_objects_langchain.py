"""LangChain messages as objects: read as JSON, edited as copies, made again."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
)

from trimtab import objects
from trimtab.body import open_body
from trimtab.jsonbytes import Delete, Op, Set, decode

ARGS = {"path": "a.py", "old": ["é", {"n": 2**70}]}
CALLED = AIMessage(
    [{"type": "thinking", "thinking": "t", "signature": "s"}, "so"],
    tool_calls=[{"id": "c", "name": "f", "args": ARGS}],
    additional_kwargs={"tool_calls": [], "sound": b"\xfb\xff"},
    response_metadata={"model_name": "m"},
    usage_metadata={"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
    id="run-1",
    of_its_own={"a": 1},
)
MESSAGES: list[BaseMessage] = [
    HumanMessage("a"),
    HumanMessage("broken \ud83d"),
    SystemMessage(["a", {"type": "text", "text": "b"}]),
    CALLED,
    AIMessageChunk(content="a", tool_call_chunks=[{"id": "c", "name": "f", "args": '{"a": 1}', "index": 0}]),
    ToolMessage("r", tool_call_id="c", artifact={"rows": [b"\xfb", 1.5]}, status="error"),
    FunctionMessage(name="f", content="r"),
    ChatMessage(role="user", content="a"),
    RemoveMessage(id="1"),
    ToolMessage("r", tool_call_id="c", artifact=[HumanMessage("inside"), {"deep": AIMessage("too")}]),
]


def again(message: Any) -> Any:
    return objects.restored(decode(objects.encode(message, "message")), objects.binary(message))


@pytest.mark.parametrize("message", MESSAGES, ids=lambda one: type(one).__name__)
def test_a_message_is_made_again_from_its_json(message: BaseMessage) -> None:
    made = again(message)
    assert made == message
    assert type(made) is type(message)
    assert objects.comes_back(message)


def test_the_default_of_a_type_is_written() -> None:
    assert decode(objects.encode(HumanMessage("a"), "message"))["type"] == "human"


class Remark(HumanMessage):
    """A class of the user's own."""


class Wrong:
    def __eq__(self, other: object) -> bool:
        raise ValueError("ambiguous")

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize(
    "message",
    [
        Remark(content="a"),
        *(
            ToolMessage("r", tool_call_id="c", artifact=held)
            for held in (object(), Wrong(), (1,), {1: 2}, [b"a", object()], Document("page"), float("nan"))
        ),
        HumanMessage("a", response_metadata={"deep": [object()]}),
    ],
    ids=lambda one: str(type(getattr(one, "artifact", one))),
)
def test_a_message_that_would_come_back_otherwise_is_known(message: BaseMessage) -> None:
    assert not objects.comes_back(message)
    read = decode(objects.encode(message, "message"))
    assert read["content"] == message.content


def test_an_edited_message_is_a_copy_that_shares_the_rest() -> None:
    before = repr(CALLED)
    ops: list[Op] = [
        Delete(("content", 0)),
        Set(("tool_calls", 0, "args", "path"), "cut"),
        Set(("of_its_own", "a"), 2),
        Set(("additional_kwargs", "sound"), "aGk="),
    ]
    made = objects.edited(CALLED, ops)
    assert type(made) is AIMessage
    assert made.content == ["so"]
    assert made.tool_calls[0]["args"] == {**ARGS, "path": "cut"}
    assert made.tool_calls[0]["args"]["old"] is CALLED.tool_calls[0]["args"]["old"]
    assert (made.model_extra, made.additional_kwargs["sound"]) == ({"of_its_own": {"a": 2}}, b"hi")
    assert made.response_metadata is CALLED.response_metadata
    assert (made.id, made.usage_metadata) == (CALLED.id, CALLED.usage_metadata)
    assert repr(CALLED) == before


def test_a_note_takes_the_form_of_what_it_stands_among() -> None:
    note = {"type": "human", "content": "so far"}
    enveloped = {"type": "human", "data": {"content": "a"}}
    constructed = {"lc": 1, "type": "constructor", "id": ["langchain", "AIMessage"], "kwargs": {"content": "a"}}
    assert all(open_body([one]).whole(note) == HumanMessage("so far") for one in MESSAGES)
    assert open_body([enveloped]).whole(note) == {"type": "human", "data": note}
    assert open_body([constructed]).whole(note) == {
        **constructed,
        "id": ["langchain", "HumanMessage"],
        "kwargs": note,
    }
    assert open_body([note]).whole(note) == note
    assert decode(open_body(b'[{"type": "ai", "data": {"content": "a"}}]').whole(note))["data"] == note
    said = {"role": "user", "content": "so far"}
    assert open_body([{"type": "x_new", "data": {}}]).whole(said) is said


def test_langchain_is_not_imported_to_read_other_wires_or_its_own_json() -> None:
    code = (
        "import sys, trimtab; c = trimtab.Compactor(store='memory:', budget=10**6);"
        "c.compact([{'role': 'user', 'content': 'a'}]); c.compact([{'type': 'human', 'content': 'a'}]);"
        "print([name for name in sys.modules if name.startswith('langchain')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
