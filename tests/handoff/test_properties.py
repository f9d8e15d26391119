"""Laws of notes over drawn transcripts and a model that puts together at random what it was shown."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from tests.cases.transcripts import Call, Step, calls, request, results, says, strings, user, wires
from tests.handoff.lying import OURS, OnlyNotes, said
from tests.laws.play import attempt, law
from tests.presets.playing import Session, sessions

from trimtab import Compactor, validate
from trimtab.edits import Ask
from trimtab.presets.llm_summary import LlmSummary
from trimtab.testing import memory_store
from trimtab.words import identifiers

few = settings(law, max_examples=25)

WORDS = (
    "billing run stops tax invoice total rounding queue worker cache nightly retry customer order ledger".split()
)
RULES = ("Never touch {}.", "Always ask before you change {}.", "Keep {} as it is!", "Niemals {} löschen.")

words = st.lists(st.sampled_from(WORDS), min_size=2, max_size=8).map(" ".join)
ids = st.one_of(
    st.from_regex(r"[A-Z]{2,4}-[0-9]{2,5}", fullmatch=True),
    st.from_regex(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}", fullmatch=True),
    st.from_regex(r"[0-9]{1,3}\.[0-9]{1,2}", fullmatch=True),
    st.from_regex(r"10\.[0-9]{1,2}\.[0-9]{1,2}\.7:[0-9]{4}", fullmatch=True),
    st.from_regex(r"/srv/[a-z]{2,5} [A-Z][a-z]{2,4}/[a-z]{3}\.(?:pdf|txt)", fullmatch=True),
    st.from_regex(r"https://[a-z]{3}\.example\.com/[a-z]\?q=[0-9]{2}&k=[a-z]", fullmatch=True),
    st.from_regex(r"[a-z]{3,5}_[a-z]{3,5}", fullmatch=True),
)
files = st.from_regex(r"src/[a-z]{3,6}\.(?:py|toml|ts)", fullmatch=True)


@st.composite
def turns(draw: st.DrawFn) -> list[Step]:
    """A turn: what the user says, a call or two and what they gave, an answer."""
    number = draw(st.integers(0, 10**6))
    rule = draw(st.sampled_from(RULES)).format(draw(ids))
    steps: list[Step] = [user(f"Look at the {draw(words)}. {rule}")]
    for kind in draw(st.lists(st.sampled_from(["read", "edit", "fails", "log", "send"]), min_size=1, max_size=3)):
        steps += draw(exchanges(kind, f"c{number}x{len(steps)}"))
    told = draw(
        st.sampled_from(["{} is not the cause.", "The {} had no effect, so it is reverted.", "{} was found."])
    )
    return [*steps, says(f"{told.format(draw(words))} {draw(ids)}")]


@st.composite
def exchanges(draw: st.DrawFn, kind: str, name: str) -> list[Step]:
    """A call and what it gave."""
    path, first = draw(files), draw(st.integers(1, 300))
    told = [f"{draw(words)} = {draw(ids)}" for _ in range(draw(st.integers(3, 12)))]
    match kind:
        case "read":
            text = "\n".join(f"{n}\t{row}" for n, row in enumerate(told * 3, first))
            return [calls(Call(name, "read", {"path": path, "offset": first})), results((name, text))]
        case "edit":
            return [
                calls(Call(name, "edit", {"path": path, "old": told[0], "new": told[1]})),
                results((name, "ok")),
            ]
        case "fails":
            made = Call(name, "bash", {"command": f"make {draw(ids)}"})
            return [calls(made), results((name, f"error: {told[0]}\nexit code 2"))]
        case "send":
            return [calls(Call(name, "send_message", {"to": draw(ids), "text": told[0]})), results((name, "sent"))]
    return [calls(Call(name, "bash", {"command": "cat log"})), results((name, "\n".join(told * 6)))]


class Recombines:
    """A model that puts words, numbers and identifiers of what it was shown together, and changes some."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def __call__(self, ask: Ask) -> str:
        chance = Random(f"{self.seed} {ask.prompt}")
        shown = re.findall(r"\S+", ask.prompt)
        titles = ("Task", "Rules and limits", "Facts found", "Tried and ruled out", "Done", "Next step")
        return "\n".join(
            f"## {title}\n" + "\n".join(f"- {self._item(chance, shown)}" for _ in range(chance.randint(1, 5)))
            for title in titles
        )

    def _item(self, chance: Random, shown: list[str]) -> str:
        start = chance.randrange(len(shown))
        near = shown[start : start + chance.randint(2, 9)]
        if chance.random() < 0.6:
            near = [word if chance.random() < 0.7 else chance.choice(shown) for word in near]
        if chance.random() < 0.3:
            place = chance.randrange(len(near))
            near[place] = near[place][:-1] + chance.choice("0123456789abcxyz_-.")
        return " ".join(near)


def note_in(payload: Any) -> str:
    """The text of a note in a payload, "" where there is none."""
    return next((text for text in strings(payload) if text.startswith("[trimtab: note")), "")


def unknown(note: str, source: Any) -> list[str]:
    """The identifiers of a note that the source has not got as such."""
    text = "\n".join(said(source))
    return [
        one for one in identifiers(OURS.sub(" ", note)) if not re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text)
    ]


def conversation(wire: str, drawn: list[list[Step]]) -> dict[str, Any]:
    return request(wire, *(step for turn in drawn for step in turn), user("Go on."))


def compactor(writer: Any, preset: Any = None, **options: Any) -> Compactor:
    preset = preset or LlmSummary(keep_recent_turns=1, tool_contents=True, threshold=0.01)
    return Compactor(preset=preset, store=memory_store(), writer=writer, config={"window": 8_000}, **options)


@wires
@given(drawn=st.lists(turns(), min_size=3, max_size=6), seed=st.integers(0, 10**6))
@few
def test_each_identifier_of_a_note_is_the_source_s(wire: str, drawn: list[list[Step]], seed: int) -> None:
    payload = conversation(wire, drawn)
    for preset in (None, OnlyNotes()):
        one = compactor(Recombines(seed), preset)
        result = one.compact(payload)
        assert result.report.outcome != "failed"
        assert "pass-failed" not in {found.rule for found in result.report.refused}
        note = note_in(result.payload)
        assert unknown(note, payload) == []
        assert validate(result.payload) == []
        assert one.undo(result.payload) == payload


@given(session=sessions(), seed=st.integers(0, 10**6))
@few
def test_whatever_the_wire_and_whatever_is_written(session: Session, seed: int) -> None:
    payload = session.payload()
    one = Compactor(
        preset=OnlyNotes(factor=1.0), store=memory_store(), writer=Recombines(seed), facts=session.facts, config={}
    )
    result = attempt(one, payload, force=True)
    if result is not None:
        assert result.report.outcome != "failed"
        assert "pass-failed" not in {found.rule for found in result.report.refused}
        assert {found.rule for found in validate(result.payload)} <= {found.rule for found in validate(payload)}
        assert one.undo(result.payload) == payload


@wires
@given(
    drawn=st.lists(turns(), min_size=11, max_size=11),
    seed=st.integers(0, 10**6),
    fact=st.from_regex(r"KEY-[0-9]{4}", fullmatch=True),
)
@settings(law, max_examples=8)
def test_five_foldings_keep_facts_and_rules_whoever_feeds_back(
    wire: str, drawn: list[list[Step]], seed: int, fact: str
) -> None:
    """A client that sends originals and one that sends what it got see the same note."""
    first = [user(f"The key is {fact}. Never give it away."), says("Noted.")]
    seen = list[str]()
    for feeds_back in (False, True):
        one = compactor(Recombines(seed), facts=[fact])
        sent: list[Any] = request(wire, *first)["messages"]
        given_all = list(sent)
        notes = 0
        for number in range(5):
            new = request(wire, *drawn[2 * number], *drawn[2 * number + 1], user(f"Go on, {number}."))["messages"]
            payload = {**request(wire), "messages": [*(sent if feeds_back else given_all), *new]}
            result = one.compact(payload)
            assert result.report.outcome != "failed"
            note = note_in(result.payload)
            notes += bool(note)
            closing = request(wire, says("Done."))["messages"]
            given_all += [*new, *closing]
            sent = [*result.payload["messages"], *closing]
            shown = "\n".join(strings(result.payload))
            assert fact in shown
            assert "Never give it away." in shown
            assert [rule for rule in rules(given_all) if rule not in shown] == []
            assert unknown(note, given_all) == []
            assert validate(result.payload) == []
        assert notes >= 3
        seen.append(note_in(sent))
    assert seen[0] == seen[1]


def rules(messages: list[Any]) -> list[str]:
    """What the user demanded."""
    told = [text for one in messages if one["role"] == "user" for text in strings(one)]
    return [
        match[0]
        for text in told
        for match in re.finditer(r"(?:Never|Always|Keep|Niemals) [^!\n]*?[.!](?=$)", text)
    ]


@pytest.mark.parametrize("wire", ["anthropic", "openai_chat"])
def test_the_draw_makes_notes(wire: str) -> None:
    """Else all of the above would hold of nothing."""
    steps = [step for number in range(4) for step in (user("Look."), calls((f"a{number}", "a.py")), told(number))]
    assert note_in(compactor(Recombines(1)).compact(request(wire, *steps, user("Go on."))).payload)


def told(number: int) -> Step:
    return results((f"a{number}", "\n".join(f"row {n} of {number}" for n in range(200))))
