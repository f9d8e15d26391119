from __future__ import annotations

import re

import pytest
from tests.test_previews import ASKED, LONG, RUNBOOK

from trimtab import Compactor, context
from trimtab.stores import Store, open_store
from trimtab.stubs import HANDLE

FILES = {"guide.md": LONG, 'the "run" book.md': RUNBOOK}
OTHER = "Where do quotas end?"


@pytest.fixture
def store() -> Store:
    return open_store("memory:")


def test_small_files_are_given_in_full(store: Store) -> None:
    assert context({"a.md": "one\n", "b.md": "two"}, ASKED, Compactor(store=store)) == (
        '<file name="a.md">\none\n</file>\n<file name="b.md">\ntwo\n</file>'
    )


def test_large_files_are_previews_the_best_first_and_every_handle_resolves(store: Store) -> None:
    compactor = Compactor(store=store)
    text = context(FILES, ASKED, compactor)
    assert re.findall('<file name="([^"]*)">', text) == ["the &quot;run&quot; book.md", "guide.md"]
    assert "`ctl revert --to 41`" in text
    assert len(text) < 3_000
    assert [compactor.recall(one, whole=True).text for one in HANDLE.findall(text)] == [RUNBOOK, LONG]


def test_the_choice_is_made_once_per_conversation(store: Store) -> None:
    first = context(FILES, ASKED, Compactor(store=store), conversation="a")
    assert context(FILES, OTHER, Compactor(store=store), conversation="a") == first
    assert context(FILES, OTHER, Compactor(store=store), conversation="b") != first
    assert context({**FILES, "guide.md": LONG + "."}, OTHER, Compactor(store=store), conversation="a") != first


def test_refresh_chooses_anew_and_stands_from_then_on(store: Store) -> None:
    compactor = Compactor(store=store)
    first = context(FILES, ASKED, compactor, conversation="a")
    second = context(FILES, OTHER, compactor, conversation="a", refresh=True)
    assert second != first
    assert context(FILES, ASKED, compactor, conversation="a") == second
    assert context(FILES, ASKED, compactor, conversation="a", refresh=True) == first
    assert context(FILES, OTHER, compactor, conversation="a") == first


def test_two_namespaces_do_not_see_each_other_s_choice(store: Store) -> None:
    one, two = (Compactor(store=store, config={"namespace": name}) for name in ("a", "b"))
    first = context(FILES, ASKED, one, conversation="a")
    assert context(FILES, OTHER, two, conversation="a") != first


def test_without_a_store_files_are_given_in_full() -> None:
    text = context(FILES, ASKED, Compactor(store=None))
    assert RUNBOOK in text
    assert LONG in text
    assert context({}, ASKED, Compactor(store=None)) == ""
