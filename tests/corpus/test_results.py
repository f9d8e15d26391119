"""Recorded results: every kind reads the largest, excerpts of them add up, every ingest pass can be undone."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.cases.gaps import pieces
from tests.excerpts.lawful import check

from trimtab import Compactor, WireError
from trimtab.choice import Sheet
from trimtab.edits import At
from trimtab.excerpt import excerpts, sheet
from trimtab.excerpts import KINDS, PLAIN, Kind
from trimtab.interest import Interest, interest
from trimtab.passes import PASSES, Pass, Stage
from trimtab.passes.diff_rereads import apply, difference
from trimtab.passes.drop_headers import lengthen, shorten
from trimtab.passes.fold_repeats import folded, unfold
from trimtab.passes.narrow_numbers import narrow, widen, width_of
from trimtab.passes.tighten_json import minified, tightened, untable
from trimtab.reader import Reader
from trimtab.sessions import read as read_session
from trimtab.sessions.base import Call
from trimtab.testing import memory_store
from trimtab.tokens import counter_for
from trimtab.transcript import ToolResult

pytestmark = pytest.mark.corpus
CORPUS = os.environ.get("TRIMTAB_CORPUS")
MOST = 200
"""Results that are read by every kind and cut: the largest."""
HANDLE = "t:0123456789abcdef"
INGEST = [one for one in PASSES if one.stage is Stage.INGEST]


def size(text: str) -> int:
    """Tokens of a text."""
    return counter_for(None).count([text])[0]


class Found(NamedTuple):
    """A result, where it stands, and what its conversation is about."""

    text: str
    at: At
    interest: Interest


@pytest.fixture(scope="module")
def requests() -> list[bytes]:
    """Each session of the corpus as one request that holds all of its messages."""
    return [
        json.dumps(request).encode() for path in sorted(Path(str(CORPUS)).iterdir()) for request in whole(path)
    ]


def whole(path: Path) -> Iterator[Any]:
    try:
        for session in read_session(path) if path.suffix != ".md" else ():
            if session.messages:
                yield session.request(Call(start=0, stop=len(session.messages)))
    except WireError:
        return


@pytest.fixture(scope="module")
def results(requests: list[bytes]) -> list[Found]:
    """Every result of the corpus, each text once, as the sessions give them."""
    found: dict[str, Found] = {}
    for payload in requests:
        request = Reader(counter_for(None), memory_store(), "").read(payload)
        messages = [(name, one.message) for name, one in zip(request.names, request.parsed, strict=True)]
        about = interest(messages)
        for name, message in messages:
            for number, part in enumerate(message.parts):
                if isinstance(part, ToolResult) and part.text:
                    found.setdefault(part.text, Found(part.text, At(name, number), about))
    return list(found.values())


@pytest.fixture(scope="module")
def largest(results: list[Found]) -> list[Found]:
    return sorted(results, key=lambda one: len(one.text), reverse=True)[:MOST]


@pytest.fixture(scope="module")
def sheets(largest: list[Found]) -> list[Sheet]:
    return [sheet(one.text, size(one.text), one.interest, one.at) for one in largest]


def test_there_is_something_to_read(results: list[Found], largest: list[Found]) -> None:
    assert len(results) > MOST == len(largest)


@pytest.mark.parametrize("kind", [*KINDS, PLAIN], ids=lambda kind: kind.name)
def test_every_kind_reads_the_largest(kind: Kind, largest: list[Found]) -> None:
    for one in largest:
        check(one.text, kind.read(one.text))


def test_the_largest_are_of_some_kind(sheets: list[Sheet]) -> None:
    for one in sheets:
        check(one.text, one.outline)
    assert len({one.outline.kind for one in sheets}) > 1


@pytest.mark.parametrize("share", [0.05, 0.2])
def test_what_an_excerpt_shows_and_its_gaps_are_the_whole(share: float, sheets: list[Sheet]) -> None:
    shown = list[str]()
    for one in sheets:
        room = int(share * size(one.text))
        [made] = excerpts([one], [HANDLE], room, size)
        found = pieces(one.text, made.text)
        assert made.tokens == size(made.text)
        assert made.tokens <= room or not found
        shown += found
    assert len(shown) > MOST


@pytest.mark.parametrize("one", INGEST, ids=lambda one: one.name)
def test_a_session_that_a_pass_ingested_is_undone_to_the_byte(one: Pass, requests: list[bytes]) -> None:
    changed = 0
    for payload in requests:
        compactor = Compactor(store=memory_store(), passes=[one], config={"window": 10**9})
        result = compactor.compact(payload)
        assert result.report.outcome != "failed", result.report
        assert not result.report.refused, result.report
        assert {edit.by for edit in result.report.edits} <= {one.name}
        assert compactor.undo(result.payload) == payload
        changed += result.changed
    if not changed:
        pytest.skip("the corpus holds nothing for this pass")


def test_what_a_module_undoes_comes_back(results: list[Found]) -> None:
    for text in (one.text for one in results):
        assert unfold(folded(text)) == text
        assert lengthen(shorten(text)) == text
        if (tight := tightened(text)) is not None:
            assert untable(tight) == minified(text)
            assert json.loads(minified(text)) == json.loads(text)


def test_line_numbers_get_their_padding_back(results: list[Found]) -> None:
    """All but a few that were set by hand; those the pass leaves as they are."""
    padded = [one.text for one in results if width_of(one.text)]
    back = [text for text in padded if widen(narrow(text), width_of(text)) == text]
    assert len(back) > 0.5 * len(padded) > 0


def test_a_difference_leads_to_the_later_result(results: Sequence[Found]) -> None:
    for old, new in pairwise(one.text for one in results):
        assert apply(old, difference(old, new)) == new
