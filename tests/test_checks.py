"""How facts stand after a compaction."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.noted import with_note

import trimtab
from trimtab import Checked, Compactor, ConfigError, Standing, check_facts, read_facts
from trimtab.journal import Artifact, Kind
from trimtab.reader import Reader
from trimtab.stores.base import Decision
from trimtab.testing import conversation, exchange, lines, memory_store

OLD, NEW = "part 0 line 3: ", "part 7 line 3: "


def compacted(wire: str = "anthropic") -> tuple[Compactor, dict[str, object], object]:
    compactor, payload = Compactor(store=memory_store(), budget=1_700), conversation(wire, exchanges=8)
    return compactor, payload, compactor.compact(payload).payload


def standings(checked: list[Checked]) -> list[str]:
    return [str(one.standing) for one in checked]


@pytest.mark.parametrize("wire", ["anthropic", "openai_chat"])
def test_visible_recoverable_and_not_in_the_original(wire: str) -> None:
    compactor, payload, sent = compacted(wire)
    checked = check_facts([NEW, OLD, "nowhere"], sent, payload, compactor)
    assert standings(checked) == ["visible", "recoverable", "not in the original"]
    visible, recoverable, _ = checked
    assert visible.place == "messages[16] part 0"
    text = compactor.recall(recoverable.handle, lines=str(recoverable.line)).text
    assert text.startswith(OLD)
    assert recoverable.where.startswith(f"trimtab recall {recoverable.handle} --lines 4 (read")


def test_the_store_knows_the_original() -> None:
    compactor, payload, sent = compacted()
    assert check_facts([OLD], sent, None, compactor) == check_facts([OLD], sent, payload, compactor)


def test_without_a_store_a_handle_that_the_request_names_counts() -> None:
    compactor, payload, sent = compacted()
    assert check_facts([OLD], sent, payload) == check_facts([OLD], sent, payload, compactor)


def test_what_was_cut_by_others_is_lost() -> None:
    payload = conversation(exchanges=3)
    cut = {**payload, "messages": [payload["messages"][0], *payload["messages"][3:]]}
    (lost,) = check_facts({"old": OLD}, cut, payload)
    assert (lost.standing, lost.place, lost.handle) == (Standing.LOST, "messages[2] part 0", "")
    assert "messages[2] part 0" in str(lost)


def test_a_fact_in_messages_that_gave_way_to_a_note() -> None:
    payload = conversation(exchanges=4)
    compactor, result = with_note(payload)
    for original in (payload, None):
        old, kept = check_facts([OLD, "part 3 line 3: "], result.payload, original, compactor)
        assert (old.standing, old.line) == (Standing.RECOVERABLE, 0)
        assert OLD in compactor.recall(old.handle, whole=True).text
        assert kept.standing is Standing.VISIBLE


def test_of_two_notes_that_end_alike_the_one_that_is_shown_counts() -> None:
    payload = conversation(exchanges=4)
    compactor, result = with_note(payload)
    space = compactor.settings.namespace
    (shown,) = {one.handle: one for one in _spans(compactor, payload)}.values()
    (entry,) = [one for one in compactor.explain(payload) if one.cuts]
    other = replace(shown, handle="t:ffffffffffffffff", stub="another note")
    compactor.store.commit(space, [Decision(scope="other", seq=0, entry=entry, artifacts=(other,))])
    assert len(_spans(compactor, payload)) == 2
    (one,) = check_facts([OLD], result.payload, payload, compactor)
    assert one.handle == shown.handle


def _spans(compactor: Compactor, payload: Any) -> list[Artifact]:
    names = Reader(compactor.counter, compactor.store, compactor.settings.namespace).read(payload).names
    return [one for one in compactor.store.artifacts(compactor.settings.namespace, names) if one.kind is Kind.SPAN]


def test_a_fact_in_arguments_is_counted_by_the_lines_that_come_back() -> None:
    messages = [{"role": "user", "content": "Go."}]
    for n in range(6):
        messages += exchange("anthropic", f"c{n}", f"{n}.py\n" + lines(800, f"draft {n}"), "ok")
    compactor = Compactor(store=memory_store(), budget=3_000)
    (one,) = check_facts(["draft 0 line 5: "], compactor.compact(messages).payload, messages, compactor)
    assert one.standing is Standing.RECOVERABLE
    assert "draft 0 line 5: " in compactor.recall(one.handle, lines=str(one.line)).text


def test_system_and_tools_show_facts() -> None:
    payload = {"system": "Use KX-4417.", **conversation(exchanges=1)}
    checked = check_facts(["KX-4417", "Read a file."], payload, payload)
    assert [one.place for one in checked] == ["system and tools"] * 2


def test_what_a_finder_finds_is_checked_one_by_one() -> None:
    compactor, payload, _ = compacted()
    payload = {
        **payload,
        "messages": [*conversation(exchanges=8)["messages"], {"role": "user", "content": "a_1 b_2"}],
    }
    checked = check_facts({"mine": "find:said"}, payload, payload, compactor)
    assert {one.name for one in checked} == {"mine"}
    assert set(standings(checked)) == {"visible"}
    assert len(checked) >= 2


def test_INST_04_and_INST_06_what_the_user_said_first_and_last_stays() -> None:
    payload = conversation(exchanges=40)
    payload["messages"][0]["content"] = "TASK: mend job_4417. Never push to main!"
    payload["messages"] += [{"role": "user", "content": text} for text in ("add tests_9", "and keep py39", "go")]
    compactor = Compactor(store=memory_store(), budget=4_000)
    sent = compactor.compact(payload).payload
    asked = ["find:said", "find:rules", "add tests_9", "and keep py39", "go"]
    assert {one.standing for one in check_facts(asked, sent, payload, compactor)} == {Standing.VISIBLE}


def test_INST_08_rules_read_as_a_file_are_visible_as_a_fact_else_recoverable() -> None:
    rules = exchange("anthropic", "r", "RULES.md", lines(400) + "never push to main\n" + lines(400, "more"))
    payload = conversation(exchanges=8)
    payload["messages"][1:1] = rules
    for facts, standing in (((), Standing.RECOVERABLE), (("never push to main",), Standing.VISIBLE)):
        compactor = Compactor(store=memory_store(), budget=1_500, facts=facts)
        sent = compactor.compact(payload).payload
        (one,) = check_facts(["never push to main"], sent, payload, compactor)
        assert one.standing is standing


@pytest.mark.parametrize("text", ['[facts]\nticket = "KX"\nall = "find:said"', 'ticket = "KX"\nall = "find:said"'])
def test_facts_are_read_from_a_table_or_a_whole_file(text: str, tmp_path: Path) -> None:
    (tmp_path / "facts.toml").write_text(text)
    assert read_facts(tmp_path / "facts.toml") == {"ticket": "KX", "all": "find:said"}


@pytest.mark.parametrize(
    "text", ["", "[facts]\n", "facts = 3", "[facts]\na = 1", '[facts]\na = ""', "[[", "\ud83d"]
)
def test_a_file_without_facts_is_told(text: str, tmp_path: Path) -> None:
    (tmp_path / "facts.toml").write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(ConfigError, match=r"facts\.toml: "):
        read_facts(tmp_path / "facts.toml")


def test_a_file_that_is_not_there_and_a_fact_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        read_facts(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match="find:nothing"):
        trimtab.check_facts(["find:nothing"], conversation(), None)
    with pytest.raises(ConfigError, match="pattern"):
        check_facts(["re:("], json.dumps(conversation()).encode(), None)
