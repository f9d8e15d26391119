"""The laws for what stands around the messages: files in the system text of every wire, tools, options."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings, strategies as st
from msgspec.structs import replace
from tests.laws.play import attempt, compact, law
from tests.presets.playing import Session, changed, eager, sessions
from tests.strategies import Dice

from trimtab import Compactor, Place, Result, validate, wires
from trimtab.presets import Preset
from trimtab.reach import Rules
from trimtab.stores import Store
from trimtab.stubs import HANDLE
from trimtab.testing import memory_store

few = settings(law, max_examples=10)


def system_text(seed: int) -> str:
    """Odd files, large enough together to become previews."""
    dice = Dice(seed)
    texts = ["\n".join(dice.long() for _ in range(6)).ljust(4_000, ".") for _ in range(dice.randrange(3, 6))]
    files = "\n".join(f'<file name="{n}.md">\n# Part {n}\n{text}\n</file>' for n, text in enumerate(texts))
    return f"Follow the rules.\n{files}\nAnswer briefly. {dice.long()}"


def with_files(session: Session, text: str, listed: bool) -> Session:
    """The session with this system text, where its wire has it."""
    given = session.plain()
    messages = given[session.key]
    wire = wires.sniff({"model": given.get("model"), **given}, messages).name
    items = [{"type": "text", "text": text}, {"type": "text", "text": "Be kind."}]
    match wire:
        case "anthropic":
            given["system"] = items if listed else text
        case "bedrock":
            given["system"] = [{"text": text}]
        case "gemini":
            given["systemInstruction"] = {"parts": [{"text": text}]}
        case "openai_responses" if not listed:
            given["instructions"] = text
        case "openai_responses":
            given["input"] = [{"role": "developer", "content": text}, *messages]
        case "openai_chat":
            given["messages"] = [{"role": "system", "content": items if listed else text}, *messages]
        case "langchain":
            given["messages"] = [{"type": "system", "content": items if listed else text}, *messages]
    return session._replace(request=given)


def refused(result: Result) -> bool:
    """Whether a fact that stands in a file keeps the text as it is."""
    return any("hide" in one.text for one in result.report.findings)


def holding() -> st.SearchStrategy[Session]:
    texts = st.integers(0, 10_000).map(system_text)
    return st.builds(with_files, sessions(), texts, st.booleans())


def unframed() -> Preset:
    """The preset with what it does to messages alone."""

    def change(rules: Rules) -> Rules:
        return replace(eager("four-places").rules(), frames=())

    return changed("four-places", change)


def handles(compactor: Compactor, payload: Any) -> set[str]:
    """The handles in a payload that its store has issued (a look-alike stands in the drawn texts)."""
    shown = HANDLE.findall(payload.decode() if isinstance(payload, bytes) else json.dumps(payload))
    return {one for one in shown if compactor.store.artifact("default", one) is not None}


@given(session=holding())
@few
def test_the_frame_shrinks_stays_valid_and_comes_back(session: Session) -> None:
    payload, compactor = session.payload(), session.at_work("four-places")
    result = attempt(compactor, payload)
    if result is not None and not refused(result):
        [line] = [one for one in result.report.edits if one.by == "preview_system_files"]
        assert line.saved > 0
        assert {one.rule for one in validate(result.payload)} <= {one.rule for one in validate(payload)}
        assert compactor.undo(result.payload) == payload
        assert compactor.recall(line.handle, payload=result.payload).data
        found = handles(compactor, result.payload)
        assert found
        assert all(compactor.recall(one, payload=result.payload).data for one in found)


@given(session=holding())
@few
def test_two_stores_agree_and_the_same_object_goes_out_again(session: Session) -> None:
    payload, compactor = session.payload(), session.at_work("four-places")
    result = attempt(compactor, payload)
    if result is not None:
        assert compact(session.at_work("four-places"), payload).payload == result.payload
        for one in (compactor, session.at_work("four-places", compactor.store)):
            assert compact(one, result.payload).payload is result.payload
            assert one.replay(payload) == result.payload


@given(session=holding())
@few
def test_the_frame_is_the_same_on_every_call(session: Session) -> None:
    """Whatever stands before the first message that is not the system's."""
    compactor, session = session.at_work("four-places"), session._replace(share=None)
    fronts = set()
    for messages in list(session.calls())[1:]:
        sent = session.payload(messages)
        out = compact(Compactor(preset="four-places", store=compactor.store, config={}), sent).payload
        value = json.loads(out.decode("utf-8-sig")) if isinstance(out, bytes) else out
        around = {key: held for key, held in value.items() if key != session.key}
        head = [
            one for one in value[session.key][:1] if one.get("role", one.get("type")) in ("system", "developer")
        ]
        fronts.add(json.dumps([around, head]))
    assert len(fronts) <= 1


def sent_by(preset: str | Preset, payload: Any, store: Store | None = None) -> Any:
    return compact(Compactor(preset=preset, store=store or memory_store(), config={}), payload).payload


@given(session=holding())
@few
def test_a_frame_pass_whose_place_is_not_declared_does_not_run(session: Session) -> None:
    def change(rules: Rules) -> Rules:
        return replace(rules, places=rules.places - {Place.SYSTEM_TEXT, Place.TOOLS}, passes=())

    payload = session.payload()
    assert sent_by(changed("four-places", change), payload) is payload


@given(session=holding())
@few
def test_messages_are_sent_as_they_are_without_frame_passes(session: Session) -> None:
    payload = session.payload()
    given, framed, bare = (
        session.messages_of(one)
        for one in (payload, sent_by(eager("four-places"), payload), sent_by(unframed(), payload))
    )
    heads = next(
        n for n, one in enumerate(given) if one.get("role", one.get("type")) not in ("system", "developer")
    )
    assert framed[heads:] == bare[heads:]
    assert bare[:heads] == given[:heads]
