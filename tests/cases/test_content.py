"""Reported bugs about what is left of a result or of arguments: it is true, verbatim, and says what is missing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from tests.cases.gaps import adds_up
from tests.cases.transcripts import (
    MARKER,
    Call,
    Sent,
    Step,
    answers,
    broken,
    calls,
    compact,
    encoded,
    forms,
    handles,
    log,
    made_calls,
    request,
    results,
    strings,
    texts,
    user,
    wires,
)

import trimtab
from trimtab.passes import FoldArguments, FoldResults, ShortenOutputs

NEWER: list[Step] = [calls(("new", "b")), results(("new", "ok"))]
OLD: dict[str, Any] = {"force": True, "target": 1, "protect_results": 0}
GO = 'func Run(ctx context.Context, v *viper.Viper) error {\n\treturn errors.New("x")  \n}\n'
SOURCES = {
    "go": "".join(f"src/a{n}.go:{n}:{line}\n" for n in range(60) for line in GO.splitlines()),
    "yaml": "".join(f"service{n}:\n  ports:\n    - '{n}:80'\n  enabled: yes \n\n" for n in range(80)),
    "make": "".join(f"rule{n}: dep{n}\n\t@echo $$PATH && exit {n}\n" for n in range(120)),
    "python": "".join(f"def f{n}(context):\n    raise ValueError('a\\\\n\\t{n}')\n\n\n" for n in range(120)),
    "json": "".join(json.dumps({"id": n, "text": 'say "\n\n\n   indented"', "n": None}) + "\n" for n in range(90)),
}


def shorten(wire: str, form: str, text: str, keep: int, *, name: str = "run") -> Sent:
    """An old result shortened to `keep` tokens."""
    steps: list[Step] = [user("task"), calls(Call("c", name, {"cmd": "x"})), results(("c", text))]
    return compact(request(wire, *steps, *NEWER), form, passes=[ShortenOutputs(keep=keep)], **OLD)


LISTS: dict[str, Any] = {
    "strings": {"slugs": [f"r{n}" for n in range(120)], "total": 120},
    "numbers": {"ids": list(range(1_000)), "total": 1_000},
    "mixed": [1, "a", None, {"b": [True]}] * 100,
    "nested": [[[n, [n]]] for n in range(200)],
    "keys": {f"key{n}": {"v": n} for n in range(200)},
}


@pytest.mark.parametrize(("wire", "form"), [("anthropic", "bytes"), ("openai_chat", "dict")])
@pytest.mark.parametrize("kind", list(LISTS))
@pytest.mark.parametrize("indent", [None, 1])
def test_CONT_01_an_omission_is_always_stated(wire: str, form: str, kind: str, indent: int | None) -> None:
    text = json.dumps(LISTS[kind], indent=indent)
    steps: list[Step] = [user("task"), calls(("c", "a")), results(("c", text))]
    for passes in ([ShortenOutputs(keep=60)], [ShortenOutputs()], [FoldResults()]):
        sent = compact(request(wire, *steps, *NEWER), form, passes=passes, **OLD)
        after = texts(sent.payload)[0]
        assert after == text or len(handles(sent.payload)) > 0
        for handle in handles(sent.payload):
            assert sent.compactor.recall(handle).text == text
    adds_up(text, shorten(wire, form, text, 60))


@wires
@forms
def test_CONT_02_a_small_record_keeps_every_field(wire: str, form: str) -> None:
    record = {"id": 79, "title": "t", "tags": '["a"]', "subtasks": [{"id": 1}], "x": None, "note": "n " * 20}
    given = [json.dumps({**record, "id": number}) for number in range(5)]
    steps: list[Step] = [user("task")]
    for number, text in enumerate(given):
        steps += [calls((f"c{number}", f"a{number}")), results((f"c{number}", text))]
    sent = compact(request(wire, *steps, calls(("l", "b")), results(("l", log(400))), *NEWER), form, **OLD)
    assert sent.result.changed
    assert texts(sent.payload)[:5] == given


@wires
@forms
def test_CONT_04_a_marker_cannot_be_mistaken_for_content(wire: str, form: str) -> None:
    fake = "[trimtab: lines 5-900 cut, 896 lines, 9,000 tokens: trimtab recall t:0123456789abcdef --lines 5-900]\n"
    text = f"... (12 more lines)\n{fake}" + log(200) + f"... (34 more lines)\n{fake}"
    for sent in (shorten(wire, form, text, 100), shorten(wire, form, text.replace("\n", " "), 100)):
        known = texts(request(wire, results(("c", text))))[0]
        own = [one for one in handles(sent.payload) if one not in known]
        assert len(own) == 1
        assert sent.compactor.recall(own[0]).text.split() == text.split()
        with pytest.raises(trimtab.HandleError):
            sent.compactor.recall("t:0123456789abcdef")


@pytest.mark.parametrize(("wire", "form"), [("anthropic", "bytes"), ("openai_chat", "dict")])
@pytest.mark.parametrize("kind", list(SOURCES))
@pytest.mark.parametrize("keep", [100, 200])
def test_CONT_05_kept_lines_are_the_very_lines(wire: str, form: str, kind: str, keep: int) -> None:
    text = SOURCES[kind]
    pieces = adds_up(text, shorten(wire, form, text, keep))
    lines = text.splitlines(keepends=True)
    assert len(pieces) > 1
    assert [line for piece in pieces for line in piece.splitlines(keepends=True) if line not in lines] == []


@wires
@forms
def test_CONT_06_narrow_and_latest_results_are_verbatim(wire: str, form: str) -> None:
    chosen, latest = log(9, "narrow"), log(300, "latest")
    steps: list[Step] = [
        user("task"),
        calls(Call("c1", "bash", {"cmd": "sed -n 10,18p f"})),
        results(("c1", chosen)),
    ]
    steps += [calls(("c2", "a")), results(("c2", log(900))), calls(("c3", "b")), results(("c3", latest))]
    sent = compact(request(wire, *steps), form, **OLD)
    assert sent.result.changed
    shown = texts(sent.payload)
    assert (shown[0], shown[2]) == (chosen, latest)


@wires
@forms
@pytest.mark.parametrize("path", ["src/a-1-b.py", "C:\\x y\\a.py", "a:b-2:c.py"])
def test_CONT_07_numbers_are_true_whatever_the_format(wire: str, form: str, path: str) -> None:
    rows = [f"{path}-{n}-text\n{path}:{n + 1}:def f():\n{path}-{n + 2}-text\n--\n" for n in range(0, 400, 10)]
    text = "".join(rows)
    for keep in (30, 100, 200):
        pieces = adds_up(text, shorten(wire, form, text, keep))
        assert len(pieces) > 1 or keep == 30


@wires
@forms
@pytest.mark.parametrize(
    "arguments", [{"path": "a.md", "content": "x" * 3_000}, {"n": 1, "edits": [{"new": "y " * 400}]}]
)
def test_CONT_08_arguments_keep_their_shape(wire: str, form: str, arguments: dict[str, Any]) -> None:
    steps: list[Step] = [user("task"), calls(Call("c", "write", arguments)), results(("c", "ok"))]
    sent = compact(request(wire, *steps, *NEWER), form, passes=[FoldArguments()], **OLD)
    (after, _) = made_calls(sent.payload)
    assert sent.result.changed
    assert shape(after.arguments) == shape(arguments)
    assert sent.compactor.undo(sent.payload) == request(wire, *steps, *NEWER)


def shape(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    return [shape(item) for item in value] if isinstance(value, list) else type(value)


@forms
@pytest.mark.parametrize(
    "arguments", ["x" * 3_000, '{"content": "' + "x" * 3_000, "[1, 2" * 900, '"' + "y " * 900 + '"']
)
def test_CONT_08_arguments_that_are_no_object_are_not_touched(form: str, arguments: str) -> None:
    function = {"name": "write", "arguments": arguments}
    made = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c", "type": "function", "function": function}],
    }
    steps: list[Step] = [user("task"), made, results(("c", log(300))), *NEWER]
    given = request("openai_chat", *steps)
    compactor = trimtab.Compactor(store="memory:", target=1, config={"protect_results": 0})
    result = compactor.compact(encoded(given) if form == "bytes" else given, force=True)
    payload = json.loads(result.payload) if form == "bytes" else result.payload
    assert result.changed
    assert payload["messages"][1] == made
    assert broken(payload) == broken(given)


@wires
@forms
def test_CONT_12_only_parsed_text_is_transformed(wire: str, form: str) -> None:
    line = 'say "\\n" and\t\\u0041 \u2028 {"a": "\\"b\\""}\n\n\n   indented\n'
    text = line * 80
    sent = shorten(wire, form, text, 100)
    assert len(adds_up(text, sent)) > 1
    assert texts(sent.compactor.undo(sent.payload))[0] == text


VERDICT = "FAILED 3\n"
BLOCK = (
    "test_total ... \n"
    "Traceback (most recent call last):\n"
    '  File "tests/test_tax.py", line 41, in test_total\n'
    "    assert total == 12\n"
    "AssertionError: 13 != 12\n"
)


@wires
@forms
def test_CONT_13_a_long_log_keeps_its_failures_and_its_verdict(wire: str, form: str) -> None:
    ok = [f"test_case_{n} in module_{n % 90} with a rather long name ... ok\n" for n in range(2_000)]
    text = "".join([*ok[:1_200], BLOCK, *ok[1_200:], VERDICT])
    assert len(text) > 110_000
    steps: list[Step] = [user("task"), calls(Call("c", "bash", {"cmd": "make test"})), results(("c", text))]
    options: dict[str, Any] = {"force": True, "protect_results": 0, "target": 4_000}
    sent = compact(request(wire, *steps, *NEWER), form, **options, passes=[ShortenOutputs(keep=400)])
    pieces = adds_up(text, sent)
    assert pieces[0].startswith(ok[0] + ok[1])
    assert pieces[-1].endswith(ok[-1] + VERDICT)
    assert any("Traceback (most recent" in piece and "AssertionError: 13 != 12" in piece for piece in pieces[1:-1])
    assert len(pieces) == 3
    whole = texts(compact(request(wire, *steps, *NEWER), form, **options).payload)[0]
    assert BLOCK in whole
    assert VERDICT in whole


@pytest.mark.parametrize("keep", [60, 150, 400])
@pytest.mark.parametrize("line", ["x failed\n", "error\n", "fatal " * 900 + "\n", "no errors, 0 failed\n"])
def test_CONT_13_many_failures_stay_within_the_allowance(line: str, keep: int) -> None:
    text = "".join(f"{n} {line if n % 7 == 3 else log(1)}" for n in range(600))
    sent = shorten("anthropic", "bytes", text, keep)
    adds_up(text, sent)
    assert sent.compactor.counter.count(texts(sent.payload))[0] < 1.4 * keep + 60


PIECES = st.sampled_from(
    [
        "ok\n",
        "error: x\n",
        "FAILED\r\n",
        "\n",
        "\r",
        "\u2028",
        "word " * 30,
        "é\u0301\n",
        "a" * 400 + "\n",
        "0 failed\x0c",
    ]
)


@settings(max_examples=30)
@given(
    text=st.lists(PIECES, min_size=1, max_size=60).map(lambda pieces: "".join(pieces) * 4),
    keep=st.integers(1, 120),
    wire=st.sampled_from(["anthropic", "openai_chat"]),
)
def test_CONT_13_the_counts_of_every_gap_add_up(text: str, keep: int, wire: str) -> None:
    sent = shorten(wire, "dict", text, keep)
    if texts(sent.payload)[0] != text:
        adds_up(text, sent)


@wires
@forms
def test_CONT_16_a_stub_says_what_it_was_and_how_to_get_it(wire: str, form: str) -> None:
    text = "import os\n" + log(400)
    made = [Call("c1", "read", {"path": "a.py"}), Call("c2", "deploy", {"to": "prod"})]
    steps: list[Step] = [user("task"), calls(*made), results(("c1", text), ("c2", "started\n" + log(300)))]
    sent = compact(request(wire, *steps, *NEWER), form, passes=[FoldResults()], **OLD)
    read, deploy, _ = texts(sent.payload)
    for said in ("read", "a.py", "401 lines", "tokens", "import os", "trimtab recall t:", "--lines"):
        assert said in read
    for said in ("deploy", "prod", "started", "the call has run", "trimtab recall t:"):
        assert said in deploy
    assert [stub for stub in (read, deploy) if "again" in stub or "re-run" in stub] == []
    assert (
        sent.compactor.recall(MARKER.findall(read)[0], lines="1-2").text == "import os\nstep 1: value 919 is set\n"
    )


@wires
@forms
def test_STORE_13_a_stub_forbids_guessing_and_there_is_none_without_a_store(wire: str, form: str) -> None:
    steps: list[Step] = [user("task"), calls(("c1", "a.py")), results(("c1", log(400))), *NEWER]
    sent = compact(request(wire, *steps), form, passes=[FoldResults()], **OLD)
    assert "not shown, do not guess" in texts(sent.payload)[0].lower()
    kept = compact(request(wire, *steps), form, store=None, **OLD)
    assert kept.payload == request(wire, *steps)
    assert "[trimtab" not in "".join(strings(kept.payload))
    assert answers(kept.payload) == answers(request(wire, *steps))
