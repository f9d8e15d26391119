"""The needle suite measures what it says: the same on every run, each needle in one place, each kind itself."""

from __future__ import annotations

import csv
import json
import re
import sys
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from benchmarks.needles.base import Needle, Sample
from benchmarks.needles.conversation import CALL, body, messages, result_of
from benchmarks.needles.samples import MAKERS, content
from benchmarks.needles.trials import peers
from benchmarks.needles.ways import ends, tokens, trimmed
from benchmarks.peers.peer import Peer, PeerError

kinds = pytest.mark.parametrize("kind", MAKERS)
SORTS = {"anomaly", "asked", "identifier", "structure"}
SEEDS = range(4)


def span(sample: Sample, needle: Needle) -> int:
    return sample.text.rfind(needle.text) - sample.text.find(needle.text)


@kinds
def test_a_seed_gives_the_same_sample_each_time_and_another_seed_another(kind: str) -> None:
    one, other = content(kind, 1), content(kind, 6)
    assert content(kind, 1) == one
    assert one.text != other.text
    assert {needle.text for needle in one.needles}.isdisjoint(needle.text for needle in other.needles)


@kinds
@pytest.mark.parametrize("seed", SEEDS)
def test_needles_stand_in_one_place_of_the_result_and_nowhere_else(kind: str, seed: int) -> None:
    sample = content(kind, seed)
    around = json.dumps([one for one in messages(sample) if one.get("tool_call_id") != CALL], ensure_ascii=False)
    assert len(sample.needles) >= 3
    for needle in sample.needles:
        assert needle.text in sample.text
        assert span(sample, needle) < 300, needle
        assert needle.text not in around
        assert needle.sort in SORTS


@kinds
def test_needles_lie_all_over_the_text(kind: str) -> None:
    sample = content(kind, 2)
    places = sorted(sample.text.find(needle.text) / len(sample.text) for needle in sample.needles)
    assert any(0.2 < place < 0.8 for place in places)
    assert max(after - before for before, after in pairwise([0.0, *places, 1.0])) < 0.6


@kinds
def test_what_is_asked_or_named_is_said_in_the_conversation(kind: str) -> None:
    sample = content(kind, 2)
    sorts = {needle.sort for needle in sample.needles}
    assert ("asked" not in sorts) or sample.question.count("?") >= 1
    if "identifier" in sorts:
        known = re.findall(r"look at (.*)\.$", sample.said)[0].split(" and ")
        assert all(one in sample.text for one in known)


def test_every_sort_is_asked_of_the_suite_and_sizes_differ_a_hundredfold() -> None:
    small, large = (content("log", seed) for seed in (0, 4))
    assert {needle.sort for kind in MAKERS for needle in content(kind, 2).needles} == SORTS
    assert tokens(small.text) * 50 < tokens(large.text)


def test_records_are_json() -> None:
    for kind in ("json array", "json minified", "json nested"):
        json.loads(content(kind, 1).text)
    assert "\n" not in content("json minified", 1).text
    assert all(isinstance(json.loads(line), dict) for line in content("json lines", 1).text.splitlines())
    inner = json.loads(content("json nested", 1).text)["services"].values()
    assert all(json.loads(one["annotations"]["last-applied"]) for one in inner)


def test_tables_have_as_many_cells_in_each_row() -> None:
    rows = list(csv.reader(content("csv", 1).text.splitlines()))
    assert {len(row) for row in rows} == {len(rows[0])}
    assert {len(line.split()) for line in content("table", 1).text.splitlines()} == {7}


def test_numbered_code_counts_from_one() -> None:
    numbers = [int(line.split("\t")[0]) for line in content("code numbered", 1).text.splitlines()]
    assert numbers == list(range(1, len(numbers) + 1))


def test_hunks_have_the_lines_they_say() -> None:
    for hunk in re.findall(
        r"@@ -\d+,(\d+) \+\d+,(\d+) @@[^\n]*\n((?:[ +-](?![+-]{2} [ab/]).*\n)*)", content("diff", 1).text
    ):
        lines = hunk[2].splitlines()
        assert sum(line[0] in " -" for line in lines) == int(hunk[0])
        assert sum(line[0] in " +" for line in lines) == int(hunk[1])


def test_the_result_is_found_in_what_is_sent() -> None:
    sample = content("log", 0)
    sent = msgspec.json.decode(body(sample))["messages"]
    assert result_of(sent) == sample.text
    assert result_of([{"role": "user", "content": ""}]) == ""
    assert result_of([{"tool_call_id": CALL, "content": [{"type": "text", "text": "a"}, {"type": "x"}]}]) == "a"


@kinds
def test_head_and_tail_have_the_size_they_may_have(kind: str) -> None:
    sample = content(kind, 0)
    room = tokens(sample.text) // 5
    left = ends(sample, room)
    assert room * 0.9 < tokens(left) <= room + 2
    assert left.startswith(sample.text[:40])
    assert left.endswith(sample.text[-40:])


def test_trimtab_is_within_what_it_may_take() -> None:
    sample = content("log", 1)
    room = tokens(sample.text) // 5
    left = trimmed(sample, room)
    assert left is not None
    assert tokens(left) <= room
    assert trimmed(sample, -100) is None


def test_a_peer_that_ends_is_an_error_and_no_trial_is_made_of_it() -> None:
    peer = Peer("headroom", Path(sys.executable))  # not installed there, so it ends at once, each time anew
    with pytest.raises(PeerError, match="headroom gave no answer"):
        peer.ask([])
    assert [(one.met, one.kept) for one in peers([content("log", 0)], peer)] == [(False, ())]
