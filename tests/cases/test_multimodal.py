"""Reported bugs about images, documents and other media."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from tests.cases.gaps import pieces
from tests.cases.transcripts import (
    MARKER,
    Image,
    Step,
    answers,
    calls,
    compact,
    forms,
    handles,
    log,
    png,
    request,
    results,
    says,
    texts,
    user,
    wires,
)

import trimtab
from trimtab.passes import CutMedia, FoldResults, ShortenOutputs

PDF = Image(base64.b64encode(b"%PDF-1.7 /Type /Page " + bytes(range(256)) * 40).decode(), "application/pdf")
NEWER: list[Step] = [calls(("d", "b")), results(("d", "ok"))]
OLD: dict[str, Any] = {"force": True, "target": 1, "protect_results": 0}


def tokens(given: dict[str, Any]) -> int:
    return trimtab.Compactor(store=None).compact(given).report.tokens_before


@wires
@forms
def test_MM_01_a_screenshot_in_the_live_turn_is_no_reason_to_compact(wire: str, form: str) -> None:
    image = png(1_500, 900, 2_000_000)
    given = request(wire, user(["what is wrong here", image]), system="Be brief.")
    sent = compact(given, form, window=100_000)
    assert not sent.result.changed
    assert sent.result.report.tokens_after < 3_000
    assert sent.payload == given


@wires
@forms
def test_MM_01_an_image_of_the_user_stays_however_little_room_there_is(wire: str, form: str) -> None:
    steps: list[Step] = [user(["what is wrong here", png()]), calls(("c", "a")), results(("c", log(900)))]
    given = request(wire, *steps, *steps)
    sent = compact(given, form, **OLD)
    assert sent.result.changed
    stay = [one for one in given["messages"] if one["role"] == "user" and "what is wrong" in json.dumps(one)]
    assert [one for one in sent.messages if "what is wrong" in json.dumps(one)] == stay


@wires
@forms
def test_MM_05_an_image_does_not_make_a_short_text_too_long(wire: str, form: str) -> None:
    result = ["ok", png(1_000, 800, 3_000_000)]
    given = request(wire, user("task"), calls(("c", "a")), results(("c", result)))
    sent = compact(given, form, budget=20_000)
    assert not sent.result.changed
    assert sent.payload == given


@wires
@forms
def test_MM_05_the_original_of_a_text_is_the_text_alone(wire: str, form: str) -> None:
    text, image = log(300), png(1_000, 800, 50_000)
    steps: list[Step] = [user("task"), calls(("c", "a")), results(("c", [text, image]))]
    given = request(wire, *steps, *NEWER)
    sent = compact(given, form, passes=[FoldResults()], **OLD)
    shown, kept = texts(sent.payload)[0]
    assert kept == texts(given)[0][1]
    (handle,) = handles(sent.payload)
    assert handle in shown["text"]
    assert sent.compactor.recall(handle).text == text


@wires
@forms
def test_MM_06_a_document_leaves_a_stub_that_brings_it_back(wire: str, form: str) -> None:
    steps: list[Step] = [user([PDF, "summarise section 3"]), says("It says no."), user("and this?")]
    steps += [calls(("c", "a.pdf")), results(("c", ["page", PDF])), *NEWER]
    given = request(wire, *steps)
    sent = compact(given, form, **OLD)
    assert sent.messages[0] == given["messages"][0]
    page, stub = answers(sent.payload)[0][1]
    assert page == texts(given)[0][0]
    assert "application/pdf" in stub["text"]
    recalled = sent.compactor.recall(MARKER.findall(stub["text"])[0])
    assert (recalled.media_type, recalled.data) == ("application/pdf", base64.b64decode(PDF.data))


@wires
@forms
def test_MM_06_undo_puts_a_document_back(wire: str, form: str) -> None:
    steps: list[Step] = [user("task"), calls(("c", "a.pdf")), results(("c", ["page", PDF])), *NEWER]
    sent = compact(request(wire, *steps), form, **OLD)
    assert sent.result.changed
    assert sent.compactor.undo(sent.payload) == request(wire, *steps)


ATTACHED = "".join(f"Section {n}: rate {n * 37} applies to region {n * 11}.\n" for n in range(400))


@wires
@forms
def test_MM_07_an_attached_text_is_whole_in_its_turn_and_then_an_excerpt(wire: str, form: str) -> None:
    """A text in a message of the user, where a preset says that these may be cut; later turns bring it back."""
    before: list[Step] = [user("Hello."), says("Hi.")]
    turn = user(["Sum up the attachment.", ATTACHED])
    now = compact(request(wire, *before, turn), form, window=3_000, preset="prose")
    assert now.messages[-1] == request(wire, turn)["messages"][0]
    later: list[Step] = [step for n in range(6) for step in (says(f"It says {n}."), user(f"And section {n}?"))]
    given = request(wire, *before, turn, *later)
    sent = compact(given, form, budget=2_500, preset="prose")
    cut = [block["text"] for block in sent.messages[2]["content"]][-1]
    assert len(cut) < len(ATTACHED) // 3
    pieces(ATTACHED, cut)
    assert sent.compactor.recall(MARKER.findall(cut)[-1], whole=True).text == ATTACHED
    assert sent.compactor.undo(sent.payload) == given


@wires
@forms
def test_MM_07_a_text_that_a_tool_attached_is_cut_after_its_turn(wire: str, form: str) -> None:
    steps: list[Step] = [user("task"), calls(("c", "a.txt")), results(("c", ATTACHED))]
    fresh = compact(request(wire, *steps), form, window=3_000)
    assert texts(fresh.payload)[-1] == ATTACHED
    old = compact(request(wire, *steps, *NEWER, says("done"), user("next")), form, window=3_000, protect_results=0)
    cut = texts(old.payload)[0]
    assert len(cut) < len(ATTACHED) // 3
    assert old.compactor.recall(MARKER.findall(cut)[-1], whole=True).text == ATTACHED


@wires
@forms
def test_MM_08_a_reference_is_sent_every_time(wire: str, form: str) -> None:
    url: dict[str, Any] = {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}
    if wire == "openai_chat":
        url = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    steps: list[Step] = [user(["look", url]), calls(("c", "a")), results(("c", ["seen", url, log(200)]))]
    given = request(wire, *steps, *NEWER, says("done"), user("go on"))
    sent = compact(given, form, **OLD)
    assert sent.result.changed
    assert sent.messages[0] == given["messages"][0]
    assert texts(sent.payload)[0][:2] == texts(given)[0][:2]


@wires
@forms
@pytest.mark.parametrize("passes", [[CutMedia()], [CutMedia(), ShortenOutputs(keep=60), FoldResults()]])
def test_MM_09_nested_data_uris_give_way_inside_valid_json(wire: str, form: str, passes: list[Any]) -> None:
    thumb = f"data:image/png;base64,{png(64, 64, 3_000).data}"
    whole: dict[str, Any] = {
        "files": [{"meta": {"thumb": thumb, "name": "ä.png", "size": 1e3}, "tags": [None, True]}],
        "total": 1,
    }
    text = json.dumps(whole)
    given = request(wire, user("task"), calls(("c", "a")), results(("c", text)))
    sent = compact(given, form, passes=passes)
    after = json.loads(texts(sent.payload)[0])
    stub = after["files"][0]["meta"].pop("thumb")
    assert stub.startswith("[trimtab: image/png")
    del whole["files"][0]["meta"]["thumb"]
    assert after == whole
    assert sent.compactor.recall(MARKER.findall(stub)[0]).text == text
    assert sent.compactor.undo(sent.payload) == given


@forms
def test_MM_11_sounds_files_and_unknown_parts_are_counted_and_pass(form: str) -> None:
    base = tokens(request("openai_chat", user(["hear"])))
    items: list[dict[str, Any]] = [
        {"type": "input_audio", "input_audio": {"data": "UklGRg" * 500, "format": "wav"}},
        {"type": "file", "file": {"file_id": "file-1"}},
        {"type": "foo", "bar": {"deep": ["é" * 300]}},
    ]
    for item in items:
        given = request("openai_chat", user(["hear", item]), calls(("c", "a")), results(("c", log(400))))
        longer = {**given, "messages": [*given["messages"], *request("openai_chat", *NEWER)["messages"]]}
        sent = compact(longer, form, **OLD)
        assert sent.result.changed
        assert sent.messages[0] == given["messages"][0]
        assert 100 < tokens(request("openai_chat", user(["hear", item]))) - base < 4_000


@forms
def test_MM_11_unknown_parts_of_anthropic_are_counted_and_pass(form: str) -> None:
    items: list[dict[str, Any]] = [
        {"type": "document", "source": {"type": "file", "file_id": "file_1"}},
        {"type": "container_upload", "file_id": "file_1", "x": "é" * 300},
    ]
    base = tokens(request("anthropic", user(["hear"])))
    for item in items:
        steps: list[Step] = [user(["hear", item]), calls(("c", "a")), results(("c", log(400))), *NEWER]
        given = request("anthropic", *steps)
        sent = compact(given, form, **OLD)
        assert sent.result.changed
        assert sent.messages[0] == given["messages"][0]
        assert 100 < tokens(request("anthropic", user(["hear", item]))) - base < 4_000
