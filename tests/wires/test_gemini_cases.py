"""Reported bugs, as requests to Gemini."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from tests.cases.transcripts import log
from tests.wires.gemini_requests import SIGNED, answer, call, inline, model, text, user

from trimtab import BudgetError, Compactor, validate
from trimtab.compactor import Result
from trimtab.edits import Span, Summarize
from trimtab.identity import span_handle
from trimtab.passes import PASSES, View
from trimtab.testing import Scripted, conversation, memory_store

TASK = user(text("Find the error."))


def exchange(number: int, width: int = 2, ids: bool = False) -> list[Any]:
    """Parallel calls of one function, the first with the signature, and their results in order."""
    names = [f"{number}-{n}" if ids else "" for n in range(width)]
    calls = [call("read", one, {"path": f"{number}-{n}.py"}) for n, one in enumerate(names)]
    results = [answer("read", one, {"output": log(60, f"part {number}-{n}")}) for n, one in enumerate(names)]
    return [model({**calls[0], **SIGNED}, *calls[1:]), user(*results)]


def request(*contents: Any, **fields: Any) -> dict[str, Any]:
    return {"generationConfig": {"maxOutputTokens": 100}, **fields, "contents": list(contents)}


def history(exchanges: int, width: int = 2, ids: bool = False) -> list[Any]:
    return [TASK, *(one for number in range(exchanges) for one in exchange(number, width, ids))]


def compact(payload: Any, budget: int | None = None, **options: Any) -> Result:
    """Compacted down to a budget, or as far as it goes; valid as before, and undone to the very same."""
    limits: dict[str, Any] = {"target": 1} if budget is None else {"budget": budget}
    config = {"protect_results": 1}
    compactor = Compactor(model="gemini-2.5-pro", store=memory_store(), config=config, **limits, **options)
    result = compactor.compact(payload, force=budget is None)
    assert result.report.outcome != "failed", result.report
    assert validate(result.payload) == validate(payload)
    assert compactor.undo(result.payload) == payload
    return result


def calls_and_answers(payload: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    parts = [part for content in payload["contents"] for part in content["parts"]]
    found = ([part[key] for part in parts if key in part] for key in ("functionCall", "functionResponse"))
    calls, answers = found
    return calls, answers


@pytest.mark.parametrize("ids", [True, False])
@given(budget=st.integers(60, 6_000), width=st.integers(1, 3))
@settings(max_examples=25)
def test_PAIR_10_PAIR_14_as_many_results_as_calls_at_every_budget(ids: bool, budget: int, width: int) -> None:
    payload = request(*history(6, width, ids))
    try:
        sent = compact(payload, budget).payload
    except BudgetError:
        return
    for asked, told in zip(sent["contents"][1::2], sent["contents"][2::2], strict=True):
        assert [one["functionCall"]["name"] for one in asked["parts"]] == [
            one["functionResponse"]["name"] for one in told["parts"]
        ]


def test_PAIR_10_a_stub_names_its_own_call_by_order() -> None:
    sent = compact(request(*history(6))).payload
    for n, content in enumerate(sent["contents"][2:-2:2]):
        for m, part in enumerate(content["parts"]):
            assert f'read {{"path":"{n}-{m}.py"}}' in part["functionResponse"]["response"]["output"]


def test_PAIR_18_results_without_ids_answer_calls_that_have_ids_in_order() -> None:
    contents = history(6, ids=True)
    for content in contents[2::2]:
        for part in content["parts"]:
            del part["functionResponse"]["id"]
    sent = compact(request(*contents)).payload
    assert '"path":"1-1.py"' in sent["contents"][4]["parts"][1]["functionResponse"]["response"]["output"]


def test_PAIR_16_one_id_for_every_call() -> None:
    contents = [TASK]
    for number in range(5):
        contents += [
            model(call("read", "X", {"path": f"{number}.py"})),
            user(answer("read", "X", {"output": log(60, f"part {number}")})),
        ]
    sent = compact(request(*contents)).payload
    stubs = [one["response"]["output"] for one in calls_and_answers(sent)[1]]
    assert all(f'"path":"{n}.py"' in stub for n, stub in enumerate(stubs[:-1]))
    assert stubs[-1] == log(60, "part 4")


def test_PAIR_12_a_note_in_the_place_of_old_turns_is_a_users() -> None:
    def propose(view: View) -> Iterator[Any]:
        first, last = (
            view.open[0].message,
            next(at.message for at in view.open if at.message != view.open[0].message),
        )
        span = Span(first, last)
        yield Summarize(span, f"The file was read: {span_handle(span)}", "old")

    contents = history(6)
    for content in contents[1::2]:
        content["parts"][0]["functionCall"]["args"]["text"] = log(20)
    sent = compact(request(*contents), passes=[Scripted(propose), *PASSES]).payload
    note, after = sent["contents"][1:3]
    assert (note["role"], list(note["parts"][0])) == ("user", ["text"])
    assert "functionCall" in after["parts"][0]


def test_PAIR_09_nothing_to_do() -> None:
    payload = request(*history(1))
    assert compact(payload, 10**6).payload is payload


def test_PAIR_13_PAIR_21_an_open_call_stays_last() -> None:
    payload = request(*history(5), exchange(9)[0])
    sent = compact(payload)
    assert sent.changed
    assert sent.payload["contents"][-1] is payload["contents"][-1]


def test_PAIR_22_a_broken_history_is_not_made_worse() -> None:
    payload = request(
        *history(5), model(call()), user(text("are you there?")), model(text("yes")), user(text("go on"))
    )
    assert {one.rule for one in validate(payload)} == {"G1"}
    assert compact(payload).changed


def test_PAIR_24_a_long_exchange_after_a_short_question() -> None:
    payload = request(TASK, *exchange(0, 1), *exchange(1, 1))
    payload["contents"][-1]["parts"][0]["functionResponse"]["response"]["output"] = log(4_000)
    sent = compact(payload, 2_000)
    assert sent.payload["contents"][0] is TASK
    assert len(sent.payload["contents"]) == 5


def test_PAIR_23_a_short_result_of_nothing_stays_so() -> None:
    empty = [model(call()), user(answer("read", "", {}))]
    sent = compact(request(*history(5), *empty, *exchange(9))).payload
    assert sent["contents"][12] == empty[1]


@pytest.mark.parametrize("signature", ["thoughtSignature", "thought_signature"])
def test_THINK_13_signatures_stay_on_their_very_parts(signature: str) -> None:
    contents = history(6)
    for content in contents[1::2]:
        first, second = content["parts"]
        del first["thoughtSignature"]
        first[signature] = "ZZ" * 9
        first["functionCall"]["args"]["text"] = second["functionCall"]["args"]["text"] = log(60)
    sent = compact(request(*contents)).payload
    assert "trimtab" in sent["contents"][1]["parts"][0]["functionCall"]["args"]["text"]
    for content in sent["contents"][1::2]:
        assert [part.get(signature) for part in content["parts"]] == ["ZZ" * 9, None]


def test_THINK_04_thoughts_are_sent_as_they_came() -> None:
    contents = history(6)
    thought = text(log(60), thought=True, thoughtSignature="abc")
    for content in contents[1::2]:
        content["parts"].insert(0, thought)
    sent = compact(request(*contents))
    assert sent.changed
    assert all(content["parts"][0] == thought for content in sent.payload["contents"][1::2])


def test_INST_01_the_system_instruction_stays() -> None:
    system = {"role": "user", "parts": [{"text": log(90)}]}
    payload = request(*history(6), systemInstruction=system)
    assert compact(payload).payload["systemInstruction"] is system


def test_PROXY_13_gemini_saves_what_other_wires_save() -> None:
    other = conversation("openai_chat", exchanges=8)
    contents = [TASK]
    for number in range(8):
        result = other["messages"][2 + 2 * number]["content"]
        path = json.loads(other["messages"][1 + 2 * number]["tool_calls"][0]["function"]["arguments"])
        contents += [
            model(call("read", f"c{number}", path)),
            user(answer("read", f"c{number}", {"output": result})),
        ]
    saved = [compact(one).report.saved for one in (other, request(*contents))]
    assert saved[0] == pytest.approx(saved[1], rel=0.05)


def test_media_beside_a_result_and_inside_one_fold_and_those_of_the_user_stay() -> None:
    first = [model(call("shot"), call("shot")), user(answer("shot"), inline(), answer("shot", "", {}, [inline()]))]
    payload = request(user(text("See."), inline()), *first, *exchange(1), *exchange(2))
    sent = compact(payload).payload
    task, folded = sent["contents"][0], sent["contents"][2]["parts"]
    assert task is payload["contents"][0]
    assert "image/png" in folded[1]["text"]
    assert folded[2]["functionResponse"]["parts"][0]["inlineData"]["mimeType"] == "text/plain"


def test_after_a_medium_was_folded_the_output_fed_back_folds_on() -> None:
    first = [model(call("shot"), call("shot")), user(answer("shot"), inline(), answer("shot", "", {}, [inline()]))]
    contents = [TASK, *first, *exchange(1), *exchange(2)]
    compactor = Compactor(model="gemini-2.5-pro", store=memory_store(), config={"protect_results": 0}, target=1)
    sent = compactor.compact(request(*contents), force=True).payload["contents"]
    again = compactor.compact(request(*sent, *exchange(3), *exchange(4)), force=True)
    assert "trimtab" in sent[2]["parts"][1]["text"]
    assert again.payload["contents"][:3] == sent[:3]
    assert all("trimtab" in json.dumps(content) for content in again.payload["contents"][4:-2:2])


def test_results_that_are_json_fold_and_come_back_as_json() -> None:
    contents = history(6)
    for n, content in enumerate(contents[2::2]):
        response = {"result": {"rows": [[log(60)], -0.0, n]}, "code": 1}
        content["parts"][0]["functionResponse"]["response"] = response
    sent = compact(request(*contents)).payload
    assert sent["contents"][2]["parts"][0]["functionResponse"]["response"]["result"].startswith("[trimtab:")
    assert sent["contents"][2]["parts"][0]["functionResponse"]["response"]["code"] == 1


def test_G6_with_a_cached_beginning_the_very_object_goes_out() -> None:
    payload = request(*history(6), cachedContent="cachedContents/a")
    result = Compactor(store=memory_store(), budget=300).compact(payload)
    assert result.payload is payload
    assert "cachedContent" in next(one.text for one in result.report.findings if one.rule == "hands-off")


def test_countTokens_bodies() -> None:
    """With contents at the top it is read as any request; there are no tools, so it decides nothing new."""
    compactor = Compactor(model="gemini-2.5-pro", store=memory_store(), config={"protect_results": 1})
    tools = [{"functionDeclarations": [{"name": "read"}]}]
    main = compactor.compact(request(*history(6), tools=tools), force=True)
    count = {"contents": [*history(6), model(text("ok")), user(text("and now?"))]}
    counted = compactor.compact(count, force=True)
    assert counted.payload["contents"][:13] == main.payload["contents"]
    assert "side-call" in [one.rule for one in counted.report.findings]
