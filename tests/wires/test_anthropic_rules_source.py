"""Rules on what one place of a request says of another: marks, media, citations, compactions, tools."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest
from tests.wires.anthropic_requests import DONE, HOUR, MARK, PNG, USER, assistant, broken, result, text, use, user

THOUGHT = {"type": "thinking", "thinking": "t", "signature": "s"}
FOUR = [text("s", **HOUR)] * 4


def test_A9_the_automatic_mark_is_one_of_the_four() -> None:
    assert broken(USER, system=FOUR[1:], **MARK) == []
    assert broken(USER, system=FOUR, **MARK) == [("A9", "cache_control")]
    assert broken(USER, system=FOUR, cache_control=None) == []


@pytest.mark.parametrize("last", [user(text("go", **HOUR)), assistant(text("so", **HOUR), THOUGHT)])
def test_A9_the_automatic_mark_is_no_other_where_its_block_is_marked(last: dict[str, Any]) -> None:
    rules = [one for one in broken(last, system=FOUR[1:], **HOUR) if one[0] == "A9"]
    assert rules == []
    assert broken(USER, last, USER, system=FOUR[1:], **HOUR)[-1] == ("A9", "cache_control")


def test_A9_the_automatic_mark_comes_last() -> None:
    assert broken(USER, system=[text("s", **MARK)], **HOUR) == [("A9", "cache_control")]
    assert broken(USER, system=[text("s", **HOUR)], **MARK) == []


def test_A9_marks_in_documents_and_in_what_results_hold_count() -> None:
    page = {"type": "document", "source": {"type": "content", "content": [text("a", **MARK), text("b", **MARK)]}}
    inside = user(result("a", [{**page, **MARK}], **MARK))
    head = (USER, assistant(use("a", {"cache_control": {"type": "not a mark"}})))
    assert broken(*head, inside) == []
    assert broken(*head, inside, user(text("c", **MARK))) == [("A9", "messages[3].content[0]")]


def image(width: int, height: int) -> dict[str, Any]:
    head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big")
    return {"type": "image", "source": {**PNG, "data": b64encode(head + bytes(99)).decode()}}


def test_A13_among_many_images_none_is_large() -> None:
    assert broken(user(*[image(2001, 5)] * 20)) == []
    assert broken(user(*[image(2000, 2000)] * 21)) == []
    assert broken(user(*[image(9, 9)] * 20, image(9, 2001))) == [("A13", "messages[0].content[20]")]


def test_A13_a_request_is_not_larger_than_32_MB() -> None:
    pdf = {"type": "base64", "media_type": "application/pdf", "data": "A" * (8 * 1024 * 1024)}
    document = {"type": "document", "source": pdf}
    assert broken(user(*[document] * 4)) == []
    assert broken(user(*[document] * 4, image(9, 9))) == [("A13", "messages")]


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"content": {"a": 1}}, ".content"),
        ({"content": 7}, ".content"),
        ({"is_error": "yes"}, ".is_error"),
        ({"is_error": 1}, ".is_error"),
    ],
)
def test_A14_what_a_result_is(fields: dict[str, Any], where: str) -> None:
    spoken = (USER, assistant(use("a")))
    assert broken(*spoken, user({**result("a"), **fields})) == [("A14", f"messages[2].content[0]{where}")]
    sound: tuple[dict[str, Any], ...] = (
        {"content": None},
        {"content": []},
        {"is_error": True},
        {"is_error": None},
    )
    for fine in sound:
        assert broken(*spoken, user({**result("a"), **fine})) == []


PAGE = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "Grass is green. Sky."}}
BLOCKS = {"type": "document", "source": {"type": "content", "content": [text("a")]}}
LOOK = {"type": "search_result", "source": "s", "title": "t", "content": [text("found")]}


def cites(kind: str, number: Any, **fields: Any) -> dict[str, Any]:
    name = "search_result" if kind == "search_result_location" else "document"
    return assistant(text("so", citations=[{"type": kind, f"{name}_index": number, **fields}]))


def words(start: int, stop: int, said: str) -> dict[str, Any]:
    return {"start_char_index": start, "end_char_index": stop, "cited_text": said}


@pytest.mark.parametrize(
    "answer",
    [
        cites("char_location", 1, **words(0, 15, "Grass is green.")),
        cites("char_location", 1, **words(0, 16, "Grass is green.")),
        cites("char_location", 1, **words(16, 20, "Sky.")),
        cites("char_location", 0, **words(0, 3, "of blocks the request does not tell")),
        cites("page_location", 0, start_page_number=1, end_page_number=2),
        cites("content_block_location", 0, start_block_index=0, end_block_index=1),
        cites("search_result_location", 0, start_block_index=0, end_block_index=1),
        cites("web_search_result_location", 9, url="https://example.org"),
    ],
)
def test_A16_what_is_cited_is_there(answer: dict[str, Any]) -> None:
    found = user(result("a", [BLOCKS, LOOK]), PAGE)
    assert broken(USER, assistant(use("a")), found, answer, USER) == []


@pytest.mark.parametrize(
    "answer",
    [
        cites("char_location", 1, **words(0, 15, "Grass is green.")),
        cites("char_location", -1, **words(0, 15, "Grass is green.")),
        cites("char_location", None, **words(0, 15, "Grass is green.")),
        cites("char_location", 0, **words(0, 15, "Grass was green")),
        cites("char_location", 0, **words(1, 15, "Grass is green.")),
        cites("char_location", 0, **words(-4, 20, "Sky.")),
        cites("char_location", 0, **words(16, 21, "Sky.")),
        cites("page_location", 1, start_page_number=1, end_page_number=2),
        cites("search_result_location", 0, start_block_index=0, end_block_index=1),
    ],
)
def test_A16_what_is_cited_has_gone(answer: dict[str, Any]) -> None:
    assert broken(user(PAGE), answer, USER) == [("A16", "messages[1].content[0].citations[0]")]


SIGNED = {"type": "compaction", "content": "so far", "signature": "s"}


def test_A17_compaction_blocks_of_old_may_be_many_and_anywhere() -> None:
    old = {"type": "compaction", "content": "so far"}
    assert broken(assistant(old), USER, assistant(old, text("a")), USER) == []
    assert broken(USER, assistant({**SIGNED, "content": None}), USER) == []


def test_A17_a_signed_compaction_block_is_alone_and_first() -> None:
    assert broken(assistant(SIGNED), USER) == []
    assert broken(USER, assistant(SIGNED), USER) == [("A17", "messages[1].content[0]")]
    assert broken(assistant(text("a"), SIGNED), USER) == [("A17", "messages[0].content[1]")]
    assert broken(assistant(SIGNED, SIGNED), USER) == [("A17", "messages[0].content[1]")]
    assert broken(assistant({**SIGNED, "content": 1}), USER) == [("A17", "messages[0].content[0]")]


def test_A17_who_asks_to_compact_asks_for_no_other_management() -> None:
    asked = {"compaction": {"type": "summarize"}}
    assert broken(USER, **asked) == []
    assert broken(USER, **asked, context_management={"edits": []}) == [("A17", "compaction")]


def change(kind: str, **tool: Any) -> dict[str, Any]:
    return {"type": kind, "tool": tool}


DEFINED = change("tool_addition", type="tool_definition", definition={"name": "f", "input_schema": {}})
TOOL = {"name": "f", "input_schema": {}, "defer_loading": True}


@pytest.mark.parametrize(
    "block",
    [
        change("tool_addition", type="tool_reference", name="f"),
        change("tool_removal", type="tool_reference", name="f"),
        result("a", [{"type": "tool_reference", "tool_name": "f"}]),
    ],
)
def test_A18_tools_are_defined_where_they_are_named(block: dict[str, Any]) -> None:
    spoken, where = (USER, assistant(use("a"))), "messages[2].content[1]"
    place = f"{where}.content[0]" if block["type"] == "tool_result" else where
    message = user(result("b") if block["type"] != "tool_result" else text("-"), block)

    def rules(*content: Any, **fields: Any) -> list[tuple[str, str]]:
        found = broken(*content, messages=[], **fields)
        return [one for one in found if one[0] == "A18"]

    assert rules(*spoken, message) == [("A18", place)]
    assert rules(*spoken, message, tools=[{**TOOL, "name": "g"}]) == [("A18", place)]
    assert rules(*spoken, message, tools=[TOOL]) == []
    assert rules(user(text("go on"), DEFINED), spoken[1], message) == []
    assert rules(*spoken, message, user(DEFINED)) == [("A18", place)]
    summed = {"type": "compaction", "content": "so far", "tool_changes": [DEFINED]}
    assert rules(assistant(summed), spoken[1], message) == []
    assert [one for one in broken(*spoken, message) if one[0] == "A18"] == []  # of a bare list nobody knows


def test_A18_tools_that_the_provider_found_are_defined() -> None:
    content = {"type": "tool_search_tool_search_result", "tool_references": [{"type": "t", "tool_name": "f"}]}
    search = {"type": "server_tool_use", "id": "s", "name": "tool_search_tool_regex", "input": {}}
    found = assistant(search, {"type": "tool_search_tool_result", "tool_use_id": "s", "content": content})
    assert broken(USER, found, USER, messages=[], tools=[TOOL]) == []
    assert broken(USER, found, USER, messages=[]) == [("A18", "messages[1].content[1]")]


def test_A18_servers_are_defined_where_they_are_named() -> None:
    block = change("tool_addition", type="mcp_toolset_reference", server_name="m")
    tool = change("tool_removal", type="mcp_tool_reference", server_name="m", name="n")
    given: dict[str, Any] = {"messages": [], "mcp_servers": [{"name": "m", "url": "https://example.org"}]}
    assert broken(user(text("a"), block, tool), **given) == []
    toolset = {"type": "mcp_toolset", "mcp_server_name": "m"}
    assert broken(user(text("a"), block, tool), messages=[], tools=[toolset]) == []
    assert broken(user(text("a"), block, DONE), messages=[]) == [("A18", "messages[0].content[1]")]
    listed = user(text("a"), change("tool_addition", type="tool_reference", name="of a server"))
    assert broken(listed, **given) == []
