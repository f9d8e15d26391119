from __future__ import annotations

import json
from typing import Any

import pytest
from tests.cases.transcripts import encoded
from tests.passes.test_preview_files import attached
from tests.test_previews import ASKED, LONG, RUNBOOK

import trimtab
from trimtab import Compactor, validate
from trimtab.passes.base import FrameView
from trimtab.passes.preview_system_files import PreviewSystemFiles
from trimtab.presets.four_places import FourPlaces
from trimtab.stubs import HANDLE
from trimtab.testing import memory_store

TEXT = f"Rules.\n{attached(LONG, RUNBOOK)}\nMore rules."
OTHER = "Where do quotas end?"


def said(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": text}


def chat(system: Any, *asked: str) -> list[dict[str, Any]]:
    """A conversation whose head is a system message."""
    turns = [one for text in asked for one in (said("user", text), said("assistant", "Done."))]
    return [{"role": "system", "content": system}, *turns[:-1]]


def gemini(*asked: str) -> list[Any]:
    turns = [{"role": one["role"], "parts": [{"text": one["content"]}]} for one in chat("", *asked)[1:]]
    return [{**one, "role": one["role"].replace("assistant", "model")} for one in turns]


def bedrock(*asked: str) -> list[Any]:
    return [{"role": one["role"], "content": [{"text": one["content"]}]} for one in chat("", *asked)[1:]]


def langchain(system: Any, *asked: str) -> list[Any]:
    kinds = {"system": "system", "user": "human", "assistant": "ai"}
    return [{"type": kinds[one["role"]], "content": one["content"]} for one in chat(system, *asked)]


def objects(*asked: str) -> list[Any]:
    from langchain_core.messages import messages_from_dict

    return messages_from_dict([{"type": one["type"], "data": one} for one in langchain(TEXT, *asked)])


ANTHROPIC = {"model": "claude-sonnet-4-5", "max_tokens": 9}
WIRES: dict[str, Any] = {
    "anthropic": lambda *asked: {**ANTHROPIC, "system": TEXT, "messages": chat("", *asked)[1:]},
    "anthropic list": lambda *asked: {
        **ANTHROPIC,
        "system": [{"type": "text", "text": "Rules."}, {"type": "text", "text": TEXT}],
        "messages": chat("", *asked)[1:],
    },
    "bedrock": lambda *asked: {"system": [{"text": TEXT}, {"cachePoint": {}}], "messages": bedrock(*asked)},
    "openai_responses": lambda *asked: {"model": "gpt-5", "instructions": TEXT, "input": chat("", *asked)[1:]},
    "openai_responses head": lambda *asked: {"model": "gpt-5", "input": chat(TEXT, *asked)},
    "gemini": lambda *asked: {"systemInstruction": {"parts": [{"text": TEXT}]}, "contents": gemini(*asked)},
    "gemini config": lambda *asked: {"config": {"system_instruction": TEXT}, "contents": gemini(*asked)},
    "openai_chat": lambda *asked: {"model": "gpt-5", "messages": chat(TEXT, *asked)},
    "openai_chat list": lambda *asked: {
        "model": "gpt-5",
        "messages": chat([{"type": "text", "text": "Rules."}, {"type": "text", "text": TEXT}], *asked),
    },
    "openai_chat bare": lambda *asked: chat(TEXT, *asked),
    "langchain": lambda *asked: {"messages": langchain(TEXT, *asked)},
    "langchain objects": lambda *asked: objects(*asked),
}
wires = pytest.mark.parametrize("make", WIRES.values(), ids=WIRES)
forms = pytest.mark.parametrize("form", ["bytes", "objects"])


def payload(make: Any, form: str, *asked: str) -> Any:
    """The request as bytes where it is JSON."""
    given = make(*asked)
    messages = given if isinstance(given, list) else [{}]
    return encoded(given) if form == "bytes" and isinstance(messages[0], dict) else given


def compactor(**settings: Any) -> Compactor:
    return Compactor(preset=FourPlaces(**settings), store=memory_store(), config={})


def shown(sent: Any) -> str:
    return sent.decode() if isinstance(sent, bytes) else str(sent)


@wires
@forms
def test_files_in_the_system_text_become_previews_each_with_a_handle_of_its_own(make: Any, form: str) -> None:
    given, made = payload(make, form, ASKED), compactor()
    result = made.compact(given)
    text = shown(result.payload)
    assert "`ctl revert --to 41`" in text
    assert text.count("Rules.") == shown(given).count("Rules.")
    assert "More rules." in text
    backs = [made.recall(one, whole=True, payload=result.payload).text for one in HANDLE.findall(text)]
    assert [one.strip() for one in backs] == [LONG.strip(), RUNBOOK.strip()]
    [line] = result.report.edits
    assert (line.by, line.loss, line.saved) == ("preview_system_files", "RECOVERABLE", result.report.saved)
    assert line.saved > 1_000
    assert made.recall(line.handle, payload=result.payload).data


@wires
@forms
def test_undo_gives_the_system_text_back_and_a_second_run_changes_nothing(make: Any, form: str) -> None:
    given, made = payload(make, form, ASKED), compactor(full_context_threshold=100)
    sent = made.compact(given).payload
    assert made.undo(sent) == given
    assert made.compact(sent).payload is sent
    assert made.replay(given) == sent
    assert {one.rule for one in validate(sent)} <= {one.rule for one in validate(given)}


@wires
def test_a_later_question_does_not_rewrite_the_head(make: Any) -> None:
    made = compactor()
    handles = [
        HANDLE.findall(shown(made.compact(payload(make, "bytes", *asked)).payload))
        for asked in ([ASKED], [ASKED, OTHER], [ASKED, OTHER, "And then?"])
    ]
    heads = [
        shown(made.compact(payload(make, "bytes", *asked)).payload).partition("`ctl revert --to 41`")[2][:300]
        for asked in ([ASKED], [ASKED, OTHER])
    ]
    assert handles[0] == handles[1] == handles[2] != []
    assert heads[0] == heads[1]


def test_the_choice_stands_when_the_first_turn_is_sent_back_as_it_was_cut() -> None:
    asked, made = f"{ASKED}\n{attached(LONG)}", compactor()
    first = made.compact({"model": "gpt-5", "messages": chat(TEXT, asked)}).payload
    assert first["messages"][1]["content"] != asked
    fed_back = [said("system", TEXT), *first["messages"][1:], said("assistant", "Done."), said("user", OTHER)]
    later = made.compact({"model": "gpt-5", "messages": fed_back}).payload
    assert later["messages"][:2] == first["messages"]


def test_facts_and_pins_keep_the_text_and_the_report_says_so() -> None:
    body, fact = {"model": "gpt-5", "messages": chat(TEXT, OTHER)}, LONG.splitlines()[40]
    for facts, pins in (([fact], []), ([], [fact])):
        result = compactor().compact(body, facts=facts, pins=pins)
        assert result.payload is body
        assert [one.rule for one in result.report.findings] == ["refused"]


def test_lines_of_a_file_in_the_system_text_are_found_by_a_search() -> None:
    made = compactor()
    sent = made.compact({"model": "gpt-5", "messages": chat(TEXT, OTHER)}).payload
    hit, *_ = made.search("ctl revert", sent)
    assert hit.label.startswith("file ")
    assert "ctl revert" in hit.text


@wires
def test_a_fact_in_what_is_not_shown_of_a_file_is_recoverable_by_its_line(make: Any) -> None:
    made, fact = compactor(), LONG.splitlines()[40]
    sent = made.compact(payload(make, "bytes", OTHER)).payload
    [shown, cut] = trimtab.check_facts(["More rules.", fact], sent, compactor=made)
    assert shown.standing == "visible"
    assert (cut.standing, cut.place) == ("recoverable", "system text")
    assert made.recall(cut.handle, lines=str(cut.line)).text.strip() == fact
    *_, sight = trimtab.where(fact, sent, made)
    assert (sight.sight, sight.handle, sight.line, sight.message) == ("stored", cut.handle, cut.line, -1)
    assert trimtab.survival(sent, compactor=made).lost == 0


def test_without_a_store_or_in_a_small_text_files_stay() -> None:
    body = {"model": "gpt-5", "messages": chat(TEXT, ASKED)}
    assert Compactor(preset="four-places", store=None, config={}).compact(body).payload is body
    small = {"model": "gpt-5", "messages": chat(attached("a", "b"), ASKED)}
    assert compactor().compact(small).payload is small
    view = FrameView("anthropic", {"system": TEXT}, {("system",): TEXT}, ASKED, b"")
    assert list(PreviewSystemFiles(tags=("file",)).shape(view))
    assert not list(PreviewSystemFiles(tags=("page",)).shape(view))


def test_two_namespaces_do_not_see_each_other_s_files() -> None:
    store, body = memory_store(), json.dumps({"model": "gpt-5", "messages": chat(TEXT, ASKED)}).encode()
    one, two = (Compactor(preset="four-places", store=store, config={"namespace": name}) for name in ("a", "b"))
    sent = one.compact(body).payload
    assert two.undo(sent) is sent
    assert one.undo(sent) == body
